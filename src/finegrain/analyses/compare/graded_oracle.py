"""What choosing the best output for every graded unit would reach.

>>> import numpy as np
>>> from dataclasses import replace
>>> from finegrain.table.scale import Scale, Value
>>> from finegrain.tasks.items import from_matrix
>>> edits = np.array([[4.0, 1.0], [2.0, 3.0], [0.0, 3.0], [5.0, np.nan]])
>>> table = from_matrix(np.ones_like(edits), systems=["old", "new"])
>>> task = replace(table.task, value="edits")
>>> graded = Value(Scale(higher=False, worst=10.0, best=0.0, shown="number"), edits)
>>> found = graded_oracle(replace(table, task=task, values={"edits": graded}))
>>> found.means.tolist(), found.oracle, found.best_system, found.gain
([2.75, 4.25], 2.0, 'old', 0.75)
>>> [found.share(total) for total in found.shapley.tolist()]          # they add up to 10 - 2
[4.75, 3.25]

Where the scale has a worst end, a system without a value has the worst one; units for which nobody
has any are left out. Where it has none, only units for which all systems have a value count, and
there is no Shapley value: it would depend on where one begins to count.

A metric of the corpus is scored on the outputs that are chosen by the value. The choice is best by
the value, not by the metric, which may be lower than that of the best system.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.compare.chosen_outputs import ChosenScore, chosen_scores
from finegrain.analyses.compare.complementarity import (
    MAX_PAIRED,
    PairBound,
    best_pairs,
    pair_bounds,
)
from finegrain.analyses.compare.oracle_gain import oracle_gain
from finegrain.analyses.compare.oracle_intervals import BoundEnds, OracleIntervals
from finegrain.analyses.compare.value_complementarity import Reached, greedy, lost, pairs, shapley
from finegrain.analyses.result import number, pair_key
from finegrain.corpus import IntArray
from finegrain.metrics.values import mean
from finegrain.resampling.intervals import NO_INTERVALS, Drawing
from finegrain.resampling.sampling import sampling_of
from finegrain.sizes import sized
from finegrain.table import OutcomeTable
from finegrain.table.scale import Floats, Scale
from finegrain.table.verdicts import value as value_of


class Heights(NamedTuple):
    """How far systems are above the worst end, ``[unit, system]``; without one, their quality.

    ``rows`` are the gold units that count; ``floor`` is the quality of the worst end, or 0.
    """

    rows: IntArray
    matrix: Floats
    floor: float


@dataclass(frozen=True, slots=True, eq=False)
class GradedOracle:
    """Sums of heights over ``units``: of every system, of the oracle, of pairs, in greedy order.

    ``undefined`` ``[system]`` gold units without a value; ``left_out`` gold units that do not
    count. ``lost`` ``[system]`` is what the oracle would lose without it; ``shapley`` is ``None``
    without a worst end, ``pairs`` for more than ``MAX_PAIRED`` systems.
    """

    value: str
    scale: Scale
    systems: tuple[str, ...]
    units: int
    undefined: NDArray[np.int64]
    left_out: int
    floor: float
    sums: Floats
    pairs: Floats | None
    greedy: Reached
    lost: Floats
    shapley: Floats | None
    chosen: tuple[ChosenScore, ...]
    intervals: OracleIntervals | None = None

    @property
    def means(self) -> Floats:
        """``[system]`` mean values."""
        return np.array([self.level(total) for total in self.sums.tolist()])

    @property
    def oracle(self) -> float:
        """The mean of the best values."""
        return self.level(self.greedy.sums[-1])

    @property
    def best(self) -> int:
        """The system with the best mean; among equals the first in the alphabet."""
        return self.greedy.order[0]

    @property
    def best_system(self) -> str:
        return self.systems[self.best]

    @property
    def gain(self) -> float:
        """Of the oracle over the best system."""
        return self.share(self.greedy.sums[-1] - self.greedy.sums[0])

    @property
    def start(self) -> float:
        """What no system reaches; undefined without a worst end."""
        return 0.0 if self.scale.worst is not None else math.nan

    def share(self, total: float) -> float:
        """A sum of heights, or of gains, by the units; nan without any."""
        return total / self.units if self.units else math.nan

    def level(self, total: float) -> float:
        """The mean value that a sum of heights stands for."""
        quality = self.share(total) + self.floor
        return quality if self.scale.higher else -quality

    def best_pairs(self, most: int) -> list[PairBound]:
        """The pairs whose oracle is best; among equals the first names."""
        return [] if self.pairs is None else best_pairs(self.pairs, self.systems, most)

    def all_pairs(self) -> Iterator[PairBound]:
        """Every pair of systems once."""
        if self.pairs is not None:
            yield from pair_bounds(self.pairs, combinations(range(len(self.systems)), 2))

    def notes(self) -> Iterator[str]:
        """What is left out, and what counts as the worst."""
        if self.left_out:
            whom = "any system" if self.shapley is not None else "some system"
            yield f"no {self.value} of {whom}: {sized(self.left_out, 'unit')} left out"
        some = {
            name: count
            for name, count in zip(self.systems, self.undefined.tolist(), strict=True)
            if count > self.left_out
        }
        if self.shapley is not None and some:
            told = ", ".join(f"{count:,} of {name}" for name, count in some.items())
            yield f"units without {self.value} have the worst: {told}"
        if self.shapley is None:
            yield f"{self.value} has no worst end, so there are no Shapley values"
        if self.intervals is not None:
            yield from self.intervals.notes()

    def to_json(self) -> dict[str, Any]:
        ends = self.intervals
        told = {} if ends is None else ends.of(self.value).to_json()
        return {
            "value": self.value,
            "higher_is_better": self.scale.higher,
            "units": self.units,
            "left_out": self.left_out,
            "undefined": dict(zip(self.systems, self.undefined.tolist(), strict=True)),
            "systems": self._by_system(self.means.tolist()),
            "oracle": number(self.oracle),
            "best": number(self.level(self.greedy.sums[0])),
            "best_system": self.best_system if self.units else None,
            "gain": number(self.gain),
            "pairs": {
                pair_key(self.systems[pair.one], self.systems[pair.other]): {
                    "oracle": number(self.level(pair.solved)),
                    "gain": number(self.share(pair.more)),
                }
                for pair in self.all_pairs()
            },
            "greedy": [
                {"system": self.systems[system], "oracle": number(self.level(total))}
                for system, total in zip(*self.greedy, strict=True)
            ],
            "lost_without": self._by_system(map(self.share, self.lost.tolist())),
            "shapley": None
            if self.shapley is None
            else self._by_system(map(self.share, self.shapley.tolist())),
            "metrics": {
                one.metric.name: {
                    "systems": self._by_system(one.systems.tolist()),
                    "chosen": number(one.chosen),
                }
                for one in self.chosen
            },
            **({} if ends is None else {"intervals": {"confidence": ends.confidence, **told}}),
        }

    def _by_system(self, values: Iterable[float]) -> dict[str, float | None]:
        return {name: number(value) for name, value in zip(self.systems, values, strict=True)}


def graded_oracle(table: OutcomeTable, drawing: Drawing = NO_INTERVALS) -> GradedOracle:
    """The best value of every gold unit, and what each system contributes to it."""
    graded, systems = value_of(table), table.systems
    rows, matrix, floor = heights(table)
    order = greedy(matrix, systems)
    return GradedOracle(
        table.task.value,
        graded.scale,
        systems,
        len(rows),
        np.count_nonzero(np.isnan(graded.matrix[table.is_gold]), axis=0),
        table.n_gold - len(rows),
        floor,
        matrix.sum(axis=0),
        pairs(matrix) if len(systems) <= MAX_PAIRED else None,
        order,
        lost(matrix),
        None if graded.scale.worst is None else shapley(matrix),
        chosen_scores(table, table.task.default_metrics()),
        _intervals(table, drawing) if drawing.resamples else None,
    )


def heights(table: OutcomeTable) -> Heights:
    """The values of gold units as heights: undefined ones are on the ground."""
    scale, matrix = value_of(table).scale, value_of(table).matrix
    known = ~np.isnan(matrix)
    counted = known.all(axis=1) if scale.worst is None else known.any(axis=1)
    rows = np.flatnonzero(table.is_gold & counted)
    floor = 0.0
    if scale.worst is not None:
        floor = scale.worst if scale.higher else -scale.worst
    above = scale.quality(matrix[rows]) - floor
    return Heights(rows, np.where(np.isnan(above), 0.0, above), floor)


def _intervals(table: OutcomeTable, drawing: Drawing) -> OracleIntervals:
    """Of the oracle and of its gain over the best system."""
    sampling = sampling_of(table)
    rows, matrix, floor = heights(table)
    by_name = np.argsort(table.systems)  # so that their order does not matter
    everyone = np.column_stack([matrix[:, by_name], matrix.max(axis=1)]) + floor
    values = np.stack([everyone, np.ones_like(everyone)], axis=-1)
    oracle, gain, held_out = oracle_gain(sampling.sums(rows, values), mean, drawing)
    if not value_of(table).scale.higher:
        oracle = -oracle[::-1]
    ends: dict[tuple[str, str | None], BoundEnds]
    ends = {(table.task.value, None): BoundEnds(oracle, gain, held_out)}
    return OracleIntervals.of_drawn(sampling, drawing, ends)
