"""How deep the first relevant document of a query stands.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = fg.study(fg.align(*small_corpora("ranking")), "first_relevant")
>>> found.data["systems"]["lexical"]["ranks"]["2-3"]
3
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.query_measures import first_relevant as depth_of
from finegrain.alignment.query_measures import per_query
from finegrain.analyses.evidence import Evidence, in_bucket
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.result import number
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Plot, Series, Study
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable

Floats = NDArray[np.float64]
RANKS = ("1", "2-3", "4-5", "6-10", "11-20", "21-100", "above 100", "not retrieved")
_ENDS = (1, 3, 5, 10, 20, 100)
_DEEPEST = 1000  # rank up to which the curve of depths is drawn


def first_relevant(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """The rank of the first relevant document: how many queries have it where."""
    del drawing  # a description
    if not table.n_systems or not len(table):
        return None
    depth = per_query(table, depth_of)
    codes = np.where(
        np.isnan(depth), len(RANKS) - 1, np.searchsorted(_ENDS, np.nan_to_num(depth, nan=0.0))
    )
    counts = np.stack([np.bincount(column, minlength=len(RANKS)) for column in codes.T])
    columns = {_column(name): codes[:, at] for at, name in enumerate(table.systems)}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            rank,
            *(_queries(name, row, int(counts[at, row])) for at, name in enumerate(table.systems)),
        )
        for row, rank in enumerate(RANKS)
    )
    listing = Listing(
        "Queries by the rank of their first relevant document",
        (Column("rank"), *(Column(name, "count") for name in table.systems)),
        rows,
    )
    series = tuple(_depths(name, depth[:, at]) for at, name in enumerate(table.systems))
    plot = Plot(
        "Share of queries with a relevant document up to this rank",
        Axis("rank", logarithmic=True), Axis("share of queries", (0.0, 1.0), "percent"), series,
    )  # fmt: skip
    data = {
        "systems": {
            name: {
                "ranks": dict(zip(RANKS, counts[at].tolist(), strict=True)),
                "median": number(float(np.median(np.nan_to_num(depth[:, at], nan=np.inf)))),
            }
            for at, name in enumerate(table.systems)
        }
    }
    return Study(
        "first_relevant", "First relevant document", "How far must a reader look?", table.task,
        table.systems, (listing,), data, signature(table), (plot,), table.notes, None,
        columns, dict.fromkeys(columns, RANKS),
    )  # fmt: skip


def _queries(system: str, rank: int, count: int) -> Linked:
    """How many queries of a system there are, which it leads to."""
    behind = Evidence.of(count, in_bucket(_column(system), rank)) if count else None
    return Linked(count, behind)


def _column(system: str) -> str:
    return f"first relevant rank of {system}"


def _depths(name: str, depth: Floats) -> Series:
    """The share of queries whose first relevant document is not below each rank."""
    known = np.sort(depth[~np.isnan(depth) & (depth <= _DEEPEST)])
    x = np.unique(np.append(1.0, known))
    share = np.searchsorted(known, x, side="right") / len(depth)
    text = tuple(
        f"{name}: {at:.1%} up to rank {rank:.0f}"
        for rank, at in zip(x.tolist(), share.tolist(), strict=True)
    )
    return Series(name, x, share, "step", text=text)
