"""A listing as a table of a page: the one way from cells to what a reader sees and follows.

>>> from finegrain.analyses.listing import Column
>>> listing = Listing("F1", (Column("system"), Column("news", "score", "max", "F1"),
...     Column("95 %", "number")), (("crf", 0.5, None), ("gru", 0.75, "[-2.10, +3.00]")))
>>> table = table_of("scores", listing)
>>> table.groups, table.heads[1]
([('', 1), ('F1', 1), ('', 1)], Head(text='news', style='r', group='F1', title='', ticks=None))
>>> [(cell.text, cell.style) for cell in table.rows[1].cells[:2]]
[('gru', ''), ('75.00', 'r strong')]
>>> table.rows[1].cells[2].text                        # a true minus, and no line is broken
'[−2.10, +3.00]'
>>> table.rows[0].cells[2].text
'–'
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from finegrain.analyses.evidence import Evidence
from finegrain.analyses.listing import Cell, Column, Linked, Listing, Value
from finegrain.views.escape import visible
from finegrain.views.html.axis import Drawing, DrawnColumn, Ticks
from finegrain.views.html.wording import points, signed
from finegrain.views.numbers import groups, marks, written

UNDEFINED = "–"


class Head(NamedTuple):
    """What stands above a column: with ``ticks`` an axis; ``title``: what is under a pointer."""

    text: str
    style: str
    group: str = ""
    title: str = ""
    ticks: Ticks | None = None


class Shown(NamedTuple):
    """A cell: its text, or what is drawn in it, its classes, and the units behind it."""

    text: str
    style: str = ""
    behind: Evidence | None = None
    told: str = ""
    drawing: Drawing | None = None


class Row(NamedTuple):
    """Cells; ``style`` of the row, ``key``: the colour beside its name."""

    cells: list[Shown]
    style: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """``name`` is that of the table in the page; ``style``: its classes.

    ``named``: the column that names the rows.
    """

    name: str
    title: str
    heads: list[Head]
    rows: list[Row]
    note: str = ""
    style: str = "fit"
    footer: tuple[Row, ...] = ()
    named: int = 0

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Runs of columns below one heading; empty where there are none."""
        runs = groups(self.heads)
        return runs if any(group for group, _ in runs) else []

    def drawn(self, at: int, column: DrawnColumn, style: str = "axis") -> Table:
        """With a drawn column in front of a column; it leads to where the cell before it leads."""
        heads = [*self.heads[:at], Head("", style, ticks=column.ticks), *self.heads[at:]]
        rows = []
        for row, drawing in zip(self.rows, column.rows, strict=True):
            shown = row.cells[at - 1]._replace(text="", style=style, drawing=drawing)
            rows.append(row._replace(cells=[*row.cells[:at], shown, *row.cells[at:]]))
        return replace(self, heads=heads, rows=rows)


def table_of(
    name: str,
    listing: Listing,
    attributes: Collection[str] = (),
    *,
    systems: Sequence[str] = (),
    numbered: bool = False,
    digits: int = 2,
    style: str = "fit",
    styles: Mapping[int, str] | None = None,
    faded: Collection[int] = (),
    keys: Sequence[str] = (),
    named: int = 0,
) -> Table:
    """A listing as a page shows it.

    attributes: names that are written without underscores
    systems: by rank; columns named after them may be broken, or are ``numbered`` by it
    digits: of proportions; styles: further classes of columns
    faded: rows that say little; keys: the colour of each row; named: the column of their names
    """
    marked = marks(listing)
    classes = [
        f"{'r' if column.kind != 'text' else ''} {(styles or {}).get(place, '')}".strip()
        for place, column in enumerate(listing.columns)
    ]
    ranks = {system: str(rank) for rank, system in enumerate(systems, 1)}

    def said(text: str) -> str:
        return text.replace("_", " ") if text in attributes else visible(text)

    def head(column: Column, classes: str) -> Head:
        classes = classes.replace("strong", "").strip()
        if column.kind == "text" or column.name not in ranks:
            return Head(said(column.name), classes, visible(column.group))
        text = ranks[column.name] if numbered else visible(column.name)
        style = classes if numbered else f"{classes} system"
        return Head(text, style, visible(column.group), visible(column.name))

    def row(number: int, cells: Sequence[Cell]) -> list[Shown]:
        shown = []
        for place, (cell, column) in enumerate(zip(cells, listing.columns, strict=True)):
            value, behind, told = _parts(cell)
            best = " strong" if (number, place) in marked.best else ""
            text = said(_text(value, column, digits))
            shown.append(Shown(text, f"{classes[place]}{best}".strip(), behind, visible(told)))
        return shown

    return Table(
        name,
        visible(listing.title),
        [head(column, own) for column, own in zip(listing.columns, classes, strict=True)],
        [
            Row(
                row(number, cells),
                "few" if number in faded else "",
                keys[number] if keys else "",
            )
            for number, cells in enumerate(listing.rows)
        ],
        visible(listing.note),
        style,
        tuple(Row(row(-1, cells), "third") for cells in listing.footer),
        named,
    )


def _parts(cell: Cell) -> tuple[Value, Evidence | None, str]:
    if isinstance(cell, Linked):
        return cell.value, cell.evidence, cell.told
    return cell, None, ""


def _text(value: Value, column: Column, digits: int) -> str:
    """A dash where undefined, and a true minus before numbers."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return UNDEFINED
    if column.scale.shown == "percent" and isinstance(value, float):
        if column.kind == "score":
            return points(value, digits)
        if column.kind == "change":
            return signed(value, digits)
    text = written(value, column.kind, column.scale)
    return text if column.kind == "text" else text.replace("-", "−")
