r"""Weighed pairs: a row that belongs to two samples weighs the product of how often both are drawn.

Sums over pairs are quadratic forms of the weights of samples, so that no pair is weighed by itself:

.. math:: \sum_{i<j} w_i w_j v_{ij} = w^\top V w

A score that is no function of sums, such as a rank correlation, is made up of what every pair
changes in it (its *influence* :math:`\psi`), up to terms of the second order:

.. math:: s(w) \approx s + \frac{\sum_{i<j} w_i w_j \psi_{ij}}{\sum_{i<j} w_i w_j}

>>> rows = PairRows(np.array([[5.0], [7.0], [1.0]]), np.array([[0, 1], [0, 2], [1, 2]]), 3)
>>> def drawn(): return iter([np.array([[1.0, 1.0, 1.0], [2.0, 1.0, 0.0]])])
>>> sums_of_pairs([rows], drawn, (2, 1)).tolist()                        # 5 + 7 + 1; 2 x 5
[[13.0], [10.0]]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.metrics.metric import ratio
from finegrain.metrics.weighing import Floats, Influence
from finegrain.resampling.products import product

Blocks = Callable[[], Iterator[NDArray[np.floating]]]


class PairRows(NamedTuple):
    """Rows ``[row, k]``, the two samples ``[row, 2]`` of each, and how many samples there are."""

    values: Floats
    members: IntArray
    size: int

    def form(self, values: Floats) -> Floats:
        """``[sample, sample]`` the matrix of a quadratic form, from a number for each row."""
        place = self.members[:, 0].astype(np.int64) * self.size + self.members[:, 1]
        found = np.bincount(place, values, minlength=self.size**2)
        return found.reshape(self.size, self.size).astype(np.float64)


def sums_of_pairs(sides: Sequence[PairRows], blocks: Blocks, shape: tuple[int, ...]) -> Floats:
    """Weighed sums of the columns of rows, for every side; in the shape that is given."""
    forms = [[rows.form(column) for column in rows.values.T] for rows in sides]
    found = [
        np.stack([np.stack([_weighed(block, form) for form in own], axis=-1) for own in forms], 1)
        for block in blocks()
    ]
    return np.concatenate(found).reshape(shape)


def linear_scores(sides: Sequence[PairRows], blocks: Blocks, influence: Influence) -> Floats:
    """``[draw, side]`` scores by the influence of each pair."""
    known = [influence(rows.values) for rows in sides]
    forms = [
        (rows.form(changes), rows.form(np.ones(len(rows.values))))
        for rows, (_, changes) in zip(sides, known, strict=True)
    ]
    found = []
    for block in blocks():
        moved = [ratio(_weighed(block, one), _weighed(block, every)) for one, every in forms]
        found.append(np.stack(moved, axis=-1) + [value for value, _ in known])
    return np.concatenate(found)


def _weighed(block: NDArray[np.floating], form: Floats) -> Floats:
    """``[draw]`` the quadratic form of the weights of every draw."""
    weights = block.astype(np.float64)
    found: Floats = np.einsum("di,di->d", product(weights, form), weights)
    return found
