"""The same scores for every document, or for every value of a column of the gold corpus.

A unit belongs to the document it is in, or to the value that its first token has in the
column (a *layer* of the corpus: genre, domain, speaker, part of speech).

>>> from finegrain.corpus import Corpus
>>> from finegrain.metrics.span_scores import SPAN_METRICS
>>> from finegrain.tasks.spans import align
>>> text = [["Ada", "sang"], ["Bob", "ran"], ["Eve", "sat"]]
>>> tags = [["B-PER", "O"], ["B-PER", "O"], ["B-PER", "O"]]
>>> gold = Corpus.of(text, tags=tags, genre=[["news"] * 2, ["chat"] * 2, ["news"] * 2])
>>> found = [["B-PER", "O"], ["O", "B-PER"], ["O", "O"]]
>>> broken = breakdown(align(gold, {"s": Corpus.of(text, tags=found)}), SPAN_METRICS, by="genre")
>>> broken.names, broken.size.tolist()
(('chat', 'news'), [1, 2])
>>> broken.values["traditional_f1"].round(3).tolist()             # [value, system]
[[0.0], [0.667]]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import UsageError
from finegrain.metrics.metric import Metric, Statistics
from finegrain.table import OutcomeTable, tally
from finegrain.table.restriction import cuts
from finegrain.table.samples import Samples, documents
from finegrain.table.verdicts import predicted

_CELLS = 8_000_000  # of counts in memory at once


@dataclass(frozen=True, slots=True, eq=False)
class Breakdown:
    """Scores ``values[metric][value, system]`` of the units that share a value of ``by``.

    ``size`` are the gold units per value, ``predicted`` a system's units ``[value, system]``, and
    ``counts`` ``[value, system, kind]`` what the systems did, the kinds as in ``kinds``.
    ``left_out`` are metrics of whole documents, where values cut documents.
    """

    by: str
    names: tuple[str, ...]
    size: NDArray[np.int64]
    predicted: NDArray[np.int64]
    values: Mapping[str, NDArray[np.float64]]
    kinds: tuple[str, ...]
    counts: NDArray[np.int64]
    left_out: tuple[Metric, ...] = ()

    def order(self) -> list[int]:
        """Places of the values, the largest first."""
        return [int(place) for place in np.argsort(-self.size, kind="stable")]


class _Groups(NamedTuple):
    samples: Samples
    names: tuple[str, ...]


def breakdown(table: OutcomeTable, metrics: Sequence[Metric], *, by: str) -> Breakdown:
    """Score all systems for each document (``by="document"``) or value of a column.

    Metrics of whole documents are left out where values cut documents.
    """
    groups = _groups(table, by)
    samples = groups.samples
    cut = cuts(documents(table), samples.codes)
    kept = [metric for metric in metrics if not (cut and metric.whole_documents)]
    size = np.bincount(samples.codes[table.is_gold], minlength=samples.size)
    counted = table.outcomes.counted if table.task.detects else table.outcomes.every
    kinds = tuple(one.name for one in counted)
    outcomes = len(table.outcomes)
    counts = tally(table.outcome, samples.codes, groups=samples.size, outcomes=outcomes)
    own = predicted(table).astype(np.uint8)
    return Breakdown(
        by,
        groups.names,
        size,
        tally(own, samples.codes, groups=samples.size, outcomes=2)[..., 1],
        sample_scores(table, samples, kept),
        kinds,
        counts[..., [table.outcomes.code(kind) for kind in kinds]],
        tuple(metric for metric in metrics if metric not in kept),
    )


def _groups(table: OutcomeTable, by: str) -> _Groups:
    """How units fall into values, and the names of the values that have units."""
    corpus = table.corpus
    if by == "document":
        if corpus.documents is None:
            raise UsageError(f"--by document: {corpus.source} has no document boundaries")
        codes, size = documents(table)
        names = corpus.document_ids or tuple(str(number + 1) for number in range(size))
    elif by in corpus.layers:
        layer = table.of_layer(by)
        codes, names = layer.codes.astype(np.int64), layer.names
    else:
        raise UsageError.unknown("column", by, ["document", *corpus.layers])
    present, dense = np.unique(codes, return_inverse=True)
    return _Groups(Samples(dense, len(present)), tuple(names[code] for code in present.tolist()))


def sample_scores(
    table: OutcomeTable, samples: Samples, metrics: Sequence[Metric]
) -> dict[str, NDArray[np.float64]]:
    """``[value, system]`` per metric; statistics that metrics share are counted once."""
    shared: dict[Statistics, list[Metric]] = {}
    for metric in metrics:
        shared.setdefault(metric.statistics, []).append(metric)
    found: dict[str, NDArray[np.float64]] = {}
    for statistics, users in shared.items():
        stacked = _by_part(table, samples, partial(_scores, table, statistics, users))
        found |= {metric.name: stacked[..., place] for place, metric in enumerate(users)}
    return found


def _scores(
    table: OutcomeTable, statistics: Statistics, metrics: Sequence[Metric], samples: Samples
) -> NDArray[np.float64]:
    """``[sample, system, metric]`` of metrics that share their statistics."""
    counted = statistics(table, samples)
    return np.stack([metric.score(counted) for metric in metrics], axis=-1)


def _by_part(
    table: OutcomeTable, samples: Samples, count: Callable[[Samples], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """``count`` for a part of the samples at a time, so that counts by label fit into memory.

    All units that are not in the part make one more sample, which is dropped.
    """
    cells = table.n_systems * table.n_labels * len(table.outcomes)
    step = max(1, _CELLS // max(1, cells))
    if samples.size <= step:
        return count(samples)
    parts = []
    for first in range(0, samples.size, step):
        size = min(step, samples.size - first)
        inside = (samples.codes >= first) & (samples.codes < first + size)
        codes = np.where(inside, samples.codes - first, size)
        parts.append(count(Samples(codes, size + 1))[:size])
    return np.concatenate(parts)
