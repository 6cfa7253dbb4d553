"""The units that stand behind buckets: those in them, or those that have tokens in them.

>>> of_tokens = TokensOf(np.array([0, 0, 1]), np.array([0, 1, 1]))  # two units share a token
>>> found = holding(of_tokens, np.array([2, 0]), 3, np.array([[True, False], [False, False]]))
>>> found.masks.tolist()  # the first unit has tokens in buckets 2 and 0, the second in 0
[5, 1]
>>> found.counts.T.tolist()  # of units that are True in a column
[[1, 0, 1], [0, 0, 0]]

Attributes of tokens put a span into several buckets, so its buckets are the bits of a number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.entity_tokens import TokensOf
from finegrain.corpus import IntArray

MOST = 53  # buckets: numbers of scripts have so many bits


class BucketUnits(NamedTuple):
    """How many units of the table there are behind a bucket.

    ``gold`` ``[bucket]``; ``wrong``, gold or not, ``[bucket, system]``; ``masks`` ``[unit]``, bit b
    for bucket b, where units have tokens in buckets, else ``None``. ``graded``: units are neither
    right nor wrong.
    """

    systems: tuple[str, ...]
    gold: IntArray
    wrong: IntArray
    masks: IntArray | None = None
    graded: bool = False


class Holding(NamedTuple):
    """``masks`` ``[unit]``, bit b for bucket b, and ``counts`` ``[bucket, column]`` of units."""

    masks: IntArray
    counts: IntArray


def holding(tokens: TokensOf, codes: IntArray, buckets: int, columns: NDArray[np.bool_]) -> Holding:
    """The units with a token in every bucket, counted where columns ``[unit, column]`` are True.

    ``codes`` ``[token]`` are buckets.
    """
    pairs = np.unique(tokens.unit.astype(np.int64) * buckets + codes[tokens.token])
    unit, bucket = pairs // buckets, pairs % buckets
    masks = np.zeros(len(columns), np.int64)
    np.add.at(masks, unit, np.int64(1) << bucket)  # a unit has every bucket once
    counts = [np.bincount(bucket[column[unit]], minlength=buckets) for column in columns.T]
    return Holding(masks, np.array(counts, np.int64).reshape(len(counts), buckets).T)
