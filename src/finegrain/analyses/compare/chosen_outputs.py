"""One system made of the outputs that are best by the value of graded units.

>>> import numpy as np
>>> from dataclasses import replace
>>> from finegrain.table.scale import Scale, Value
>>> from finegrain.tasks.items import from_matrix
>>> table = from_matrix([[1, 0], [0, 1], [0, 0]], systems=["a", "b"])
>>> graded = Value(Scale(), np.array([[0.9, 0.3], [0.2, 0.2], [np.nan, 0.4]]))
>>> table = replace(table, task=replace(table.task, value="f1"), values={"f1": graded})
>>> chosen(table).values["f1"].matrix.tolist(), chosen(table).outcome.tolist()
([[0.9], [0.2], [0.4]], [[1], [0], [0]])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.metrics.metric import Metric, applicable
from finegrain.metrics.unit_scores import ACCURACY
from finegrain.table import OutcomeTable
from finegrain.table.samples import whole
from finegrain.table.scale import Value
from finegrain.table.verdicts import right_or_wrong
from finegrain.table.verdicts import value as value_of

NAME = "oracle"


class ChosenScore(NamedTuple):
    """A metric of every system ``[system]``, and of the outputs that are chosen."""

    metric: Metric
    systems: NDArray[np.float64]
    chosen: float


def chosen_scores(table: OutcomeTable, metrics: Sequence[Metric]) -> tuple[ChosenScore, ...]:
    """Metrics that are no means of the value: those of the chosen outputs need not be higher."""
    others = [
        metric
        for metric in applicable(table, metrics)
        if metric.value != table.task.value and (metric is not ACCURACY or right_or_wrong(table))
    ]
    made = chosen(table) if others else table
    return tuple(
        ChosenScore(metric, _scores(metric, table), float(_scores(metric, made)[0]))
        for metric in others
    )


def _scores(metric: Metric, table: OutcomeTable) -> NDArray[np.float64]:
    found: NDArray[np.float64] = metric.score(metric.statistics(table, whole(table)))[0]
    return found


def chosen(table: OutcomeTable) -> OutcomeTable:
    """The table with one system, which has the best output of every unit.

    Of equally good ones it has that of the first system in the alphabet.
    """
    graded = value_of(table)
    by_name = np.array(sorted(range(table.n_systems), key=table.systems.__getitem__))
    quality = np.nan_to_num(graded.scale.quality(graded.matrix), nan=-np.inf)
    best = by_name[quality[:, by_name].argmax(axis=1)]
    return replace(
        table,
        systems=(NAME,),
        outcome=_of(table.outcome, best),
        answer=_of(table.answer, best),
        details={name: _of(column, best) for name, column in table.details.items()},
        repairs={},
        values={
            name: Value(one.scale, _of(one.matrix, best)) for name, one in table.values.items()
        },
        parts={
            name: replace(
                rows,
                by_system={
                    key: _of(column, best[rows.parent]) for key, column in rows.by_system.items()
                },
            )
            for name, rows in table.parts.items()
        },
        facets={},
    )


def _of(column: NDArray[Any], system: IntArray) -> NDArray[Any]:
    """``[row, 1, ...]`` what the system of each row has."""
    return column[np.arange(len(column)), system][:, None]
