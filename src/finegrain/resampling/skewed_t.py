r"""A t test of a difference that is skewed, from what each sample adds to it.

Where one of two systems errs in bunches and the other does not, their difference is skewed, and so
is Student's t. Hall (1992) takes the skewness out: with the difference d, its margin m, the
standard deviation :math:`\sigma` and the skewness :math:`\gamma` of what n samples add to it,

.. math:: S = \frac{d - m}{\sigma}, \qquad
   H = \sqrt n \left(S + \frac{\gamma}{3} S^2 + \frac{\gamma^2}{27} S^3 + \frac{\gamma}{6 n}\right)

which is read off Student's t with :math:`n_\text{eff} - 1` degrees of freedom. What samples add is
what the difference lacks without them (the delete-one jackknife).

>>> even = Added(difference=0.02, error=0.01, skewness=0.0, samples=50, effective=50.0)
>>> round(even.above(0.0), 4), round(even.above(0.03), 4)            # t = 2, t = -1
(0.0255, 0.8389)
>>> round(even._replace(skewness=2.0).above(0.0), 4)                 # H = 2.448
0.009
>>> round(even._replace(skewness=-2.0).above(0.0), 4)                # H = 1.599
0.0581
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from finegrain.metrics.metric import Score
from finegrain.resampling.jackknife import kish
from finegrain.resampling.paired import Paired
from finegrain.resampling.quantiles import student_tail


class Added(NamedTuple):
    """A difference, its standard error, and the skewness of what samples add to it.

    ``samples``: in how many something is counted; ``effective``: as many of equal size.
    """

    difference: float
    error: float
    skewness: float
    samples: int
    effective: float

    def above(self, margin: float) -> float:
        """p of the hypothesis that the difference is the margin or less: Hall's transformed t."""
        if not self.error > 0:
            return math.nan
        root = math.sqrt(self.samples)
        s, skew = (self.difference - margin) / (self.error * root), self.skewness
        hall = s + skew * s**2 / 3 + skew**2 * s**3 / 27 + skew / (6 * self.samples)
        return student_tail(root * hall, self.freedom)

    def below(self, margin: float) -> float:
        """p of the hypothesis that the difference is the margin or more."""
        found = self.above(margin)
        return found if math.isnan(found) else 1 - found

    def plainly_above(self, margin: float) -> float:
        """As ``above``, by Student's t itself."""
        if not self.error > 0:
            return math.nan
        return student_tail((self.difference - margin) / self.error, self.freedom)

    def mirrored(self) -> Added:
        """The same with the other system first."""
        return self._replace(difference=-self.difference, skewness=-self.skewness)

    @property
    def freedom(self) -> float:
        """Degrees of freedom."""
        return max(1.0, self.effective - 1)


def added(pair: Paired, score: Score) -> Added | None:
    """What samples add to the difference of a pair; ``None`` where they have no sums."""
    found = pair.without_each(score)
    if found is None:
        return None
    counts = np.where(found.sizes > 0, found.counts, 0)
    samples = int(counts.sum())
    difference = pair.difference(score)
    if samples < 2:
        return Added(difference, math.nan, 0.0, samples, float(samples))
    lacking = np.where(counts > 0, difference - found.differences, 0.0)
    lacking -= (counts @ lacking) / samples
    squares, cubes = (float(counts @ lacking**power) / samples for power in (2, 3))
    error = math.sqrt((samples - 1) * squares)
    skewness = cubes / squares**1.5 if squares > 0 else 0.0
    effective = float(kish(found.sizes, counts, np.array(float(samples))))
    return Added(difference, error, skewness, samples, effective)
