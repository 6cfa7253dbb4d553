"""A table as people read it: titled, with typed columns. Views turn it into text.

>>> listing = Listing("F1", (Column("label"), Column("a", "score", best="max")), (("PER", 0.5),))
>>> listing.columns[1].kind
'score'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "count", "score", "change"]
Cell = str | int | float | None  # None and nan are undefined


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, what it holds, and whether its best cell is marked.

    ``score`` cells are proportions, printed as percentages, and ``change`` cells their
    differences, printed with a sign; ``best="row"`` marks the best cell of each row.
    """

    name: str
    kind: Kind = "text"
    best: Literal["max", "row"] | None = None
    group: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A titled table; ``note`` explains what the reader must know to read it."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
