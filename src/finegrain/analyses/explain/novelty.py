"""How systems do on what the training data do not show.

Every unit is looked up in the training data by its surface, that is its words: *seen* with this
label, seen with *other labels* only, or *unseen*. Recall is counted for gold units, precision for
predictions (by the predicted label). A tagger that has learnt its training data by heart is good
on the first class only (Augenstein, Derczynski and Bontcheva 2017).

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.spans import align
>>> train = Corpus.of([["Ada", "in", "London"]], tags=[["B-PER", "O", "B-LOC"]])
>>> text = [["ada", "met", "London", "in", "Rome"]]
>>> gold = Corpus.of(text, tags=[["B-PER", "O", "B-PER", "O", "B-LOC"]])
>>> system = Corpus.of(text, tags=[["B-PER", "O", "B-LOC", "O", "O"]])
>>> result = novelty(align(gold, {"s": system}), train)
>>> for kind, cells in result.to_json()["s"]["recall"].items():
...     print(kind, cells)
seen {'units': 1, 'correct': 1, 'recall': 1.0}
other_label {'units': 1, 'correct': 0, 'recall': 0.0}
unseen {'units': 1, 'correct': 0, 'recall': 0.0}

Where every unit is answered, recall is accuracy. For tags the units are words: *known* ones (seen
with this tag, or with other tags only) and *unknown* ones. Where training data say nothing of the
labels of a task, a unit is seen if its words are anywhere in the training text, else unseen.

Limits: the surface is compared word by word, case folded unless asked otherwise; an inflected or
differently spelt form is unseen. What stands in the training text without being annotated is
unseen for spans.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import Printed, number
from finegrain.analyses.signature import signature
from finegrain.attributes.learnt import (
    CLASSES,
    MEANINGS,
    OTHER,
    UNLABELLED,
    UNSEEN,
    novelty_classes,
)
from finegrain.attributes.training import prepare
from finegrain.corpus import LAYER, Corpus
from finegrain.corpus.label_rules import ALL_LABELS, LabelRules
from finegrain.corpus.tag_schemes import Policy, Scheme
from finegrain.metrics.metric import ratio
from finegrain.table import OutcomeTable, Task
from finegrain.table.verdicts import produced, solved

_OF_WORDS = ("known, with this tag", "known, with other tags only", "unknown")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Novelty(Printed):
    """Counts by class of novelty.

    ``gold`` is ``[label, class]``; ``correct`` and ``predicted`` are ``[label, class, system]``.
    ``predicted`` goes by the predicted label, and is empty where every unit is answered.
    ``labelled``: whether the training data say which labels words have.
    """

    task: Task
    systems: tuple[str, ...]
    labels: tuple[str, ...]
    gold: NDArray[np.int64]
    correct: NDArray[np.int64]
    predicted: NDArray[np.int64]
    signature: str
    notes: tuple[str, ...]
    labelled: bool = True

    @property
    def measure(self) -> str:
        """What the share of gold units that are right is called."""
        return "recall" if self.task.open else "accuracy"

    @property
    def of_words(self) -> bool:
        """Whether units are words that training data have labels of: known or unknown."""
        return self.labelled and not self.task.open

    def kinds(self) -> dict[int, str]:
        """Classes, and what they are called in tables."""
        meanings = _OF_WORDS if self.of_words else MEANINGS if self.labelled else UNLABELLED
        return {code: meaning for code, meaning in enumerate(meanings) if meaning}

    def recall(self) -> NDArray[np.float64]:
        """``[class, system]`` share of gold units that are right; nan for a class without any."""
        return ratio(self.correct.sum(axis=0), self.gold.sum(axis=0)[:, None])

    def precision(self) -> NDArray[np.float64]:
        """``[class, system]`` share of predicted spans that are right; nan without any."""
        return ratio(self.correct.sum(axis=0), self.predicted.sum(axis=0))

    def to_json(self) -> dict[str, Any]:
        return {
            name: {
                **self._sides(slice(None), system),
                "labels": {
                    label: self._sides(slice(code, code + 1), system)
                    for code, label in enumerate(self.labels)
                },
            }
            for system, name in enumerate(self.systems)
        }

    def _sides(self, labels: slice, system: int) -> dict[str, Any]:
        correct = self.correct[labels, :, system].sum(axis=0)
        sides = {self.measure: self.gold[labels].sum(axis=0)}
        if self.task.open:
            sides["precision"] = self.predicted[labels, :, system].sum(axis=0)
        return {name: self._cells(name, units, correct) for name, units in sides.items()}

    def _cells(
        self, measure: str, units: NDArray[np.int64], correct: NDArray[np.int64]
    ) -> dict[str, dict[str, Any]]:
        """Counts and share per class; of words also for known ones of both kinds."""
        counts = list(zip(units.tolist(), correct.tolist(), strict=True))
        rows = {CLASSES[code]: counts[code] for code in self.kinds()}
        if self.of_words:
            known = (int(units[:UNSEEN].sum()), int(correct[:UNSEEN].sum()))
            rows = {"known": known, "unknown": rows.pop("unseen"), **rows}
        return {
            kind: {
                "units": count,
                "correct": right,
                measure: number(right / count) if count else None,
            }
            for kind, (count, right) in rows.items()
        }

    def listings(self) -> tuple[Listing, ...]:
        if self.of_words:
            return _known_words(self), _by_label(self)
        precision = (_precision(self),) if self.task.open else ()
        by_label = (_by_label(self),) if any(self.labels) else ()
        return _recall(self), *precision, *by_label

    def records(self) -> Listing:
        columns = (
            Column("system"), Column("label"), Column("measure"), Column("training"),
            Column("units", "count"), Column("correct", "count"), Column("value", "score"),
        )  # fmt: skip
        rows: list[tuple[Cell, ...]] = []
        for system, name in enumerate(self.systems):
            sides = [("", self._sides(slice(None), system))]
            sides += (
                (label, self._sides(slice(code, code + 1), system))
                for code, label in enumerate(self.labels)
            )
            rows += ((name, *cells) for label, side in sides for cells in _tidy(label, side))
        return Listing("novelty", columns, tuple(rows))


def _tidy(label: str, side: dict[str, Any]) -> Iterator[tuple[Cell, ...]]:
    for measure, kinds in side.items():
        for kind, cells in kinds.items():
            yield label, measure, kind, cells["units"], cells["correct"], cells[measure]


def novelty(
    table: OutcomeTable,
    train: Corpus,
    *,
    scheme: str | Scheme | None = None,
    policy: Policy = "conlleval",
    fold_case: bool = True,
    layer: str = LAYER,
    rules: LabelRules = ALL_LABELS,
) -> Novelty:
    """Count recall, or accuracy, and precision by what the training data show of each unit.

    Parameters
    ----------
    train: the data that the systems were trained on
    scheme: how its tags are written; detected from its own tags if not given
    policy: what happens to its ill-formed tags
    fold_case: whether words that differ in case only are the same
    layer: the layer of ``train`` that holds its tags
    rules: labels of ``train`` to rename, keep or leave out, as in ``align``
    """
    data = prepare(
        train, table, scheme=scheme, policy=policy, fold_case=fold_case, layer=layer, rules=rules
    )
    gold, correct, predicted = _counts(table, novelty_classes(data.counts(table)))
    return Novelty(
        table.task,
        table.systems,
        table.labels,
        gold,
        correct,
        predicted,
        signature(table, train=str(data.n_units), case="folded" if fold_case else "kept"),
        (*table.notes, *data.notes, *_suspicion(gold)),
        data.labelled,
    )


def _counts(
    table: OutcomeTable, classes: NDArray[np.int8]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Gold units, and hits and predictions per system, by label and class."""
    shape = (table.n_labels, len(CLASSES))
    group = table.label.astype(np.int64) * len(CLASSES) + classes

    def count(rows: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(group[rows], minlength=shape[0] * shape[1]).reshape(shape)

    def by_system(which: NDArray[np.bool_]) -> NDArray[np.int64]:
        counts = [count(column) for column in which.T]
        return np.stack(counts, axis=-1) if counts else np.zeros((*shape, 0), np.int64)

    hits = solved(table) & table.is_gold[:, None]
    has = produced(table) if table.task.open else hits[:, :0]
    return count(table.is_gold), by_system(hits), by_system(has)


def _suspicion(gold: NDArray[np.int64]) -> tuple[str, ...]:
    """A remark if the training data seem to be the gold standard."""
    if gold.sum() >= 100 and not gold[:, [OTHER, UNSEEN]].any():
        return ("the training data show every gold unit: are they the gold standard itself?",)
    return ()


def _recall(found: Novelty) -> Listing:
    columns = [Column("in training"), Column("gold", "count")]
    columns += (Column(name, "score", "row") for name in found.systems)
    units, values = found.gold.sum(axis=0), found.recall()
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (meaning, int(units[kind]), *(float(value) for value in values[kind]))
        for kind, meaning in found.kinds().items()
    )
    title = f"{found.measure.capitalize()} by what the training data show"
    return Listing(title, tuple(columns), rows)


def _precision(found: Novelty) -> Listing:
    columns = [Column("system")]
    kinds = found.kinds()
    for meaning in kinds.values():
        columns += [
            Column("predicted", "count", None, meaning),
            Column("P", "score", "max", meaning),
        ]
    predicted, precision = found.predicted.sum(axis=0), found.precision()
    rows = tuple(
        (
            name,
            *(
                cell
                for kind in kinds
                for cell in (int(predicted[kind, system]), float(precision[kind, system]))
            ),
        )
        for system, name in enumerate(found.systems)
    )
    return Listing("Precision by what the training data show", tuple(columns), rows)


def _known_words(found: Novelty) -> Listing:
    gold, correct = found.gold.sum(axis=0), found.correct.sum(axis=0)
    known, known_right = gold[:UNSEEN].sum(), correct[:UNSEEN].sum(axis=0)
    names = ("known", *found.kinds().values())
    units = np.concatenate([[known], gold])
    right = np.concatenate([known_right[None], correct])
    values = ratio(right, units[:, None])
    columns = [Column("in training"), Column(found.task.words.units, "count")]
    columns += (Column(name, "score", "row") for name in found.systems)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, int(count), *(float(value) for value in line))
        for name, count, line in zip(names, units, values, strict=True)
    )
    return Listing("Accuracy on known and unknown words", tuple(columns), rows)


def _by_label(found: Novelty) -> Listing:
    columns = [Column("label"), Column("in training"), Column("gold", "count")]
    columns += (Column(name, "score", "row") for name in found.systems)
    order = np.argsort(-found.gold.sum(axis=1), kind="stable")
    values = ratio(found.correct, found.gold[..., None])
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            found.labels[code],
            meaning,
            int(found.gold[code, kind]),
            *(float(value) for value in values[code, kind]),
        )
        for code in order.tolist()
        for kind, meaning in found.kinds().items()
        if found.gold[code, kind]
    )
    return Listing(f"{found.measure.capitalize()} by label", tuple(columns), rows)
