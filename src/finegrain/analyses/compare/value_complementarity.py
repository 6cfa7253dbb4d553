"""Which systems do better where others do not: pairs, a greedy order, contributions, for values.

All of it is about one matrix ``[unit, system]`` without nan, of which more is better: its sums are
what ``complementarity`` counts where values are 1 and 0.

>>> values = np.array([[0.9, 0.8, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.25, 0.25]])
>>> pairs(values).tolist()                             # sums of the better one of the two
[[1.4, 1.65, 2.65], [1.65, 1.05, 2.05], [2.65, 2.05, 1.25]]
>>> greedy(values, ("a", "b", "c"))
Reached(order=(0, 2, 1), sums=(1.4, 2.65, 2.65))
>>> lost(values).round(2).tolist()                     # what the oracle would lose without each
[0.6, 0.0, 1.0]
>>> shapley(values).round(3).tolist()
[1.0, 0.525, 1.125]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from finegrain.analyses.compare import complementarity
from finegrain.table.scale import Floats

_BLOCK = 1 << 16  # units handled at once


def _is_binary(values: Floats) -> bool:
    """Whether units are solved or not, which is faster to count than to compare."""
    return bool(((values == 0) | (values == 1)).all())


class Reached(NamedTuple):
    """Systems, each time the one that adds most, and the sum of the best values so far."""

    order: tuple[int, ...]
    sums: tuple[float, ...]


def pairs(values: Floats) -> Floats:
    """``[system, system]`` the sum of the better value of two systems."""
    if _is_binary(values):
        return complementarity.pairs(values > 0).astype(np.float64)
    columns = np.ascontiguousarray(values.T)
    found = np.zeros((len(columns), len(columns)))
    for one, own in enumerate(columns):
        found[one, one:] = found[one:, one] = np.maximum(own, columns[one:]).sum(axis=1)
    return found


def greedy(values: Floats, names: Sequence[str]) -> Reached:
    """Take the best system, then the one that adds most to it, and so on.

    Among equals the first name in the alphabet goes first.
    """
    if _is_binary(values):
        found = complementarity.greedy(values > 0, names)
        return Reached(found.order, tuple(map(float, found.solved)))
    left = sorted(range(values.shape[1]), key=names.__getitem__)
    columns = np.ascontiguousarray(values.T)
    order: list[int] = []
    reached: list[float] = []
    best = np.full(len(values), -np.inf)
    while left:
        gains = [
            float(np.maximum(columns[one] - best, 0).sum() if order else columns[one].sum())
            for one in left
        ]
        chosen = left.pop(int(np.argmax(gains)))
        best = np.maximum(best, columns[chosen])
        order.append(chosen)
        reached.append(float(best.sum()))
    return Reached(tuple(order), tuple(reached))


def lost(values: Floats) -> Floats:
    """``[system]`` by how much the sum of best values is lower without the system.

    A single system loses all it has.
    """
    found: Floats
    if values.shape[1] < 2:
        found = values.sum(axis=0)
        return found
    first, second = np.sort(values, axis=1)[:, :-3:-1].T
    alone = values == first[:, None]
    found = np.where(alone, (first - second)[:, None], 0.0).sum(axis=0)
    return found


def shapley(values: Floats) -> Floats:
    r"""``[system]`` what each adds to those before it, on average over all orders (Shapley 1953).

    Values are heights above the worst one. What lies between a value and the next lower one of a
    unit is shared equally by all systems that reach it:

    .. math:: \phi_s = \sum_u \sum_{k:\, v_{(k)} \le v_{us}} \frac{v_{(k)} - v_{(k-1)}}{S - k + 1}

    They add up to the sum of best values.
    """
    if _is_binary(values):
        return complementarity.contributions(values > 0).shapley
    systems = values.shape[1]
    steps = np.zeros((systems, systems))  # [rank, system]: sums of what lies below the rank
    for at in range(0, len(values), _BLOCK):
        block = values[at : at + _BLOCK]
        heights = np.sort(block, axis=1)
        between = np.diff(heights, axis=1, prepend=0.0)
        for rank in range(systems):
            reaches = block >= heights[:, rank : rank + 1]
            steps[rank] += between[:, rank] @ reaches
    return (1 / np.arange(systems, 0, -1)) @ steps
