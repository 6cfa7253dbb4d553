r"""How much more weight on a row changes a correlation: its influence function.

>>> value, changes = of_ranks(np.array([[1.0, 1.0], [2.0, 3.0], [3.0, 2.0]]))
>>> round(value, 3), abs(float(changes.sum())) < 1e-12
(0.5, True)

With the weights w of n rows, a score is about its value plus the weighed mean of influences. Where
rows are as many as pairs of stimuli, that takes the place of scoring every resample.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.weighing import Floats


def of_numbers(rows: Floats) -> tuple[float, Floats]:
    r"""Pearson's r of rows ``[row, 2]``, and how much more weight on each changes it.

    .. math:: \psi = z_x z_y - \frac r2 \left(z_x^2 + z_y^2\right)

    where z are numbers with mean 0 and standard deviation 1 (Devlin, Gnanadesikan and Kettenring
    1975).

    >>> value, changes = of_numbers(np.array([[1.0, 1.0], [3.0, 2.0], [2.0, 3.0]]))
    >>> round(value, 3), changes.round(3).tolist()
    (0.5, [0.75, -0.375, -0.375])
    """
    spread = rows.std(axis=0)
    if not len(rows) or not (spread > 0).all():
        return math.nan, np.full(len(rows), np.nan)
    x, y = ((rows - rows.mean(axis=0)) / spread).T
    value = float((x * y).mean())
    return value, x * y - value / 2 * (x**2 + y**2)


def of_ranks(rows: Floats) -> tuple[float, Floats]:
    r"""Spearman's rho of rows ``[row, 2]``, and how much more weight on each row changes it.

    With :math:`a, b` the ranks of both numbers as shares less one half, and
    :math:`\rho = T_{ab} / \sqrt{T_{aa} T_{bb}}` of their mean products T, the influence on T is
    what a row has itself and what it does to the ranks of all that are larger (Croux and Dehon
    2010).

    >>> value, changes = of_ranks(np.array([[1.0, 1.0], [2.0, 3.0], [3.0, 2.0]]))
    >>> round(value, 3), abs(float(changes.sum())) < 1e-12
    (0.5, True)
    """
    first, second = (_Ranked.of(column) for column in rows.T)
    shared, own, other = (
        one.product(two) for one, two in ((first, second), (first, first), (second, second))
    )
    if not len(rows) or not (own.value > 0 and other.value > 0):
        return math.nan, np.full(len(rows), np.nan)
    length = math.sqrt(own.value * other.value)
    value = shared.value / length
    changed = own.changes / own.value + other.changes / other.value
    return value, shared.changes / length - value / 2 * changed


class _Product(NamedTuple):
    """A mean of products of ranks, and ``[row]`` how much more weight on each changes it."""

    value: float
    changes: Floats


class _Ranked(NamedTuple):
    """Ranks of rows as shares less one half, and which rows are tied."""

    shares: Floats
    codes: NDArray[np.int64]

    @classmethod
    def of(cls, values: Floats) -> _Ranked:
        _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
        middle = (np.cumsum(counts) - counts / 2) / len(values) - 0.5
        return cls(middle[codes.ravel()], codes.ravel())

    def product(self, other: _Ranked) -> _Product:
        value = float((self.shares * other.shares).mean())
        changes = self.shares * other.shares - value
        changes += self._above(other.shares) - value + other._above(self.shares) - value
        return _Product(value, changes)

    def _above(self, values: Floats) -> Floats:
        """``[row]`` the mean over all rows of values that are above it here, ties counting half.

        Weight on a row raises the ranks of those above it, and lowers none: values have mean 0.
        """
        sums = np.bincount(self.codes, values)
        after = np.cumsum(sums[::-1])[::-1] - sums / 2
        found: Floats = after[self.codes] / len(values)
        return found
