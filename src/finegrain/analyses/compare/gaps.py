"""Graded units that systems are far off on: how far they are from the best end of the scale.

>>> import numpy as np
>>> from dataclasses import replace
>>> from finegrain.table.scale import Scale, Value
>>> from finegrain.tasks.items import from_matrix
>>> edits = np.array([[4.0, 1.0], [9.0, 7.0], [0.0, 8.0], [2.0, np.nan], [1.0, 0.0]])
>>> table = from_matrix(np.ones_like(edits), systems=["old", "new"])
>>> graded = Value(Scale(higher=False, best=0.0, worst=None, shown="number"), edits)
>>> table = replace(table, task=replace(table.task, value="edits"), values={"edits": graded})
>>> found = gaps(table, 2)                                   # both are so far off
>>> found.rows.tolist(), found.gap.tolist()
([1, 3], [7.0, 2.0])

Where the scale has no best end, the gap is that to the mean of the best system. Far off is what
does not count as solved; where nothing does, the quarter of the units with the largest gaps. A
system without a value is as far off as the farthest of the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.table import OutcomeTable
from finegrain.table.scale import Floats, Value
from finegrain.table.verdicts import value as value_of

_QUARTER = 0.75


class Gaps(NamedTuple):
    """Rows of units, the largest gap first; ``far`` ``[row, system]`` who is so far off.

    ``goal``: the value that gaps are measured from.
    """

    rows: IntArray
    gap: Floats
    far: NDArray[np.bool_]
    goal: float


def gaps(table: OutcomeTable, least: int) -> Gaps:
    """The gold units on which at least so many systems are far off."""
    graded = value_of(table)
    rows = np.flatnonzero(table.is_gold & ~np.isnan(graded.matrix).all(axis=1))
    quality = graded.scale.quality(graded.matrix[rows])
    goal = _goal(graded, quality)
    distance = goal - quality
    distance = np.where(np.isnan(distance), np.nanmax(distance, axis=1, keepdims=True), distance)
    gap = -np.sort(-distance, axis=1)[:, least - 1]
    chosen = np.flatnonzero(_far_off(graded, gap, goal))
    far = distance[chosen] >= gap[chosen, None]
    order = np.lexsort((rows[chosen], -np.count_nonzero(far, axis=1), -gap[chosen]))
    chosen = chosen[order]
    return Gaps(rows[chosen], gap[chosen], far[order], goal if graded.scale.higher else -goal)


def _goal(graded: Value, quality: Floats) -> float:
    """The quality of the best end, or the mean of the best system."""
    best = graded.scale.best
    if best is not None:
        return best if graded.scale.higher else -best
    known = ~np.isnan(quality)
    sums = np.where(known, quality, 0.0).sum(axis=0)
    means = sums[known.any(axis=0)] / np.count_nonzero(known, axis=0)[known.any(axis=0)]
    return float(means.max(initial=-np.inf)) if len(means) else 0.0


def _far_off(graded: Value, gap: Floats, goal: float) -> NDArray[np.bool_]:
    """``[unit]`` whether the gap is large."""
    scale = graded.scale
    far: NDArray[np.bool_]
    if scale.solved is not None:
        far = gap > goal - (scale.solved if scale.higher else -scale.solved)
        return far
    far = gap > scale.tie
    return far & (gap >= np.quantile(gap, _QUARTER)) if len(gap) else far
