"""Findings: sentences with small figures beside them."""

from __future__ import annotations

import math

from finegrain.analyses.reports.finding import Strip
from finegrain.analyses.reports.report import Report, brackets
from finegrain.views.html.sections.section import Context


def context(report: Report) -> Context | None:
    """Nothing without findings."""
    if not report.findings:
        return None
    return {
        "findings": report.findings,
        "brackets": brackets(report.findings),
        "points": {place: _points(one.strip) for place, one in enumerate(report.findings)},
    }


def _points(strip: Strip | None) -> Context | None:
    """Values on an axis from 0 to 100 of a small figure; the subject is drawn last."""
    if strip is None or not strip.points:
        return None
    low, high = _range(strip.points)
    places = [100 * (value - low) / (high - low) for value in strip.points]
    marks = [
        {"x": round(x, 2), "subject": at in strip.subject}
        for at, x in enumerate(places)
        if x == x  # noqa: PLR0124 - nan
    ]
    marks.sort(key=lambda mark: bool(mark["subject"]))
    return {"low": f"{100 * low:.0f}", "high": f"{100 * high:.0f}", "marks": marks}


def _range(values: tuple[float, ...]) -> tuple[float, float]:
    """Whole points of 100 that hold all values with some room.

    >>> _range((0.742, 0.918)), _range((0.5, 1.0))
    ((0.74, 0.92), (0.5, 1.0))
    """
    known = [value for value in values if value == value] or [0.0]  # noqa: PLR0124 - nan
    low, high = math.floor(100 * min(known)), math.floor(100 * max(known)) + 1
    if high == 101 and low < 100:
        high = 100  # nothing lies above
    return low / 100, high / 100
