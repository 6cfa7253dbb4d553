"""Metrics of some units of a table, whatever a metric counts.

Statistics add up over samples. So those of chosen units are a sample of the whole table, in which
all units have their partners.

>>> import finegrain as fg
>>> from finegrain.metrics import METRICS
>>> from finegrain.table.restriction import restricted
>>> from finegrain.table.samples import whole
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> loc = restricted(table, table.label == table.labels.index("LOC"))
>>> metric = of_chosen(METRICS["type_recall"], loc)
>>> metric.score(metric.statistics(loc, whole(loc)))[0].round(3)
array([1.   , 0.667])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import UsageError
from finegrain.metrics.label_statistics import LabelStatistics
from finegrain.metrics.metric import Metric, Statistics, require_applicable
from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.restriction import cut_by, others, restored
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


def of_chosen(metric: Metric, table: OutcomeTable) -> Metric:
    """The same metric of the units that count in a table, if that is restricted."""
    if others(table) is None:
        return metric
    if isinstance(metric.statistics, LabelStatistics) and metric.statistics.by_outcome:
        return metric
    return replace(metric, statistics=OfChosen(metric.statistics))


def cut(table: OutcomeTable, metric: Metric) -> str:
    """What a metric needs whole and a restricted table cuts; empty if it cuts nothing."""
    whole = {"documents_": metric.whole_documents, "sentences_": metric.whole_sentences}
    found = cut_by(table, **whole) if any(whole.values()) else ""
    return table.task.words.contexts or found if found == "sentences" else found


def left_out(names: Sequence[str], what: str) -> str:
    """What is said of metrics that need something whole.

    >>> left_out(["uas", "las"], "sentences")
    'uas, las are left out: they need whole sentences'
    """
    are = "are left out: they need" if len(names) > 1 else "is left out: it needs"
    return f"{', '.join(names)} {are} whole {what}"


def fitting(table: OutcomeTable, metric: Metric) -> Metric:
    """The metric of the units that count in a table; refused where it cannot be had of them."""
    require_applicable(table, [metric])
    what = cut(table, metric)
    if what:
        raise UsageError(
            f"{metric.name} needs whole {what}, which the selection "
            f"{table.settings.get('where', '')!r} cuts: choose whole {what}, or another metric"
        )
    return of_chosen(metric, table)
