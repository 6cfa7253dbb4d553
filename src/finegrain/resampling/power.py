r"""Which differences a test set can show, and how large it would have to be.

A difference is found with a probability (*power*) that depends on its size and on the standard
error SE of the difference of the two systems, without one sample each (``jackknife``):

.. math:: \delta = (t_{1-\alpha/2,\,n_\text{eff}-1} + t_{power,\,n_\text{eff}-1}) \; SE \;
   \sqrt{\frac{F (1 - F) + (F - \delta) (1 - F + \delta)}{2 F (1 - F)}}

where the effective number of samples counts documents of unequal size as fewer (Kish 1965). The
root is there for proportions F: what is to be found is a system that is worse by
:math:`\delta`, and the farther it is from the end of the scale the more it varies. With m times as
many samples of the same kind the standard error is :math:`\sqrt{m}` times smaller. SE itself is
measured on the test set; the range of a detectable difference is that of SE, by the
:math:`\chi^2` distribution with :math:`n_\text{eff} - 1` degrees of freedom.

>>> spread = Spread(error=0.004, samples=2_000, defined=2_000)
>>> round(detectable(spread), 4)                       # (1.96 + 0.84) x 0.004
0.0112
>>> needed(spread, 0.005)                              # 2,000 x (0.0112 / 0.005)^2
10047
>>> round(power(spread, 0.0112), 2)
0.8
>>> round(detectable(Spread(0.004, 10, 10)), 4)        # (2.26 + 0.88) x 0.004
0.0126
>>> round(detectable(Spread(0.04, 50, 50, 25.0, 0.94)), 4)          # 2.92 x 0.04 x sqrt(2.058)
0.1676
>>> [round(end, 3) for end in detectable_range(Spread(0.04, 50, 50, 25.0, 0.94))]
[0.123, 0.252]

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
_STEPS = 60


class Spread(NamedTuple):
    """Standard error of the difference of two systems, measured on so many samples.

    ``defined``: in how many of them one of the two has a score; ``effective``: as many of equal
    size, if they are not; ``share``: the score of the better one, if scores are proportions.
    """

    error: float
    samples: int
    defined: int
    effective: float = math.nan
    share: float = math.nan

    @property
    def tells(self) -> bool:
        """Whether it says which differences would be found."""
        return self.error > 0 and self.defined >= FEW

    @property
    def size(self) -> float:
        """As many samples of equal size."""
        return self.defined if math.isnan(self.effective) else self.effective


def detectable(spread: Spread, *, level: float = LEVEL, chance: float = POWER) -> float:
    """The smallest difference that is found with this chance."""
    plain = _standard_errors(spread.size, level, chance) * spread.error
    return _wider(plain, spread.share)


def detectable_range(
    spread: Spread, *, level: float = LEVEL, chance: float = POWER
) -> tuple[float, float]:
    """Where that difference may lie, as the standard error is known from the samples alone."""
    freedom = max(1.0, spread.size - 1)
    ends = (math.sqrt(freedom / _chi_square(share, freedom)) for share in (0.975, 0.025))
    low, high = (
        detectable(spread._replace(error=times * spread.error), level=level, chance=chance)
        for times in ends
    )
    return low, high


def _wider(plain: float, share: float) -> float:
    """The difference from a proportion, where the worse system varies more."""
    found = plain
    for _ in range(_STEPS):
        before, found = found, plain * _times(share, found)
        if math.isnan(found) or abs(found - before) < 1e-12:
            break
    return found


def _times(share: float, difference: float) -> float:
    """How much more a difference from a proportion varies than none."""
    if not 0 < share < 1:
        return 1.0
    lower = max(0.0, share - abs(difference))
    return math.sqrt((share * (1 - share) + lower * (1 - lower)) / (2 * share * (1 - share)))


def _chi_square(probability: float, freedom: float) -> float:
    from scipy.special import chdtri  # type: ignore[import-untyped]  # noqa: PLC0415 - slow

    return float(chdtri(freedom, 1 - probability))


def _standard_errors(samples: float, level: float, chance: float) -> float:
    if samples > _MANY:
        return normal_quantile((1 + level) / 2) + normal_quantile(chance)
    freedom = max(1.0, samples - 1)
    return student_quantile((1 + level) / 2, freedom) + student_quantile(chance, freedom)


def half_width(spread: Spread, *, level: float = LEVEL) -> float:
    """Of the t interval of a difference, as that of many pairs at once needs far tails.

    >>> of = Spread(0.01, 50, 50)
    >>> round(half_width(of), 4), round(half_width(of, level=0.999), 4)
    (0.0201, 0.035)
    """
    freedom = max(1.0, min(spread.defined, _MANY) - 1)
    return student_quantile((1 + level) / 2, freedom) * spread.error


def needed(
    spread: Spread, difference: float, *, level: float = LEVEL, chance: float = POWER
) -> int | None:
    """How many samples find this difference with this chance; ``None`` if no number can be told."""
    if not spread.error > 0 or not difference or not spread.defined:
        return None
    share, size = spread.size / spread.samples, math.inf
    for _ in range(20):  # the more samples, the fewer standard errors do
        errors = _standard_errors(size * share, level, chance)
        error = spread.error * _times(spread.share, difference)
        before, size = size, spread.samples * (errors * error / difference) ** 2
        if abs(size - before) < 0.5:
            break
    return math.ceil(size - 1e-6)


def power(spread: Spread, difference: float, *, level: float = LEVEL) -> float:
    """The chance to find this difference; the chance to find its opposite counts as nothing."""
    if spread.error == 0:
        return math.nan
    freedom = max(1.0, min(spread.size, _MANY) - 1)
    least = student_quantile((1 + level) / 2, freedom)
    error = spread.error * _times(spread.share, difference)
    return student_tail(least - abs(difference) / error, freedom)
