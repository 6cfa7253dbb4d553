"""A listing as a table of a page: what its cells say, and which are numbers and best.

>>> from finegrain.analyses.listing import Column
>>> listing = Listing("F1", (Column("system"), Column("news", "score", "max", "F1"),
...     Column("95 %", "number")), (("crf", 0.5, None), ("gru", 0.75, "[-2.10, +3.00]")))
>>> found = table_of("scores", listing)
>>> found.groups, found.heads[1]
([('', 1), ('F1', 1), ('', 1)], Shown(text='news', style='r', behind=None))
>>> found.rows[1][:2]
[Shown(text='gru', style='', behind=None), Shown(text='75.00', style='r strong', behind=None)]
>>> found.rows[1][2]                                     # a true minus, and no line is broken
Shown(text='[−2.10, +3.00]', style='r', behind=None)
>>> found.rows[0][2].text
'–'
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from finegrain.analyses.evidence import Evidence
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.views.escape import visible
from finegrain.views.numbers import groups, marks, written

UNDEFINED = "–"


class Shown(NamedTuple):
    """A cell as it is shown, its classes, and the units behind it."""

    text: str
    style: str
    behind: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """``name`` is that of the table in the page; ``groups`` are empty where there are none."""

    name: str
    title: str
    groups: list[tuple[str, int]]
    heads: list[Shown]
    rows: list[list[Shown]]
    note: str


def table_of(name: str, listing: Listing, attributes: Collection[str] = ()) -> Table:
    """A listing as a page shows it; names of ``attributes`` are written without underscores."""
    marked = marks(listing)
    kinds = ["r" if column.kind != "text" else "" for column in listing.columns]
    runs = groups(listing.columns)

    def said(text: str) -> str:
        return text.replace("_", " ") if text in attributes else visible(text)

    return Table(
        name,
        visible(listing.title),
        [(visible(group), width) for group, width in runs] if any(one for one, _ in runs) else [],
        [
            Shown(said(column.name), kind)
            for column, kind in zip(listing.columns, kinds, strict=True)
        ],
        [
            [
                Shown(
                    said(_text(cell, listing.columns[place])),
                    f"{kinds[place]}{' strong' if (number, place) in marked.best else ''}",
                    listing.behind.get((number, place)),
                )
                for place, cell in enumerate(row)
            ]
            for number, row in enumerate(listing.rows)
        ],
        visible(listing.note),
    )


def _text(cell: Cell, column: Column) -> str:
    """A dash where undefined, and a true minus before numbers."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return UNDEFINED
    text = written(cell, column.kind, column.scale)
    return text if column.kind == "text" else text.replace("-", "−")
