"""What kinds of errors there are: counts per type, system and label.

For spans the types are those of Ortmann (2022); for tags they are the pairs gold -> answer; for
dependencies what is wrong: the label, the head, both, or that the system has not the word, and
where words with a wrong head are attached.

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
from finegrain.analyses.result import Printed
from finegrain.analyses.signature import signature
from finegrain.errors import UsageError
from finegrain.metrics.options import Focus
from finegrain.metrics.span_scores import BOUNDARY_ERRORS, outcome_counts, traditional_counts
from finegrain.table import OutcomeTable, Task, tally
from finegrain.table.samples import whole
from finegrain.table.verdicts import require_answers

if TYPE_CHECKING:
    from finegrain.analyses.attachment import Attachments
    from finegrain.analyses.units.instances import Instance

SPAN_ERRORS = ("LE", *BOUNDARY_ERRORS, "LBE", "FN", "FP")
KINDS = ("dependencies", "coreference")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ErrorTypes(Printed):
    """Counts ``[label, system, type]``; the first type is correct, the others are errors.

    For tags, label = gold label and type = answered label (the diagonal is correct).
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
    attachments: Attachments | None = None  # of dependencies

    def to_json(self) -> dict[str, Any]:
        return {
            name: {
                **({} if self.attachments is None else {"heads": self.attachments.to_json(system)}),
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
        return _tag_listings(self) if self.task.name == "tags" else _type_listings(self)

    def records(self) -> Listing:
        columns = (
            Column("system"), Column("label"), Column("type"), Column("count", "count"),
        )  # fmt: skip
        rows = tuple(
            (name, label, kind, int(self.counts[code, system, place]))
            for system, name in enumerate(self.systems)
            for code, label in enumerate(self.labels)
            for place, kind in enumerate(self.types)
            if self.task.name != "tags" or self.counts[code, system, place]
        )
        return Listing("errors", columns, rows)

    def _counts(self, values: NDArray[np.int64]) -> dict[str, int]:
        counts = {
            kind: int(value)
            for kind, value in zip(self.types, values, strict=True)
            if self.task.name != "tags" or value
        }
        if self.task.name == "spans":
            counts["BE"] = sum(counts[kind] for kind in BOUNDARY_ERRORS)
        return counts


def error_types(
    table: OutcomeTable, *, focus: Focus = "target", examples: int = 0, moved: int | None = None
) -> ErrorTypes:
    """Count error types; ``examples`` gives so many instances of each type and system.

    ``moved``, of trees: count the heads that moved by more than so many words.
    """
    require_answers(table)
    if moved is not None and "head" not in table.details:
        raise UsageError(f"only heads of trees move, and this is the task {table.task}")
    choices: dict[str, str] = {}
    if table.task.name == "tags":
        types: tuple[str, ...] = table.labels
        counts = _tag_pairs(table)
        gold = counts.sum(axis=2)[:, 0] if table.n_systems else np.zeros(table.n_labels, np.int64)
    elif table.task.name in KINDS:
        types, counts = _outcomes_by_label(table)
        gold = np.bincount(table.label[table.is_gold], minlength=table.n_labels)
    else:
        types = ("TP", *SPAN_ERRORS)
        events = outcome_counts(table, whole(table), focus)[0]
        counts = events[..., [table.outcomes.code(kind) for kind in types]]
        gold = traditional_counts(table, whole(table))[0, 0, :, 3].astype(np.int64)
        choices = {"focus": focus}
    return ErrorTypes(
        table.task,
        table.systems,
        table.labels,
        types,
        counts,
        gold,
        _examples(table, examples) if examples else (),
        signature(table, **choices),
        table.notes,
        _attachments(table, moved) if "head" in table.details else None,
    )


def _attachments(table: OutcomeTable, moved: int | None) -> Attachments:
    from finegrain.analyses.attachment import attachments  # noqa: PLC0415 - only trees have heads

    return attachments(table, moved=moved)


def _examples(table: OutcomeTable, per_type: int) -> tuple[Instance, ...]:
    from finegrain.analyses.units.instances import instances  # noqa: PLC0415 - scores come without it

    return instances(table, per_type=per_type)


def _outcomes_by_label(table: OutcomeTable) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The outcomes that count, and ``[label, system, outcome]`` how often each occurs."""
    types = tuple(one.name for one in table.outcomes if one.charged)
    counts = tally(table.outcome, table.label, groups=table.n_labels, outcomes=len(table.outcomes))
    kept: NDArray[np.int64] = counts[..., [table.outcomes.code(name) for name in types]]
    return types, kept


def _tag_pairs(table: OutcomeTable) -> NDArray[np.int64]:
    """``[gold label, system, answered label]``."""
    size = table.n_labels
    counts = np.empty((size, table.n_systems, size), np.int64)
    for system in range(table.n_systems):
        pairs = table.label.astype(np.int64) * size + table.answer[:, system]
        counts[:, system] = np.bincount(pairs, minlength=size * size).reshape(size, size)
    return counts


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
    )
    heads = () if errors.attachments is None else (errors.attachments.listing(),)
    return (overall, *heads, *by_label)


def _legend(errors: ErrorTypes) -> str:
    said = "; ".join(f"{kind} {errors.task.outcomes[kind].meaning}" for kind in errors.types)
    if errors.task.name != "spans":
        return said
    return f"{said}. A span that answers several gold spans counts once for each of them."


def _tag_listings(errors: ErrorTypes, most: int = 15) -> tuple[Listing, ...]:
    found = []
    for system, name in enumerate(errors.systems):
        pairs = errors.counts[:, system].copy()
        right = int(np.trace(pairs))
        total = int(pairs.sum())
        np.fill_diagonal(pairs, 0)
        order = np.argsort(-pairs, axis=None, kind="stable")[:most]
        places = [divmod(int(place), len(errors.labels)) for place in order]
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                errors.labels[one],
                errors.labels[two],
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
        title = f"{name}: {total - right:,} errors in {total:,} tokens{shown}"
        found.append(Listing(title, columns, rows))
    return tuple(found)
