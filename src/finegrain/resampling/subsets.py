"""Many overlapping subsets of the same items, each of which is compared with the others' noise.

Every item falls into at most one subset of each *grouping*: its length bucket, its label, its label
and length bucket, ... Items stand in *clusters* (documents, sentences); a *cell* is the part of a
subset that lies in one cluster.

>>> subsets = Subsets(np.array([[0, 0, 1], [2, -1, 2]], np.int32), 3)
>>> subsets.counts().tolist(), subsets.members(2).tolist()
([2, 1, 2], [True, False, True])
>>> cells = cells_of(subsets, np.array([0, 0, 1]))
>>> cells.subset.tolist(), cells.cluster.tolist(), cells.items.tolist()
([0, 1, 2, 2], [0, 1, 0, 1], [2.0, 1.0, 1.0, 1.0])
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray

Floats = NDArray[np.float64]
_MIX = np.uint64(0x9E3779B97F4A7C15)
_MARK = np.uint64(0xC2B2AE3D27D4EB4F)


@dataclass(frozen=True, slots=True, eq=False)
class Subsets:
    """``codes`` ``[grouping, item]``: the subset of each item, -1 for none; none is empty.

    The subsets of a grouping follow those of the grouping before it.
    """

    codes: NDArray[np.int32]
    size: int

    def counts(self) -> NDArray[np.int64]:
        """``[subset]`` how many items it has."""
        found = np.zeros(self.size + 1, np.int64)
        for codes in self.codes:
            found += np.bincount(codes + 1, minlength=self.size + 1)
        return found[1:]

    def members(self, subset: int) -> NDArray[np.bool_]:
        """``[item]`` whether it is in a subset."""
        inside = np.zeros(self.codes.shape[1], bool)
        for codes in self.codes:
            inside = codes == subset
            if inside.any():
                break
        return inside

    def apart(self) -> Iterator[tuple[slice, Subsets]]:
        """Grouping by grouping: which subsets it has, and these alone, counted from 0."""
        begin = 0
        for codes in self.codes:
            end = max(begin, int(codes.max(initial=-1)) + 1)
            if end > begin:
                own = np.where(codes < 0, -1, codes - begin).astype(np.int32)
                yield slice(begin, end), Subsets(own[None], end - begin)
            begin = end

    def take(self, items: IntArray) -> Subsets:
        """The same subsets of items in another order."""
        return Subsets(np.ascontiguousarray(self.codes[:, items]), self.size)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Cells in the order of subsets, then clusters.

    ``members`` are items, cell by cell; ``bounds`` ``[cell + 1]`` says where cells begin and end in
    them, ``starts`` ``[subset + 1]`` where subsets do among cells. ``subset``, ``cluster`` and
    ``items`` (how many) are ``[cell]``.
    """

    members: NDArray[np.int32]
    bounds: NDArray[np.int64]
    starts: NDArray[np.int64]
    subset: IntArray
    cluster: IntArray
    items: Floats

    def sums(self, values: Floats) -> Floats:
        """``[subset]`` sums of values of cells."""
        added: Floats = np.add.reduceat(values, self.starts[:-1])
        return added

    def weigh(self, weights: Floats) -> Floats:
        """``[cell]`` the sum of weights ``[item]``."""
        added: Floats = np.add.reduceat(weights[self.members], self.bounds[:-1])
        return added


def cells_of(subsets: Subsets, cluster: IntArray) -> Cells:
    """The cells of subsets in clusters, which are counted from 0."""
    size = max(1, int(cluster.max(initial=-1)) + 1)
    in_order = bool((np.diff(cluster) >= 0).all())
    members, keys, items = [], [], []
    for codes in subsets.codes:
        inside = np.flatnonzero(codes >= 0).astype(np.int32)
        inside = inside[_order(codes[inside], None if in_order else cluster[inside])]
        key = codes[inside] * np.int64(size) + cluster[inside]
        first = np.flatnonzero(np.diff(key, prepend=-1))
        members.append(inside)
        keys.append(key[first])
        items.append(np.diff(first, append=len(key)))
    subset, where = np.divmod(np.concatenate(keys), size)
    counts = np.concatenate(items)
    return Cells(
        np.concatenate(members),
        np.cumsum(np.append(0, counts)),
        np.searchsorted(subset, np.arange(subsets.size + 1)),
        subset,
        where,
        counts.astype(float),
    )


def _order(codes: IntArray, cluster: IntArray | None) -> IntArray:
    """Items by subset, then cluster; ``None``: they are in the order of clusters already."""
    if cluster is not None:
        return np.lexsort((cluster, codes))
    least, most = int(codes.min(initial=0)), int(codes.max(initial=0))
    narrow = np.uint16 if most - least < 1 << 16 else np.int64  # short numbers are sorted fast
    return np.argsort((codes - least).astype(narrow), kind="stable")


def _hashes(subsets: Subsets) -> NDArray[np.uint64]:
    """``[item]`` a number for the subsets that it is in."""
    width = len(subsets.codes)
    odd = np.random.default_rng(width).integers(0, 2**63, width, np.uint64) * np.uint64(2) + 1
    hashes = np.zeros(subsets.codes.shape[1], np.uint64)
    for codes, factor in zip(subsets.codes, odd, strict=True):
        hashes += (codes + 1).astype(np.uint64) * factor
    return hashes


def ranked(subsets: Subsets, marks: NDArray[np.integer], cluster: IntArray) -> IntArray:
    """``[cluster]`` a rank that depends on what is in a cluster, not on where it stands."""
    hashes = _hashes(subsets) + marks.astype(np.uint64) * _MARK
    hashes = (hashes ^ (hashes >> np.uint64(29))) * _MIX
    together = np.zeros(int(cluster.max(initial=-1)) + 1, np.uint64)
    np.add.at(together, cluster, hashes ^ (hashes >> np.uint64(32)))
    rank = np.empty(len(together), np.int64)
    rank[np.argsort(together, kind="stable")] = np.arange(len(together))
    return rank
