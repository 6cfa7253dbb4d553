"""How cells of a listing are written: one rule for all views.

>>> written(0.85054, "score"), written(-0.021, "change"), written(12345, "count")
('85.05', '-2.10', '12,345')
"""

from __future__ import annotations

import math

from finegrain.analyses.listing import Cell, Column, Kind, Listing

UNDEFINED = "n/a"


def written(value: Cell, kind: Kind) -> str:
    """A cell as text: proportions as percentages with two decimals, counts with commas."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return UNDEFINED
    if kind == "score" and isinstance(value, int | float):
        return f"{100 * value:.2f}"
    if kind == "change" and isinstance(value, int | float):
        return f"{100 * value:+.2f}"
    if kind == "count" and isinstance(value, int):
        return f"{value:,}"
    return str(value)


def best_cells(listing: Listing) -> set[tuple[int, int]]:
    """Places ``(row, column)`` of the cells to mark; ties are all marked, lone values are not."""
    marked: set[tuple[int, int]] = set()
    for place, column in enumerate(listing.columns):
        if column.best == "max" and len(listing.rows) > 1:
            cells = [(row, place) for row in range(len(listing.rows))]
            marked |= _highest(listing, cells)
    places = [place for place, column in enumerate(listing.columns) if column.best == "row"]
    if len(places) > 1:
        for row in range(len(listing.rows)):
            marked |= _highest(listing, [(row, place) for place in places])
    return marked


def _highest(listing: Listing, cells: list[tuple[int, int]]) -> set[tuple[int, int]]:
    shown = {cell: _rounded(listing.rows[cell[0]][cell[1]]) for cell in cells}
    known = [value for value in shown.values() if value is not None]
    if not known or max(known) == min(known):
        return set()
    return {cell for cell, value in shown.items() if value == max(known)}


def _rounded(value: Cell) -> float | None:
    """The value as printed, so that what looks equal is marked equal."""
    if not isinstance(value, int | float) or math.isnan(value):
        return None
    return round(100 * value, 2)


def groups(columns: tuple[Column, ...]) -> list[tuple[str, int]]:
    """Runs of columns with one group name and their widths."""
    runs: list[tuple[str, int]] = []
    for column in columns:
        if runs and runs[-1][0] == column.group:
            runs[-1] = (column.group, runs[-1][1] + 1)
        else:
            runs.append((column.group, 1))
    return runs
