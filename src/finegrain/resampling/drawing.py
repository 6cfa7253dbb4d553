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

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.resampling.distinct import Distinct, Pair, Vectors, distinct, flattened

_CELLS = 1 << 20  # of weights in memory at once
_RARE = 10  # a vector in fewer samples is cheaper to draw sample by sample
_EXACT = 1 << 24  # whole numbers up to here are exact in single precision


def bootstrap(given: Distinct, *, resamples: int, seed: int) -> Vectors:
    """``[resample, ...]`` sums of as many samples as there are, drawn with replacement."""
    generator = np.random.default_rng(seed)
    counts = given.counts
    blocks = (
        _multinomial(generator, counts, size) for size in _blocks(resamples, len(given.vectors))
    )
    return _sums(blocks, given.vectors, total=float(counts.sum()))


def _blocks(resamples: int, width: int) -> Iterator[int]:
    step = max(1, _CELLS // max(1, width))
    for begin in range(0, resamples, step):
        yield min(step, resamples - begin)


def _multinomial(
    generator: np.random.Generator, counts: NDArray[np.int64], size: int
) -> NDArray[np.float32]:
    """``[size, vector]`` multinomial draws with probabilities ``counts / counts.sum()``.

    Frequent vectors by their binomials; what falls on rare ones is drawn sample by sample.
    """
    n_samples = int(counts.sum())
    rare = np.flatnonzero(counts < _RARE)
    frequent = np.flatnonzero(counts >= _RARE)
    n_rare = int(counts[rare].sum())
    weights = np.empty((size, len(counts)), np.float32)
    shares = np.append(counts[frequent], n_rare) / max(1, n_samples)
    drawn = generator.multinomial(n_samples, shares, size=size)
    weights[:, frequent] = drawn[:, :-1]
    of_sample = np.repeat(np.arange(len(rare), dtype=np.int32), counts[rare])
    for row, times in zip(weights, drawn[:, -1].tolist(), strict=True):
        picked = generator.integers(0, max(1, n_rare), times, np.int32)
        if n_rare > len(rare):
            picked = of_sample[picked]
        row[rare] = np.bincount(picked, minlength=len(rare))
    return weights


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
    least = counts.astype(float) @ np.where(sign < 0, second, first)
    return _Differing(least, kinds.vectors[some], of_kind[some].astype(np.int64))


def _swapped(pair: Pair, parts: _Differing, blocks: Iterator[NDArray[np.float32]]) -> Swapped:
    moved = _sums(blocks, parts.vectors, total=float(pair.joint.n_samples))
    every = parts.counts @ parts.vectors
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
    whole = (flat == np.rint(flat)).all(axis=0) & (total * largest < _EXACT)
    exact = np.flatnonzero(whole & (largest > 0))
    other = np.flatnonzero(~whole)
    narrow, wide = flat[:, exact].astype(np.float32), flat[:, other]
    parts = []
    for weights in blocks:
        sums = np.zeros((len(weights), flat.shape[1]))
        sums[:, exact] = weights @ narrow
        if len(other):
            sums[:, other] = weights.astype(np.float64) @ wide
        parts.append(sums)
    sums = np.concatenate(parts)
    return sums.reshape(len(sums), *vectors.shape[1:])
