"""How cells of a listing are written: one rule for all views.

>>> written(0.85054, "score"), written(-0.021, "change"), written(12345, "count")
('85.05', '-2.10', '12,345')
>>> written(-0.001, "percent"), written(-0.00001, "change"), written(0.0312, "p")
('0', '+0.00', '.031')
>>> written(4.25, "score", Scale(shown="number"))
'4.250'
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from finegrain.analyses.listing import Cell, Kind, Linked, Listing, plain
from finegrain.analyses.p_values import written_p
from finegrain.table.scale import PROPORTION, Scale

UNDEFINED = "n/a"
Place = tuple[int, int]


def written(value: Cell, kind: Kind, scale: Scale = PROPORTION) -> str:
    """A cell as text: scores as their scale has them, counts with commas."""
    value = value.value if isinstance(value, Linked) else value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return UNDEFINED
    if kind in ("score", "change") and isinstance(value, int | float):
        return scale.written(value, signed="+" if kind == "change" else "")
    if kind == "percent" and isinstance(value, int | float):
        return format(100 * value, "z.0f")
    if kind == "p" and isinstance(value, int | float):
        return written_p(value)
    if kind == "count" and isinstance(value, int):
        return f"{value:,}"
    return str(value)


class Marks(NamedTuple):
    """Places ``(row, column)`` of the cells to mark; ties are all marked, lone values are not."""

    best: frozenset[Place]
    worst: frozenset[Place]

    def by_row(self) -> dict[int, list[int]]:
        """Columns of the marked cells of each row that has any."""
        found: dict[int, list[int]] = {}
        for row, column in self.best | self.worst:
            found.setdefault(row, []).append(column)
        return found


def marks(listing: Listing) -> Marks:
    """The best and, where it is asked for, the worst cells of columns and rows."""
    best, worst = set[Place](), set[Place]()
    for compared in _compared(listing):
        values = {cell: _rounded(listing, cell) for cell in compared}
        known = [value for value in values.values() if value is not None]
        highest, lowest = max(known, default=0.0), min(known, default=0.0)
        if highest == lowest:
            continue
        higher = listing.columns[compared[0][1]].scale.higher
        top, bottom = (highest, lowest) if higher else (lowest, highest)
        best |= {cell for cell, value in values.items() if value == top}
        worst |= {
            cell
            for cell, value in values.items()
            if value == bottom and listing.columns[cell[1]].worst
        }
    return Marks(frozenset(best), frozenset(worst))


def _compared(listing: Listing) -> Iterator[list[Place]]:
    """Cells that stand against each other."""
    rows = range(len(listing.rows))
    for place, column in enumerate(listing.columns):
        if column.best == "max" and len(rows) > 1:
            yield [(row, place) for row in rows]
    places = [place for place, column in enumerate(listing.columns) if column.best == "row"]
    if len(places) > 1:
        for row in rows:
            yield [(row, place) for place in places]


def _rounded(listing: Listing, cell: Place) -> float | None:
    """The value as printed, so that what looks equal is marked equal."""
    (value,), column = plain((listing.rows[cell[0]][cell[1]],)), listing.columns[cell[1]]
    if not isinstance(value, int | float) or math.isnan(value):
        return None
    if column.scale.shown == "number":
        return float(column.scale.written(value))
    return round(100 * value, 0 if column.kind == "percent" else 2)


class Grouped(Protocol):
    """Something below a heading that others may share."""

    @property
    def group(self) -> str: ...


def groups(columns: Sequence[Grouped]) -> list[tuple[str, int]]:
    """Runs of columns with one group name and their widths."""
    runs: list[tuple[str, int]] = []
    for column in columns:
        if runs and runs[-1][0] == column.group:
            runs[-1] = (column.group, runs[-1][1] + 1)
        else:
            runs.append((column.group, 1))
    return runs
