"""The words that keep scores of trees from 100: of every word, which scores it lowers, as bits.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("dependencies"), task="dependencies")
>>> found = lowered_scores(table)
>>> found.names[:3], found.count("las", 0), found.count("uas", 0)
(('las', 'uas', 'ls'), 4, 3)
>>> [table.text(row) for row in found.rows("uas", 0).nonzero()[0]]
['London', 'London', 'not']

A word lowers a score if the gold standard or the system has there something that is counted and
not right: so F1 is 100 where no word does. What only the system has is counted at the gold word it
begins in. The scores of other tasks are told by outcomes: they have no bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.dependencies import CORRECT
from finegrain.errors import UsageError
from finegrain.metrics import built_in
from finegrain.metrics.dependency_counts import Summing, of_words, outcome_is
from finegrain.table import OutcomeTable

# the score by relation is counted in another way
_BY_RELATION = {"las": Summing(of_words(outcome_is(CORRECT)))}
_NONE = np.zeros((0, 0), np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class LoweredScores:
    """``bits`` ``[row, system]``, one for each of ``names``; ``counts`` ``[name, system]`` words.

    ``blank`` are scores and places of systems where gold or system have nothing in the column.
    """

    names: tuple[str, ...]
    bits: NDArray[np.uint32]
    counts: NDArray[np.int64]
    blank: frozenset[tuple[str, int]]

    def rows(self, name: str, system: int) -> NDArray[np.bool_]:
        """``[row]`` whether the word lowers a score of a system."""
        if name not in self.names:
            raise UsageError.unknown("score", name, self.names)
        found: NDArray[np.bool_] = (self.bits[:, system] >> self.names.index(name) & 1) > 0
        return found

    def count(self, name: str, system: int) -> int:
        """How many words lower a score of a system, of the whole table."""
        return int(self.counts[self.names.index(name), system])


def lowered_scores(table: OutcomeTable) -> LoweredScores:
    """All scores of a table of trees; none of other tables."""
    if "trees" not in table.task.has:
        return LoweredScores((), np.zeros((len(table), 0), np.uint32), _NONE, frozenset())
    bits = np.zeros(table.outcome.shape, np.uint32)
    names: list[str] = []
    counts: list[NDArray[np.int64]] = []
    blank: set[tuple[str, int]] = set()
    for name, summing in _summing().items():
        lowered = summing.lowered_by(table)
        bits |= lowered.astype(np.uint32) << np.uint32(len(names))
        names.append(name)
        counts.append(np.count_nonzero(lowered, axis=0))
        blank |= {(name, place) for place in np.flatnonzero(summing.blank(table)).tolist()}
    return LoweredScores(tuple(names), bits, np.stack(counts), frozenset(blank))


def _summing() -> dict[str, Summing]:
    """By the name of an F1 score, what it sums over words."""
    found = {one.name: one.statistics for one in built_in() if one.short == "f1"}
    summing = {name: one for name, one in found.items() if isinstance(one, Summing)}
    return {**_BY_RELATION, **summing}
