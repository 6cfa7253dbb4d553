"""Heat maps of studies: cells of two categorical axes, coloured by a number.

>>> import numpy as np
>>> from finegrain.analyses.studies.content import Axis, Plot, Series
>>> cells = Series("alike", np.array([0.0, 1.0]), np.array([0.0, 0.0]), "cells",
...                value=np.array([1.0, 0.25]))
>>> names = ("bert", "glove")
>>> spec = heat_map(Plot("RSA", Axis("", names=names), Axis("", names=names[:1]), (cells,)))
>>> [datum["text"] for datum in spec["data"]["values"]]
['1.00', '.25']

Few cells have their numbers written in them, and names at both sides; of many only the colours are
drawn.
"""

from __future__ import annotations

from typing import Any

from finegrain.analyses.studies.content import Axis, Plot
from finegrain.views.charts.chart import Spec, reserved, rounded
from finegrain.views.charts.palette import INK, SEQUENTIAL, text_on

_FEW = 14  # rows or columns whose cells have room for a number
_WIDEST, _WRITTEN = 240, 380  # pixels; of cells with numbers, whose names stand beside them


def heat_map(plot: Plot) -> Spec:
    """The specification of a plot of cells."""
    values = [datum for series in plot.series for datum in _cells(plot, series)]
    size = max(len(plot.x.names), len(plot.y.names), 1)
    few = size <= _FEW
    known = [datum["value"] for datum in values if datum["value"] is not None]
    low, high = _ends(known)
    layers: list[Spec] = [{
        "mark": {"type": "rect", "cursor": "pointer",
                 **({"stroke": "#ffffff", "strokeWidth": 1} if few else {})},
        "encoding": {"color": {
            "field": "value", "type": "quantitative",
            "legend": None if few else {"title": None, "orient": "right", "gradientLength": 120},
            "scale": {"type": "quantize", "domain": [low, high],
                      "range": [one.light for one in SEQUENTIAL]},
        }},
    }]  # fmt: skip
    if few:
        layers.append({
            "mark": {"type": "text", "fontSize": 11},
            "encoding": {"text": {"field": "text"},
                         "color": text_on(f"(datum.value - {low}) / {high - low}")},
        })  # fmt: skip
    columns = max(1, len(plot.x.names))
    step = min(38, _WRITTEN // columns) if few else max(3, _WIDEST // size)
    rows = max(1, len(plot.y.names))
    return {
        "description": plot.title,
        "usermeta": {"reserved": reserved(plot.y.names) if few else 12},
        "data": {"values": values},
        "width": {"step": step},
        "height": {"step": 26} if few else step * rows,
        "encoding": {"x": _axis("column", plot.x, few=few, angle=-45),
                     "y": _axis("row", plot.y, few=few, angle=0)},
        "layer": layers,
    }  # fmt: skip


def _ends(known: list[float]) -> tuple[float, float]:
    """What the palest and the darkest colour stand for."""
    low, high = min([0.0, *known]), max([1.0, *known])
    if known and min(known) > 0.5:  # all alike: differences would not show
        low = min(known)
    return low, high if high > low else low + 1


def _cells(plot: Plot, series: Any) -> list[dict[str, Any]]:
    numbers = [None] * len(series.x) if series.value is None else series.value.tolist()
    found = []
    for place, (x, y, number) in enumerate(
        zip(series.x.tolist(), series.y.tolist(), numbers, strict=True)
    ):
        value = rounded(number)
        row, column = plot.y.names[int(y)], plot.x.names[int(x)]
        behind = series.behind[place] if series.behind else None
        told = "n/a" if value is None else f"{value:.3f}"
        found.append({
            "row": row,
            "column": column,
            "value": value,
            "text": "" if value is None else f"{value:.2f}".replace("0.", ".", 1),
            "told": series.text[place] if series.text else f"{row}, {column}: {told}",
            **({} if behind is None else {"href": behind.fragment}),
        })  # fmt: skip
    return found


def _axis(field: str, axis: Axis, *, few: bool, angle: int) -> Spec:
    shown: Spec = {"domain": False, "ticks": False, "labels": few, "labelColor": INK.light}
    if field == "column":
        shown |= {"orient": "top", "labelAngle": angle}
    return {
        "field": field, "type": "nominal", "sort": list(axis.names), "title": axis.title or None,
        "axis": shown,
    }  # fmt: skip
