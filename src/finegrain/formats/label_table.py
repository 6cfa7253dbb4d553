r"""Tables of labels: units x annotators, or one line per label; with missing values.

*Wide*: the first line names the annotators, every further line is a unit; a first column called
``item``, ``unit``, ``id`` or the like names the units.

>>> from finegrain.formats.source import source_of
>>> wide = read_labels(source_of("a.tsv", b"item\tann\tben\n1\tyes\tyes\n2\tno\t\n"))
>>> wide.annotators, wide.labels, wide.codes.tolist()
(('ann', 'ben'), ('no', 'yes'), [[1, 1], [0, -1]])

*Long*: columns ``annotator``, ``item`` and ``label``, wherever they stand (or ``columns`` says
which they are, also by number for files without a header), in any order of lines.

>>> long = read_labels(source_of("a.tsv", b"annotator\titem\tlabel\nann\t1\tyes\nben\t1\tno\n"))
>>> long.annotators, long.codes.tolist()
(('ann', 'ben'), [[1, 0]])

Cells are separated by tabs, commas or runs of blanks. Empty cells and ``*``, ``NA``, ``nan``,
``None`` are missing. A square table of whole numbers may be one of counts (``count_table``): it is
refused until somebody says what it is.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping

from finegrain.corpus.names import misnamed
from finegrain.errors import Collector, InputError, UsageError
from finegrain.files_read import FilePath
from finegrain.formats.count_table import Line, read_counts, require_labels
from finegrain.formats.source import Source, open_source, require_lines
from finegrain.table.ratings import Ratings, coded

MISSING = ("", "*", "NA", "N/A", "nan", "NaN", "None")
LONG = ("annotator", "item", "label")
_NAMES_UNITS = re.compile(r"(|(unit|item|id|name|question|example|instance)s?)\Z", re.IGNORECASE)


def read_ratings(
    path: FilePath,
    *,
    columns: Mapping[str, int | str] | None = None,
    counts: bool | None = None,
) -> Ratings:
    """Read a table of labels (units x annotators, or one label per line) for ``fg.agreement``.

    Parameters
    ----------
    columns: which columns are ``annotator``, ``item`` and ``label``, counted from 1 or by the names
        of the header; for files with one label per line whose header does not say so itself
    counts: whether cells count how often one annotator says i (lines) where the other one says j
        (columns); a square table of whole numbers is refused until this is said
    """
    return read_labels(open_source(path), columns=columns, counts=counts)


def read_labels(
    source: Source,
    *,
    columns: Mapping[str, int | str] | None = None,
    counts: bool | None = None,
) -> Ratings:
    """Read a table of labels; ``columns``: which ones are annotator, item and label."""
    require_lines(source)
    lines = _cells(source)
    if counts:
        if columns is not None:
            raise UsageError("counts are a square of lines and columns: leave out --columns")
        return read_counts(source.name, lines)
    if counts is None and columns is None and not _items_are_named(lines[0]):
        require_labels(source.name, lines)
    _require_one_width(source.name, lines)
    if columns is not None:
        return _long(source.name, *_chosen(source.name, lines, columns))
    names = [cell.lower() for cell in lines[0].cells]
    if set(LONG) <= set(names):
        return _long(source.name, [names.index(name) for name in LONG], lines[1:])
    return _wide(source.name, lines)


def _cells(source: Source) -> list[Line]:
    """All lines that are not blank, as cells."""
    text = source.lines()
    if "\t" in text[0]:
        rows = [line.split("\t") for line in text]
    elif "," in text[0]:
        rows = list(csv.reader(text))
        if len(rows) != len(text):
            raise InputError.at(source.name, 0, "a cell goes over several lines")
    else:
        rows = [line.split() for line in text]
    return [
        Line(number, [cell.strip() for cell in row])
        for number, (row, line) in enumerate(zip(rows, text, strict=True), 1)
        if line.strip()
    ]


def _items_are_named(head: Line) -> bool:
    """Whether the first line says that the first column names items, which counts do not have."""
    return bool(head.cells[0] and _NAMES_UNITS.match(head.cells[0]))


def _require_one_width(source: str, lines: list[Line]) -> None:
    """Refuse lines whose number of cells differs from that of the first."""
    problems = Collector(source)
    width = len(lines[0].cells)
    for number, row in lines:
        if len(row) != width:
            what = f"expected {width} cells, found {len(row)}"
            problems.add(number, what, "Every line has the cells of the first one; * is missing.")
    problems.raise_any()
    if width < 2:
        raise InputError.at(source, lines[0].number, "only one column, so nothing to compare")


def _value(cell: str) -> str | None:
    return None if cell in MISSING else cell


def _wide(source: str, lines: list[Line]) -> Ratings:
    names, units = lines[0].cells, lines[1:]
    first = 1 if _NAMES_UNITS.match(names[0]) else 0
    annotators = tuple(names[first:])
    what = misnamed(annotators, "annotator")
    if what:
        mend = "The first line names the annotators, each once."
        raise InputError.at(source, lines[0].number, what, mend)
    if not units:
        raise InputError.at(source, lines[0].number, "no line of labels below the header")
    cells = [*zip(*(row for _, row in units), strict=True)]
    if all(name in column for name, column in zip(names, cells, strict=True)):
        what = "the first line should name the annotators, but each of its cells is a label below"
        mend = "Add such a line; one label per line: --columns annotator=1,item=2,label=3."
        raise InputError.at(source, lines[0].number, what, mend)
    columns = [[_value(cell) for cell in column] for column in cells][first:]
    return coded(annotators, columns)


def _chosen(
    source: str, lines: list[Line], columns: Mapping[str, int | str]
) -> tuple[list[int], list[Line]]:
    """The places of annotator, item and label, and the lines that hold them."""
    if set(columns) != set(LONG):
        mend = "As in annotator=1,item=2,label=3."
        raise InputError.at(source, 0, "name the columns annotator, item and label", mend)
    head, width = lines[0].cells, len(lines[0].cells)
    places = []
    for name in LONG:
        column = columns[name]
        if isinstance(column, str) and column not in head:
            raise InputError.at(
                source, 1, f"no column is called {column!r}", f"The header has: {', '.join(head)}."
            )
        place = head.index(column) if isinstance(column, str) else column - 1
        if not 0 <= place < width:
            what = f"there is no column {column} ({name}): lines have {width}"
            raise InputError.at(source, 1, what, "Columns count from 1.")
        places.append(place)
    has_header = any(isinstance(column, str) for column in columns.values()) or {
        cell.lower() for cell in head
    } >= set(LONG)
    return places, lines[1:] if has_header else lines


def _long(source: str, places: list[int], lines: list[Line]) -> Ratings:
    """One label per line; an annotator labels a unit once."""
    problems = Collector(source)
    found: dict[tuple[str, str], str | None] = {}
    for number, row in lines:
        annotator, item, label = (row[place] for place in places)
        if not (annotator and item):
            problems.add(number, "no annotator or no item", "Name both in every line.")
        elif (annotator, item) in found:
            what = f"{annotator!r} labels {item!r} a second time"
            problems.add(number, what, "Keep one label for each annotator and item.")
        else:
            found[annotator, item] = _value(label)
    problems.raise_any()
    if not found:
        raise InputError.at(source, 0, "there are no labels in it")
    annotators = tuple(dict.fromkeys(annotator for annotator, _ in found))
    what = misnamed(annotators, "annotator")
    if what:
        raise InputError.at(source, 0, what, "Call an annotator by one name in all lines.")
    items = list(dict.fromkeys(item for _, item in found))
    return coded(annotators, [[found.get((who, item)) for item in items] for who in annotators])
