"""Words with the heads that they depend on, in the gold standard and in a system."""

from __future__ import annotations

from finegrain.alignment.dependencies import ABSENT_WORD
from finegrain.corpus.trees import HEAD, NOWHERE, ROOT
from finegrain.table import OutcomeTable
from finegrain.table.marks import Head, Mark, Pair


def mark(table: OutcomeTable, row: int) -> Mark:
    """A word with its gold head."""
    return Mark(table.labels[table.label[row]], table.tokens(row), _gold_head(table, row))


def pair(table: OutcomeTable, row: int, system: int) -> Pair:
    """A word with its gold head, and with that of a system."""
    unit = mark(table, row)
    relation = table.labels[table.answer[row, system]]
    return Pair(unit, Mark(relation, unit.tokens, _answered_head(table, row, system)))


def _gold_head(table: OutcomeTable, row: int) -> Head:
    sentence = int(table.sentence[row])
    first = int(table.corpus.offsets[sentence])
    written = table.corpus.layers[HEAD][first + int(table.begin[row])]
    number = int(written) if written.isdecimal() else -1
    if not 0 <= number <= int(table.corpus.offsets[sentence + 1]) - first:
        return _head(table, sentence, NOWHERE)  # of an annotator whose tree is not complete
    return _head(table, sentence, first + number - 1 if number else ROOT)


def _answered_head(table: OutcomeTable, row: int, system: int) -> Head | None:
    token = int(table.details["head"][row, system])
    return None if token == ABSENT_WORD else _head(table, int(table.sentence[row]), token)


def _head(table: OutcomeTable, sentence: int, token: int) -> Head:
    """A token of the corpus as a head of a word of a sentence."""
    if token < 0:
        return Head(0 if token == ROOT else None, "root" if token == ROOT else "none")
    text = table.corpus.tokens[token] if table.corpus.tokens is not None else ""
    own = table.corpus.sentence_of(token)
    number = token - int(table.corpus.offsets[own]) + 1
    return Head(number, text, None if own == sentence else own + 1)
