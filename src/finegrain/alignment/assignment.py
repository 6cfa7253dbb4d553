"""Pairs of two sides so that their gain is largest and nothing is taken twice.

>>> left, right = np.array([0, 0, 1]), np.array([0, 1, 0])
>>> best_pairs(left, right, np.array([2.0, 1.5, 1.0]), np.zeros(3, int)).tolist()
[False, True, True]

Only pairs that gain something are given, so the problem is sparse; pairs without a rival need no
search, and groups that have nothing to do with each other are settled apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray

_TOGETHER = (
    512  # pairs of small groups settled in one call, which itself costs as much as many pairs
)


def best_pairs(
    one: IntArray, other: IntArray, gain: NDArray[np.float64], group: IntArray
) -> NDArray[np.bool_]:
    """``[cell]`` which pairs to take so that their gain is largest and nothing is taken twice.

    Pairs of different groups have nothing to do with each other.
    """
    taken = np.zeros(len(gain), bool)
    if not len(gain):
        return taken
    lonely = (np.bincount(one)[one] == 1) & (np.bincount(other)[other] == 1)
    taken[lonely] = True
    cells = np.flatnonzero(~lonely)
    cells = cells[np.argsort(group[cells], kind="stable")]
    for some in _portions(cells, group[cells]):
        taken[some] = _assigned(one[some], other[some], gain[some])
    return taken


def _portions(cells: IntArray, group: IntArray) -> Iterator[IntArray]:
    """Whole groups, as many at a time as make up a good portion."""
    ends = np.append(np.flatnonzero(np.diff(group)) + 1, len(cells))
    begin = 0
    for end in ends.tolist():
        if end - begin >= _TOGETHER or end == len(cells):
            if end > begin:
                yield cells[begin:end]
            begin = end


def _assigned(one: IntArray, other: IntArray, gain: NDArray[np.float64]) -> NDArray[np.bool_]:
    """``best_pairs`` where every pair has a rival: a sparse assignment problem.

    Everything on the left side may also stay alone, with a gain of nothing.
    """
    sparse = import_module("scipy.sparse")  # slow to import
    graphs = import_module("scipy.sparse.csgraph")
    left, rows = np.unique(one, return_inverse=True)
    right, columns = np.unique(other, return_inverse=True)
    alone = np.arange(len(left))
    most = float(gain.max()) + 1  # costs must not be 0, which a sparse matrix takes for nothing
    costs = sparse.csr_array(
        (
            np.concatenate([most - gain, np.full(len(left), most)]),
            (np.concatenate([rows, alone]), np.concatenate([columns, len(right) + alone])),
        ),
        shape=(len(left), len(right) + len(left)),
    )
    found_rows, found_columns = graphs.min_weight_full_bipartite_matching(costs)
    partner = np.full(len(left), -1)
    partner[found_rows] = found_columns
    chosen: NDArray[np.bool_] = partner[rows] == columns
    return chosen
