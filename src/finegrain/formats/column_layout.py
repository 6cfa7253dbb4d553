"""How a column file is laid out: its separator, header and columns, settled from its first lines.

>>> from finegrain.formats.source import source_of
>>> text = b"Token\\tPOS\\tNER\\nAda\\tNNP\\tB-PER\\n"
>>> layout = settle(source_of("memory", text), None, "auto", None)
>>> layout.separator, layout.header, layout.columns
('tab', ['Token', 'POS', 'NER'], {'token': 0, 'tags': 2})
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from finegrain.errors import InputError
from finegrain.formats.fields import Separator
from finegrain.formats.source import Source

Header = Literal["auto", "yes", "no"]
DOCUMENT_START = b"-DOCSTART-"
_GOLD_WORD = re.compile(r"\b(true|gold)", re.IGNORECASE)
_ANSWER_WORD = re.compile(r"\b(pred|answer|system|output)", re.IGNORECASE)
_HEADER_WORD = re.compile(r"(token|word|form)s?\Z", re.IGNORECASE)


class Layout(NamedTuple):
    """How a file is laid out: its separator, width, header and the columns to read (from 0)."""

    separator: Separator
    width: int
    header: list[str] | None
    columns: dict[str, int]
    comment: str | None


def settle(
    source: Source,
    columns: Mapping[str, int | str] | None,
    header: Header,
    comment: str | None,
) -> Layout:
    """Settle the layout from the first lines."""
    prefix = "#" if comment is None else comment
    head = [line for line in source.head(400) if line.strip(" \t")]
    plain = [line for line in head if not (prefix and line.startswith(prefix))]
    # a -DOCSTART- line need not have the columns of the others
    lines = [line for line in plain if not line.startswith(DOCUMENT_START.decode())] or plain
    lines = lines or ([] if comment else head)
    if not lines:
        raise InputError.at(source.name, 1, "no line with tokens", "Check the comment prefix.")
    separator: Separator = "tab" if "\t" in lines[0] else "space"
    rows = [cells(line, separator) for line in lines]
    names = _header(rows, columns, header)
    width = len(rows[0])
    if width < 2:
        raise InputError.at(
            source.name, _line_of(source, lines[0]), "only one column, so no annotation",
            "Separate columns by tabs or spaces, with the token first and the annotation last.",
        )  # fmt: skip
    if names is not None and columns is None:
        _require_one_annotation(source, names)
    chosen = _columns(source, columns or {"token": 1, "tags": width}, width, names)
    return Layout(separator, width, names, chosen, comment)


def _require_one_annotation(source: Source, names: list[str]) -> None:
    """Refuse to choose between gold and prediction in a file whose header names both."""
    gold = next((at for at, name in enumerate(names, 1) if _GOLD_WORD.search(name)), None)
    answer = next((at for at, name in enumerate(names, 1) if _ANSWER_WORD.search(name)), None)
    if gold and answer:
        raise InputError.at(
            source.name, 1,
            f"the header names gold ({names[gold - 1]!r}) and prediction ({names[answer - 1]!r})",
            f"Say which columns: token=1,gold={gold},answer={answer} for files that hold both, "
            f"or token=1,tags={answer}.",
        )  # fmt: skip


def cells(line: str, separator: Separator) -> list[str]:
    return line.split("\t") if separator == "tab" else re.split("[ \t]+", line.strip(" \t"))


def _line_of(source: Source, line: str) -> int:
    return source.head(400).index(line) + 1


def _header(
    rows: list[list[str]], columns: Mapping[str, int | str] | None, header: Header
) -> list[str] | None:
    """The names of the header line; ``None`` if the first line is a token.

    A first line counts as a header if its first cell says token, word or form and its last cell
    is no annotation that occurs again in the lines below it.
    """
    first, below = rows[0], rows[1:]
    if header == "no":
        return None
    by_name = any(isinstance(column, str) for column in (columns or {}).values())
    usual = bool(_HEADER_WORD.match(first[0])) and all(row[-1] != first[-1] for row in below)
    return first if header == "yes" or by_name or (usual and bool(below)) else None


def _columns(
    source: Source, columns: Mapping[str, int | str], width: int, names: list[str] | None
) -> dict[str, int]:
    chosen: dict[str, int] = {}
    for layer, column in columns.items():
        if isinstance(column, str):
            if column not in (names or []):
                known = ", ".join(map(repr, names or []))
                raise InputError.at(
                    source.name, 1, f"no column is called {column!r}", f"The header has: {known}."
                )
            chosen[layer] = (names or []).index(column)
        elif not 1 <= column <= width:
            raise InputError.at(
                source.name, 1, f"there is no column {column} ({layer}): lines have {width}",
                "Columns count from 1.",
            )  # fmt: skip
        else:
            chosen[layer] = column - 1
    chosen.setdefault("token", 0)
    return chosen
