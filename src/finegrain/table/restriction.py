"""Some units of a table, with all that they were matched with.

Taking rows out of a table takes out the partners of spans, too: a wrong label then looks missed. In
a restricted table the other units stay where they are, and count nowhere.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.spans import align
>>> gold = Corpus.of([["in", "Rome"]], tags=[["O", "B-LOC"]])
>>> table = align(gold, {"s": Corpus.of([["in", "Rome"]], tags=[["O", "B-PER"]])})
>>> found = restricted(table, table.is_gold)
>>> [(found.text(row), bool(found.is_gold[row])) for row in range(len(found))]
[('Rome', True), ('Rome', False)]
>>> found.answer[0, 0], found.outcomes.names[found.outcome[1, 0]]          # its partner is known
(np.int32(1), 'ABSENT')
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.samples import Samples, documents, sentences

_OTHERS, _GOLD, _OUTCOME = "not chosen", "gold before", "outcome before"  # what they were
_ROW = "row before"


def restricted(table: OutcomeTable, chosen: NDArray[np.bool_], where: str = "") -> OutcomeTable:
    """A table in which only the chosen units count.

    Others are neither gold nor in any output. They are left out where answers are no rows, so that
    no unit has a partner. ``where``: the selection in words, for the signature of every result.
    """
    columns = {**table.columns, _ROW: np.arange(len(table))}
    settings = {**table.settings, "where": where} if where else table.settings
    part = replace(table, columns=columns, settings=settings, whole=table)
    if not (table.answers_are_rows and table.task.open):
        return part.where(chosen)
    absent = table.outcomes.codes(lambda one: one.absent).argmax()
    return replace(
        part,
        is_gold=table.is_gold & chosen,
        outcome=np.where(chosen[:, None], table.outcome, np.uint8(absent)),
        columns={**columns, _OTHERS: ~chosen, _GOLD: table.is_gold},
        details={**table.details, _OUTCOME: table.outcome},
    )


def others(table: OutcomeTable) -> NDArray[np.bool_] | None:
    """``[unit]`` the units of a restricted table that do not count; ``None`` if all do."""
    return table.columns.get(_OTHERS)


def restored(table: OutcomeTable) -> OutcomeTable:
    """The table with all units as they were before it was restricted."""
    if _OTHERS not in table.columns:
        return table
    return replace(table, is_gold=table.columns[_GOLD], outcome=table.details[_OUTCOME])


def in_whole(table: OutcomeTable) -> tuple[OutcomeTable, IntArray] | None:
    """The table with all units, and the rows there of the units here; ``None`` if it is that."""
    if table.whole is None or _ROW not in table.columns:
        return None
    return table.whole, table.columns[_ROW]


def cut_by(table: OutcomeTable, *, documents_: bool, sentences_: bool) -> str:
    """What the chosen units are only a part of: documents, sentences; empty if of nothing."""
    found = in_whole(table)
    if found is None:
        return ""
    whole, rows = found
    rest = others(table)
    chosen = np.zeros(len(whole), bool)
    chosen[rows if rest is None else rows[~rest]] = True
    if documents_ and cuts(documents(whole), chosen):
        return "documents"
    return "sentences" if sentences_ and cuts(sentences(whole), chosen) else ""


def cuts(samples: Samples, part: NDArray[np.generic]) -> bool:
    """Whether the units of some sample are in different parts, ``[unit]``."""
    _, first, sample = np.unique(samples.codes, return_index=True, return_inverse=True)
    return bool((part[first][sample.ravel()] != part).any())
