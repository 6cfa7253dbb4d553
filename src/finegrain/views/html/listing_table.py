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
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from finegrain.analyses.evidence import Evidence
from finegrain.analyses.listing import Cell, Column, Linked, Listing, Value
from finegrain.views.escape import visible
from finegrain.views.html.axis import Drawing, DrawnColumn, Ticks
from finegrain.views.html.wording import first_upper, points, sentence, signed
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
    beside: str = ""
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
        group = self.heads[at - 1].group if at < len(self.heads) else ""
        head = Head("", style, group, ticks=column.ticks)
        heads = [*self.heads[:at], head, *self.heads[at:]]
        rows = []
        for row, drawing in zip(self.rows, column.rows, strict=True):
            shown = row.cells[at - 1]._replace(text="", beside="", style=style, drawing=drawing)
            rows.append(row._replace(cells=[*row.cells[:at], shown, *row.cells[at:]]))
        return replace(self, heads=heads, rows=rows)


@dataclass(frozen=True, slots=True)
class Look:
    """How a listing is shown.

    words: what some names are written as
    systems: by rank; columns named after them may be broken, or are ``numbered`` by it
    digits: of proportions; style: classes of the table; styles: those of columns
    faded: rows that say little; keys: the colour of each row; named: the column of their names
    """

    words: Mapping[str, str] = field(default_factory=dict)
    systems: Sequence[str] = ()
    numbered: bool = False
    digits: int = 2
    style: str = "fit"
    styles: Mapping[int, str] = field(default_factory=dict)
    faded: Collection[int] = ()
    keys: Sequence[str] = ()
    named: int = 0

    def text(self, text: str) -> str:
        return visible(self.words.get(text, text))

    def column(self, column: Column, place: int) -> str:
        """The classes of a column."""
        return f"{'r' if column.kind != 'text' else ''} {self.styles.get(place, '')}".strip()

    def head(self, column: Column, place: int) -> Head:
        style = self.column(column, place).replace("strong", "").strip()
        if column.kind == "text" or column.name not in self.systems:
            name = self.text(column.name)
            first = column.kind == "text" or place == self.named
            return Head(first_upper(name) if first else name, style, self.text(column.group))
        name = visible(column.name)
        if self.numbered:
            return Head(str(self.systems.index(column.name) + 1), style, column.group, name)
        return Head(name, f"{style} system", self.text(column.group), name)

    def row(
        self, cells: Sequence[Cell], columns: Sequence[Column], best: Collection[int]
    ) -> list[Shown]:
        shown = []
        for place, (cell, column) in enumerate(zip(cells, columns, strict=True)):
            linked = cell if isinstance(cell, Linked) else Linked(cell, None)
            text = self.text(_text(linked.value, column, self.digits))
            style = self.column(column, place)
            if place in best and "strong" not in style:
                style = f"{style} strong".strip()
            beside = visible(linked.beside).replace("-", "−")
            shown.append(Shown(text, style, linked.evidence, visible(linked.told), beside))
        return shown


def table_of(name: str, listing: Listing, look: Look = Look()) -> Table:
    """A listing as a page shows it."""
    best = marks(listing).best
    columns = listing.columns
    rows = [
        Row(
            look.row(cells, columns, [at for at in range(len(columns)) if (number, at) in best]),
            "few" if number in look.faded else "",
            look.keys[number] if look.keys else "",
        )
        for number, cells in enumerate(listing.rows)
    ]
    return Table(
        name,
        visible(listing.title),
        [look.head(column, place) for place, column in enumerate(columns)],
        rows,
        visible(sentence(listing.note)),
        look.style,
        tuple(Row(look.row(cells, columns, ()), "third") for cells in listing.footer),
        look.named,
    )


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


def spaced(names: Iterable[str]) -> dict[str, str]:
    """Names of attributes as words, without underscores.

    >>> spaced(["entity_length"])
    {'entity_length': 'entity length'}
    """
    return {name: name.replace("_", " ") for name in names}
