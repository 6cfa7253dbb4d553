"""How tables of scores head the numbers of a metric, and write them with intervals.

>>> from finegrain.metrics import METRICS
>>> column(METRICS["fair_f1"]).name, column(METRICS["fair_f1"]).group
('F1', 'fair')
>>> column(METRICS["las_precision"], overview=True).name
'LAS precision'
"""

from __future__ import annotations

from typing import Literal

from finegrain.analyses.interval_cells import with_interval
from finegrain.analyses.listing import Column
from finegrain.metrics.metric import Metric


def column(
    metric: Metric, *, best: Literal["max"] | None = "max", overview: bool = False
) -> Column:
    """The column of a metric, below the name of its family.

    overview: the heading has the name of the family in it where the metric says so
    """
    if not (overview and metric.listed.family):
        return Column(metric.head, "score", best, metric.family_words, scale=metric.scale)
    said = "" if metric.short == "f1" else metric.short.replace("_", " ")
    name = f"{metric.listed.family} {said}".strip()
    return Column(name, "score", best, scale=metric.scale)


def interval_cell(metric: Metric, value: float, low: float, high: float) -> str:
    """A score with its interval, if it has one."""
    return with_interval(value, low, high, scale=metric.scale)
