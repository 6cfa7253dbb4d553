"""How sure the scores of one data set are: the variance of each system and of pairs of them.

From the samples of the data set (documents, or sentences) and, where a system has several, from
its runs; an average over data sets adds these variances up (``resampling.strata``).

>>> import finegrain as fg
>>> from finegrain.metrics import METRICS
>>> simulated = fg.simulate(tokens=4_000, seed=1)
>>> table = fg.align(simulated.gold, simulated.systems)
>>> one, other = table.systems[:2]
>>> found = estimates(
...     table, METRICS["traditional_f1"], {one: [one], other: [other]}, [one, other], [(1, 0)])
>>> sorted(found.means), sorted(found.gaps), found.means[0].items > 0
([0, 1], [(1, 0)], True)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from finegrain.metrics.metric import Metric
from finegrain.resampling.intervals import Drawing, too_few
from finegrain.resampling.runs import Gap, Mean, gap_of_runs, mean_of_runs
from finegrain.resampling.sampling import counted, sampling_of
from finegrain.table import OutcomeTable


class Estimates(NamedTuple):
    """By place of systems; ``gaps`` of a system and its baseline. Empty for too few samples."""

    means: Mapping[int, Mean]
    gaps: Mapping[tuple[int, int], Gap]
    notes: tuple[str, ...] = ()


NO_ESTIMATES = Estimates({}, {})


def estimates(
    table: OutcomeTable,
    metric: Metric,
    runs: Mapping[str, Sequence[str]],
    systems: Sequence[str],
    pairs: Iterable[tuple[int, int]],
    drawing: Drawing = Drawing(),  # noqa: B008 - a frozen value
) -> Estimates:
    """The means of ``runs[system]``, and how systems differ from their baselines."""
    if not drawing.resamples:
        return NO_ESTIMATES
    sampling = sampling_of(table)
    if too_few(sampling.samples.size, level=drawing.level):
        said = f"no interval of averages: {sampling.samples.size} {sampling.kind}s are too few"
        return Estimates({}, {}, (said,))
    counts = counted(table, metric.statistics, sampling, narrow=metric.narrow)
    found = {
        systems.index(name): [counts[table.system(run)] for run in listed]
        for name, listed in runs.items()
    }
    how = {"resamples": drawing.resamples, "seed": drawing.seed}
    level = drawing.level
    return Estimates(
        {
            place: mean_of_runs(of_system, metric.score, level=level, **how)
            for place, of_system in found.items()
        },
        {
            (one, base): gap_of_runs(found[base], found[one], metric.score, level=level, **how)
            for one, base in pairs
            if one in found and base in found
        },
    )
