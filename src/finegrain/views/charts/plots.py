"""A plot of a study as a figure: lines, stairs, clouds of points, or dots in rows.

>>> import numpy as np
>>> from finegrain.analyses.studies.content import Axis, Plot, Series
>>> curve = Series("svm", np.array([0.0, 1.0]), np.array([0.0, 1.0]))
>>> spec = plot_spec(Plot("ROC", Axis("false positives", (0, 1)), Axis("recall", (0, 1)), (curve,)))
>>> spec["description"], [layer["mark"]["type"] for layer in spec["layer"]]
('ROC', ['line', 'circle'])

Every system has one colour in all plots of a study: the first six have their own, others are grey.
"""

from __future__ import annotations

from typing import Any

from finegrain.analyses.studies.content import Axis, Mark, Plot, Series, Study
from finegrain.views.charts.chart import KEY, Spec, reserved, rounded
from finegrain.views.charts.heat_maps import heat_map
from finegrain.views.charts.palette import INK, LABELS, OTHER_LABEL, PAPER, SECOND, THIRD

_FEW = 40  # points of a line that are drawn as such; on longer ones they would hide it
_INTERPOLATED = {"line": "linear", "step": "step-after"}


def plot_spec(plot: Plot) -> Spec:
    """The specification of a plot."""
    if any(series.mark == "cells" for series in plot.series):
        return heat_map(plot)
    values = [datum for series in plot.series for datum in _data(series, plot)]
    marks = {series.mark for series in plot.series}
    layers = [*_references(plot)]
    if any(datum["low"] is not None for datum in values):
        layers.append(_intervals(plot, marks))
    layers += [_line(mark) for mark in _INTERPOLATED if mark in marks]
    layers.append(_points(values))
    if any(datum["marked"] for datum in values):
        layers.append(_marked())
    layers += _names_of_lines(plot)
    names = plot.y.names
    return {
        "description": plot.title,
        "usermeta": {"reserved": reserved(names) + 12 if names else 72},
        "data": {"values": values},
        "width": 420,
        "height": {"step": 24} if names else 280,
        "encoding": {
            "x": _axis("x", plot.x),
            "y": _axis("y", plot.y),
            **({} if _named_by_rows(plot) else {"color": _colours(plot)}),
        },
        "layer": layers,
    }


def study_spec(study: Study) -> Spec | None:
    """All plots of a study in rows of two; ``None`` without any."""
    plots = [
        {**plot_spec(plot), "title": {"text": plot.title, "fontWeight": "normal"}}
        for plot in study.plots
    ]
    if len(plots) < 2:
        return plots[0] if plots else None
    spec: Spec = {"description": study.title, "concat": plots, "columns": 2, "spacing": 36}
    if len({tuple(series.name for series in plot.series) for plot in study.plots}) > 1:
        apart = {"color": "independent"}  # else colours of one plot would be those of another
        spec["resolve"] = {"scale": apart, "legend": apart}
    return spec


def _data(series: Series, plot: Plot) -> list[dict[str, Any]]:
    """The points of a series; those without a number are left out."""
    found = []
    for place, (x, y) in enumerate(zip(series.x.tolist(), series.y.tolist(), strict=True)):
        if x != x or y != y:  # noqa: PLR0124 - nan
            continue
        ends = [None if end is None else rounded(end[place]) for end in (series.low, series.high)]
        behind = series.behind[place] if series.behind else None
        found.append({
            "series": series.name,
            "mark": series.mark,
            "order": place,
            "x": rounded(x, 5),
            "y": plot.y.names[int(y)] if plot.y.names else rounded(y, 5),
            "low": ends[0],
            "high": ends[1],
            "marked": place in series.marked,
            "told": series.text[place] if series.text else series.name,
            **({} if behind is None else {"href": behind.fragment}),
        })  # fmt: skip
    return found


def _axis(channel: str, axis: Axis) -> Spec:
    if axis.names:
        return {
            "field": channel, "type": "nominal", "sort": list(axis.names), "title": None,
            "axis": {"domain": False, "ticks": False, "labelColor": INK.light, "grid": True,
                     "minExtent": reserved(axis.names)},
        }  # fmt: skip
    scale: Spec = {"nice": axis.domain is None}
    if axis.domain is not None:
        scale["domain"] = list(axis.domain)
    if axis.logarithmic:
        scale["type"] = "log"
    else:
        scale["zero"] = False
    shown = {"format": ".0%"} if axis.shown == "percent" else {"format": "~r"}
    return {
        "field": channel, "type": "quantitative", "title": axis.title or None, "scale": scale,
        "axis": {"tickCount": 5, **shown},
    }  # fmt: skip


def _colours(plot: Plot) -> Spec:
    names = list(dict.fromkeys(series.name for series in plot.series))
    own = [colour.light for colour in LABELS[: len(names)]]
    legend = {**KEY, "columns": 2} if len(names) > 1 else None
    return {
        "field": "series", "type": "nominal", "sort": None, "legend": legend,
        "scale": {"domain": names, "range": own + [OTHER_LABEL.light] * (len(names) - len(own))},
    }  # fmt: skip


def _named_by_rows(plot: Plot) -> bool:
    """Whether rows say which system a dot is of: no two series have dots in one row."""
    rows = [row for series in plot.series for row in set(series.y.tolist())]
    return bool(plot.y.names) and len(rows) == len(set(rows))


def _of(marks: tuple[str, ...]) -> list[Spec]:
    return [{"filter": {"field": "mark", "oneOf": list(marks)}}]


def _line(mark: str) -> Spec:
    return {
        "transform": _of((mark,)),
        "mark": {"type": "line", "strokeWidth": 1.6, "interpolate": _INTERPOLATED[mark]},
        "encoding": {"order": {"field": "order", "type": "quantitative"}},
    }


def _points(values: list[dict[str, Any]]) -> Spec:
    """Points of clouds are pale, so that their density shows; a line has few, or small ones."""
    cloud = sum(datum["mark"] == "points" for datum in values)
    longest = max((datum["order"] for datum in values if datum["mark"] != "points"), default=0)
    if longest >= _FEW:  # they only take the pointer
        return {"mark": {"type": "circle", "size": 60, "cursor": "pointer", "opacity": 0.001}}
    size, opacity = (14 if cloud > 500 else 26, 0.45) if cloud > 60 else (44, 1)
    return {"mark": {"type": "circle", "size": size, "cursor": "pointer", "opacity": opacity}}


def _marked() -> Spec:
    """The points that matter most, hollow and large."""
    return {
        "transform": [{"filter": "datum.marked"}],
        "mark": {"type": "point", "size": 130, "strokeWidth": 2, "filled": False,
                 "cursor": "pointer"},
    }  # fmt: skip


def _intervals(plot: Plot, marks: set[Mark]) -> Spec:
    """Upright for curves; along the row for dots."""
    ends = ("x", "x2") if "dots" in marks else ("y", "y2")
    first = _axis(ends[0], plot.x if ends[0] == "x" else plot.y)
    return {
        "transform": [{"filter": "isValid(datum.low) && isValid(datum.high)"}],
        "mark": {"type": "rule", "strokeWidth": 1.4, "opacity": 0.6},
        "encoding": {ends[0]: {**first, "field": "low"}, ends[1]: {"field": "high"}},
    }


def _references(plot: Plot) -> list[Spec]:
    """Thin lines to compare with: y = x, y = 0, x = 0, and those that the plot names."""
    found: list[Spec] = []
    rule: Spec = {"type": "rule", "color": THIRD.light, "strokeDash": [4, 3]}
    none: Spec = {"color": None}
    if plot.reference == "diagonal":
        low, high = _shared_ends(plot)
        found.append({
            "data": {"values": [{"x": low, "y": low, "to": high}]},
            "mark": {**rule, "tooltip": None},
            "encoding": {"x2": {"field": "to"}, "y2": {"field": "to"}, **none},
        })  # fmt: skip
    if plot.reference == "horizontal":
        found.append(
            {"data": {"values": [{"y": 0}]}, "mark": rule, "encoding": {"x": None, **none}}
        )
    if plot.reference == "vertical":
        found.append(
            {"data": {"values": [{"x": 0}]}, "mark": rule, "encoding": {"y": None, **none}}
        )
    if len(plot.stairs) > 1:
        found.append({
            "data": {"values": [{"x": x, "y": y} for x, y in plot.stairs]},
            "mark": {**rule, "type": "line", "interpolate": "step-after", "tooltip": None},
            "encoding": none,
        })  # fmt: skip
    for level, text in plot.lines:
        data = {"values": [{"y": level, "told": text, "line": text}]}
        found.append({"data": data, "mark": rule, "encoding": {"x": None, **none}})
    return found


def _names_of_lines(plot: Plot) -> list[Spec]:
    """What lines are called, on top of the points, which would cover it."""
    text: Spec = {"type": "text", "align": "right", "dy": -6, "dx": -2, "fontSize": 11}
    halo = {**text, "color": PAPER.light, "stroke": PAPER.light, "strokeWidth": 4, "tooltip": None}
    return [
        {
            "data": {"values": [{"y": level, "told": line, "line": line}]},
            "mark": mark,
            "encoding": {"x": {"value": "width"}, "text": {"field": "line"}, "color": None},
        }
        for level, line in plot.lines
        for mark in (halo, {**text, "color": SECOND.light})
    ]


def _shared_ends(plot: Plot) -> tuple[float, float]:
    """The part of y = x that lies within both axes."""
    domains = [axis.domain for axis in (plot.x, plot.y) if axis.domain is not None]
    if domains:
        return max(low for low, _ in domains), min(high for _, high in domains)
    every = [float(value) for one in plot.series for column in (one.x, one.y) for value in column]
    known = [value for value in every if value == value]  # noqa: PLR0124 - nan
    return (min(known), max(known)) if known else (0.0, 1.0)
