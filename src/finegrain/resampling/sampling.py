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

from finegrain.metrics.metric import Score, Statistics
from finegrain.resampling.distinct import Distinct, distinct, merged
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples, documents, sentences

Kind = Literal["document", "sentence"]
_CELLS = 1 << 18  # of statistics in memory at once


@dataclass(frozen=True, slots=True, eq=False)
class Sampling:
    """How units fall into the samples that are drawn."""

    kind: Kind
    samples: Samples

    def said(self) -> dict[str, str]:
        """What the signature says of it."""
        return {"sample": self.kind, "n": str(self.samples.size)}


def sampling_of(table: OutcomeTable, *, kind: Kind | None = None) -> Sampling:
    """Documents if there are any, else sentences; or what ``kind`` says."""
    if kind is None:
        kind = "sentence" if table.corpus.documents is None else "document"
    return Sampling(kind, documents(table) if kind == "document" else sentences(table))


def counted(
    table: OutcomeTable, statistics: Statistics, sampling: Sampling, *, narrow: Score | None = None
) -> tuple[Distinct, ...]:
    """The statistics of all samples, for each system apart; ``narrow`` as in ``Metric``.

    Counted a part of the corpus at a time.
    """
    parts: list[list[Distinct]] = []
    for part, samples in _parts(table, sampling.samples):
        values = statistics(part, samples)
        values = values if narrow is None else narrow(values)
        parts.append([distinct(values[:, system]) for system in range(table.n_systems)])
    return tuple(merged(of_system) for of_system in zip(*parts, strict=True))


def _parts(table: OutcomeTable, samples: Samples) -> Iterator[tuple[OutcomeTable, Samples]]:
    """Tables of some samples each, so that their statistics stay in the cache."""
    cells = table.n_systems * table.n_labels * len(table.inventory)
    step = max(1, _CELLS // max(1, cells))
    if samples.size <= step:
        yield table, samples
        return
    in_order = bool((np.diff(samples.codes) >= 0).all())
    for begin in range(0, samples.size, step):
        size = min(step, samples.size - begin)
        rows = _between(samples, begin, begin + size, in_order=in_order)
        yield table.where(rows), Samples(samples.codes[rows] - begin, size)


def _between(samples: Samples, begin: int, end: int, *, in_order: bool) -> NDArray[np.bool_]:
    """``[unit]`` whether its sample is in the range."""
    if not in_order:
        inside: NDArray[np.bool_] = (samples.codes >= begin) & (samples.codes < end)
        return inside
    rows = np.zeros(len(samples.codes), bool)
    rows[slice(*np.searchsorted(samples.codes, [begin, end]).tolist())] = True
    return rows
