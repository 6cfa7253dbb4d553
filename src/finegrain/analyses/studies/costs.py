"""Score against cost: which systems are worth their seconds, tokens or money?

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("extraction"), task="extraction")
>>> found = fg.study(table, "costs", intervals=0)
>>> found.data["systems"]["short"]["cost"], found.data["optimal"]["cost"]
(0.25, ['short'])

A system is *Pareto-optimal* if no other one costs less, or as much, and has a higher score, or as
high a one, with one of both better. Costs are means over texts: of the answer to each text that has
units. A system of which they are not known is left out.
"""

from __future__ import annotations

import numpy as np

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.analyses.scores.score import score
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Floats, Plot, Series, Study
from finegrain.corpus import IntArray
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable
from finegrain.table.scale import Scale

MEASURED = {
    "cost": "cost", "latency": "seconds", "input_tokens": "input tokens",
    "output_tokens": "output tokens",
}  # fmt: skip
_PLAIN = Scale(best=None, worst=None, shown="number")


def costs(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """Scores and mean costs of all systems, and which of them are Pareto-optimal."""
    del drawing  # costs are what they are
    metric = table.task.first_metric()
    scores = score(table, metric.name, intervals=0)
    of_system = {name: scores.value(metric.name, name) for name in table.systems}
    means = {name: _means(table, name) for name in MEASURED if name in table.details}
    known = {name: values for name, values in means.items() if not np.isnan(values).all()}
    if not known:
        return None
    points = np.array([of_system[name] for name in table.systems])
    optimal = {
        name: [table.systems[at] for at in pareto(values, points).tolist()]
        for name, values in known.items()
    }
    data = {
        "metric": metric.name,
        "systems": {
            name: {"score": number(of_system[name]),
                   **{kind: number(float(values[at])) for kind, values in known.items()}}
            for at, name in enumerate(table.systems)
        },
        "optimal": optimal,
    }  # fmt: skip
    return Study(
        "costs", "Score and cost", "Which systems are worth what they cost?", table.task,
        table.systems, (_listing(table, metric.name.replace("_", " "), of_system, known, optimal),),
        data, signature(table, metric=metric.name),
        tuple(_plot(table, kind, values, points) for kind, values in known.items()),
    )  # fmt: skip


def pareto(cost: Floats, scores: Floats) -> IntArray:
    """The systems that no other one beats in one of both and equals in the other, cheapest first.

    >>> pareto(np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.4, 0.9])).tolist()
    [0, 2]
    """
    known = np.flatnonzero(~(np.isnan(cost) | np.isnan(scores)))
    kept = [
        at for at in known.tolist()
        if not any(
            cost[other] <= cost[at] and scores[other] >= scores[at]
            and (cost[other] < cost[at] or scores[other] > scores[at])
            for other in known.tolist()
        )
    ]  # fmt: skip
    return np.array(sorted(kept, key=lambda at: (cost[at], at)), np.int64)


def _means(table: OutcomeTable, name: str) -> Floats:
    """``[system]`` the mean over texts that have units."""
    documents = table.corpus.documents
    text = table.sentence if documents is None else documents[table.sentence]
    first = np.unique(text, return_index=True)[1]
    values = table.details[name][first]
    count = (~np.isnan(values)).sum(axis=0)
    sums = np.nansum(values, axis=0)
    means: Floats = np.where(count > 0, sums / np.maximum(count, 1), np.nan)
    return means


def _listing(
    table: OutcomeTable,
    heading: str,
    scores: dict[str, float],
    known: dict[str, Floats],
    optimal: dict[str, list[str]],
) -> Listing:
    columns = [Column("system"), Column(heading, "score", best="max")]
    columns += [Column(MEASURED[name], "score", scale=_PLAIN) for name in known]
    columns.append(Column("Pareto-optimal by"))
    rows: list[tuple[Cell, ...]] = []
    for at, name in enumerate(table.systems):
        best = ", ".join(MEASURED[kind] for kind in known if name in optimal[kind])
        rows.append((name, scores[name], *(float(one[at]) for one in known.values()), best or None))
    note = "means over texts; Pareto-optimal: no other system is cheaper and at least as good"
    return Listing("Score and cost of an answer", tuple(columns), tuple(rows), note)


def _plot(
    table: OutcomeTable,
    kind: str,
    values: Floats,
    scores: Floats,
) -> Plot:
    series = tuple(
        Series(name, values[at : at + 1], scores[at : at + 1], "points")
        for at, name in enumerate(table.systems)
        if not np.isnan(values[at] + scores[at])
    )
    title = f"Score by {MEASURED[kind]} of an answer"
    return Plot(
        title, Axis(f"{MEASURED[kind]}, mean of texts"), Axis("score", None, "percent"), series
    )
