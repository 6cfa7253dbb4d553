"""Tables of items: gold and systems meet by ids, and every item is one unit.

>>> from finegrain.formats.items import read
>>> from finegrain.formats.source import source_of
>>> gold = read(source_of("gold", b'{"id": "a", "label": "pos"}\\n{"id": "b", "label": "neg"}'))
>>> some = read(source_of("some", b'{"id": "b", "answer": "pos"}'))
>>> met = meet(gold, {"some": some})
>>> met.rows.tolist(), met.column("answer").tolist(), met.notes
([[-1], [0]], [[None], ['pos']], ('some: 1 of 2 items has no answer',))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.same_text import Systems, named
from finegrain.corpus import Corpus, IntArray
from finegrain.corpus.columns import Rows
from finegrain.corpus.notes import told_of
from finegrain.errors import AlignmentError, InputError, Problem
from finegrain.table import OutcomeTable, Task
from finegrain.table.scale import Value

LINE = "@line"
_SHOWN = 20  # problems that are told at once


class Met(NamedTuple):
    """Systems by name; ``rows`` ``[item, system]`` where each has a gold item, -1 for nowhere."""

    gold: Corpus
    names: tuple[str, ...]
    corpora: tuple[Corpus, ...]
    rows: NDArray[np.int64]
    notes: tuple[str, ...]

    def column(self, name: str, *, needed: bool = True) -> NDArray[Any]:
        """``[item, system]`` a field of the systems; ``None`` or nan where it is missing."""
        columns = [_field(one, name, needed=needed) for one in self.corpora]
        text = any(one is not None and one.dtype.kind == "O" for one in columns)
        found: NDArray[Any] = np.full(
            self.rows.shape, None if text else np.nan, object if text else float
        )
        for place, column in enumerate(columns):
            has = self.rows[:, place] >= 0
            if column is not None:
                found[has, place] = column[self.rows[has, place]]
        return found


def meet(gold: Corpus, systems: Systems) -> Met:
    """Match the items of systems with those of the gold standard by their ids."""
    ids = _ids(gold)
    number = {name: place for place, name in enumerate(ids)}
    names, corpora, rows = [], [], []
    notes = list(gold.notes)
    for name, corpus in named(systems):
        own = _ids(corpus)
        unknown = [place for place, one in enumerate(own) if one not in number]
        if unknown:
            raise AlignmentError(
                [_unknown(corpus, own[place], place) for place in unknown[:_SHOWN]]
            )
        column = np.full(len(ids), -1, np.int64)
        column[[number[one] for one in own]] = np.arange(len(own))
        names.append(name)
        corpora.append(corpus)
        rows.append(column)
        notes += told_of(name, corpus.notes)
        lacking = len(ids) - len(own)
        if lacking:
            verb = "has" if lacking == 1 else "have"
            notes.append(f"{name}: {lacking:,} of {len(ids):,} items {verb} no answer")
    stacked = np.stack(rows, axis=1) if rows else np.zeros((len(ids), 0), np.int64)
    return Met(gold, tuple(names), tuple(corpora), stacked, tuple(notes))


def field(corpus: Corpus, name: str) -> NDArray[Any]:
    """A column of the items; a clear error for a file that has none of this name."""
    found = _field(corpus, name, needed=True)
    assert found is not None  # noqa: S101 - it was needed
    return found


def _field(corpus: Corpus, name: str, *, needed: bool) -> NDArray[Any] | None:
    column = corpus.fields.get(name)
    if isinstance(column, np.ndarray):
        return column
    if not needed:
        return None
    have = ", ".join(one for one in corpus.fields if not one.startswith("@")) or "none"
    raise InputError.at(
        corpus.source, 0, f"the items have no {name!r} (keys: {have})", f'Write "{name}": ... .'
    )


def _ids(corpus: Corpus) -> list[str]:
    return [str(one) for one in field(corpus, "id")]


def _unknown(corpus: Corpus, name: str, place: int) -> Problem:
    line = int(corpus.fields[LINE][place]) if LINE in corpus.fields else 0
    what = f"the item {name[:40]!r} is not in the gold file"
    return Problem(corpus.source, line, what, "Ids are those of the gold file, to the letter.")


def codes_of(values: Sequence[Any] | NDArray[Any], names: Sequence[str]) -> NDArray[np.int32]:
    """Codes of strings in a list of names; -1 for what is missing.

    >>> codes_of(["b", None, "a"], ("a", "b")).tolist()
    [1, -1, 0]
    """
    number: dict[Any, int] = {name: code for code, name in enumerate(names)}
    given = np.asarray(values, object)
    flat = [-1 if one is None else number[one] for one in given.reshape(-1)]
    return np.array(flat, np.int32).reshape(given.shape)


def item_table(
    task: Task,
    met: Met,
    *,
    outcome: NDArray[np.uint8],
    labels: tuple[str, ...] = ("",),
    label: IntArray | None = None,
    answer: NDArray[np.int32] | None = None,
    values: Mapping[str, Value] | None = None,
    details: Mapping[str, NDArray[Any]] | None = None,
    parts: Mapping[str, Rows] | None = None,
    settings: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
) -> OutcomeTable:
    """One row per gold item, which covers the words of its text; fields of items are columns."""
    gold, size = met.gold, met.gold.n_sentences
    every = np.zeros(size, np.int32)
    own = ("id", "text", "document")
    return OutcomeTable(
        task=task,
        systems=met.names,
        labels=labels,
        sentence=np.arange(size, dtype=np.int32),
        begin=every,
        end=np.diff(gold.offsets).astype(np.int32),
        label=every if label is None else label,
        is_gold=np.ones(size, bool),
        outcome=outcome,
        answer=np.full(outcome.shape, -1, np.int32) if answer is None else answer,
        corpus=gold,
        token_set=np.zeros(size, np.int8),
        settings=settings or {},
        notes=(*met.notes, *notes),
        columns={
            name: column
            for name, column in gold.fields.items()
            if name not in own and name != LINE and isinstance(column, np.ndarray)
        },
        details=details or {},
        values=values or {},
        parts=parts or {},
    )
