"""Metrics of some units of a table, whatever a metric counts.

Statistics add up over samples. So those of chosen units are a sample of the whole table, in which
all units have their partners.

>>> import finegrain as fg
>>> from finegrain.metrics import METRICS
>>> from finegrain.table.restriction import restricted
>>> from finegrain.table.samples import whole
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> metric = of_chosen(METRICS["type_recall"])
>>> loc = restricted(table, table.label == table.labels.index("LOC"))
>>> metric.score(metric.statistics(loc, whole(loc)))[0].round(3)
array([1.   , 0.667])
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.label_statistics import LabelStatistics
from finegrain.metrics.metric import Metric, Statistics
from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.restriction import others, restored
from finegrain.table.samples import Samples


@dataclass(frozen=True, slots=True)
class OfChosen:
    """Statistics of the units of a restricted table that count."""

    statistics: Statistics

    def __call__(self, table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
        """``[sample, system, ...]``."""
        rest = others(table)
        if rest is None:
            return self.statistics(table, samples)
        codes = samples.codes.astype(np.int64) * 2 + rest
        return self.statistics(restored(table), Samples(codes, samples.size * 2))[::2]


def of_chosen(metric: Metric) -> Metric:
    """The same metric of the units of a restricted table that count."""
    if isinstance(metric.statistics, LabelStatistics) and metric.statistics.by_outcome:
        return metric
    return replace(metric, statistics=OfChosen(metric.statistics))
