"""One row per item: the gold number beside that of every system, and how far apart they are.

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> from finegrain.tasks.regression import REGRESSION
>>> gold = read(source_of("gold", b"id,score\\nq1,4.5\\nq2,1.0\\n"))
>>> mine = read(source_of("mine", b"id,prediction\\nq2,1.5\\nq1,3.0\\n"))
>>> table = align(REGRESSION, gold, {"mine": mine})
>>> table.columns[GOLD].tolist(), table.details[PREDICTION].T.tolist()
([4.5, 1.0], [[3.0, 1.5]])
>>> table.values[ABSOLUTE].matrix.T.tolist()
[[1.5, 0.5]]

Items without a gold number are left out and counted. Of several predictions for an item
(``repeated_answers``) the mean counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.item_tables import (
    Missing,
    empty_notes,
    item_table,
    meet,
    number_field,
    without_missing,
)
from finegrain.alignment.majority_vote import Vote
from finegrain.alignment.repeated_answers import Averaged, Repeats, average, gold_once, kept
from finegrain.alignment.same_text import Systems
from finegrain.corpus import Corpus
from finegrain.corpus.item_faults import item_faults
from finegrain.corpus.items import numbers, written
from finegrain.errors import InputError
from finegrain.sizes import sized
from finegrain.table import OutcomeTable, Task
from finegrain.table.marks import Mark, Pair
from finegrain.table.scale import Scale, Value

GOLD, PREDICTION = "gold_value", "prediction"
"""The gold numbers in ``table.columns``, those of systems in ``table.details``."""
ABSOLUTE, SQUARED = "absolute_error", "squared_error"
"""Of ``table.values``."""
ERROR = Scale(higher=False, best=0.0, worst=None, shown="number")
GOLD_NAMES = (
    "gold", "gold_value", "gold_score", "true_score", "score", "similarity", "rating", "target",
    "value", "y_true", "truth", "label",
)  # fmt: skip
"""Columns that hold the gold number, the first that there is."""
ANSWER_NAMES = (
    "prediction", "predicted", "predicted_score", "pred", "y_pred", "answer", "output", *GOLD_NAMES,
)  # fmt: skip
"""Columns that hold a system's number."""


def align(
    task: Task,
    gold: Corpus,
    systems: Systems,
    *,
    missing: Missing = "error",
    repeats: Repeats = "auto",
) -> OutcomeTable:
    """One row per gold item; its values are the absolute and the squared error of every system."""
    gold = gold_once(gold, GOLD_NAMES, repeats)
    met = meet(gold, systems, missing=missing, repeats=repeats)
    expected = _finite(gold, GOLD_NAMES, "gold number")
    given = np.full(met.rows.shape, np.nan)
    averaged: list[Averaged | None] = []
    for system, corpus in enumerate(met.corpora):
        own = _finite(corpus, ANSWER_NAMES, "prediction")
        if missing == "error":
            _require_all(corpus, own)
        runs = met.runs[system]
        averaged.append(None if runs is None else average(runs, own, expected))
        single = np.append(own, np.nan)[met.rows[:, system]]
        given[:, system] = single if (one := averaged[-1]) is None else one.answer
    used = [name for name in GOLD_NAMES if name in gold.fields][:1]
    error = np.abs(given - expected[:, None])
    answered = ~np.isnan(given)
    repeated = kept(averaged, error, answered, ERROR)
    table = item_table(
        task, met, outcome=(~answered).astype(np.uint8), notes=empty_notes(met, answered),
        values={ABSOLUTE: Value(ERROR, error), SQUARED: Value(ERROR, error**2), **repeated.values},
        details={PREDICTION: given, **repeated.details}, used=used,
        settings={} if missing == "error" else {"missing": missing},
    )  # fmt: skip
    table = replace(table, columns={GOLD: expected, **table.columns})
    return _with_gold(without_missing(table, met, missing, answered=answered), gold)


def _with_gold(table: OutcomeTable, gold: Corpus) -> OutcomeTable:
    """The table without items that have no gold number."""
    known = ~np.isnan(table.columns[GOLD])
    if not known.any():
        raise InputError.at(gold.source, 0, "no item has a gold number")
    if known.all():
        return table
    left = f"{sized(int((~known).sum()), 'item')} without a gold number left out"
    return replace(table, notes=(*table.notes, left)).where(known)


def vote(table: OutcomeTable) -> Vote:
    """The median of the numbers that systems have for an item: what most of them could live with.

    The mean of the middle two for an even number of them; no number where no system has one.
    """
    given = np.sort(table.details[PREDICTION], axis=1)  # undefined ones come last
    number = np.count_nonzero(~np.isnan(given), axis=1)
    item, last = np.arange(len(table)), np.maximum(number - 1, 0)
    middle = (given[item, last // 2] + given[item, (last + 1) // 2]) / 2
    error = np.abs(middle - table.columns[GOLD])
    return Vote(
        (number == 0).astype(np.uint8),
        table.answer[:, 0],
        {PREDICTION: middle},
        {ABSOLUTE: error, SQUARED: error**2},
    )


def mark(table: OutcomeTable, row: int) -> Mark:
    """The gold number of an item, as it is shown."""
    return Mark(written(float(table.columns[GOLD][row])), table.tokens(row))


def pair(table: OutcomeTable, row: int, system: int) -> Pair:
    """The gold number, and what a system predicted."""
    own = float(table.details[PREDICTION][row, system])
    answer = None if np.isnan(own) else Mark(written(round(own, 6)), table.tokens(row))
    return Pair(mark(table, row), answer)


def _finite(corpus: Corpus, names: Sequence[str], what: str) -> NDArray[np.float64]:
    """A column of numbers, nan where a cell is empty; infinite ones are refused."""
    found = number_field(corpus, names, what)
    infinite = np.flatnonzero(np.isinf(found))
    if len(infinite):
        mend = "Write a finite number, or leave the cell empty."
        raise item_faults(corpus, infinite, f"the {what} is infinite", mend)
    return found


def _require_all(corpus: Corpus, own: NDArray[np.float64]) -> None:
    nothing = np.flatnonzero(np.isnan(own))
    if len(nothing):
        mend = "Write a number, or say --missing wrong or --missing skip."
        raise item_faults(corpus, nothing, "no prediction", mend)


def recognise(corpus: Corpus, _: str) -> bool:
    """Items with a gold number, of which some are no whole numbers: those could be labels."""
    name = next((name for name in GOLD_NAMES if name in corpus.fields), None)
    if name is None or corpus.format not in ("csv", "items", "parquet") or corpus.parts:
        return False
    found = numbers(corpus.fields[name])
    return found is not None and bool((np.nan_to_num(found) % 1 != 0).any())
