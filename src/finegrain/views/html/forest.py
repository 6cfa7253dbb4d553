"""A table in which every row has a value with its interval on an axis that all share.

>>> rows = forest([Row("upper", -0.2, -0.3, -0.1), Row("typos", 0.0, -0.02, 0.02)])
>>> rows.zero is not None, [row.tick for row in rows.rows][1] == rows.zero
(True, True)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from finegrain.views.html.axis import Axis


class Row(NamedTuple):
    """A row: its name, value and interval; ``told``: the value as it is written."""

    name: str
    value: float
    low: float
    high: float
    told: str = ""
    interval: str = ""
    marked: bool = False
    cells: tuple[tuple[str, str], ...] = ()


class Drawn(NamedTuple):
    """A row and its places on the axis."""

    row: Row
    line: tuple[float | None, float | None] | None
    tick: float | None


class Forest(NamedTuple):
    """All rows, the axis, and where its zero is, if it has one."""

    rows: list[Drawn]
    ticks: list[tuple[float, str]]
    zero: float | None


def forest(rows: Sequence[Row], *, points: float = 100.0, zero: bool = True) -> Forest:
    """Rows on one axis, which holds 0 if ``zero``."""
    ends = [end for row in rows for end in (row.value, row.low, row.high)]
    axis = Axis.around([*ends, *([0.0] if zero else [])], points=points)
    drawn = [
        Drawn(
            row,
            None if math.isnan(row.low) or math.isnan(row.high)
            else (axis.at(row.low), axis.at(row.high)),
            axis.at(row.value),
        )
        for row in rows
    ]  # fmt: skip
    return Forest(drawn, axis.ticks(), axis.at(0.0) if zero else None)
