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
from finegrain.metrics.given_scores import given_metrics
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
        for one in (*applicable(table, table.task.default_metrics()), *given_metrics(table))
        if not isinstance(one.statistics, Observing)
    ]
    if table.n_systems < 2 or len(metrics) < 2 or not len(table):
        return None
    scores = {one.name: one.score(one.statistics(table, whole(table)))[0] for one in metrics}
    listed, data = _systems(table, metrics, scores)
    agreement, told = _agreement(table, metrics, scores)
    return Study(
        "metric_agreement", "Metrics", "Do metrics agree about systems?", table.task, table.systems,
        (listed, agreement), {"systems": data, "agreement": told}, signature(table), (),
        table.notes,
    )  # fmt: skip


def _systems(
    table: OutcomeTable, metrics: list[Metric], scores: dict[str, Floats]
) -> tuple[Listing, dict[str, Any]]:
    """The scores of all systems by each metric, and the order that they make."""
    rows: list[tuple[Cell, ...]] = []
    data = {}
    for one in metrics:
        own = scores[one.name].tolist()
        order = [table.systems[at] for at in one.scale.order(scores[one.name])]
        rows.append((one.head, *(one.scale.written(value) for value in own), " > ".join(order)))
        values = dict(zip(table.systems, map(number, own), strict=True))
        data[one.name] = {"scores": values, "order": order}
    columns = (Column("metric"), *(Column(name, "number") for name in table.systems))
    return Listing("Systems by each metric", (*columns, Column("order")), tuple(rows)), data


def _agreement(
    table: OutcomeTable, metrics: list[Metric], scores: dict[str, Floats]
) -> tuple[Listing, list[dict[str, Any]]]:
    """How far any two metrics agree over systems, and over units."""
    units = {one.name: _of_units(table, one) for one in metrics}
    rows: list[tuple[Cell, ...]] = []
    data = []
    for one, other in combinations(metrics, 2):
        kendall = _kendall(_quality(one, scores[one.name]), _quality(other, scores[other.name]))
        rho = _spearman(_quality(one, units[one.name]), _quality(other, units[other.name]))
        rows.append((one.head, other.head, kendall, rho))
        data.append({
            "first": one.name, "second": other.name, "kendall": number(kendall),
            "spearman_of_units": number(rho),
        })  # fmt: skip
    of_units = table.task.words.units
    columns = (
        Column("first"), Column("second"), Column("tau of systems", "score", scale=CORRELATION),
        Column(f"rho of {of_units}", "score", scale=CORRELATION),
    )  # fmt: skip
    note = (
        "tau: pairs of systems in the same order less those in the opposite one, by all; rho: "
        f"Spearman's correlation over {of_units}, all systems together; where less is better, "
        "numbers are turned round"
    )
    return Listing("How far metrics agree", columns, tuple(rows), note), data


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
