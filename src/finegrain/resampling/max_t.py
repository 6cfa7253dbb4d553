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

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
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
