"""Intervals of what a study counts, from the one resampling engine.

>>> import numpy as np
>>> import finegrain as fg
>>> table = fg.from_matrix([[1], [1], [0], [1], [1], [0], [1], [1]], systems=["mine"])
>>> counts = np.stack([table.outcome[:, 0], np.ones(8)], axis=-1)
>>> ends(table, counts, lambda sums: sums[..., 0] / sums[..., 1], Drawing()).round(2).tolist()
[0.38, 1.0]
"""

from __future__ import annotations

import numpy as np

from finegrain.metrics.metric import Score
from finegrain.metrics.weighing import Floats
from finegrain.resampling.distinct import distinct
from finegrain.resampling.intervals import Drawing, drawn
from finegrain.resampling.sampling import sampling_of
from finegrain.table import OutcomeTable


def ends(table: OutcomeTable, counts: Floats, score: Score, drawing: Drawing) -> Floats:
    """``[..., (low, high)]`` of a score of sums of ``counts`` ``[unit, ...]``; nan without any.

    Documents are drawn where there are documents, else contexts or items.
    """
    samples = sampling_of(table).samples
    sums: Floats = counts
    if samples.size != len(counts) or (np.diff(samples.codes) != 1).any():
        columns = counts.reshape(len(counts), -1).T
        summed = [np.bincount(samples.codes, column, samples.size) for column in columns]
        sums = np.stack(summed, axis=-1).reshape(samples.size, *counts.shape[1:]).astype(float)
    if not drawing.resamples:
        shape = np.asarray(score(sums.sum(axis=0))).shape
        return np.full((*shape, 2), np.nan)
    return drawn(distinct(sums), drawing).ends(score)


def written(low: float, high: float, *, percent: bool = True) -> str | None:
    """An interval as tables have it; ``None`` where there is none.

    >>> written(0.25, 0.5), written(0.25, 0.5, percent=False), written(float("nan"), 0.5)
    ('[25.00, 50.00]', '[0.250, 0.500]', None)
    """
    if np.isnan(low) or np.isnan(high):
        return None
    return f"[{100 * low:.2f}, {100 * high:.2f}]" if percent else f"[{low:.3f}, {high:.3f}]"
