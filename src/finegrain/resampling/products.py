"""Products of matrices on the calling thread.

The linear algebra below numpy divides a product among all processors. Products of resamples are so
small that its threads mostly wait for work, and OpenBLAS waits by running: a report took twice the
processor time. It computes a small product on the thread that asks for it: one of up to 2^18
multiplications, and with a vector of up to 2^13. So products are put together from such tiles,
without changing anything for the rest of the process. Kernels may compute lanes whose result they
discard, which can raise the processor's flag for invalid numbers: it says nothing of the product.

>>> weights, vectors = np.arange(6.0).reshape(2, 3), np.ones((3, 1))
>>> product(weights, vectors).ravel().tolist()
[3.0, 12.0]
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_MATRIX, _VECTOR = 1 << 18, 1 << 13  # multiplications of a tile by a matrix, by a vector
_INNER, _COLUMNS = 128, 64  # of a tile at most, so that one row is little enough

Float = TypeVar("Float", np.float32, np.float64)
_unflagged = np.errstate(invalid="ignore", over="ignore", divide="ignore")


@_unflagged
def product(first: NDArray[Float], second: NDArray[Float]) -> NDArray[Float]:
    """``[row, column]`` of two matrices ``[row, inner]`` and ``[inner, column]``."""
    found = np.zeros((len(first), second.shape[1]), first.dtype)
    for inner in _tiles(len(second), _INNER):
        for columns in _tiles(second.shape[1], _COLUMNS):
            tile = second[inner, columns]
            most = _MATRIX if tile.shape[1] > 1 else _VECTOR
            for rows in _tiles(len(first), most // tile.size):
                found[rows, columns] += first[rows, inner] @ tile
    return found


@_unflagged
def products(first: NDArray[Float], second: NDArray[Float]) -> NDArray[Float]:
    """The same of several: ``[matrix, row, inner]`` and ``[matrix, inner, column]``."""
    size, rows, length = first.shape
    width = second.shape[2]
    found = np.zeros((size, rows, width), first.dtype)
    most = _MATRIX if min(rows, width) > 1 else _VECTOR
    depth = max(1, min(_INNER, length, most // max(1, rows)))
    for inner in _tiles(length, depth):
        for columns in _tiles(width, max(1, most // max(1, rows * depth))):
            found[..., columns] += first[..., inner] @ second[:, inner, columns]
    return found


def _tiles(size: int, step: int) -> list[slice]:
    return [slice(begin, begin + step) for begin in range(0, size, step)]
