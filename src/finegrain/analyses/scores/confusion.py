"""Which label is taken for which.

For spans the cells are fair events: the diagonal holds boundary errors (label right), the others
labelling and labelling-boundary errors, the margins what was missed and invented (Ortmann 2022).
Correct spans are not entered. For tags the diagonal holds the correct tokens, for dependencies the
words with the right relation, whatever their head.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> gold = Corpus.of([["a", "b"]], tags=[["N", "V"]])
>>> system = Corpus.of([["a", "b"]], tags=[["N", "N"]])
>>> confusion(align(gold, {"s": system})).to_json()
{'s': {'N': {'N': 1, 'V': 0}, 'V': {'N': 1, 'V': 0}}}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.listing import Column, Listing
from finegrain.analyses.result import Printed
from finegrain.analyses.scores.error_types import SPAN_ERRORS
from finegrain.analyses.signature import signature
from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable, Task
from finegrain.table.verdicts import require_answers

NONE = "_"
MISSED, SPURIOUS = "MISSED", "SPURIOUS"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Confusion(Printed):
    """Counts ``[system, gold label, answered label]``; for spans the last label is none."""

    task: Task
    systems: tuple[str, ...]
    labels: tuple[str, ...]
    counts: NDArray[np.int64]
    signature: str
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        names = self._names(NONE)
        return {
            system: {
                gold: {
                    answer: int(self.counts[place, row, column])
                    for column, answer in enumerate(names)
                }
                for row, gold in enumerate(names)
            }
            for place, system in enumerate(self.systems)
        }

    def listings(self) -> tuple[Listing, ...]:
        rows_named, columns_named = self._names(SPURIOUS, MISSED), self._names(MISSED, SPURIOUS)
        note = "rows gold, columns answer"
        if self.task.name == "spans":
            note += "; the diagonal is boundary errors, correct spans are not entered"
        return tuple(
            Listing(
                f"{system}: confusion",
                (Column("gold \\ answer"), *(Column(name, "count") for name in columns_named)),
                tuple(
                    (name, *(int(value) for value in self.counts[place, row]))
                    for row, name in enumerate(rows_named)
                ),
                note,
            )
            for place, system in enumerate(self.systems)
        )

    def records(self) -> Listing:
        names = self._names(NONE)
        return Listing(
            "confusion",
            (Column("system"), Column("gold"), Column("answer"), Column("count", "count")),
            tuple(
                (system, gold, answer, int(self.counts[place, row, column]))
                for place, system in enumerate(self.systems)
                for row, gold in enumerate(names)
                for column, answer in enumerate(names)
            ),
        )

    def _names(self, none: str, *others: str) -> tuple[str, ...]:
        """The labels and, of spans, a name for none, which no label has."""
        if self.task.name != "spans":
            return self.labels
        return (*(_apart(label, none, *others) for label in self.labels), none)


def _apart(label: str, *taken: str) -> str:
    r"""A label as it is written beside names that mean something else.

    >>> _apart("PER", "_"), _apart("_", "_")
    ('PER', '\\_')
    """
    return f"\\{label}" if label.lstrip("\\") in taken else label


def _said_of(table: OutcomeTable) -> list[str]:
    """Labels that are written in another way."""
    if table.task.name != "spans":
        return []
    own = (NONE, MISSED, SPURIOUS)
    return [
        f"the label {label} is written {_apart(label, *own)} beside {label}, which is no label"
        for label in table.labels
        if label in own
    ]


def confusion(table: OutcomeTable) -> Confusion:
    """Count gold labels against answered labels."""
    size = table.n_labels + (table.task.name == "spans")
    counts = np.empty((table.n_systems, size, size), np.int64)
    for system in range(table.n_systems):
        found = events(table, system)
        pairs = found.gold.astype(np.int64) * size + found.answer
        counts[system] = np.bincount(pairs, minlength=size * size).reshape(size, size)
    notes = (*table.notes, *_said_of(table))
    return Confusion(table.task, table.systems, table.labels, counts, signature(table), notes)


class Events(NamedTuple):
    """What is counted of one system: units of the table, and the codes of both labels."""

    rows: IntArray
    gold: IntArray
    answer: IntArray


def events(table: OutcomeTable, system: int) -> Events:
    """Every token; of spans every fair event, with the code behind the last label for none."""
    require_answers(table)
    if table.task.name == "coreference":
        raise UsageError("mentions have no labels to confuse: finegrain errors has their outcomes")
    if table.task.name != "spans":
        return Events(np.arange(len(table)), table.label, table.answer[:, system])
    rows = np.flatnonzero(table.is_outcome(*SPAN_ERRORS)[:, system])
    label = np.append(table.label, table.n_labels).astype(np.int64)  # the last place serves -1
    own, other = label[rows], label[table.answer[rows, system]]
    gold_row = table.is_gold[rows]
    return Events(rows, np.where(gold_row, own, other), np.where(gold_row, other, own))
