"""Differences: how much any two systems differ, beside how much their scores do."""

from __future__ import annotations

import math
from typing import Any

from finegrain.analyses.compare.difference import Difference
from finegrain.analyses.compare.difference_intervals import Ends
from finegrain.analyses.compare.difference_matrix import Differences
from finegrain.analyses.evidence import Evidence, changes
from finegrain.analyses.reports.facts import metric_words
from finegrain.analyses.reports.graded_units import gain
from finegrain.analyses.reports.report import Report
from finegrain.analyses.trust.significance import Significance
from finegrain.table.scale import Scale
from finegrain.table.verdicts import right_or_wrong
from finegrain.views.html.sections.section import Context
from finegrain.views.html.wording import points

_BESIDE = 6  # systems, up to which a matrix leaves room for the chosen pair beside it


def context(report: Report) -> Context | None:
    """Nothing for a single system."""
    found = report.results.get("differences")
    if not isinstance(found, Differences):
        return None
    pairs = {frozenset(pair): one for pair, one in found.pairs.items()}
    names = set(found.order)
    places = [place for place in report.order if report.systems[place] in names]
    largest = max((_share(one, one.changed) for one in pairs.values()), default=0.0) or 1.0
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
        "differing": _differing(report),
        "unit": "in points" if _scale(one).shown == "percent" else "row less column",
        "graded": bool(report.task.value),
        **({} if right_or_wrong(report.table) else {"question": "Who is better, and where?"}),
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
    """Above the diagonal the difference of scores, below it the share of units that differ.

    Of graded units, below it the share on which the system of the row is better.
    """
    one = pairs[frozenset((report.systems[row], report.systems[column]))]
    delta, ends = _ahead(one, report.systems[row])
    scale, changed = _scale(one), _evidence(report, one, row, column)
    diff = _share(one, changed.count)
    return {
        "upper": upper,
        "delta": _written(scale, delta),
        "ends": None if ends is None else [_written(scale, end) for end in ends],
        "noise": _noise(report, row, column),
        "diff": diff,
        "step": min(8, max(0, round(8 * diff / largest))),
        "a": row if upper else column,
        "b": column if upper else row,
        "behind": changed,
        "units": _units(one),
        "other": report.systems[column],
    }


def _differing(report: Report) -> str:
    """What stands below the diagonal."""
    units = report.task.words.units
    if report.task.value:
        return f"{units} on which the system of the row is better than that of the column"
    if report.task.answers == "none":
        return f"{units} that only one of two systems gets right"
    return "units that two systems answer differently"


def _units(one: Difference) -> int:
    """The units that two systems are compared on."""
    return one.units if one.gains is None else one.gains.units


def _share(one: Difference, count: int) -> float:
    return count / _units(one) if _units(one) else 0.0


def _evidence(report: Report, one: Difference, row: int, column: int) -> Evidence:
    """The units below the diagonal."""
    if one.gains is None:
        return Evidence.of(one.changed, changes(report.systems[column], report.systems[row]))
    wins = one.gains.wins if one.systems[1] == report.systems[row] else one.gains.losses
    where = gain(report.table, report.systems[column], report.systems[row], "better")
    return Evidence.of(wins, where)


def _scale(one: Difference) -> Scale:
    return one.moved()[one.main].scale


def _written(scale: Scale, value: float) -> str:
    """A difference of scores: points with one digit, other numbers with a sign."""
    if scale.shown == "percent":
        return points(value, 1)
    return "–" if math.isnan(value) else scale.written(value, signed="+").replace("-", "−")


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
