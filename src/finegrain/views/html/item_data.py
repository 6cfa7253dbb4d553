"""What items are drawn from: their texts and fields, values of graded units, and parts.

==========  ===========================================================================
names       by unit, the id of the item; no column without ids
fields      pairs of a name and ``[unit]`` texts or numbers as they are read, null none;
            ``text`` of the item is among them under its own name
cut         how many characters of a text are shown at most
excerpt     its ``name`` and by unit what stands before, in and behind what is marked in a
            long text, which is no field then; no column for tasks without one
answers     by system ``[unit]`` what was answered, null none; only of tasks that say so
value       of graded units, its ``name`` and by system ``[unit]`` the value as it is
            written, null none; ``best`` by unit, the systems that have the best one;
            ``solved``: whether the value says when a unit is solved
parts       pairs of a name and ``columns``, ``rows`` by unit (the first ten), ``more``;
            where several units share an item, the labels of gold and systems there
==========  ===========================================================================

>>> import finegrain as fg
>>> from finegrain.analyses.reports.embedded_units import embedded_units
>>> from finegrain.testing import small_corpora
>>> data = item_data(embedded_units(fg.align(*small_corpora("classification"))))
>>> data["names"][:2], [name for name, _ in data["fields"]]
(['r1', 'r2'], ['text', 'domain'])
"""

from __future__ import annotations

from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.reports.embedded_units import EmbeddedUnits
from finegrain.analyses.trust.slice_listings import in_words
from finegrain.corpus.columns import Column, Rows, cell
from finegrain.corpus.items import text_field, written
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import predicted
from finegrain.views.escape import visible

LONGEST = 2_000  # characters of a text
MOST_PARTS = 10  # of a unit
_HIDDEN = ("begin_cut", "end_cut", "begin")


def item_data(units: EmbeddedUnits) -> dict[str, Any]:
    """All that is told of the items of a page beside their answers."""
    table, rows = units.table, units.rows
    found: dict[str, Any] = {"fields": _fields(table, rows), "cut": LONGEST}
    if "id" in table.corpus.fields:
        ids = table.corpus.fields["id"]
        found["names"] = [_shown(cell(ids, item)) for item in table.sentence[rows].tolist()]
    if table.task.excerpt is not None:
        found |= _excerpts(table, rows, found["fields"])
    if table.task.answer_column:
        given = table.details[table.task.answer_column][rows]
        found["answers"] = [[_shown(one) for one in column.tolist()] for column in given.T]
    if table.task.value:
        found["value"] = _value(table, rows)
    found["parts"] = [(name, _parts(table, part, rows)) for name, part in table.parts.items()]
    told_apart = len(np.unique(table.label)) > 1  # a label that all items have says nothing
    if table.task.detects or (table.task.answers == "none" and told_apart):
        found["fields"] = [_own_label(table, rows), *found["fields"]]
    if table.task.detects:  # several units share an item
        found["parts"].append(("labels", _label_sets(table, rows)))
    return found


def _own_label(table: OutcomeTable, rows: NDArray[Any]) -> tuple[str, list[str | None]]:
    names = [visible(name) for name in table.labels]
    return table.task.words.label, [names[code] for code in table.label[rows].tolist()]


def _label_sets(table: OutcomeTable, rows: NDArray[Any]) -> dict[str, Any]:
    """By unit, all labels of its item: those of the gold standard, and of every system."""
    names = [visible(name) for name in table.labels]
    has = np.column_stack([table.is_gold, predicted(table)])
    who = ["gold", *map(visible, table.systems)]
    begin, end = (np.searchsorted(table.sentence, table.sentence[rows] + at) for at in (0, 1))
    told: dict[int, list[list[str | None]]] = {}
    for first, last in zip(begin.tolist(), end.tolist(), strict=True):
        if first not in told:
            labels = [names[code] for code in table.label[first:last].tolist()]
            told[first] = [
                [one, ", ".join(compress(labels, column)) or None]
                for one, column in zip(who, has[first:last].T.tolist(), strict=True)
            ]
    return {
        "columns": ["", "labels"],
        "rows": [told[first] for first in begin.tolist()],
        "more": [0] * len(rows),
    }


def _fields(table: OutcomeTable, rows: NDArray[Any]) -> list[tuple[str, list[str | None]]]:
    corpus = table.corpus
    text = text_field(corpus.fields)
    found = []
    if text is not None and not table.task.drawn_beside:  # else it is the first of those
        found.append((text, _column(corpus.fields[text], table.sentence[rows])))
    found += [
        (name, _column(column, rows))
        for name, column in table.columns.items()
        if column.ndim == 1 and name not in _HIDDEN and name != text
    ]
    return [(visible(name), cells) for name, cells in found]


def _excerpts(
    table: OutcomeTable, rows: NDArray[Any], fields: list[tuple[str, list[str | None]]]
) -> dict[str, Any]:
    """Parts of a long text around what is marked in it, in place of the field with that text."""
    cut = None if table.task.excerpt is None else table.task.excerpt
    found = [cut(table, row) if cut else None for row in rows.tolist()]
    names = {one.name for one in found if one is not None}
    if not names:
        return {}
    return {
        "fields": [(name, cells) for name, cells in fields if name not in names],
        "excerpt": {
            "name": visible(names.pop()),
            "texts": [
                None if one is None else [visible(text) for text in one[1:]] for one in found
            ],
        },
    }


def _column(column: Column, rows: NDArray[Any]) -> list[str | None]:
    return [_shown(cell(column, row)) or None for row in rows.tolist()]


def _shown(value: object) -> str | None:
    """A cell as people read it; what is too long is cut, which the page says."""
    if value is None or value != value:  # noqa: PLR0124 - nan
        return None
    if isinstance(value, float):
        return written(round(value, 6))
    text = visible(str(value))
    return text if len(text) <= LONGEST else text[:LONGEST] + " …"


def _value(table: OutcomeTable, rows: NDArray[Any]) -> dict[str, Any]:
    name = table.task.value
    scale, matrix = table.values[name].scale, table.values[name].matrix[rows]
    quality = np.where(np.isnan(matrix), -np.inf, scale.quality(matrix))
    best = quality == quality.max(axis=1, keepdims=True, initial=-np.inf)
    best &= ~np.isnan(matrix) & (quality.min(axis=1) < quality.max(axis=1))[:, None]
    return {
        "name": visible(in_words(name)),
        "written": [
            [None if np.isnan(value) else scale.written(value) for value in column]
            for column in matrix.T.tolist()
        ],
        "best": best.T.astype(int).tolist(),
        "solved": scale.solved is not None,
    }


def _parts(table: OutcomeTable, parts: Rows, rows: NDArray[Any]) -> dict[str, Any]:
    if table.task.lists is not None:
        return _lists(table, rows)
    begin, end = np.searchsorted(parts.parent, rows), np.searchsorted(parts.parent, rows + 1)
    columns = [visible(name) for name in parts.fields if name not in _HIDDEN]
    columns += [
        f"{name} {visible(system)}" for name in _distinct(parts) for system in table.systems
    ]
    return {
        "columns": columns,
        "rows": [
            [_part(table, parts, row) for row in range(first, min(last, first + MOST_PARTS))]
            for first, last in zip(begin.tolist(), end.tolist(), strict=True)
        ],
        "more": np.maximum(end - begin - MOST_PARTS, 0).tolist(),
    }


def _lists(table: OutcomeTable, rows: NDArray[Any]) -> dict[str, Any]:
    """What systems list, side by side."""
    found = [table.task.lists(table, row) for row in rows.tolist()] if table.task.lists else []
    return {
        "columns": [visible(name) for name in found[0].columns] if found else [],
        "rows": [[[_shown(one or None) for one in line] for line in one.rows] for one in found],
        "more": [0] * len(found),
    }


def _distinct(parts: Rows) -> dict[str, Any]:
    """What systems have by part; of equal columns the last, which has the name in the file."""
    every = list(parts.by_system.items())
    return {
        name: column
        for place, (name, column) in enumerate(every)
        if not any(column is later for _, later in every[place + 1 :])
    }


def _part(table: OutcomeTable, parts: Rows, row: int) -> list[str | None]:
    told = [column for name, column in parts.fields.items() if name not in _HIDDEN]
    cells = [_shown(cell(column, row)) for column in told]
    for column in _distinct(parts).values():
        cells += [_shown(cell(column[:, place], row)) for place in range(table.n_systems)]
    return cells
