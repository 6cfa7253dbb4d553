"""How a 0/1 table is laid out: separator, header and unit names, settled from its first lines.

>>> layout = settle("memory", ["item\\tcrf\\tneural", "q1\\t1\\t0", "q2\\t1\\t1"])
>>> layout.systems, layout.named, layout.header
(('crf', 'neural'), True, True)
>>> settle("memory", ["1 0 1", "0 0 1"]).systems
('s1', 's2', 's3')
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from finegrain.corpus.names import misnamed
from finegrain.errors import InputError

DIGITS = frozenset({"0", "1"})
_NAMES_UNITS = re.compile(
    r"(|(unit|item|id|input|name|question|example|instance)s?)\Z", re.IGNORECASE
)
_NUMBER = re.compile(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?\Z", re.IGNORECASE)
_NAMES_TOKENS = re.compile(r"(token|word|form)s?\Z", re.IGNORECASE)


class Layout(NamedTuple):
    """The separator (runs of blanks, if it is one), systems, and what else there is."""

    separator: str
    systems: tuple[str, ...]
    named: bool
    header: bool

    def cells(self, line: str) -> list[str]:
        """The cells of a line, without its line end."""
        if self.separator == " ":
            return re.split("[ \t]+", line.strip(" \t"))
        return line.split(self.separator)


def settle(source: str, lines: Sequence[str], names: Sequence[str] | None = None) -> Layout:
    """Settle the layout from the first lines; ``names`` are those of the systems, if given."""
    if not lines[0].strip():
        raise InputError.at(source, 1, "a blank line", "Every line is a unit: delete it.")
    separator = next((one for one in "\t," if one in lines[0]), " ")
    plain = Layout(separator, (), named=False, header=False)
    rows = [plain.cells(line) for line in lines]
    header = _is_header(rows[0])
    data = rows[1:] if header else rows
    if not data:
        raise InputError.at(source, 1, "a header line, and no line of 0 and 1 below it")
    wider = header and len(data[0]) == len(rows[0]) + 1
    named = len(data[0]) > 1 and (wider or _has_names(data, rows[0] if header else None))
    width = len(data[0]) - named
    found = [f"s{place + 1}" for place in range(width)]
    if header:
        found = rows[0] if wider or not named else rows[0][1:]
        _require_header(source, found)
    if names is not None and len(names) != width:
        raise InputError.at(
            source, 1, f"{len(names)} names for {width} systems", "Give one name for each column."
        )
    if names is not None and header and list(names) != list(found):
        raise InputError.at(
            source, 1, f"the header names the systems {', '.join(found)}",
            "Names are for tables without a header: leave them out, or delete the header.",
        )  # fmt: skip
    systems = tuple(found if names is None else names)
    _require_names(source, systems, width)
    return Layout(separator, systems, named, header)


def _require_header(source: str, names: list[str]) -> None:
    """Refuse a first line that may be a unit with a wrong cell, which would not be counted."""
    if not DIGITS.isdisjoint(names) or (len(names) == 1 and _NUMBER.match(names[0])):
        raise InputError.at(
            source, 1, "systems called by a number, or a unit with a cell that is not 0 or 1",
            "Give systems names with a letter, or write 1 where the system is right, 0 where it "
            "is wrong.",
        )  # fmt: skip


def _is_header(row: list[str]) -> bool:
    """Whether a first line names the systems; its first cell may name the units."""
    return not DIGITS.issuperset(row[1:] or row)


def _has_names(data: list[list[str]], header: list[str] | None) -> bool:
    """Whether the first column holds names: the header says so, or half of it is not 0 and 1.

    Fewer are mistakes, which are not to be taken for names.
    """
    if header is not None and len(header) == len(data[0]) and _NAMES_UNITS.match(header[0]):
        return True
    cells = [row[0] for row in data if len(row) == len(data[0])]
    return 2 * sum(cell not in DIGITS for cell in cells) >= len(cells)


def _require_names(source: str, systems: tuple[str, ...], width: int) -> None:
    if len(systems) != width:
        raise InputError.at(
            source, 1, f"the header names {len(systems)} systems, the lines below have {width}",
            "Give every column of answers a name.",
        )  # fmt: skip
    what = misnamed(systems, "system")
    if what:
        raise InputError.at(source, 1, what, "Name them apart.")


def looks_intended(lines: Sequence[str]) -> bool:
    """Whether lines that do not look right may still be meant for a 0/1 table.

    >>> looks_intended(["item,a,b", "q1,1,NaN"]), looks_intended(["item,a,b"])
    (True, True)
    >>> looks_intended(["Ada B-PER", "slept O"])
    False
    """
    if not lines or not lines[0].strip():
        return False
    separator = next((one for one in "\t," if one in lines[0]), " ")
    rows = [Layout(separator, (), named=False, header=False).cells(line) for line in lines]
    if len(rows) == 1:
        return len(rows[0]) > 2 and _NAMES_UNITS.match(rows[0][0]) is not None
    cells = [cell for row in rows[1:] for cell in row[1:]]
    return len(rows[0]) > 2 and 2 * sum(cell in DIGITS for cell in cells) >= max(len(cells), 1)


def looks_faulty(lines: Sequence[str]) -> bool:
    """Whether lines that do not look right are hardly meant for anything but a 0/1 table.

    Unlike tokens with numbers beside them, they have 0 and 1 in all columns, or in all of several
    but the first, and no blank lines between sentences.

    >>> looks_faulty(["item a b", "q1 1 0", "q2 2 1"]), looks_faulty(["1 0", "0 1", "1 x"])
    (True, True)
    >>> looks_faulty(["The DT 0", "dog NN 1"]), looks_faulty(["a 1 0", "", "b 2 0", "", "c 1 1"])
    (False, False)
    """
    if not lines or not lines[0].strip() or sum(not line.strip() for line in lines) > 1:
        return False
    separator = next((one for one in "\t," if one in lines[0]), " ")
    rows = [Layout(separator, (), named=False, header=False).cells(line) for line in lines]
    if _NAMES_TOKENS.match(rows[0][0]):
        return False
    data = [row for row in rows[_is_header(rows[0]) :] if row]
    if not data:
        return looks_intended(lines)
    (width, _), *_ = Counter(map(len, data)).most_common(1)
    columns = list(zip(*(row for row in data if len(row) == width), strict=True))
    if width < 3:
        return width == 2 and all(map(_mostly_digits, columns))
    some = any("0" in column for column in columns[1:])  # tokens of spans count from 1
    return some and looks_intended(lines) and all(map(DIGITS.intersection, columns[1:]))


def _mostly_digits(column: Sequence[str]) -> bool:
    return 2 * sum(cell in DIGITS for cell in column) > len(column)


def looks_right(lines: Sequence[str]) -> bool:
    """Whether lines can hardly be anything but a 0/1 table.

    With unit names there must be two systems or more, a 0 somewhere, and no name twice: else they
    may be tokens with numbers beside them, or spans.
    """
    if not lines or any(not line.strip() for line in lines):
        return False
    try:
        layout = settle("", lines)
    except InputError:
        return False
    rows = [layout.cells(line) for line in lines]
    if layout.header and _NAMES_TOKENS.match(rows[0][0]):
        return False
    data = rows[1:] if layout.header else rows
    width = len(layout.systems) + layout.named
    if any(len(row) != width or not DIGITS.issuperset(row[layout.named :]) for row in data):
        return False
    if not layout.named:
        return True
    some = any("0" in row[1:] for row in data)
    return some and width > 2 and len({row[0] for row in data}) == len(data)
