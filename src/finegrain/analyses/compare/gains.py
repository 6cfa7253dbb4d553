"""What one of two systems gains on graded units: wins, losses, ties, the mean gain.

>>> import numpy as np
>>> from dataclasses import replace
>>> from finegrain.table.scale import Scale, Value
>>> from finegrain.tasks.items import from_matrix
>>> edits = np.array([[4.0, 1.0], [2.0, 2.0], [0.0, 3.0], [np.nan, 1.0], [5.0, 2.0]])
>>> table = from_matrix(np.ones_like(edits), systems=["old", "new"])
>>> task = replace(table.task, value="edits")
>>> table = replace(table, task=task, values={"edits": Value(Scale(higher=False), edits)})
>>> found = gains(table, "old", "new")
>>> found.wins, found.losses, found.ties, found.undefined
(2, 1, 1, Undefined(one=1, other=0, both=0))
>>> found.one, found.other, found.gain                      # fewer edits are better
(2.75, 2.0, 0.75)

A pair is compared on the units for which both have a value; the others are counted. A gain that is
no larger than the tie of the scale is no change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.compare.difference_parts import Moved
from finegrain.analyses.result import number
from finegrain.analyses.units.context import Places
from finegrain.corpus import IntArray
from finegrain.metrics.metric import ratio
from finegrain.resampling.distinct import Distinct
from finegrain.resampling.sampling import Sampling
from finegrain.sizes import sized
from finegrain.table import OutcomeTable
from finegrain.table.scale import Scale
from finegrain.table.verdicts import of_pair
from finegrain.table.verdicts import value as value_of

if TYPE_CHECKING:
    from finegrain.analyses.units.show import Unit  # slow to load, and not needed for counts

LARGEST = 10  # gains, and losses, that are told one by one


class Undefined(NamedTuple):
    """Units without a value of the first system only, of the second only, of both."""

    one: int
    other: int
    both: int


class UnitGain(NamedTuple):
    """A unit with the values of both systems; ``unit`` in its sentence, if it was asked for."""

    row: int
    document: str | int | None
    sentence: int
    line: int | None
    text: str
    one: float
    other: float
    gain: float
    unit: Unit | None = None

    def to_json(self) -> dict[str, Any]:
        place = {"document": self.document, "sentence": self.sentence, "line": self.line}
        values = {"text": self.text, "a": self.one, "b": self.other, "gain": self.gain}
        example = {} if self.unit is None else {"example": self.unit.to_json()}
        return {**place, **values, **example}


@dataclass(frozen=True, slots=True, eq=False)
class Gains:
    """The values of two systems on the ``units`` for which both have one.

    ``one`` and ``other`` are means; ``gain`` is positive where the second system is better,
    whichever end of the scale is good.
    """

    value: str
    scale: Scale
    systems: tuple[str, str]
    units: int
    wins: int
    losses: int
    undefined: Undefined
    one: float
    other: float
    largest_gains: tuple[UnitGain, ...]
    largest_losses: tuple[UnitGain, ...]

    @property
    def ties(self) -> int:
        return self.units - self.changed

    @property
    def changed(self) -> int:
        """Units on which one of the two is better."""
        return self.wins + self.losses

    @property
    def moved(self) -> Moved:
        """The means of both, turned so that more is better."""
        sign = 1 if self.scale.higher else -1
        name = f"gain in {self.value}"
        return Moved(name, sign * self.one, sign * self.other, replace(self.scale, higher=True))

    @property
    def gain(self) -> float:
        """The mean gain of the second system."""
        return self.moved.delta

    def notes(self) -> Iterator[str]:
        """Which units are left out."""
        whose = (*self.systems, " and ".join(self.systems))
        for who, count in zip(whose, self.undefined, strict=True):
            if count:
                yield f"no {self.value} of {who}: {sized(count, 'unit')} left out"

    def to_json(self) -> dict[str, Any]:
        one, other, both = self.undefined
        return {
            "value": self.value,
            "higher_is_better": self.scale.higher,
            "units": self.units,
            "undefined": {"a": one, "b": other, "both": both},
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
            "a": number(self.one),
            "b": number(self.other),
            "gain": number(self.gain),
            "largest_gains": [unit.to_json() for unit in self.largest_gains],
            "largest_losses": [unit.to_json() for unit in self.largest_losses],
        }


class _Compared(NamedTuple):
    """Rows on which two systems are compared, and the values of both there ``[row]``."""

    rows: IntArray
    one: NDArray[np.float64]
    other: NDArray[np.float64]


def gains(table: OutcomeTable, one: str, other: str, *, examples: int = 0) -> Gains:
    """Compare the values of two systems; ``examples``: largest gains and losses in full."""
    places = (table.system(one), table.system(other))
    scale = value_of(table).scale
    both = _compared(table, places)
    gain, change = scale.gain(both.one, both.other), scale.change(both.one, both.other)
    count = np.array(len(both.rows))
    won, lost = (
        _largest(table, (one, other), both, np.where(change == sign, sign * gain, 0.0), examples)
        for sign in (1, -1)
    )
    return Gains(
        table.task.value,
        scale,
        (one, other),
        len(both.rows),
        int(np.count_nonzero(change > 0)),
        int(np.count_nonzero(change < 0)),
        _undefined(table, places),
        float(ratio(both.one.sum(), count)),
        float(ratio(both.other.sum(), count)),
        won,
        lost,
    )


def _compared(table: OutcomeTable, places: tuple[int, int]) -> _Compared:
    one, other = (value_of(table).matrix[:, place] for place in places)
    rows = np.flatnonzero(of_pair(table, *places) & ~np.isnan(one) & ~np.isnan(other))
    return _Compared(rows, one[rows], other[rows])


def _undefined(table: OutcomeTable, places: tuple[int, int]) -> Undefined:
    lacking = np.isnan(value_of(table).matrix[of_pair(table, *places)][:, list(places)])
    one, other = np.count_nonzero(lacking, axis=0).tolist()
    both = int(np.count_nonzero(lacking.all(axis=1)))
    return Undefined(one - both, other - both, both)


def _largest(
    table: OutcomeTable,
    systems: tuple[str, str],
    both: _Compared,
    size: NDArray[np.float64],
    examples: int,
) -> tuple[UnitGain, ...]:
    """The units with the largest changes, of which ``size`` is positive."""
    most = np.argsort(-size, kind="stable")[:LARGEST]
    most = most[size[most] > 0]
    places = Places.of(table, both.rows[most])
    gain = value_of(table).scale.gain(both.one, both.other)
    units = iter(_in_full(table, both.rows[most][:examples], systems))
    return tuple(
        UnitGain(
            int(both.rows[row]),
            places.document(at),
            places.sentence(at),
            places.line(at),
            table.text(int(both.rows[row])),
            float(both.one[row]),
            float(both.other[row]),
            float(gain[row]),
            next(units, None),
        )
        for at, row in enumerate(most.tolist())
    )


def _in_full(table: OutcomeTable, rows: IntArray, systems: tuple[str, str]) -> Iterable[Unit]:
    if not len(rows):
        return ()
    from finegrain.analyses.units.show import Shown  # noqa: PLC0415 - slow

    return Shown(table, rows, len(rows), "", systems, "", ()).units()


def changed_values(table: OutcomeTable, one: int, other: int) -> tuple[IntArray, NDArray[np.int8]]:
    """Rows of the units on which one of two systems is better, and 1 where it is the second."""
    rows, change = changes_of_values(table, one, other)
    return rows[change != 0], change[change != 0]


def changes_of_values(
    table: OutcomeTable, one: int, other: int
) -> tuple[IntArray, NDArray[np.int8]]:
    """Rows on which two systems are compared, and -1, 0 or 1 as the second is worse or better."""
    rows, first, second = _compared(table, (one, other))
    return rows, value_of(table).scale.change(first, second)


def sums_of_pair(
    table: OutcomeTable, places: tuple[int, int], sampling: Sampling
) -> tuple[Distinct, Distinct]:
    """``(sum, number)`` of the values of two systems on the units that both have, by sample.

    Values are turned so that more is better.
    """
    rows, *values = _compared(table, places)
    quality, every = value_of(table).scale.quality, np.ones(len(rows))
    one, other = (sampling.summed(rows, np.stack([quality(own), every], axis=1)) for own in values)
    return one, other
