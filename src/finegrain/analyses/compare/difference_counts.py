"""What two systems do differently, counted; what all pairs share is prepared once.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> text = [["a", "b", "c"]]
>>> table = align(
...     Corpus.of(text, tags=[["N", "V", "N"]]),
...     {"one": Corpus.of(text, tags=[["N", "N", "V"]]),
...      "two": Corpus.of(text, tags=[["N", "V", "D"]])},
... )
>>> counts = pair_counts(stances(table, [0, 1]), 0, 1)
>>> [changes.total for changes in counts.changes]              # corrections, new, changed errors
[1, 0, 1]

The cost of a pair is one comparison of two columns and work on the units that changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.table import OutcomeTable, verdicts
from finegrain.table.verdicts import CHANGES, CHARGED, RIGHT, change

_NEW_ERROR, _CHANGED_ERROR = CHANGES.index("new_error"), CHANGES.index("changed_error")
_DENSE, _PER_CHANGE = 1 << 16, 4  # cells that are counted in an array: at least, per change


class Changes(NamedTuple):
    """Changes of a kind, the most frequent first: from which answer to which, how often.

    ``before`` and ``after`` are codes of answers, ``gold`` of labels, -1 where it is ``after``
    (corrections) or ``before`` (new errors) or no matter.
    """

    gold: IntArray
    before: IntArray
    after: IntArray
    times: IntArray

    @property
    def total(self) -> int:
        return int(self.times.sum())


class LabelChanges(NamedTuple):
    """Changes by the label of the unit, the most frequent first: outcomes, labels given, how often.

    ``labels_before`` and ``labels_after`` are -1 where there is none, and everywhere where answers
    have no labels (mentions).
    """

    label: IntArray
    before: IntArray
    after: IntArray
    labels_before: IntArray
    labels_after: IntArray
    times: IntArray


class SentenceCounts(NamedTuple):
    """Sentences in which two systems have units, without an error of each, and what happened."""

    all: int
    right_one: int
    right_other: int
    fixed: int
    broken: int
    changed: int


@dataclass(frozen=True, slots=True, eq=False)
class PairCounts:
    """A pair of systems in numbers.

    ``label_units`` is ``[label]`` and ``label_right`` ``[label, 2]``, both over the units of the
    pair; ``right_gold`` and ``wrong`` are ``[2]``; ``both_right`` counts gold units and
    ``same_wrong`` units that both answer in the same wrong way; ``by_label`` are all changes by the
    label of the unit, for spans and mentions only: the answers of others are labels anyway.
    """

    units: int
    changes: tuple[Changes, ...]
    label_units: NDArray[np.int64]
    label_right: NDArray[np.int64]
    right_gold: NDArray[np.int64]
    both_right: int
    wrong: NDArray[np.int64]
    same_wrong: int
    sentences: SentenceCounts
    by_label: LabelChanges

    @property
    def changed(self) -> int:
        return sum(changes.total for changes in self.changes)

    @property
    def right(self) -> NDArray[np.int64]:
        """``[2]`` units that each is right about."""
        total: NDArray[np.int64] = self.label_right.sum(axis=0)
        return total


@dataclass(frozen=True, slots=True, eq=False)
class Stances:
    """What all pairs share: the units that some systems disagree on, and each system by itself.

    ``rows`` are the contested units, with their ``label`` and ``sentence``; ``held`` and
    ``answers`` are ``[system, contested unit]``, stances and codes into ``names``
    (selections ask for them by ``field``), ``given`` labels that spans are answered with;
    ``faulty`` is ``[system, sentence]``, ``right_gold`` ``[system, label]`` and ``invented``
    ``[system, unit that is not gold]``.
    """

    table: OutcomeTable
    names: tuple[str, ...]
    field: str
    rows: NDArray[np.int64]
    held: NDArray[np.int32]
    answers: NDArray[np.unsignedinteger]
    given: NDArray[np.int32]
    label: IntArray
    sentence: IntArray
    faulty: NDArray[np.bool_]
    with_gold: NDArray[np.bool_]
    gold: NDArray[np.int64]
    right_gold: NDArray[np.int64]
    not_gold: IntArray
    invented: NDArray[np.bool_]

    @property
    def size(self) -> int:
        """How many different answers there can be, at least one."""
        return max(len(self.names), 1)


def stances(table: OutcomeTable, systems: Sequence[int]) -> Stances:
    """Prepare systems of a table for the comparison of any two of them."""
    held = verdicts.stances(table, systems)
    faulty = np.zeros((len(held), table.corpus.n_sentences), bool)
    right_gold = np.zeros((len(held), table.n_labels), np.int64)
    not_gold = np.flatnonzero(~table.is_gold)
    gold_label = np.delete(table.label, not_gold) if len(not_gold) else table.label
    gold = np.bincount(gold_label, minlength=table.n_labels)
    for place, own in enumerate(held):
        wrong = np.flatnonzero(own != RIGHT)
        faulty[place, table.sentence[wrong]] = True
        missed = wrong[table.is_gold[wrong]]
        right_gold[place] = gold - np.bincount(table.label[missed], minlength=table.n_labels)
    with_gold = np.zeros(table.corpus.n_sentences, bool)
    with_gold[np.delete(table.sentence, not_gold) if len(not_gold) else table.sentence] = True
    contested = np.zeros(len(table), bool)
    for own in held[1:]:
        contested |= own != held[0]
    rows = np.flatnonzero(contested)
    codes, names, field = verdicts.named(table)
    answers = codes.take(rows, axis=0)
    answers = np.where(answers < 0, len(names) - 1, answers)
    smallest = np.min_scalar_type(max(len(names), 1))
    return Stances(
        table,
        names,
        field,
        rows,
        held.take(rows, axis=1),
        np.ascontiguousarray(answers.astype(smallest)[:, list(systems)].T),
        _given(table, rows, systems),
        table.label[rows],
        table.sentence[rows],
        faulty,
        with_gold,
        gold,
        right_gold,
        not_gold,
        held[:, not_gold] == CHARGED,
    )


def _given(table: OutcomeTable, rows: IntArray, systems: Sequence[int]) -> NDArray[np.int32]:
    """``[system, row]`` labels of the units that others are answered by; -1 for none."""
    if not table.task.detects:
        return np.full((len(systems), len(rows)), -1, np.int32)
    return np.ascontiguousarray(verdicts.answered(table)[rows][:, list(systems)].T)


def pair_counts(prepared: Stances, one: int, other: int) -> PairCounts:
    """Compare the systems at two places; what a third one does never matters."""
    places, kind = _changed(prepared, one, other)
    label_units, label_right = _by_label(prepared, one, other)
    units = int(label_units.sum())
    right_gold = prepared.right_gold[[one, other]].sum(axis=1)
    wrong = units - label_right.sum(axis=0)
    changes = _changes(prepared, places, kind, one, other)
    corrections, new_errors, changed_errors = (counted.total for counted in changes)
    if len(prepared.not_gold):
        broken = prepared.rows[places[kind == _NEW_ERROR]]
        new_errors = int(np.count_nonzero(prepared.table.is_gold[broken]))
    return PairCounts(
        units,
        changes,
        label_units,
        label_right,
        right_gold,
        int(right_gold[0]) - new_errors,
        wrong,
        int(wrong[0]) - corrections - changed_errors,
        _sentences(prepared, places, one, other),
        _changes_by_label(prepared, places, one, other),
    )


class _Changed(NamedTuple):
    """Places of changed units among the contested ones, and the kind of each change."""

    places: NDArray[np.int64]
    kind: NDArray[np.int8]


def _changed(prepared: Stances, one: int, other: int) -> _Changed:
    first, second = prepared.held[one], prepared.held[other]
    places = np.flatnonzero(first != second)
    return _Changed(places, change(first.take(places), second.take(places)))


def _by_label(
    prepared: Stances, one: int, other: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Units of the pair ``[label]``, and how many of them each is right about ``[label, 2]``."""
    right = prepared.right_gold[[one, other]].T
    if not len(prepared.not_gold):
        return prepared.gold, right
    first, second = prepared.invented[one], prepared.invented[other]
    label = prepared.table.label[prepared.not_gold].astype(np.int64)

    def counted(which: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(label[which], minlength=len(prepared.gold))

    only = np.stack([counted(second & ~first), counted(first & ~second)], axis=1)
    return prepared.gold + counted(first & second) + only.sum(axis=1), right + only


def _sentences(prepared: Stances, places: IntArray, one: int, other: int) -> SentenceCounts:
    first, second = prepared.faulty[one], prepared.faulty[other]
    present = prepared.with_gold | first | second
    changed = np.zeros(len(present), bool)
    changed[prepared.sentence.take(places)] = True
    return SentenceCounts(
        *(
            int(np.count_nonzero(which))
            for which in (
                present,
                present & ~first,
                present & ~second,
                first & ~second,
                second & ~first,
                changed,
            )
        )
    )


def _changes(
    prepared: Stances, places: IntArray, kind: NDArray[np.int8], one: int, other: int
) -> tuple[Changes, ...]:
    """Count the changes of each kind; changed errors by gold label too."""
    square = prepared.size**2
    key = _keys(prepared, places, kind, one, other)
    cells = square * (_CHANGED_ERROR + prepared.table.n_labels)
    if cells <= max(_DENSE, _PER_CHANGE * len(places)):
        every = np.bincount(key, minlength=cells)
        found = np.flatnonzero(every)
        count = every[found]
    else:
        found, count = np.unique(key, return_counts=True)
    bounds = np.searchsorted(found, [square, 2 * square])
    return tuple(
        _most_frequent_first(*part, prepared.size)
        for part in zip(np.split(found, bounds), np.split(count, bounds), strict=True)
    )


def _changes_by_label(prepared: Stances, places: IntArray, one: int, other: int) -> LabelChanges:
    """Changes of spans and mentions, of all kinds, by label, the most frequent first."""
    rows = places if prepared.field == "outcome" else places[:0]
    every = [
        prepared.label[rows],
        *(prepared.answers[system].take(rows) for system in (one, other)),
        *(prepared.given[system].take(rows) for system in (one, other)),
    ]
    columns = np.stack([column.astype(np.int64) for column in every]) + 1  # -1: no label
    sizes = tuple((columns.max(axis=1, initial=0) + 1).tolist())
    key = np.ravel_multi_index(tuple(columns), sizes)  # one number sorts faster than five
    keys, count = np.unique(key, return_counts=True)
    found = np.stack(np.unravel_index(keys, sizes)) - 1
    order = np.argsort(-count, kind="stable")
    label, before, after, labels_before, labels_after = found[:, order]
    return LabelChanges(label, before, after, labels_before, labels_after, count[order])


def _keys(
    prepared: Stances, places: IntArray, kind: NDArray[np.int8], one: int, other: int
) -> NDArray[np.int64]:
    """One number for kind, gold label if the error changed, first and second answer."""
    key = kind.astype(np.int64)
    changed = np.flatnonzero(kind == _CHANGED_ERROR)
    key[changed] += prepared.label[places[changed]]
    key *= prepared.size
    key += prepared.answers[one].take(places)
    key *= prepared.size
    key += prepared.answers[other].take(places)
    return key


def _most_frequent_first(key: IntArray, count: IntArray, size: int) -> Changes:
    order = np.argsort(-count, kind="stable")
    group, answers = np.divmod(key[order], size**2)
    before, after = np.divmod(answers, size)
    return Changes(np.maximum(group - _CHANGED_ERROR, -1), before, after, count[order])


def changed_units(
    prepared: Stances, one: int, other: int
) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """Rows of the units that two systems answer differently, and codes of their changes."""
    places, kind = _changed(prepared, one, other)
    return prepared.rows[places], kind


def rows_behind(
    prepared: Stances, one: int, other: int, found: PairCounts
) -> list[list[NDArray[np.int64]]]:
    """The units behind every change, ``[kind][change]``."""
    places, kind = _changed(prepared, one, other)
    key = _keys(prepared, places, kind, one, other)
    rows = prepared.rows[places]
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    behind = []
    for code, changes in enumerate(found.changes):
        group = code + np.maximum(changes.gold, 0)
        wanted = (group * prepared.size + changes.before) * prepared.size + changes.after
        begin = np.searchsorted(ordered, wanted, side="left").tolist()
        behind.append(
            [rows[order[at : at + many]] for at, many in zip(begin, changes.times, strict=True)]
        )
    return behind
