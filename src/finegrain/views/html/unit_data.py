"""The units of a page as JSON columns: codes, so that filters are scans of arrays.

=============  ==========================================================================
column         meaning
=============  ==========================================================================
row            number of the unit in the table
at, line       sentence and line in the gold file, from 1; line 0 without a file
document       name or number of the document; no column without documents
sentence       place in ``sentences``, which are lists of words
written        by place, the words of units that are not in the text; no column without any
begin, end     first token and one past the last; ``tokens`` has those of spans with gaps
label, gold    label code; 1 for gold units
bin, agree     systems that are right; systems that have what is not gold; -1 otherwise
outcome        by system, codes of the inventory
answer         by system: a label code, or the place of the unit it was matched with; -1 none
given, beside  by system, where answers are units: the label that it gives this unit, and the label
               of the unit it was matched with; -1 for none
stance         by system, what tells two systems apart: -2 right, -3 charged with what is not gold
folded         by place, words in any case where a script would fold them in another way
lowers         by system, of trees: bits of the scores that the word keeps from 100
values         by system, of graded units: the value, null where undefined
hardness       of graded units: rank by the mean value, 0 for the worst
buckets        by attribute, the bucket
bucket_masks   by attribute of tokens, the buckets with a token of the unit: bit b for bucket b
chosen         places of the units that are listed; the others are drawn around them
=============  ==========================================================================

What trees and chains are drawn from is told in ``drawing_data``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from finegrain.analyses.reports.embedded_units import EmbeddedUnits
from finegrain.analyses.reports.graded_units import hardness
from finegrain.attributes.surfaces import surfaces
from finegrain.table import OutcomeTable
from finegrain.table.outcome_table import WRITTEN
from finegrain.table.verdicts import answered, stances, value
from finegrain.views.escape import visible
from finegrain.views.html.drawing_data import drawing_data


def unit_data(units: EmbeddedUnits) -> dict[str, Any]:
    """All columns; words with what is invisible in them written out."""
    table, rows = units.table, units.rows
    sentences, places = np.unique(table.sentence[rows], return_inverse=True)
    return {
        "found": units.found,
        "row": (rows + 1).tolist(),
        "at": (table.sentence[rows] + 1).tolist(),
        "line": table.lines(rows).tolist(),
        **_documents(units),
        "sentence": places.tolist(),
        "sentences": [_words(table, sentence) for sentence in sentences.tolist()],
        "begin": table.begin[rows].tolist(),
        "end": table.end[rows].tolist(),
        "tokens": {
            place: list(table.tokens(int(rows[place])))
            for place in np.flatnonzero(table.token_set[rows]).tolist()
        },
        **_written(units),
        "folded": _folded(units),
        "label": table.label[rows].tolist(),
        "gold": table.is_gold[rows].astype(int).tolist(),
        "bin": units.bins.tolist(),
        "agree": units.agree.tolist(),
        "outcome": table.outcome[rows].T.tolist(),
        "answer": _answers(units).T.tolist(),
        **_labels(units),
        "stance": stances(table, range(table.n_systems), rows).tolist(),
        **_values(units),
        "lowers": units.lowered.bits.T.tolist(),
        "buckets": {name: codes.tolist() for name, codes in units.columns.items()},
        "bucket_masks": {name: masks.tolist() for name, masks in units.masks.items()},
        "chosen": np.searchsorted(rows, units.chosen).tolist(),
        **drawing_data(units),
    }


def _words(table: OutcomeTable, sentence: int) -> list[str]:
    return [visible(word) for word in table.corpus.sentence(sentence)]


def _documents(units: EmbeddedUnits) -> dict[str, Any]:
    corpus = units.table.corpus
    if corpus.documents is None:
        return {}
    names = {
        sentence: corpus.document_of(sentence)
        for sentence in np.unique(units.table.sentence[units.rows]).tolist()
    }
    told = {at: visible(name) if isinstance(name, str) else name for at, name in names.items()}
    return {"document": [told[at] for at in units.table.sentence[units.rows].tolist()]}


def _written(units: EmbeddedUnits) -> dict[str, Any]:
    """The words of units that have no place in the text."""
    if WRITTEN not in units.table.columns:
        return {}
    words = units.table.columns[WRITTEN][units.rows].tolist()
    return {"written": {at: visible(one) for at, one in enumerate(words) if one is not None}}


def _labels(units: EmbeddedUnits) -> dict[str, Any]:
    """The labels that systems give, and those of units that they were matched with."""
    table, rows = units.table, units.rows
    if table.task.answers != "unit":
        return {}
    beside = np.append(table.label, -1)[table.answer[rows]]  # the last place serves -1
    return {"given": answered(table, rows).T.tolist(), "beside": beside.T.tolist()}


def _folded(units: EmbeddedUnits) -> dict[int, str | None]:
    """The words of units in any case, where they are not what a script makes of those it shows."""
    known, table = surfaces(units.table), units.table
    if known is None:
        return {}
    found: dict[int, str | None] = {}
    for place, row in enumerate(units.rows.tolist()):
        code = int(known.codes[row])
        words = known.name(code) if code >= 0 else None
        if words != _text(table, row).upper().lower():
            found[place] = words
    return found


def _text(table: OutcomeTable, row: int) -> str:
    """The words of a unit as a page shows them."""
    written = table.columns[WRITTEN][row] if WRITTEN in table.columns else None
    if written is not None:
        return visible(str(written))
    words = table.corpus.sentence(int(table.sentence[row]))
    return " ".join(visible(words[token]) for token in table.tokens(row)) or "∅"


def _values(units: EmbeddedUnits) -> dict[str, Any]:
    """What units are graded by, as it is: pairs are compared by the same rule as in the table."""
    table, rows = units.table, units.rows
    if not table.task.value:
        return {}
    columns = value(table).matrix[rows].T.tolist()
    return {
        "values": [[None if math.isnan(one) else one for one in column] for column in columns],
        "hardness": hardness(table)[rows].tolist(),
    }


def _answers(units: EmbeddedUnits) -> np.ndarray[Any, Any]:
    """Answers of the rows; where they are rows themselves, their places in the page."""
    table, rows = units.table, units.rows
    answer = table.answer[rows]
    if table.task.answers != "unit":
        return answer
    place = np.full(len(table) + 1, -1, np.int64)  # the last serves -1
    place[rows] = np.arange(len(rows))
    return place[answer]
