r"""Chance and intervals of correlations of distances: stimuli are exchanged and drawn, not pairs.

A pair of distances depends on every other one with the same stimulus, so pairs are no samples.
*Permutations* (Mantel 1967) give the stimuli of gold other names: rows and columns of its matrix in
another order. Ranks do not change by that, so pairs are ranked once and only products remain.

>>> one = np.array([[0.0, 1.0, 2.0, 4.0], [1.0, 0.0, 3.0, 5.0], [2.0, 3.0, 0.0, 6.0],
...                 [4.0, 5.0, 6.0, 0.0]])
>>> null = permuted(standardised(one), [standardised(one)], permutations=100, seed=1)
>>> null.values.shape, round(null.p([1.0])[0], 4)                 # all 24 orders, 1 as they are
((1, 24), 0.0417)

*Resamples* draw stimuli: the pair of i and j weighs :math:`w_i w_j`, where w says how often each
was drawn; a stimulus makes no pair with its own copy (Nili et al. 2014). Ranks change with the
weights: they are made anew, or, where that would take minutes, what each pair changes in the
correlation is added up (``pair_weights``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import permutations as orders
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.rsa import LINEAR, RANKED
from finegrain.resampling.intervals import Drawing, drawn
from finegrain.resampling.weighted import Observed

Floats = NDArray[np.float64]
_ORDERS = 10  # stimuli up to which all their orders may be looked at
_TILE = 64  # rows that are put in another order at once, so that they stay in the cache
_TIE = 1e-9
_DIGITS = 14


def standardised(matrix: Floats, *, ranked: bool = True) -> Floats:
    """Distances, or their ranks, with mean 0 and length 1 over all pairs; the diagonal is 0.

    The sum of products of two such matrices over all pairs is their correlation.
    """
    size = len(matrix)
    upper = np.triu_indices(size, 1)
    values = matrix[upper]
    if ranked:
        _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
        values = (np.cumsum(counts) - (counts - 1) / 2)[codes.ravel()]
    values = values - values.mean()
    length = float(np.sqrt(values @ values))
    found = np.zeros((size, size))
    found[upper] = values / length if length > _TIE else np.nan
    return np.asarray(found + found.T)


def correlated(one: Floats, other: Floats) -> float:
    """The correlation of two standardised matrices."""
    return float(np.clip(round(float((one * other).sum()) / 2, _DIGITS), -1, 1))


class Null(NamedTuple):
    """``values`` ``[system, order]``; ``every``: whether these are all orders that there are."""

    values: Floats
    every: bool

    def p(self, observed: Sequence[float]) -> list[float]:
        """How often stimuli in another order agree as well or better; one-sided.

        The data themselves count as one of random orders (Phipson and Smyth 2010).
        """
        more = 0 if self.every else 1
        return [
            math.nan if math.isnan(value)
            else (more + int(np.count_nonzero(row >= value - _TIE))) / (more + len(row))
            for value, row in zip(observed, self.values, strict=True)
        ]  # fmt: skip


def permuted(gold: Floats, systems: Sequence[Floats], *, permutations: int, seed: int) -> Null:
    """Correlations after the stimuli of gold change places; all matrices are standardised.

    Where there are no more orders than permutations, all of them are looked at.
    """
    size = len(gold)
    every = size <= _ORDERS and math.factorial(size) <= permutations
    generator = np.random.default_rng(seed)
    chosen: Iterable[NDArray[np.int64]] = (
        (np.array(order) for order in orders(range(size)))
        if every
        else (generator.permutation(size) for _ in range(permutations))
    )
    number = math.factorial(size) if every else permutations
    found = np.zeros((len(systems), number))
    begins = range(0, size, _TILE)
    tiles = [[_upper(one, begin) for begin in begins] for one in systems]
    for place, order in enumerate(chosen):
        for tile, begin in enumerate(begins):
            moved = np.take(gold[order[begin : begin + _TILE]], order[begin:], axis=1)
            for system, own in enumerate(tiles):
                found[system, place] += np.einsum("ij,ij->", moved, own[tile])
    return Null(found, every)


def _upper(matrix: Floats, begin: int) -> Floats:
    """Of a tile of rows, the pairs to the right of the diagonal: each stands in one tile."""
    return np.ascontiguousarray(np.triu(matrix[begin : begin + _TILE, begin:], 1))


def drawn_interval(
    gold: Floats, system: Floats, drawing: Drawing, *, ranked: bool = True
) -> tuple[float, float]:
    """The ends of the interval of the correlation of two matrices of distances."""
    size = len(gold)
    upper = np.triu_indices(size, 1)
    rows = np.stack([system[upper], gold[upper]], axis=1)
    given = Observed.of_rows(rows, [np.stack(upper, axis=1)], [size])
    found = drawn(given, drawing).interval(RANKED if ranked else LINEAR)
    return float(found.low), float(found.high)
