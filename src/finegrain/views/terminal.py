"""Results for the terminal: tables without boxes, decimals aligned, the best cell bold.

Colour and bold appear only on a terminal; piped, the same tables come as plain text. A table that
is wider than the terminal goes on below.
"""

from __future__ import annotations

import io
import math
import textwrap
from typing import TYPE_CHECKING, NamedTuple, TextIO, cast

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.result import Result
from finegrain.analyses.scores.error_types import ErrorTypes
from finegrain.views.escape import visible
from finegrain.views.instances import ACCENT, console_on, print_instance
from finegrain.views.numbers import Marks, Place, groups, marks, written

if TYPE_CHECKING:
    from finegrain.analyses.compare.difference import Difference

_GAP = "  "
_WIDTH = 100  # of running text
_WIDEST = 160  # of a table that goes to a file
WORST = "_"
_LOWEST, _HIGHEST = (247, 251, 255), (107, 174, 214)  # colours that black can be read on


def print_result(result: Result, file: TextIO) -> None:
    """Print a result: its tables, its examples, its notes, its signature."""
    console = console_on(file)
    for listing in result.listings():
        _print_listing(console, listing)
    if isinstance(result, ErrorTypes):
        for example in result.examples:
            print_instance(console, example, result.task)
    if getattr(result, "has_examples", False):  # a difference
        from finegrain.views.change_examples import print_change_examples  # noqa: PLC0415 - slow

        print_change_examples(console, cast("Difference", result))
    for note in result.notes:
        console.print(Text(f"note: {visible(note)}", style="dim"))
    console.print(Text(visible(result.signature), style="dim"))


def as_text(result: Result) -> str:
    """The same as plain text."""
    out = io.StringIO()
    print_result(result, out)
    return out.getvalue()


class _Drawn(NamedTuple):
    """A listing as text: its cells with their styles, and how wide its columns are."""

    columns: tuple[Column, ...]
    heads: list[str]
    rows: list[list[str]]
    styles: list[list[str]]
    widths: list[int]


def _print_listing(console: Console, listing: Listing) -> None:
    marked = marks(listing)
    drawn = _drawn(listing, marked, console)
    console.print(Text(visible(listing.title), style="bold"))
    for place, part in enumerate(_parts(drawn, _room(console))):
        if place:
            console.print()
        _print_part(console, drawn, part)
    legend = _legend(marked, plain=not console.is_terminal)
    if legend:
        console.print(Text(legend, style="dim"))
    if listing.note:
        console.print(Text(textwrap.fill(visible(listing.note), _WIDTH), style="dim"))
    console.print()


def _legend(marked: Marks, *, plain: bool) -> str:
    if plain:
        return ("* best" if marked.best else "") + (f", {WORST} worst" if marked.worst else "")
    return "bold: best, italic: worst" if marked.worst else ""


def _room(console: Console) -> int:
    return console.width if console.is_terminal else _WIDEST


def _drawn(listing: Listing, marked: Marks, console: Console) -> _Drawn:
    plain = not console.is_terminal
    compared = {place for _, place in (*marked.best, *marked.worst)} if plain else set()
    shaded = console.color_system in ("256", "truecolor")
    rows, styles = [], []
    for number, row in enumerate((*listing.rows, *listing.footer)):
        texts, looks = [], []
        for place, (cell, column) in enumerate(zip(row, listing.columns, strict=True)):
            below = number >= len(listing.rows)
            mark = " " if below else _mark((number, place), marked)
            text = visible(written(cell, column.kind, column.scale))
            texts.append(text + (mark if place in compared else ""))
            proportion = column.shade and column.scale.shown == "percent"
            back = _shade(cell) if shaded and proportion and not below else ""
            looks.append("dim" if below else _style(mark, back))
        rows.append(texts)
        styles.append(looks)
    heads = [
        visible(column.name) + " " * (place in compared)
        for place, column in enumerate(listing.columns)
    ]
    widths = [
        max([cell_len(heads[place]), *(cell_len(row[place]) for row in rows)])
        for place in range(len(listing.columns))
    ]
    return _Drawn(listing.columns, heads, rows, styles, widths)


def _mark(cell: Place, marked: Marks) -> str:
    """What stands for bold where there is none; a space keeps the decimals aligned."""
    return "*" if cell in marked.best else WORST if cell in marked.worst else " "


def _style(mark: str, back: str) -> str:
    shown = {"*": "bold" if back else f"bold {ACCENT}", WORST: "italic"}.get(mark, "")
    return f"{shown} {back}".strip()


def _shade(cell: Cell) -> str:
    """Black on a background between white and blue, by a proportion."""
    value = cell.value if isinstance(cell, Linked) else cell
    if not isinstance(value, int | float) or math.isnan(value):
        return ""
    share = min(max(float(value), 0.0), 1.0)
    red, green, blue = (
        round(low + share * (high - low)) for low, high in zip(_LOWEST, _HIGHEST, strict=True)
    )
    return f"black on rgb({red},{green},{blue})"


def _parts(drawn: _Drawn, room: int) -> list[list[int]]:
    """Columns that fit side by side; a table that is too wide goes on below, with its first column.

    Columns take up to four blanks between them.
    """
    parts: list[list[int]] = [[0]]
    used = drawn.widths[0]
    for place, width in enumerate(drawn.widths[1:], 1):
        between = len(_separator(drawn.columns[place - 1], drawn.columns[place]))
        if used + between + width > room and len(parts[-1]) > 1:
            parts.append([0])
            used, between = drawn.widths[0], len(_GAP) * 2
        parts[-1].append(place)
        used += between + width
    return parts


def _print_part(console: Console, drawn: _Drawn, part: list[int]) -> None:
    columns = tuple(drawn.columns[place] for place in part)
    widths = [drawn.widths[place] for place in part]
    _widen_for_groups(widths, columns)
    if any(column.group for column in columns):
        console.print(_group_line(columns, widths))
    heads = [drawn.heads[place] for place in part]
    console.print(_line(heads, columns, widths, ["dim"] * len(part)))
    for row, looks in zip(drawn.rows, drawn.styles, strict=True):
        chosen = [row[place] for place in part]
        console.print(_line(chosen, columns, widths, [looks[place] for place in part]))


def _line(
    cells: list[str], columns: tuple[Column, ...], widths: list[int], styles: list[str]
) -> Text:
    line = Text()
    for place, (cell, column, width, style) in enumerate(
        zip(cells, columns, widths, styles, strict=True)
    ):
        if place:
            line.append(_separator(columns[place - 1], column))
        space = " " * (width - cell_len(cell))
        if column.kind == "text":
            line.append(cell, style).append(space)
        elif " on " in style:  # the background fills the cell
            line.append(space + cell, style)
        else:
            line.append(space).append(cell, style)
    line.rstrip()
    return line


def _widen_for_groups(widths: list[int], columns: tuple[Column, ...]) -> None:
    """Give the first column of a group what its heading needs beyond the columns."""
    place = 0
    for name, count in groups(columns):
        inner = sum(widths[place : place + count]) + len(_GAP) * (count - 1)
        widths[place] += max(0, cell_len(visible(name)) - inner)
        place += count


def _separator(before: Column, column: Column) -> str:
    return _GAP * 2 if column.group != before.group else _GAP


def _group_line(columns: tuple[Column, ...], widths: list[int]) -> Text:
    line, place = Text(style="dim"), 0
    for name, count in groups(columns):
        inner = sum(widths[place : place + count]) + len(_GAP) * (count - 1)
        if place:
            line.append(_separator(columns[place - 1], columns[place]))
        shown = visible(name)
        line.append(" " * (inner - cell_len(shown)) + shown)
        place += count
    line.rstrip()
    return line
