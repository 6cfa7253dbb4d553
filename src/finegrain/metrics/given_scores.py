"""Means of scores that were given to units, as metrics beside those of the task.

>>> from dataclasses import replace
>>> import numpy as np
>>> from finegrain.table.scale import Scale, Value
>>> from finegrain.tasks.items import from_matrix
>>> comet = Value(Scale(best=1.0, shown="number"), np.array([[0.5], [0.7]]))
>>> table = replace(from_matrix([[1], [0]]), values={"comet": comet}, settings={"scores": "comet"})
>>> [metric.name for metric in given_metrics(table)]
['comet']
"""

from __future__ import annotations

from finegrain.metrics.metric import Metric
from finegrain.metrics.values import mean_of
from finegrain.table import OutcomeTable
from finegrain.table.scale import SCORES


def given_metrics(table: OutcomeTable) -> tuple[Metric, ...]:
    """One for each value that the settings of the table name as given."""
    names = [name for name in table.settings.get(SCORES, "").split(",") if name in table.values]
    return tuple(mean_of(name, table.values[name].scale) for name in names)
