"""Where a value is largest and smallest among buckets, and who is best in a bucket.

>>> extremes(np.array([0.2, np.nan, 0.7, 0.7, 0.9]), np.array([1, 1, 1, 1, 0], bool))
Extremes(largest=2, smallest=0)

Of equal buckets the lowest is taken; what is undefined is passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Extremes(NamedTuple):
    """Places of the buckets with the largest and the smallest value; -1 where all are undefined."""

    largest: int
    smallest: int


def extremes(values: NDArray[np.float64], judged: NDArray[np.bool_]) -> Extremes:
    """The largest and the smallest of the values ``[bucket]`` that are judged and defined."""
    places = np.flatnonzero(judged & ~np.isnan(values))
    if not len(places):
        return Extremes(-1, -1)
    kept = values[places]
    return Extremes(int(places[kept.argmax()]), int(places[kept.argmin()]))


def best_other(scores: NDArray[np.float64], system: int, names: Sequence[str]) -> NDArray[np.int64]:
    """``[bucket]`` the best other system, the first name of equals; -1 where none has a score.

    ``scores`` ``[bucket, system]`` are such that more is better (``Scale.quality``).

    >>> best_other(np.array([[0.9, 0.7, 0.7], [0.9, np.nan, np.nan]]), 0, "cba").tolist()
    [2, -1]
    """
    by_name = np.array(sorted(range(len(names)), key=names.__getitem__))
    others = scores[:, by_name]
    others[:, by_name == system] = np.nan
    known = ~np.isnan(others).all(axis=1)
    best = by_name[np.where(np.isnan(others), -np.inf, others).argmax(axis=1)]
    return np.where(known, best, -1)
