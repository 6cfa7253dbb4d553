"""Mentions with the antecedents that they go back to, in the gold standard and in a system."""

from __future__ import annotations

from typing import Any

import numpy as np

from finegrain.alignment.antecedents import NOUN, antecedents
from finegrain.alignment.coreference import ABSENT, FP, TP, chain_column, met_column
from finegrain.table import OutcomeTable
from finegrain.table.marks import Antecedent, Mark, Pair


def mark(table: OutcomeTable, row: int) -> Mark:
    """A mention with its antecedent in the gold standard."""
    if "chain" not in table.columns:
        return Mark(table.labels[table.label[row]], table.tokens(row))
    return _linked(table, row, "chain")


def pair(table: OutcomeTable, row: int, system: int) -> Pair:
    """A mention with its antecedent in the gold standard, and with that of a system.

    Of the antecedents of a mention that is right, the closest right one.
    """
    answer, outcome = int(table.answer[row, system]), int(table.outcome[row, system])
    name = table.systems[system]
    columns = [chain_column(name)]
    if outcome == TP and table.settings.get("antecedent", "any") == "any":
        met = met_column(name)
        columns.append(met if met in table.columns else "chain")
    if table.is_gold[row] or (outcome == FP and answer >= 0):
        given = _linked(table, answer, *columns) if answer >= 0 else None
        return Pair(_in_gold(table, row), given)
    gold = _in_gold(table, answer) if answer >= 0 else None
    return Pair(gold, None if outcome == ABSENT else _linked(table, row, *columns))


def _in_gold(table: OutcomeTable, row: int) -> Mark | None:
    """A mention of the gold standard; one of systems with other boundaries is none."""
    return mark(table, row) if table.columns["chain"][row] >= 0 else None


def _linked(table: OutcomeTable, row: int, *columns: str) -> Mark:
    """A mention with its antecedent, which has the same chain in all columns, if there is one."""
    tokens = table.tokens(row)
    before = -1 if tokens else int(table.begin[row])
    found = Mark(table.labels[table.label[row]], tokens, before=before)
    sentence, documents = int(table.sentence[row]), table.corpus.documents
    opening = 0 if documents is None else int(np.argmax(documents == documents[sentence]))
    first = int(np.searchsorted(table.sentence, opening))
    kinds = table.label[first : row + 1]
    noun = np.array([label == NOUN for label in table.labels], bool)[kinds]
    which: Any = table.settings.get("antecedent", "any")
    chains = [table.columns[column][first : row + 1] for column in columns]
    together = np.logical_and.reduce([(one == one[-1]) & (one >= 0) for one in chains])
    goes_to = int(antecedents(np.where(together, 0, -1), noun, which)[-1])
    if goes_to < 0:
        return found
    at = first + goes_to
    tokens = tuple(token + 1 for token in table.tokens(at))
    goal = Antecedent(int(table.sentence[at]) + 1, tokens, table.text(at))
    return found._replace(antecedent=goal)
