"""Scores: averages with intervals, mean ranks with the critical difference, every data set."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from finegrain.analyses.explain.many_data_sets import LEVEL, ManyDataSets, Ranks
from finegrain.analyses.explain.suite_listings import averaged_over
from finegrain.analyses.p_values import told_p, written_level
from finegrain.analyses.reports.facts import metric_words
from finegrain.table.scale import Scale
from finegrain.views.html.axis import Axis
from finegrain.views.html.sections.section import Context


def context(found: ManyDataSets) -> Context | None:
    """Systems from the best average to the worst; without averages by rank, or by name."""
    overall, ranks, means = found.overall(), found.ranks(), found.means().tolist()
    listed = range(len(found.systems))
    averaged = found.averaged()
    worth = (-found.scale.quality(found.means()) if averaged else ranks.mean).tolist()
    known = not math.isnan(worth[0])
    order = sorted(listed, key=lambda at: (worth[at] if known else 0, found.systems[at]))
    ends = [_ends(found, place) for place in listed]
    axis = Axis.around([*means, *(end for both in ends for end in both)])
    ranked = _rank_axis(ranks)
    best = [_best(row, one.metric.scale) for row, one in zip(overall, found.data_sets, strict=True)]
    return {
        "rows": [
            {
                "rank": rank if known else None,
                "name": found.systems[place],
                "value": means[place],
                "ends": ends[place],
                "line": _line(axis, *ends[place]),
                "tick": axis.at(means[place]),
                "mean_rank": float(ranks.mean[place]),
                "rank_line": _reach(ranked, float(ranks.mean[place]), ranks.critical),
                "rank_tick": None if ranked is None else ranked.at(float(ranks.mean[place])),
                "group": ranks.groups[place],
                "cells": [
                    (float(row[place]), bool(row[place] == top))
                    for row, top in zip(overall, best, strict=True)
                ],
            }
            for rank, place in enumerate(order, 1)
        ],
        "metric": metric_words(averaged[0].metric) if averaged else None,
        "averaged_over": averaged_over(found),
        "axis": axis,
        "rank_ticks": _rank_ticks(ranked, len(found.systems)),
        "ranks": ranks,
        "friedman": told_p(ranks.friedman.p),
        "test_level": written_level(LEVEL),
        "level": found.drawing.level if _known(ends) else None,
        "several_metrics": len(found.metrics) > 1,
        "metric_of": [metric_words(one.metric) for one in found.data_sets],
        "data_sets": [one.name for one in found.data_sets],
        "units": [one.units for one in found.data_sets],
    }


def _ends(found: ManyDataSets, system: int) -> tuple[float, float]:
    average = found.average(system)
    return (math.nan, math.nan) if average is None else (average.low, average.high)


def _known(ends: list[tuple[float, float]]) -> bool:
    """Whether there are intervals: of few documents or sentences there are none."""
    return not all(math.isnan(low) for low, _ in ends)


def _line(axis: Axis, low: float, high: float) -> tuple[float | None, float | None] | None:
    return None if math.isnan(low) or math.isnan(high) else (axis.at(low), axis.at(high))


def _rank_axis(ranks: Ranks) -> Axis | None:
    """From the first rank to the last, with room for half a critical difference on both sides."""
    if np.isnan(ranks.mean).any():
        return None
    half = 0.0 if math.isnan(ranks.critical) else ranks.critical / 2
    low, high = float(ranks.mean.min()) - half, float(ranks.mean.max()) + half
    return Axis(min(low, 1.0) - 0.15, max(high, len(ranks.mean)) + 0.15)


def _rank_ticks(axis: Axis | None, systems: int) -> list[tuple[float | None, str]]:
    """Whole ranks with their places, about six of them."""
    if axis is None:
        return []
    return [(axis.at(rank), str(rank)) for rank in range(1, systems + 1, 1 + systems // 7)]


def _reach(axis: Axis | None, rank: float, critical: float) -> Any:
    """Half a critical difference on both sides: lines of systems that differ do not meet."""
    if axis is None or math.isnan(critical):
        return None
    return _line(axis, rank - critical / 2, rank + critical / 2)


def _best(row: Any, scale: Scale) -> float | None:
    """The best score of a data set; ``None`` where all are the same."""
    known = {round(float(value), 4) for value in row if not math.isnan(value)}
    return float(scale.top(row)) if len(known) > 1 else None
