"""The ``where`` of every analysis: only some units count, and the others stay as partners.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> part = restrict(table, "label=LOC")
>>> part.n_gold, len(part) == len(table), part.settings["where"]
(3, True, 'label=LOC')

The restricted table carries the selection to the signature and its notes to the result, so that an
analysis restricts its table first and then goes on as it always does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.table.restriction import restricted


def restrict(table: OutcomeTable, where: str) -> OutcomeTable:
    """The table in which only the units count that a selection holds for; all without one."""
    return restriction(table, where)(table)


def restriction(table: OutcomeTable, where: str) -> Callable[[OutcomeTable], OutcomeTable]:
    """The same for all tables of the same units, such as that of a vote of the systems."""
    if not where:
        return lambda units: units
    from finegrain.analyses.selection.selecting import label_notes, selected  # noqa: PLC0415 - if asked for

    chosen, notes = selected(table, where), label_notes(table, where)
    if not chosen.any():
        why = "".join(f"; {note}" for note in notes)
        raise UsageError(f"where: no {table.task.words.unit} fits {where!r}{why}")

    def only_these(units: OutcomeTable) -> OutcomeTable:
        return restricted(replace(units, notes=(*units.notes, *notes)), chosen, where)

    return only_these


def within(where: str, selection: str) -> str:
    """A selection among the units that an analysis was about.

    >>> within("label=PER or label=LOC", "length>3"), within("", "length>3")
    ('(label=PER or label=LOC) and length>3', 'length>3')
    """
    return " and ".join(filter(None, (f"({where})" if where else "", selection)))
