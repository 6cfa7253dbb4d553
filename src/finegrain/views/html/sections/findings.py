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
        "axes": {place: _axis(one.strip) for place, one in enumerate(report.findings)},
    }


def _axis(strip: Strip | None) -> Context | None:
    """Marks of systems on an axis from 0 to 100 of a small figure; the subject is drawn last."""
    if strip is None or strip.drawn != "axis":
        return None
    low, high = _range(tuple(bar.share for bar in strip.bars))
    marks = [
        {"x": round(100 * (bar.share - low) / (high - low), 2), "bar": bar}
        for bar in sorted(strip.bars, key=lambda bar: bar.subject)
        if not math.isnan(bar.share)
    ]
    return {"low": f"{100 * low:.0f}", "high": f"{100 * high:.0f}", "marks": marks}


def _range(values: tuple[float, ...]) -> tuple[float, float]:
    """Whole points of 100 that hold all values with some room.

    >>> _range((0.742, 0.918)), _range((0.5, 1.0))
    ((0.74, 0.92), (0.5, 1.0))
    """
    known = [value for value in values if not math.isnan(value)] or [0.0]
    low, high = math.floor(100 * min(known)), math.floor(100 * max(known)) + 1
    if high == 101 and low < 100:
        high = 100  # nothing lies above
    return low / 100, high / 100
