"""Bootstrap resamples: weighted sums of distinct vectors, drawn in blocks.

A resample draws n of n samples with replacement: the number of times each distinct vector is drawn
is multinomial, which is exactly the distribution of drawing samples one by one.

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

import numpy as np
from numpy.typing import NDArray

from finegrain.resampling.chances import draw, poisson
from finegrain.resampling.distinct import Repeated, Vectors, flattened, pooled
from finegrain.resampling.products import product
from finegrain.resampling.weighted import Observed

_CELLS = 1 << 20  # of weights in memory at once
_SHARED = 1 << 22  # of weights that all systems share
_COMPACT = 1 << 25  # of weights that are kept as bytes for systems with the same counts
_ALIKE = 3  # samples for each vector, from which on few samples are drawn as vectors
_PICKED = 1 << 15  # samples that are picked one by one at once
_RARE = 10  # Poisson numbers of a smaller mean are looked up
EXACT = 1 << 22  # quarters up to here are exact in single precision


def bootstrap(given: Repeated, *, resamples: int, seed: int) -> Vectors:
    """``[resample, ...]`` sums of as many samples as there are, drawn with replacement."""
    if isinstance(given, Observed):
        return _rows_drawn(given, resamples, seed)
    given = pooled(given, seed=seed) if given.pooled else given
    order = np.argsort(given.counts, kind="stable")
    blocks = draws(given.counts[order], resamples=resamples, seed=seed)
    return sums_of(blocks, given.vectors[order], total=float(given.counts.sum()))


def _rows_drawn(given: Observed, resamples: int, seed: int) -> Vectors:
    """What does not add up: rows, and weights that are drawn when they are needed."""
    order = np.argsort(given.counts, kind="stable")
    back = np.argsort(order)
    further = [
        np.concatenate(list(_drawn_anew(np.ones(size, np.int64), resamples, (seed, place))))
        for place, size in enumerate(given.sizes, 1)
    ]

    def blocks() -> Iterator[NDArray[np.float32]]:
        for block in draws(given.counts[order], resamples=resamples, seed=seed):
            yield block[:, back]

    found: Vectors = given.drawn(blocks, resamples, further)
    return found


def draws(counts: NDArray[np.int64], *, resamples: int, seed: int) -> Iterator[NDArray[np.float32]]:
    """``[resample, vector]`` how often each vector is drawn, a block of resamples at a time.

    ``counts`` in ascending order; all that draws depend on are counts and seed. Some thousand
    samples are drawn one by one: all systems and pairs then have the same draws, which are kept.
    Fewer samples that are mostly alike, and more than that, are drawn as vectors.
    """
    n_samples = int(counts.sum())
    cells = resamples * n_samples
    if cells <= _SHARED and (cells > _CELLS or n_samples < _ALIKE * len(counts)):
        running = _running_draws(n_samples, resamples, seed)[np.append(0, np.cumsum(counts))]
        return iter([np.diff(running, axis=0).astype(np.float32).T])
    cells = resamples * len(counts)
    if cells > _COMPACT:
        return _drawn_anew(counts, resamples, seed)
    known = counts.astype(np.int64).tobytes(), resamples, seed
    if cells > _CELLS:
        return (block.astype(np.float32) for block in _compact_draws(*known))
    return iter(_kept_draws(*known))


@lru_cache(maxsize=2)
def _running_draws(n_samples: int, resamples: int, seed: int) -> NDArray[np.unsignedinteger]:
    """``[sample + 1, resample]`` how often the samples before one are drawn, all together."""
    kind = np.uint16 if n_samples < 1 << 16 else np.uint32
    running = np.zeros((n_samples + 1, resamples), kind)
    begin = 0
    for block in _drawn_anew(np.ones(n_samples, np.int64), resamples, seed):
        running[1:, begin : begin + len(block)] = block.T
        begin += len(block)
    np.cumsum(running, axis=0, dtype=kind, out=running)
    running.setflags(write=False)
    return running


@lru_cache(maxsize=1)
def _compact_draws(
    counts: bytes, resamples: int, seed: int
) -> list[NDArray[np.uint8] | NDArray[np.float32]]:
    """Many draws, which cost more than what is done with them; bytes where these can hold them."""
    blocks = _drawn_anew(np.frombuffer(counts, np.int64), resamples, seed)
    return [block.astype(np.uint8) if block.max(initial=0) < 256 else block for block in blocks]


@lru_cache(maxsize=4)
def _kept_draws(counts: bytes, resamples: int, seed: int) -> list[NDArray[np.float32]]:
    blocks = list(_drawn_anew(np.frombuffer(counts, np.int64), resamples, seed))
    for block in blocks:
        block.setflags(write=False)
    return blocks


def _drawn_anew(
    counts: NDArray[np.int64], resamples: int, seed: int | tuple[int, ...]
) -> Iterator[NDArray[np.float32]]:
    generator = np.random.default_rng(seed)
    for size in blocks_of(resamples, len(counts)):
        yield _multinomial(generator, counts, size)


def blocks_of(resamples: int, width: int, *, cells: int = _CELLS) -> Iterator[int]:
    """How many resamples are drawn at once, so that so many cells are in memory."""
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
    step = max(1, _PICKED // max(1, int(missing.max(initial=0))))
    for begin in range(
        0, size, step
    ):  # some resamples at a time: what is picked stays in the cache
        block, less = weights[begin : begin + step], missing[begin : begin + step]
        picked = of_sample[generator.integers(0, max(1, n_samples), int(less.sum()))]
        picked += np.repeat(np.arange(len(block)) * len(counts), less)
        np.add.at(block.reshape(-1), picked, np.float32(1))
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
        drawn[:, begin:end] = draw(generator, poisson(share * count), (size, end - begin))
    means = share * counts[frequent:]
    drawn[:, frequent:] = generator.poisson(means, (size, len(means)))
    return drawn


def in_quarters(numbers: Vectors) -> NDArray[np.bool_]:
    """Whether numbers are whole, halves or quarters, in which scores weigh errors."""
    return np.asarray(4 * numbers == np.rint(4 * numbers))


def sums_of(blocks: Iterator[NDArray[np.float32]], vectors: Vectors, *, total: float) -> Vectors:
    """``[resample, ...]`` weights times vectors.

    Only columns that are somewhere not 0 take part, so that other columns cannot change a digit;
    columns of whole numbers and quarters are multiplied in single precision where that is exact.
    Each column of the sums is in one piece of memory, as scores take them one by one.
    """
    flat = flattened(vectors)
    largest = np.abs(flat).max(axis=0, initial=0)
    whole = in_quarters(flat).all(axis=0) & (total * largest < EXACT)
    exact = np.flatnonzero(whole & (largest > 0))
    other = np.flatnonzero(~whole)
    narrow, wide = flat[:, exact].astype(np.float32), flat[:, other]
    found = []
    for weights in blocks:
        sums = np.zeros((len(weights), flat.shape[1]), order="F")
        sums[:, exact] = product(weights, narrow)
        if len(other):
            sums[:, other] = product(weights.astype(np.float64), wide)
        found.append(sums)
    sums = np.concatenate(found)
    return sums.reshape(len(sums), *vectors.shape[1:])
