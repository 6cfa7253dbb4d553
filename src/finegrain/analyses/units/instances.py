"""The units behind the numbers: gold and answer in their sentence.

Words have their heads with them, mentions their antecedents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from finegrain.alignment.antecedents import NOUN, antecedents
from finegrain.alignment.coreference import chain_column, met_column
from finegrain.alignment.dependencies import ABSENT_WORD
from finegrain.corpus import IntArray
from finegrain.corpus.trees import HEAD, NOWHERE, ROOT
from finegrain.table import OutcomeTable


class Head(NamedTuple):
    """The word that another depends on: its number in the sentence (0: the root), and its text.

    It has no number where it is no word of the gold text. ``sentence``: the number of its sentence,
    from 1, where that is another one than the sentence of the word.
    """

    token: int | None
    text: str
    sentence: int | None = None

    @property
    def told(self) -> str:
        """Text and number, and the sentence if it is another one.

        >>> Head(2, "saw").told, Head(2, "saw", sentence=7).told
        ('saw-2', 'saw-2, sentence 7')
        """
        told = self.text if self.token is None else f"{self.text}-{self.token}"
        return told if self.sentence is None else f"{told}, sentence {self.sentence}"

    def to_json(self) -> dict[str, Any]:
        more = {} if self.sentence is None else {"sentence": self.sentence}
        return {"token": self.token, "text": self.text, **more}


class Antecedent(NamedTuple):
    """The mention that another goes back to: where it stands, from 1, and its words."""

    sentence: int
    tokens: tuple[int, ...]
    text: str


class Mark(NamedTuple):
    """A labelled stretch of a sentence; ``tokens`` count from 0.

    One without words stands before the token ``before``.
    """

    label: str
    tokens: tuple[int, ...]

    head: Head | None = None
    antecedent: Antecedent | None = None
    before: int = -1

    @property
    def told(self) -> str:
        """Its label and the word it depends on, ``obj(saw-2)``, or the mention it goes back to.

        >>> Mark("pronoun", (0,), antecedent=Antecedent(1, (4, 5), "the queen")).told
        'pronoun → the queen'
        """
        if self.antecedent is not None:
            return f"{self.label} → {self.antecedent.text}"
        return self.label if self.head is None else f"{self.label}({self.head.told})"

    def to_json(self) -> dict[str, Any]:
        more: dict[str, Any] = {} if self.head is None else {"head": self.head.to_json()}
        if self.antecedent is not None:
            more["antecedent"] = self.antecedent._asdict()
        return {"label": self.label, "tokens": [token + 1 for token in self.tokens], **more}


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
        for code, name in enumerate(table.outcomes.names):
            if name in (table.outcomes.correct.name, "USED", "ABSENT"):
                continue
            rows = np.flatnonzero(table.outcome[:, system] == code)
            found += (instance(table, int(row), system) for row in spread(rows, per_type))
    return tuple(found)


def spread(rows: IntArray, count: int) -> IntArray:
    """Up to ``count`` of the rows, at even distances."""
    if len(rows) <= count:
        return rows
    chosen: IntArray = rows[((np.arange(count) + 0.5) * len(rows) / count).astype(int)]
    return chosen


class Pair(NamedTuple):
    """What the gold standard has and what a system has; either may have nothing."""

    gold: Mark | None
    answer: Mark | None


def pair(table: OutcomeTable, row: int, system: int) -> Pair:
    """Gold and answer of one unit and one system: the unit itself, and what it was matched with."""
    answer = int(table.answer[row, system])
    unit = mark(table, row)
    if not table.task.open:
        if answer < 0:
            return Pair(unit, None)
        return Pair(
            unit, Mark(table.labels[answer], unit.tokens, _answered_head(table, row, system))
        )
    outcome = table.outcomes.names[table.outcome[row, system]]
    if table.task.name == "coreference":
        return _linked_pair(table, row, system, outcome)
    if outcome == table.outcomes.correct.name:
        return Pair(unit, unit)
    partner = mark(table, answer) if answer >= 0 else None
    if table.is_gold[row]:
        return Pair(unit, partner)
    return Pair(partner, None if outcome == "ABSENT" else unit)


def _linked_pair(table: OutcomeTable, row: int, system: int, outcome: str) -> Pair:
    """A mention with its antecedent in the gold standard, and with that of a system.

    Of the antecedents of a mention that is right, the closest right one.
    """
    answer = int(table.answer[row, system])
    name = table.systems[system]
    columns = [chain_column(name)]
    if outcome == table.outcomes.correct.name and table.settings.get("antecedent", "any") == "any":
        met = met_column(name)
        columns.append(met if met in table.columns else "chain")
    if table.is_gold[row] or (outcome == "FP" and answer >= 0):
        given = _linked(table, answer, *columns) if answer >= 0 else None
        return Pair(_in_gold(table, row), given)
    gold = _in_gold(table, answer) if answer >= 0 else None
    return Pair(gold, None if outcome == "ABSENT" else _linked(table, row, *columns))


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


def mark(table: OutcomeTable, row: int) -> Mark:
    """Label and tokens of a unit; of a mention, its antecedent in the gold standard."""
    if table.task.name == "coreference" and "chain" in table.columns:
        return _linked(table, row, "chain")
    return Mark(table.labels[table.label[row]], table.tokens(row), _gold_head(table, row))


def _gold_head(table: OutcomeTable, row: int) -> Head | None:
    if table.task.name != "dependencies":
        return None
    sentence = int(table.sentence[row])
    first = int(table.corpus.offsets[sentence])
    written = table.corpus.layers[HEAD][first + int(table.begin[row])]
    number = int(written) if written.isdecimal() else -1
    if not 0 <= number <= int(table.corpus.offsets[sentence + 1]) - first:
        return _head(table, sentence, NOWHERE)  # of an annotator whose tree is not complete
    return _head(table, sentence, first + number - 1 if number else ROOT)


def _answered_head(table: OutcomeTable, row: int, system: int) -> Head | None:
    if "head" not in table.details:
        return None
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
