"""The majority vote: one more system, made of what most systems say.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.spans import align
>>> text = [["in", "New", "York", "City"]]
>>> gold = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "I-LOC"]])
>>> short = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "O"]])
>>> none = Corpus.of(text, tags=[["O", "O", "O", "O"]])
>>> table = majority_vote(align(gold, {"a": gold, "b": gold, "c": short, "d": none}))
>>> table.systems
('a', 'b', 'c', 'd', 'majority vote')
>>> [table.outcomes.names[code] for code in table.outcome[:, -1]]     # 2 of 4 are no majority
['ABSENT', 'FN']

Spans: a span, label and boundaries, is kept if *more than half* of the systems have exactly it.
Of two systems that is what both have. Any two spans of the vote stand together in some output, so
systems without nested or crossing spans make a vote without them.

Labels (tags): a unit gets the answer that most systems give it. Among equally many, the answer wins
that is the more frequent one in all outputs taken together, and then the first in the alphabet: the
gold standard has no say in it, and neither have the order of systems and the order of documents.
A system that does not answer has no vote: the vote does not answer what nobody answers.
Probabilities of the vote are the mean of those of all systems, and undefined if one has none; the
label that they make the most probable is a vote, too (``mean_vote``).
Words of dependencies are answered with head and relation together.

Answers that are not labels are voted on by their task (``Task.vote``): normalised answers to
questions like labels, and the vote of numbers is their median.

The vote is matched with the gold standard like any system. Where nested or crossing spans are
equally near to a gold span, the order of the table's rows decides instead of that of a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.table.scale import Value
from finegrain.table.verdicts import produced, replies

VOTE = "majority vote"
MEAN_VOTE = "mean probabilities"
_BLOCK = 1 << 16  # units handled at once


class Vote(NamedTuple):
    """What the vote did with every unit, ``[unit]``: a column of an outcome table."""

    outcome: NDArray[np.uint8]
    answer: NDArray[np.int32]
    details: Mapping[str, NDArray[Any]] = MappingProxyType({})
    values: Mapping[str, NDArray[np.float64]] = MappingProxyType({})

    @classmethod
    def of(cls, table: OutcomeTable, chosen: IntArray) -> Vote:
        """Every unit as the chosen system ``[unit]`` has it, with its values."""
        unit = np.arange(len(table))
        return cls(
            table.outcome[unit, chosen],
            table.answer[unit, chosen],
            {name: column[unit, chosen] for name, column in table.details.items()},
            {name: one.matrix[unit, chosen] for name, one in table.values.items()},
        )


def majority_vote(table: OutcomeTable, *, name: str = VOTE) -> OutcomeTable:
    """The table with the majority vote of its systems as a last system called ``name``.

    Values of graded units are undefined for it, unless the task votes itself.
    """
    return _with_system(table, name, vote(table))


def mean_vote(table: OutcomeTable, *, name: str = MEAN_VOTE) -> OutcomeTable:
    """The table with the most probable labels by the mean of all systems' probabilities.

    Labels with equal probability: the first in the alphabet.
    """
    if not has_mean_vote(table):
        raise UsageError("a vote of probabilities needs probabilities of all systems")
    return _with_system(table, name, _most_probable(table))


def _most_probable(table: OutcomeTable) -> Vote:
    (detail,) = table.task.averaged
    chances = _averaged(table.details[detail])
    known = ~np.isnan(chances).any(axis=1)
    answer = np.where(known, np.nan_to_num(chances).argmax(axis=1), -1).astype(np.int32)
    right = next(one for one in table.outcomes.every if one.right)
    wrong = next(one for one in table.outcomes.errors if one.produced != "never")
    codes = [table.outcomes.code(one.name) for one in (table.task.unanswered or wrong, right)]
    outcome = np.select([~known, answer == table.label], codes, table.outcomes.code(wrong.name))
    return Vote(outcome.astype(np.uint8), answer, _details(table, 0))


def has_mean_vote(table: OutcomeTable) -> bool:
    """Whether all systems have probabilities, of which there can be a mean."""
    names = table.task.averaged
    if table.n_systems < 2 or len(names) != 1 or names[0] not in table.details:
        return False
    return not np.isnan(table.details[names[0]]).all(axis=(0, 2)).any()


def with_votes(table: OutcomeTable) -> OutcomeTable:
    """The table with the majority vote and, of probabilities, with the vote of their mean."""
    voted = majority_vote(table)
    if not has_mean_vote(table):
        return voted
    return _with_system(voted, MEAN_VOTE, _most_probable(table))


def _averaged(detail: NDArray[Any]) -> NDArray[np.float64]:
    """``[unit, ...]`` the mean over systems; undefined where one of them is."""
    mean: NDArray[np.float64] = detail.mean(axis=1)
    return mean


def _details(table: OutcomeTable, chosen: IntArray | int) -> dict[str, NDArray[Any]]:
    """What goes with the answers of the chosen systems, or is the mean over all of them."""
    unit = np.arange(len(table))
    return {
        name: _averaged(column) if name in table.task.averaged else column[unit, chosen]
        for name, column in table.details.items()
    }


def _with_system(table: OutcomeTable, name: str, found: Vote) -> OutcomeTable:
    if name in table.systems:
        raise UsageError(f"there is a system {name!r} already: give the vote another name")
    return replace(
        table,
        systems=(*table.systems, name),
        outcome=np.column_stack([table.outcome, found.outcome]),
        answer=np.column_stack([table.answer, found.answer]),
        details={
            detail: np.concatenate([column, _detail(found, detail, column)[:, None]], axis=1)
            for detail, column in table.details.items()
        },
        repairs={**table.repairs, name: 0} if table.repairs else table.repairs,
        values={
            value: Value(one.scale, np.column_stack([one.matrix, _value(found, value, table)]))
            for value, one in table.values.items()
        },
        facets={facet: (*one, "") for facet, one in table.facets.items()},
    )


def _detail(found: Vote, name: str, column: NDArray[Any]) -> NDArray[Any]:
    """``[unit, ...]`` a detail of the vote, or nothing."""
    return found.details[name] if name in found.details else _nothing(column)


def _value(found: Vote, name: str, table: OutcomeTable) -> NDArray[np.float64]:
    """``[unit]`` a value of the vote, undefined unless it has one."""
    return found.values.get(name, np.full(len(table), np.nan))


def alone(table: OutcomeTable) -> OutcomeTable:
    """The table with the majority vote as its only system."""
    found = vote(table)
    return replace(
        table,
        systems=(VOTE,),
        outcome=found.outcome[:, None],
        answer=found.answer[:, None],
        details={
            name: _detail(found, name, column)[:, None] for name, column in table.details.items()
        },
        repairs={VOTE: 0} if table.repairs else table.repairs,
        values={
            value: Value(one.scale, _value(found, value, table)[:, None])
            for value, one in table.values.items()
        },
    )


class Apart(NamedTuple):
    """Systems and vote, each as a table of the same units; ``None`` if there can be no vote."""

    systems: OutcomeTable
    vote: OutcomeTable | None


def apart(table: OutcomeTable) -> Apart:
    """The systems, and the vote: made of them, or the one that the table has among them."""
    if VOTE not in table.systems or table.n_systems == 1:
        return Apart(table, alone(table) if votes(table) else None)
    at = table.systems.index(VOTE)
    others = [place for place, name in enumerate(table.systems) if name not in (VOTE, MEAN_VOTE)]
    return Apart(table.only(others), table.only([at]))


def votes(table: OutcomeTable) -> bool:
    """Whether a vote can be made: of units, or wherever every unit has an answer that is known.

    Where it is not, who is wrong together need not have said the same.
    """
    task = table.task
    return task.vote is not None or task.rematch is not None or task.answers == "label"


def vote(table: OutcomeTable) -> Vote:
    """What the majority of systems does with every unit."""
    if not table.n_systems:
        raise UsageError("a majority vote needs systems, and the table has none")
    if not votes(table):
        raise UsageError(f"there is no majority vote for the task {table.task}")
    if table.task.vote is not None:
        own: Vote = table.task.vote(table)
        return own
    if table.task.rematch is not None:
        kept = 2 * np.count_nonzero(produced(table), axis=1) > table.n_systems
        return Vote(*table.task.rematch(table, kept))
    reply = replies(table)
    unit, chosen = np.arange(len(table)), elected(reply, table.answer >= 0, ranks(reply))
    return Vote(table.outcome[unit, chosen], table.answer[unit, chosen], _details(table, chosen))


def _nothing(column: NDArray[Any]) -> NDArray[Any]:
    """The column of a system of which it is not known."""
    value = {"O": None, "f": np.nan}.get(column.dtype.kind, 0)
    return np.full((len(column), *column.shape[2:]), value, column.dtype)


def elected(reply: NDArray[np.int32], answered: NDArray[np.bool_], rank: IntArray) -> IntArray:
    """``[unit]`` a system that gives the winning answer; who gives the same fares the same.

    ``reply`` ``[unit, system]`` answers as codes; ``rank`` ``[code]``: which wins of tied ones.

    >>> reply = np.array([[0, 1, 1], [0, 1, 2]], np.int32)
    >>> elected(reply, reply >= 0, ranks(reply)).tolist()         # 1 is frequent, too
    [1, 1]
    """
    chosen = np.zeros(len(reply), np.int64)
    differ = np.flatnonzero((reply != reply[:, :1]).any(axis=1))
    for at in range(0, len(differ), _BLOCK):
        rows = differ[at : at + _BLOCK]
        answers = reply[rows]
        weight = rank[answers].astype(np.int64)
        for system in range(reply.shape[1]):
            same = np.count_nonzero(answers == answers[:, system, None], axis=1)
            weight[:, system] += same * len(rank)
        weight[~answered[rows]] = -1
        chosen[rows] = weight.argmax(axis=1)
    return chosen


def ranks(answer: NDArray[np.int32]) -> IntArray:
    """``[answer]`` higher for more frequent answers, then for earlier ones; the last place is -1.

    >>> ranks(np.array([[0, 1], [1, 2], [1, 2]])).tolist()       # 1 most, then 2, 0, none
    [1, 3, 2, 0]
    """
    size = int(answer.max(initial=-1)) + 1
    counts = np.zeros(size + 1, np.int64)
    for system in range(answer.shape[1]):
        counts += np.bincount(answer[:, system] + 1, minlength=size + 1)
    counts = np.roll(counts, -1)
    rank = np.empty(size + 1, np.int64)
    rank[np.lexsort((-np.arange(size + 1), counts))] = np.arange(size + 1)
    return rank
