"""Scores of systems with their intervals: a line from end to end, a tick at the score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.reports.facts import metric_words
from finegrain.analyses.trust.significance import Significance
from finegrain.views.charts.chart import Spec, reserved, rounded
from finegrain.views.charts.palette import ACCENT, INK


def score_intervals(
    result: Significance,
    order: tuple[int, ...] | None = None,
    fair: NDArray[np.float64] | None = None,
) -> Spec:
    """``order``: systems by place, from above; ``fair`` ``[system]``: fair F1, a circle each."""
    places = order if order is not None else tuple(range(len(result.systems)))
    names = tuple(result.systems[system] for system in places)
    values = []
    for system in places:
        value, low, high = (
            rounded(100 * float(one[system]), 3)
            for one in (result.values, result.interval.low, result.interval.high)
        )
        ends = "" if low is None or high is None else f" [{low:.2f}, {high:.2f}]"
        values.append({
            "system": result.systems[system], "value": value, "low": low, "high": high,
            "fair": None if fair is None else rounded(100 * float(fair[system]), 3),
            "told": f"{result.systems[system]}: {value:.2f}{ends}" if value is not None else "",
        })  # fmt: skip
    y = {
        "field": "system", "type": "nominal", "sort": list(names), "title": None,
        "axis": {"domain": False, "ticks": False, "labelColor": INK.light, "grid": True,
                 "minExtent": reserved(names)},
    }  # fmt: skip
    title = f"{metric_words(result.metric)}, %"
    if fair is not None:
        title = f"{title}; circle: fair F1"
    x = {"type": "quantitative", "title": title, "scale": {"zero": False, "nice": True}}
    return {
        "description": f"{title} of every system, with intervals",
        "usermeta": {"reserved": reserved(names) + 12},
        "data": {"values": values},
        "width": 840,
        "height": {"step": 24},
        "encoding": {"y": y},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2, "color": ACCENT.light},
                "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "tick", "thickness": 2, "size": 12, "color": ACCENT.light},
                "encoding": {"x": {"field": "value", **x}},
            },
            {
                "transform": [{"filter": "isValid(datum.fair)"}],
                "mark": {"type": "point", "size": 40, "color": INK.light, "strokeWidth": 1.5},
                "encoding": {"x": {"field": "fair", **x}},
            },
        ],
    }
