"""Results for the terminal: tables without boxes, decimals aligned, the best cell bold.

Colour and bold appear only on a terminal; piped, the same tables come as plain text.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from finegrain.analyses.error_types import ErrorTypes
from finegrain.analyses.listing import Column, Listing
from finegrain.analyses.result import Result
from finegrain.views.escape import visible
from finegrain.views.instances import ACCENT, console_on, print_instance
from finegrain.views.numbers import best_cells, groups, written

_GAP = "  "
_WIDTH = 100  # of running text


def print_result(result: Result, file: TextIO) -> None:
    """Print a result: its tables, its examples, its notes, its signature."""
    console = console_on(file)
    for listing in result.listings():
        _print_listing(console, listing)
    for example in result.examples if isinstance(result, ErrorTypes) else ():
        print_instance(console, example)
    for note in result.notes:
        console.print(Text(f"note: {visible(note)}", style="dim"))
    console.print(Text(visible(result.signature), style="dim"))


def as_text(result: Result) -> str:
    """The same as plain text."""
    out = io.StringIO()
    print_result(result, out)
    return out.getvalue()


def _print_listing(console: Console, listing: Listing) -> None:
    marked = best_cells(listing)
    plain = not console.is_terminal
    compared = {place for _, place in marked}
    cells = [
        [
            visible(written(cell, column.kind))
            + _star((number, place), marked, compared, plain=plain)
            for place, (cell, column) in enumerate(zip(row, listing.columns, strict=True))
        ]
        for number, row in enumerate(listing.rows)
    ]
    heads = [
        visible(column.name) + " " * (plain and place in compared)
        for place, column in enumerate(listing.columns)
    ]
    widths = [
        max([cell_len(heads[place]), *(cell_len(row[place]) for row in cells)])
        for place in range(len(listing.columns))
    ]
    _widen_for_groups(widths, listing.columns)
    console.print(Text(visible(listing.title), style="bold"))
    if any(column.group for column in listing.columns):
        console.print(_group_line(listing.columns, widths))
    console.print(_line(heads, listing.columns, widths, style="dim"))
    for number, row in enumerate(cells):
        bold = {place for place in range(len(row)) if (number, place) in marked}
        console.print(_line(row, listing.columns, widths, bold=bold))
    if marked and plain:
        console.print("* best")
    if listing.note:
        console.print(Text(textwrap.fill(visible(listing.note), _WIDTH), style="dim"))
    console.print()


def _star(
    cell: tuple[int, int], marked: set[tuple[int, int]], compared: set[int], *, plain: bool
) -> str:
    """What stands for bold where there is none; a space keeps the decimals aligned."""
    if not plain or cell[1] not in compared:
        return ""
    return "*" if cell in marked else " "


def _line(
    cells: list[str],
    columns: tuple[Column, ...],
    widths: list[int],
    *,
    style: str = "",
    bold: Iterable[int] = (),
) -> Text:
    line = Text()
    for place, (cell, column, width) in enumerate(zip(cells, columns, widths, strict=True)):
        if place:
            line.append(_separator(columns, place))
        space = " " * (width - cell_len(cell))
        own = f"bold {ACCENT}" if place in set(bold) else style
        if column.kind == "text":
            line.append(cell, own).append(space)
        else:
            line.append(space).append(cell, own)
    line.rstrip()
    return line


def _widen_for_groups(widths: list[int], columns: tuple[Column, ...]) -> None:
    """Give the first column of a group what its heading needs beyond the columns."""
    place = 0
    for name, count in groups(columns):
        inner = sum(widths[place : place + count]) + len(_GAP) * (count - 1)
        widths[place] += max(0, cell_len(visible(name)) - inner)
        place += count


def _separator(columns: tuple[Column, ...], place: int) -> str:
    return _GAP * 2 if columns[place].group != columns[place - 1].group else _GAP


def _group_line(columns: tuple[Column, ...], widths: list[int]) -> Text:
    line, place = Text(style="dim"), 0
    for name, count in groups(columns):
        inner = sum(widths[place : place + count]) + len(_GAP) * (count - 1)
        if place:
            line.append(_separator(columns, place))
        line.append(name.rjust(inner) if name else " " * inner)
        place += count
    line.rstrip()
    return line
