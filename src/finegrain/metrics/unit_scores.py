"""The score of any task: the share of gold units that a system solves, by their outcomes.

>>> from finegrain.corpus import Corpus
>>> from finegrain.table.samples import whole
>>> from finegrain.tasks.tags import align
>>> gold = Corpus.of([["a", "b"]], tags=[["N", "V"]])
>>> table = align(gold, {"s": Corpus.of([["a", "b"]], tags=[["N", "N"]])})
>>> (metric,) = default_metrics()
>>> metric.score(metric.statistics(table, whole(table)))
array([[0.5]])
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.metric import Metric, ratio
from finegrain.metrics.options import MetricOptions
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples
from finegrain.table.verdicts import solved


def solved_counts(table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
    """``[sample, system, (solved, all)]`` gold units."""
    codes = samples.codes[table.is_gold]
    counts = np.empty((samples.size, table.n_systems, 2))
    counts[..., 1] = np.bincount(codes, minlength=samples.size)[:, None]
    for system, right in enumerate(solved(table)[table.is_gold].T):
        counts[:, system, 0] = np.bincount(codes[right], minlength=samples.size)
    return counts


def solved_share(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Share of gold units that are solved.

    .. math:: A = \frac{\text{solved}}{\text{all}}

    From 0 to 1; undefined (nan) without gold units.

    >>> solved_share(np.array([3.0, 4.0]))
    array(0.75)
    """
    return ratio(counts[..., 0], counts[..., 1])


ACCURACY = Metric(
    "accuracy",
    solved_counts,
    solved_share,
    "share of units that are right",
    "Manning, Raghavan and Schütze (2008), chapters 8 and 13",
)


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """The metrics of a task that names none."""
    return (ACCURACY,)
