r"""Exact intervals and tests of proportions, for counts of cases that were drawn one by one.

The interval is that of Clopper and Pearson (1934), which has ends for 0 of n, too:

.. math:: P(X \ge k \mid p_\text{low}) = \alpha/2, \quad P(X \le k \mid p_\text{high}) = \alpha/2

>>> low, high = exact_interval(0, 50)
>>> low, round(high, 4)
(0.0, 0.0711)
>>> [round(end, 4) for end in exact_interval(3, 10)]
[0.0667, 0.6525]

``enriched`` is Fisher's exact test, one-sided: the chance that a group of n out of N has k or more
of the K failures that there are, were they spread by chance.

>>> round(enriched(3, 3, 3, 10), 4)                    # 1 / (10 choose 3)
0.0083
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from finegrain.resampling.intervals import LEVEL

_STEPS = 60  # halvings: as exact as floats are


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _at_most(k: int, n: int, p: float) -> float:
    """The probability of k or fewer of n."""
    if p <= 0 or k >= n:
        return 1.0
    if p >= 1:
        return 0.0
    logs = (_log_choose(n, x) + x * math.log(p) + (n - x) * math.log1p(-p) for x in range(k + 1))
    return min(1.0, math.fsum(math.exp(one) for one in logs))


@lru_cache(maxsize=4096)
def exact_interval(k: int, n: int, *, level: float = LEVEL) -> tuple[float, float]:
    """The interval of a proportion of k out of n; nan without any."""
    if not n:
        return math.nan, math.nan
    half = (1 - level) / 2
    low = 0.0 if k == 0 else _root(lambda p: 1 - _at_most(k - 1, n, p) < half)
    high = 1.0 if k == n else _root(lambda p: _at_most(k, n, p) > half)
    return low, high


def _root(below: Callable[[float], bool]) -> float:
    """Where a condition that holds for small p ends."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if below(middle):
            low = middle
        else:
            high = middle
    return (low + high) / 2


def enriched(k: int, n: int, failures: int, total: int) -> float:
    """The chance of k or more of the failures in a group of n, by the hypergeometric law."""
    whole = _log_choose(total, failures)
    most = min(n, failures)
    logs = (
        _log_choose(n, x) + _log_choose(total - n, failures - x) - whole
        for x in range(k, most + 1)
        if failures - x <= total - n
    )
    return min(1.0, math.fsum(math.exp(one) for one in logs))
