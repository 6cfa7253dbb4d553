"""Differences: how much any two systems differ, beside how much their scores do."""

from __future__ import annotations

import math
from typing import Any

from finegrain.analyses.compare.difference import Difference
from finegrain.analyses.compare.difference_intervals import Ends
from finegrain.analyses.compare.difference_matrix import Differences
from finegrain.analyses.reports.facts import metric_words
from finegrain.analyses.reports.report import Report
from finegrain.analyses.trust.significance import Significance
from finegrain.views.html.sections.section import Context

_BESIDE = 6  # systems, up to which a matrix leaves room for the chosen pair beside it


def context(report: Report) -> Context | None:
    """Nothing for a single system."""
    found = report.results.get("differences")
    if not isinstance(found, Differences):
        return None
    pairs = {frozenset(pair): one for pair, one in found.pairs.items()}
    names = set(found.order)
    places = [place for place in report.order if report.systems[place] in names]
    largest = max((one.diff for one in pairs.values()), default=0.0) or 1.0
    rows = []
    for rank, row in enumerate(places):
        cells = [
            _cell(report, pairs, row, column, upper=at > rank, largest=largest)
            if row != column
            else None
            for at, column in enumerate(places)
        ]
        rows.append({"place": row, "name": report.systems[row], "cells": cells})
    one = next(iter(pairs.values()))
    return {
        "rows": rows,
        "many": len(places) > _BESIDE,
        "level": one.intervals.confidence if one.intervals else None,
        "left_out": len(report.systems) - len(places),
        "metric": metric_words(report.metric) if one.score else one.moved()[one.main].name,
        "differing": f"{report.task.words.units} that only one of two systems gets right"
        if report.task.answers == "none"
        else "units that two systems answer differently",
        "tested": isinstance(report.results.get("significance"), Significance),
    }


def _cell(
    report: Report,
    pairs: dict[frozenset[str], Difference],
    row: int,
    column: int,
    *,
    upper: bool,
    largest: float,
) -> dict[str, Any]:
    """Above the diagonal the difference of scores, below it the share of units that differ."""
    one = pairs[frozenset((report.systems[row], report.systems[column]))]
    delta, ends = _ahead(one, report.systems[row])
    return {
        "upper": upper,
        "delta": delta,
        "ends": ends,
        "noise": _noise(report, row, column),
        "diff": one.diff,
        "step": min(8, max(0, round(8 * one.diff / largest))),
        "a": row if upper else column,
        "b": column if upper else row,
        "changed": one.changed,
        "units": one.units,
        "other": report.systems[column],
    }


def _ahead(one: Difference, name: str) -> tuple[float, Ends | None]:
    """How far a system of a pair is ahead of the other, and the interval of that, if any."""
    score = one.moved()[one.main]
    ends = one.intervals.ends(one.main) if one.intervals else None
    if ends is not None and any(map(math.isnan, ends)):
        ends = None
    if one.systems[1] == name:
        return score.delta, ends
    return -score.delta + 0.0, None if ends is None else Ends(-ends.high + 0.0, -ends.low + 0.0)


def _noise(report: Report, one: int, other: int) -> bool:
    """Whether a test was made and does not tell two systems apart."""
    tested = report.results.get("significance")
    if not isinstance(tested, Significance):
        return False
    return any(
        {pair.first, pair.second} == {one, other} and not tested.significant(pair)
        for pair in tested.pairs
    )
