"""A table as people read it: titled, with typed columns. Views turn it into text.

>>> listing = Listing("F1", (Column("label"), Column("a", "score", best="max")), (("PER", 0.5),))
>>> listing.columns[1].kind
'score'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from finegrain.analyses.evidence import Evidence
from finegrain.table.scale import PROPORTION, Scale

Kind = Literal["text", "count", "score", "percent", "change", "number", "p"]
Value = str | int | float | None  # None and nan are undefined


@dataclass(frozen=True, slots=True)
class Linked:
    """A value with its evidence, the units behind it, which a page leads to.

    ``told``: which units these are, where the value is not computed from them alone; ``beside``:
    what a page writes beside it.
    """

    value: Value
    evidence: Evidence | None
    told: str = ""
    beside: str = ""


Cell = Value | Linked


def plain(row: Iterable[Cell]) -> tuple[Value, ...]:
    """The values of cells.

    >>> from finegrain.analyses.evidence import has_label
    >>> plain(("PER", Linked(12, Evidence.of(12, has_label("PER")))))
    ('PER', 12)
    """
    return tuple(cell.value if isinstance(cell, Linked) else cell for cell in row)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, what it holds, and whether its best cell is marked.

    ``score`` and ``percent`` cells are proportions, printed as percentages with two decimals and
    without, and ``change`` cells their differences, printed with a sign; ``p`` cells are those of
    tests; ``number`` cells are numbers and intervals that are written already. ``best="row"``
    marks the best cell of each row. With ``worst``, the lowest is marked where the best one is.
    ``shade`` gives proportions a background by their value on a colour terminal. ``scale``: which
    end of a ``score`` is the best, and whether it and a ``change`` are proportions at all.
    """

    name: str
    kind: Kind = "text"
    best: Literal["max", "row"] | None = None
    group: str = ""
    worst: bool = False
    shade: bool = False
    scale: Scale = PROPORTION


@dataclass(frozen=True, slots=True)
class Listing:
    """A titled table; ``note`` explains what the reader must know to read it.

    ``footer``: rows below the others that are not compared with them, such as sums.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    footer: tuple[tuple[Cell, ...], ...] = ()

    @property
    def values(self) -> tuple[tuple[Value, ...], ...]:
        """Rows without what they lead to."""
        return tuple(map(plain, self.rows))

    def part(self, columns: Iterable[int]) -> Listing:
        """The same with some of the columns.

        >>> Listing("F1", (Column("a"), Column("b")), (("x", "y"),)).part([1]).rows
        (('y',),)
        """
        kept = list(columns)
        return replace(
            self,
            columns=tuple(self.columns[at] for at in kept),
            rows=tuple(tuple(row[at] for at in kept) for row in self.rows),
            footer=tuple(tuple(row[at] for at in kept) for row in self.footer),
        )

    def leading(
        self, columns: Iterable[int], behind: Callable[[int, int], Evidence | None]
    ) -> Listing:
        """The same with the units behind the cells of some columns, by row and column.

        >>> from finegrain.analyses.evidence import GOLD
        >>> counts = Listing("gold", (Column("all", "count"),), ((12,),))
        >>> counts.leading([0], lambda row, column: Evidence.of(12, GOLD)).rows
        ((Linked(value=12, evidence=Evidence(12, 'gold!=none'), told='', beside=''),),)
        """
        leads = frozenset(columns)
        rows = (
            tuple(
                Linked(cell, behind(at, column)) if column in leads else cell
                for column, cell in enumerate(plain(row))
            )
            for at, row in enumerate(self.rows)
        )
        return replace(self, rows=tuple(rows))

    def in_order(self, names: Sequence[str]) -> Listing:
        """The same with rows in another order, by their first cells.

        >>> Listing("F1", (Column("system"),), (("a",), ("b",))).in_order(["b", "a"]).rows
        (('b',), ('a',))
        """
        by_name = {plain(row)[0]: row for row in self.rows}
        return replace(self, rows=tuple(by_name[name] for name in names))
