"""The units that two systems answer differently, side by side with gold.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = disagreements(fg.align(*small_corpora("spans")), "short", "mixed")
>>> [(unit.text, unit.gold, unit.one, unit.other, unit.kind) for unit in found.units()][-3:-1]
[('London Bridge', 'LOC', 'LOC Bridge', 'LOC', 'correction'),
 ('Tower Bridge', 'LOC', 'LOC', 'LOC Tower', 'new_error')]

An answer is its label, with its words where they are not those of the unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from finegrain.analyses.compare.gains import changed_values
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.units.show import Shown, Unit
from finegrain.corpus import Corpus, IntArray, Spans
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.table.marks import Mark
from finegrain.table.verdicts import CHANGES, change, named, right_or_wrong, stances
from finegrain.table.verdicts import value as value_of

_SPACE = re.compile(r"\s")
_COLUMNS = (
    "document", "sentence", "line", "text", "gold", "a", "b", "kind", "from", "to", "context",
    "system_a", "system_b",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A unit that two systems answer differently; ``sentence`` counts from 1.

    ``gold``, ``one`` and ``other`` are missing where there is nothing; ``before`` and ``after``
    are what a comparison calls the two answers; ``context`` is the sentence.
    """

    document: str | int | None
    sentence: int
    line: int | None
    text: str
    gold: str | None
    one: str | None
    other: str | None
    kind: str
    before: str
    after: str
    context: str
    systems: tuple[str, str]

    def cells(self) -> tuple[Cell, ...]:
        """The fields in the order of the columns."""
        return (
            self.document, self.sentence, self.line, self.text, self.gold, self.one, self.other,
            self.kind, self.before, self.after, self.context, *self.systems,
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        return dict(zip(_COLUMNS, self.cells(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Disagreements:
    """Changed rows of a table, in the order of the text, and the kind of each change.

    Of units that are only graded, those on which one of the two is better.
    """

    table: OutcomeTable
    systems: tuple[str, str]
    rows: IntArray
    kinds: tuple[str, ...]

    def units(self) -> Iterator[Disagreement]:
        """The units, one after the other."""
        places = [self.table.system(name) for name in self.systems]
        called = _answers(self.table, self.rows, places)
        for kind, unit, (before, after) in zip(self.kinds, self._shown(), called, strict=True):
            gold, one, other = (_told(unit, side) for side in _sides(unit))
            yield Disagreement(
                unit.document,
                unit.sentence + 1,
                unit.line or None,
                unit.text,
                gold,
                one,
                other,
                kind,
                before,
                after,
                " ".join(unit.words),
                self.systems,
            )

    def records(self) -> Listing:
        """One row per unit, for spreadsheets."""
        rows = tuple(unit.cells() for unit in self.units())
        return Listing("disagreements", tuple(map(Column, _COLUMNS)), rows)

    def _shown(self) -> Iterator[Unit]:
        return Shown(self.table, self.rows, len(self.rows), "", self.systems, "", ()).units()

    def marked(self) -> Corpus:
        """The sentences that change, with gold and both answers of changed units as spans.

        Their labels tell whose they are: ``gold.LOC``, ``crf.PER``; those of words have the head,
        ``crf.obj(saw-2)``, those of mentions the antecedent with its sentence and first word,
        ``crf.pronoun_→_the_queen(3:5)``. A zero is drawn on the word behind it, or on the last one.
        """
        corpus = self.table.corpus
        if not right_or_wrong(self.table):
            raise UsageError("graded answers are numbers: write them to .tsv or .jsonl")
        if corpus.tokens is None:
            raise UsageError("there is no text to put the answers on: the files hold no words")
        if not len(self.rows):
            raise UsageError("the two answer all units alike, so there is nothing to write")
        kept = np.unique(self.table.sentence[self.rows])
        words = [corpus.sentence(sentence) for sentence in kept.tolist()]
        spans = Spans.of(
            (place, min(tokens), max(tokens) + 1, label, tokens)
            for place, tokens, label in sorted(self._spans(kept.tolist()))
        )
        made = replace(Corpus.of(words, source="disagreements"), spans=spans)
        if corpus.documents is None:
            return made
        numbers, documents = np.unique(corpus.documents[kept], return_inverse=True)
        ids = corpus.document_ids or [str(number + 1) for number in range(corpus.n_documents)]
        names = tuple(ids[number] for number in numbers.tolist())
        return replace(made, documents=documents.astype(np.int32), document_ids=names)

    def _spans(self, kept: list[int]) -> set[tuple[int, tuple[int, ...], str]]:
        """Place of the sentence, tokens and label of every side of changed units, each once."""
        place = {sentence: number for number, sentence in enumerate(kept)}
        owners = _owners(self.systems)
        return {
            (place[unit.sentence], _drawn(unit, side), f"{owner}.{_SPACE.sub('_', _in_full(side))}")
            for unit in self._shown()
            for owner, side in zip(owners, _sides(unit), strict=True)
            if side is not None
        }


def disagreements(table: OutcomeTable, a: str, b: str) -> Disagreements:
    """All units that system ``b`` answers otherwise than system ``a``."""
    places = [table.system(a), table.system(b)]
    if not right_or_wrong(table):
        rows, gains = changed_values(table, *places)
        kinds = tuple("gain" if gain > 0 else "loss" for gain in gains)
        return Disagreements(table, (a, b), rows, kinds)
    codes = change(*stances(table, places))
    rows = np.flatnonzero(codes >= 0)
    return Disagreements(table, (a, b), rows, tuple(CHANGES[code] for code in codes[rows]))


def _answers(table: OutcomeTable, rows: IntArray, systems: list[int]) -> Iterator[list[str]]:
    """What a comparison calls the answers of systems, or their values."""
    if right_or_wrong(table):
        codes, names, _ = named(table)
        yield from ([names[code] for code in codes[row, systems]] for row in rows)
        return
    for values in value_of(table).matrix[rows][:, systems].tolist():
        yield [f"{value:.10g}" for value in values]


def _sides(unit: Unit) -> tuple[Mark | None, Mark | None, Mark | None]:
    """Gold and both answers; of a unit that is not gold, the gold unit it was matched with."""
    one, other = (answer.pair.answer for answer in unit.answers)
    golds = (answer.pair.gold for answer in unit.answers)
    gold = unit.mark if unit.is_gold else next(filter(None, golds), None)
    return gold, one, other


def _told(unit: Unit, side: Mark | None) -> str | None:
    """The label, with the words if they are not the unit's."""
    if side is None or side.tokens == unit.mark.tokens or not unit.words:
        return side and side.told
    words = (unit.words[token] for token in side.tokens if token < len(unit.words))
    return " ".join([side.label, *words])


def _drawn(unit: Unit, side: Mark) -> tuple[int, ...]:
    """The words of a side, for one without any the word behind it or the last one."""
    return side.tokens or (min(side.before, len(unit.words) - 1),)


def _in_full(side: Mark) -> str:
    """What is told of a side, with the place of its antecedent: equal words may be two things."""
    goal = side.antecedent
    if goal is None:
        return side.told
    return f"{side.told}({':'.join(map(str, (goal.sentence, *goal.tokens[:1])))})"


def _owners(systems: tuple[str, str]) -> list[str]:
    """Names without white space, all different, for gold and both systems."""
    owners = ["gold"]
    for name in systems:
        owner = _SPACE.sub("_", name)
        while owner in owners:
            owner += "_"
        owners.append(owner)
    return owners
