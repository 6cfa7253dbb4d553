"""Kinds of errors in sentences: outcomes, or the labels that tokens are given wrongly.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = error_kinds(fg.error_types(fg.align(*small_corpora("tags"))))
>>> found.words[0], found.counts[:, 0].tolist(), found.behind(0, 1)
('tokens wrongly tagged ADJ', [0, 0], {'answer.1': 'ADJ', 'outcome.1': 'WRONG'})

A token has no other error than a wrong tag, so what it is taken for tells the errors apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.reports.finding import label_words
from finegrain.analyses.scores.error_types import ErrorTypes
from finegrain.analyses.units.evidence import Evidence, any_of
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import answered

_WORDS = {
    "FN": "missed {units}",
    "FP": "invented {units}",
    "BES": "spans that are too short",
    "BEL": "spans that are too long",
    "BEO": "crossing spans",
    "LE": "wrong labels",
    "LBE": "wrong labels on wrong boundaries",
    "WL": "{units} linked to the wrong antecedent",
    "LABEL": "wrong relations to the right head",
    "HEAD": "wrong heads",
    "BOTH": "wrong heads with wrong relations",
    "NO_WORD": "words that it does not have",
}


class ErrorKinds(NamedTuple):
    """``names`` of kinds and what a sentence calls them; ``counts`` ``[system, kind]``."""

    names: tuple[str, ...]
    words: tuple[str, ...]
    counts: NDArray[np.int64]
    told_by: Literal["outcome", "answer"]

    @property
    def several(self) -> bool:
        """Whether they tell more than the labels: of two, each is mistaken for the other."""
        return self.told_by == "outcome" or len(self.names) > 2

    def errors(self, kind: int, system: int) -> Evidence:
        """The errors of a kind that a system makes."""
        return Evidence.of(int(self.counts[system, kind]), self.behind(kind, system))

    def behind(self, kind: int, system: int) -> dict[str, str | int]:
        """Conditions on the units of a kind of errors of a system."""
        name = self.names[kind]
        if self.told_by == "answer":
            return {f"answer.{system}": name, f"outcome.{system}": "WRONG"}
        return {f"outcome.{system}": name}

    def other_than(self, some: Iterable[int], system: int) -> dict[str, str | int]:
        """Conditions on the errors of a system that are none of some kinds, told by answers."""
        names = any_of(self.names[kind] for kind in some)
        return {f"other_than.{system}": names, f"outcome.{system}": "WRONG"}

    def rows(self, table: OutcomeTable, kind: int, system: int) -> NDArray[np.bool_]:
        """``[unit]`` whether a system makes an error of the kind there."""
        if self.told_by == "outcome":
            return table.is_outcome(self.names[kind])[:, system]
        given = answered(table)[:, system] == table.labels.index(self.names[kind])
        return np.asarray(given & table.is_outcome("WRONG")[:, system])


def error_kinds(errors: ErrorTypes) -> ErrorKinds:
    """The kinds of errors of a task."""
    if errors.task.name == "tags":
        wrong, every = errors.counts.copy(), np.arange(len(errors.labels))
        wrong[every, :, every] = 0
        words = tuple(f"tokens wrongly tagged {label_words(label)}" for label in errors.types)
        return ErrorKinds(errors.types, words, wrong.sum(axis=0), "answer")
    names, units = errors.types[1:], errors.task.words.units
    words = tuple(_WORDS.get(name, name.lower()).format(units=units) for name in names)
    return ErrorKinds(names, words, errors.counts.sum(axis=0)[:, 1:], "outcome")
