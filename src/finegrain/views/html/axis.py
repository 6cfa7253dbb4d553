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

    @classmethod
    def around(cls, values: Iterable[float]) -> Axis:
        """An axis in whole points that holds all proportions with some room.

        >>> Axis.around([0.85, 0.95]).ticks()
        [(2.83, '85'), (50.0, '90'), (97.17, '95')]
        """
        known = [value for value in values if not math.isnan(value)] or [0.0, 1.0]
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
        low, high = 100 * self.low, 100 * self.high
        span = high - low
        step = next((one for one in (1, 2, 5, 10, 20, 25) if span / one <= 5), 25)
        values = range(math.ceil(low / step) * step, math.floor(high) + 1, step)
        return [(round(100 * (value - low) / span, 2), str(value)) for value in values]
