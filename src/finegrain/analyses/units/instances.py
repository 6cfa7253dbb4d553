"""The units behind the numbers: gold and answer in their sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from finegrain.corpus import IntArray
from finegrain.table import OutcomeTable
from finegrain.table.marks import Mark, Pair


@dataclass(frozen=True, slots=True)
class Instance:
    """One system's outcome on one unit, with the sentence around it.

    ``gold`` is missing where the unit is not gold, ``answer`` where it has none.
    """

    system: str
    outcome: str
    sentence: int
    words: tuple[str, ...]
    gold: Mark | None
    answer: Mark | None
    line: int

    def to_json(self) -> dict[str, Any]:
        """Sentences and tokens count from 1."""
        return {
            "outcome": self.outcome,
            "sentence": self.sentence + 1,
            "line": self.line or None,
            "gold": self.gold.to_json() if self.gold else None,
            "answer": self.answer.to_json() if self.answer else None,
            "words": list(self.words),
        }


def instances(table: OutcomeTable, *, per_type: int) -> tuple[Instance, ...]:
    """Examples of every error type of every system, spread evenly over the corpus."""
    found: list[Instance] = []
    for system in range(table.n_systems):
        for outcome in table.outcomes.errors:
            rows = np.flatnonzero(table.outcome[:, system] == table.outcomes.code(outcome.name))
            found += (instance(table, int(row), system) for row in spread(rows, per_type))
    return tuple(found)


def spread(rows: IntArray, count: int) -> IntArray:
    """Up to ``count`` of the rows, at even distances."""
    if len(rows) <= count:
        return rows
    chosen: IntArray = rows[((np.arange(count) + 0.5) * len(rows) / count).astype(int)]
    return chosen


def pair(table: OutcomeTable, row: int, system: int) -> Pair:
    """Gold and answer of one unit and one system: the unit itself, and what it was matched with."""
    if table.task.pair is not None:
        found: Pair = table.task.pair(table, row, system)
        return found
    answer = int(table.answer[row, system])
    unit = mark(table, row)
    if not table.answers_are_rows:
        return Pair(unit, Mark(table.labels[answer], unit.tokens) if answer >= 0 else None)
    outcome = table.outcomes.every[table.outcome[row, system]]
    if outcome is table.outcomes.correct:
        return Pair(unit, unit)
    partner = mark(table, answer) if answer >= 0 else None
    if table.is_gold[row]:
        return Pair(unit, partner)
    return Pair(partner, None if outcome.absent else unit)


def mark(table: OutcomeTable, row: int) -> Mark:
    """Label and tokens of a unit, and what else the task tells of it."""
    if table.task.mark is not None:
        found: Mark = table.task.mark(table, row)
        return found
    return Mark(table.labels[table.label[row]], table.tokens(row))


def instance(table: OutcomeTable, row: int, system: int) -> Instance:
    """What one system did with one unit."""
    sentence = int(table.sentence[row])
    gold, answer = pair(table, row, system)
    return Instance(
        table.systems[system],
        table.outcomes.names[table.outcome[row, system]],
        sentence,
        tuple(table.corpus.sentence(sentence)),
        gold,
        answer,
        int(table.lines(np.array([row]))[0]),
    )
