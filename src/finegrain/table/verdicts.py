"""Right or wrong, the same or changed: what every comparison asks of the table.

A system is right about a gold unit if its outcome is the correct one of the task. It is right about
any other unit if it does not have it, or is charged elsewhere for it. The outcomes themselves say
so (``Outcome.right``): everybody who asks for right or wrong reads them through this module.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> text = [["a", "b", "c"]]
>>> table = align(
...     Corpus.of(text, tags=[["N", "V", "N"]]),
...     {"one": Corpus.of(text, tags=[["N", "N", "V"]]),
...      "two": Corpus.of(text, tags=[["N", "V", "D"]])},
... )
>>> right(table).T.tolist()
[[True, False, False], [True, True, False]]
>>> changed(table, 0, 1).tolist()
[False, True, True]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.scale import RIGHT_OR_WRONG, Value

CHANGES = ("correction", "new_error", "changed_error")  # after Tuggener (2017)
RIGHT, CHARGED = -2, -3  # stances; answers are -1 and larger
NO_ANSWER = "(none)"  # what a comparison calls that a unit was not answered
EVERY = slice(None)
_BLOCK = 1 << 13  # units handled at once, so that they stay in the cache


def right(table: OutcomeTable, rows: slice = EVERY) -> NDArray[np.bool_]:
    """``[unit, system]`` whether the system is right about the unit; ``rows``: of some units."""
    good, outcome = _good(table), table.outcome[rows]
    if good.sum() == 1:
        only: NDArray[np.bool_] = outcome == np.uint8(good.argmax())
        return only
    verdict: NDArray[np.bool_] = good.take(outcome)
    return verdict


def value(table: OutcomeTable, name: str = "") -> Value:
    """What units are graded by: the named value, that of the task, or 1 for right and 0 for wrong.

    >>> from finegrain.tasks.items import from_matrix
    >>> value(from_matrix([[1, 0], [0, 0]])).matrix.tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    name = name or table.task.value
    if not name:
        return Value(RIGHT_OR_WRONG, right(table).astype(np.float64))
    if name not in table.values:
        raise UsageError.unknown("value", name, table.values)
    return table.values[name]


def right_or_wrong(table: OutcomeTable) -> bool:
    """Whether units are right or wrong; graded ones are if the scale says when one is solved."""
    return not table.task.value or value(table).scale.solved is not None


def gains(table: OutcomeTable, one: int, other: int, name: str = "") -> NDArray[np.float64]:
    """``[unit]`` how much better the second system does; nan where one of them is undefined."""
    found = value(table, name)
    return found.scale.gain(found.matrix[:, one], found.matrix[:, other])


def produced(table: OutcomeTable, rows: slice | IntArray = EVERY) -> NDArray[np.bool_]:
    """``[unit, system]`` whether the unit is in the system's output.

    For spans, exactly this span; for mentions, with an antecedent, be it a wrong one: one that
    stands for a gold mention with other boundaries is that one's; where every unit has an answer
    (tags), always.
    """
    own, other = table.outcomes.produced
    outcome = table.outcome[rows]
    if own.all() and other.all():
        return np.ones(outcome.shape, bool)
    has: NDArray[np.bool_] = np.where(table.is_gold[rows, None], own[outcome], other[outcome])
    return has


def predicted(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[unit, system]`` which units are a system's own: in its output, whatever became of them."""
    return produced(table) if table.task.predicted is None else table.task.predicted(table)


def costs(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[unit, system]`` whether precision or recall of the system would be higher without it.

    It is gold and not right, or not gold and in the output, also if it stands for a gold unit.
    """
    wrong = ~right(table)
    if not table.task.open:
        return wrong
    found: NDArray[np.bool_] = np.where(table.is_gold[:, None], wrong, produced(table))
    return found


def listed(table: OutcomeTable, systems: Sequence[int] | slice = EVERY) -> NDArray[np.bool_]:
    """``[unit]`` whether a list of units has it: it is gold, or one of these systems has it."""
    if not table.task.open:
        return np.ones(len(table), bool)
    some: NDArray[np.bool_] = table.is_gold | present(table, systems).any(axis=1)
    return some


def present(table: OutcomeTable, systems: Sequence[int] | slice = EVERY) -> NDArray[np.bool_]:
    """``[unit, system]`` whether a system has something there, counted or not."""
    there: NDArray[np.bool_] = ~table.outcomes.codes(lambda one: one.absent)[
        table.outcome[:, systems]
    ]
    return there


def solved(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[unit, system]`` whether the outcome is the right one that counts."""
    hit: NDArray[np.bool_] = table.outcome == np.uint8(table.outcomes.correct_code)
    return hit


def charged(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[unit, system]`` whether the outcome is an error that counts."""
    wrong: NDArray[np.bool_] = table.outcomes.codes(lambda one: one.charged and not one.right)[
        table.outcome
    ]
    return wrong


def of_pair(table: OutcomeTable, one: int, other: int) -> NDArray[np.bool_]:
    """``[unit]`` the units two systems are compared on, whatever other systems there are.

    Gold units, and those that one of the two is charged with.
    """
    verdict = _good(table)
    both: NDArray[np.bool_] = verdict[table.outcome[:, one]] & verdict[table.outcome[:, other]]
    return table.is_gold | ~both


def changed(table: OutcomeTable, one: int, other: int) -> NDArray[np.bool_]:
    """``[unit]`` whether two systems answer differently: another label, other boundaries.

    A unit that is not gold changes if only one of the two is charged with it.
    """
    first, second = stances(table, [one, other])
    different: NDArray[np.bool_] = first != second
    return different


def stances(
    table: OutcomeTable, systems: Sequence[int], rows: IntArray | None = None
) -> NDArray[np.int32]:
    """``[system, unit]`` what systems hold, as far as it tells them apart; equal: no change.

    ``RIGHT``; the answer to a gold unit that is not right; ``CHARGED`` for one that is not gold.
    Of mentions, wrong links are one answer, whatever they lead to (Tuggener 2017). ``rows``: of
    some units.
    """
    every = list(systems) == list(range(table.n_systems))
    columns = slice(None) if every else list(systems)  # what needs no copy costs none
    size = len(table) if rows is None else len(rows)
    held = np.empty((len(systems), size), np.int32)
    good = np.flatnonzero(_good(table))
    only_gold = bool(table.is_gold.all())
    by_class = table.task.compared == "outcome"
    for begin in range(0, size, _BLOCK):
        to = slice(begin, begin + _BLOCK)
        some = to if rows is None else rows[to]
        given = table.outcome[some].astype(np.int32) if by_class else replies(table, some)
        block = given[:, columns] - np.int32(RIGHT)
        if not only_gold:
            block[~table.is_gold[some]] = CHARGED - RIGHT
        outcome = table.outcome[some][:, columns]
        wrong = np.logical_and.reduce([outcome != code for code in good])
        block *= wrong  # twice as fast as a choice
        block += RIGHT
        held[:, to] = block.T
    return held


def replies(table: OutcomeTable, rows: slice | IntArray = EVERY) -> NDArray[np.int32]:
    """``[unit, system]`` whole answers as codes: equal codes, equal answers to the unit.

    The answers themselves, unless the task tells them apart by more: words with the same relation
    but another head are answered differently.
    """
    return table.answer[rows] if table.task.replies is None else table.task.replies(table, rows)


def change(one: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.int8]:
    """``[unit]`` how the second stance differs from the first: code into CHANGES, -1 not at all.

    >>> change(np.array([RIGHT, 4, RIGHT, 4], np.int32), np.array([RIGHT, RIGHT, 4, 5], np.int32))
    array([-1,  0,  1,  2], dtype=int8)
    """
    first, second = (one == RIGHT).view(np.int8), (other == RIGHT).view(np.int8)
    kind: NDArray[np.int8] = np.int8(2) - np.int8(2) * second - first
    np.putmask(kind, one == other, -1)
    return kind


def _good(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[outcome code]`` whether an outcome is right."""
    return table.outcomes.codes(lambda one: one.right)


def answered(table: OutcomeTable, rows: slice | IntArray = EVERY) -> NDArray[np.int32]:
    """``[unit, system]`` the label that a system gives the unit; -1 where it has none."""
    if table.task.answers != "unit":
        return table.answer[rows]
    label = np.append(table.label, -1).astype(np.int32)  # the last place serves -1
    own = np.where(produced(table, rows), table.label[rows, None], -1)
    partner = label[table.answer[rows]]
    return np.where(table.is_gold[rows, None] & (own < 0), partner, own).astype(np.int32)


class Named(NamedTuple):
    """``names[codes]``, ``codes`` being ``[unit, system]``; ``field``: what selections call it.

    The code -1, for no answer, has the last name.
    """

    codes: NDArray[np.integer]
    names: tuple[str, ...]
    field: str


def named(table: OutcomeTable) -> Named:
    """What a comparison calls the answers of systems.

    The labels they give where units are answered with labels (tags, and 0/1 tables, whose labels
    are right and wrong), else the outcomes.
    """
    task, outcomes = table.task, Named(table.outcome, table.outcomes.names, "outcome")
    if task.answers not in ("label", "none") or task.compared == "outcome":
        return outcomes
    if task.answers == "none" and table.answer.min(initial=0) < 0:
        return outcomes
    return Named(table.answer, (*table.labels, NO_ANSWER), "answer")


def labelled(table: OutcomeTable) -> Named:
    """The labels that units are answered with, and behind them the outcome of no answer, if any."""
    none = unanswered(table)
    if none is None:
        return Named(table.answer, table.labels, "answer")
    codes = np.where(table.answer < 0, table.n_labels, table.answer)
    return Named(codes, (*table.labels, apart(none, table.labels)), "answer")


def labels_in_use(table: OutcomeTable) -> tuple[int, ...]:
    """Codes of the labels that units can have, the most frequent one of gold units first.

    Where answers are not labels, only those that units have.
    """
    counts = np.bincount(table.label[table.is_gold], minlength=table.n_labels)
    order = np.argsort(-counts, kind="stable").tolist()
    if table.task.answers != "none":
        return tuple(order)
    return tuple(code for code in order if counts[code])


def unanswered(table: OutcomeTable) -> str | None:
    """What no answer is called where a unit asks for a label; ``None`` where all are answered."""
    none = table.task.unanswered
    if none is not None:
        return none.name
    some = table.task.answers == "label" and table.answer.min(initial=0) < 0
    return NO_ANSWER if some else None


def apart(name: str, labels: Sequence[str]) -> str:
    r"""A name beside labels that is none of them: with a backslash where a label has that name.

    >>> apart("NONE", ["PER"]), apart("NONE", ["PER", "NONE"])
    ('NONE', '\\NONE')
    """
    while name in labels:
        name = f"\\{name}"
    return name


def require_answers(table: OutcomeTable) -> None:
    """Raise for a table that says right or wrong and nothing more."""
    if not table.task.tells_errors_apart:
        words = table.task.words
        why = (
            f"{words.units} are right or wrong here and nothing more: there are no kinds of errors"
            if table.task.has
            else "a 0/1 table does not say what was answered, so there are no kinds of errors in it"
        )
        raise UsageError(f"{why}; score, difference, oracle, difficulty and show can be used")
