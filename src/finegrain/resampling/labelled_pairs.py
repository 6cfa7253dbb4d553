"""Two systems by counts of labels, where a sample has few of many labels.

As ``paired``, with the same draws and swaps: samples and what differs in them are told apart and
sorted by the same rule. Labels are added up and scored a few at a time, for a block of resamples at
a time, so that nothing grows with samples times labels.

>>> from finegrain.metrics.label_counts import f1, macro          # of TP, FP, FN, gold, predicted
>>> right, wrong = [1.0, 0, 0, 1, 1], [0.0, 0, 1, 1, 0]
>>> def system(*counts):
...     cells = Cells(np.arange(4), np.array([7, 7, 9, 9]), np.array(counts))
...     return distinct_cells(cells, Size(samples=4, labels=10))
>>> pair = labelled_pair(system(right, wrong, wrong, wrong), system(right, right, right, wrong))
>>> pair.differing, round(pair.difference(macro(f1)), 3)          # (1 + 2/3) / 2 - (2/3 + 0) / 2
(2, 0.5)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from finegrain.metrics.label_counts import over_labels
from finegrain.metrics.label_statistics import Cells
from finegrain.metrics.metric import Score
from finegrain.resampling import label_intervals
from finegrain.resampling.distinct import flattened
from finegrain.resampling.jackknife import sizes_of
from finegrain.resampling.label_sums import LabelSums, regrouped
from finegrain.resampling.labelled import Floats, Labelled, Size, added, distinct_cells
from finegrain.resampling.labelled_together import (
    LabelledTogether,
    over_labels_parted,
    terms_of,
)
from finegrain.resampling.paired import (
    WithoutEach,
    joint_vectors,
    leading_sign,
    precedes_by_samples,
)
from finegrain.resampling.swapping import Lanes, every_swap, swap_lanes


@dataclass(frozen=True, eq=False)
class LabelledPair:
    """Two systems, both by the vectors that they have together.

    ``turned``: the second system stands first, so that draws do not depend on who is named first.
    """

    one: Labelled
    other: Labelled
    turned: bool

    @property
    def differing(self) -> int:
        return int(self._parts.kinds.counts.sum())

    @property
    def pooled(self) -> bool:
        """Never: labels are added up a few at a time."""
        return False

    def difference(self, score: Score) -> float:
        return float(self._second_less_first(*(score(side.total()) for side in self._sides)))

    def without_each(self, score: Score) -> WithoutEach:
        over = over_labels(score)
        first, second = (label_intervals.without_each(side, over) for side in self._sides)
        size = sum(
            (added(sizes_of(side.values[:, None]), side.vector, side.size) for side in self._sides),
            np.zeros(self.one.size),
        )
        return WithoutEach(self._second_less_first(first, second), self.one.counts, size)

    def bootstrapped(self, score: Score, *, resamples: int, seed: int) -> Floats:
        drawn = LabelledTogether(self._sides).bootstrapped(score, resamples=resamples, seed=seed)
        return self._second_less_first(drawn[:, 0], drawn[:, 1])

    def swapped(self, score: Score, *, resamples: int, seed: int) -> Floats:
        lanes = swap_lanes(self._parts.kinds.counts, resamples=resamples, seed=seed)
        return self._moved(score, lanes)

    def swapped_every_way(self, score: Score) -> Floats:
        return self._moved(score, every_swap(self._parts.kinds.counts))

    @property
    def _sides(self) -> tuple[Labelled, Labelled]:
        return self.one, self.other

    @cached_property
    def _parts(self) -> _Parts:
        counts, labels = self.one.counts, self.one.n_labels
        cells = _difference(self.one, self.other)
        unlike, first, row = np.unique(cells.sample, return_index=True, return_inverse=True)
        sign = leading_sign(flattened(cells.counts[first]))
        turned = cells.counts * sign[row].reshape(-1, *(1 for _ in cells.counts.shape[1:]))
        kinds = distinct_cells(Cells(row, cells.label, turned), Size(len(unlike), labels))
        of_kind = np.bincount(kinds.codes, counts[unlike], kinds.size).astype(np.int64)
        second = np.zeros(len(counts), bool)
        second[unlike[np.signbit(sign)]] = True
        least = replace(self.one, counts=np.where(second, 0, counts)).total()
        least += replace(self.other, counts=np.where(second, counts, 0)).total()
        return _Parts(least, replace(kinds, counts=of_kind))

    def _moved(self, score: Score, lanes: Lanes) -> Floats:
        """The difference after swaps; labels in which the systems do not differ stay the same."""
        linear, rest = over_labels_parted(score)
        given = self._parts.kinds.mapped(linear).at(lanes.vector, lanes.counts)
        least = self._parts.least if linear is None else linear(self._parts.least)
        every, sums = given.total(), LabelSums.of(given)
        same = rest.summed(np.delete(least, sums.labels, axis=0))
        found = []
        for weights in regrouped(lanes.blocks):
            moved = list(sums.weighted(weights))
            one = (least[labels] + part for labels, part in moved)
            other = (least[labels] + every[labels] - part for labels, part in moved)
            first, second = (
                rest.finish(terms_of(rest, side, len(weights), same)) for side in (one, other)
            )
            found.append(self._second_less_first(first, second))
        return np.concatenate(found)

    def _second_less_first(self, first: Floats, second: Floats) -> Floats:
        return first - second if self.turned else second - first


class _Parts(NamedTuple):
    """How two systems differ: by ``kinds``, whose counts are samples, in either direction.

    ``least`` ``[label, ...]`` is the sum of what both have in every sample, so that each kind is
    added to one.
    """

    least: Floats
    kinds: Labelled


def _difference(one: Labelled, other: Labelled) -> Cells:
    """What the second has more than the first, by joint vectors, where it is not 0."""
    keys = [side.vector.astype(np.int64) * side.n_labels + side.label for side in (one, other)]
    key, place = np.unique(np.concatenate(keys), return_inverse=True)
    more = added(np.concatenate([-one.values, other.values]), place, len(key))
    some = np.flatnonzero(flattened(more).any(axis=1))
    vector, label = np.divmod(key[some], max(1, one.n_labels))
    return Cells(vector, label, more[some])


def labelled_pair(one: Labelled, other: Labelled) -> LabelledPair:
    """Two systems on the same samples."""
    turned = _precedes(other, one)
    left, right = (other, one) if turned else (one, other)
    first, second, counts = joint_vectors(left, right)
    return LabelledPair(left.at(first, counts), right.at(second, counts), turned)


def _precedes(one: Labelled, other: Labelled) -> bool:
    """An order of systems by what they did, as that of whole vectors."""
    mine, theirs = one.key(), other.key()
    return mine < theirs if mine != theirs else precedes_by_samples(one, other)
