"""The columns that selections of every task can ask for, by the name of the field.

``SHARED`` are those of units, ``PER_SYSTEM`` ``[unit, system]``, ``PER_PAIR`` those of two systems.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Coded, Corpus, IntArray
from finegrain.table import OutcomeTable
from finegrain.table.outcome_table import EMPTY_NODES, ZERO
from finegrain.table.outside import agreeing
from finegrain.table.unit_text import join
from finegrain.table.verdicts import (
    CHANGES,
    answered,
    change,
    changed,
    charged,
    costs,
    gains,
    of_pair,
    produced,
    right,
    solved,
    stances,
)

NO_YES = ("no", "yes")
_CONTEXTS: WeakKeyDictionary[Corpus, tuple[str, ...]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """``names[codes]``, -1 for none; ``[unit]`` or ``[unit, system]``.

    ``closed``: there are no other names, and to ask for one is an error; ``parent``: of columns of
    parts, ``[part]`` or ``[part, system]``, the units that they belong to.
    """

    codes: IntArray
    names: tuple[str, ...]
    closed: bool = False
    parent: IntArray | None = None

    @property
    def is_truth(self) -> bool:
        return self.closed and self.names == NO_YES


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """``[unit]`` or ``[unit, system]``, nan for none; ``parent`` as in ``Words``."""

    values: NDArray[np.float64]
    parent: IntArray | None = None


ValueColumn = Words | Numbers


class Missing(Exception):
    """The data does not have what the field needs."""


def from_array(values: NDArray[Any]) -> ValueColumn:
    """A column of the table: numbers, truth values, or anything else as words."""
    if values.dtype.kind == "b":
        return Words(values.astype(np.int8), NO_YES, closed=True)
    if values.dtype.kind in "iuf":
        return Numbers(values.astype(np.float64))
    cells = values.ravel().tolist()
    coded = Coded.of(str(value) for value in cells if value is not None)
    codes = np.full(len(cells), -1, np.int64)
    codes[[value is not None for value in cells]] = coded.codes
    return Words(codes.reshape(values.shape), coded.names)


def _gold(table: OutcomeTable) -> Words:
    return Words(np.where(table.is_gold, table.label, -1), table.labels)


def _label(table: OutcomeTable) -> Words:
    return Words(table.label, table.labels)


def _text(table: OutcomeTable) -> Words:
    if table.corpus.tokens is None:
        raise Missing("there is no text: the files hold no words")
    return joined(table, table.corpus.tokens.coded(), cut=True)


def joined(table: OutcomeTable, coded: Coded, *, cut: bool = False) -> Words:
    """What the tokens of each unit have, with blanks between; ``cut``: without what spans cut."""
    if (_length(table).values == 1).all() and not (cut and "begin_cut" in table.columns):
        return Words(coded.codes[table.first_tokens()], coded.names)
    offsets = table.corpus.offsets[:-1].tolist()
    codes, names = coded.codes, coded.names
    texts = []
    for row, sentence in enumerate(table.sentence.tolist()):
        start = offsets[sentence]
        within = [start + token for token in table.tokens(row)]
        texts.append(" ".join(names[codes[token]] for token in within if token < len(codes)))
    if cut and EMPTY_NODES in table.columns:
        texts = [ZERO if zero else text for text, zero in zip(texts, table.wordless(), strict=True)]
    if cut and "begin_cut" in table.columns:
        begins, ends = table.columns["begin_cut"].tolist(), table.columns["end_cut"].tolist()
        texts = [
            text[begin : len(text) - end]
            for text, begin, end in zip(texts, begins, ends, strict=True)
        ]
    coded = Coded.of(texts)
    return Words(coded.codes, coded.names)


def _length(table: OutcomeTable) -> Numbers:
    sizes = np.array([0, *map(len, table.token_sets)])[table.token_set]
    return Numbers(np.where(table.token_set > 0, sizes, table.end - table.begin).astype(float))


def _sentence(table: OutcomeTable) -> Numbers:
    return Numbers(table.sentence.astype(np.float64) + 1)


def _row(table: OutcomeTable) -> Numbers:
    return Numbers(np.arange(1.0, len(table) + 1))


def _context_text(table: OutcomeTable) -> Words:
    """The text of the sentence or item that a unit is in; made once for a corpus."""
    corpus = table.corpus
    if corpus not in _CONTEXTS:
        _CONTEXTS[corpus] = _texts(corpus)
    return Words(table.sentence, _CONTEXTS[corpus])


def _texts(corpus: Corpus) -> tuple[str, ...]:
    if corpus.tokens is None:
        return ("",) * corpus.n_sentences
    texts = join(corpus.tokens, np.arange(corpus.n_tokens), np.diff(corpus.offsets))
    data, ends = texts.data.tobytes(), texts.ends.tolist()
    return tuple(data[begin:end].decode() for begin, end in pairwise([0, *ends]))


def _folded_text(table: OutcomeTable) -> Words:
    """The words of a unit in any case, folded; none without text."""
    from finegrain.attributes.surfaces import surfaces  # noqa: PLC0415 - slow

    found = surfaces(table)
    if found is None:
        return Words(np.full(len(table), -1), ())
    return Words(found.codes, tuple(map(found.name, range(len(found)))))


def _document(table: OutcomeTable) -> ValueColumn:
    corpus = table.corpus
    if corpus.documents is None:
        return Numbers(np.full(len(table), np.nan))
    documents = corpus.documents[table.sentence]
    if corpus.document_ids is not None:
        return Words(documents, corpus.document_ids)
    return Numbers(documents.astype(np.float64) + 1)


def _systems_correct(table: OutcomeTable) -> Numbers:
    return Numbers(solved(table).sum(axis=1).astype(float))


def _systems_agreeing(table: OutcomeTable) -> Numbers:
    """How many systems have what is not gold; none for what is gold."""
    agree = agreeing(table)
    return Numbers(np.where(agree < 0, np.nan, agree))


def _outcome(table: OutcomeTable) -> Words:
    return Words(table.outcome, table.outcomes.names, closed=True)


def _correct(table: OutcomeTable) -> Words:
    """No are the errors; what counts nowhere is neither right nor wrong."""
    found = charged(table).astype(np.int8) - np.int8(1)
    found[solved(table)] = 1
    return Words(found, NO_YES, closed=True)


def _answer(table: OutcomeTable) -> Words:
    """The label that a system has for a unit; a span that it was matched with has its own."""
    return Words(answered(table), table.labels)


def _produced(table: OutcomeTable) -> Words:
    """Whether exactly this unit is in a system's output."""
    return Words(produced(table).view(np.int8), NO_YES, closed=True)


def _hurts(table: OutcomeTable) -> Words:
    """Whether precision or recall of a system would be higher without the unit."""
    return Words(costs(table).view(np.int8), NO_YES, closed=True)


def _mistaken(table: OutcomeTable) -> Words:
    """The gold label of an error, as ``confusion`` counts it; none where there is no error."""
    return _of_errors(table, lambda own, other: np.where(table.is_gold[:, None], own, other))


def _mistaken_for(table: OutcomeTable) -> Words:
    """The answered label of an error; none where there is no error."""
    return _of_errors(table, lambda own, other: np.where(table.is_gold[:, None], other, own))


def _of_errors(table: OutcomeTable, side: Callable[[IntArray, IntArray], IntArray]) -> Words:
    """Labels of errors, of the unit itself and of what it was matched with or answered."""
    label = np.append(table.label, -1)  # the last place serves -1
    other = label[table.answer] if table.answers_are_rows else table.answer
    codes = side(table.label[:, None], other)
    return Words(np.where(right(table), -1, codes), table.labels)


def _change(table: OutcomeTable, one: int, other: int) -> Words:
    return Words(change(*stances(table, [one, other])), CHANGES, closed=True)


def _changed(table: OutcomeTable, one: int, other: int) -> Words:
    """None for units that the two are not compared on."""
    codes = np.where(of_pair(table, one, other), changed(table, one, other).view(np.int8), -1)
    return Words(codes, NO_YES, closed=True)


def _gain(table: OutcomeTable, one: int, other: int) -> Numbers:
    """How much better the second system does; none where one is undefined, or none is compared."""
    return Numbers(np.where(of_pair(table, one, other), gains(table, one, other), np.nan))


SHARED: dict[str, Callable[[OutcomeTable], ValueColumn]] = {
    "gold": _gold,
    "label": _label,
    "text": _text,
    "length": _length,
    "sentence": _sentence,
    "document": _document,
    "systems_correct": _systems_correct,
    "systems_agreeing": _systems_agreeing,
    "row": _row,
    "context_text": _context_text,
    "folded_text": _folded_text,
}
PER_SYSTEM: dict[str, Callable[[OutcomeTable], ValueColumn]] = {
    "outcome": _outcome,
    "answer": _answer,
    "correct": _correct,
    "produced": _produced,
    "hurts": _hurts,
    "mistaken": _mistaken,
    "mistaken_for": _mistaken_for,
}
PER_PAIR: dict[str, Callable[[OutcomeTable, int, int], ValueColumn]] = {
    "change": _change,
    "changed": _changed,
    "gain": _gain,
}
