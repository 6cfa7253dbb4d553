"""Kinds of errors in sentences and figures: outcomes, or the labels that units are given wrongly.

>>> import finegrain as fg
>>> from finegrain.analyses.selection.expressions import written
>>> from finegrain.testing import small_corpora
>>> found = error_kinds(fg.error_types(fg.align(*small_corpora("tags"))))
>>> found[0].phrase, found.counts[:, 0].tolist()
('tokens wrongly tagged ADJ', [0, 0])
>>> written(found[0].behind(found.systems[1]))
'answer[mixed]=ADJ and outcome[mixed]=WRONG'

Where an answer is a label and nothing else, what a unit is taken for tells its errors apart; not
being answered is a kind of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.evidence import Evidence, answers, other_answers, outcomes
from finegrain.analyses.reports.finding import label_words
from finegrain.analyses.scores.error_types import ErrorTypes
from finegrain.analyses.selection.expressions import Expression, all_of
from finegrain.table import OutcomeTable
from finegrain.table.outcomes import Outcome
from finegrain.table.task import Task
from finegrain.table.verdicts import answered

_ANSWER = "{answer}"  # where a phrase names the label answered


class ErrorKind(NamedTuple):
    """``said`` in figures, ``phrase``: several in a sentence; ``outcomes`` that are of this kind.

    ``answer``: the label that the units are given, where that tells the kind.
    """

    said: str
    phrase: str
    outcomes: tuple[Outcome, ...]
    answer: str | None = None

    def behind(self, system: str) -> Expression:
        """The selection of such errors of a system."""
        given = [answers(system, self.answer)] if self.answer is not None else []
        return all_of(*given, outcomes(system, [outcome.name for outcome in self.outcomes]))

    @property
    def by_label(self) -> bool:
        """Whether these are right but for their label, of which ``confusions`` tells (spans)."""
        return any(one.role == "label" and one.produced == "extra" for one in self.outcomes)

    def rows(self, table: OutcomeTable, system: int) -> NDArray[np.bool_]:
        """``[unit]`` whether a system makes such an error there."""
        found = table.is_outcome(*(one.name for one in self.outcomes))[:, system]
        if self.answer is None:
            return found
        return np.asarray(found & (answered(table)[:, system] == table.labels.index(self.answer)))


@dataclass(frozen=True, slots=True, eq=False)
class ErrorKinds:
    """Kinds of errors of a task; ``counts`` ``[system, kind]``."""

    systems: tuple[str, ...]
    every: tuple[ErrorKind, ...]
    counts: NDArray[np.int64]

    def __getitem__(self, kind: int) -> ErrorKind:
        return self.every[kind]

    @property
    def by_answer(self) -> bool:
        """Whether answers tell them apart."""
        return any(one.answer is not None for one in self.every)

    @property
    def several(self) -> bool:
        """Whether they tell more than the labels: of two, each is mistaken for the other."""
        return not self.by_answer or len(self.every) > 2

    def codes(self, table: OutcomeTable) -> NDArray[np.int64]:
        """``[unit, system]`` the kind of the error that a system makes there, -1 for none."""
        found = np.full(table.outcome.shape, -1, np.int64)
        given = answered(table) if self.by_answer else None
        for place, one in enumerate(self.every):
            rows = table.is_outcome(*(outcome.name for outcome in one.outcomes))
            if given is not None and one.answer is not None:
                rows &= given == table.labels.index(one.answer)
            found[rows] = place
        return found

    def errors(self, kind: int, system: int) -> Evidence:
        """The errors of a kind that a system makes."""
        where = self.every[kind].behind(self.systems[system])
        return Evidence.of(int(self.counts[system, kind]), where)

    def other_than(self, some: Iterable[int], system: str) -> Expression:
        """The selection of errors of a system with an answer that none of some kinds has."""
        kinds = [self.every[kind] for kind in some]
        names = [kind.answer for kind in kinds if kind.answer is not None]
        wrong = next(kind.outcomes for kind in self.every if kind.answer is not None)
        errors = outcomes(system, [outcome.name for outcome in wrong])
        return all_of(other_answers(system, names), errors)


def error_kinds(errors: ErrorTypes) -> ErrorKinds:
    """The kinds of errors of a task."""
    task, size = errors.task, len(errors.labels)
    if not task.errs_by_answer:
        places = [at for at, name in enumerate(errors.types) if not task.outcomes[name].right]
        kinds = tuple(_by_outcome(task, task.outcomes[errors.types[at]]) for at in places)
        return ErrorKinds(errors.systems, kinds, errors.counts.sum(axis=0)[:, places])
    wrong, every = errors.counts.copy(), np.arange(size)
    wrong[every, :, every] = 0
    given = tuple(one for one in task.outcomes.errors if one.produced != "never")
    kinds = tuple(_by_answer(task, label, given) for label in errors.labels)
    silent = tuple(one for one in task.outcomes.errors if one.produced == "never")
    if silent:  # behind the labels
        kinds += (_by_outcome(task, silent[0])._replace(outcomes=silent),)
    return ErrorKinds(errors.systems, kinds, wrong.sum(axis=0)[:, : len(kinds)])


def _by_outcome(task: Task, one: Outcome) -> ErrorKind:
    return ErrorKind(one.wording, one.phrase or f"{task.words.units} {one.wording}", (one,))


def _by_answer(task: Task, label: str, given: tuple[Outcome, ...]) -> ErrorKind:
    phrases = (one.phrase for one in given if _ANSWER in one.phrase)
    phrase = next(phrases, f"{task.words.units} wrongly answered {_ANSWER}")
    return ErrorKind(label, phrase.replace(_ANSWER, label_words(label)), given, label)
