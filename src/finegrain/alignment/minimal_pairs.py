"""One row per minimal pair: which of two sentences a language model gives more probability.

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> from finegrain.tasks.minimal_pairs import MINIMAL_PAIRS
>>> pairs = b"id,sentence_good,sentence_bad\\nq1,He is,He are\\nq2,I am,I is\\n"
>>> gold = read(source_of("gold", pairs))
>>> mine = read(source_of("mine", b"id,good,bad\\nq1,-7.5,-9.0\\nq2,-8.0,-6.5\\n"))
>>> table = align(MINIMAL_PAIRS, gold, {"mine": mine})
>>> table.values[MARGIN].matrix[:, 0].tolist()
[1.5, -1.5]

The margin is the difference of the log-probabilities; a model without a preference is not right.
"""

from __future__ import annotations

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
from finegrain.alignment.same_text import Systems
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.items import LINE, TEXT, coded, line_of, of_fields
from finegrain.errors import InputError, Problem
from finegrain.table import OutcomeTable, Task
from finegrain.table.scale import Scale, Value

MARGIN = "margin"
"""Of ``table.values``: log-probability of the good sentence minus that of the bad one."""
OPEN = Scale(best=None, worst=None, shown="number")
GOOD_NAMES = ("good", "good_logprob", "logprob_good", "sentence_good_logprob", "score_good")
BAD_NAMES = ("bad", "bad_logprob", "logprob_bad", "sentence_bad_logprob", "score_bad")
"""Columns of systems with the log-probabilities, the first that there is."""
GOOD_TEXTS = ("sentence_good", "good_sentence", "grammatical", "good_text")
PREFERRED, OTHER, TIED, UNANSWERED = range(4)
_SHOWN = 20  # problems that are told at once
_POSITIVE = 1e-4  # above 0: a rounding error
Floats = NDArray[np.float64]


def align(
    task: Task, gold: Corpus, systems: Systems, *, missing: Missing = "error"
) -> OutcomeTable:
    """One row per pair of the gold file, whose columns (phenomena) are attributes."""
    met = meet(_with_text(gold), systems, missing=missing)
    given = np.full((*met.rows.shape, 2), np.nan)
    for system, corpus in enumerate(met.corpora):
        for place, (names, what) in enumerate(((GOOD_NAMES, "good"), (BAD_NAMES, "bad"))):
            own = number_field(corpus, names, f"log-probability of the {what} sentence")
            _require_negative(corpus, own, missing)
            given[:, system, place] = np.append(own, np.nan)[met.rows[:, system]]
    margin = given[..., 0] - given[..., 1]
    answered = ~np.isnan(margin)
    outcome = np.select(
        [~answered, margin > 0, margin < 0], [UNANSWERED, PREFERRED, OTHER], TIED
    ).astype(np.uint8)  # fmt: skip
    table = item_table(
        task, met, outcome=outcome, notes=empty_notes(met, answered),
        values={MARGIN: Value(OPEN, margin)},
        details={"good": given[..., 0], "bad": given[..., 1]},
        settings={} if missing == "error" else {"missing": missing},
        used=(*GOOD_NAMES, *BAD_NAMES),
    )  # fmt: skip
    return without_missing(table, met, missing, answered=answered)


def _with_text(gold: Corpus) -> Corpus:
    """The pairs with the good sentence as the text of the item."""
    name = next((name for name in GOOD_TEXTS if name in gold.fields), None)
    if name is None or any(text in gold.fields for text in TEXT):
        return gold
    column = gold.fields[name]
    texts = column if isinstance(column, Texts) else Texts.of(coded(column, missing=""))
    fields = {"sentence": texts, **{key: one for key, one in gold.fields.items() if key != name}}
    lines = fields.pop(LINE, None)
    found = of_fields(
        gold.source, fields, lines=None if lines is None else np.asarray(lines), notes=gold.notes,
        format=gold.format,
    )  # fmt: skip
    if gold.documents is None:
        return found
    return replace(found, documents=gold.documents, document_ids=gold.document_ids)


def _require_negative(corpus: Corpus, own: Floats, missing: Missing) -> None:
    problems = []
    lacking = np.isnan(own) if missing == "error" else np.zeros(len(own), bool)
    for item in np.flatnonzero(lacking | (own > _POSITIVE) | np.isinf(own))[:_SHOWN].tolist():
        what = f"the log-probability {own[item]:g} is positive"
        mend = "Log-probabilities are 0 or less; of losses change the sign."
        if np.isnan(own[item]):
            what, mend = (
                "no log-probability",
                "Write one, or say --missing wrong or --missing skip.",
            )
        elif own[item] < 0:
            what, mend = "the log-probability is -inf", "Write a finite number, or nothing."
        problems.append(Problem(corpus.source, line_of(corpus, item), what, mend))
    if problems:
        raise InputError(problems)


def recognise(corpus: Corpus, _: str) -> bool:
    """Items with a good and a bad sentence."""
    good = any(name in corpus.fields for name in GOOD_TEXTS)
    bad = any(name.replace("good", "bad") in corpus.fields for name in GOOD_TEXTS[:2])
    return good and (bad or "ungrammatical" in corpus.fields)
