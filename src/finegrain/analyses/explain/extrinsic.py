"""Extrinsic evaluation: how good is a downstream output where the upstream one was right or wrong?

>>> import finegrain as fg
>>> ids = ["q1", "q2", "q3", "q4"]
>>> answers = fg.from_items(["a", "b", "a", "b"], {"s": ["a", "b", "b", "b"]}, ids=ids)
>>> tags = fg.from_items(["x", "y", "x", "y"], {"s": ["x", "y", "y", "x"]}, ids=ids)
>>> found = extrinsic(answers, tags)
>>> found.right.tolist(), found.wrong.tolist()       # q1 and q2 of two; q4 of q3 and q4
([1.0], [0.5])

A unit counts as *upstream right* for a system if the system is right about all upstream units of
the same context: the same sentence, or the item with the same id. Both scores have intervals; they
describe these systems and say nothing of causes: what is hard upstream may be hard downstream too.
Over systems, the correlation of both scores tells whether who is better upstream is better
downstream.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.interval_cells import bounds
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import Printed, number
from finegrain.analyses.scores.score import Scores, score
from finegrain.analyses.signature import signature
from finegrain.analyses.trend import trend
from finegrain.corpus.items import coded
from finegrain.errors import UsageError
from finegrain.metrics.choosing import chosen
from finegrain.metrics.metric import Metric
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable, Task
from finegrain.table.restriction import restricted
from finegrain.table.verdicts import right, right_or_wrong

Floats = NDArray[np.float64]
_FEWEST = 3  # systems of a correlation


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Extrinsic(Printed):
    """Scores ``[system]`` of all units and of those that are right and wrong upstream.

    ``ends`` ``[(all, right, wrong), system, (low, high)]``; ``units`` counts both parts ``[2,
    system]``; ``upstream`` ``[system]`` is the upstream score by ``upstream_metric``.
    """

    task: Task
    systems: tuple[str, ...]
    metric: Metric
    upstream_metric: Metric
    overall: Floats
    right: Floats
    wrong: Floats
    ends: Floats
    units: NDArray[np.int64]
    upstream: Floats
    signature: str
    notes: tuple[str, ...]

    @property
    def spearman(self) -> float:
        """Of upstream and downstream scores over systems, by quality; nan for fewer than three."""
        if len(self.systems) < _FEWEST:
            return float("nan")
        scales = self.upstream_metric.scale, self.metric.scale
        return trend(scales[0].quality(self.upstream), scales[1].quality(self.overall)).spearman

    def to_json(self) -> dict[str, Any]:
        parts = ("all", "upstream_right", "upstream_wrong")
        values = (self.overall, self.right, self.wrong)
        systems = {
            name: {
                "upstream": number(self.upstream[at]),
                **{part: number(one[at]) for part, one in zip(parts, values, strict=True)},
                "intervals": {
                    part: bounds(*self.ends[place, at].tolist()) for place, part in enumerate(parts)
                },
                "units": {part: int(self.units[place, at]) for place, part in enumerate(parts[1:])},
            }
            for at, name in enumerate(self.systems)
        }
        return {
            "metric": self.metric.name,
            "upstream_metric": self.upstream_metric.name,
            "systems": systems,
            "spearman": number(self.spearman),
        }

    def listings(self) -> tuple[Listing, ...]:
        scale, other = self.metric.scale, self.upstream_metric.scale
        columns = (
            Column("system"), Column("upstream", "score", "max", scale=other),
            Column("all", "score", "max", scale=scale),
            Column("n", "count", group="upstream right"),
            Column("score", "score", group="upstream right", scale=scale),
            Column("interval", "number", group="upstream right"),
            Column("n ", "count", group="upstream wrong"),
            Column("score ", "score", group="upstream wrong", scale=scale),
            Column("interval ", "number", group="upstream wrong"),
            Column("difference", "change", scale=scale),
        )  # fmt: skip
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                name, float(self.upstream[at]), float(self.overall[at]), int(self.units[0, at]),
                float(self.right[at]), self._interval(1, at), int(self.units[1, at]),
                float(self.wrong[at]), self._interval(2, at),
                float(self.wrong[at] - self.right[at]),
            )
            for at, name in enumerate(self.systems)
        )  # fmt: skip
        note = f"upstream: {self.upstream_metric.name}; difference: upstream wrong less right."
        if len(self.systems) >= _FEWEST:
            note += f" Spearman's correlation over systems: {self.spearman:+.2f}."
        title = f"{self.metric.name} where the upstream output was right and wrong"
        return (Listing(title, columns, rows, note),)

    def _interval(self, part: int, at: int) -> str | None:
        low, high = self.ends[part, at].tolist()
        if np.isnan(low) or np.isnan(high):
            return None
        written = self.metric.scale.written
        return f"[{written(low)}, {written(high)}]"

    def records(self) -> Listing:
        columns = (
            Column("system"), Column("part"), Column("n", "count"), Column("score", "score"),
            Column("low", "score"), Column("high", "score"),
        )  # fmt: skip
        rows: list[tuple[Cell, ...]] = []
        for at, name in enumerate(self.systems):
            sizes = (int(self.units[:, at].sum()), *map(int, self.units[:, at]))
            values = (self.overall, self.right, self.wrong)
            for place, part in enumerate(("all", "upstream right", "upstream wrong")):
                ends = self.ends[place, at].tolist()
                rows.append((name, part, sizes[place], float(values[place][at]), *ends))
        return Listing("extrinsic", columns, tuple(rows))


def extrinsic(
    table: OutcomeTable,
    upstream: OutcomeTable,
    metric: str | Metric | None = None,
    *,
    intervals: int = 0,
    confidence: float = 0.95,
    seed: int = 1,
) -> Extrinsic:
    """Score units where a system's upstream output was right, and where it was wrong.

    Parameters
    ----------
    upstream: a table of the same systems (by name) on the same contexts: items with the same ids,
        or as many sentences in the same order
    metric: of the downstream units; default: the one that the task ranks systems by
    intervals: resamples for intervals; 0: none
    """
    for name in table.systems:
        upstream.system(name)  # must be known
    if not right_or_wrong(upstream):
        raise UsageError(
            f"units of {upstream.task} are graded, neither right nor wrong: they do not divide "
            f"those of {table.task}"
        )
    measure = table.task.unit_metric() if metric is None else chosen(table.task, metric)
    places, missing = _same_contexts(table, upstream)
    solved = _all_right(upstream, [upstream.system(name) for name in table.systems])
    how = {"intervals": intervals, "confidence": confidence, "seed": seed}
    whole = score(table, [measure], **how)  # type: ignore[arg-type]  # by keyword
    parts = []
    known = places >= 0
    for at in range(table.n_systems):
        alone, fine = table.only([at]), solved[places, at]
        parts.append([_part(alone, known & of, measure, how) for of in (fine, ~fine)])
    upstream_metric = upstream.task.unit_metric()
    above = score(upstream, [upstream_metric])
    order = [upstream.system(name) for name in table.systems]
    said = {"given": upstream.task.name, "metric": measure.name}
    said |= Drawing(intervals, confidence, seed).said() if intervals else {}
    fine_scores, other_scores = (np.array([pair[side].score for pair in parts]) for side in (0, 1))
    ends = [np.array([pair[side].ends for pair in parts]) for side in (0, 1)]
    return Extrinsic(
        table.task,
        table.systems,
        measure,
        upstream_metric,
        whole.overall[measure.name],
        fine_scores,
        other_scores,
        np.stack([_ends(whole, measure), *ends]),
        np.array([[pair[side].size for pair in parts] for side in (0, 1)]),
        above.overall[upstream_metric.name][order],
        signature(table, **said),
        (*table.notes, *missing),
    )


class _Part(NamedTuple):
    """The score of some units of one system, its interval, and how many gold units they are."""

    score: float
    ends: tuple[float, float]
    size: int


def _part(
    table: OutcomeTable, rows: NDArray[np.bool_], metric: Metric, how: dict[str, Any]
) -> _Part:
    size = int((rows & table.is_gold).sum())
    if not rows.any():
        return _Part(math.nan, (math.nan, math.nan), 0)
    found = score(restricted(table, rows), [metric], **how)
    low, high = _ends(found, metric)[0].tolist()
    return _Part(float(found.overall[metric.name][0]), (low, high), size)


def _ends(found: Scores, metric: Metric) -> Floats:
    if found.intervals is None:
        return np.full((len(found.systems), 2), np.nan)
    ends: Floats = found.intervals.overall[metric.name]
    return ends


def _all_right(table: OutcomeTable, systems: list[int]) -> NDArray[np.bool_]:
    """``[context, system]`` whether a system is right about all units there."""
    wrong = ~right(table)[:, systems]
    found = np.ones((table.corpus.n_sentences, len(systems)), bool)
    for at in range(len(systems)):
        found[np.unique(table.sentence[wrong[:, at]]), at] = False
    return found


def _same_contexts(
    table: OutcomeTable, upstream: OutcomeTable
) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """``[unit]`` the upstream context of every unit, -1 for none; and a note on those."""
    one, other = (which.corpus.fields.get("id") for which in (table, upstream))
    if one is None or other is None:
        sizes = table.corpus.n_sentences, upstream.corpus.n_sentences
        if sizes[0] != sizes[1]:
            raise UsageError(
                f"{sizes[0]:,} contexts downstream and {sizes[1]:,} upstream, and no ids that tell "
                "which are the same: give the same items to both, or ids"
            )
        return table.sentence.astype(np.int64), ()
    known = {name: at for at, name in enumerate(coded(other, missing=""))}
    context = np.array([known.get(name, -1) for name in coded(one, missing="")], np.int64)
    places = context[table.sentence]
    lost = int(((places < 0) & table.is_gold).sum())
    words = table.task.words
    note = f"{lost:,} {words.of(lost)} without the same id upstream: in neither part"
    return places, (note,) if lost else ()
