"""What is resampled: documents, or sentences where the corpus has no documents.

Units of one document are not independent: the same name is found or missed all through a text.
Resampling units or sentences then takes repetition for evidence; in simulations with differing
documents such tests reject several times as many true null hypotheses as they promise (the
calibration study in docs/significance.md).

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> gold = Corpus.of([["a"], ["b"], ["c"]], documents=[0, 0, 1], tags=[["N"], ["V"], ["N"]])
>>> sampling_of(align(gold, {"s": gold})).said()
{'sample': 'document', 'n': '2'}
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.document_scores import unlabelled
from finegrain.metrics.label_counts import OverLabels
from finegrain.metrics.label_statistics import LabelStatistics
from finegrain.metrics.metric import Metric, Score, Statistics
from finegrain.resampling.distinct import Distinct, Repeated, distinct, flattened, merged
from finegrain.resampling.labelled import Labelled, Size, distinct_cells
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples, documents, sentences

_CELLS = 1 << 18  # of statistics in memory at once


@dataclass(frozen=True, slots=True, eq=False)
class Sampling:
    """How units fall into the samples that are drawn: documents, or what units stand in."""

    kind: str
    samples: Samples

    def said(self) -> dict[str, str]:
        """What the signature says of it."""
        return {"sample": self.kind, "n": str(self.samples.size)}


def sampling_of(
    table: OutcomeTable, *, kind: Literal["document", "sentence"] | None = None
) -> Sampling:
    """Documents if there are any, else sentences, or units that stand alone; or ``kind``."""
    has_documents = table.corpus.documents is not None
    if has_documents if kind is None else kind == "document":
        return Sampling("document", documents(table))
    return Sampling(table.task.words.place, sentences(table))


def counted(
    table: OutcomeTable, statistics: Statistics, sampling: Sampling, *, narrow: Score | None = None
) -> tuple[Distinct, ...]:
    """The statistics of all samples, for each system apart; ``narrow`` as in ``Metric``.

    Counted a part of the corpus at a time.
    """
    table = _needed(table, narrow)
    parts: list[list[Distinct]] = []
    for rows, samples in _parts(table, sampling.samples):
        values = statistics(table.where(rows), samples)
        values = values if narrow is None else narrow(values)
        parts.append([distinct(values[:, system]) for system in range(values.shape[1])])
    return tuple(merged(of_system) for of_system in zip(*parts, strict=True))


def compared(
    table: OutcomeTable, metric: Metric, sampling: Sampling
) -> tuple[Distinct | Labelled, ...]:
    """What comparisons by a metric need to know of each system.

    Counts by label where the score needs labels and is made of sums over them, else whole vectors.
    """
    statistics, whole = metric.statistics, not isinstance(metric.score, OverLabels)
    if whole or metric.narrow is not None or not isinstance(statistics, LabelStatistics):
        return counted(table, statistics, sampling, narrow=metric.narrow)
    size = Size(sampling.samples.size, table.n_labels)
    return tuple(distinct_cells(cells, size) for cells in statistics.cells(table, sampling.samples))


def counted_apart(
    table: OutcomeTable,
    statistics: Statistics,
    sampling: Sampling,
    groups: Samples,
    *,
    narrow: Score | None = None,
) -> list[tuple[Repeated, ...]]:
    """``[group][system]`` the same for groups of units, such as buckets, in the same samples.

    A group has units in some samples only; of those the others have, nothing is counted.
    """
    table = _needed(table, narrow)
    parts: list[list[Distinct]] = []
    for rows, samples in _parts(table, sampling.samples):
        code = samples.codes.astype(np.int64) * groups.size + groups.codes[rows]
        held = np.zeros(samples.size * groups.size, bool)
        held[code] = True
        values = statistics(table.where(rows), Samples((np.cumsum(held) - 1)[code], held.sum()))
        values = values if narrow is None else narrow(values)
        group = np.flatnonzero(held) % groups.size
        parts.append(
            [
                distinct(values[group == place, system])
                for place in range(groups.size)
                for system in range(values.shape[1])
            ]
        )
    size = sampling.samples.size
    found = [_with_empty(merged(of_one), size) for of_one in zip(*parts, strict=True)]
    step = len(found) // max(1, groups.size)
    return [tuple(found[begin : begin + step]) for begin in range(0, len(found), step)]


def _with_empty(given: Repeated, n_samples: int) -> Repeated:
    """The same with all other samples, in which nothing was counted."""
    some = flattened(given.vectors).any(axis=1)
    empty = np.zeros((1, *given.vectors.shape[1:]))
    counts = np.append(n_samples - given.counts[some].sum(), given.counts[some])
    kept = counts > 0
    return Repeated(np.concatenate([empty, given.vectors[some]])[kept], counts[kept])


def _needed(table: OutcomeTable, narrow: Score | None) -> OutcomeTable:
    """Spans without labels where labels are added up anyway: there is less to count."""
    return unlabelled(table) if narrow is not None and table.task.detects else table


def _parts(
    table: OutcomeTable, samples: Samples
) -> Iterator[tuple[NDArray[np.bool_] | slice, Samples]]:
    """Units of some samples at a time, so that their statistics stay in the cache."""
    cells = table.n_systems * table.n_labels * len(table.outcomes)
    step = max(1, _CELLS // max(1, cells))
    if samples.size <= step:
        yield slice(None), samples
        return
    in_order = bool((np.diff(samples.codes) >= 0).all())
    for begin in range(0, samples.size, step):
        size = min(step, samples.size - begin)
        rows = _between(samples, begin, begin + size, in_order=in_order)
        yield rows, Samples(samples.codes[rows] - begin, size)


def _between(
    samples: Samples, begin: int, end: int, *, in_order: bool
) -> NDArray[np.bool_] | slice:
    """The units whose sample is in the range."""
    if in_order:
        ends = np.array([begin, end], samples.codes.dtype)  # of another type all would be copied
        return slice(*np.searchsorted(samples.codes, ends).tolist())
    inside: NDArray[np.bool_] = (samples.codes >= begin) & (samples.codes < end)
    return inside
