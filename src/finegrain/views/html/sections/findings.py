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
    shares = tuple(bar.share for bar in strip.bars)
    percent = strip.scale.shown == "percent"
    low, high = _range(shares) if percent else _around(shares)
    marks = [
        {"x": round(100 * (bar.share - low) / (high - low), 2), "bar": bar}
        for bar in sorted(strip.bars, key=lambda bar: bar.subject)
        if not math.isnan(bar.share)
    ]
    told = [f"{100 * end:.0f}" if percent else f"{end:.2g}" for end in (low, high)]
    return {"low": told[0], "high": told[1], "marks": marks}


def _around(values: tuple[float, ...]) -> tuple[float, float]:
    """Ends that hold all values with some room, rounded to two digits.

    >>> _around((0.998, 1.104)), _around((2.0, 2.0))
    ((0.9, 1.2), (1.9, 2.1))
    """
    known = [value for value in values if not math.isnan(value)] or [0.0]
    low, high = min(known), max(known)
    room = 0.05 * max(high - low, 0.5 * abs(high), 1e-9)
    digits = 1 - math.floor(math.log10(max(abs(low - room), abs(high + room))))
    step = 10.0**-digits
    return (
        round(math.floor((low - room) / step) * step, max(0, digits)),
        round(math.ceil((high + room) / step) * step, max(0, digits)),
    )


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
