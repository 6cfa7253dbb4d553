"""Spans looked at token by token: one unit for every token and label, whatever the boundaries.

Fu, Liu and Neubig (2020) measure the attributes of tokens on these units: ``B-PER`` and ``I-PER``
are both PER, and tokens outside of spans are not units. A token with one label in the gold standard
and another in a system's output is a unit of both.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.spans import align
>>> text = [["in", "New", "York", "City"]]
>>> gold = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "I-LOC"]])
>>> system = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "B-ORG"]])
>>> table = entity_tokens(align(gold, {"s": system}))
>>> for row in range(len(table)):
...     print(table.text(row), table.labels[table.label[row]], table.is_gold[row],
...           table.outcomes.names[table.outcome[row, 0]])
New LOC True TP
York LOC True TP
City LOC True LE
City ORG False USED
>>> tokens_of(align(gold, {"s": system}))  # rows: New York, the city, the organisation
TokensOf(unit=array([0, 0, 1, 1, 1, 2]), token=array([0, 1, 0, 1, 2, 3]))
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from finegrain.alignment.spans import matched_rows
from finegrain.corpus import IntArray
from finegrain.corpus.phrases import span_tokens
from finegrain.table import OutcomeTable
from finegrain.table.unit_spans import unit_spans
from finegrain.table.verdicts import produced


def entity_tokens(table: OutcomeTable) -> OutcomeTable:
    """The tokens of all spans of a table; where units have answers (tags), the table itself.

    Columns that were added to the table are left out: they describe spans.
    """
    if not table.task.open:
        return table
    units, base, (span, unit) = _by_token(table)
    labels = max(table.n_labels, 1)
    token = units // labels
    sentence = (np.searchsorted(base, token, side="right") - 1).astype(np.int32)
    begin = (token - base[sentence]).astype(np.int32)
    is_gold = np.zeros(len(units), bool)
    is_gold[unit[table.is_gold[span]]] = True
    shape = (len(units), table.n_systems)
    found = replace(
        table,
        sentence=sentence,
        begin=begin,
        end=begin + 1,
        label=(units % labels).astype(np.int32),
        is_gold=is_gold,
        outcome=np.zeros(shape, np.uint8),
        answer=np.full(shape, -1, np.int32),
        token_set=np.zeros(len(units), np.int8),
        token_sets=(),
        settings={**table.settings, "level": "token"},
        columns={},
        details={},
        whole=None,
    )
    has = produced(table)
    for system in range(table.n_systems):
        own = np.zeros(len(units), bool)
        own[unit[has[span, system]]] = True
        found.outcome[:, system], found.answer[:, system] = matched_rows(found, own)
    return found


class TokensOf(NamedTuple):
    """Pairs: a row ``unit`` of a table of spans has the row ``token`` of their tokens."""

    unit: IntArray
    token: IntArray


def tokens_of(table: OutcomeTable) -> TokensOf:
    """Which rows of ``entity_tokens`` the spans of a table consist of."""
    return _by_token(table)[2]


def _by_token(table: OutcomeTable) -> tuple[IntArray, IntArray, TokensOf]:
    """``[token]`` token and label as one number; where sentences begin; what spans consist of."""
    base = _sentence_bases(table)
    tokens, _, lengths = span_tokens(unit_spans(table), base)
    labels = max(table.n_labels, 1)
    span = np.repeat(np.arange(len(table)), lengths)
    units, unit = np.unique(tokens.astype(np.int64) * labels + table.label[span],
                            return_inverse=True)  # fmt: skip
    return units, base, TokensOf(span, unit)


def _sentence_bases(table: OutcomeTable) -> IntArray:
    """``[sentence + 1]`` where sentences begin; without text they are as long as their spans."""
    lengths = np.diff(table.corpus.offsets)
    np.maximum.at(lengths, table.sentence, table.end)
    return np.concatenate([[0], np.cumsum(lengths)])
