"""The part of a table that is scored, and the metrics that it can be scored by.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("tags"))
>>> part = chosen_units(table, table.task.default_metrics(), "gold=NOUN")
>>> len(part.table), part.notes[0]
(2, 'where: sentence_accuracy is left out: it needs whole sentences')
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from finegrain.analyses.restricting import restrict
from finegrain.errors import UsageError
from finegrain.metrics.chosen_units import cut, left_out, of_chosen
from finegrain.metrics.metric import Metric
from finegrain.table import OutcomeTable


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
    part = restrict(table, where)
    need = {one.name: cut(part, one) for one in metrics}
    without = tuple(one for one in metrics if need[one.name])
    kept = tuple(of_chosen(one, part) for one in metrics if not need[one.name])
    notes = tuple(
        left_out(_names(one for one in without if need[one.name] == what), what)
        for what in dict.fromkeys(need[one.name] for one in without)
    )
    if not kept:
        raise UsageError(notes[0])
    return Chosen(part, kept, without, tuple(f"where: {note}" for note in notes))


def _names(metrics: Iterable[Metric]) -> list[str]:
    return list(dict.fromkeys(one.family or one.name for one in metrics))
