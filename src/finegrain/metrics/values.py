r"""The mean of a value of units: squared errors, ranks, scores that were given to texts.

.. math:: \bar v = \frac{1}{|D|} \sum_{u \in D} v_u

D are the units for which the system's value is defined. The mean adds up as every metric does: its
statistics are the sum of the values and their number.

>>> import numpy as np
>>> from dataclasses import replace
>>> from finegrain.table.samples import whole
>>> from finegrain.table.scale import Scale, Value
>>> from finegrain.tasks.items import from_matrix
>>> table = from_matrix([[1, 1], [1, 1], [1, 1]])
>>> seconds = Value(Scale(higher=False), np.array([[1.0, 3.0], [2.0, np.nan], [6.0, 1.0]]))
>>> metric = mean_of("seconds", seconds.scale)
>>> timed = replace(table, values={"seconds": seconds})
>>> metric.score(metric.statistics(timed, whole(timed)))[0].tolist()       # 9 / 3, 4 / 2
[3.0, 2.0]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.metric import Metric, ratio
from finegrain.metrics.options import MetricOptions
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples
from finegrain.table.scale import Scale


def mean_of(
    value: str, scale: Scale, *, name: str = "", summary: str = "", reference: str = ""
) -> Metric:
    """The metric that is the mean of a named value, on the scale of that value."""
    return Metric(
        name or value,
        partial(sums_of, value=value),
        mean,
        summary or f"the mean {value.replace('_', ' ')} of units",
        reference,
        short=name or value,
        scale=scale,
        value=value,
        needs=(value,),
        undefined="no unit has a value",
    )


def mean_alone(value: str, scale: Scale, _: MetricOptions | None = None) -> tuple[Metric, ...]:
    """The metrics of units that are graded by a value of which nothing more is known."""
    return (mean_of(value, scale),)


def sums_of(table: OutcomeTable, samples: Samples, *, value: str) -> NDArray[np.float64]:
    """``[sample, system, (sum, number)]`` of the defined values, summed in the order of units."""
    matrix = table.values[value].matrix
    known = ~np.isnan(matrix)
    found = np.empty((samples.size, table.n_systems, 2))
    for system in range(table.n_systems):
        for place, column in enumerate((np.nan_to_num(matrix[:, system]), known[:, system])):
            found[:, system, place] = np.bincount(samples.codes, column, minlength=samples.size)
    return found


@dataclass(frozen=True, slots=True)
class OfParts:
    """Statistics of a value that is the mean of what a unit's parts have, such as ratings.

    Each of the n parts of a unit contributes 1 / n of its own value and of the unit. So the factors
    of parts (raters) can be drawn as well, and without draws the mean of units is what it was.
    """

    value: str
    part: str

    def __call__(self, table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
        return sums_of(table, samples, value=self.value)

    def contributed(self, table: OutcomeTable) -> NDArray[np.float64]:
        """``[part, system, (sum, number)]``, 0 for a part without a value."""
        rows = table.parts[self.part]
        given = rows.by_system[self.value]
        known = ~np.isnan(given)
        parts = [np.bincount(rows.parent, one, minlength=len(table)) for one in known.T]
        number = np.maximum(np.stack(parts, axis=1), 1)[rows.parent]
        return np.stack([np.nan_to_num(given), known], axis=-1) / number[..., None]


def mean(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum by the number; nan without any."""
    return ratio(sums[..., 0], sums[..., 1])
