"""`csv`: one item per line, cells separated by commas, semicolons or tabs, header or not.

    id,label,domain            a fine film<TAB>positive          positive
    q1,positive,books          dull<TAB>negative                 negative
    q2,negative,films

A first line that names columns is recognised by usual names (``id``, ``text``, ``label`` ...), or
because it alone has no number in a column of numbers. Without a header the last column is
``label``; a first column of distinct words is ``id``, all others are texts (``text``, ``text2``).
A single column holds labels. Cells between commas or semicolons may be quoted ("a, b"); between
tabs a quotation mark is an ordinary character, unless lines have the same number of cells only if
it quotes. Empty cells are missing.

>>> from finegrain.formats.source import source_of
>>> corpus = read(source_of("memory", b"q1,pos\\nq2,neg\\n"))
>>> list(corpus.fields["id"]), list(corpus.fields["label"])
(['q1', 'q2'], ['pos', 'neg'])
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from finegrain.corpus import Corpus, IntArray, Texts
from finegrain.corpus.columns import Column, cell, chosen
from finegrain.corpus.items import TEXT, of_fields, plain, written
from finegrain.errors import Collector, InputError, UsageError
from finegrain.formats.chosen_columns import renamed
from finegrain.formats.fields import blocks, differences
from finegrain.formats.source import Source

Header = Literal["auto", "yes", "no"]
_HEAD = 400  # lines that are looked at
_WORD_OF_TOKENS = re.compile(
    r"(token|word|form|tag|pos|upos|ner|chunk|lemma|head)s?\Z", re.IGNORECASE
)
_NAMES = re.compile(
    r"(id|idx|index|guid|qid|item|text|sentence|premise|hypothesis|question|context|review|title"
    r"|label|gold|class|category|sentiment|target|prediction|predicted|pred|answer|output|score"
    r"|scores|rating|value|similarity|y|truth|confidence|probability|domain|genre|run|document"
    r"|passage|reference|cluster|language|rater|annotator|worker|judge|winner|loser)(s|_?\d|_?id|_label|_true|_pred|_score)?\Z",
    re.IGNORECASE,
)
_PREFIXED = re.compile(r"(true|gold|predicted|pred|prob|probability|p)[_. (]", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z")
_BLANK_LINE = "Write one item per line; an item without an answer has an empty cell behind its id."


class Layout(NamedTuple):
    """How lines become cells."""

    separator: str
    width: int
    quoted: bool


class Table(NamedTuple):
    """Cells by column, and the line of each row."""

    columns: list[Column]
    lines: IntArray


def looks_like(source: Source) -> bool:
    """True for lines with as many cells each that are not tokens: with a header, or with texts."""
    lines = source.head(_HEAD)
    while lines and not lines[-1].strip():
        lines.pop()
    if len(lines) < 2 or any(not line.strip() for line in lines):
        return False
    separator = _separator(lines[0])
    if not separator:
        return False
    rows = [_cells(line, separator) for line in lines]
    if len({len(row) for row in rows}) > 1 and '"' not in source.head(1)[0] + "".join(lines):
        return False
    first = rows[0]
    if separator != "\t":
        return len({len(row) for row in rows}) == 1 or '"' in "".join(lines)
    if _names_columns(first, rows[1:]):
        return not _WORD_OF_TOKENS.match(first[0])
    texts = sum(" " in row[0].strip() for row in rows)
    return 2 * texts > len(rows)


def read(
    source: Source,
    *,
    columns: Mapping[str, int | str] | None = None,
    header: Header = "auto",
    limit: int = 20,
) -> Corpus:
    """Read items.

    Parameters
    ----------
    columns: name -> column, counted from 1 or named as in the header: ``id``, ``label``, ``text``
    header: whether the first line names the columns
    limit: how many problems to gather before giving up
    """
    if header not in ("auto", "yes", "no"):
        raise UsageError.unknown("header", header, ("auto", "yes", "no"))
    layout = _layout(source)
    table = _quoted(source, layout, limit) if layout.quoted else _split(source, layout, limit)
    first = [str(cell(column, 0) or "").strip() for column in table.columns]
    names = None
    if header == "yes" or (header == "auto" and _first_is_header(table, first, columns)):
        names = _required_names(source, first)
        table = Table([chosen(column, slice(1, None)) for column in table.columns], table.lines[1:])
        if not len(table.lines):
            raise InputError.at(source.name, 1, "a header and no items below it")
    notes: tuple[str, ...] = ()
    if layout.quoted and layout.separator == "\t":
        notes = ("cells in quotation marks are read as quoted: otherwise lines differ in cells",)
    fields = dict(zip(names or _default_names(table), table.columns, strict=True))
    fields = renamed(source.name, fields, columns)
    return of_fields(source.name, fields, lines=table.lines, notes=notes, format="csv")


def _separator(line: str) -> str:
    """The separator of cells; empty for a single column."""
    return next((mark for mark in ("\t", ",", ";") if mark in line), "")


def _layout(source: Source) -> Layout:
    first = source.head(1)[0]
    separator = _separator(first)
    marked = b'"' in source.buffer[source.begin : source.end]
    if not separator:
        return Layout("", 1, quoted=False)
    if not marked:
        return Layout(separator, first.count(separator) + 1, quoted=False)
    if separator != "\t":
        return Layout(separator, len(_cells(first, separator)), quoted=True)
    counts = {line.count("\t") for line in source.lines() if line.strip()}
    width = len(_cells(first, "\t", quoted=True))
    return Layout("\t", first.count("\t") + 1 if len(counts) == 1 else width, len(counts) > 1)


def _cells(line: str, separator: str, *, quoted: bool | None = None) -> list[str]:
    if quoted is None:
        quoted = separator != "\t"
    if not quoted:
        return line.split(separator)
    try:
        return next(csv.reader([line], delimiter=separator), [""])
    except csv.Error:  # a carriage return, say
        return []


def _split(source: Source, layout: Layout, limit: int) -> Table:
    """Cells without quotation, found without making strings."""
    ends, at_newline = _gaps(source, layout.separator)
    lengths = differences(ends[at_newline], source.begin - 1) - 1
    while len(lengths) > 1 and not lengths[-1]:  # blank lines at the end
        at_newline, lengths = at_newline[:-1], lengths[:-1]
    ends = ends[: at_newline[-1] + 1]
    cells_of = differences(at_newline, -1)
    problems = Collector(source.name, limit=limit)
    for line in np.flatnonzero((cells_of != layout.width) | (lengths == 0))[: limit + 1].tolist():
        if not lengths[line]:
            problems.add(line + 1, "a blank line between items", _BLANK_LINE)
        else:
            _uneven(problems, line + 1, int(cells_of[line]), layout)
    problems.raise_any()
    size = differences(ends, source.begin - 1) - 1
    columns: list[Column] = []
    for place in range(layout.width):
        length = size[place :: layout.width].astype(np.int32)
        columns.append(Texts(source.buffer, ends[place :: layout.width] - length, length))
    return Table(columns, np.arange(1, len(at_newline) + 1))


def _gaps(source: Source, separator: str) -> tuple[IntArray, IntArray]:
    """Where cells end, and which of these places are line ends."""
    ends, newlines, found = [], [], 0
    for data, at in blocks(source):
        gap = data == ord("\n")
        if separator:
            gap |= data == ord(separator)
        gaps = np.flatnonzero(gap)
        newlines.append(np.flatnonzero(data.take(gaps) == ord("\n")) + found)
        ends.append(gaps + at)
        found += len(gaps)
    return np.concatenate(ends), np.concatenate(newlines)


def _uneven(problems: Collector, line: int, found: int, layout: Layout) -> None:
    wanted = f"{layout.width} cell{'s' * (layout.width != 1)}"
    quote = " Quote a cell that holds one." if layout.separator != "\t" else ""
    name = {"\t": "tabs", ",": "commas", ";": "semicolons"}[layout.separator]
    problems.add(
        line, f"expected {wanted} as in the first line, found {found}",
        f"Cells are separated by {name}.{quote}",
    )  # fmt: skip


def _quoted(source: Source, layout: Layout, limit: int) -> Table:
    text = source.buffer[source.begin : source.end].decode()
    problems = Collector(source.name, limit=limit)
    rows: list[list[str]] = []
    lines: list[int] = []
    reader = csv.reader(
        io.StringIO(text.rstrip("\n"), newline=""), delimiter=layout.separator, strict=True
    )
    before = 0
    try:
        for row in reader:
            if not row:
                problems.add(reader.line_num, "a blank line between items", _BLANK_LINE)
            elif len(row) != layout.width:
                _uneven(problems, before + 1, len(row), layout)
            rows.append(row)
            lines.append(before + 1)
            before = reader.line_num
    except csv.Error as error:
        what = f"quotation marks do not close ({error})"
        problems.add(before + 1, what, 'Write "" for a quotation mark inside of a quoted cell.')
    problems.raise_any()
    columns: list[Column] = [Texts.of(cells) for cells in zip(*rows, strict=True)]
    return Table(columns, np.array(lines, np.int64))


def _names_columns(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether the first line names the columns of the lines below it."""
    known = [bool(_NAMES.match(name.strip()) or _PREFIXED.match(name.strip())) for name in first]
    for place, name in enumerate(first):
        cells = [row[place] for row in below if place < len(row)]
        if known[place] and name not in cells:
            return True
        given = [text for text in cells if text]
        if given and not _NUMBER.match(name.strip()) and all(_NUMBER.match(one) for one in given):
            return bool(name.strip())
    return False


def _first_is_header(
    table: Table, first: list[str], columns: Mapping[str, int | str] | None
) -> bool:
    if any(isinstance(column, str) for column in (columns or {}).values()):
        return True
    size = min(len(table.lines), _HEAD)
    below = [[str(cell(column, row) or "") for column in table.columns] for row in range(1, size)]
    return bool(below) and _names_columns(first, below)


def _required_names(source: Source, first: list[str]) -> list[str]:
    names = [name or f"column {place}" for place, name in enumerate(first, 1)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError.at(
            source.name, 1, f"the header names {twice[0]!r} twice", "Names of columns are unique."
        )
    return names


def _default_names(table: Table) -> list[str]:
    """Names of columns without a header: the last one is the label."""
    *others, _ = table.columns
    names: list[str] = []
    for place, column in enumerate(others):
        if place == 0 and isinstance(column, Texts) and _are_ids(column):
            names.append("id")
        else:
            number = sum(name.startswith(TEXT[0]) for name in names)
            names.append(f"{TEXT[0]}{number + 1}" if number else TEXT[0])
    return [*names, "label"]


def _are_ids(column: Texts) -> bool:
    """Distinct words without blanks."""
    data = np.frombuffer(column.buffer, np.uint8)
    begin, end = int(column.starts.min()), int((column.starts + column.lengths).max())
    if not column.lengths.all():
        return False
    blank = np.flatnonzero(data[begin:end] == 32) + begin
    after = np.searchsorted(blank, column.starts)
    inside = after < len(blank)
    held = blank[after[inside]] < (column.starts + column.lengths)[inside]
    return not held.any() and not column.repeated()


def write(corpus: Corpus, *, separator: str = ",", header: bool = True) -> str:
    """Items with a header, separated by commas; read back, they are the same."""
    names = [name for name in corpus.fields if not name.startswith("@")]
    if corpus.parts:
        raise UsageError("lists of items (parts) cannot be written as csv: use --to items")
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    if header:
        writer.writerow(names)
    columns = [plain(corpus.fields[name]) for name in names]
    for row in zip(*columns, strict=True):
        writer.writerow([_written(value) for value in row])
    return out.getvalue()


def _written(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return "" if np.isnan(value) else written(value)
    return str(value)
