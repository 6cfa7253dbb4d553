"""How far a share of units could be off: the numbers of findings.

>>> import finegrain as fg
>>> table = fg.from_matrix([[1, 1]] * 30 + [[1, 0]] * 15 + [[0, 0]] * 5, systems=["crf", "gru"])
>>> from finegrain.table.verdicts import right
>>> unsolved = ~right(table).any(axis=1)
>>> low, high = share_interval(table, unsolved, table.is_gold, Drawing())         # 5 of 50
>>> round(low, 2), round(high, 2)
(0.04, 0.22)

Documents are drawn, or sentences where there are none, as for all intervals.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.reports.finding import Ends
from finegrain.metrics.metric import Score, ratio
from finegrain.resampling.intervals import Drawing, Interval, drawn
from finegrain.resampling.sampling import sampling_of
from finegrain.table import OutcomeTable
from finegrain.table.scale import PROPORTION, Scale

Mask = NDArray[np.bool_]
Counts = Mask | NDArray[np.int64]


def share_interval(
    table: OutcomeTable, part: Counts, whole: Counts, drawing: Drawing
) -> Ends | None:
    """The interval of ``sum(part) / sum(whole)``, where there is a whole; ``None`` without one.

    Both are ``[unit]``: whether a unit is counted, or how often.
    """
    return drawn_interval(
        table, [np.where(whole, part, 0), whole], _share, drawing, scale=PROPORTION
    )


def drawn_interval(
    table: OutcomeTable,
    counts: Sequence[Counts],
    score: Score,
    drawing: Drawing,
    *,
    scale: Scale | None = None,
) -> Ends | None:
    """The interval of a score of sums of ``counts``, each of which is ``[unit]``.

    ``scale``: of a score that is no difference.
    """
    given = sampling_of(table).summed(slice(None), np.stack(counts, axis=-1).astype(float))
    return _ends(drawn(given, drawing).interval(score, scale))


def _share(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return ratio(sums[..., 0], sums[..., 1])


def _ends(found: Interval) -> Ends | None:
    low, high = float(found.low), float(found.high)
    return None if np.isnan(low) else (low, high)
