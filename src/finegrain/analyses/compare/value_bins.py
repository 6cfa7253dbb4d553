"""How hard graded units are where none counts as solved: quarters by the mean over systems.

>>> import numpy as np
>>> from dataclasses import replace
>>> from finegrain.table.scale import Scale, Value
>>> from finegrain.tasks.items import from_matrix
>>> edits = np.array([[4.0, 1.0], [9.0, 7.0], [0.0, np.nan], [2.0, 1.0], [np.nan, np.nan]])
>>> table = from_matrix(np.ones_like(edits), systems=["old", "new"])
>>> graded = Value(Scale(higher=False, worst=None, shown="number"), edits)
>>> found = value_bins(replace(table, task=replace(table.task, value="edits"),
...                            values={"edits": graded}))
>>> found.codes.tolist(), found.names                       # the hardest bin comes first
([1, 0, 3, 2, -1], ('8.000', '2.500', '1.500', '0.000'))
>>> found.means.tolist()
[[9.0, 4.0, 2.0, 0.0], [7.0, 1.0, 1.0, nan]]

Units with one mean stay in one bin, so that there may be fewer than four, of different sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.intervals import Intervals, ends_of, listed
from finegrain.analyses.result import number
from finegrain.metrics.metric import ratio
from finegrain.metrics.values import mean
from finegrain.resampling.intervals import NO_INTERVALS, Drawing
from finegrain.resampling.sampling import sampling_of
from finegrain.sizes import sized
from finegrain.table import OutcomeTable
from finegrain.table.scale import Floats, Scale
from finegrain.table.verdicts import value as value_of

_QUARTERS = (0.25, 0.5, 0.75)


@dataclass(frozen=True, slots=True, eq=False)
class ValueBins:
    """Bins of gold units, the hardest first; ``codes`` ``[unit]`` is -1 for units in none.

    ``ranges`` ``[bin, (low, high)]`` of means over systems; ``means`` ``[system, bin]``,
    ``overall`` ``[system]``; ``left_out`` gold units for which no system has a value. ``intervals``
    have the ends of ``means`` ``[system, bin, (low, high)]``, the last bin being all units.
    """

    value: str
    scale: Scale
    codes: NDArray[np.int64]
    ranges: Floats
    sizes: NDArray[np.int64]
    means: Floats
    overall: Floats
    left_out: int
    intervals: Intervals[str, Floats] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The range of each bin."""
        told = [[self.scale.written(end) for end in ends] for ends in self.ranges.tolist()]
        return tuple(low if low == high else f"{low} to {high}" for low, high in told)

    def to_json(self, systems: Sequence[str]) -> dict[str, Any]:
        rows = [[number(one) for one in row] for row in self.means.tolist()]
        ends = {} if self.intervals is None else {"intervals": _json(self.intervals, systems)}
        return {
            "units": int(self.sizes.sum()),
            "sizes": self.sizes.tolist(),
            "value": self.value,
            "higher_is_better": self.scale.higher,
            "left_out": self.left_out,
            "ranges": self.ranges.tolist(),
            "means": dict(zip(systems, rows, strict=True)),
            "overall": dict(zip(systems, map(number, self.overall.tolist()), strict=True)),
            **ends,
        }

    def notes(self) -> list[str]:
        """What is left out, and what must be known of intervals."""
        lacking = f"no {self.value} of any system: {sized(self.left_out, 'unit')} left out"
        ends = [] if self.intervals is None else self.intervals.notes()
        return [*([lacking] if self.left_out else []), *ends]


def value_bins(table: OutcomeTable, drawing: Drawing = NO_INTERVALS) -> ValueBins:
    """Put gold units into bins by the mean of the values that systems have for them."""
    scale, matrix = value_of(table).scale, value_of(table).matrix
    known = ~np.isnan(matrix)
    hardness = ratio(np.where(known, matrix, 0.0).sum(axis=1), np.count_nonzero(known, axis=1))
    rows = np.flatnonzero(table.is_gold & ~np.isnan(hardness))
    quality = scale.quality(hardness[rows])
    cuts = np.quantile(quality, _QUARTERS) if len(rows) else np.zeros(0)
    used, codes = np.unique(np.searchsorted(cuts, quality), return_inverse=True)
    every = np.full(len(table), -1, np.int64)
    every[rows] = codes
    own = [hardness[rows][codes == code] for code in range(len(used))]
    means = np.array([_means(one.sum(axis=0)) for _, one in _contributed(table, every, len(used))])
    ends = _intervals(table, every, len(used), drawing) if drawing.resamples else None
    return ValueBins(
        table.task.value,
        scale,
        every,
        np.array([(one.min(), one.max()) for one in own]).reshape(len(used), 2),
        np.bincount(codes, minlength=len(used)),
        means[:, :-1],
        means[:, -1],
        table.n_gold - len(rows),
        ends,
    )


def _intervals(
    table: OutcomeTable, bins: NDArray[np.int64], size: int, drawing: Drawing
) -> Intervals[str, Floats]:
    """Intervals of the means of every system; the bins stay as they are."""
    sampling = sampling_of(table)
    given = (sampling.summed(rows, own) for rows, own in _contributed(table, bins, size))
    return Intervals.of_drawn(sampling, drawing, {"means": ends_of(given, _means, drawing)})


def _json(intervals: Intervals[str, Floats], systems: Sequence[str]) -> dict[str, Any]:
    rows = dict(zip(systems, listed(intervals.ends("means")), strict=True))
    return {
        "confidence": intervals.confidence,
        "means": {name: row[:-1] for name, row in rows.items()},
        "overall": {name: row[-1] for name, row in rows.items()},
    }


def _means(sums: Floats) -> Floats:
    """``[..., bin]``, the last one of all units, from ``[..., bin, (sum, number)]``."""
    return mean(np.concatenate([sums, sums.sum(axis=-2, keepdims=True)], axis=-2))


def _contributed(
    table: OutcomeTable, bins: NDArray[np.int64], size: int
) -> Iterator[tuple[NDArray[np.int64], Floats]]:
    """By system, the units in bins with a value, and what each adds: ``[unit, bin, (sum, 1)]``."""
    for own in value_of(table).matrix.T:
        rows = np.flatnonzero((bins >= 0) & ~np.isnan(own))
        found = np.zeros((len(rows), size, 2))
        found[np.arange(len(rows)), bins[rows]] = np.stack([own[rows], np.ones(len(rows))], axis=1)
        yield rows, found
