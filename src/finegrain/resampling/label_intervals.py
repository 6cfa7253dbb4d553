"""Intervals of scores of all labels and of each, from the counts that samples have.

As ``jackknife``: without a sample only the labels that it has change, so that neither time nor
memory grows with samples times labels.

>>> from finegrain.metrics.label_counts import f1, macro          # of TP, FP, FN, gold, predicted
>>> from finegrain.metrics.label_statistics import Cells
>>> from finegrain.resampling.labelled import Size, distinct_cells
>>> right, wrong = [1.0, 0, 0, 1, 1], [0.0, 0, 1, 1, 0]
>>> counts = np.array([right] * 6 + [wrong] * 2)
>>> given = distinct_cells(Cells(np.arange(8), np.arange(8) % 2, counts), Size(8, 2))
>>> found = ends_of(given, LEVEL, [(macro(f1), PROPORTION)], [])
>>> found.overall[0].round(2).tolist()                            # of 3/4 and 3/4
[0.4, 0.98]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.label_counts import OverLabels
from finegrain.metrics.metric import Score
from finegrain.resampling.jackknife import LEVEL, LeftOut, error_of, kish, sizes_of
from finegrain.resampling.labelled import Floats, Labelled, added
from finegrain.table.scale import PROPORTION, Scale


class Ends(NamedTuple):
    """Intervals ``[score][(low, high)]``, and by label ``[score][label, (low, high)]``."""

    overall: Sequence[Floats]
    by_label: Sequence[Floats]


def ends_of(
    given: Labelled,
    level: float,
    scores: Sequence[tuple[OverLabels, Scale]],
    label_scores: Sequence[tuple[Score, Scale]],
) -> Ends:
    """The intervals of scores with their scales, overall and by label."""
    total = given.total()
    overall = [_stacked(left_out(given, score, total), scale, level) for score, scale in scores]
    by_label = [
        _stacked(labels_left_out(given, score, total), scale, level)
        for score, scale in label_scores
    ]
    return Ends(overall, by_label)


def _stacked(found: LeftOut, scale: Scale, level: float) -> Floats:
    return np.stack(found.interval(scale, level), axis=-1)


def left_out(given: Labelled, score: OverLabels, total: Floats | None = None) -> LeftOut:
    """A score of all labels."""
    total = given.total() if total is None else total
    value = np.asarray(score(total))
    known = ~np.isnan(given.scores(score))
    change = np.where(known, without_each(given, score, total) - value, 0.0)
    sums = [np.asarray(given.counts @ one) for one in (known.astype(float), change, change**2)]
    sizes = added(sizes_of(given.values[:, None]), given.vector, given.size)
    return LeftOut(value, error_of(*sums), sums[0], kish(sizes, given.counts, sums[0]))


def without_each(given: Labelled, score: OverLabels, total: Floats | None = None) -> Floats:
    """``[vector]`` the score of all samples but one that has it."""
    total = given.total() if total is None else total
    every = score.summed(total)
    if score.terms is None:
        less = given.values
    else:
        whole = score.terms(total)[given.label]
        less = whole - score.terms(total[given.label] - given.values)
    return score.finish(every - added(less, given.vector, given.size))


def labels_left_out(given: Labelled, score: Score, total: Floats | None = None) -> LeftOut:
    """The scores of all labels, ``[label]``; a sample without a label changes nothing."""
    total = given.total() if total is None else total
    value = score(total)
    known = ~np.isnan(score(given.values[:, None])[:, 0])
    without = score((total[given.label] - given.values)[:, None])[:, 0]
    change = np.where(known, without - value[given.label], 0.0)
    weights = given.counts[given.vector].astype(float)
    samples = given.samples(known)
    if not np.isnan(score(np.zeros((1, *given.values.shape[1:])))).all():  # without the label too
        samples += given.counts.sum() - given.samples(np.ones(len(known), bool))
    sums = [added(weights * one, given.label, given.n_labels) for one in (change, change**2)]
    return LeftOut(value, error_of(samples, *sums), samples, _effective(given, samples))


def _effective(given: Labelled, samples: Floats) -> NDArray[np.float64]:
    """``[label]`` effective samples, by the sizes of those that have the label."""
    weights = given.counts[given.vector].astype(float)
    sizes = sizes_of(given.values)
    first, second = (added(weights * one, given.label, given.n_labels) for one in (sizes, sizes**2))
    found = np.where(second > 0, first**2 / np.where(second > 0, second, 1), samples)
    return np.minimum(found, samples)


__all__ = ["LEVEL", "PROPORTION", "Ends", "ends_of", "left_out", "without_each"]
