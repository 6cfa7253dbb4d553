r"""Which differences a test set can show, and how large it would have to be.

A difference is found with a probability (*power*) that depends on its size and on the standard
error of the difference of the two systems:

.. math:: \text{detectable} = (t_{1-\alpha/2,\,n-1} + t_{power,\,n-1}) \; SE

where n counts the samples that have a score. With m times as many samples of the same kind the
standard error is :math:`\sqrt{m}` times smaller.

>>> spread = Spread(error=0.004, samples=2_000, defined=2_000)
>>> round(detectable(spread), 4)                       # (1.96 + 0.84) x 0.004
0.0112
>>> needed(spread, 0.005)                              # 2,000 x (0.0112 / 0.005)^2
10047
>>> round(power(spread, 0.0112), 2)
0.8
>>> round(detectable(Spread(0.004, 10, 10)), 4)        # (2.26 + 0.88) x 0.004
0.0126

Of fewer than 8 samples nothing is told: tests that exchange samples have so few values of p that
the formula promises too much.

The power to find the difference that was observed is not asked for: it is another way to write p
(Hoenig and Heisey 2001).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from finegrain.resampling.quantiles import (
    normal_quantile,
    student_quantile,
    student_tail,
)

POWER = 0.8
LEVEL = 0.95
FEW = 8  # samples: of fewer the formula promises too much
_MANY = 1_000  # samples: with more, Student's t is as good as normal


class Spread(NamedTuple):
    """Standard error of the difference of two systems, measured on so many samples.

    ``defined``: in how many of them one of the two has a score.
    """

    error: float
    samples: int
    defined: int

    @property
    def tells(self) -> bool:
        """Whether it says which differences would be found."""
        return self.error > 0 and self.defined >= FEW


def detectable(spread: Spread, *, level: float = LEVEL, chance: float = POWER) -> float:
    """The smallest difference that is found with this chance."""
    return _standard_errors(spread.defined, level, chance) * spread.error


def _standard_errors(samples: float, level: float, chance: float) -> float:
    if samples > _MANY:
        return normal_quantile((1 + level) / 2) + normal_quantile(chance)
    freedom = max(1.0, samples - 1)
    return student_quantile((1 + level) / 2, freedom) + student_quantile(chance, freedom)


def needed(
    spread: Spread, difference: float, *, level: float = LEVEL, chance: float = POWER
) -> int | None:
    """How many samples find this difference with this chance; ``None`` if no number can be told."""
    if not spread.error > 0 or not difference or not spread.defined:
        return None
    share, size = spread.defined / spread.samples, math.inf
    for _ in range(20):  # the more samples, the fewer standard errors do
        errors = _standard_errors(size * share, level, chance)
        before, size = size, spread.samples * (errors * spread.error / difference) ** 2
        if abs(size - before) < 0.5:
            break
    return math.ceil(size - 1e-6)


def power(spread: Spread, difference: float, *, level: float = LEVEL) -> float:
    """The chance to find this difference; the chance to find its opposite counts as nothing."""
    if spread.error == 0:
        return math.nan
    freedom = max(1, min(spread.defined, _MANY) - 1)
    least = student_quantile((1 + level) / 2, freedom)
    return student_tail(least - abs(difference) / spread.error, freedom)
