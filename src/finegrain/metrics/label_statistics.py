"""Counts by label, of all labels or only of those that a sample has.

A sentence has two or three labels, however many there are in the corpus. So resampling asks for
*cells*, the counts that are not 0; scores of the corpus ask for all counts. Both come from the same
function, which counts units in groups, whatever the groups are.

>>> from finegrain.corpus import Corpus
>>> from finegrain.metrics.tag_scores import tag_counts
>>> from finegrain.table.samples import sentences
>>> from finegrain.tasks.tags import align
>>> text = [["a", "b"], ["c"]]
>>> gold = Corpus.of(text, tags=[["N", "V"], ["D"]])
>>> table = align(gold, {"s": Corpus.of(text, tags=[["N", "N"], ["D"]])})
>>> tag_counts(table, sentences(table)).shape                     # sample, system, label, count
(2, 1, 3, 5)
>>> (cells,) = tag_counts.cells(table, sentences(table))
>>> cells.sample.tolist(), [table.labels[code] for code in cells.label], cells.counts.tolist()
([0, 0, 1], ['N', 'V', 'D'],
 [[1.0, 1.0, 0.0, 1.0, 2.0], [0.0, 0.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0, 1.0]])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.samples import Samples

_LOOKED_UP = 32  # groups for each unit, up to which they are looked up in a table
Groups = Sequence[IntArray]
Labels = Callable[[OutcomeTable, int], Groups]
Count = Callable[[OutcomeTable, int, Groups, int], NDArray[np.float64]]


class Cells(NamedTuple):
    """Counts of one system that are not all 0, in the order of samples, then labels.

    ``sample`` and ``label`` are ``[cell]``, ``counts`` ``[cell, ...]``.
    """

    sample: IntArray
    label: IntArray
    counts: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LabelStatistics:
    """Statistics of a metric that are counts by label: a call gives all of them.

    Parameters
    ----------
    labels: table and system -> one or more ``[unit]``: the labels that a unit counts for, -1 for
        none
    count: table, system, ``[unit]`` the group of a unit for each of these labels (-1: in none), and
        how many groups there are -> ``[group, *shape]``
    shape: of the counts of one label
    by_outcome: units are counted one by one by their outcome, whatever their partners are
    """

    labels: Labels
    count: Count
    shape: tuple[int, ...]
    by_outcome: bool = True

    def __call__(self, table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
        """``[sample, system, label, *shape]``."""
        size = samples.size * table.n_labels
        of_system = (samples.size, table.n_labels, *self.shape)
        counts = np.empty((samples.size, table.n_systems, table.n_labels, *self.shape))
        for system in range(table.n_systems):
            groups = self._groups(table, samples, system)
            counts[:, system] = self.count(table, system, groups, size).reshape(of_system)
        return counts

    def cells(self, table: OutcomeTable, samples: Samples) -> tuple[Cells, ...]:
        """The same of each system, without counts that are 0."""
        size = samples.size * table.n_labels
        found = []
        for system in range(table.n_systems):
            held: IntArray | None = None
            groups, used = self._groups(table, samples, system), size
            if size > len(table):  # most groups are empty: number those that are not
                held, groups = _numbered(groups, size)
                used = len(held)
            counts = self.count(table, system, groups, used)
            some = np.flatnonzero(counts.any(axis=tuple(range(1, counts.ndim))))
            sample, label = np.divmod(some if held is None else held[some], table.n_labels)
            found.append(Cells(sample, label, counts[some]))
        return tuple(found)

    def _groups(self, table: OutcomeTable, samples: Samples, system: int) -> Groups:
        if samples.size == 1:
            return self.labels(table, system)
        base = samples.codes.astype(np.int64) * table.n_labels
        return [_within(base, labels) for labels in self.labels(table, system)]


def _numbered(groups: Groups, size: int) -> tuple[IntArray, Groups]:
    """The groups that units are in, and units in groups by their numbers among these."""
    if size <= _LOOKED_UP * len(groups[0]):
        number = np.zeros(size + 1, np.int32)  # the last place serves -1
        for group in groups:
            number[group] = 1
        held = np.flatnonzero(number[:-1])
        number[held] = np.arange(len(held))
        number[-1] = -1
        return held, [number[group] for group in groups]
    held, place = np.unique(np.concatenate(groups), return_inverse=True)
    none = int(np.count_nonzero(held < 0))  # 1 if some unit is in no group
    return held[none:], np.split(place - none, len(groups))


def _within(base: IntArray, labels: IntArray) -> IntArray:
    """The groups of labels in samples, -1 where there is no label."""
    groups = base + labels
    return np.where(labels < 0, -1, groups) if labels.min(initial=0) < 0 else groups
