"""Intervals as people read them, and as JSON has them.

>>> bracketed(0.9062, 0.918), bracketed(-0.021, 0.004, signed="+")
('[90.62, 91.80]', '[-2.10, +0.40]')
>>> with_interval(0.912, 0.9062, 0.918)
'91.20 [90.62, 91.80]'
>>> bounds(0.9, float("nan")) is None
True
"""

from __future__ import annotations

import math
from typing import Literal


def bracketed(low: float, high: float, *, signed: Literal["+", ""] = "") -> str:
    """An interval of proportions in percent; empty where there is none."""
    if math.isnan(low) or math.isnan(high):
        return ""
    return f"[{100 * low:{signed}.2f}, {100 * high:{signed}.2f}]"


def with_interval(value: float, low: float, high: float) -> str:
    """A proportion in percent with its interval, if it has one."""
    return "n/a" if math.isnan(value) else f"{100 * value:.2f} {bracketed(low, high)}".rstrip()


def bounds(low: float, high: float) -> list[float] | None:
    """An interval for JSON."""
    return None if math.isnan(low) or math.isnan(high) else [float(low), float(high)]
