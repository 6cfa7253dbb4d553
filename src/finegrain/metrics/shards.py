"""Statistics of the parts of a corpus that was cut into shards, put together.

A sample lies in one shard, so the statistics of the corpus are those of its shards one after the
other, and their sums add up. Only labels differ: a shard knows those that occur in it, and numbers
them in its own way. ``Metric.axes`` says which axes of the statistics go by labels; along these,
shards are put together by name.

>>> import finegrain as fg
>>> from finegrain.metrics import METRICS
>>> from finegrain.table.samples import whole
>>> accuracy = METRICS["accuracy"]
>>> accuracy.axes
('label',)
>>> tables = [fg.from_lists([gold], [gold], task="tags") for gold in (["N", "V"], ["D", "N"])]
>>> shards = [Shard.of(accuracy, table, whole(table)) for table in tables]
>>> [shard.labels for shard in shards], joined(accuracy, shards).labels
([('N', 'V'), ('D', 'N')], ('N', 'V', 'D'))
>>> joined(accuracy, shards).statistics.sum(axis=0)[0, :, 0].tolist()    # right answers by label
[2.0, 1.0, 1.0]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import UsageError
from finegrain.metrics.metric import LABEL, Metric
from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.samples import Samples


class Shard(NamedTuple):
    """Statistics ``[sample, system, ...]`` of a metric, and the labels of their axes of labels."""

    labels: tuple[str, ...]
    statistics: NDArray[np.float64]

    @classmethod
    def of(cls, metric: Metric, table: OutcomeTable, samples: Samples) -> Shard:
        """Those of a table, which has the systems of all other shards in the same order."""
        if not metric.additive:
            raise UsageError(f"metric {metric.name!r} does not add up: it needs all rows at once")
        return cls(tuple(table.labels), metric.statistics(table, samples))


def joined(metric: Metric, shards: Sequence[Shard]) -> Shard:
    """The samples of all shards, under the labels of all in the order in which they occur."""
    if metric.whole_corpus and len(shards) > 1:
        known = f"{metric.whole_corpus}, which a shard does not know"
        raise UsageError(f"metric {metric.name!r} goes by {known}")
    labels = tuple(dict.fromkeys(label for shard in shards for label in shard.labels))
    spread = [_spread(metric, shard, labels) for shard in shards]
    return Shard(labels, np.concatenate(spread))


def _spread(metric: Metric, shard: Shard, labels: tuple[str, ...]) -> NDArray[np.float64]:
    """The statistics of a shard with room for all labels: 0 for those that it does not have."""
    statistics = shard.statistics
    rows = [labels.index(label) for label in shard.labels]
    for axis, name in enumerate(metric.axes, 2):
        if name == LABEL:
            before, after = statistics.shape[:axis], statistics.shape[axis + 1 :]
            found = np.zeros((*before, len(labels), *after))
            found[(slice(None),) * axis + (rows,)] = statistics
            statistics = found
    return statistics
