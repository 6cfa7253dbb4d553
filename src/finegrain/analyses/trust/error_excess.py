"""Which kinds of errors a system makes more often than the others: what is tested, and found.

>>> codes = np.array([[0, -1]] * 40 + [[-1, 1]] * 3)       # the first system errs, of kind 0
>>> found = of_kinds(Kinds(codes, 2), Samples(np.arange(43) % 10, 10))
>>> found.kinds.tolist(), found.given.moved.sum(axis=0).tolist()
([0], [40.0, -40.0])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.resampling.sign_flips import Contributions, Family, corrected_effects
from finegrain.table.samples import Samples

FEWEST_ERRORS = 30  # of a kind, of all systems together


class Excess(NamedTuple):
    """A kind of error that a system makes more often: ``effect`` counts errors."""

    system: str
    kind: int
    effect: float
    low: float
    high: float
    p: float


class Kinds(NamedTuple):
    """``[unit, system]`` the kind of the error that a system makes there, -1 for none."""

    codes: NDArray[np.int64]
    size: int


class Counted(NamedTuple):
    """Tests ``[system x kind]`` of kinds of errors, and the kinds that are frequent enough."""

    given: Contributions
    kinds: NDArray[np.int64]


def of_kinds(kinds: Kinds, together: Samples) -> Counted:
    """What samples contribute to: errors of a system less the mean of the others.

    The kinds are chosen by all systems together, so that the choice does not depend on who makes
    more of them.
    """
    systems, others = kinds.codes.shape[1], kinds.codes.shape[1] - 1
    rows, column = np.nonzero(kinds.codes >= 0)
    kind = kinds.codes[rows, column]
    chosen = np.flatnonzero(np.bincount(kind, minlength=kinds.size) >= FEWEST_ERRORS)
    place = np.full(kinds.size, -1)
    place[chosen] = np.arange(len(chosen))
    kept = place[kind] >= 0
    rows, column, kind = rows[kept], column[kept], place[kind[kept]]
    shape = (together.size, systems, len(chosen))
    key = np.ravel_multi_index((together.codes[rows], column, kind), shape)
    counts = np.bincount(key, minlength=int(np.prod(shape))).reshape(shape).astype(float)
    moved = counts - (counts.sum(axis=1, keepdims=True) - counts) / others
    # a unit that b of all systems err about adds ((S - b) / (S - 1))^2 or (b / (S - 1))^2
    unit, inverse, times = np.unique(
        rows * np.int64(max(1, len(chosen))) + kind, return_inverse=True, return_counts=True
    )
    of_unit = unit % max(1, len(chosen))
    rest = np.bincount(of_unit, (times / others) ** 2, len(chosen))
    b = times[inverse]
    own = (((systems - b) / others) ** 2) - (b / others) ** 2
    least = np.zeros((systems, len(chosen)))
    np.add.at(least, (column, kind), own)
    least += rest
    weight = np.bincount(together.codes, minlength=together.size) / max(1, len(together.codes))
    tests = systems * len(chosen)
    return Counted(
        Contributions(
            moved.reshape(together.size, tests), np.repeat(weight[:, None], tests, axis=1),
            least.ravel(),
        ),
        chosen,
    )  # fmt: skip


def more_often(
    systems: Sequence[str], counted: Counted, family: Family, first: int
) -> tuple[Excess, ...]:
    """Kinds of errors that a system makes more often; tests of kinds begin at ``first``."""
    told = corrected_effects(family)
    found = []
    for test in np.flatnonzero(family.value[first:] > family.threshold).tolist():
        system, kind = divmod(test, len(counted.kinds))
        at = first + test
        ends = float(family.low[at]), float(family.high[at])
        found.append(
            Excess(systems[system], int(counted.kinds[kind]), float(told[at]), *ends,
                   float(family.p[at]))
        )  # fmt: skip
    return tuple(sorted(found, key=lambda one: (one.system, -one.effect)))
