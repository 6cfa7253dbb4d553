"""An axis that the rows of a table share: values to 0..100 of its width.

>>> scores = Axis(0.80, 0.90)
>>> scores.at(0.85), scores.at(float("nan")), scores.ticks()[:2]
(50.0, None, [(0.0, '80'), (20.0, '82')])
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Axis:
    """From ``low`` to ``high``."""

    low: float
    high: float
    points: float = 100.0

    @classmethod
    def around(cls, values: Iterable[float], *, points: float = 100.0) -> Axis:
        """An axis in whole points that holds all proportions with some room.

        ``points``: what a difference of 1 is in the numbers at the axis; 1 for what is no
        proportion.

        >>> Axis.around([0.85, 0.95]).ticks()
        [(2.83, '85'), (50.0, '90'), (97.17, '95')]
        >>> Axis.around([12.1, 12.8], points=1).ticks()[:2]
        [(13.33, '12.2'), (40.0, '12.4')]
        """
        known = [value for value in values if not math.isnan(value)] or [0.0, 1.0]
        if points == 1.0:
            room = 0.05 * max(max(known) - min(known), 1e-3 * abs(max(known)), 1e-9)
            return cls(min(known) - room, max(known) + room, points)
        low, high = math.floor(100 * min(known)) / 100, math.ceil(100 * max(known)) / 100
        room = 0.03 * max(0.02, high - low)
        return cls(low - room, max(high, low + 0.02) + room)

    def at(self, value: float) -> float | None:
        """The place of a value; ``None`` where undefined."""
        if math.isnan(value):
            return None
        return round(100 * (value - self.low) / (self.high - self.low), 2)

    def ticks(self) -> list[tuple[float, str]]:
        """Round values of proportions, in points, with their places."""
        if self.points == 1.0:
            return self._round_numbers()
        low, high = 100 * self.low, 100 * self.high
        span = high - low
        step = next((one for one in (1, 2, 5, 10, 20, 25) if span / one <= 5), 25)
        values = range(math.ceil(low / step) * step, math.floor(high) + 1, step)
        return [(round(100 * (value - low) / span, 2), str(value)) for value in values]

    def _round_numbers(self) -> list[tuple[float, str]]:
        """Multiples of 1, 2 or 5 times a power of ten."""
        span = self.high - self.low
        power = 10.0 ** math.floor(math.log10(span / 5))
        step = next(one * power for one in (1, 2, 5, 10) if span / (one * power) <= 5)
        digits = max(0, -math.floor(math.log10(step)))
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        values = [number * step for number in range(first, last + 1)]
        return [(self.at(one) or 0.0, f"{one:z.{digits}f}") for one in values]
