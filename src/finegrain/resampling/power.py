r"""Which differences a test set can show, and how large it would have to be.

A difference is found with a probability (*power*) that depends on its size and on the standard
error of the difference of the two systems:

.. math:: \text{detectable} = (z_{1-\alpha/2} + z_{power}) \; SE

With m times as many samples of the same kind the standard error is :math:`\sqrt{m}` times smaller.

>>> spread = Spread(error=0.004, samples=2_000)
>>> round(detectable(spread), 4)                       # (1.96 + 0.84) x 0.004
0.0112
>>> needed(spread, 0.005)                              # 2,000 x (0.0112 / 0.005)^2
10047
>>> round(power(spread, 0.0112), 2)
0.8

The power to find the difference that was observed is not asked for: it is another way to write p
(Hoenig and Heisey 2001).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from finegrain.resampling.quantiles import normal_quantile, normal_tail

POWER = 0.8
LEVEL = 0.95


class Spread(NamedTuple):
    """Standard error of the difference of two systems, measured on so many samples."""

    error: float
    samples: int


def detectable(spread: Spread, *, level: float = LEVEL, chance: float = POWER) -> float:
    """The smallest difference that is found with this chance."""
    return (normal_quantile((1 + level) / 2) + normal_quantile(chance)) * spread.error


def needed(
    spread: Spread, difference: float, *, level: float = LEVEL, chance: float = POWER
) -> int | None:
    """How many samples find this difference with this chance; ``None`` if no number can be told."""
    factor = detectable(spread, level=level, chance=chance) / abs(difference) if difference else 0.0
    if not math.isfinite(factor) or factor == 0:
        return None
    return math.ceil(spread.samples * factor**2)


def power(spread: Spread, difference: float, *, level: float = LEVEL) -> float:
    """The chance to find this difference; the chance to find its opposite counts as nothing."""
    if spread.error == 0:
        return math.nan
    return normal_tail(normal_quantile((1 + level) / 2) - abs(difference) / spread.error)
