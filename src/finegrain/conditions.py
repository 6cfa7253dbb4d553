"""Outputs on perturbed copies, aligned with those on the original: one table, a column for each.

The rows are the units of the original; the columns are systems under conditions: ``crf`` on the
original, ``crf@typos`` on a copy with typing errors. Everything that analyses do with several
systems can be done with them; ``robustness`` says what matters.

>>> import finegrain as fg
>>> gold = fg.Corpus.of([["Ada", "slept"]], tags=[["B-PER", "O"]])
>>> copy = fg.perturb(gold, "upper")
>>> lost = fg.Corpus.of([["ADA", "SLEPT"]], tags=[["O", "O"]])
>>> table = fg.align_perturbed(gold, {"crf": gold}, {"upper": (copy, {"crf": lost})})
>>> table.systems, table.facets["condition"], table.outcome.tolist()
(('crf', 'crf@upper'), ('original', 'upper'), [[0, 6]])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Coded, Corpus, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.errors import UsageError
from finegrain.perturbations.item_fields import is_items
from finegrain.perturbations.perturbing import Perturbed
from finegrain.perturbations.restoring import restored, way_of
from finegrain.perturbations.rewriting import Change
from finegrain.table import OutcomeTable
from finegrain.table.conditions import CHANGES, ORIGINAL, PRESENT, column_name
from finegrain.table.facets import parsed
from finegrain.table.task import Task
from finegrain.tasks import align, by_name, guess

Aligner = Callable[[Corpus, Iterator[tuple[str, Corpus]], Task], OutcomeTable]


class Copy(NamedTuple):
    """A perturbed gold corpus, what was changed, and the outputs of systems on it."""

    gold: Corpus
    changes: Sequence[Change]
    outputs: Mapping[str, Corpus]


def align_perturbed(
    gold: Corpus,
    systems: Mapping[str, Corpus],
    copies: Mapping[str, tuple[Perturbed, Mapping[str, Corpus]]],
    *,
    task: str | Task | None = None,
    **options: Any,
) -> OutcomeTable:
    """One table of outputs on the original and on perturbed copies of it.

    Parameters
    ----------
    copies: name of a condition -> what ``perturb`` returned, and the outputs of systems on it
    task, options: as of ``align``
    """
    chosen = task or guess(gold)
    asked = by_name(chosen) if isinstance(chosen, str) else chosen

    def aligned(one: Corpus, pairs: Iterator[tuple[str, Corpus]], of: Task) -> OutcomeTable:
        return align(one, pairs, task=of, **options)

    given = {name: Copy(one.corpus, one.changes, own) for name, (one, own) in copies.items()}
    return under_conditions(gold, systems, given, asked, aligned)


def under_conditions(
    gold: Corpus,
    systems: Mapping[str, Corpus],
    copies: Mapping[str, Copy],
    task: Task,
    aligner: Aligner,
) -> OutcomeTable:
    """The table of systems under all conditions that they have an output for."""
    if ORIGINAL in copies:
        raise UsageError(f"a condition cannot be called {ORIGINAL}")
    columns = [(name, ORIGINAL) for name in systems]
    columns += [(name, one) for one, copy in copies.items() for name in copy.outputs]
    for name, condition in columns:
        if name not in systems:
            raise UsageError(f"{name} has an output for {condition} and none for the original")

    def pairs() -> Iterator[tuple[str, Corpus]]:
        for name, condition in columns:
            if condition == ORIGINAL:
                yield name, systems[name]
                continue
            copy = copies[condition]
            output = copy.outputs[name]
            task.require_same_text(copy.gold, output)
            back = restored(output, gold, copy.changes)
            yield column_name(name, condition), back

    marked = with_changes(gold, {name: one.changes for name, one in copies.items()})
    table = with_conditions(aligner(marked, pairs(), task), columns)
    if is_items(gold) or gold.tokens is None:
        return table
    ways = {name: way_of(gold, one.changes) for name, one in copies.items()}
    present = np.ones((len(table), table.n_systems), bool)
    for place, (_, condition) in enumerate(columns):
        if condition in ways and not ways[condition].whole:
            present[:, place] = table.begin < ways[condition].kept[table.sentence]
    return with_present(table, present)


def with_conditions(table: OutcomeTable, columns: Sequence[tuple[str, str]]) -> OutcomeTable:
    """The table with what each of its columns is: a system, and a condition."""
    own = parsed([name for name, _ in columns])
    facets = {**own, "system": tuple(name for name, _ in columns)}
    return replace(table, facets={**facets, "condition": tuple(one for _, one in columns)})


def with_present(table: OutcomeTable, present: NDArray[np.bool_]) -> OutcomeTable:
    """``present`` ``[unit, system]``: which units there are under a condition."""
    if present.all():
        return table
    return replace(table, details={**table.details, PRESENT: present})


def with_changes(gold: Corpus, changes: Mapping[str, Sequence[Change]]) -> Corpus:
    """The corpus with what was changed in its texts, by condition."""
    rows = [(change, name) for name, own in changes.items() for change in own]
    rows.sort(key=lambda row: row[0].sentence)
    fields: dict[str, Column] = {
        "condition": Coded.of(name for _, name in rows),
        "field": Coded.of(change.field for change, _ in rows),
        "word": np.array([change.begin for change, _ in rows], np.int64),
        "words": np.array([len(change.old) for change, _ in rows], np.int64),
        "old": Texts.of(" ".join(change.old) for change, _ in rows),
        "new": Texts.of(" ".join(change.new) for change, _ in rows),
    }
    parent = np.array([change.sentence for change, _ in rows], np.int64)
    return replace(gold, parts={**gold.parts, CHANGES: Rows(parent, fields)})
