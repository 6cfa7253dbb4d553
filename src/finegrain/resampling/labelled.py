"""Counts by label of distinct samples, where a sample has few of many labels.

Samples are told apart and sorted by the same rule as whole vectors (``distinct``), so that what is
drawn of them is the same, and so are all digits as long as counts are whole numbers.

>>> from finegrain.metrics.label_counts import f1, macro          # of TP, FP, FN, gold, predicted
>>> cells = Cells(np.array([0, 1, 1]), np.array([7, 7, 9]),
...               np.array([[1.0, 0, 0, 1, 1], [1, 0, 1, 2, 1], [0, 1, 0, 0, 1]]))
>>> given = distinct_cells(cells, Size(samples=2, labels=10))
>>> given.counts.tolist(), given.label.tolist(), given.total()[7].tolist()
([1, 1], [7, 7, 9], [2.0, 0.0, 1.0, 3.0, 2.0])
>>> given.scores(macro(f1)).round(2).tolist()                     # of 1, and of 2/3 and 0
[1.0, 0.33]
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.metrics.label_counts import over_labels
from finegrain.metrics.label_statistics import Cells
from finegrain.metrics.metric import Score
from finegrain.resampling.distinct import flattened

Floats = NDArray[np.float64]
_FEW_CELLS = 4  # of a sample, up to which numbers are packed
_RANKED_BY_TABLE = 1 << 20  # numbers below this are looked up, others sorted


class Size(NamedTuple):
    """How many samples and labels there are, with those that have no cell."""

    samples: int
    labels: int


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Distinct samples of a system, sorted: ``counts`` ``[vector]`` says how many are alike.

    ``vector``, ``label`` and ``values`` ``[cell, ...]`` are the counts that are not 0, in the order
    of labels; ``codes`` ``[sample]`` says which vector a sample has.
    """

    counts: NDArray[np.int64]
    vector: IntArray
    label: IntArray
    values: Floats
    n_labels: int
    codes: IntArray

    @property
    def n_samples(self) -> int:
        return int(self.counts.sum())

    @property
    def size(self) -> int:
        """How many vectors there are."""
        return len(self.counts)

    def total(self) -> Floats:
        """``[label, ...]`` the sum over all samples."""
        weights = self.counts[self.vector].reshape(-1, *(1 for _ in self.values.shape[1:]))
        return added(self.values * weights, self.label, self.n_labels)

    def scores(self, score: Score) -> Floats:
        """``[vector]`` the score of a sample that has it."""
        over = over_labels(score)
        return over.finish(added(over.summed(self.values[:, None]), self.vector, self.size))

    def empty(self) -> NDArray[np.bool_]:
        """``[vector]`` whether nothing is counted."""
        return np.asarray(np.bincount(self.vector, minlength=self.size) == 0)

    def telling(self, score: Score) -> NDArray[np.bool_]:
        """``[sample]`` whether it says anything about the score."""
        return ~np.isnan(self.scores(score))[self.codes]

    def key(self) -> tuple[list[float], bytes]:
        """What the system did, whatever it is called: its sums and its vectors."""
        order = np.lexsort((self.label, self.vector))
        columns = (self.vector, self.label, self.values)
        return self.total().ravel().tolist(), b"".join(one[order].tobytes() for one in columns)

    def mapped(self, linear: Score | None) -> Labelled:
        """The same with a linear map of the counts."""
        return self if linear is None else replace(self, values=linear(self.values))

    def at(self, vectors: IntArray, counts: NDArray[np.int64]) -> Labelled:
        """Some vectors, in this order and so many of each; nothing is known of their samples."""
        order = np.argsort(self.vector, kind="stable")
        sizes = np.bincount(self.vector, minlength=self.size)
        cells = order[ranges((np.cumsum(sizes) - sizes)[vectors], sizes[vectors])]
        vector = np.repeat(np.arange(len(vectors)), sizes[vectors])
        by_label = np.argsort(self.label[cells], kind="stable")
        cells, vector = cells[by_label], vector[by_label]
        codes = np.zeros(0, np.int64)
        return Labelled(counts, vector, self.label[cells], self.values[cells], self.n_labels, codes)

    def samples(self, which: NDArray[np.bool_]) -> Floats:
        """``[label]`` how many samples have such cells ``[cell]`` of it."""
        weights = (self.counts[self.vector] * which).astype(float)
        return added(weights, self.label, self.n_labels)


def ranges(starts: IntArray, sizes: IntArray) -> IntArray:
    """So many numbers from each start on.

    >>> ranges(np.array([7, 2]), np.array([2, 3])).tolist()
    [7, 8, 2, 3, 4]
    """
    skipped = starts - (np.cumsum(sizes) - sizes)
    found: IntArray = np.arange(sizes.sum()) + np.repeat(skipped, sizes)
    return found


def added(values: Floats, codes: IntArray, size: int) -> Floats:
    """``[code, ...]`` the sums of values ``[cell, ...]``."""
    flat = flattened(values)
    found = np.zeros((size, flat.shape[1]))
    for column in range(flat.shape[1]):
        found[:, column] = np.bincount(codes, flat[:, column], size)
    return found.reshape(size, *values.shape[1:])


def distinct_cells(cells: Cells, size: Size) -> Labelled:
    """Samples that count the same are alike, and stand in the order that ``distinct`` has."""
    codes, number = _codes(cells, size)
    first = np.empty(number, np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    kept = np.flatnonzero(first[codes[cells.sample]] == cells.sample)
    kept = kept[np.argsort(cells.label[kept], kind="stable")]
    counts = np.bincount(codes, minlength=number)
    vector = codes[cells.sample[kept]]
    label, values = cells.label[kept], cells.counts[kept]
    return Labelled(counts, vector, label, values, size.labels, codes)


def _codes(cells: Cells, size: Size) -> tuple[IntArray, int]:
    """``[sample]`` codes of what samples count, in the order of ``_rows``, and how many there are.

    Of samples with few cells of small whole numbers, as items are, they are numbers that are packed
    and ranked; of others, bytes.
    """
    bounds = np.searchsorted(cells.sample, np.arange(size.samples + 1))
    most = int(np.diff(bounds).max(initial=0))
    packed = _packed(cells, size) if most <= _FEW_CELLS else None
    if packed is None:
        rows = _rows(cells, bounds)
        rank = {row: place for place, row in enumerate(sorted(set(rows)))}
        return np.fromiter(map(rank.__getitem__, rows), np.int64, len(rows)), len(rank)
    cell, number = ranked(packed)
    found: IntArray = np.zeros(size.samples, np.int64)
    distinct = 1
    for place in range(most):
        at = bounds[:-1] + place
        there = at < bounds[1:]
        following = np.where(there, cell[np.minimum(at, len(cell) - 1)] + 1, 0)
        found, distinct = ranked(found * (number + 1) + following)
    return found, distinct


def _packed(cells: Cells, size: Size) -> IntArray | None:
    """``[cell]`` label and counts as one number, ordered as ``_rows``; ``None`` if too large."""
    flat = flattened(cells.counts)
    if not flat.size or flat.min() < 0 or flat.max() >= 256 or (flat != np.rint(flat)).any():
        return None
    bases = flat.max(axis=0).astype(np.int64) + 1
    if math.prod(bases.tolist()) * size.labels >= 2**62:
        return None
    found = size.labels - 1 - cells.label.astype(np.int64)
    for column, base in enumerate(bases.tolist()):
        found = found * base + flat[:, column].astype(np.int64)
    return found


def ranked(numbers: IntArray) -> tuple[IntArray, int]:
    """Whole numbers from 0 on by their rank among those that occur, and how many do.

    >>> codes, distinct = ranked(np.array([7, 2, 7, 9]))
    >>> codes.tolist(), distinct
    ([1, 0, 1, 2], 3)
    """
    largest = int(numbers.max(initial=0))
    if largest >= max(_RANKED_BY_TABLE, 4 * len(numbers)):
        names, codes = np.unique(numbers, return_inverse=True)
        return codes, len(names)
    rank = np.zeros(largest + 1, np.int32)
    rank[numbers] = 1
    np.cumsum(rank, out=rank)
    return rank[numbers].astype(np.int64) - 1, int(rank[-1])


def _rows(cells: Cells, bounds: IntArray) -> list[bytes]:
    """``[sample]`` its cells as bytes, which sort as its counts of all labels would.

    Of two samples the one that has a label before all labels in which they differ comes later:
    there the other has 0. So labels count backwards.
    """
    flat = flattened(cells.counts) + 0.0  # -0.0 is 0.0
    small = flat.size and flat.min() >= 0 and flat.max() < 256 and (flat == np.rint(flat)).all()
    values = flat.astype(">u1" if small else ">f8").view(np.uint8)
    values = values.reshape(len(flat), flat.shape[1] * (1 if small else 8))
    label = (
        (2**32 - 1 - cells.label.astype(np.int64))
        .astype(">u4")
        .view(np.uint8)
        .reshape(len(flat), 4)
    )
    table = np.concatenate([label, values], axis=1)
    held = table.tobytes()
    ends = (bounds * table.shape[1]).tolist()
    return [held[begin:end] for begin, end in pairwise(ends)]
