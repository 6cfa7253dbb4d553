"""The part of a table that is scored, and the metrics that it can be scored by.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("tags"))
>>> part = chosen_units(table, table.task.default_metrics(), "gold=NOUN")
>>> len(part.table), part.notes[0]
(2, 'where: sentence_accuracy is left out: it needs whole sentences')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import UsageError
from finegrain.metrics.chosen_units import of_chosen
from finegrain.metrics.metric import Metric
from finegrain.table import OutcomeTable
from finegrain.table.restriction import restricted
from finegrain.table.samples import Samples, documents, sentences


class Chosen(NamedTuple):
    """A table in which chosen units count, and metrics of them.

    ``left_out``: metrics of whole documents or sentences that the selection cuts.
    """

    table: OutcomeTable
    metrics: tuple[Metric, ...]
    left_out: tuple[Metric, ...] = ()
    notes: tuple[str, ...] = ()


def chosen_units(table: OutcomeTable, metrics: Sequence[Metric], where: str) -> Chosen:
    """The units that a selection holds for; all of them without one."""
    if not where:
        return Chosen(table, tuple(metrics))
    from finegrain.analyses.selection import label_notes, selected  # noqa: PLC0415 - if asked for

    mask = selected(table, where)
    need = {one.name: _cut(table, mask, one) for one in metrics}
    left_out = tuple(one for one in metrics if need[one.name])
    if len(left_out) == len(metrics):
        raise UsageError(_said(left_out, need[left_out[0].name]))
    notes = [
        f"where: {_said([one for one in left_out if need[one.name] == what], what)}"
        for what in dict.fromkeys(need[one.name] for one in left_out)
    ]
    kept = tuple(of_chosen(one) for one in metrics if not need[one.name])
    return Chosen(restricted(table, mask), kept, left_out, (*label_notes(table, where), *notes))


def _said(metrics: Sequence[Metric], what: str) -> str:
    names = dict.fromkeys(one.family or one.name for one in metrics)
    are = "are left out: they need" if len(names) > 1 else "is left out: it needs"
    return f"{', '.join(names)} {are} whole {what}"


def _cut(table: OutcomeTable, mask: NDArray[np.bool_], metric: Metric) -> str:
    """What a metric needs whole and the selection cuts; empty if it cuts nothing."""
    if metric.whole_documents and cuts(documents(table), mask):
        return "documents"
    return "sentences" if metric.whole_sentences and cuts(sentences(table), mask) else ""


def cuts(samples: Samples, part: NDArray[np.generic]) -> bool:
    """Whether the units of some sample are in different parts, ``[unit]``."""
    _, first, sample = np.unique(samples.codes, return_index=True, return_inverse=True)
    return bool((part[first][sample.ravel()] != part).any())
