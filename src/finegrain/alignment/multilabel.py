"""Rows of items and labels: every label of an item that is gold or that some system has.

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> from finegrain.tasks.multilabel import MULTILABEL
>>> gold = read(source_of("gold", b"id,labels\\nd1,I10|E11\\nd2,I10\\n"))
>>> mine = read(source_of("mine", b"id,labels\\nd1,I10\\nd2,I10|J45\\n"))
>>> table = align(MULTILABEL, gold, {"mine": mine})
>>> table.sentence.tolist(), [table.outcomes.names[code] for code in table.outcome[:, 0]]
([0, 0, 1, 1], ['FN', 'TP', 'TP', 'FP'])

A system that does not have a label which is not gold is ABSENT there, so that adding a system never
changes another one's column. An item without any label, gold or predicted, has one row all the
same, of the first label, where everybody is ABSENT: it counts as an item, and nothing else.

The label set, over which Hamming loss is computed, is that of the gold file: all 0/1 columns, or
the labels that occur in it, unless ``schema`` names it. Its labels come first in ``table.labels``,
and ``table.settings["schema"]`` has their number. A label outside of it is one more decision, a
wrong one; with a ``schema`` that was given it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.answer_usage import usage_columns
from finegrain.alignment.item_labels import (
    ANSWER_NAMES,
    GOLD_NAMES,
    LabelSets,
    label_sets,
    outside,
)
from finegrain.alignment.item_tables import Met, Missing, meet
from finegrain.alignment.label_ranking import LRAP, ranked, unscored
from finegrain.alignment.label_sets import label_notes, require_distinct
from finegrain.alignment.same_text import Systems, named
from finegrain.corpus import Corpus
from finegrain.corpus.columns import chosen
from finegrain.corpus.items import line_of, numbers, of_fields, plain, text_field
from finegrain.corpus.label_rules import ALL_LABELS, LabelRules
from finegrain.errors import InputError, Problem, UsageError
from finegrain.sizes import sized
from finegrain.table import OutcomeTable, Task

TP, FN, FP, ABSENT = range(4)
PER_ITEM = "labels_per_item"
"""Of ``table.columns``: how many gold labels the item of a unit has."""

_SHOWN = 20
Pairs = NDArray[np.int64]


class _Side(NamedTuple):
    """The labels of a file as codes: item ``item[i]`` of the gold file has label ``label[i]``."""

    item: Pairs
    label: Pairs


def align(
    task: Task,
    gold: Corpus,
    systems: Systems,
    *,
    rules: LabelRules = ALL_LABELS,
    missing: Missing = "error",
    separator: str = "",
    schema: str | Sequence[str] = "",
    threshold: str | float | None = None,
) -> OutcomeTable:
    """One row for every label of an item that is gold or predicted.

    Parameters
    ----------
    rules: labels to rename, keep or leave out
    missing: what becomes of items that a system does not have: an ``error``, no labels (``wrong``),
        or they are left out for all systems (``skip``)
    separator: between the labels of a cell: ``bar``, ``semicolon``, ``comma``, ``space``, ``none``,
        or a character
    schema: all labels that there are, as a list or separated by commas
    threshold: the score from which on a label is predicted, for systems with scores only
    """
    listed = tuple(_listed(schema))
    limit = _number(threshold)
    expected = label_sets(gold, GOLD_NAMES, separator=separator, columns=listed)
    labels = listed or expected.schema or expected.names
    read: list[LabelSets] = []

    def corpora() -> Iterator[tuple[str, Corpus]]:
        for name, corpus in named(systems):
            own = label_sets(
                corpus, ANSWER_NAMES, separator=separator, columns=labels, known=expected.names,
                threshold=limit,
            )  # fmt: skip
            _require_columns(expected, own)
            read.append(own)
            yield name, own.corpus

    met = meet(expected.corpus, corpora(), missing=missing)
    if listed:
        _require_schema((expected, *read), listed)
    _require_known(read, missing)
    met, expected, notes = _kept(met, expected, missing)
    settings = {
        **rules.signature(), **({} if missing == "error" else {"missing": missing}),
        **({} if limit is None else {"threshold": f"{limit:g}"}),
    }  # fmt: skip
    table = _rows(task, met, expected, read, labels, rules)
    every = (*met.notes, *notes, *table.notes)
    return replace(table, settings={**table.settings, **settings}, notes=every)


def _rows(
    task: Task, met: Met, expected: LabelSets, read: Sequence[LabelSets], schema: Sequence[str],
    rules: LabelRules,
) -> OutcomeTable:  # fmt: skip
    """The table of all labels, with notes on them."""
    names = _names(expected, read, schema, rules)
    size = len({name for label in schema if rules.keeps(name := rules.name(label))})
    gold = _side(expected, np.arange(met.gold.n_sentences), names, rules)
    sides = [_side(own, _gold_items(met, system), names, rules) for system, own in enumerate(read)]
    table = _table(task, met, names, gold, sides, expected)
    took = usage_columns(met.names, met.corpora, met.rows, met.runs)
    lrap = ranked(table, met, read, names[:size], rules)
    notes = list(expected.notes)
    for name, own in zip(met.names, read, strict=True):
        notes += [f"{name}: {note}" for note in own.notes]
    notes += _observed(expected, read, met, rules)
    return replace(
        table,
        settings={"schema": str(size)},
        details={name: column[table.sentence] for name, column in took.details.items()},
        notes=(*notes, *unscored(met, read), *took.notes),
        values={} if lrap is None else {LRAP: lrap},
    )


def _listed(schema: str | Sequence[str]) -> list[str]:
    parts = schema.split(",") if isinstance(schema, str) else [str(one) for one in schema]
    return [part.strip() for part in parts if part.strip()]


def _number(threshold: str | float | None) -> float | None:
    if threshold is None or threshold == "":
        return None
    try:
        return float(threshold)
    except ValueError:
        raise UsageError(f"threshold: {threshold!r} is not a number") from None


def _require_columns(expected: LabelSets, own: LabelSets) -> None:
    """Where both files have a column for each label, they have the same ones."""
    if not expected.schema or not own.schema:
        return
    lacking = [name for name in expected.schema if name not in own.schema]
    if lacking:
        what = f"no column for {sized(len(lacking), 'label')} of the gold file: {lacking[0][:40]!r}"
        mend = "Add a column of 0 and 1, or name the labels: --set schema=A,B."
        raise InputError.at(own.corpus.source, 1, what, mend)


def _require_schema(files: Sequence[LabelSets], schema: Sequence[str]) -> None:
    problems = [problem for own in files for problem in outside(own, schema)]
    if problems:
        raise InputError(problems[:_SHOWN])


def _require_known(read: Sequence[LabelSets], missing: Missing) -> None:
    if missing != "error":
        return
    problems = [
        Problem(
            own.corpus.source, line_of(own.corpus, item), "the labels of this item are not given",
            "Write [] for no label, or say --missing wrong or --missing skip.",
        )
        for own in read
        for item in np.flatnonzero(~own.known)[:_SHOWN].tolist()
    ]  # fmt: skip
    if problems:
        raise InputError(problems[:_SHOWN])


def _kept(
    met: Met, expected: LabelSets, missing: Missing
) -> tuple[Met, LabelSets, tuple[str, ...]]:
    """Without items whose gold labels are not known and, with ``skip``, that some system lacks."""
    kept, notes = expected.known.copy(), []
    if not kept.all():
        left = f"{int((~kept).sum()):,} of {len(kept):,} items have no gold labels and are left out"
        notes.append(f"{left} ([] is an item without a label)")
    if missing == "skip" and not met.complete.all():
        some = int((kept & ~met.complete).sum())
        notes.append(
            f"{some:,} of {len(kept):,} items are left out for all systems: some system does not "
            "have them (missing:skip)"
        )
        kept &= met.complete
    if not kept.any():
        raise UsageError("no item is left: each lacks gold labels, or some system's")
    if kept.all():
        return met, expected, tuple(notes)
    rows = np.flatnonzero(kept)
    fields = {name: chosen(column, rows) for name, column in met.gold.fields.items()}
    gold = of_fields(met.gold.source, fields, notes=met.gold.notes, format=met.gold.format)
    place = np.full(len(kept), -1, np.int64)
    place[rows] = np.arange(len(rows))
    inside = kept[expected.item]
    expected = expected._replace(
        corpus=gold, item=place[expected.item[inside]], label=expected.label[inside],
        known=expected.known[rows],
    )  # fmt: skip
    return met._replace(gold=gold, rows=met.rows[rows]), expected, tuple(notes)


def _gold_items(met: Met, system: int) -> Pairs:
    """``[own item]`` the gold item that it is; -1 for one that is left out."""
    own = met.rows[:, system]
    found = np.full(met.corpora[system].n_sentences, -1, np.int64)
    found[own[own >= 0]] = np.flatnonzero(own >= 0)
    return found


def _used(sets: LabelSets, rules: LabelRules) -> set[str]:
    """The labels that a file has and that count, under the names under which they do."""
    codes = np.flatnonzero(np.bincount(sets.label, minlength=len(sets.names))).tolist()
    return {name for code in codes if rules.keeps(name := rules.name(sets.names[code]))}


def _names(
    expected: LabelSets, read: Sequence[LabelSets], schema: Sequence[str], rules: LabelRules
) -> tuple[str, ...]:
    """All labels, those of the schema first."""
    first = {name for label in schema if rules.keeps(name := rules.name(label))}
    used = set().union(*(_used(own, rules) for own in (expected, *read)))
    files = [(own.corpus.source, sorted(_used(own, rules))) for own in (expected, *read)]
    require_distinct([(expected.corpus.source, sorted(first)), *files])
    if not first | used:
        raise InputError.at(expected.corpus.source, 0, "no item has a label")
    return (*sorted(first), *sorted(used - first))


def _observed(
    expected: LabelSets, read: Sequence[LabelSets], met: Met, rules: LabelRules
) -> tuple[str, ...]:
    seen = set(expected.names).union(*(own.names for own in read))
    notes = [f"the label {name!r} occurs nowhere" for name in rules.unused(seen)] if rules else []
    gold, own = _used(expected, rules), [_used(one, rules) for one in read]
    return (*notes, *label_notes(gold, dict(zip(met.names, own, strict=True))))


def _side(sets: LabelSets, items: Pairs, names: tuple[str, ...], rules: LabelRules) -> _Side:
    """Labels as codes in all names; those of items or labels that do not count are left out."""
    number = {name: code for code, name in enumerate(names)}
    recoded = np.array([number.get(rules.name(name), -1) for name in sets.names] or [-1], np.int64)
    item, label = items[sets.item], recoded[sets.label]
    kept = (item >= 0) & (label >= 0)
    return _Side(item[kept], label[kept])


def _table(
    task: Task, met: Met, names: tuple[str, ...], gold: _Side, sides: Sequence[_Side],
    expected: LabelSets,
) -> OutcomeTable:  # fmt: skip
    n_items, n_labels = met.gold.n_sentences, len(names)
    keys = [np.unique(side.item * n_labels + side.label) for side in (gold, *sides)]
    every = np.unique(np.concatenate(keys))
    bare = np.ones(n_items, bool)
    bare[every // n_labels] = False
    every = np.union1d(every, np.flatnonzero(bare) * n_labels)
    is_gold = np.isin(every, keys[0])
    has = np.stack([np.isin(every, own) for own in keys[1:]], axis=1) if sides else (
        np.zeros((len(every), 0), bool)
    )  # fmt: skip
    item = every // n_labels
    rows = np.arange(len(every), dtype=np.int32)
    length = np.diff(met.gold.offsets).astype(np.int32)
    own = {"id", "document", text_field(met.gold.fields), *expected.used}
    return OutcomeTable(
        task=task,
        systems=met.names,
        labels=names,
        sentence=item.astype(np.int32),
        begin=np.zeros(len(every), np.int32),
        end=length[item],
        label=(every % n_labels).astype(np.int32),
        is_gold=is_gold,
        outcome=_outcomes(is_gold[:, None], has),
        answer=np.where(is_gold[:, None] & has, rows[:, None], np.int32(-1)),
        corpus=met.gold,
        token_set=np.zeros(len(every), np.int8),
        columns={
            PER_ITEM: np.bincount(item[is_gold], minlength=n_items)[item].astype(np.float64),
            **{
                name: plain(column)[item]
                for name, column in met.gold.fields.items()
                if name not in own and not name.startswith("@")
            },
        },
    )


def _outcomes(is_gold: NDArray[np.bool_], has: NDArray[np.bool_]) -> NDArray[np.uint8]:
    return np.where(is_gold, np.where(has, TP, FN), np.where(has, FP, ABSENT)).astype(np.uint8)


def rematched(
    table: OutcomeTable, has: NDArray[np.bool_]
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Outcome and answer ``[unit]`` of a system that has exactly these labels."""
    outcome = _outcomes(table.is_gold, has)
    rows = np.arange(len(table), dtype=np.int32)
    return outcome, np.where(outcome == TP, rows, np.int32(-1))


def recognise(corpus: Corpus, _: str) -> bool:
    """Items with lists of labels, or a column whose name says that a cell may hold several.

    Or with a column of 0 and 1 for each label, named ``labels.joy``.
    """
    if corpus.format not in ("csv", "items", "parquet"):
        return False
    several = ("labels", "gold_labels", "true_labels", "gold")
    lists = [name for name in several if name in corpus.parts]
    if any(set(corpus.parts[name].fields) <= {"value"} for name in lists):
        return True
    if any(name in corpus.fields for name in several[:3]):
        return True
    inside = [numbers(column) for name, column in corpus.fields.items()
              if name.partition(".")[0] in several and "." in name]  # fmt: skip
    return bool(inside) and all(one is not None and np.isin(one, (0, 1)).all() for one in inside)
