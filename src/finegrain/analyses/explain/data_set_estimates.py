"""How sure the scores of one data set are: the variance of each system and of pairs of them.

From the samples of the data set (documents, or sentences) and, where a system has several, from
its runs; an average over data sets adds these variances up (``resampling.strata``).

>>> import finegrain as fg
>>> from finegrain.metrics import METRICS
>>> simulated = fg.simulate(tokens=4_000, seed=1)
>>> table = fg.align(simulated.gold, simulated.systems)
>>> one, other = table.systems[:2]
>>> found = estimates(
...     table, METRICS["traditional_f1"], {one: [one], other: [other]}, [one, other])
>>> sorted(found.means), found.means[0].items > 0
([0, 1], True)
>>> gap = found.gap(1, 0)
>>> gap is not None and gap.low < gap.difference < gap.high
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from finegrain.metrics.metric import Metric, Score
from finegrain.resampling.intervals import Drawing, too_few
from finegrain.resampling.runs import Gap, Mean, System, gap_of_runs, mean_of_runs
from finegrain.resampling.sampling import compared, sampling_of
from finegrain.sizes import plural
from finegrain.table import OutcomeTable


class Estimates(NamedTuple):
    """By place of systems. Empty for too few samples.

    ``gap(one, other)``: how far one is ahead of the other, drawn when it is first asked for; none
    where one of them is missing.
    """

    means: Mapping[int, Mean]
    gap: Callable[[int, int], Gap | None]
    notes: tuple[str, ...] = ()


def _no_gap(one: int, other: int) -> None:
    del one, other


NO_ESTIMATES = Estimates({}, _no_gap)


def estimates(
    table: OutcomeTable,
    metric: Metric,
    runs: Mapping[str, Sequence[str]],
    systems: Sequence[str],
    drawing: Drawing = Drawing(),  # noqa: B008 - a frozen value
) -> Estimates:
    """The means of ``runs[system]``, and how any two systems differ."""
    if not drawing.resamples:
        return NO_ESTIMATES
    sampling = sampling_of(table)
    if too_few(sampling.samples.size, level=drawing.level):
        said = (
            f"no interval of averages: {sampling.samples.size} {plural(sampling.kind)} are too few"
        )
        return Estimates({}, _no_gap, (said,))
    counts = compared(table, metric, sampling)
    found = {
        systems.index(name): [counts[table.system(run)] for run in listed]
        for name, listed in runs.items()
    }
    how = {"resamples": drawing.resamples, "seed": drawing.seed}
    means = {
        place: mean_of_runs(of_system, metric.score, level=drawing.level, **how)
        for place, of_system in found.items()
    }
    return Estimates(means, cache(partial(_gap, found, metric.score, drawing)))


def _gap(
    found: Mapping[int, Sequence[System]], score: Score, drawing: Drawing, one: int, other: int
) -> Gap | None:
    if one not in found or other not in found:
        return None
    how = {"resamples": drawing.resamples, "seed": drawing.seed}
    return gap_of_runs(found[other], found[one], score, level=drawing.level, **how)
