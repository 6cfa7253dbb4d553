"""An axis that the rows of a table share: values to 0..100 of its width.

>>> scores = Axis(0.80, 0.90)
>>> scores.at(0.85), scores.at(float("nan")), scores.ticks()[:2]
(50.0, None, [(0.0, '80'), (20.0, '82')])
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Axis:
    """From ``low`` to ``high``; ``points``: what 1 is in the numbers that are printed."""

    low: float
    high: float
    points: float = 100.0

    @classmethod
    def around(cls, values: Iterable[float], *, points: float = 100.0) -> Axis:
        """An axis that holds all values with some room, proportions in whole points.

        >>> Axis.around([0.85, 0.95]).ticks()
        [(2.83, '85'), (50.0, '90'), (97.17, '95')]
        >>> Axis.around([1.0]).ticks()
        [(2.83, '98'), (50.0, '99'), (97.17, '100')]
        >>> Axis.around([2.5, 3.5], points=1.0).ticks()
        [(2.83, '2.5'), (50.0, '3'), (97.17, '3.5')]
        """
        known = [value for value in values if not math.isnan(value)] or [0.0, 1.0]
        if points == 1.0:
            span = max(known) - min(known) or max(1.0, abs(known[0]) / 10)
            return cls(min(known) - 0.03 * span, max(known) + 0.03 * span, points)
        low, high = math.floor(100 * min(known)) / 100, math.ceil(100 * max(known)) / 100
        low = min(low, 0.98)  # where all is right there is nothing above
        high = max(high, low + 0.02)
        room = 0.03 * (high - low)
        return cls(low - room, high + room)

    def at(self, value: float) -> float | None:
        """The place of a value; ``None`` where undefined."""
        if math.isnan(value):
            return None
        return round(100 * (value - self.low) / (self.high - self.low), 2)

    def ticks(self) -> list[tuple[float, str]]:
        """Round values as they are printed, with their places."""
        low, high = self.points * self.low, self.points * self.high
        span = high - low
        if self.points == 1.0:
            least = 10.0 ** math.floor(math.log10(span))
            wide = next(one for one in (least / 10, least / 5, least / 2, least, 2 * least)
                        if span / one <= 5)  # fmt: skip
            places = range(math.ceil(low / wide), math.floor(high / wide) + 1)
            return [(round(100 * (at * wide - low) / span, 2), f"{at * wide:.6g}") for at in places]
        step = next((one for one in (1, 2, 5, 10, 20, 25) if span / one <= 5), 25)
        values = range(math.ceil(low / step) * step, math.floor(high) + 1, step)
        return [(round(100 * (value - low) / span, 2), str(value)) for value in values]


Ticks = list[tuple[float, str]]


class Mark(NamedTuple):
    """A value with its interval; ``circle``: another value, ``told``: all of it in words."""

    value: float
    low: float = math.nan
    high: float = math.nan
    circle: float = math.nan
    subject: bool = True
    told: str = ""


class Drawing(NamedTuple):
    """A mark in places of an axis."""

    ticks: Ticks
    zero: float | None
    line: tuple[float | None, float | None] | None
    tick: float | None
    circle: float | None
    style: str
    told: str
    bar: float | None = None


class DrawnColumn(NamedTuple):
    """Values of rows on an axis that all share; bars have none."""

    ticks: Ticks | None
    rows: list[Drawing]


def drawn_column(
    axis: Axis, marks: Iterable[Mark], *, zero: bool = False, ticks: Ticks | None = None
) -> DrawnColumn:
    """Marks on an axis; with ``zero``, a line stands there.

    >>> column = drawn_column(Axis(0.0, 1.0), [Mark(0.5, 0.25, 0.75), Mark(math.nan)])
    >>> [(row.line, row.tick) for row in column.rows]
    [((25.0, 75.0), 50.0), (None, None)]
    """
    ticks = axis.ticks() if ticks is None else ticks
    rows = [
        Drawing(
            ticks,
            axis.at(0.0) if zero else None,
            None
            if math.isnan(mark.low) or math.isnan(mark.high)
            else (axis.at(mark.low), axis.at(mark.high)),
            axis.at(mark.value),
            axis.at(mark.circle),
            "subject" if mark.subject else "other",
            mark.told.replace("-", "−"),
        )
        for mark in marks
    ]
    return DrawnColumn(ticks, rows)


def bars(widths: Iterable[tuple[float, str, str]]) -> DrawnColumn:
    """Bars by width, style and what is told of them.

    >>> drawn = bars([(100.0, "pale", "crf: 12 new"), (25.004, "subject", "gru: 3 new")])
    >>> [row.bar for row in drawn.rows]
    [100.0, 25.0]
    """
    rows = [
        Drawing([], None, None, None, None, style, told, round(width, 2))
        for width, style, told in widths
    ]
    return DrawnColumn(None, rows)
