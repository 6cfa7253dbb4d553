"""Items in lines with commas, semicolons or tabs, read character by character.

>>> read(["id,label", 'a,"say ""x"" "', "b,", ""], "yes").columns
{'id': ['a', 'b'], 'label': ['say "x" ', '']}
>>> read(["a\\tpos", "b\\tneg"], "no").columns["label"]
['pos', 'neg']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from tests.fuzz.corpora import Invalid
from tests.fuzz.items import Items

_USUAL = re.compile(
    "(ids?|texts?|labels?|golds?|answers?|predictions?|domains?|scores?)_?[0-9]?", re.IGNORECASE
)
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def write(
    rng: Random, columns: Mapping[str, Sequence[str]], separator: str, *, header: bool
) -> bytes:
    """Columns with or without a header; between commas and semicolons some cells are quoted."""
    rows = [[*columns]] * header + [list(row) for row in zip(*columns.values(), strict=True)]
    often = rng.choice((0.0, 0.0, 0.3, 1.0))
    lines = []
    for row in rows:
        cells = row
        if separator != "\t":
            cells = [_quoted(cell) if any(one in cell for one in ',;\t\n"') or rng.random() < often
                     else cell for cell in row]  # fmt: skip
        lines.append(separator.join(cells))
    return ("\n".join(lines) + "\n").encode()


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def read(lines: list[str], header: str) -> Items:
    """Items of a file; ``header``: whether the first line names the columns (auto, yes, no)."""
    separator = next((one for one in "\t,;" if one in lines[0]), "")
    text = "\n".join(lines).rstrip("\n")
    counts = {line.count("\t") for line in lines if line.strip()}
    quoted = '"' in text and bool(separator) and (separator != "\t" or len(counts) > 1)
    rows = list(_quoted_rows(text, separator) if quoted else _plain_rows(text, separator))
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        raise Invalid("lines of different numbers of cells, or blank")
    if header == "yes" or (header == "auto" and _names(rows)):
        names = [cell.strip() or f"column {at}" for at, cell in enumerate(rows.pop(0), 1)]
        if len(set(names)) < width:
            raise Invalid("a header that names a column twice")
    else:
        names = _default_names(rows)
    if not rows:
        raise Invalid("a header alone")
    return Items(len(rows), {name: [row[at] for row in rows] for at, name in enumerate(names)})


def _plain_rows(text: str, separator: str) -> Iterator[list[str]]:
    for line in text.split("\n"):
        if not line:
            raise Invalid("a blank line")
        yield line.split(separator) if separator else [line]


def _quoted_rows(text: str, separator: str) -> Iterator[list[str]]:
    """A quotation mark opens a cell only where the cell begins, and closes it where it ends."""
    row, cell, state = [], "", "begin"
    for one in text + "\n":
        if state == "inside":
            state, cell = ("closed", cell) if one == '"' else ("inside", cell + one)
        elif one == '"' and state in ("begin", "closed"):
            state, cell = "inside", cell + '"' * (state == "closed")
        elif one in (separator, "\n"):
            row.append(cell)
            cell = ""
            if one == "\n":
                if row == [""] and state == "begin":
                    raise Invalid("a blank line")
                yield row
                row = []
            state = "begin"
        elif state == "closed":
            raise Invalid("something between a closing quotation mark and the end of a cell")
        else:
            state, cell = "bare", cell + one
    if state == "inside":
        raise Invalid("a quotation mark that does not close")


def _names(rows: list[list[str]]) -> bool:
    """Whether the first line has a usual name, or stands alone above a column of numbers."""
    for at, cell in enumerate(rows[0]):
        name, below = cell.strip(), [row[at] for row in rows[1:]]
        given = [one for one in below if one]
        if not rows[1:]:
            return False
        if _USUAL.fullmatch(name) and name not in below:
            return True
        if given and not _NUMBER.fullmatch(name) and all(map(_NUMBER.fullmatch, given)):
            return bool(name)
    return False


def _default_names(rows: list[list[str]]) -> list[str]:
    """The last column is the label; a first one of distinct words is the id, others are texts."""
    names: list[str] = []
    for at in range(len(rows[0]) - 1 if rows else 0):
        cells = [row[at] for row in rows]
        words = all(cells) and not any(" " in cell for cell in cells)
        if not at and words and len(set(cells)) == len(cells):
            names.append("id")
        else:
            texts = sum(name.startswith("text") for name in names)
            names.append(f"text{texts + 1}" if texts else "text")
    return [*names, "label"]
