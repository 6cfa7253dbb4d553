"""How precision falls as recall grows.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = fg.study(fg.align(*small_corpora("ranking")), "precision_recall", intervals=0)
>>> round(found.data["systems"]["dense"]["precision"][0], 4)      # (1 + 1/2 + 3/4 + 1 + 0 + 1) / 6
0.7083

Precision is interpolated, as trec_eval does: at eleven levels of recall, the highest one that a
query reaches there or beyond; 0 where it does not get so far.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.query_measures import interpolated_precision, per_query
from finegrain.alignment.ranking import GAIN
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
        note="Means over queries; upright lines are intervals." if ends is not None else "",
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
