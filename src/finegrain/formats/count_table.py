r"""A square table of counts: how often one annotator says i where the other one says j.

>>> from finegrain.formats.source import source_of
>>> from finegrain.formats.label_table import read_labels
>>> lecture = source_of("judges.tsv", b"\tyes\tno\nyes\t300\t20\nno\t10\t70\n")
>>> found = read_labels(lecture, counts=True)
>>> found.annotators, found.labels, len(found)
(('rows', 'columns'), ('no', 'yes'), 400)

The labels stand above the columns and before the rows, in any order; before the rows they may be
missing, and in a table of bare numbers everywhere: labels are 1, 2, 3 then. Such a table looks like
one of labels, too, so it is read only by those who say what it is.

>>> read_labels(lecture)                                        # doctest: +ELLIPSIS
Traceback (most recent call last):
finegrain.errors.InputError: judges.tsv:1: a square table of whole numbers: are they labels, or ...
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from finegrain.corpus.names import misnamed
from finegrain.errors import Collector, InputError, UsageError
from finegrain.table.ratings import Ratings, from_counts

_TOTALS = ("total", "totals", "sum")
_MEND = "Write each label above a column and before a line, and leave out totals."


class Line(NamedTuple):
    """A line of a table that is not blank, as cells."""

    number: int
    cells: list[str]


class _Square(NamedTuple):
    """A square of cells with what stands above and before it; ``None`` where nothing does."""

    above: list[str] | None
    before: list[str] | None
    lines: list[Line]


def require_labels(source: str, lines: Sequence[Line]) -> None:
    """Refuse a table that may be one of counts."""
    found = _square(lines)
    if found is not None and all(_is_count(cell) for line in found.lines for cell in line.cells):
        raise InputError.at(
            source, lines[0].number,
            "a square table of whole numbers: are they labels, or counts of how often one "
            "annotator says i where the other says j",
            "Say which: --counts or --no-counts.",
        )  # fmt: skip


def read_counts(source: str, lines: Sequence[Line]) -> Ratings:
    """The labels of two annotators from how often they go together."""
    found = _square(lines)
    if found is None:
        what = "counts are a square: a line and a column for every label"
        raise InputError.at(source, lines[0].number, what, _MEND)
    what = _misplaced(found)
    if what:
        raise InputError.at(source, lines[0].number, what, _MEND)
    problems = Collector(source)
    for line in found.lines:
        for cell in line.cells:
            if not _is_count(cell):
                problems.add(line.number, f"{cell!r} is not a count", "Write whole numbers from 0.")
    problems.raise_any()
    rows = found.lines
    if found.before is not None and found.above is not None:
        rows = [rows[found.before.index(label)] for label in found.above]
    try:
        return from_counts([[int(cell) for cell in row.cells] for row in rows], labels=found.above)
    except UsageError as error:  # none at all, or too many
        raise InputError.at(source, lines[0].number, str(error)) from None


def _misplaced(found: _Square) -> str:
    """What is wrong with the labels."""
    above, before = found.above or [], found.before
    total = next((label for label in above if label.casefold() in _TOTALS), None)
    if total is not None:
        return f"{total!r} is not a label"
    what = misnamed(above, "label")
    if what or before is None:
        return what
    odd = next((one for one in (*before, *above) if before.count(one) != above.count(one)), None)
    return "" if odd is None else f"the label {odd!r} is not above one column and before one line"


def _square(lines: Sequence[Line]) -> _Square | None:
    """The square of a table, whatever stands above and before it."""
    widths = [len(line.cells) for line in lines]
    size = len(lines)
    if widths == [size] * size and all(_is_count(cell) for line in lines for cell in line.cells):
        return _Square(None, None, list(lines))
    head, below, size = lines[0].cells, list(lines[1:]), size - 1
    if size > 1 and widths == [size] * (size + 1):
        return _Square(head, None, below)
    if size > 1 and widths[1:] == [size + 1] * size and widths[0] in (size, size + 1):
        inner = [Line(line.number, line.cells[1:]) for line in below]
        return _Square(head[-size:], [line.cells[0] for line in below], inner)
    return None


def _is_count(cell: str) -> bool:
    return cell.isascii() and cell.isdecimal()
