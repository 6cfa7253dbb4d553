"""Resamples: weighted sums of distinct vectors, drawn in blocks.

A *bootstrap* resample draws n of n samples with replacement: the number of times each distinct
vector is drawn is multinomial. *Swapping* exchanges the two systems in each sample with probability
1/2: of m samples in which the systems differ by the same vector, Binomial(m, 1/2) are exchanged,
which is how many of m random bits are 1. Both have exactly the distribution of drawing samples one
by one.

>>> from finegrain.resampling.distinct import distinct
>>> hits = distinct(np.array([[1.0], [1.0], [0.0], [1.0]]))
>>> bootstrap(hits, resamples=5, seed=1).ravel().tolist()
[4.0, 2.0, 3.0, 4.0, 2.0]

Draws depend on the seed and the vectors, not on the order of samples or on other systems. Data sets
that are sampled apart (strata) would be drawn apart, each with its own seed, and their sums added.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.resampling.distinct import Pair, Repeated, Vectors, distinct, flattened
from finegrain.resampling.products import product

_CELLS = 1 << 20  # of weights in memory at once
_ALIKE = 3  # samples for each vector, from which on vectors are drawn
_SWAPPED = 1 << 17  # the same of swaps
_RARE = 10  # Poisson numbers of a smaller mean are drawn by inversion
_VALUES = 1 << 16  # of 16 random bits
_LANE = 8  # samples whose swaps are the bits of one byte
_LANES = 128  # where there are more, the binomial distribution is faster
_NUMBERS = 64  # with a mean of 10 there are larger ones once in 10^29 draws
EXACT = 1 << 24  # whole numbers up to here are exact in single precision


def bootstrap(given: Repeated, *, resamples: int, seed: int) -> Vectors:
    """``[resample, ...]`` sums of as many samples as there are, drawn with replacement."""
    order = np.argsort(given.counts, kind="stable")
    blocks = draws(given.counts[order], resamples=resamples, seed=seed)
    return _sums(blocks, given.vectors[order], total=float(given.counts.sum()))


def draws(counts: NDArray[np.int64], *, resamples: int, seed: int) -> Iterator[NDArray[np.float32]]:
    """``[resample, vector]`` how often each vector is drawn, a block of resamples at a time.

    ``counts`` in ascending order; all that draws depend on are counts and seed. Where few samples
    are alike, as with documents, they are drawn one by one: all systems and pairs then have the
    same draws, and the last ones are kept.
    """
    n_samples = int(counts.sum())
    if resamples * n_samples <= _CELLS and n_samples < _ALIKE * len(counts):
        alone = np.ones(n_samples, np.int64).tobytes()
        return (_added(block, counts) for block in _kept_draws(alone, resamples, seed))
    if resamples * len(counts) > _CELLS:
        return _drawn_anew(counts, resamples, seed)
    return iter(_kept_draws(counts.astype(np.int64).tobytes(), resamples, seed))


def _added(block: NDArray[np.float32], counts: NDArray[np.int64]) -> NDArray[np.float32]:
    """``[resample, vector]`` of draws ``[resample, sample]``; samples alike are neighbours."""
    single = int(np.searchsorted(counts, 2))
    if single == len(counts):
        return block
    begins = np.cumsum(counts[single:]) - counts[single:]
    alike = np.add.reduceat(block[:, single:], begins, axis=1)
    return np.concatenate([block[:, :single], alike], axis=1)


@lru_cache(maxsize=4)
def _kept_draws(counts: bytes, resamples: int, seed: int) -> list[NDArray[np.float32]]:
    blocks = list(_drawn_anew(np.frombuffer(counts, np.int64), resamples, seed))
    for block in blocks:
        block.setflags(write=False)
    return blocks


def _drawn_anew(
    counts: NDArray[np.int64], resamples: int, seed: int
) -> Iterator[NDArray[np.float32]]:
    generator = np.random.default_rng(seed)
    for size in _blocks(resamples, len(counts)):
        yield _multinomial(generator, counts, size)


def _blocks(resamples: int, width: int, *, cells: int = _CELLS) -> Iterator[int]:
    step = max(1, cells // max(1, width))
    for begin in range(0, resamples, step):
        yield min(step, resamples - begin)


def _multinomial(
    generator: np.random.Generator, counts: NDArray[np.int64], size: int
) -> NDArray[np.float32]:
    """``[size, vector]`` multinomial draws with probabilities ``counts / counts.sum()``.

    ``counts`` in ascending order. Poisson numbers with means in these proportions are multinomial
    once their sum is known, whatever it is. So where there are many vectors a little less than n
    is drawn by them, which is fast, and what is missing sample by sample.
    """
    n_samples = int(counts.sum())
    if 2 * len(counts) < math.sqrt(n_samples):
        return generator.multinomial(n_samples, counts / n_samples, size).astype(np.float32)
    weights, missing = _less(generator, counts, size)
    while (missing < 0).any():  # once in a thousand
        again = np.flatnonzero(missing < 0)
        weights[again], missing[again] = _less(generator, counts, len(again))
    of_sample = np.repeat(np.arange(len(counts)), counts)
    picked = of_sample[generator.integers(0, max(1, n_samples), int(missing.sum()))]
    places = np.repeat(np.arange(size) * len(counts), missing) + picked
    np.add.at(weights.reshape(-1), places, np.float32(1))
    return weights


def _less(
    generator: np.random.Generator, counts: NDArray[np.int64], size: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Poisson numbers that sum up to somewhat less than n, and ``[size]`` what is missing."""
    n_samples = int(counts.sum())
    weights = _poisson(generator, counts, size, share=_share(n_samples))
    sums = weights.sum(axis=1, dtype=np.float64).astype(np.int64)
    return weights, n_samples - sums


def _share(n_samples: int) -> float:
    """Of n, what Poisson numbers draw on average: three standard deviations less than n."""
    return max(0.0, 1 - 3 / math.sqrt(n_samples)) if n_samples else 0.0


def _poisson(
    generator: np.random.Generator, counts: NDArray[np.int64], size: int, *, share: float
) -> NDArray[np.float32]:
    """``[size, vector]`` Poisson numbers with means ``share * counts``."""
    drawn = np.zeros((size, len(counts)), np.float32)
    if not share:
        return drawn
    kinds, begins = np.unique(counts, return_index=True)
    rare = kinds < _RARE
    frequent = int(np.searchsorted(counts, _RARE))
    for count, begin, end in zip(
        kinds[rare].tolist(), begins[rare].tolist(), [*begins[1:].tolist(), len(counts)],
        strict=False,
    ):  # fmt: skip
        drawn[:, begin:end] = _inverted(generator, share * count, (size, end - begin))
    means = share * counts[frequent:]
    drawn[:, frequent:] = generator.poisson(means, (size, len(means)))
    return drawn


def _inverted(
    generator: np.random.Generator, mean: float, shape: tuple[int, int]
) -> NDArray[np.uint8]:
    """Poisson numbers of a mean below ``_RARE`` from 16 random bits each.

    Of the 65,536 values of the bits each number gets as many as its probability has whole ones;
    the few values that are left stand for what is left of the probabilities.
    """
    edges, rest = _edges(mean)
    bits = random_bits(generator, shape, np.dtype("<u2"))
    found = np.zeros(shape, np.uint8)
    for edge in edges:
        found += (bits >= edge).view(np.uint8)
    left = bits >= edges[-1]
    places = generator.random(int(np.count_nonzero(left))) * rest[-1]
    found[left] = np.searchsorted(rest, places, side="right")
    return found


@lru_cache(maxsize=64)
def _edges(mean: float) -> tuple[NDArray[np.uint16], NDArray[np.float64]]:
    """Where the values of each number end, and running sums of what is left of probabilities."""
    number = range(_NUMBERS)
    chances = np.array([math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in number])
    whole = np.floor(chances * _VALUES)
    return np.cumsum(whole[whole > 0]).astype(np.uint16), np.cumsum(chances * _VALUES - whole)


class Swapped(NamedTuple):
    """``[resample, ...]`` sums of the two systems after random swaps."""

    one: Vectors
    other: Vectors


def swap(pair: Pair, *, resamples: int, seed: int) -> Swapped:
    """Sums of two systems whose outputs were exchanged in each sample with probability 1/2.

    Samples in which they differ by a vector or by its opposite are interchangeable too, so the
    draws do not depend on which system is named first.
    """
    generator = np.random.default_rng(seed)
    parts = _differing(pair)
    vector, counts = _lanes(parts.counts)
    blocks = (
        _halves(generator, counts, size) for size in _blocks(resamples, len(counts), cells=_SWAPPED)
    )
    return _swapped(pair, _Differing(parts.least, parts.vectors[vector], counts), blocks)


def swaps(counts: NDArray[np.int64], *, resamples: int, seed: int) -> Iterator[NDArray[np.float32]]:
    """``[resample, vector]`` in how many of its samples each vector is swapped, block by block."""
    generator = np.random.default_rng(seed)
    vector, sizes = _lanes(counts)
    place = np.argsort(vector, kind="stable")
    starts = np.searchsorted(vector[place], np.arange(len(counts)))
    for size in _blocks(resamples, len(sizes)):
        drawn = _halves(generator, sizes, size)
        alone = len(sizes) == len(counts)
        yield drawn if alone else np.add.reduceat(drawn[:, place], starts, axis=1)


def every_swap(pair: Pair) -> Swapped:
    """The same for all exchanges that there are: 2^n, n being the samples that differ."""
    parts = _differing(pair)
    single = _Differing(
        parts.least,
        np.repeat(parts.vectors, parts.counts, axis=0),
        np.ones(parts.counts.sum(), int),
    )
    picks = np.arange(2 ** len(single.counts))[:, None] >> np.arange(len(single.counts))
    return _swapped(pair, single, iter([(picks & 1).astype(np.float32)]))


class _Differing(NamedTuple):
    """How two systems differ: by ``vectors``, each in ``counts`` samples and in either direction.

    ``least`` is the sum of what both have in every sample, so that each vector is added to one.
    """

    least: Vectors
    vectors: Vectors
    counts: NDArray[np.int64]


def _differing(pair: Pair) -> _Differing:
    vectors, counts = pair.joint.vectors, pair.joint.counts
    first, second = (flattened(vectors[:, side]) for side in (0, 1))
    sign = _leading_sign(second - first)[:, None]
    kinds = distinct(sign * (second - first))
    of_kind = np.bincount(kinds.codes, weights=counts, minlength=len(kinds.vectors))
    some = kinds.vectors.any(axis=1)
    least = product(counts.astype(float)[None], np.where(sign < 0, second, first))[0]
    return _Differing(least, kinds.vectors[some], of_kind[some].astype(np.int64))


def _swapped(pair: Pair, parts: _Differing, blocks: Iterator[NDArray[np.float32]]) -> Swapped:
    moved = _sums(blocks, parts.vectors, total=float(pair.joint.n_samples))
    every = product(parts.counts.astype(float)[None], parts.vectors)[0]
    shape = (len(moved), *pair.joint.vectors.shape[2:])
    sides = (parts.least + moved, parts.least + every - moved)
    return Swapped(*(side.reshape(shape) for side in sides))


def _leading_sign(rows: Vectors) -> NDArray[np.float64]:
    """``[row]`` the sign of the first number that is not 0."""
    if not rows.shape[1]:
        return np.zeros(len(rows))
    first = (rows != 0).argmax(axis=1)
    signs: NDArray[np.float64] = np.sign(rows[np.arange(len(rows)), first])
    return signs


class _Lanes(NamedTuple):
    """``[lane]`` the vector it belongs to, and how many of its samples."""

    vector: NDArray[np.int64]
    counts: NDArray[np.int64]


def _lanes(counts: NDArray[np.int64]) -> _Lanes:
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
    return _Lanes(order[place], np.where(lanes[place] > 1, np.minimum(left, _LANE), left))


def _halves(
    generator: np.random.Generator, counts: NDArray[np.int64], size: int
) -> NDArray[np.float32]:
    """``[size, lane]`` draws of Binomial(count, 1/2): how many of count random bits are 1."""
    drawn = np.empty((size, len(counts)), np.float32)
    few = int(np.count_nonzero(counts <= _LANE))
    masks = ((1 << counts[:few]) - 1).astype(np.uint8)
    drawn[:, :few] = _ones(random_bits(generator, (size, few), np.dtype(np.uint8)) & masks)
    drawn[:, few:] = generator.binomial(counts[few:], 0.5, (size, len(counts) - few))
    return drawn


def _ones(bits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """How many bits are 1, by adding neighbours: single bits, then pairs and fours.

    >>> _ones(np.array([0, 1, 0b1011, 0xFF], np.uint8)).tolist()
    [0, 1, 3, 8]
    """
    for width, mask in ((1, 0x55), (2, 0x33), (4, 0x0F)):
        bits = (bits & np.uint8(mask)) + ((bits >> np.uint8(width)) & np.uint8(mask))
    return bits


def random_bits(
    generator: np.random.Generator, shape: tuple[int, int], kind: np.dtype[Any]
) -> NDArray[Any]:
    """Random bits; the same on every machine, whatever the order of its bytes."""
    size = math.prod(shape)
    words = generator.integers(0, 2**64, -(-size * kind.itemsize // 8), np.uint64)
    return words.astype("<u8", copy=False).view(kind)[:size].reshape(shape)


def _sums(blocks: Iterator[NDArray[np.float32]], vectors: Vectors, *, total: float) -> Vectors:
    """``[resample, ...]`` weights times vectors.

    Only columns that are somewhere not 0 take part, so that other columns cannot change a digit;
    columns of whole numbers are multiplied in single precision where that is exact.
    """
    flat = flattened(vectors)
    largest = np.abs(flat).max(axis=0, initial=0)
    whole = (flat == np.rint(flat)).all(axis=0) & (total * largest < EXACT)
    exact = np.flatnonzero(whole & (largest > 0))
    other = np.flatnonzero(~whole)
    narrow, wide = flat[:, exact].astype(np.float32), flat[:, other]
    parts = []
    for weights in blocks:
        sums = np.zeros((len(weights), flat.shape[1]))
        sums[:, exact] = product(weights, narrow)
        if len(other):
            sums[:, other] = product(weights.astype(np.float64), wide)
        parts.append(sums)
    sums = np.concatenate(parts)
    return sums.reshape(len(sums), *vectors.shape[1:])
