"""How precision falls as recall grows, and how deep the first relevant document stands.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("ranking"))
>>> curve = fg.study(table, "precision_recall", intervals=0)
>>> round(curve.data["systems"]["dense"]["precision"][0], 4)      # (1 + 1/2 + 3/4 + 1 + 0 + 1) / 6
0.7083
>>> fg.study(table, "first_relevant").data["systems"]["lexical"]["ranks"]["2-3"]
3
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.query_measures import first_relevant as depth_of
from finegrain.alignment.query_measures import interpolated_precision, per_query
from finegrain.alignment.ranking import GAIN
from finegrain.analyses.evidence import Evidence
from finegrain.analyses.interval_cells import bounds
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.analyses.scores.score_intervals import score_intervals
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Plot, Series, Study
from finegrain.metrics.ranking import mean_over_queries
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable

Floats = NDArray[np.float64]
LEVELS = tuple(place / 10 for place in range(11))
RANKS = ("1", "2-3", "4-5", "6-10", "11-20", "21-100", "above 100", "not retrieved")
_ENDS = (1, 3, 5, 10, 20, 100)
_DEEPEST = 1000  # rank up to which the curve of depths is drawn


def precision_recall(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """Interpolated precision at eleven levels of recall, as means over queries."""
    if not table.n_systems or not len(table):
        return None
    levels = [partial(interpolated_precision, recall=recall) for recall in LEVELS]
    mean = np.stack([per_query(table, level).mean(axis=0) for level in levels], axis=1)
    ends: Floats | None = None
    said: dict[str, str] = {}
    if drawing.resamples:
        metrics = [
            mean_over_queries(f"IPrec@{recall}", level)
            for recall, level in zip(LEVELS, levels, strict=True)
        ]
        found = score_intervals(
            table, metrics, resamples=drawing.resamples, seed=drawing.seed,
            confidence=drawing.level,
        )  # fmt: skip
        ends = np.stack([found.overall[metric.name] for metric in metrics], axis=1)
        said = dict(found.said)
    series = tuple(_curve(name, mean[at], None if ends is None else ends[at])
                   for at, name in enumerate(table.systems))  # fmt: skip
    plot = Plot(
        "Precision by recall", Axis("recall", (0.0, 1.0), "percent"),
        Axis("interpolated precision", (0.0, 1.0), "percent"), series,
        note="Means over queries; bands are intervals." if ends is not None else "",
    )  # fmt: skip
    columns = (Column("system"), *(Column(f"{recall:.1f}", "score", "max", scale=GAIN)
                                   for recall in LEVELS))  # fmt: skip
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *map(float, mean[at])) for at, name in enumerate(table.systems)
    )
    listing = Listing("Interpolated precision at recall", columns, rows)
    systems = {
        name: _numbers(mean[at], None if ends is None else ends[at])
        for at, name in enumerate(table.systems)
    }
    return Study(
        "precision_recall", "Precision and recall", "What does it cost to find more?", table.task,
        table.systems, (listing,), {"recall": list(LEVELS), "systems": systems},
        signature(table, **said), (plot,), table.notes,
    )  # fmt: skip


def _numbers(mean: Floats, ends: Floats | None) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {"precision": [number(one) for one in mean]}
    if ends is not None:
        found["intervals"] = [bounds(*one) for one in ends.tolist()]
    return found


def _curve(name: str, mean: Floats, ends: Floats | None) -> Series:
    text = tuple(
        f"{name}: precision {value:.3f} at recall {recall:.1f}"
        for recall, value in zip(LEVELS, mean.tolist(), strict=True)
    )
    low, high = (None, None) if ends is None else (ends[:, 0], ends[:, 1])
    return Series(name, np.array(LEVELS), mean, "line", low, high, text)


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
    behind = {
        (row, 1 + at): Evidence.of(int(counts[at, row]), {f"bucket.{_column(name)}": row})
        for at, name in enumerate(table.systems)
        for row in range(len(RANKS))
        if counts[at, row]
    }
    listing = Listing(
        "Queries by the rank of their first relevant document",
        (Column("rank"), *(Column(name, "count") for name in table.systems)),
        tuple((name, *map(int, counts[:, row])) for row, name in enumerate(RANKS)),
        behind=behind,
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
