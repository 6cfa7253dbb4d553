r"""Means over data sets: each is drawn from within itself, and their variances are added.

Data sets are fixed strata, not samples of something larger: with K of them

.. math::
    \bar\theta = \frac{1}{K} \sum_j \theta_j, \qquad
    \operatorname{Var} \bar\theta = \frac{1}{K^2} \sum_j \operatorname{Var} \theta_j

with the degrees of freedom of Satterthwaite. What the interval tells is how the mean over *these*
data sets would move with other texts (and other seeds); whether a system is better on data sets in
general is what ranks over data sets are asked.

>>> from finegrain.resampling.runs import Variance
>>> found = over_strata([0.8, 0.6], [[Variance(0.0004, 99)], [Variance(0.0012, 99)]])
>>> round(found.value, 2), round(found.low, 3), round(found.high, 3)    # 0.7 -+ 1.98 * 0.02
(0.7, 0.66, 0.74)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from finegrain.resampling.intervals import LEVEL
from finegrain.resampling.runs import Variance, half_width, p_of


class Stratified(NamedTuple):
    """A mean over data sets with its interval, and the p of a difference; nan where undefined."""

    value: float
    low: float
    high: float
    p: float


def over_strata(
    values: Sequence[float], parts: Sequence[Sequence[Variance]], *, level: float = LEVEL
) -> Stratified:
    """The mean of ``[data set]`` values whose variances have these parts."""
    size = len(values)
    shares = [Variance(value / size**2, freedom) for of_one in parts for value, freedom in of_one]
    mean = sum(values) / size
    half = half_width(shares, level)
    return Stratified(mean, mean - half, mean + half, p_of(mean, shares))
