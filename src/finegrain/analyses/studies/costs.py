"""Score against cost: which systems are worth their seconds, tokens or money?

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("extraction"), task="extraction")
>>> found = fg.study(table, "costs", intervals=0)
>>> found.data["systems"]["short"]["cost"], found.data["optimal"]["cost"]
(0.25, ['short'])

Any task has this study whose answers say what they took (``analyses.scores.answer_costs``).
"""

from __future__ import annotations

import math

import numpy as np

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.analyses.scores.answer_costs import KINDS, MEANING, PLAIN, Worth, mean_costs
from finegrain.analyses.scores.score import score
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Plot, Series, Study
from finegrain.metrics.choosing import ranked
from finegrain.metrics.metric import Metric
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable
from finegrain.table.scale import Scale


def costs(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """Scores and mean costs of all systems, and which of them are Pareto-optimal."""
    del drawing  # costs are what they are
    known = mean_costs(table)
    if not known:
        return None
    metric = ranked(table, None)
    scores = score(table, metric.name, intervals=0)
    points = np.array([scores.value(metric.name, name) for name in table.systems])
    worth = Worth.of(points, known, metric.scale)
    data = {
        "metric": metric.name,
        "systems": {
            name: {"score": number(float(points[at])),
                   **{kind: number(float(values[at])) for kind, values in known.items()}}
            for at, name in enumerate(table.systems)
        },
        "optimal": {
            kind: [table.systems[at] for at in places] for kind, places in worth.optimal.items()
        },
    }  # fmt: skip
    return Study(
        "costs", "Score and cost", "Which systems are worth what they cost?", table.task,
        table.systems, (_listing(table, metric, worth),), data,
        signature(table, metric=metric.name),
        tuple(
            cost_plot(kind, table.systems, worth, metric.scale, _words(metric)) for kind in known
        ),
    )  # fmt: skip


def _words(metric: Metric) -> str:
    return metric.name.replace("_", " ")


def _listing(table: OutcomeTable, metric: Metric, worth: Worth) -> Listing:
    columns = [Column("system"), Column(_words(metric), "score", "max", scale=metric.scale)]
    columns += [Column(KINDS[kind], "score", scale=PLAIN) for kind in worth.costs]
    columns.append(Column("Pareto-optimal by"))
    rows: list[tuple[Cell, ...]] = [
        (name, float(worth.scores[at]), *(float(one[at]) for one in worth.costs.values()),
         worth.by(at))
        for at, name in enumerate(table.systems)
    ]  # fmt: skip
    over = table.task.words.places if "texts" in table.task.has else "texts that have units"
    note = f"costs are means over {over}; {MEANING}"
    return Listing("Score and cost of an answer", tuple(columns), tuple(rows), note)


def cost_plot(
    kind: str, systems: tuple[str, ...], worth: Worth, scale: Scale, scored: str, title: str = ""
) -> Plot:
    """A point for each system; those that are Pareto-optimal stand on the stairs.

    scored: the score in words; title: what it is of, if that needs saying
    """
    cost, optimal = worth.costs[kind], worth.optimal[kind]
    series = []
    for at, name in enumerate(systems):
        score, took = float(worth.scores[at]), float(cost[at])
        if math.isnan(score + took):
            continue
        told = f"{name}: {scored} {scale.written(score)}, {KINDS[kind]} {PLAIN.written(took)}"
        ringed = (0,) if at in optimal else ()
        x, y = cost[at : at + 1], worth.scores[at : at + 1]
        series.append(Series(name, x, y, "points", text=(told,), marked=ringed))
    return Plot(
        f"{title}: score by {KINDS[kind]}" if title else f"Score by {KINDS[kind]} of an answer",
        Axis(f"{KINDS[kind]}, mean of answers"),
        Axis(scored, None, scale.shown),
        tuple(series),
        note="Ringed, joined by stairs: Pareto-optimal.",
        stairs=tuple((float(cost[at]), float(worth.scores[at])) for at in optimal),
    )
