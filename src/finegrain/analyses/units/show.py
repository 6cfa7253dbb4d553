"""The units themselves: each once, in its sentence, with what every system made of it.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> shown = fg.show(fg.align(*small_corpora("spans")), "text~Royal and gold!=none")
>>> shown.found
1
>>> unit = next(shown.units())
>>> unit.text, [(answer.system, answer.outcome) for answer in unit.answers]
('Royal Society of London', [('short', 'BES'), ('mixed', 'BES')])

Units come one after the other and are made when they are looked at, so that a selection of
millions costs its row numbers. A unit that is not gold and that none of the shown systems has is
not shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import Printed, number
from finegrain.analyses.selection.selecting import label_notes, selected
from finegrain.analyses.signature import signature
from finegrain.analyses.units.instances import mark, pair
from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.plugins import Late
from finegrain.table import OutcomeTable, Task
from finegrain.table.marks import Excerpt, Lists, Mark, Pair, Piece
from finegrain.table.verdicts import listed, value

PIECES = Late("finegrain.alignment.word_diff:pieces")


@dataclass(frozen=True, slots=True)
class Answer:
    """What one system did with a unit; ``pair`` is the gold and the system's side of it.

    ``value``: of graded units, nan where it is undefined, and as it is ``written``. ``pieces``: of
    an output in words, beside the gold text.
    """

    system: str
    outcome: str
    correct: bool
    pair: Pair
    value: float | None = None
    written: str = ""
    pieces: tuple[Piece, ...] | None = None

    @property
    def told(self) -> str:
        """``BES LOC``: the outcome, and the label of the answer if there is one; a grade."""
        if self.value is not None:
            return self.written
        return f"{self.outcome} {self.pair.answer.told}" if self.pair.answer else self.outcome

    def to_json(self) -> dict[str, Any]:
        graded = {} if self.value is None else {"value": number(self.value)}
        return {
            "outcome": self.outcome,
            "gold": _mark_json(self.pair.gold),
            "answer": _mark_json(self.pair.answer),
            **graded,
            **_pieces_json(self.pieces),
        }


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit in its sentence; ``sentence`` counts from 0, ``line`` is 0 without a file.

    ``document`` is its name or its number from 1; ``None`` without documents. ``excerpt``: of a
    longer text that the unit is about. ``between``: of two systems that write, the second output
    beside the first one.
    """

    sentence: int
    document: str | int | None
    line: int
    words: tuple[str, ...]
    text: str
    mark: Mark
    is_gold: bool
    answers: tuple[Answer, ...]
    excerpt: Excerpt | None = None
    lists: Lists | None = None
    between: tuple[Piece, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """Fields as selections name them; sentences and tokens count from 1."""
        return {
            "document": self.document,
            "sentence": self.sentence + 1,
            "line": self.line or None,
            "text": self.text,
            **self.mark.to_json(),
            "gold": self.mark.label if self.is_gold else None,
            "systems": {answer.system: answer.to_json() for answer in self.answers},
            "words": list(self.words),
            **({} if self.lists is None else {"lists": self.lists.to_json()}),
            **_pieces_json(self.between, "between"),
        }


def _mark_json(one: Mark | None) -> dict[str, Any] | None:
    return one.to_json() if one else None


def _pieces_json(given: tuple[Piece, ...] | None, name: str = "pieces") -> dict[str, Any]:
    return {} if given is None else {name: [one._asdict() for one in given]}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Shown(Printed):
    """Rows of a table to look at, ``rows``, of ``found`` that the selection ``where`` holds for."""

    table: OutcomeTable
    rows: IntArray
    found: int
    where: str
    systems: tuple[str, ...]
    signature: str
    notes: tuple[str, ...]

    @property
    def task(self) -> Task:
        return self.table.task

    def units(self) -> Iterator[Unit]:
        """The units, one after the other."""
        table, corpus = self.table, self.table.corpus
        columns = [table.system(name) for name in self.systems]
        lines = table.lines(self.rows)
        sentences = table.sentence[self.rows].tolist()
        words: tuple[str, ...] = ()
        of = -1  # the sentence of the words
        for row, line, sentence in zip(self.rows.tolist(), lines.tolist(), sentences, strict=True):
            if sentence != of:
                of, words = sentence, tuple(corpus.sentence(sentence))
            yield _unit(table, row, line, words, columns)

    def to_json(self) -> dict[str, Any]:
        return {
            "where": self.where or None,
            "found": self.found,
            "units": [unit.to_json() for unit in self.units()],
        }

    def listings(self) -> tuple[Listing, ...]:
        """The same; units that are their own context are told by their number."""
        found, words = self.records(), self.task.words
        if words.context:
            return (found,)
        kept = [at for at, column in enumerate(found.columns) if column.name != "tokens"]
        columns = (found.columns[at] for at in kept)
        named = (
            replace(one, name=words.unit) if one.name == "sentence" else one for one in columns
        )
        rows = tuple(tuple(row[at] for at in kept) for row in found.rows)
        return (Listing(words.units, tuple(named), rows),)

    def records(self) -> Listing:
        """One row per unit, for spreadsheets."""
        spans = self.table.task.open
        kinds = ("outcome", "answer", "answer_text") if spans else ("outcome", "answer")
        graded = (self.table.task.value,) if self.table.task.value else ()
        columns = [Column(name) for name in ("document", "sentence", "line", "tokens")]
        columns += [Column(name) for name in ("text", "label", "gold")]
        columns += [
            Column(f"{kind}[{name}]") for name in self.systems for kind in (*kinds, *graded)
        ]
        rows = tuple(_record(unit, len(kinds)) for unit in self.units())
        return Listing("units", (*columns, Column("words")), rows)


def show(
    table: OutcomeTable,
    where: str = "",
    *,
    systems: Sequence[str] | None = None,
    limit: int | None = None,
) -> Shown:
    """The units that a selection holds for; all units without one.

    Parameters
    ----------
    where: such as ``gold=PER and outcome[a]!=TP``; it may speak of all systems of the table
    systems: whose answers to show; default: all
    limit: number of units to show, from the first
    """
    if limit is not None and limit < 0:
        raise UsageError(f"the limit must not be negative: {limit}")
    names = tuple(dict.fromkeys(table.systems if systems is None else systems))
    columns = [table.system(name) for name in names]
    chosen: NDArray[np.bool_] = selected(table, where) if where else np.ones(len(table), bool)
    rows = np.flatnonzero(chosen & listed(table, columns))
    notes = label_notes(table, where) if where else ()
    choices = {"where": where} if where else {}
    return Shown(
        table,
        rows[:limit],
        len(rows),
        where,
        names,
        signature(table, **choices),
        (*table.notes, *notes),
    )


def _unit(
    table: OutcomeTable, row: int, line: int, words: tuple[str, ...], systems: list[int]
) -> Unit:
    sentence = int(table.sentence[row])
    outcomes = [table.outcomes.names[table.outcome[row, system]] for system in systems]
    graded = value(table) if table.task.value else None
    write = PIECES if table.task.drawn_beside else None
    values = [None if graded is None else float(graded.matrix[row, one]) for one in systems]
    return Unit(
        sentence,
        table.corpus.document_of(sentence),
        line,
        words,
        table.text(row),
        mark(table, row),
        bool(table.is_gold[row]),
        tuple(
            Answer(
                table.systems[system],
                outcome,
                outcome == table.outcomes.correct.name,
                pair(table, row, system),
                at,
                "" if graded is None or at is None else graded.scale.written(at),
                None if write is None else write(table, row, system),
            )
            for system, outcome, at in zip(systems, outcomes, values, strict=True)
        ),
        None if table.task.excerpt is None else table.task.excerpt(table, row),
        None if table.task.lists is None else table.task.lists(table.only(systems), row),
        write(table, row, systems[1], systems[0]) if write and len(systems) == 2 else None,
    )


def _record(unit: Unit, width: int) -> tuple[Cell, ...]:
    cells: list[Cell] = [unit.document, unit.sentence + 1, unit.line or None]
    cells += [" ".join(str(token + 1) for token in unit.mark.tokens), unit.text, unit.mark.label]
    cells.append(unit.mark.told if unit.is_gold else None)
    for answer in unit.answers:
        given = answer.pair.answer
        told = (answer.outcome, given and given.told, _words(unit, given))
        cells += told[:width]
        cells += () if answer.value is None else (number(answer.value),)
    return (*cells, " ".join(unit.words))


def _words(unit: Unit, one: Mark | None) -> str | None:
    if one is None or not unit.words:
        return None
    if one == unit.mark:
        return unit.text
    return " ".join(unit.words[token] for token in one.tokens if token < len(unit.words))
