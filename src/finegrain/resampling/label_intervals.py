"""Intervals of scores of all labels and of each, from counts of a few labels at a time.

The draws are those of ``drawing.bootstrap`` for the same samples.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.metrics.label_counts import Mapped, OverLabels
from finegrain.metrics.metric import Score
from finegrain.resampling.drawing import draws
from finegrain.resampling.intervals import MANY, Drawing, check, interval, too_few
from finegrain.resampling.label_sums import Sums, weighted_sums
from finegrain.resampling.labelled import Floats, Labelled, added

_SCORED = 1 << 14  # resampled labels that are scored at once, so that they stay in the cache


class Ends(NamedTuple):
    """Intervals ``[score][(low, high)]``, and by label ``[score][label, (low, high)]``."""

    overall: Sequence[Floats]
    by_label: Sequence[Floats]
    pooled: bool = False


def ends_of(
    given: Labelled,
    drawing: Drawing,
    scores: Sequence[OverLabels],
    label_scores: Sequence[Score],
) -> Ends:
    """The intervals of scores, overall and by label, from one set of resamples."""
    check(drawing.resamples, drawing.level)
    level, total = drawing.level, given.total()
    samples = [_defined_in(given, score) for score in label_scores]
    enough = _enough(samples, given.n_labels, level)
    by_label = [np.full((given.n_labels, 2), np.nan) for _ in label_scores]
    terms = list(dict.fromkeys(score.terms for score in scores))
    summed: list[Floats | float] = [0.0] * len(terms)
    for labels, sums in _resampled(given, drawing):
        values: list[list[Floats]] = [[] for _ in label_scores]
        told = []
        for where in _parts(sums):
            part, shared = sums[:, where].astype(np.float64), dict[Score, Floats]()
            for place, term in enumerate(terms):
                of_labels = part if term is None else _scored(term, part, shared)
                summed[place] += of_labels.sum(axis=-2)
            if enough[labels[where]].any():
                told.append(labels[where])
                for place, score in enumerate(label_scores):
                    values[place].append(_scored(score, part, shared))
        if not told:
            continue
        which = np.concatenate(told)
        for place, score in enumerate(label_scores):
            of_score = np.concatenate(values[place], axis=1)
            found = interval(score(total[which]), of_score, samples[place][which], level=level)
            by_label[place][which] = np.stack(found, axis=-1)
    overall = []
    for over in scores:
        resampled = over.finish(np.asarray(summed[terms.index(over.terms)]))
        defined = np.array(_overall_defined_in(given, over))
        overall.append(np.stack(interval(over(total), resampled, defined, level=level)))
    return Ends(overall, by_label)


def _enough(samples: Sequence[NDArray[np.int64]], n_labels: int, level: float) -> NDArray[np.bool_]:
    """``[label]`` whether so many samples have it that a score can have an interval."""
    most = np.max([*samples, np.zeros(n_labels, np.int64)], axis=0)
    return np.array([not too_few(number, level=level) for number in most.tolist()], bool)


def _parts(sums: Sums) -> Iterator[slice]:
    """Places of some labels at a time, of sums ``[resample, label, ...]``."""
    step = max(1, _SCORED // max(1, len(sums)))
    for begin in range(0, max(1, sums.shape[1]), step):
        yield slice(begin, begin + step)


def _scored(score: Score, sums: Floats, shared: dict[Score, Floats]) -> Floats:
    """The score of sums; ``shared`` keeps what maps make of them."""
    if not isinstance(score, Mapped):
        return score(sums)
    if score.map not in shared:
        shared[score.map] = score.map(sums)
    return score.score(shared[score.map])


def _defined_in(given: Labelled, score: Score) -> NDArray[np.int64]:
    """``[label]`` in how many samples the score of a label is defined, up to ``MANY``."""
    known = ~np.isnan(score(given.values[:, None])[:, 0])
    found = given.samples(known)
    if not np.isnan(score(np.zeros((1, *given.values.shape[1:])))).all():  # without the label too
        found += given.counts.sum() - given.samples(np.ones(len(known), bool))
    return np.minimum(found, MANY).astype(np.int64)


def _overall_defined_in(given: Labelled, score: OverLabels) -> int:
    """In how many samples a score of all labels is defined, up to ``MANY``."""
    most = np.argsort(-given.counts, kind="stable")
    found = 0
    for part in (most[:MANY], most[MANY:]):
        place = np.full(len(most), -1)
        place[part] = np.arange(len(part))
        cells = np.flatnonzero(place[given.vector] >= 0)
        terms = score.summed(given.values[cells, None])
        of_vector = added(terms, place[given.vector[cells]], len(part))
        found += int(given.counts[part] @ ~np.isnan(score.finish(of_vector)))
        if found >= MANY:
            return MANY
    return found


def _resampled(given: Labelled, drawing: Drawing) -> Iterator[tuple[IntArray, Sums]]:
    """Some labels, and their sums ``[resample, label, ...]``, until all labels had their turn."""
    ascending = np.argsort(given.counts, kind="stable")
    place = np.argsort(ascending)[given.vector]

    def drawn() -> Iterator[NDArray[np.float32]]:
        return draws(given.counts[ascending], resamples=drawing.resamples, seed=drawing.seed)

    yield from weighted_sums(replace(given, vector=place), drawn, drawing.resamples)
