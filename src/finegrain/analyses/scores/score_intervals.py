"""How far scores could be off: an interval for every score of every system.

>>> from finegrain.metrics.tag_scores import TAG_METRICS
>>> from finegrain.tasks.tags import align
>>> from finegrain.corpus import Corpus
>>> gold = Corpus.of([["a", "b"]] * 20, tags=[["N", "V"]] * 20)
>>> some = Corpus.of([["a", "b"]] * 20, tags=[["N", "V"]] * 15 + [["N", "N"]] * 5)
>>> found = score_intervals(align(gold, {"some": some}), TAG_METRICS[:1], resamples=1000, seed=1)
>>> found.overall["accuracy"].round(2).tolist()                   # of 35 / 40 = 0.875
[[0.73, 0.95]]

Each system is resampled by itself, so its intervals do not depend on which others are there; two
intervals that overlap do not say that two systems are equal (``finegrain significance`` asks that).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.interval_cells import bounds, interval_notes
from finegrain.metrics.label_counts import OverLabels
from finegrain.metrics.label_statistics import LabelStatistics
from finegrain.metrics.metric import Metric, Statistics
from finegrain.resampling.intervals import LEVEL, Drawing, check, drawn
from finegrain.resampling.label_intervals import Ends, ends_of
from finegrain.resampling.labelled import Size, distinct_cells
from finegrain.resampling.sampling import Sampling, counted, effective_number, sampling_of
from finegrain.table import OutcomeTable


@dataclass(frozen=True, slots=True, eq=False)
class ScoreIntervals:
    """``overall[name]`` is ``[system, (low, high)]``, ``by_label[name]`` ``[label, system, 2]``.

    ``effective``: how many samples of equal size say as much as the ``samples`` that there are.
    """

    confidence: float
    overall: Mapping[str, NDArray[np.float64]]
    by_label: Mapping[str, NDArray[np.float64]]
    sample: str
    samples: int
    said: Mapping[str, str]
    notes: tuple[str, ...]
    effective: float

    def to_json(
        self, overall: Sequence[Metric], labelled: Sequence[Metric], labels: Sequence[str], at: int
    ) -> dict[str, Any]:
        """The intervals of the system in place ``at``, under the names that its scores have."""
        found: dict[str, Any] = {
            "confidence": self.confidence,
            "sample": self.sample,
            "samples": self.samples,
            "effective_samples": self.effective,
            "overall": {},
            "labels": {},
        }
        for metric in overall:
            _put(found["overall"], metric, self.overall[metric.name][at])
        for code, label in enumerate(labels):
            of_label = found["labels"].setdefault(label, {})
            for metric in labelled:
                _put(of_label, metric, self.by_label[metric.name][code, at])
        return found


def _put(target: dict[str, Any], metric: Metric, found: NDArray[np.float64]) -> None:
    place = target.setdefault(metric.family, {}) if metric.family else target
    place[metric.short or metric.name] = bounds(*found.tolist())


def score_intervals(
    table: OutcomeTable,
    metrics: Sequence[Metric],
    *,
    resamples: int,
    seed: int,
    confidence: float = LEVEL,
    sampling: Sampling | None = None,
) -> ScoreIntervals:
    """Intervals of all scores; metrics that share their statistics share the resamples.

    So the interval of a metric is the same whichever other metrics are asked for. Documents or
    sentences are drawn unless ``sampling`` says what.
    """
    check(resamples, confidence)
    drawing = Drawing(resamples, confidence, seed)
    sampling = sampling or sampling_of(table)
    overall = {metric.name: np.full((table.n_systems, 2), np.nan) for metric in metrics}
    shape = (table.n_labels, table.n_systems, 2)
    by_label = {one.name: np.full(shape, np.nan) for one in metrics if one.label_score is not None}
    shared: dict[Statistics, list[Metric]] = {}
    for metric in metrics:
        if table.corpus.documents is not None or not metric.whole_documents:
            shared.setdefault(metric.statistics, []).append(metric)
    for statistics, users in shared.items():
        for system, found in enumerate(_ends(table, statistics, users, sampling, drawing)):
            for metric, ends in zip(users, found.overall, strict=True):
                overall[metric.name][system] = ends
            for metric, ends in zip(_labelled(users), found.by_label, strict=True):
                by_label[metric.name][:, system] = ends
    asked = [metric.name for users in shared.values() for metric in users]
    missing = any(
        np.isnan(found[name]).any()
        for found in (overall, by_label)
        for name in asked
        if name in found
    )
    drawn_from = (sampling.kind, sampling.samples.size)
    said = {**sampling.said(), **drawing.said()}
    effective = effective_number(table, sampling)
    few = effective if sampling.kind == "document" else math.inf
    notes = tuple(interval_notes(sampling.kind, missing=missing, effective=few))
    return ScoreIntervals(confidence, overall, by_label, *drawn_from, said, notes, effective)


def _labelled(metrics: Sequence[Metric]) -> list[Metric]:
    return [metric for metric in metrics if metric.label_score is not None]


def _ends(
    table: OutcomeTable,
    statistics: Statistics,
    users: Sequence[Metric],
    sampling: Sampling,
    drawing: Drawing,
) -> Iterator[Ends]:
    """The intervals of metrics that share their statistics, system by system.

    Where a sample has few of many labels, only those are looked at.
    """
    label_scores = [(one.label_score, one.scale) for one in users if one.label_score is not None]
    scores = [(one.score, one.scale) for one in users if isinstance(one.score, OverLabels)]
    by_label = len(scores) == len(users) and not sampling.crossed
    if isinstance(statistics, LabelStatistics) and by_label:
        size = Size(sampling.samples.size, table.n_labels)
        for cells in statistics.cells(table, sampling.samples):
            yield ends_of(distinct_cells(cells, size), drawing.level, scores, label_scores)
        return
    for given in counted(table, statistics, sampling):
        resampled = drawn(given, drawing)
        yield Ends(
            [resampled.ends(one.score, one.scale) for one in users],
            [resampled.ends(*scored) for scored in label_scores],
        )
