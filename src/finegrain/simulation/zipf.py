"""Ranks that follow Zipf's law, without tables.

A rank r of ``size`` is drawn with probability proportional to log((r + 1 + shift) / (r + shift)),
which is close to 1 / (r + shift): Mandelbrot's form of Zipf's law with exponent 1. The larger the
shift, the flatter the head.

>>> zipf_ranks(np.array([0.0, 0.5, 0.999]), size=1000, shift=2.0).tolist()
[0, 42, 993]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray


def zipf_ranks(
    uniform: NDArray[np.float64], *, size: int | IntArray, shift: float | NDArray[np.float64]
) -> NDArray[np.int64]:
    """Ranks 0 .. size - 1 for uniform numbers in [0, 1)."""
    top = np.asarray(size)
    drawn = (shift * (((top + shift) / shift) ** uniform - 1.0)).astype(np.int64)
    within: NDArray[np.int64] = np.minimum(drawn, top - 1)
    return within


def zipf_rank(uniform: float, *, size: int, shift: float) -> int:
    """One rank, by the same rule."""
    return min(int(shift * (((size + shift) / shift) ** uniform - 1.0)), size - 1)
