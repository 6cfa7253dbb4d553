"""Graded units: what a number says of a unit, and how it is read.

A unit can have any number of named values for each system: its squared error, its BLEU, the
reciprocal rank of a query. A ``Scale`` says which end is good.

>>> error = Scale(higher=False, best=0.0, worst=None, shown="number")
>>> error.gain(np.array([4.0, 1.0]), np.array([1.0, 1.0])).tolist()    # from one to the other
[3.0, 0.0]
>>> error.top(np.array([[4.0, 1.0], [np.nan, 2.0]])).tolist()           # the best of the systems
[1.0, 2.0]

It also says how numbers are printed: proportions in percent, others as they are.

>>> PROPORTION.written(0.912), PROPORTION.written(-0.021, signed="+"), error.written(4.25)
('91.20', '-2.10', '4.250')

nan is undefined: a system's own score leaves the unit out, and a pair is compared where both are
defined.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
SCORES = "scores"
"""The setting: names of values that were given, separated by commas."""
_WIDE = 100.0  # from one end of a scale to the other: a third digit says little
_SMALL = 0.1  # below it, three digits after the point would say little


@dataclass(frozen=True, slots=True)
class Scale:
    """How a number is read.

    Parameters
    ----------
    higher: whether more is better
    best, worst: its ends; ``None`` where it is open
    solved: from where on a unit counts as solved, itself included; ``None``: nothing is
    tie: gains up to it are no change
    shown: ``percent`` prints 0.5 as 50.00, ``number`` as it is
    """

    higher: bool = True
    best: float | None = 1.0
    worst: float | None = 0.0
    solved: float | None = None
    tie: float = 0.0
    shown: Literal["percent", "number"] = "percent"

    def gain(self, one: Floats, other: Floats) -> Floats:
        """How much better the other is; nan where one of them is undefined."""
        change: Floats = other - one if self.higher else one - other
        return change

    def change(self, one: Floats, other: Floats) -> NDArray[np.int8]:
        """1 where the other is better by more than a tie, -1 where it is worse, else 0.

        >>> Scale(tie=0.1).change(np.array([0.5, 0.5, 0.5]), np.array([0.6, 0.7, 0.3])).tolist()
        [0, 1, -1]
        """
        gain = np.nan_to_num(self.gain(one, other))
        lost = gain < -self.tie
        return (gain > self.tie).astype(np.int8) - lost.astype(np.int8)

    def top(self, values: Floats) -> Floats:
        """``[...]`` the best along the last axis; nan where all are undefined."""
        worse = -np.inf if self.higher else np.inf
        filled = np.where(np.isnan(values), worse, values)
        found = filled.max(axis=-1, initial=worse) if self.higher else filled.min(-1, initial=worse)
        top: Floats = np.where(np.isinf(found) & (found == worse), np.nan, found)
        return top

    def solves(self, values: Floats) -> NDArray[np.bool_]:
        """Whether a unit counts as solved; never where it is undefined or nothing says when."""
        if self.solved is None:
            return np.zeros(values.shape, bool)
        reached: NDArray[np.bool_]
        reached = values >= self.solved if self.higher else values <= self.solved
        return reached

    def quality(self, values: Floats) -> Floats:
        """The same numbers turned so that more is better."""
        return values if self.higher else -values

    def order(self, values: Floats) -> list[int]:
        """Places of values ``[place]``, the best first, undefined ones last.

        >>> Scale(higher=False).order(np.array([3.0, np.nan, 1.0, 3.0]))
        [2, 0, 3, 1]
        """
        quality = self.quality(values)
        ascending = np.argsort(np.where(np.isnan(values), np.inf, -quality), kind="stable")
        found: list[int] = ascending.tolist()
        return found

    def written(self, value: float, *, signed: Literal["+", ""] = "") -> str:
        """A number as people read it, ``n/a`` where undefined; a difference has a sign.

        Where a scale is open, three digits of small numbers are shown; two behind the point where
        it goes to 100.

        >>> [Scale(shown="number", best=None).written(value) for value in (0.00213, -12.5, 0.0)]
        ['0.00213', '-12.500', '0.000']
        >>> Scale(best=100.0, shown="number").written(21.7106)
        '21.71'
        """
        if math.isnan(value):
            return "n/a"
        if self.shown == "percent":
            return f"{100 * value:{signed}z.2f}"
        if (
            self.best is not None
            and self.worst is not None
            and abs(self.best - self.worst) >= _WIDE
        ):
            return f"{value:{signed}z.2f}"
        small = (self.best is None or self.worst is None) and 0 < abs(value) < _SMALL
        return f"{value:{signed}z.{'3g' if small else '3f'}}"

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest number that there can be, infinite where it is open.

        >>> PROPORTION.range, Scale(higher=False, best=0.0, worst=None).range
        ((0.0, 1.0), (0.0, inf))
        """
        worse, better = (-math.inf, math.inf) if self.higher else (math.inf, -math.inf)
        worst = worse if self.worst is None else self.worst
        best = better if self.best is None else self.best
        return min(worst, best), max(worst, best)

    @property
    def points(self) -> float:
        """What a difference of 1 is in the numbers that are printed: 100 of percent."""
        return 100.0 if self.shown == "percent" else 1.0


PROPORTION = Scale()
RIGHT_OR_WRONG = Scale(solved=1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A value of every unit for every system: ``matrix`` ``[unit, system]``."""

    scale: Scale
    matrix: Floats
