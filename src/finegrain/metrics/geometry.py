r"""How alike two geometries are, beside the correlation of distances.

Everything is a function of the matrices of distances of all stimuli, ``[stimulus, stimulus]``.
With Euclidean distances D, the inner products of vectors that are centred are

.. math:: K = -\frac12 H D^{2} H \qquad H = I - \frac1n \mathbf{1}\mathbf{1}^\top

so that centred kernel alignment needs no vectors, either. Vectors that are turned and made longer
have the same geometry:

>>> one = np.array([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
>>> round(cka(one, 7 * one), 12), neighbour_overlap(one, 7 * one, 1)
(1.0, 1.0)
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
NEIGHBOURS = 10
_NOTHING = 1e-12  # of the largest product: less is a rounding error


def gram(distances: Floats) -> Floats:
    """Inner products of centred vectors, from Euclidean distances.

    >>> gram(np.array([[0.0, 2.0], [2.0, 0.0]])).tolist()                 # vectors -1 and 1
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    squares = distances**2
    means = squares.mean(axis=0)
    found: Floats = -(squares - means - means[:, None] + means.mean()) / 2
    return found


def cka(one: Floats, other: Floats) -> float:
    r"""Linear centred kernel alignment of Euclidean distances (Kornblith et al. 2019).

    .. math:: \frac{\langle K, L \rangle}{\|K\| \|L\|}

    where K and L are the inner products of centred vectors. From 0 to 1; 1 for vectors that are the
    same up to rotation and scale. It is too high where there are few stimuli for the number of
    dimensions, which ``debiased_cka`` is not. Undefined (nan) where all vectors of one are equal.

    >>> line = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [2.0, 1.0, 0.0]])    # -1, 0, 1
    >>> apart = np.array([[0.0, 2.0, 1.0], [2.0, 0.0, 1.0], [1.0, 1.0, 0.0]])   # -1, 1, 0
    >>> round(cka(line, apart), 12)                    # products 1 x 1 of 2 x 2: (1/2) squared
    0.25
    """
    first, second = gram(one), gram(other)
    return _ratio(float((first * second).sum()), float((first**2).sum() * (second**2).sum()))


def debiased_cka(one: Floats, other: Floats) -> float:
    r"""The same from an unbiased estimate of the products (Song et al. 2012; Nguyen et al. 2021).

    .. math:: \mathrm{HSIC}_1(K, L) = \frac{1}{n(n-3)}\left[\mathrm{tr}(\tilde K \tilde L) +
       \frac{\mathbf 1^\top \tilde K \mathbf 1 \, \mathbf 1^\top \tilde L \mathbf 1}{(n-1)(n-2)}
       - \frac{2}{n-2} \mathbf 1^\top \tilde K \tilde L \mathbf 1 \right]

    where K and L without their diagonals are :math:`\tilde K` and :math:`\tilde L`, and the score
    is HSIC(K, L) / sqrt(HSIC(K, K) HSIC(L, L)). About 0 for vectors that have nothing to do with
    each other, so that it can be negative. Needs 4 stimuli.

    >>> points = np.array([0.0, 1.0, 3.0, 7.0, 8.0])
    >>> apart = np.abs(points[:, None] - points)
    >>> round(debiased_cka(apart, 2 * apart), 12)
    1.0
    """
    if len(one) < 4:
        return math.nan
    first, second = _off_diagonal(one), _off_diagonal(other)
    products = _hsic(first, first) * _hsic(second, second)
    return _ratio(_hsic(first, second), products)


def _off_diagonal(distances: Floats) -> Floats:
    found: Floats = gram(distances)
    np.fill_diagonal(found, 0)
    return found


def _hsic(first: Floats, second: Floats) -> float:
    """n (n - 3) times the estimate."""
    size = len(first)
    sums = first.sum(axis=0), second.sum(axis=0)
    traces = float((first * second).sum())
    totals = float(sums[0].sum() * sums[1].sum()) / ((size - 1) * (size - 2))
    return traces + totals - 2 / (size - 2) * float(sums[0] @ sums[1])


def _ratio(shared: float, squares: float) -> float:
    if not squares > 0:
        return math.nan
    return shared / math.sqrt(squares)


def neighbour_overlap(one: Floats, other: Floats, neighbours: int) -> float:
    r"""The mean share of the nearest neighbours of a stimulus that both geometries have.

    .. math:: \frac{1}{n} \sum_i \frac{|N_i \cap M_i|}{k}

    where N and M are the k nearest stimuli of i; of equally near ones the first. From 0 to 1;
    k / (n - 1) by chance.

    >>> one = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.5], [2.0, 1.5, 0.0]])
    >>> other = np.array([[0.0, 3.0, 2.0], [3.0, 0.0, 2.5], [2.0, 2.5, 0.0]])
    >>> round(neighbour_overlap(one, other, 1), 3)            # 2, 1, 2 against 3, 3, 1
    0.0
    """
    shared = near(one, neighbours) & near(other, neighbours)
    return float(shared.sum(axis=1).mean() / neighbours)


def near(distances: Floats, neighbours: int) -> NDArray[np.bool_]:
    """``[stimulus, stimulus]`` whether the second is among the nearest of the first."""
    others = distances + np.diag(np.full(len(distances), np.inf))
    nearest = np.argsort(others, axis=1, kind="stable")[:, :neighbours]
    found = np.zeros(distances.shape, bool)
    np.put_along_axis(found, nearest, values=True, axis=1)
    return found


def neighbours_of(size: int) -> int:
    """How many neighbours are looked at: ten, or half of the others where there are few.

    >>> neighbours_of(200), neighbours_of(7)
    (10, 3)
    """
    return max(1, min(NEIGHBOURS, (size - 1) // 2))
