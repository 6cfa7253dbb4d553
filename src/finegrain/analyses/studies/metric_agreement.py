"""Whether metrics agree: in which order they put systems, and how they go together over units.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = fg.study(fg.align(*small_corpora("generation"), task="generation"), "metric_agreement")
>>> found.data["systems"]["chrf"]["order"], found.data["agreement"][0]["kendall"]
(['careful', 'careless'], 1.0)

Two metrics agree about a pair of systems if both prefer the same one. Over units, Spearman's rank
correlation of their values, all systems together, says whether they prefer the same outputs.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Floats, Study
from finegrain.metrics.metric import Metric, applicable
from finegrain.metrics.ranked import CORRELATION
from finegrain.metrics.weighing import Observing
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples, whole


def metric_agreement(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """Orders of systems by all default metrics; ``None`` for a single system or metric."""
    del drawing  # a description
    metrics = [
        one
        for one in applicable(table, table.task.default_metrics())
        if not isinstance(one.statistics, Observing)
    ]
    if table.n_systems < 2 or len(metrics) < 2 or not len(table):
        return None
    scores = {one.name: one.score(one.statistics(table, whole(table)))[0] for one in metrics}
    units = {one.name: _of_units(table, one) for one in metrics}
    orders = {one.name: one.scale.order(scores[one.name]) for one in metrics}
    rows: list[tuple[Cell, ...]] = [
        (one.head, *(float(scores[one.name][at]) for at in range(table.n_systems)),
         " > ".join(table.systems[at] for at in orders[one.name]))
        for one in metrics
    ]  # fmt: skip
    pairs, told = [], []
    for one, other in combinations(metrics, 2):
        kendall = _kendall(_quality(one, scores[one.name]), _quality(other, scores[other.name]))
        rho = _spearman(_quality(one, units[one.name]), _quality(other, units[other.name]))
        pairs.append((one.head, other.head, kendall, rho))
        told.append({
            "first": one.name, "second": other.name, "kendall": number(kendall),
            "spearman_of_units": number(rho),
        })  # fmt: skip
    data: dict[str, Any] = {
        "systems": {
            one.name: {
                "scores": dict(
                    zip(table.systems, map(number, scores[one.name].tolist()), strict=True)
                ),
                "order": [table.systems[at] for at in orders[one.name]],
            }
            for one in metrics
        },
        "agreement": told,
    }
    systems = Listing(
        "Systems by each metric",
        (Column("metric"), *(Column(name, "number") for name in table.systems), Column("order")),
        tuple(
            (row[0], *_written(one, row[1:-1]), row[-1])
            for one, row in zip(metrics, rows, strict=True)
        ),
    )
    agreement = Listing(
        "How far metrics agree",
        (
            Column("first"), Column("second"), Column("tau of systems", "score", scale=CORRELATION),
            Column(f"rho of {table.task.words.units}", "score", scale=CORRELATION),
        ),
        tuple(pairs),
        f"tau: pairs of systems in the same order less those in the opposite one, by all; rho: "
        f"Spearman's correlation over {table.task.words.units}, all systems together; where less "
        "is better, numbers are turned round",
    )  # fmt: skip
    return Study(
        "metric_agreement", "Metrics", "Do metrics agree about systems?", table.task, table.systems,
        (systems, agreement), data, signature(table), (), table.notes,
    )  # fmt: skip


def _written(metric: Metric, values: tuple[Cell, ...]) -> list[str]:
    return [metric.scale.written(float(one)) for one in values]  # type: ignore[arg-type]


def _quality(metric: Metric, values: Floats) -> Floats:
    return metric.scale.quality(values)


def _of_units(table: OutcomeTable, metric: Metric) -> Floats:
    """``[unit, system]`` the score of every unit by itself."""
    every = Samples(np.arange(len(table)), len(table))
    return metric.score(metric.statistics(table, every))


def _kendall(one: Floats, other: Floats) -> float:
    """Of the systems: pairs in the same order less those in the opposite one, by all pairs."""
    first, second = np.triu_indices(len(one), 1)
    agree = np.sign(one[first] - one[second]) * np.sign(other[first] - other[second])
    return float(agree.mean()) if len(agree) else float("nan")


def _spearman(one: Floats, other: Floats) -> float:
    known = ~(np.isnan(one) | np.isnan(other))
    ranks = [_ranks(values[known]) for values in (one, other)]
    if len(ranks[0]) < 2 or any(own.std() == 0 for own in ranks):
        return float("nan")
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _ranks(values: Floats) -> Floats:
    """Ranks, tied values sharing the mean of theirs."""
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: Floats = (ends - (counts - 1) / 2)[codes.ravel()]
    return ranks
