"""Random swaps: the two systems exchanged in each sample with probability 1/2.

Of m samples in which the systems differ by the same vector, Binomial(m, 1/2) are exchanged, which
is how many of m random bits are 1; that is exactly the distribution of going through samples one by
one. Samples in which they differ by a vector or by its opposite are interchangeable too.

>>> drawn = next(swaps(np.array([1, 8, 100]), resamples=4, seed=1))
>>> drawn.astype(int).tolist()
[[1, 4, 52], [0, 5, 53], [1, 6, 51], [0, 3, 58]]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.resampling.chances import draw, halves, random_bits
from finegrain.resampling.drawing import blocks_of

_CELLS = 1 << 20  # of weights in memory at once
_PAIR = 1 << 17  # the same of a pair
_LANE = 8  # samples whose swaps are the bits of one byte
_LANES = 8  # where there are more, to look the number up is faster


class Lanes(NamedTuple):
    """``[lane]`` the vector it belongs to, and how many of its samples.

    ``blocks`` are ``[resample, lane]``: in how many of them the systems are exchanged.
    """

    vector: NDArray[np.int64]
    counts: NDArray[np.int64]
    blocks: Iterator[NDArray[np.float32]]


def swap_lanes(
    counts: NDArray[np.int64], *, resamples: int, seed: int, cells: int = _PAIR
) -> Lanes:
    """Random swaps of vectors that so many samples have, in lanes."""
    vector, sizes = _lanes(counts)
    generator = np.random.default_rng(seed)
    drawn = (
        _halves(generator, sizes, size) for size in blocks_of(resamples, len(sizes), cells=cells)
    )
    return Lanes(vector, sizes, drawn)


def every_swap(counts: NDArray[np.int64]) -> Lanes:
    """All swaps that there are: 2^n of n samples."""
    vector = np.repeat(np.arange(len(counts)), counts)
    picks = np.arange(2 ** len(vector))[:, None] >> np.arange(len(vector))
    return Lanes(vector, np.ones(len(vector), np.int64), iter([(picks & 1).astype(np.float32)]))


def swaps(counts: NDArray[np.int64], *, resamples: int, seed: int) -> Iterator[NDArray[np.float32]]:
    """``[resample, vector]`` in how many of its samples each vector is swapped, block by block."""
    vector, sizes, blocks = swap_lanes(counts, resamples=resamples, seed=seed, cells=_CELLS)
    place = np.argsort(vector, kind="stable")
    starts = np.searchsorted(vector[place], np.arange(len(counts)))
    for drawn in blocks:
        alone = len(sizes) == len(counts)
        yield drawn if alone else np.add.reduceat(drawn[:, place], starts, axis=1)


def _lanes(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The samples of vectors in lanes of so few that a random byte is enough for each.

    Binomial(m + n, 1/2) is the sum of Binomial(m, 1/2) and Binomial(n, 1/2). Vectors of very many
    samples have one lane, and stand last.
    """
    order = np.argsort(counts > _LANES * _LANE, kind="stable")
    ordered = counts[order]
    lanes = np.where(ordered > _LANES * _LANE, 1, -(-ordered // _LANE))
    place = np.repeat(np.arange(len(lanes)), lanes)
    before = np.arange(len(place)) - np.repeat(np.cumsum(lanes) - lanes, lanes)
    left = ordered[place] - _LANE * before
    return order[place], np.where(lanes[place] > 1, np.minimum(left, _LANE), left)


def _halves(
    generator: np.random.Generator, counts: NDArray[np.int64], size: int
) -> NDArray[np.float32]:
    """``[size, lane]`` draws of Binomial(count, 1/2): how many of count random bits are 1."""
    drawn = np.empty((size, len(counts)), np.float32)
    few = int(np.count_nonzero(counts <= _LANE))
    bits = random_bits(generator, (size, few), np.dtype(np.uint8))
    bits &= ((1 << counts[:few]) - 1).astype(np.uint8)
    drawn[:, :few] = _ones(bits, most=int(counts[:few].max(initial=0)))
    for lane in range(few, len(counts)):
        drawn[:, lane] = draw(generator, halves(int(counts[lane])), (size, 1))[:, 0]
    return drawn


def _ones(bits: NDArray[np.uint8], *, most: int = _LANE) -> NDArray[np.uint8]:
    """How many bits are 1, by adding neighbours: single bits, then pairs and fours.

    Of bits of which the last ``most`` can be 1.

    >>> _ones(np.array([0, 1, 0b1011, 0xFF], np.uint8)).tolist()
    [0, 1, 3, 8]
    """
    for width, mask in ((1, 0x55), (2, 0x33), (4, 0x0F)):
        if most > width:
            bits = (bits & np.uint8(mask)) + ((bits >> np.uint8(width)) & np.uint8(mask))
    return bits
