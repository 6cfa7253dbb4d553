"""Automatic metrics against people: by item, by system, and which metric is closer to them.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(small_corpora("ratings")[0], {}, task="ratings")
>>> length = table.values["rating"].matrix + np.array([0.0, 0.3])        # too kind to one system
>>> found = fg.validate(table, {"length": length}, intervals=0)
>>> found.measure("length", "pooled", "pearson").value.round(3)
np.float64(0.988)

*Pooled*: over all pairs of an item and a system. *Grouped*: over the systems of an item, the mean
of items. *System*: over the means of systems. Intervals draw items; tests exchange two metrics
item by item, after both were given mean 0 and standard deviation 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.metric_values import values_of
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import Printed, number
from finegrain.analyses.signature import signature
from finegrain.corpus import Corpus
from finegrain.corpus.items import coded
from finegrain.errors import UsageError
from finegrain.metrics.metric import ratio
from finegrain.metrics.metric_validation import (
    CORRELATIONS,
    by_item,
    pairwise_accuracy,
    system_level,
    system_sums,
)
from finegrain.metrics.ranked import CORRELATION
from finegrain.metrics.weighing import Weighing
from finegrain.resampling.distinct import Repeated, distinct
from finegrain.resampling.intervals import Drawing, check, drawn, interval, too_few
from finegrain.resampling.paired import paired
from finegrain.resampling.sampling import Sampling, sampling_of
from finegrain.resampling.tests import randomisation
from finegrain.resampling.weighted import Observed
from finegrain.resampling.weighted_pairs import observed_pair
from finegrain.sizes import sized
from finegrain.table import OutcomeTable, Task
from finegrain.table.scale import PROPORTION
from finegrain.table.verdicts import value as value_of

Floats = NDArray[np.float64]
ACCURACY = "accuracy"
LEVELS = {
    "pooled": "over all pairs of an item and a system",
    "grouped": "over the systems of an item, mean of items",
    "system": "over the means of systems",
}
_FEW = 4  # systems; fewer say little about correlations of systems


class Measure(NamedTuple):
    """A number and its interval; nan for none."""

    value: Any
    low: Any
    high: Any


class Test(NamedTuple):
    """Whether the second metric is closer to people than the first, by a measure."""

    first: str
    second: str
    level: str
    name: str
    difference: float
    p: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Validation(Printed):
    """``measures``: metric -> level -> name -> ``Measure``; ``epsilon``: the ties of a metric."""

    task: Task
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    measures: Mapping[str, Mapping[str, Mapping[str, Measure]]]
    epsilon: Mapping[str, float]
    pairs: Mapping[str, int]
    tests: tuple[Test, ...]
    signature: str
    notes: tuple[str, ...]

    def measure(self, metric: str, level: str, name: str) -> Measure:
        """One number: ``measure("bleu", "grouped", "accuracy")``."""
        if metric not in self.measures:
            raise UsageError.unknown("metric", metric, self.metrics)
        return self.measures[metric][level][name]

    def to_json(self) -> dict[str, Any]:
        return {
            "metrics": {
                metric: {
                    "epsilon": self.epsilon[metric],
                    "pairs": self.pairs[metric],
                    **{
                        level: {name: _json(one) for name, one in named.items()}
                        for level, named in levels.items()
                    },
                }
                for metric, levels in self.measures.items()
            },
            "tests": [{**one._asdict(), "difference": number(one.difference), "p": number(one.p)}
                      for one in self.tests],
        }  # fmt: skip

    def listings(self) -> tuple[Listing, ...]:
        return (*(_listing(self, level) for level in LEVELS), *_tests_listing(self))

    def records(self) -> Listing:
        columns = ("metric", "level", "measure", "value", "low", "high")
        rows: list[tuple[Cell, ...]] = [
            (metric, level, name, float(one.value), float(one.low), float(one.high))
            for metric, levels in self.measures.items()
            for level, named in levels.items()
            for name, one in named.items()
        ]
        return Listing("Metrics against people", tuple(map(Column, columns)), tuple(rows))


def validate(
    table: OutcomeTable,
    metrics: Mapping[str, Any],
    *,
    intervals: int = 1000,
    confidence: float = 0.95,
    seed: int = 1,
    resamples: int = 10_000,
) -> Validation:
    """Validate automatic metrics against people.

    Parameters
    ----------
    table: ratings or pairwise judgements, aligned
    metrics: name -> numbers ``[item, system]`` in the order of the table, or a corpus with the
        columns ``item``, ``system`` and ``value``; higher is better
    intervals: resamples for intervals; 0 for none
    confidence: of the intervals
    resamples: exchanges for tests between metrics
    """
    if not table.task.holds_systems or not table.task.value:
        raise UsageError("validate takes judgements of people: ratings, or winner and loser")
    if not metrics:
        raise UsageError("give at least one metric")
    if intervals:
        check(intervals, confidence)
    drawing, sampling = Drawing(intervals, confidence, seed), sampling_of(table)
    judged = value_of(table).matrix
    scores = {name: _matrix(table, name, given) for name, given in metrics.items()}
    notes, measures, epsilon, pairs = list(table.notes), {}, {}, {}
    for name, mine in scores.items():
        missing = int((np.isnan(mine) & ~np.isnan(judged)).sum())
        if missing:
            notes.append(
                f"{name}: {sized(missing, 'judged pair')} of item and system without a value"
            )
        calibrated = pairwise_accuracy(mine, judged)
        epsilon[name], pairs[name] = calibrated.epsilon, calibrated.pairs
        measures[name] = _measures(mine, judged, calibrated.share, sampling, drawing)
    notes.append("epsilon: differences of the metric up to it count as ties; chosen on these items")
    notes.append("grouped correlations leave out items where all systems are equal for one side")
    if table.n_systems < _FEW:
        notes.append(f"{table.n_systems} systems say little about correlations of systems")
    told = {"sample": sampling.kind, "n": str(sampling.samples.size)}
    told |= drawing.said() if drawing.resamples else {}
    return Validation(
        table.task, table.systems, tuple(scores), measures, epsilon, pairs,
        _tests(scores, judged, sampling, resamples, seed),
        signature(table, **told, resamples=str(resamples)), tuple(notes),
    )  # fmt: skip


def _matrix(table: OutcomeTable, name: str, given: Any) -> Floats:
    if isinstance(given, Corpus):
        ids = coded(table.corpus.fields["id"], missing="")
        return values_of(given, [ids[row] for row in table.sentence.tolist()], table.systems)
    matrix = np.asarray(given, np.float64)
    shape = (len(table), table.n_systems)
    if matrix.shape != shape:
        raise UsageError(f"{name}: numbers are [item, system], {shape}, not {matrix.shape}")
    return matrix


def _measures(
    mine: Floats, judged: Floats, share: Floats, sampling: Sampling, drawing: Drawing
) -> dict[str, dict[str, Measure]]:
    found: dict[str, dict[str, Measure]] = {level: {} for level in LEVELS}
    rows = _rows(mine, judged, sampling)
    for name, of in CORRELATIONS.items():
        found["pooled"][name] = _measured(rows, Weighing(of), drawing)
        of_items = _means(by_item(mine, judged, name), sampling)
        found["grouped"][name] = _measured(of_items, _mean, drawing)
    found["grouped"][ACCURACY] = _measured(_means(share, sampling), _mean, drawing)
    sums = _by_sample(system_sums(mine, judged), sampling)
    for name in (*CORRELATIONS, ACCURACY):
        found["system"][name] = _of_systems(sums, name, drawing)
    return found


def _rows(mine: Floats, judged: Floats, sampling: Sampling) -> Observed:
    known = ~(np.isnan(mine) | np.isnan(judged))
    item = np.repeat(sampling.samples.codes, mine.shape[1])[known.ravel()]
    rows = np.stack([mine[known], judged[known]], axis=1)
    return Observed.of_rows(rows, [item], [sampling.samples.size])


def _by_sample(values: Floats, sampling: Sampling) -> Floats:
    sums = np.zeros((sampling.samples.size, *values.shape[1:]))
    np.add.at(sums, sampling.samples.codes, values)
    return sums


def _means(values: Floats, sampling: Sampling) -> Any:
    both = np.stack([np.nan_to_num(values), ~np.isnan(values)], axis=1)
    return distinct(_by_sample(both, sampling))


def _mean(sums: Floats) -> Floats:
    return ratio(sums[..., 0], sums[..., 1])


def _measured(given: Repeated, score: Callable[..., Floats], drawing: Drawing) -> Measure:
    value = score(given.total()).reshape(()) if len(given.counts) else np.array(np.nan)
    if not drawing.resamples:
        return Measure(value, np.array(np.nan), np.array(np.nan))
    low, high = drawn(given, drawing).interval(score)
    return Measure(value, np.asarray(low).reshape(()), np.asarray(high).reshape(()))


def _of_systems(sums: Floats, name: str, drawing: Drawing) -> Measure:
    """By means of systems; a single item says nothing about them, so all items count."""
    value = system_level(sums.sum(axis=0), name)
    nothing = np.array(np.nan)
    if not drawing.resamples or too_few(len(sums), level=drawing.level):
        return Measure(value, nothing, nothing)
    several = drawn(distinct(sums), drawing)
    samples = np.array(min(300, int((sums[..., 2].sum(axis=1) > 0).sum())))
    found = interval(value, system_level(several.sums, name), samples, level=drawing.level)
    return Measure(value, *found)


def _tests(
    scores: Mapping[str, Floats], judged: Floats, sampling: Sampling, resamples: int, seed: int
) -> tuple[Test, ...]:
    """All pairs of metrics, on what both have a value for."""
    found = []
    for first, second in combinations(scores, 2):
        known = ~np.isnan(scores[first]) & ~np.isnan(scores[second]) & ~np.isnan(judged)
        one, two = (_standard(np.where(known, scores[name], np.nan)) for name in (first, second))
        for level, name, sides in _compared(one, two, judged, sampling):
            if isinstance(sides[0], Observed):
                evidence = randomisation(
                    observed_pair(*sides), Weighing(CORRELATIONS[name]), resamples=resamples,
                    seed=seed,
                )  # fmt: skip
            else:
                evidence = randomisation(paired(*sides), _mean, resamples=resamples, seed=seed)
            found.append(Test(first, second, level, name, evidence.difference, evidence.p))
    return tuple(found)


def _compared(one: Floats, two: Floats, judged: Floats, sampling: Sampling) -> Any:
    yield "pooled", "pearson", tuple(_rows(side, judged, sampling) for side in (one, two))
    yield (
        "grouped",
        "kendall",
        tuple(_means(by_item(side, judged, "kendall"), sampling) for side in (one, two)),
    )
    yield (
        "grouped",
        ACCURACY,
        tuple(_means(pairwise_accuracy(side, judged).share, sampling) for side in (one, two)),
    )


def _standard(values: Floats) -> Floats:
    known = values[~np.isnan(values)]
    spread = known.std() if len(known) else 0.0
    return (values - known.mean()) / spread if spread > 0 else np.where(np.isnan(values), values, 0)


def _json(one: Measure) -> dict[str, Any]:
    ends = [number(float(one.low)), number(float(one.high))]
    return {"value": number(float(one.value)), "interval": ends}


def _listing(found: Validation, level: str) -> Listing:
    names = list(next(iter(found.measures.values()))[level])
    columns = [Column("metric")]
    for name in names:
        scale = PROPORTION if name == ACCURACY else CORRELATION
        columns += [Column(name, "score", best="max", scale=scale), Column("interval", "number")]
    if level == "grouped":
        columns += [Column("epsilon", "number"), Column("pairs", "count")]
    rows = []
    for metric, levels in found.measures.items():
        row: list[Cell] = [metric]
        for name, one in levels[level].items():
            points = 100 if name == ACCURACY else 1
            digits = 2 if name == ACCURACY else 3
            low, high = float(one.low) * points, float(one.high) * points
            ends = "" if np.isnan([low, high]).any() else f"[{low:.{digits}f}, {high:.{digits}f}]"
            row += [float(one.value), ends]
        if level == "grouped":
            row += [f"{found.epsilon[metric]:.4g}", found.pairs[metric]]
        rows.append(tuple(row))
    title = {"pooled": "By item, pooled", "grouped": "By item, grouped", "system": "By system"}
    return Listing(f"{title[level]}: {LEVELS[level]}", tuple(columns), tuple(rows))


def _tests_listing(found: Validation) -> tuple[Listing, ...]:
    if not found.tests:
        return ()
    columns = (
        Column("first"), Column("second"), Column("measure"), Column("difference", "number"),
        Column("p", "p"),
    )  # fmt: skip
    rows = tuple(
        (one.first, one.second, f"{one.level} {one.name}",
         "n/a" if np.isnan(one.difference) else f"{one.difference:+.4f}", one.p)
        for one in found.tests
    )  # fmt: skip
    note = "difference: second minus first; p: approximate randomisation, exchanging items"
    return (Listing("Is one metric closer to people?", columns, rows, note),)
