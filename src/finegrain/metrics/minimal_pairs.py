"""Scores of minimal pairs: the share that is preferred rightly, and the mean margin.

>>> from finegrain.tasks import TASKS
>>> from finegrain.table.samples import whole
>>> table = TASKS["minimal_pairs"].align(*TASKS["minimal_pairs"].example())
>>> {metric.name: metric.score(metric.statistics(table, whole(table)))[0].tolist()
...  for metric in default_metrics()}
{'accuracy': [0.75, 0.5], 'margin': [1.5, 0.25]}
"""

from __future__ import annotations

from dataclasses import replace

from finegrain.alignment.minimal_pairs import MARGIN, OPEN
from finegrain.metrics.metric import Listed, Metric
from finegrain.metrics.options import MetricOptions
from finegrain.metrics.unit_scores import ACCURACY
from finegrain.metrics.values import mean, mean_of
from finegrain.metrics.weighing import Floats


def mean_margin(sums: Floats) -> Floats:
    r"""Mean margin of minimal pairs.

    .. math:: \frac{1}{n} \sum_i \left( \log p(g_i) - \log p(b_i) \right)

    where :math:`g_i` is the good and :math:`b_i` the bad sentence of pair i. In the logarithm of
    the file. Positive if good sentences are more probable on average.

    >>> import numpy as np
    >>> mean_margin(np.array([4.0, 2.0]))                               # margins 5 and -1
    array(2.)
    """
    return mean(sums)


PAIR_METRICS: tuple[Metric, ...] = (
    replace(
        mean_of(MARGIN, OPEN, summary="mean difference of the log-probabilities of a pair"),
        reference="Warstadt et al. (2020)", definition=mean_margin, listed=Listed(2),
    ),
)  # fmt: skip


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """Accuracy and the mean margin."""
    return (ACCURACY, *PAIR_METRICS)
