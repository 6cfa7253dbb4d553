"""Does a value rise or fall with another? Spearman's rank correlation, and when it is clear.

>>> found = trend(np.arange(50), np.arange(50) ** 2.0)
>>> found.spearman, found.direction
(1.0, 'rises')
>>> trend(np.array([1, 2, 3]), np.array([5.0, 5.0, 5.0])).direction is None    # undefined
True
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.result import number

_ORDERS = 8  # values whose orders are all gone through
CLEAR = 0.1  # a smaller correlation is not worth an arrow, however many units there are
CERTAIN = 2.576  # standard deviations from no correlation: 1 % if there were none


@dataclass(frozen=True, slots=True)
class Trend:
    """Spearman's correlation over ``n`` units; nan where one side has a single value."""

    spearman: float
    n: int

    @property
    def direction(self) -> Literal["rises", "falls"] | None:
        """Where a clear trend goes: at least ``CLEAR``, and beyond chance."""
        if math.isnan(self.spearman) or round(abs(self.spearman), 2) < CLEAR:  # as printed
            return None
        if abs(self.spearman) * math.sqrt(self.n - 1) < CERTAIN:
            return None
        return "rises" if self.spearman > 0 else "falls"

    def __str__(self) -> str:
        """The correlation with an arrow where the trend is clear."""
        if math.isnan(self.spearman):
            return "n/a"
        arrow = {"rises": " ↑", "falls": " ↓", None: "  "}[self.direction]
        return f"{self.spearman:+z.2f}{arrow}"

    def to_json(self) -> dict[str, Any]:
        return {"spearman": number(self.spearman), "direction": self.direction}


def trend(one: NDArray[Any], other: NDArray[Any]) -> Trend:
    """How two columns ``[unit]`` go together; units that lack a value are left out."""
    known = ~(np.isnan(one) | np.isnan(other))
    n = int(known.sum())
    # ranks run from 1 to n, so their mean is (n + 1) / 2
    first, second = (_ranks(values[known]) - (n + 1) / 2 for values in (one, other))
    spread = math.sqrt(_inner(first, first) * _inner(second, second))
    if spread == 0:
        return Trend(math.nan, n)
    return Trend(max(-1.0, min(1.0, _inner(first, second) / spread)), n)


@lru_cache(maxsize=64)
def size_without_trend(n: int) -> float:
    """The mean size of the correlation of n values whose orders have nothing to do with each other.

    Over all orders up to eight values; of more, that of a normal with variance 1 / (n - 1).

    >>> [round(size_without_trend(n), 2) for n in (2, 3, 4, 5, 9)]
    [1.0, 0.67, 0.5, 0.42, 0.28]
    """
    if n < 2:
        return math.nan
    if n > _ORDERS:
        return math.sqrt(2 / (math.pi * (n - 1)))
    orders = np.array(list(permutations(range(n)))) - (n - 1) / 2
    sizes = np.abs(orders @ (np.arange(n) - (n - 1) / 2)) / (n * (n * n - 1) / 12)
    return float(sizes.mean())


def _inner(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """The inner product; ``@`` would divide it among threads that wait for each other."""
    return float((first * second).sum())


def _ranks(values: NDArray[Any]) -> NDArray[np.float64]:
    """Ranks from 1; equal values share the mean of theirs.

    >>> _ranks(np.array([30, 10, 30, 20])).tolist()
    [3.5, 1.0, 3.5, 2.0]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    mean = np.cumsum(counts) - (counts - 1) / 2
    ranks: NDArray[np.float64] = mean[place]
    return ranks
