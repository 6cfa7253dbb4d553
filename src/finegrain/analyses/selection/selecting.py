"""Selecting units by what they are and what systems made of them.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> wrong = fg.select(table, "gold=LOC and outcome[short]!=TP")
>>> [wrong.text(row) for row in range(len(wrong))]
['London Bridge']

The language is described in docs/show.md; it is parsed and never evaluated as code.
"""

from __future__ import annotations

from finegrain.analyses.selection.evaluation import Mask, evaluate, unknown_labels
from finegrain.analyses.selection.expressions import Expression, written
from finegrain.analyses.selection.fields import NO_BUCKETS, Buckets
from finegrain.analyses.selection.json_form import as_text, read
from finegrain.analyses.selection.parsing import Misfit, parse, pointed
from finegrain.table import OutcomeTable

__all__ = ["label_notes", "select", "selected"]


def selected(table: OutcomeTable, where: str | Expression, buckets: Buckets = NO_BUCKETS) -> Mask:
    """``[unit]`` true for the units that a selection such as ``gold=PER`` holds for.

    ``where``: its text, its JSON form, or the selection itself; ``buckets``: what ``bucket[NAME]``
    is, in a report.
    """
    text = as_text(where) if isinstance(where, str) else written(where)
    try:
        return evaluate(parse(text), table, buckets)
    except Misfit as misfit:
        raise pointed(text, misfit) from None


def select(table: OutcomeTable, where: str) -> OutcomeTable:
    """The units that a selection such as ``gold=PER and outcome[a]!=TP`` holds for, as a table.

    Spans that were matched with a span that is not selected lose their partner (its row is -1),
    as with ``table.where``; ``fg.show`` and the ``where`` of analyses keep it.
    """
    return table.where(selected(table, where))


def label_notes(table: OutcomeTable, where: str) -> tuple[str, ...]:
    """What a user should know: labels in the selection that no unit has."""
    unknown = unknown_labels(read(where), table)
    known = ", ".join(table.labels)
    return tuple(f"no unit has the label {label!r}; labels: {known}" for label in unknown)
