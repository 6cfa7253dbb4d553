r"""Items that were answered several times: what varies within items, and what another run brings.

The score of an item is the mean of its runs. By the law of total variance its variance has two
parts (Miller 2024, "Adding Error Bars to Evals"):

.. math:: Var(\bar s_i) = Var(E[s_i]) + E[\sigma_i^2] / K

items differ in how hard they are, which only more items can settle, and the K runs of an item
differ, which more runs settle. So the standard error of the mean over N items can be told for
another number of runs, without making them.

>>> import finegrain as fg
>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> gold = read(source_of("gold", b"id,label\nq1,a\nq2,a\nq3,a\n"))
>>> runs = b"id,run,answer\nq1,1,a\nq1,2,a\nq2,1,a\nq2,2,b\nq3,1,b\nq3,2,b\n"
>>> (found,) = fg.repeats(fg.align(gold, {"mine": read(source_of("mine", runs))})).of_systems
>>> found.mean, round(found.within, 4), round(found.between, 4)      # 0, 1/2, 0; 1/4 - 1/12
(0.5, 0.1667, 0.1667)
>>> round(found.error, 4), round(found.one_more, 4)
(0.2887, 0.2722)

Of items in one cluster (``document``, ``--cluster``) deviations are added up first, so that they
count as one sample. An item stays what is sampled: five runs of 198 items are never 990.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from finegrain.alignment.repeated_answers import CONSISTENCY, MEAN, RUNS, VARIANCE
from finegrain.analyses.interval_cells import bounds, bracketed, interval_notes
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Printed, number
from finegrain.analyses.signature import signature
from finegrain.errors import UsageError
from finegrain.metrics.repeated_answers import pass_estimate
from finegrain.metrics.values import mean_of
from finegrain.resampling.intervals import Drawing, drawn
from finegrain.resampling.sampling import Sampling, counted_by, sampling_of
from finegrain.sizes import sized
from finegrain.table import OutcomeTable, Task
from finegrain.table.scale import Scale

_MOST = 20  # values of k that are shown


class OfRuns(NamedTuple):
    """What the runs of a system come to.

    ``runs``: the fewest and the most of an item that has any; ``within``, ``between``: variance of
    single scores within items, and of the expected scores of items; ``error``: the standard error
    of the mean; ``one_more``, ``limit``: the same with another run of every item, and with very
    many. ``consistency`` and ``passes`` (pass@1, pass@2 ...) are those of labels only.
    """

    system: str
    items: int
    runs: tuple[int, int]
    answers: int
    mean: float
    low: float
    high: float
    within: float
    between: float
    error: float
    one_more: float
    limit: float
    consistency: float
    passes: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Repeats(Printed):
    """Runs of every system, with the standard error that another run would bring."""

    task: Task
    systems: tuple[str, ...]
    of_systems: tuple[OfRuns, ...]
    sampling: tuple[str, int]
    scale: Scale
    confidence: float
    signature: str
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        kind, size = self.sampling
        return {
            "sample": kind,
            "samples": size,
            "confidence": self.confidence,
            "systems": {one.system: _json(one) for one in self.of_systems},
        }

    def listings(self) -> tuple[Listing, ...]:
        tables = [_means(self), _variances(self)]
        return (*tables, *([_passes(self)] if any(one.passes for one in self.of_systems) else []))

    def records(self) -> Listing:
        names = (
            "mean", "low", "high", "within", "between", "error", "one_more", "limit", "consistency",
        )  # fmt: skip
        columns = (
            Column("system"), Column("items", "count"), Column("answers", "count"),
            *(Column(name, "number") for name in names),
        )  # fmt: skip
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (one.system, one.items, one.answers, *(getattr(one, name) for name in names))
            for one in self.of_systems
        )
        return Listing("repeats", columns, rows)


def repeats(
    table: OutcomeTable,
    *,
    resamples: int = 1_000,
    confidence: float = 0.95,
    seed: int = 1,
    where: str = "",
) -> Repeats:
    """Variance within and between items that were answered several times.

    Parameters
    ----------
    table: of items with repeated answers: a column ``run``, or ``align(..., repeats="yes")``
    resamples: of items, or of clusters of them, for the interval of the mean
    confidence, seed, where: as in ``score``
    """
    table = restrict(table, where)
    if MEAN not in table.values or RUNS not in table.details:
        raise UsageError(
            "no item has several answers: number them in a column run (epoch, sample, seed), or "
            "say --repeats yes where ids are repeated"
        )
    sampling = sampling_of(table)
    scale = table.values[MEAN].scale
    metric = mean_of(MEAN, scale)
    drawing = Drawing(resamples, confidence, seed)
    counts = counted_by(table, metric, sampling)
    found = []
    for system, own in enumerate(counts):
        ends = drawn(own, drawing).interval(metric.score, metric.scale)
        found.append(_of_runs(table, system, sampling, (float(ends.low), float(ends.high))))
    said = {**sampling.said(), "resamples": str(resamples), "confidence": f"{confidence:g}"}
    return Repeats(
        table.task,
        table.systems,
        tuple(found),
        (sampling.kind, sampling.samples.size),
        scale,
        confidence,
        signature(table, **said, seed=str(seed)),
        (*table.notes, *_notes(found, sampling.kind)),
    )


def _of_runs(
    table: OutcomeTable, system: int, sampling: Sampling, ends: tuple[float, float]
) -> OfRuns:
    score, runs = table.values[MEAN].matrix[:, system], table.details[RUNS][:, system]
    known = ~np.isnan(score)
    score, runs, size = score[known], runs[known].astype(np.int64), int(known.sum())
    own = table.details[VARIANCE][known, system]
    several = runs > 1
    within = float(own[several].mean()) if several.any() else math.nan
    variance = np.where(several, own, np.where(runs == 1, within, 0.0))
    mean = float(score.mean()) if size else math.nan
    total = _variance_of_mean(score - mean, sampling.samples.codes[known])
    now = float((variance / np.maximum(runs, 1)).sum()) / max(size, 1) ** 2
    more = float((variance / (runs + 1)).sum()) / max(size, 1) ** 2
    apart = max(0.0, _variance_of_mean(score - mean, np.arange(size)) - now) * size
    if now > total:  # an estimate of what lies between items would be negative: nothing does
        now, more = total, more * total / now
    between = total - now
    answered = runs[runs > 0]
    fewest, most = int(answered.min(initial=10**9)), int(answered.max(initial=0))
    labelled = CONSISTENCY in table.values
    agreed = table.values[CONSISTENCY].matrix[:, system] if labelled else np.full(1, np.nan)
    agreed = agreed[~np.isnan(agreed)]
    passes: tuple[float, ...] = ()
    if labelled and most:
        right = np.rint(score * runs).astype(np.int64)
        shares = (pass_estimate(runs, right, k) for k in range(1, min(fewest, _MOST) + 1))
        passes = tuple(float(np.where(runs > 0, one, 0.0).mean()) for one in shares)
    return OfRuns(
        table.systems[system], size, (min(fewest, most), most), int(runs.sum()), mean, *ends,
        within, apart, math.sqrt(total), math.sqrt(between + more), math.sqrt(between),
        float(agreed.mean()) if len(agreed) else math.nan, passes,
    )  # fmt: skip


def _variance_of_mean(deviations: np.ndarray[Any, Any], clusters: np.ndarray[Any, Any]) -> float:
    """Of independent clusters; where every item is its own one, the variance (n - 1) by n.

    >>> round(_variance_of_mean(np.array([0.5, 0.0, -0.5]), np.array([0, 1, 2])), 4)   # 1/4 / 3
    0.0833
    >>> _variance_of_mean(np.array([0.5, 0.5, -0.5, -0.5]), np.array([0, 0, 1, 1]))    # 2 x 2 / 16
    0.25
    """
    names, codes = np.unique(clusters, return_inverse=True)
    size = len(names)
    if size < 2:
        return math.nan
    sums = np.bincount(codes.ravel(), deviations)
    return float((sums**2).sum()) / len(deviations) ** 2 * size / (size - 1)


def _notes(found: list[OfRuns], kind: str) -> Iterator[str]:
    uneven = [one for one in found if one.runs[0] != one.runs[1]]
    if uneven:
        names = ", ".join(one.system for one in uneven)
        yield f"items have different numbers of runs, and weigh the same all the same: {names}"
    none = [one.system for one in found if one.runs[1] < 2]
    if none:
        yield f"one run only, which says nothing about variation within items: {', '.join(none)}"
    flat = [one.system for one in found if one.between == 0 and one.error > 0]
    if flat:
        yield f"runs vary so much that nothing is seen to vary between items: {', '.join(flat)}"
    yield from interval_notes(kind, missing=any(math.isnan(one.low) for one in found))


def _share(one: OfRuns) -> float:
    """The part of the variance of a single score that lies within items."""
    whole = one.within + one.between
    return one.within / whole if whole > 0 else math.nan


def _runs(one: OfRuns) -> str:
    fewest, most = one.runs
    return str(most) if fewest == most else f"{fewest} to {most}"


def _means(found: Repeats) -> Listing:
    scale = found.scale
    columns = (
        Column("system"), Column("items", "count"), Column("runs", "number"),
        Column("mean", "score", "max", scale=scale), Column(f"{100 * found.confidence:g} %"),
        *(Column(name, "score", scale=scale)
          for name in ("standard error", "with one more", "with very many")),
    )  # fmt: skip
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one.system, one.items, _runs(one), one.mean,
            bracketed(one.low, one.high, scale=scale), one.error, one.one_more, one.limit,
        )
        for one in found.of_systems
    )  # fmt: skip
    kind, size = found.sampling
    note = (
        "mean: of single runs; the standard error is that of the mean over items, as it is, with "
        "one more run of every item, and with very many (Miller 2024)"
    )
    return Listing(f"Repeated answers, {sized(size, kind)}", columns, rows, note)


def _variances(found: Repeats) -> Listing:
    labelled = any(not math.isnan(one.consistency) for one in found.of_systems)
    columns = (
        Column("system"), Column("within items", "number"), Column("between items", "number"),
        Column("within", "percent"), *([Column("consistency", "score")] if labelled else []),
    )  # fmt: skip
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one.system, _digits(one.within), _digits(one.between), _share(one),
            *([one.consistency] if labelled else []),
        )
        for one in found.of_systems
    )  # fmt: skip
    note = (
        "variance of single scores within items, and of the expected scores of items; within: its "
        "part of both, in %"
    )
    if labelled:
        note += "; consistency: pairs of runs of an item that agree"
    return Listing("Variance", columns, rows, note)


def _digits(value: float) -> str:
    return "n/a" if math.isnan(value) else f"{value:.4f}"


def _passes(found: Repeats) -> Listing:
    most = max(len(one.passes) for one in found.of_systems)
    columns = (Column("k", "count"), *(Column(one.system, "score") for one in found.of_systems))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (k + 1, *(one.passes[k] if k < len(one.passes) else None for one in found.of_systems))
        for k in range(most)
    )
    note = "pass@k: chance that one of k runs at least is right (Chen et al. 2021)"
    return Listing("pass@k", columns, rows, note)


def _json(one: OfRuns) -> dict[str, Any]:
    return {
        "items": one.items,
        "answers": one.answers,
        "runs": list(one.runs),
        "mean": number(one.mean),
        "interval": bounds(one.low, one.high),
        "variance": {"within": number(one.within), "between": number(one.between)},
        "standard_error": {
            "now": number(one.error),
            "one_more_run": number(one.one_more),
            "very_many_runs": number(one.limit),
        },
        "consistency": number(one.consistency),
        "pass": {f"pass@{k}": number(value) for k, value in enumerate(one.passes, 1)},
    }
