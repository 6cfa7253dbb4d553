"""Systems on the same samples by counts of labels, where a sample has few of many labels.

Samples are told apart by what all systems count in them, and sorted by the same rule as whole
vectors, so that draws are the same. Labels are added up and scored a few at a time, for a block of
resamples at a time, so that nothing grows with samples times labels.

>>> from finegrain.metrics.label_counts import f1, macro          # of TP, FP, FN, gold, predicted
>>> from finegrain.metrics.label_statistics import Cells
>>> from finegrain.resampling.labelled import Size, distinct_cells
>>> right, wrong = [1.0, 0, 0, 1, 1], [0.0, 0, 1, 1, 0]
>>> def system(*counts):
...     cells = Cells(np.arange(4), np.array([7, 7, 9, 9]), np.array(counts))
...     return distinct_cells(cells, Size(samples=4, labels=10))
>>> joint = together([system(right, wrong, wrong, wrong), system(right, right, right, wrong)])
>>> joint.counts.tolist(), joint.bootstrapped(macro(f1), resamples=3, seed=1).shape
([1, 1, 1, 1], (3, 2))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.label_counts import OverLabels, over_labels, parted
from finegrain.metrics.metric import Score
from finegrain.resampling.drawing import draws
from finegrain.resampling.label_sums import LabelSums, Sums
from finegrain.resampling.labelled import Floats, Labelled, ranked

_SCORED = 1 << 14  # resampled labels that are scored at once, so that they stay in the cache


@dataclass(frozen=True, slots=True, eq=False)
class LabelledTogether:
    """Systems by the vectors that they have together; ``counts``: in how many samples."""

    sides: tuple[Labelled, ...]

    @property
    def counts(self) -> NDArray[np.int64]:
        return self.sides[0].counts

    @property
    def n_samples(self) -> int:
        return self.sides[0].n_samples

    @property
    def pooled(self) -> bool:
        """Never: labels are added up a few at a time."""
        return False

    def bootstrapped(self, score: Score, *, resamples: int, seed: int) -> Floats:
        """``[resample, system]`` the scores in bootstrap resamples."""
        linear, rest = over_labels_parted(score)
        ascending = np.argsort(self.counts, kind="stable")
        place = np.argsort(ascending)
        sides = [
            LabelSums.of(replace(side.mapped(linear), vector=place[side.vector]))
            for side in self.sides
        ]
        nothing = rest.summed(np.zeros((0, *sides[0].shape)))
        found: list[list[Floats]] = [[] for _ in sides]
        for weights in draws(self.counts[ascending], resamples=resamples, seed=seed):
            for values, side in zip(found, sides, strict=True):
                sums = (part for _, part in side.weighted(weights))
                values.append(rest.finish(terms_of(rest, sums, len(weights), nothing)))
        return np.stack([np.concatenate(values) for values in found], axis=-1)


def together(systems: Sequence[Labelled]) -> LabelledTogether:
    """Systems on the same samples, by the first's vectors, then by the second's, and so on."""
    codes, size = ranked(systems[0].codes)
    for one in systems[1:]:
        codes, size = ranked(codes * one.size + one.codes)
    first = np.empty(size, np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    counts = np.bincount(codes, minlength=size)
    return LabelledTogether(tuple(one.at(one.codes[first], counts) for one in systems))


def over_labels_parted(score: Score) -> tuple[Score | None, OverLabels]:
    """A score as a linear map, if it has one, and a score of sums over labels."""
    linear, rest = parted(score)
    return linear, over_labels(rest)


def terms_of(score: OverLabels, sums: Iterator[Sums], resamples: int, before: Floats) -> Floats:
    """``[resample, term]`` the terms of a score added up over labels, to those ``before``."""
    found: Floats = np.broadcast_to(before, (resamples, len(before)))
    step = max(1, _SCORED // max(1, resamples))
    for part in sums:
        for begin in range(0, part.shape[1], step):
            found = found + score.summed(part[:, begin : begin + step].astype(np.float64))
    return found
