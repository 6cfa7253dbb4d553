"""Metrics that do not add up: scores of rows that have weights.

The area under the ROC curve and a rank correlation are no function of sums over samples. But a
subset is rows with weight 1 among rows with weight 0, a bootstrap resample is rows with whole
weights, and an exchange of outputs takes rows of both systems with weights that complement each
other. So such a metric is two functions as well: what is *observed* of every unit, and the score of
rows for many *weights* at once.

>>> def observed(table): return table.details["seconds"][..., None]          # [unit, system, 1]
>>> def longest(rows, weights): return np.where(weights > 0, rows[:, 0], -np.inf).max(axis=1)
>>> statistics, score = Observing(observed), Weighing(longest)

``Observing`` takes the place of statistics, and ``Weighing`` that of the score of their sums.
Between them stands ``Weighed``: the rows of every system and their weights, where other metrics
have sums. So ``metric.score(metric.statistics(table, samples))`` are the scores of all samples:

>>> from dataclasses import replace
>>> from finegrain.table.samples import Samples
>>> from finegrain.tasks.items import from_matrix
>>> seconds = np.array([[1.0, 2.0], [4.0, 3.0], [2.0, 9.0]])
>>> table = replace(from_matrix([[1, 1]] * 3), details={"seconds": seconds})
>>> score(statistics(table, Samples(np.array([0, 0, 1]), 2))).tolist()       # [sample, system]
[[4.0, 3.0], [2.0, 9.0]]

A row of which something is undefined (nan) is left out for that system.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples

Floats = NDArray[np.float64]
Observed = Callable[[OutcomeTable], Floats]
"""A table -> ``[unit, system, k]`` what is observed of every unit."""
Weighted = Callable[[Floats, Floats], Floats]
"""Rows ``[row, k]`` and weights ``[draw, row]`` -> scores ``[draw]``; nan where undefined."""
Influence = Callable[[Floats], tuple[float, Floats]]
"""Rows ``[row, k]`` -> their score, and ``[row]`` how much more weight on each changes it."""
CELLS = 1 << 22  # of weights in memory at once
_SAMPLES = 64  # that are scored at once


class Part(NamedTuple):
    """Rows ``[row, k]`` of a system, and their weights ``[draw, row]``."""

    rows: Floats
    weights: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """What is scored in place of sums: rows of systems with weights, some draws at a time.

    ``blocks`` gives the rows of every system for some draws, then for the next ones; ``shape`` is
    that of all scores, ``[draw]`` or ``[draw, system]``. ``linear``: the scores up to terms of the
    second order, where there are so many rows and draws that each by itself would take minutes.
    """

    blocks: Callable[[], Iterator[Sequence[Part]]]
    shape: tuple[int, ...]
    linear: Callable[[Influence], Floats] | None = None


@dataclass(frozen=True, slots=True)
class Weighing:
    """The score of weighed rows; it stands where other metrics score sums.

    ``influence``: how each row changes it, for scores of very many draws.
    """

    weighted: Weighted
    influence: Influence | None = None

    def __call__(self, given: Any) -> Floats:
        if 0 in given.shape:  # no draws, or no systems
            return np.empty(given.shape)
        if given.linear is not None and self.influence is not None:
            return np.asarray(given.linear(self.influence)).reshape(given.shape)
        found = [np.stack([self._of(*part) for part in parts], axis=-1) for parts in given.blocks()]
        return np.concatenate(found).reshape(given.shape)

    def _of(self, rows: Floats, weights: Floats) -> Floats:
        return self.weighted(rows, weights) if len(rows) else np.full(len(weights), np.nan)


class Rows(NamedTuple):
    """Rows ``[row, k]`` and the sample ``[row]`` of each."""

    values: Floats
    sample: IntArray


@dataclass(frozen=True, slots=True)
class Observing:
    """What is observed of units; it stands where other metrics count statistics."""

    observed: Observed

    def __call__(self, table: OutcomeTable, samples: Samples) -> Any:
        """All samples of all systems: their rows have weight 1, others none."""
        sides = [Rows(own.values, samples.codes[own.sample]) for own in self.rows(table)]
        return apart(sides, samples.size, (samples.size, len(sides)))

    def rows(self, table: OutcomeTable) -> list[Rows]:
        """``[system]`` the rows that are defined; their samples are units of the table."""
        values = np.asarray(self.observed(table), np.float64)
        units = (np.flatnonzero(~np.isnan(own).any(axis=1)) for own in np.swapaxes(values, 0, 1))
        return [Rows(values[rows, system], rows) for system, rows in enumerate(units)]

    def defined(self, table: OutcomeTable) -> NDArray[np.bool_]:
        """``[unit, system]`` whether all is known that is observed."""
        known: NDArray[np.bool_]
        known = np.logical_and.reduce(~np.isnan(self.observed(table)), axis=-1)
        return known


def apart(sides: Sequence[Rows], size: int, shape: tuple[int, ...]) -> Weighed:
    """Samples by themselves, some at a time with their rows alone: the others weigh nothing."""
    orders = [np.argsort(side.sample, kind="stable") for side in sides]
    ordered = [
        Rows(side.values[order], side.sample[order])
        for side, order in zip(sides, orders, strict=True)
    ]
    bounds = np.empty((len(ordered), size + 1), np.int64)
    for place, side in enumerate(ordered):
        bounds[place] = np.searchsorted(side.sample, np.arange(size + 1))

    def blocks() -> Iterator[Sequence[Part]]:
        begin = 0
        while begin < size:
            end = _end(bounds, begin, size)
            draws = np.arange(begin, end)[:, None]
            yield [
                Part(side.values[first:last], (side.sample[first:last] == draws).astype(float))
                for side, first, last in zip(
                    ordered, bounds[:, begin].tolist(), bounds[:, end].tolist(), strict=True
                )
            ]
            begin = end

    return Weighed(blocks, shape)


def _end(bounds: NDArray[np.int64], begin: int, size: int) -> int:
    """Up to which sample weights fit into memory."""
    step = min(_SAMPLES, size - begin)
    while step > 1 and step * int((bounds[:, begin + step] - bounds[:, begin]).max()) > CELLS:
        step //= 2
    return begin + step
