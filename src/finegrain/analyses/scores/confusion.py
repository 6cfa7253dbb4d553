"""Which label is taken for which.

Where systems find units, as of spans, the cells are errors, each counted once: the diagonal holds
those whose label is right, of spans the boundary errors; the margins what was missed and invented
(Ortmann 2022). What is right is not entered. Where every unit asks for a label, the diagonal holds
the units with the right one: of tags the correct tokens, of dependencies the words with the right
relation, whatever their head. What is not answered has a column of its own.

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
from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Printed
from finegrain.analyses.signature import signature
from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable, Task
from finegrain.table.verdicts import charged, labelled, require_answers, unanswered

NONE = "_"
MISSED, SPURIOUS = "MISSED", "SPURIOUS"
_READ = "rows gold, columns answer"


class NoLabel(NamedTuple):
    """What a table calls the column of what has no answer, and the row of what is not gold.

    Without a name for the row, every unit is gold.
    """

    missed: str
    invented: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Confusion(Printed):
    """Counts ``[system, gold label, answered label]``; with ``none``, the last label is none.

    ``none``: what rows and columns without a label are called.
    """

    task: Task
    systems: tuple[str, ...]
    labels: tuple[str, ...]
    counts: NDArray[np.int64]
    signature: str
    notes: tuple[str, ...]
    none: NoLabel | None = None

    def to_json(self) -> dict[str, Any]:
        names = self._names(NONE)
        return {
            system: {
                gold: {
                    answer: int(self.counts[place, row, column])
                    for column, answer in enumerate(names)
                }
                for row, gold in enumerate(self._rows(names))
            }
            for place, system in enumerate(self.systems)
        }

    def listings(self) -> tuple[Listing, ...]:
        none = self.none or NoLabel("", "")
        rows_named = self._rows(self._names(none.invented, none.missed))
        columns_named = self._names(none.missed, none.invented)
        note = "; ".join(filter(None, (_READ, self.task.notes.get("confusion"))))
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
                for row, gold in enumerate(self._rows(names))
                for column, answer in enumerate(names)
            ),
        )

    def _names(self, none: str, *others: str) -> tuple[str, ...]:
        """The labels and, if there is one, a name for none, which no label has."""
        if self.none is None:
            return self.labels
        taken = list(filter(None, (none, *others)))
        return (*(_apart(label, *taken) for label in self.labels), none)

    def _rows(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The same without none, where nothing can be invented."""
        return names if self.none is None or self.none.invented else names[:-1]


def _apart(label: str, *taken: str) -> str:
    r"""A label as it is written beside names that mean something else.

    >>> _apart("PER", "_"), _apart("_", "_")
    ('PER', '\\_')
    """
    return f"\\{label}" if label.lstrip("\\") in taken else label


def _said_of(labels: tuple[str, ...], none: NoLabel | None) -> list[str]:
    """Labels that are written in another way."""
    if none is None:
        return []
    own = (NONE, *filter(None, none))
    return [
        f"the label {label} is written {_apart(label, *own)} beside {label}, which is not a label"
        for label in labels
        if label in own
    ]


def confusion(table: OutcomeTable, *, where: str = "") -> Confusion:
    """Count gold labels against answered labels.

    ``where``: only of the units that this holds for, ``label=PER``; they keep their partners.
    """
    table = restrict(table, where)
    none = _no_label(table)
    size = table.n_labels + (none is not None)
    counts = np.empty((table.n_systems, size, size), np.int64)
    for system in range(table.n_systems):
        found = events(table, system)
        pairs = found.gold.astype(np.int64) * size + found.answer
        counts[system] = np.bincount(pairs, minlength=size * size).reshape(size, size)
    notes = (*table.notes, *_said_of(table.labels, none))
    return Confusion(table.task, table.systems, table.labels, counts, signature(table), notes, none)


def _no_label(table: OutcomeTable) -> NoLabel | None:
    """What is called what has no label on one side; ``None`` where both sides always have one."""
    if table.task.open:
        return NoLabel(MISSED, SPURIOUS)
    none = unanswered(table)
    return None if none is None else NoLabel(none, "")


class Events(NamedTuple):
    """What is counted of one system: units of the table, and the codes of both labels."""

    rows: IntArray
    gold: IntArray
    answer: IntArray


def events(table: OutcomeTable, system: int) -> Events:
    """Every unit that asks for a label; where systems find units, every error.

    The code behind the last label is none.
    """
    require_answers(table)
    units = table.task.words.units
    if not table.task.confusable:
        raise UsageError(f"{units} have no labels to confuse: finegrain errors has their outcomes")
    if not table.answers_are_rows:
        return Events(np.arange(len(table)), table.label, labelled(table).codes[:, system])
    rows = np.flatnonzero(charged(table)[:, system])
    label = np.append(table.label, table.n_labels).astype(np.int64)  # the last place serves -1
    own, other = label[rows], label[table.answer[rows, system]]
    gold_row = table.is_gold[rows]
    return Events(rows, np.where(gold_row, own, other), np.where(gold_row, other, own))
