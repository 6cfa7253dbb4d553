"""Systems that were trained several times: means over runs, and what differences are worth.

Runs of one system are called ``name@seed``. Their scores differ, because seeds do, and would differ
on another test set, because items do; intervals speak of both.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=5_000, seed=1)
>>> names = {"crf": "a@1", "neural": "a@2", "uniform": "b@1"}
>>> runs = {names[name]: corpus for name, corpus in play.systems.items() if name in names}
>>> found = fg.seeds(fg.align(play.gold, runs))
>>> [(one.name, one.runs) for one in found.means]
[('a', ('1', '2')), ('b', ('1',))]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.interval_cells import bounds, bracketed, interval_notes
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Printed, number
from finegrain.analyses.signature import signature
from finegrain.errors import UsageError
from finegrain.metrics.choosing import ranked
from finegrain.metrics.metric import Metric, Score, require_applicable
from finegrain.resampling import many
from finegrain.resampling.distinct import said_of_pooling
from finegrain.resampling.intervals import Drawing, check
from finegrain.resampling.runs import (
    Gap,
    Mean,
    System,
    expected_best,
    gap_of_runs,
    mean_of_runs,
    together,
    unbiased_best,
)
from finegrain.resampling.sampling import compared, on_common_units, sampling_of
from finegrain.sizes import plural, sized
from finegrain.table import OutcomeTable, Task
from finegrain.table.facets import facets
from finegrain.table.scale import Scale

_MOST = 20  # budgets that are shown


class OfSystem(NamedTuple):
    """A system, the names of its runs, and the mean of their scores."""

    name: str
    runs: tuple[str, ...]
    mean: Mean


class Compared(NamedTuple):
    """Two systems by their places, how their means differ, and p corrected for all pairs."""

    first: int
    second: int
    gap: Gap
    adjusted: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Seeds(Printed):
    """Means over runs of every system, and all pairs of systems; ``systems`` names the runs."""

    task: Task
    systems: tuple[str, ...]
    metric: str
    means: tuple[OfSystem, ...]
    pairs: tuple[Compared, ...]
    sampling: tuple[str, int]
    scale: Scale
    confidence: float
    signature: str
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        kind, size = self.sampling
        return {
            "metric": self.metric,
            "sample": kind,
            "samples": size,
            "confidence": self.confidence,
            "systems": {one.name: _mean_json(one, self.scale) for one in self.means},
            "pairs": [_pair_json(self, one) for one in self.pairs],
        }

    def listings(self) -> tuple[Listing, ...]:
        tables = [_means(self)]
        tables += [_pairs(self)] if self.pairs else []
        tables += [_budgets(self)] if any(len(one.runs) > 1 for one in self.means) else []
        return tuple(tables)

    def records(self) -> Listing:
        columns = (
            Column("system"), Column("metric"), Column("runs", "count"),
            *(Column(name, "score") for name in ("mean", "deviation", "low", "high", "min", "max")),
        )  # fmt: skip
        rows: list[tuple[Cell, ...]] = [
            (
                one.name, self.metric, len(one.runs), one.mean.mean, one.mean.deviation,
                one.mean.low, one.mean.high,
                float(one.mean.values.min()), float(one.mean.values.max()),
            )
            for one in self.means
        ]  # fmt: skip
        return Listing("seeds", columns, tuple(rows))


def runs_of(systems: Sequence[str]) -> dict[str, list[int]]:
    """The places of every system's runs.

    >>> runs_of(["bert", "crf", "bert"])
    {'bert': [0, 2], 'crf': [1]}
    """
    found: dict[str, list[int]] = {}
    for place, name in enumerate(systems):
        found.setdefault(name, []).append(place)
    return found


def seeds(
    table: OutcomeTable,
    metric: str | Metric | None = None,
    *,
    correction: str = "holm",
    resamples: int = 1_000,
    confidence: float = 0.95,
    seed: int = 1,
    where: str = "",
) -> Seeds:
    """Systems with several runs: means, spread, intervals over seeds and items, differences.

    Parameters
    ----------
    table: its systems are called ``name@seed``; those with one name are runs of one system
    metric: by name or as a value; default: traditional F1 of spans, accuracy of tags
    correction: of p for all pairs: ``holm``, ``benjamini-hochberg`` or ``none``
    resamples: of documents, or of sentences where there are no documents
    confidence, seed, where: as in ``score``
    """
    table = restrict(table, where)
    by = ranked(table, metric)
    check(resamples, confidence)
    if correction not in many.CORRECTIONS:
        raise UsageError.unknown("correction", correction, many.CORRECTIONS)
    require_applicable(table, [by])
    if not table.n_systems:
        raise UsageError("seeds compares runs of systems, and the table has none")
    sampling = sampling_of(table)
    counted = on_common_units(table, by, sampling, compared)
    counts = [counted([system])[0] for system in range(table.n_systems)]
    known = facets(table)
    grouped = runs_of(known["system"])
    drawing = Drawing(resamples, confidence, seed)
    runs = [[counts[place] for place in places] for places in grouped.values()]
    means = tuple(
        OfSystem(
            name,
            tuple(known["seed"][place] or "-" for place in places),
            _within_range(mean_of_runs(of_system, by.score, **drawing._asdict()), by.scale),
        )
        for (name, places), of_system in zip(grouped.items(), runs, strict=True)
    )
    pairs = _compared(list(grouped.values()), counted, by.score, correction, drawing)
    said = {"metric": by.name, "correction": correction, **sampling.said()}
    said |= said_of_pooling([together(counts).pooled])
    said |= {"resamples": str(resamples), "confidence": f"{confidence:g}", "seed": str(seed)}
    return Seeds(
        table.task,
        table.systems,
        by.name,
        means,
        pairs,
        (sampling.kind, sampling.samples.size),
        by.scale,
        confidence,
        signature(table, **said),
        (*table.notes, *_notes(means, len(pairs), correction, sampling.kind)),
    )


def _compared(
    places: Sequence[list[int]],
    counted: Callable[[Sequence[int]], Sequence[System]],
    score: Score,
    correction: str,
    drawing: Drawing,
) -> tuple[Compared, ...]:
    """Every two systems, by the places of their runs, with p corrected for all of them."""
    listed = list(combinations(range(len(places)), 2))
    gaps = []
    for one, other in listed:
        runs, size = counted([*places[one], *places[other]]), len(places[one])
        gaps.append(gap_of_runs(runs[:size], runs[size:], score, **drawing._asdict()))
    adjusted = many.CORRECTIONS[correction]([gap.p for gap in gaps])
    found = zip(listed, gaps, adjusted, strict=True)
    return tuple(Compared(*where, gap, p) for where, gap, p in found)


def _within_range(found: Mean, scale: Scale) -> Mean:
    """Proportions have no values beyond 0 and 1, where an interval of few runs easily ends."""
    lowest, highest = scale.range
    if not ((found.values >= lowest) & (found.values <= highest)).all():
        return found
    low, high = (float(np.clip(end, lowest, highest)) for end in (found.low, found.high))
    return found._replace(low=low, high=high)


def _notes(means: Sequence[OfSystem], pairs: int, correction: str, kind: str) -> Iterator[str]:
    if any(math.isnan(one.mean.items) and not math.isnan(one.mean.mean) for one in means):
        yield f"no p and no interval is given where a score comes from too few {plural(kind)}"
    single = [one.name for one in means if len(one.runs) == 1]
    if single:
        yield (
            f"one run only, so that intervals say nothing about other seeds: {', '.join(single)} "
            "(runs of one system are called name@seed)"
        )
    if any(len(one.runs) in (2, 3, 4) for one in means):
        yield "with fewer than 5 runs the spread over seeds is known badly, and intervals are wide"
    if pairs > 1:
        how = "not corrected" if correction == "none" else f"corrected ({correction})"
        yield f"{pairs} comparisons, {how}; intervals are for one pair each"
    undefined = [one.name for one in means if math.isnan(one.mean.mean)]
    if undefined:
        yield f"the score is undefined for some runs of {', '.join(undefined)}"
    yield from interval_notes(kind, missing=False)


def _share(seeds_: float, items: float) -> float:
    """The part of the variance that comes from seeds."""
    return seeds_ / (seeds_ + items) if seeds_ + items > 0 else math.nan


def _means(found: Seeds) -> Listing:
    scale = found.scale
    columns = (
        Column("system"), Column("runs", "count"), Column("mean", "score", "max", scale=scale),
        *(Column(name, "score", scale=scale) for name in ("sd", "lowest", "highest")),
        Column(f"{100 * found.confidence:g} % of the mean"), Column("from seeds", "percent"),
    )  # fmt: skip
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one.name, len(one.runs), one.mean.mean, one.mean.deviation,
            float(one.mean.values.min()), float(one.mean.values.max()),
            bracketed(one.mean.low, one.mean.high, scale=scale),
            _share(one.mean.seeds, one.mean.items) if len(one.runs) > 1 else None,
        )
        for one in found.means
    )  # fmt: skip
    kind, size = found.sampling
    note = (
        "sd: of single runs; the interval is for other seeds and other items alike; from seeds: "
        "their part of its variance, in %"
    )
    return Listing(f"{found.metric} over runs, {sized(size, kind)}", columns, rows, note)


def _pairs(found: Seeds) -> Listing:
    corrected, scale = len(found.pairs) > 1, found.scale
    columns = [Column("first"), Column("second"), Column("difference", "change", scale=scale)]
    columns += [Column(f"{100 * found.confidence:g} %"), Column("p", "p")]
    columns += [Column("corrected", "p")] if corrected else []
    rows: list[tuple[Cell, ...]] = []
    for one in found.pairs:
        gap = one.gap
        row: list[Cell] = [found.means[one.first].name, found.means[one.second].name]
        row += [gap.difference, bracketed(gap.low, gap.high, signed="+", scale=scale), gap.p]
        rows.append((*row, *([one.adjusted] if corrected else [])))
    note = "difference: mean of the second minus mean of the first"
    return Listing("Systems compared, over seeds and items", tuple(columns), tuple(rows), note)


def _budgets(found: Seeds) -> Listing:
    """The expected best run by the number of runs one can afford."""
    told, scale = [one for one in found.means if len(one.runs) > 1], found.scale
    most = max(len(one.runs) for one in told)
    shown = sorted({round(one) for one in np.geomspace(1, most, _MOST)})
    if most <= _MOST:
        shown = list(range(1, most + 1))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            budget,
            *(
                _best(expected_best, one.mean, budget, scale) if budget <= len(one.runs) else None
                for one in told
            ),
        )
        for budget in shown
    )
    names = (Column(one.name, "score", "row", scale=scale) for one in told)
    columns = (Column("runs", "count"), *names)
    note = (
        "of this many runs the best one, on average (Dodge et al. 2019): for scores on validation "
        "data, on which a run may be chosen"
    )
    return Listing(f"Expected best {found.metric} by budget", columns, rows, note)


def _best(
    of_budget: Callable[[NDArray[np.float64], int], float], mean: Mean, budget: int, scale: Scale
) -> float:
    """The expected best of so many runs, on a scale where less may be better."""
    turned = of_budget(scale.quality(mean.values), budget)
    return float(scale.quality(np.array(turned)))


def _mean_json(one: OfSystem, scale: Scale) -> dict[str, Any]:
    mean = one.mean
    return {
        "runs": {
            name if name != "-" else one.name: number(float(value))
            for name, value in zip(one.runs, mean.values, strict=True)
        },
        "mean": number(mean.mean),
        "standard_deviation": number(mean.deviation),
        "interval": bounds(mean.low, mean.high),
        "variance_of_mean": {"seeds": number(mean.seeds), "items": number(mean.items)},
        "expected_best": [
            {
                "budget": budget,
                "dodge": number(_best(expected_best, mean, budget, scale)),
                "unbiased": number(_best(unbiased_best, mean, budget, scale)),
            }
            for budget in range(1, len(one.runs) + 1)
        ],
    }


def _pair_json(found: Seeds, one: Compared) -> dict[str, Any]:
    return {
        "first": found.means[one.first].name,
        "second": found.means[one.second].name,
        "difference": number(one.gap.difference),
        "interval": bounds(one.gap.low, one.gap.high),
        "p": number(one.gap.p),
        "p_corrected": number(one.adjusted),
        "variance": {"seeds": number(one.gap.seeds), "items": number(one.gap.items)},
    }
