"""The fewest edits that make one sequence of another, and which they are.

>>> [(one.kind, one.reference, one.output) for one in edits("a b c".split(), "a x c d".split())]
[('same', 0, 0), ('substituted', 1, 1), ('same', 2, 2), ('inserted', 3, 3)]
>>> distance("kitten", "sitting"), common_length("abcde", "ace")
(3, 3)

Rows of the table of distances differ by -1, 0 or 1 from cell to cell, so a row is two numbers of
as many bits as the sequence has symbols (Myers 1999; Hyyrö 2003), and a table is a list of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal, NamedTuple

Kind = Literal["same", "substituted", "inserted", "deleted"]


class Edit(NamedTuple):
    """What becomes of a symbol; where it stands in the reference, and in the output."""

    kind: Kind
    reference: int
    output: int


class _Table(NamedTuple):
    """By symbol of the output, where distances rise and fall along the reference; the last one."""

    rises: list[int]
    falls: list[int]
    distance: int


def _places(reference: Sequence[Hashable]) -> dict[Hashable, int]:
    """Where each symbol stands, as bits."""
    found: dict[Hashable, int] = {}
    for place, symbol in enumerate(reference):
        found[symbol] = found.get(symbol, 0) | 1 << place
    return found


def _table(reference: Sequence[Hashable], output: Sequence[Hashable]) -> _Table:
    size = len(reference)
    places, every, last = _places(reference), (1 << size) - 1, 1 << (size - 1) if size else 0
    rise, fall, distance = every, 0, size
    rises, falls = [rise], [fall]
    for symbol in output:
        match = places.get(symbol, 0)
        diagonal = ((((match & rise) + rise) ^ rise) | match | fall) & every
        up = fall | (every & ~(diagonal | rise))
        down = rise & diagonal
        distance += (1 if up & last else 0) - (1 if down & last else 0)
        up = up << 1 | 1
        down <<= 1
        rise = (down | ~(diagonal | up)) & every
        fall = up & diagonal & every
        rises.append(rise)
        falls.append(fall)
    return _Table(rises, falls, distance if size else len(output))


def distance(reference: Sequence[Hashable], output: Sequence[Hashable]) -> int:
    """How many symbols are substituted, inserted or deleted at least (Levenshtein 1966)."""
    return _table(reference, output).distance


def edits(reference: Sequence[Hashable], output: Sequence[Hashable]) -> list[Edit]:
    """The edits in the order of the text; of equally many, substitutions come late."""
    table = _table(reference, output)
    found: list[Edit] = []
    row, column = len(output), len(reference)
    while row or column:
        bit = 1 << (column - 1) if column else 0
        if not row or (column and table.rises[row] & bit):
            column -= 1
            found.append(Edit("deleted", column, row))
        elif not column or table.falls[row - 1] & bit:
            row -= 1
            found.append(Edit("inserted", column, row))
        else:
            row -= 1
            column -= 1
            same = reference[column] == output[row]
            found.append(Edit("same" if same else "substituted", column, row))
    return found[::-1]


def common_length(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """The length of the longest common subsequence (Hyyrö 2004)."""
    places, every = _places(one), (1 << len(one)) - 1
    row = every
    for symbol in other:
        matched = row & places.get(symbol, 0)
        row = (row + matched | row - matched) & every
    return len(one) - row.bit_count()
