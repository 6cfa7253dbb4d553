r"""How far apart vectors are: all pairs of rows, as a square matrix.

==============  ================================================================================
cosine          :math:`1 - \frac{x \cdot y}{\|x\| \|y\|}`: the angle; lengths do not matter
correlation     1 - Pearson's r of both rows: as cosine, of rows whose mean is taken away
euclidean       :math:`\|x - y\|`
==============  ================================================================================

>>> vectors = np.array([[3.0, 0.0], [0.0, 4.0], [6.0, 8.0]])
>>> distances(vectors, "euclidean")[0].round(3).tolist()
[0.0, 5.0, 8.544]
>>> distances(vectors, "cosine").round(3).tolist()
[[0.0, 1.0, 0.4], [1.0, 0.0, 0.2], [0.4, 0.2, 0.0]]

Distances are rounded to twelve digits, counted from the first one of the largest: what is equal by
definition stays tied, whatever the order in which a computer adds.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.vectors import Vectors
from finegrain.errors import UsageError

Distance = Literal["cosine", "correlation", "euclidean"]
DISTANCES: tuple[Distance, ...] = get_args(Distance)
Floats = NDArray[np.float64]
_DIGITS = 12
_CLOSE = 1e-6  # of the squares: nearer pairs lose digits in a difference of squares
_TILE = 256  # rows at once


def require_distance(name: str) -> None:
    """Refuse what is no distance."""
    if name not in DISTANCES:
        raise UsageError.unknown("distance", name, DISTANCES)


def undefined(vectors: Vectors, distance: str) -> NDArray[np.int64]:
    """Rows that have no distance: zero vectors have no angle, constant ones no correlation."""
    if distance == "euclidean":
        return np.zeros(0, np.int64)
    if distance == "correlation":
        return np.flatnonzero(vectors.max(axis=1) == vectors.min(axis=1))
    return np.flatnonzero(~vectors.any(axis=1))


def distances(vectors: Vectors, distance: str) -> Floats:
    """``[item, item]``: symmetric, with zeros on the diagonal."""
    require_distance(distance)
    rows = np.asarray(vectors, np.float64)
    if distance == "euclidean":
        return _rounded(_euclidean(rows))
    if distance == "correlation":
        rows = rows - rows.mean(axis=1, keepdims=True)
    rows = rows / np.abs(rows).max(axis=1, keepdims=True)  # squares of any number are finite
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return _rounded(np.clip(1 - rows @ rows.T, 0, 2))


def _euclidean(rows: Floats) -> Floats:
    scale = float(np.abs(rows).max(initial=0.0)) or 1.0
    rows = (rows - rows.mean(axis=0)) / scale
    squares = np.einsum("id,id->i", rows, rows)
    both = squares[:, None] + squares
    found = np.maximum(both - 2 * (rows @ rows.T), 0)
    near = np.argwhere(np.triu(found < _CLOSE * both, 1))
    for begin in range(0, len(near), _TILE):
        one, other = near[begin : begin + _TILE].T
        exact = ((rows[one] - rows[other]) ** 2).sum(axis=1)
        found[one, other] = found[other, one] = exact
    return np.asarray(np.sqrt(found) * scale)


def _rounded(matrix: Floats) -> Floats:
    largest = float(matrix.max(initial=0.0))
    if largest:
        matrix = np.round(matrix, _DIGITS - math.ceil(math.log10(largest)))
    matrix = (matrix + matrix.T) / 2
    np.fill_diagonal(matrix, 0)
    return matrix


def pairs(size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Both members of all pairs, in the order of the upper triangle.

    >>> [one.tolist() for one in pairs(3)]
    [[0, 0, 1], [1, 2, 2]]
    """
    first, second = np.triu_indices(size, 1)
    return first, second


def square(values: Floats, size: int) -> Floats:
    """The symmetric matrix of a value for each pair, with zeros on the diagonal.

    >>> square(np.array([1.0, 2.0, 3.0]), 3).tolist()
    [[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 0.0]]
    """
    found = np.zeros((size, size))
    found[pairs(size)] = values
    return np.asarray(found + found.T)


def ranks(values: Floats) -> Floats:
    """Ranks from 1, tied values sharing the mean of theirs.

    >>> ranks(np.array([5.0, 2.0, 5.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    found: Floats = (np.cumsum(counts) - (counts - 1) / 2)[codes.ravel()]
    return found
