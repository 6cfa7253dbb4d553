"""Many overlapping subsets of the same items, each of which is compared with the others' noise.

Every item falls into at most one subset of each *grouping*: its length bucket, its label, its label
and length bucket, ... Items stand in *clusters* (documents, sentences); a *cell* is the part of a
subset that lies in one cluster.

>>> subsets = Subsets(np.array([[0, 2], [0, -1], [1, 2]], np.int32), 3)
>>> subsets.counts().tolist(), subsets.members(2).tolist()
([2, 1, 2], [True, False, True])
>>> cells = cells_of(subsets, np.array([0, 0, 1]))
>>> cells.subset.tolist(), cells.cluster.tolist(), cells.items.tolist()
([0, 1, 2, 2], [0, 1, 0, 1], [2.0, 1.0, 1.0, 1.0])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray

Floats = NDArray[np.float64]
_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, eq=False)
class Subsets:
    """``codes`` ``[item, grouping]``: the subset of each item, -1 for none; none is empty."""

    codes: NDArray[np.int32]
    size: int

    def counts(self) -> NDArray[np.int64]:
        """``[subset]`` how many items it has."""
        return np.bincount(self.codes[self.codes >= 0], minlength=self.size).astype(np.int64)

    def members(self, subset: int) -> NDArray[np.bool_]:
        """``[item]`` whether it is in a subset."""
        inside: NDArray[np.bool_] = (self.codes == subset).any(axis=1)
        return inside


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Cells in the order of subsets, then clusters.

    ``of_item`` ``[item, grouping]``: the cell, or one past the last for none; ``subset``,
    ``cluster`` and ``items`` (how many) are ``[cell]``, ``starts`` ``[subset]``.
    """

    of_item: NDArray[np.int32]
    subset: IntArray
    cluster: IntArray
    items: Floats
    starts: IntArray

    def sums(self, values: Floats) -> Floats:
        """``[subset]`` sums of values of cells."""
        added: Floats = np.add.reduceat(values, self.starts)
        return added

    def count(self, items: IntArray) -> Floats:
        """``[cell]`` how many of the items lie in it."""
        size = len(self.subset)
        return np.bincount(self.of_item[items].ravel(), minlength=size + 1)[:size].astype(float)

    def weigh(self, weights: Floats) -> Floats:
        """``[cell]`` the sum of weights ``[item]``."""
        size, width = len(self.subset), self.of_item.shape[1]
        spread = np.repeat(weights, width)
        found = np.bincount(self.of_item.ravel(), spread, minlength=size + 1)[:size]
        return found.astype(np.float64)


def cells_of(subsets: Subsets, cluster: IntArray) -> Cells:
    """The cells of subsets in clusters, which are counted from 0."""
    size = int(cluster.max(initial=-1)) + 1
    inside = subsets.codes >= 0
    key = subsets.codes.astype(np.int64) * size + cluster[:, None]
    found, place, items = np.unique(key[inside], return_inverse=True, return_counts=True)
    of_item = np.full(subsets.codes.shape, len(found), np.int32)
    of_item[inside] = place.ravel()
    subset, where = np.divmod(found, max(1, size))
    starts = np.searchsorted(subset, np.arange(subsets.size))
    return Cells(of_item, subset, where, items.astype(float), starts)


class Arranged(NamedTuple):
    """An order of items that does not depend on the order of clusters, and new cluster codes."""

    order: IntArray
    cluster: IntArray


def arranged(subsets: Subsets, marks: NDArray[np.integer], cluster: IntArray) -> Arranged:
    """Items by cluster, clusters by what is in them; items that are alike are interchangeable."""
    width = subsets.codes.shape[1]
    odd = np.random.default_rng(width).integers(0, 2**63, width + 1, np.uint64) * np.uint64(2) + 1
    columns = np.column_stack([subsets.codes + 1, marks]).astype(np.uint64)
    hashes = (columns * odd).sum(axis=1, dtype=np.uint64)
    hashes = (hashes ^ (hashes >> np.uint64(29))) * _MIX
    _, codes = np.unique(cluster, return_inverse=True)
    together = np.zeros(int(codes.max(initial=-1)) + 1, np.uint64)
    np.add.at(together, codes, hashes ^ (hashes >> np.uint64(32)))
    rank = np.empty(len(together), np.int64)
    rank[np.argsort(together, kind="stable")] = np.arange(len(together))
    order = np.lexsort((hashes, rank[codes]))
    return Arranged(order, rank[codes][order])
