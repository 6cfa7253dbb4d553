r"""Units as lines for programs and spreadsheets: JSON lines and tab-separated columns.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> shown = fg.show(fg.align(*small_corpora("tags")), "text=notes", systems=["nouns"])
>>> print(*as_tsv(shown), sep="", end="")                          # doctest: +NORMALIZE_WHITESPACE
document sentence line tokens text  label gold outcome[nouns] answer[nouns] words
1        2             3      notes NOUN  NOUN WRONG          VERB          She wrote notes .

Tab-separated cells are quoted where they hold quotes, and a cell that a spreadsheet would take for
a formula gets an apostrophe in front. JSON lines hold the text as it is.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any, Protocol

from finegrain.analyses.listing import Listing, plain
from finegrain.views.escape import csv_cell, json_text


class Unit(Protocol):
    """Something that knows itself as JSON."""

    def to_json(self) -> dict[str, Any]: ...


class Units(Protocol):
    """A result that is a list of units: what ``show`` and ``triage`` find."""

    def units(self) -> Iterator[Unit]: ...
    def records(self) -> Listing: ...


def as_jsonl(shown: Units) -> Iterator[str]:
    """One object per unit and line."""
    for unit in shown.units():
        yield json_text(json.dumps(unit.to_json(), ensure_ascii=False)) + "\n"


def as_tsv(shown: Units) -> Iterator[str]:
    """A line of names, then one line per unit; what is not there is empty."""
    records = shown.records()
    yield _line([column.name for column in records.columns])
    for row in map(plain, records.rows):
        yield _line(["" if cell is None else str(cell) for cell in row])


def _line(cells: list[str]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, dialect="excel-tab", lineterminator="\n")
    writer.writerow(csv_cell(cell) for cell in cells)
    return out.getvalue()
