"""What kinds of errors there are: counts per type, system and label.

Types are the outcomes of the task: for spans those of Ortmann (2022), for dependencies what is
wrong, the label, the head, both, or that the system does not have the word. Where only the answer
tells errors apart, as in tagging, types are the answers: pairs gold -> answer. A task may add
counts of its own: where words with a wrong head are attached.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.spans import align
>>> text = [["in", "New", "York", "City"]]
>>> gold = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "I-LOC"]])
>>> short = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "O"]])
>>> errors = error_types(align(gold, {"short": short}))
>>> {name: int(count) for name, count in zip(errors.types, errors.counts.sum(axis=0)[0]) if count}
{'BES': 1}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Printed
from finegrain.analyses.signature import signature
from finegrain.errors import UsageError
from finegrain.metrics.options import Focus
from finegrain.table import OutcomeTable, Task, tally
from finegrain.table.further_counts import FurtherCounts
from finegrain.table.samples import whole
from finegrain.table.verdicts import labelled, require_answers

if TYPE_CHECKING:
    from finegrain.analyses.units.instances import Instance


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ErrorTypes(Printed):
    """Counts ``[label, system, type]``; of types that are outcomes one is correct.

    Of types that are answers (``by_answer``), label = gold label and type = answered label, so that
    the diagonal is correct; behind the labels comes what is not answered, if that can be.
    ``further``: counts that the task adds.
    """

    task: Task
    systems: tuple[str, ...]
    labels: tuple[str, ...]
    types: tuple[str, ...]
    counts: NDArray[np.int64]
    gold: NDArray[np.int64]
    examples: tuple[Instance, ...]
    signature: str
    notes: tuple[str, ...]
    further: FurtherCounts | None = None

    @property
    def by_answer(self) -> bool:
        """Whether types are answers."""
        return self.task.errs_by_answer

    def to_json(self) -> dict[str, Any]:
        further = self.further
        return {
            name: {
                **({} if further is None else {further.key: further.to_json(system)}),
                "counts": self._counts(self.counts[:, system].sum(axis=0)),
                "labels": {
                    label: self._counts(self.counts[code, system])
                    for code, label in enumerate(self.labels)
                },
                "examples": [
                    example.to_json() for example in self.examples if example.system == name
                ],
            }
            for system, name in enumerate(self.systems)
        }

    def listings(self) -> tuple[Listing, ...]:
        return _answer_listings(self) if self.by_answer else _type_listings(self)

    def records(self) -> Listing:
        columns = (
            Column("system"), Column("label"), Column("type"), Column("count", "count"),
        )  # fmt: skip
        rows = tuple(
            (name, label, kind, int(self.counts[code, system, place]))
            for system, name in enumerate(self.systems)
            for code, label in enumerate(self.labels)
            for place, kind in enumerate(self.types)
            if not self.by_answer or self.counts[code, system, place]
        )
        return Listing("errors", columns, rows)

    def _counts(self, values: NDArray[np.int64]) -> dict[str, int]:
        counts = {
            kind: int(value)
            for kind, value in zip(self.types, values, strict=True)
            if not self.by_answer or value
        }
        for name, kinds in self.task.outcomes.sums.items() if not self.by_answer else ():
            counts[name] = sum(counts[kind] for kind in kinds)
        return counts


def error_types(
    table: OutcomeTable,
    *,
    focus: Focus = "target",
    examples: int = 0,
    moved: int | None = None,
    where: str = "",
) -> ErrorTypes:
    """Count error types; ``examples``: number of instances of each type and system.

    ``moved``, of trees: count the heads that moved by more than this many words. ``where``: count
    only the units that this holds for, ``label=PER``; they keep their partners.
    """
    require_answers(table)
    if moved is not None and "trees" not in table.task.has:
        raise UsageError(f"only heads of trees move, and this is the task {table.task}")
    choices: dict[str, str] = {"focus": focus} if "focus" in table.task.choices else {}
    table = restrict(table, where)
    types, counts = _by_answer(table) if table.task.errs_by_answer else _by_outcome(table, focus)
    further = table.task.sections.get("errors")
    return ErrorTypes(
        table.task,
        table.systems,
        table.labels,
        types,
        counts,
        np.bincount(table.label[table.is_gold], minlength=table.n_labels),
        _examples(table, examples) if examples else (),
        signature(table, **choices),
        table.notes,
        None if further is None else further(table, **({} if moved is None else {"moved": moved})),
    )


def _examples(table: OutcomeTable, per_type: int) -> tuple[Instance, ...]:
    from finegrain.analyses.units.instances import instances  # noqa: PLC0415 - scores come without it

    return instances(table, per_type=per_type)


def _by_outcome(table: OutcomeTable, focus: Focus) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The outcomes that count, and ``[label, system, outcome]`` how often each occurs."""
    types = tuple(one.name for one in table.outcomes.counted)
    if table.task.charge is None:
        outcomes = len(table.outcomes)
        counts = tally(table.outcome, table.label, groups=table.n_labels, outcomes=outcomes)
    else:
        counts = table.task.charge(table, whole(table), focus)[0]
    kept: NDArray[np.int64] = counts[..., [table.outcomes.code(name) for name in types]]
    return types, kept


def _by_answer(table: OutcomeTable) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The answers, and ``[gold label, system, answer]`` how often each is given."""
    codes, types, _ = labelled(table)
    counts = np.empty((table.n_labels, table.n_systems, len(types)), np.int64)
    for system in range(table.n_systems):
        pairs = table.label.astype(np.int64) * len(types) + codes[:, system]
        found = np.bincount(pairs, minlength=table.n_labels * len(types))
        counts[:, system] = found.reshape(table.n_labels, len(types))
    return types, counts


def _type_listings(errors: ErrorTypes) -> tuple[Listing, ...]:
    kinds = tuple(Column(kind, "count") for kind in errors.types)
    overall = Listing(
        "Errors by type, each counted once",
        (Column("system"), *kinds),
        tuple(
            (name, *(int(value) for value in errors.counts[:, system].sum(axis=0)))
            for system, name in enumerate(errors.systems)
        ),
        _legend(errors),
    )
    by_label = tuple(
        Listing(
            f"{name}: errors by label",
            (Column("label"), Column("gold", "count"), *kinds),
            tuple(
                (label, int(errors.gold[code]), *(int(v) for v in errors.counts[code, system]))
                for code, label in enumerate(errors.labels)
                if errors.gold[code] or errors.counts[code].any()  # some are left out of the units
            ),
        )
        for system, name in enumerate(errors.systems)
        if any(errors.labels)  # graded units have none
    )
    further = () if errors.further is None else (_further_listing(errors.systems, errors.further),)
    return (overall, *further, *by_label)


def _further_listing(systems: tuple[str, ...], found: FurtherCounts) -> Listing:
    """What a task adds: one line per system."""
    columns, values = [Column("system")], []
    for one in found.counts:
        if one.names:
            columns += (Column(name, "count", group=one.heading) for name in one.names)
            values.append(one.values)
        else:
            columns.append(Column(one.heading, "count"))
            values.append(one.values[:, None])
    lines = np.concatenate(values, axis=1).tolist()
    rows = tuple((name, *line) for name, line in zip(systems, lines, strict=True))
    return Listing(found.title, tuple(columns), rows)


def _legend(errors: ErrorTypes) -> str:
    said = "; ".join(f"{kind} {errors.task.outcomes[kind].meaning}" for kind in errors.types)
    note = errors.task.notes.get("errors")
    return f"{said}. {note}" if note else said


def _answer_listings(errors: ErrorTypes, most: int = 15) -> tuple[Listing, ...]:
    found = []
    for system, name in enumerate(errors.systems):
        pairs = errors.counts[:, system].copy()
        right = int(np.trace(pairs))
        total = int(pairs.sum())
        np.fill_diagonal(pairs, 0)
        order = np.argsort(-pairs, axis=None, kind="stable")[:most]
        places = [divmod(int(place), len(errors.types)) for place in order]
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                errors.labels[one],
                errors.types[two],
                int(pairs[one, two]),
                float(pairs[one, two] / errors.gold[one]),
            )
            for one, two in places
            if pairs[one, two]
        )
        columns = (
            Column("gold"), Column("answer"), Column("n", "count"), Column("% of gold", "score"),
        )  # fmt: skip
        shown = f", the {len(rows)} most frequent kinds" if np.count_nonzero(pairs) > most else ""
        title = (
            f"{name}: {total - right:,} errors in {total:,} {errors.task.words.of(total)}{shown}"
        )
        found.append(Listing(title, columns, rows))
    return tuple(found)
