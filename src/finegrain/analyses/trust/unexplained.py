"""Which of the subsets with an effect say something that others do not say already.

A subset is redundant if its effect, given that of a larger one that is kept, is no longer beyond
chance; and so is a larger one that owes its effect to a stronger one within it. So subsets are
taken from the strongest on, each given all before; then those that stay, from the largest on. Of
two that are nearly the same, the larger one is told.

>>> all_of_it, half = np.ones(40, bool), np.arange(40) < 20
>>> others = Others([half, all_of_it].__getitem__, lambda one, other: one == 1)
>>> unexplained([0, 1], others)                     # the first is explained by the second
[1]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_HARDLY = 0.05  # of a subset's units


class Others(NamedTuple):
    """``members`` ``[unit]`` of a subset; whether one has an effect given that of another."""

    members: Callable[[int], NDArray[np.bool_]]
    goes_beyond: Callable[[int, int], bool]

    def nearly(self, place: int, other: int) -> bool:
        """Whether a subset has all units of another one, hardly any more, and explains it."""
        mine, theirs = self.members(place), self.members(other)
        size = int(np.count_nonzero(mine))
        more = size - int(np.count_nonzero(theirs))
        same = more > 0 and not (theirs & ~mine).any() and more <= _HARDLY * size
        return same and not self.goes_beyond(other, place)


def unexplained(strongest: Sequence[int], others: Others) -> list[int]:
    """Subsets with an effect beyond that of every other one that is kept; large ones first."""
    kept: list[int] = []
    for place in strongest:
        by = [stronger for stronger in kept if not others.goes_beyond(place, stronger)]
        if all(others.nearly(place, one) for one in by):
            kept = [*(one for one in kept if one not in by), place]
    sizes = {place: int(np.count_nonzero(others.members(place))) for place in kept}
    last: list[int] = []
    for place in sorted(kept, key=lambda one: -sizes[one]):
        if all(others.goes_beyond(place, larger) for larger in last):
            last.append(place)
    return last
