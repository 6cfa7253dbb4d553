"""The units that keep scores from their best: of every unit, which scores it lowers, as bits.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("dependencies"), task="dependencies")
>>> found = lowered_scores(table)
>>> found.names[:3], found.count("las", 0), found.count("uas", 0)
(('las', 'uas', 'ls'), 4, 3)
>>> [table.text(row) for row in found.rows("uas", 0).nonzero()[0]]
['London', 'London', 'not']

Metrics tell (``Metric.lowering``): a word lowers a score of trees if the gold standard or the
system has there something that is counted and not right: so F1 is 100 where no word does. What only
the system has is counted at the gold word it begins in. Scores that outcomes tell have no bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import UsageError
from finegrain.table import OutcomeTable


@dataclass(frozen=True, slots=True, eq=False)
class LoweredScores:
    """``bits`` ``[row, system]``, one for each of ``names``; ``counts`` ``[name, system]`` units.

    ``blank`` are scores and places of systems where gold or system have nothing in the column.
    """

    names: tuple[str, ...]
    bits: NDArray[np.uint32]
    counts: NDArray[np.int64]
    blank: frozenset[tuple[str, int]]

    def rows(self, name: str, system: int) -> NDArray[np.bool_]:
        """``[row]`` whether the unit lowers a score of a system."""
        if name not in self.names:
            raise UsageError.unknown("score", name, self.names)
        found: NDArray[np.bool_] = (self.bits[:, system] >> self.names.index(name) & 1) > 0
        return found

    def count(self, name: str, system: int) -> int:
        """How many units lower a score of a system, of the whole table."""
        return int(self.counts[self.names.index(name), system])


def lowered_scores(table: OutcomeTable) -> LoweredScores:
    """The scores of a table whose metrics say which units lower them."""
    every = table.task.all_metrics().items()
    told = {name: metric.lowering for name, metric in every if metric.lowering is not None}
    bits = np.zeros((len(table), table.n_systems if told else 0), np.uint32)
    counts = np.zeros((len(told), table.n_systems), np.int64)
    blank: set[tuple[str, int]] = set()
    for place, (name, lowering) in enumerate(told.items()):
        lowered = lowering.lowered_by(table)
        bits |= lowered.astype(np.uint32) << np.uint32(place)
        counts[place] = np.count_nonzero(lowered, axis=0)
        blank |= {(name, system) for system in np.flatnonzero(lowering.blank(table)).tolist()}
    return LoweredScores(tuple(told), bits, counts, frozenset(blank))
