"""p of many tests at once: that of the largest statistic, step by step (Westfall and Young 1993).

All tests share the same resamples, so that what depends on each other is not corrected twice. The
largest observed statistic is compared with the largest of every resample, the second largest with
the largest of the others, and so on (step-down, algorithm 4.1 of the book).

>>> observed = np.array([1.0, 3.0])
>>> drawn = np.array([[0.5, 1.0], [2.0, 0.1], [0.3, 3.5]])
>>> step_down(observed, drawn).tolist()           # 1 of 3 maxima reaches 3; 1 of 3 reaches 1
[0.5, 0.5]
>>> critical(drawn, level=0.5)                    # of 1, 2 and 3.5
2.0
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Drawn = NDArray[np.float32]
_TIE = 1e-5  # statistics that should be equal; resamples are kept in single precision


def step_down(observed: Floats, drawn: Floats) -> NDArray[np.float64]:
    """Adjusted p of statistics ``[test]``, large ones being extreme.

    ``drawn`` is ``[resample, test]``; the data themselves count as one more resample.
    """
    order = np.argsort(-observed, kind="stable")
    extreme = np.zeros(len(order), np.int64)
    largest = np.full(len(drawn), -np.inf)
    for place in range(len(order) - 1, -1, -1):
        test = order[place]
        np.maximum(largest, drawn[:, test], out=largest)
        extreme[place] = np.count_nonzero(largest >= observed[test] - _TIE)
    p = np.empty(len(order))
    p[order] = np.maximum.accumulate((1 + extreme) / (1 + len(drawn)))
    return p


def critical(drawn: Floats, *, level: float) -> float:
    """What the largest statistic of the data exceeds with a chance of 1 - level."""
    return exceeded(drawn.max(axis=1, initial=-np.inf), level=level)


def exceeded(largest: Floats, *, level: float) -> float:
    """The same from the largest statistics ``[resample]``."""
    largest = np.sort(largest)
    place = math.ceil(level * (1 + len(largest)) - 1e-9) - 1
    return float(largest[place]) if place < len(largest) else math.inf


class Limits(NamedTuple):
    """What statistics ``[test]`` of a resample are at least and at most."""

    low: Floats
    high: Floats


class Observed(NamedTuple):
    """Tests by their statistics, the largest first, and ``[place]`` what reaches a statistic."""

    order: NDArray[np.int64]
    least: Floats

    @classmethod
    def of(cls, statistics: Floats) -> Observed:
        order = np.argsort(-statistics, kind="stable")
        return cls(order, statistics[order] - _TIE)


def settled(limits: Limits, observed: Observed, exact: Callable[[int], float]) -> Drawn:
    """Statistics of a resample, worked out where ``step_down`` and ``critical`` depend on them.

    A test is compared with the largest statistic among itself and the weaker ones. So ``exact`` is
    asked for statistics that may be this largest one, or the smallest of all, until limits tell
    how every comparison ends and what the largest and the smallest statistic are; others stay at
    their lower limits.

    >>> limits = Limits(np.array([0, 0, 0, -1]), np.array([4, 2, 1, 0]))
    >>> exact = [3.5, 0.25, 0.125, -0.5]
    >>> observed = Observed.of(np.array([3, 1.5, -1, -2]))
    >>> settled(limits, observed, exact.__getitem__).tolist()
    [3.5, 0.25, 0.0, -0.5]
    """
    order, least = observed
    low, high = (part.astype(np.float32)[order] for part in limits)
    while True:
        reached = np.maximum.accumulate(low[::-1])[::-1]
        possible = np.maximum.accumulate(high[::-1])[::-1]
        undecided = (reached < least) & (least <= possible)
        undecided[0] |= reached[0] < possible[0]
        first = int(undecided.argmax())
        if undecided[first]:
            place = first + int(high[first:].argmax())
        elif low.min() < high.min():
            place = int(low.argmin())
        else:
            break
        low[place] = high[place] = exact(int(order[place]))
    found = np.empty_like(low)
    found[order] = low
    return found
