"""Which systems solve what others do not: pairs, a greedy order, contributions.

All of it is about one matrix ``[unit, system]`` that is true where a system solves a unit.

>>> solved = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1], [1, 1, 0], [0, 0, 0]], bool)
>>> pairs(solved).tolist()                       # units that one of the two solves
[[3, 3, 4], [3, 2, 3], [4, 3, 1]]
>>> greedy(solved, ("a", "b", "c"))
Greedy(order=(0, 2, 1), solved=(3, 4, 4))
>>> contributions(solved)
Contributions(unique=array([1, 0, 1]), shapley=array([2., 1., 1.]))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.table import tally

Solved = NDArray[np.bool_]
MAX_PAIRED = 500  # systems: the pairs of more would be all that is told, and take all the time
_BLOCK = 1 << 16  # units multiplied at once: float32 counts exactly up to 2 ** 24


class Greedy(NamedTuple):
    """Systems, each time the one that adds most, and how many units they solve so far."""

    order: tuple[int, ...]
    solved: tuple[int, ...]


class Contributions(NamedTuple):
    """Per system: units that only it solves, and its share of all solved units."""

    unique: NDArray[np.int64]
    shapley: NDArray[np.float64]


class PairBound(NamedTuple):
    """Two systems by their places, units that one of them solves, and how many more that is.

    ``more``: than the better one of the two solves. Of graded units they are sums of values.
    """

    one: int
    other: int
    solved: float
    more: float


def pairs(solved: Solved) -> NDArray[np.int64]:
    """``[system, system]`` how many units at least one of two systems solves.

    The diagonal has what a system solves alone. One matrix product instead of a pass per pair.
    """
    systems = solved.shape[1]
    both = np.zeros((systems, systems), np.int64)
    for at in range(0, len(solved), _BLOCK):
        block = solved[at : at + _BLOCK].astype(np.float32)
        both += (block.T @ block).astype(np.int64)
    own = np.diagonal(both)
    return own[:, None] + own[None, :] - both


def greedy(solved: Solved, names: Sequence[str]) -> Greedy:
    """Take the best system, then the one that solves most of the rest, and so on.

    Among equals the first name in the alphabet goes first. The first two need not be the best pair.
    """
    by_name = sorted(range(solved.shape[1]), key=names.__getitem__)
    rest = solved[solved.any(axis=1)][:, by_name]
    gain = np.count_nonzero(rest, axis=0)
    order: list[int] = []
    reached: list[int] = []
    while len(rest):
        chosen = int(gain.argmax())
        new = rest[:, chosen]
        order.append(by_name[chosen])
        reached.append(int(gain[chosen]) + (reached[-1] if reached else 0))
        gain = gain - np.count_nonzero(rest[new], axis=0)  # each unit is counted off once
        rest = rest[~new]
    taken = set(order)
    left = [system for system in by_name if system not in taken]
    total = reached[-1] if reached else 0
    return Greedy((*order, *left), (*reached, *[total] * len(left)))


def contributions(solved: Solved) -> Contributions:
    r"""What each system contributes to all solved units together.

    ``unique``: units that no other system solves, which the oracle loses without the system.

    ``shapley``: what a system adds to the systems before it, on average over all orders in which
    systems can be added (Shapley 1953). A unit counts for whoever is the first to solve it, and
    each of its solvers is first equally often, so each gets an equal share of it:

    .. math:: \phi_s = \sum_{b=1}^{S} \frac{|\{u : s \text{ solves } u, b \text{ systems do}\}|}{b}

    The values add up to the number of units that some system solves.
    """
    solvers, group = np.unique(np.count_nonzero(solved, axis=1), return_inverse=True)
    cells = tally(solved.view(np.uint8), group, groups=len(solvers), outcomes=2)[..., 1]
    share = np.divide(1, solvers, out=np.zeros(len(solvers)), where=solvers > 0)
    return Contributions(cells[solvers == 1].sum(axis=0), share @ cells)


def pair_bounds(pairs: NDArray[Any], places: Iterable[tuple[int, int]]) -> Iterator[PairBound]:
    """Some pairs of systems, from what ``pairs`` gives."""
    solved = pairs.tolist()
    for one, other in places:
        together = solved[one][other]
        yield PairBound(
            one, other, together, together - max(solved[one][one], solved[other][other])
        )


def best_pairs(pairs: NDArray[Any], names: Sequence[str], most: int) -> list[PairBound]:
    """The pairs that reach most; among equals the first names."""
    one, other = np.triu_indices(len(pairs), 1)
    together = pairs[one, other]
    near = np.flatnonzero(together >= np.sort(together)[-most:][:1])
    best = pair_bounds(pairs, zip(one[near].tolist(), other[near].tolist(), strict=True))
    return sorted(
        best, key=lambda pair: (-pair.solved, sorted((names[pair.one], names[pair.other])))
    )[:most]
