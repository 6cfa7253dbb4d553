r"""Kendall's tau-b of weighed rows: pairs in the same order against pairs in the opposite one.

Going through all pairs takes n^2 steps. Here rows stand in the order of the one number, and rows in
the opposite order of the other are counted as a merge sort finds them, half against half, quarter
against quarter (Knight 1966). What is sorted is the same for all draws, so that every step is made
for all of them at once.

>>> rows = np.array([[1.0, 1.0], [2.0, 3.0], [3.0, 2.0]])
>>> tau(rows, np.ones((1, 3))).round(3).tolist()                # 2 pairs in order, 1 is not: 1 / 3
[0.333]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.metric import Metric, ratio
from finegrain.metrics.ranked import CORRELATION, scores_and_gold
from finegrain.metrics.weighing import Floats, Observing, Weighing

Places = NDArray[np.int64]
_CELLS = 1 << 18  # of weights at once, so that they stay in the cache


def kendall(scores: str, gold: str, *, name: str = "kendall") -> Metric:
    """Kendall's tau-b of the values that systems give to units and gold values.

    scores: of ``table.values`` or ``table.details``
    gold: of ``table.columns``
    """
    return Metric(
        name=name,
        statistics=Observing(partial(scores_and_gold, scores=scores, gold=gold)),
        score=Weighing(tau),
        definition=tau,
        summary="pairs in the same order as in gold minus pairs in the opposite order (tau-b)",
        reference="Kendall (1945)",
        short=name,
        scale=CORRELATION,
        undefined="all units have the same rank",
    )


def tau(rows: Floats, weights: Floats) -> Floats:
    r"""Kendall's tau-b, by weights.

    .. math:: \tau_b = \frac{C - D}{\sqrt{(n_0 - n_1)(n_0 - n_2)}}

    where C are pairs of rows in the same order by both numbers, D those in the opposite order,
    :math:`n_0` all pairs, :math:`n_1` and :math:`n_2` those tied in the first and in the second
    number; a row with weight 2 is two tied rows (Kendall 1945). From -1 to 1; undefined (nan) where
    all rows are tied in one of the numbers.

    >>> rows = np.array([[1.0, 1.0], [2.0, 3.0], [3.0, 2.0]])
    >>> tau(rows, np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [0.0, 3.0, 0.0]])).round(3).tolist()
    [0.333, 1.0, nan]
    """
    ordered = _Rows.of(rows)
    merges = list(_merges(ordered))
    step = max(1, _CELLS // len(rows))
    parts = [
        _tau(ordered, merges, np.ascontiguousarray(weights[begin : begin + step].T))
        for begin in range(0, len(weights), step)
    ]
    return np.concatenate([np.empty(0), *parts])


class _Rows(NamedTuple):
    """How rows are tied and ordered, the same for all draws.

    ``cell`` ``[row]``: rows that are tied in both numbers share one; cells ascend by the first
    number, then by the second, of which ``first`` and ``second`` ``[cell]`` are the ranks.
    """

    cell: Places
    first: Places
    second: Places

    @classmethod
    def of(cls, rows: Floats) -> _Rows:
        ranks = [np.unique(column, return_inverse=True)[1].ravel() for column in rows.T]
        few, many = sorted(ranks, key=lambda codes: codes.max(initial=0))  # fewer steps
        size = int(many.max(initial=0)) + 1
        cells, cell = np.unique(few * size + many, return_inverse=True)
        return cls(cell.ravel(), *np.divmod(cells, size))


def _tau(rows: _Rows, merges: Sequence[_Merge], weights: Floats) -> Floats:
    """Of weights ``[row, draw]``."""
    order = np.argsort(rows.cell, kind="stable")
    own = _sums(weights[order], rows.cell[order])
    both = _pairs(own)
    first = _pairs(_sums(own, rows.first))
    by_second = np.argsort(rows.second, kind="stable")
    second = _pairs(_sums(own[by_second], rows.second[by_second]))
    total = own.sum(axis=0)
    every = total * (total - 1) / 2
    opposite = np.zeros(own.shape[1])
    for merge in merges:
        opposite += merge.opposite(own)
    in_order = every - first - second + both - 2 * opposite
    return ratio(in_order, np.sqrt((every - first) * (every - second)))


def _sums(weights: Floats, codes: Places) -> Floats:
    """``[code, draw]`` the weights of rows with the same code, which ascend."""
    begins = np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))
    if len(begins) == len(codes):
        return weights
    added: Floats = np.add.reduceat(weights, begins, axis=0)
    return added


def _pairs(groups: Floats) -> Floats:
    """``[draw]`` pairs within groups ``[group, draw]``."""
    found: Floats = (np.einsum("gd,gd->d", groups, groups) - groups.sum(axis=0)) / 2
    return found


class _Merge(NamedTuple):
    """Blocks of cells, each in two halves by the first number, in the order of the second one.

    ``left``, ``right``: the cells of left and right halves in this order; of each right one,
    ``before``: how many left ones have come so far, ``ends``: how many by the end of its block.
    """

    left: Places
    right: Places
    before: Places
    ends: Places

    def opposite(self, weights: Floats) -> Floats:
        """``[draw]`` pairs of a left cell and a right one of its block that has less."""
        summed = np.zeros((len(self.left) + 1, weights.shape[1]))
        np.cumsum(weights[self.left], axis=0, out=summed[1:])
        above = summed[self.ends] - summed[self.before]
        found: Floats = np.einsum("rd,rd->d", above, weights[self.right])
        return found


def _merges(rows: _Rows) -> Iterator[_Merge]:
    """Halves against halves of all, then of either half, down to single ranks."""
    width = 1
    while width <= int(rows.first.max(initial=0)):
        half = rows.first // width
        block = half // 2
        order = np.lexsort((half, rows.second, block))
        of_left = half[order] % 2 == 0
        counted = np.append(0, np.cumsum(of_left))
        right = np.flatnonzero(~of_left)
        stop = np.searchsorted(block[order], block[order][right], side="right")
        yield _Merge(order[of_left], order[right], counted[right], counted[stop])
        width *= 2
