"""A table as people read it: titled, with typed columns. Views turn it into text.

>>> listing = Listing("F1", (Column("label"), Column("a", "score", best="max")), (("PER", 0.5),))
>>> listing.columns[1].kind
'score'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from finegrain.analyses.evidence import Evidence
from finegrain.table.scale import PROPORTION, Scale

Kind = Literal["text", "count", "score", "percent", "change", "number", "p"]
Cell = str | int | float | None  # None and nan are undefined


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, what it holds, and whether its best cell is marked.

    ``score`` and ``percent`` cells are proportions, printed as percentages with two decimals and
    without, and ``change`` cells their differences, printed with a sign; ``p`` cells are those of
    tests; ``number`` cells are numbers and intervals that are written already. ``best="row"``
    marks the best cell of each row. With ``worst``, the lowest is marked where the best one is.
    ``shade`` gives proportions a background by their value on a colour terminal. ``scale``: which
    end of a ``score`` is the best, and whether it and a ``change`` are proportions at all.
    """

    name: str
    kind: Kind = "text"
    best: Literal["max", "row"] | None = None
    group: str = ""
    worst: bool = False
    shade: bool = False
    scale: Scale = PROPORTION


@dataclass(frozen=True, slots=True)
class Listing:
    """A titled table; ``note`` explains what the reader must know to read it.

    ``footer``: rows below the others that are not compared with them, such as sums.
    ``behind``: the units behind cells, by row and column; a page links them.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    footer: tuple[tuple[Cell, ...], ...] = ()
    behind: Mapping[tuple[int, int], Evidence] = field(default_factory=lambda: MappingProxyType({}))
