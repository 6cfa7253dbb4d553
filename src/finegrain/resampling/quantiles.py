"""Normal and Student's t distribution without scipy, whose import costs more than most scores.

>>> round(student_quantile(0.975, 7), 4), round(normal_quantile(0.975), 4)
(2.3646, 1.96)
>>> round(student_tail(2.3646, 7), 4)
0.025
"""

from __future__ import annotations

import math
from functools import lru_cache

_SMALL = 1e-300
_STEPS = 400
_SERIES = 4  # degrees of freedom: with more, the series is close


def normal_quantile(probability: float) -> float:
    """The value that a standard normal variable stays below with this probability."""
    from statistics import NormalDist  # noqa: PLC0415 - only power asks for it

    return NormalDist().inv_cdf(probability)


def normal_tail(value: float) -> float:
    """The probability that a standard normal variable is above ``value``."""
    return 0.5 * math.erfc(value / math.sqrt(2))


def student_tail(value: float, freedom: float) -> float:
    """The probability that t with ``freedom`` degrees is above ``value``.

    Half the regularised incomplete beta function I(x; freedom / 2, 1 / 2) at
    x = freedom / (freedom + value^2) (Abramowitz and Stegun 1964, 26.7.1).
    """
    half = 0.5 * _incomplete_beta(freedom / (freedom + value * value), freedom / 2, 0.5)
    return half if value >= 0 else 1 - half


@lru_cache(maxsize=4096)
def student_quantile(probability: float, freedom: float) -> float:
    """The value that t with ``freedom`` degrees stays below with this probability.

    By Newton's method from the normal quantile, corrected for few degrees of freedom (Abramowitz
    and Stegun 1964, 26.7.5). Above 0 the tail is convex and falls, so that after the first step
    values rise towards the one that is sought; each step doubles the digits.
    """
    if probability < 0.5:
        return -student_quantile(1 - probability, freedom)
    front = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)
    front -= math.log(freedom * math.pi) / 2
    value = normal_quantile(probability)
    if freedom > _SERIES:
        value += (value**3 + value) / (4 * freedom)
    for _ in range(_STEPS):
        density = math.exp(front - (freedom + 1) / 2 * math.log1p(value * value / freedom))
        step = (student_tail(value, freedom) - (1 - probability)) / density
        value += step
        if abs(step) <= 1e-9 * value:
            break
    return value


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I(x; a, b)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast only below
        return 1 - _incomplete_beta(1 - x, b, a)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front += a * math.log(x) + b * math.log1p(-x)
    return math.exp(front) * _beta_fraction(x, a, b) / a


def _beta_fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of I (Abramowitz and Stegun 1964, 26.5.8) by Lentz's method."""
    top, bottom = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    value = bottom
    for step in range(1, _STEPS):
        even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
        for term in (even, odd):
            bottom = 1 / _away_from_zero(1 + term * bottom)
            top = _away_from_zero(1 + term / top)
            value *= top * bottom
        if abs(top * bottom - 1) < 1e-15:
            break
    return value


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _SMALL else _SMALL
