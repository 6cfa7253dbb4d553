"""Resamples: weighted sums of distinct vectors, drawn in blocks.

A *bootstrap* resample draws n of n samples with replacement: the number of times each distinct
vector is drawn is multinomial. *Swapping* exchanges the two systems in each sample with probability
1/2: of m samples in which the systems differ by the same vector, Binomial(m, 1/2) are exchanged.
Both have exactly the distribution of drawing samples one by one.

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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.resampling.distinct import Pair, Repeated, Vectors, distinct, flattened
from finegrain.resampling.products import product

_CELLS = 1 << 20  # of weights in memory at once
_RARE = 10  # Poisson numbers of a smaller mean are drawn by inversion
_VALUES = 1 << 16  # of 16 random bits
_NUMBERS = 64  # with a mean of 10 there are larger ones once in 10^29 draws
EXACT = 1 << 24  # whole numbers up to here are exact in single precision


def bootstrap(given: Repeated, *, resamples: int, seed: int) -> Vectors:
    """``[resample, ...]`` sums of as many samples as there are, drawn with replacement."""
    order = np.argsort(given.counts, kind="stable")
    blocks = draws(given.counts[order], resamples=resamples, seed=seed)
    return _sums(blocks, given.vectors[order], total=float(given.counts.sum()))


def draws(counts: NDArray[np.int64], *, resamples: int, seed: int) -> Iterator[NDArray[np.float32]]:
    """``[resample, vector]`` how often each vector is drawn, a block of resamples at a time.

    ``counts`` in ascending order.
    """
    generator = np.random.default_rng(seed)
    for size in _blocks(resamples, len(counts)):
        yield _multinomial(generator, counts, size)


def _blocks(resamples: int, width: int) -> Iterator[int]:
    step = max(1, _CELLS // max(1, width))
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
    size = math.prod(shape)
    bits = generator.integers(0, 2**64, -(-size // 4), np.uint64).astype("<u8").view("<u2")
    bits = bits[:size].reshape(shape)
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
    blocks = (
        _halves(generator, parts.counts, size) for size in _blocks(resamples, len(parts.counts))
    )
    return _swapped(pair, parts, blocks)


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


def _halves(
    generator: np.random.Generator, counts: NDArray[np.int64], size: int
) -> NDArray[np.float32]:
    """``[size, kind]`` draws of Binomial(count, 1/2)."""
    drawn = np.empty((size, len(counts)), np.float32)
    single = np.flatnonzero(counts == 1)
    several = np.flatnonzero(counts != 1)
    drawn[:, several] = generator.binomial(counts[several], 0.5, (size, len(several)))
    bits = generator.integers(0, 256, (size, (len(single) + 7) // 8), np.uint8)
    drawn[:, single] = np.unpackbits(bits, axis=1)[:, : len(single)]
    return drawn


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
