"""How a column file is laid out: its separator, header and columns, settled from its first lines.

>>> from finegrain.formats.source import source_of
>>> text = b"Token\\tPOS\\tNER\\nAda\\tNNP\\tB-PER\\n"
>>> layout = settle(source_of("memory", text), None, "auto", None)
>>> layout.separator, layout.header, layout.columns
('tab', ['Token', 'POS', 'NER'], {'token': 0, 'tags': 2})
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from finegrain.errors import InputError, Problem
from finegrain.formats.fields import Separator
from finegrain.formats.gold_and_answer import one_label_set
from finegrain.formats.source import Source

Header = Literal["auto", "yes", "no"]
DOCUMENT_START = b"-DOCSTART-"
_GOLD_WORD = re.compile(r"\b(true|gold)", re.IGNORECASE)
_ANSWER_WORD = re.compile(r"\b(pred|answer|system|output)", re.IGNORECASE)
_HEADER_WORD = re.compile(r"(token|word|form)s?\Z", re.IGNORECASE)
_ITEM_WORD = re.compile(
    r"(|#|id|idx|index|item|unit|example|instance|question|document|sentence|text|pair|name)"
    r"(s|_?\d|_?id)?\Z",
    re.IGNORECASE,
)
_LABEL_WORD = re.compile(
    r"(?<![a-z])(label|tag|class|category|gold|target|score|rating|value|true|truth|pred|predict"
    r"|prediction|predicted|answer|system|output|y)s?(?![a-z])",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?\Z")


class Layout(NamedTuple):
    """How a file is laid out: its separator, width, header and the columns to read (from 0)."""

    separator: Separator
    width: int
    header: list[str] | None
    columns: dict[str, int]
    comment: str | None
    rivals: tuple[int, ...] = ()  # columns that may be the tags, too


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
    layout = Layout(separator, width, names, chosen, comment)
    if names is not None or columns is not None:
        return layout
    counted = [
        Counter(column) for column in zip(*(r for r in rows if len(r) == width), strict=True)
    ]
    return layout._replace(rivals=rivals(dict(enumerate(counted[1:], 1)), whole=False))


def rivals(columns: Mapping[int, Counter[str]], *, whole: bool) -> tuple[int, ...]:
    """Columns that may hold tags of the label set of the last one.

    ``whole``: counts are those of the whole file, which cannot tell more.
    """
    *others, last = columns
    return tuple(
        column for column in others if one_label_set(columns[column], columns[last], whole=whole)
    )


def two_annotations(source: Source, columns: Sequence[int]) -> Problem:
    """What is wrong with a file in which several columns, the last among them, may be the tags."""
    *others, last = (column + 1 for column in columns)
    which = f"{', '.join(map(str, others))} and {last}"
    what = f"columns {which} hold tags of one label set, as gold and answer do"
    return Problem(source.name, 1, what, _say_which(others[-1], last))


def _require_one_annotation(source: Source, names: list[str]) -> None:
    """Refuse to choose between gold and prediction in a file whose header names both."""
    gold = next((at for at, name in enumerate(names, 1) if _GOLD_WORD.search(name)), None)
    answer = next((at for at, name in enumerate(names, 1) if _ANSWER_WORD.search(name)), None)
    if gold and answer:
        raise InputError.at(
            source.name, 1,
            f"the header names gold ({names[gold - 1]!r}) and prediction ({names[answer - 1]!r})",
            _say_which(gold, answer),
        )  # fmt: skip


def _say_which(gold: int, answer: int) -> str:
    return (
        f"Say which columns: --columns token=1,gold={gold},answer={answer} for files that hold "
        f"both, or --columns token=1,tags={answer}."
    )


def cells(line: str, separator: Separator) -> list[str]:
    return line.split("\t") if separator == "tab" else re.split("[ \t]+", line.strip(" \t"))


def _line_of(source: Source, line: str) -> int:
    return source.head(400).index(line) + 1


def _header(
    rows: list[list[str]], columns: Mapping[str, int | str] | None, header: Header
) -> list[str] | None:
    """The names of the header line; ``None`` if the first line is a token.

    A first line counts as a header if its first cell says token, word or form and its last cell
    is no annotation that occurs again in the lines below it; if its first and last cell say that
    they name items and labels; or if it alone has no number in the last column.
    """
    first, below = rows[0], rows[1:]
    if header == "no":
        return None
    by_name = any(isinstance(column, str) for column in (columns or {}).values())
    if header == "yes" or by_name:
        return first
    names = bool(_HEADER_WORD.match(first[0]))
    names |= bool(_ITEM_WORD.match(first[0]) and _LABEL_WORD.search(first[-1]))
    names |= not _NUMBER.match(first[-1]) and all(_NUMBER.match(row[-1]) for row in below)
    return first if names and below and all(row[-1] != first[-1] for row in below) else None


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
