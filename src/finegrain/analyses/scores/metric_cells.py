"""How tables head and write the numbers of a metric: as its scale says.

>>> from finegrain.metrics import METRICS
>>> column(METRICS["fair_f1"]), column(METRICS["las_precision"], best=None)
(Column(name='F1', kind='score', best='max', group='fair', worst=False, shade=False),
 Column(name='P', kind='score', best=None, group='las', worst=False, shade=False))
>>> column(METRICS["las_precision"], overview=True).name
'LAS precision'
"""

from __future__ import annotations

import math
from typing import Literal

from finegrain.analyses.interval_cells import with_interval
from finegrain.analyses.listing import Cell, Column
from finegrain.metrics.metric import Metric


def column(
    metric: Metric, *, best: Literal["max"] | None = "max", overview: bool = False
) -> Column:
    """The column of a metric, below the name of its family.

    overview: the heading has the name of the family in it where the metric says so
    """
    kind: Literal["score", "number"] = "score" if metric.scale.shown == "percent" else "number"
    if not (overview and metric.listed.family):
        return Column(metric.head, kind, best, metric.family)
    said = "" if metric.short == "f1" else metric.short.replace("_", " ")
    return Column(f"{metric.listed.family} {said}".strip(), kind, best)


def cell(metric: Metric, value: float) -> Cell:
    """A number of a metric: a proportion, or written as it is."""
    if metric.scale.shown == "percent" or math.isnan(value):
        return float(value)
    return _written(value)


def interval_cell(metric: Metric, value: float, low: float, high: float) -> Cell:
    """The same with its interval, if it has one."""
    if metric.scale.shown == "percent":
        return with_interval(value, low, high)
    if math.isnan(value):
        return "n/a"
    ends = "" if math.isnan(low + high) else f" [{_written(low)}, {_written(high)}]"
    return _written(value) + ends


def _written(value: float) -> str:
    """
    >>> _written(12.3456), _written(0.01234)
    ('12.35', '0.01234')
    """
    return f"{value:.2f}" if abs(value) >= 1 else f"{value:.4g}"
