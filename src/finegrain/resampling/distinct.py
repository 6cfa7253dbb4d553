"""Samples with equal statistics are interchangeable: keep each vector once, with its count.

A bootstrap resample of n samples is then a multinomial draw over the distinct vectors. That is
exact, and there are far fewer of them than samples: most sentences have one of a few hundred
vectors of counts.

>>> found = distinct(np.array([[1.0, 2.0], [0.0, 1.0], [1.0, 2.0]]))
>>> found.vectors.tolist(), found.counts.tolist(), found.codes.tolist()
([[0.0, 1.0], [1.0, 2.0]], [1, 2], [1, 0, 1])

Vectors are sorted, so that nothing drawn from them depends on the order of the samples; columns
that hold one value everywhere (labels that only another system uses) do not change that order.

Graded units hardly ever have the same vector. Of more than 20,000 distinct vectors, samples are put
into 20,000 blocks at random, which are drawn in place of samples: their sums vary just as much.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.metrics.metric import Score
from finegrain.resampling.products import product

Vectors = NDArray[np.float64]
_PACKED = 62  # bits of a number that stands for a row
BLOCKS = 20_000  # more distinct vectors are pooled into so many blocks


@dataclass(frozen=True, slots=True, eq=False)
class Repeated:
    """Vectors ``[vector, ...]`` and ``[vector]`` how many samples have each: enough to draw."""

    vectors: Vectors
    counts: NDArray[np.int64]

    @property
    def n_samples(self) -> int:
        return int(self.counts.sum())

    @property
    def pooled(self) -> bool:
        """Whether blocks of samples are drawn, as there are too many distinct vectors."""
        return len(self.counts) > BLOCKS

    def total(self) -> Vectors:
        """The sum over all samples."""
        summed = product(self.counts.astype(float)[None], flattened(self.vectors))
        return summed.reshape(self.vectors.shape[1:])


@dataclass(frozen=True, slots=True, eq=False)
class Distinct(Repeated):
    """The distinct vectors, sorted, and ``[sample]`` which one a sample has."""

    codes: IntArray

    @classmethod
    def of(cls, vectors: Vectors, codes: IntArray) -> Distinct:
        return cls(vectors, np.bincount(codes, minlength=len(vectors)).astype(np.int64), codes)

    @property
    def size(self) -> int:
        """How many vectors there are."""
        return len(self.counts)

    def scores(self, score: Score) -> Vectors:
        """``[vector]`` the score of a sample that has it."""
        return score(self.vectors)

    def empty(self) -> NDArray[np.bool_]:
        """``[vector]`` whether nothing is counted."""
        return np.asarray(~flattened(self.vectors).any(axis=1))

    def telling(self, score: Score) -> NDArray[np.bool_]:
        """``[sample]`` whether it says anything about the score."""
        return ~np.isnan(self.scores(score))[self.codes]

    def key(self) -> tuple[list[float], bytes]:
        """What the system did, whatever it is called: its sums and its vectors."""
        return self.total().ravel().tolist(), self.vectors.tobytes()

    def together(self, others: Sequence[Distinct]) -> Distinct:
        """Systems on the same samples: vectors are ``[vector, system, ...]``."""
        return distinct(np.stack([one.vectors[one.codes] for one in (self, *others)], axis=1))


def said_of_pooling(several: Iterable[bool]) -> dict[str, str]:
    """What the signature says if some of the draws are of blocks."""
    return {"pooled": str(BLOCKS)} if any(several) else {}


def pooled(given: Repeated, *, seed: int) -> Repeated:
    """The samples in ``BLOCKS`` blocks of nearly the same size, and the sums of these.

    Which samples share a block is drawn and does not depend on their order.

    >>> many = distinct(np.arange(60_000.0)[:, None])
    >>> few = pooled(many, seed=1)
    >>> len(few.counts), bool(few.total() == many.total())
    (20000, True)
    """
    of_sample = np.repeat(np.arange(len(given.counts)), given.counts)
    block = np.empty(len(of_sample), np.int64)
    drawn = np.random.default_rng(seed).permutation(len(of_sample))
    block[drawn] = np.arange(len(of_sample)) % BLOCKS
    flat = flattened(given.vectors)
    sums = np.empty((BLOCKS, flat.shape[1]))
    for place, column in enumerate(flat.T):  # in the order of vectors, so that no digit moves
        sums[:, place] = np.bincount(block, column[of_sample], BLOCKS)
    vectors = sums.reshape(BLOCKS, *given.vectors.shape[1:])
    return Repeated(vectors, np.ones(BLOCKS, np.int64))


def flattened(values: Vectors) -> Vectors:
    """``[row, ...]`` as ``[row, number]``."""
    return values.reshape(len(values), math.prod(values.shape[1:]))


def distinct(statistics: Vectors) -> Distinct:
    """The distinct vectors of statistics ``[sample, ...]``."""
    flat = np.ascontiguousarray(flattened(statistics)) + 0.0  # -0.0 is 0.0
    packed = _packed(flat)
    if packed is None:
        first, codes = _alike(_keys(flat))
    else:
        _, first, codes = np.unique(packed, return_index=True, return_inverse=True)
    vectors = flat[first].reshape(len(first), *statistics.shape[1:])
    return Distinct.of(vectors, codes.astype(np.int32))


def _packed(flat: Vectors) -> IntArray | None:
    """``[row]`` whole numbers that sort as the rows do, if there are such numbers below 2^62.

    Of each column, those that are negative come last, the smaller ones later: as their bytes do.
    """
    if not flat.size or not (flat == np.rint(flat)).all():
        return None
    high, low = np.maximum(flat.max(axis=0), 0), np.minimum(flat.min(axis=0), 0)
    sizes = high - low + 1
    if np.log2(sizes).sum() > _PACKED:
        return None
    packed = np.zeros(len(flat), np.int64)
    for column in np.flatnonzero(sizes > 1).tolist():
        values = flat[:, column]
        codes = np.where(values < 0, high[column] - values, values) if low[column] else values
        packed = packed * int(sizes[column]) + codes.astype(np.int64)
    return packed


def _keys(flat: Vectors) -> NDArray[np.uint8]:
    """``[row, byte]`` whole words of bytes that sort as the rows do if no number is negative.

    Small whole numbers, as counts mostly are, take one or two bytes each, others their eight.
    """
    n_rows, width = flat.shape
    kind: np.dtype[Any] = np.dtype(">f8")
    if flat.size and flat.min() >= 0:
        for narrow in (np.dtype(">u1"), np.dtype(">u2")):
            if flat.max() < 256**narrow.itemsize and (flat == np.rint(flat)).all():
                kind = narrow
                break
    used = width * kind.itemsize
    keys = np.zeros((n_rows, -(-used // 8) * 8), np.uint8)
    keys[:, :used] = flat.astype(kind).view(np.uint8).reshape(n_rows, used)
    return keys


def _alike(keys: NDArray[np.uint8]) -> tuple[IntArray, IntArray]:
    """The first row of each kind, kinds in order, and ``[row]`` its kind."""
    if not keys.size:
        return np.zeros(min(len(keys), 1), np.int64), np.zeros(len(keys), np.int64)
    words = keys.view(np.uint64)
    width = words.shape[1]
    mixed = np.random.default_rng(width).integers(0, 2**63, width, np.uint64) * np.uint64(2) + 1
    # the low bits of counts as floats are zero: fold the high ones in before multiplying
    hashes = (words ^ (words >> np.uint64(32))) @ mixed
    hashes ^= hashes >> np.uint64(29)
    _, first, codes = np.unique(hashes, return_index=True, return_inverse=True)
    if not np.array_equal(words[first][codes], words):  # two vectors share a hash
        _, first, codes = np.unique(words, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(keys[first].view(f"V{keys.shape[1]}").ravel(), kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return first[order], rank[codes.ravel()]


def merged(parts: Sequence[Distinct]) -> Distinct:
    """The distinct vectors of samples that were counted part by part."""
    if len(parts) == 1:
        return parts[0]
    whole = distinct(np.concatenate([part.vectors for part in parts]))
    begins = np.cumsum([0, *(len(part.vectors) for part in parts)])
    codes = [
        whole.codes[begin + part.codes] for begin, part in zip(begins[:-1], parts, strict=True)
    ]
    return Distinct.of(whole.vectors, np.concatenate(codes))
