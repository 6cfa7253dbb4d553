"""Random numbers with given chances, from 16 random bits each.

Of the 65,536 values of the bits each number gets as many as its chance has whole ones; the few
values that are left stand for what is left of the chances. So the distribution is exact, and most
numbers are looked up.

>>> found = draw(np.random.default_rng(1), halves(100), (1000, 1))
>>> found.mean().round(1), found.std().round(1)
(np.float64(49.8), np.float64(5.0))
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_BITS = np.dtype("<u2")
_VALUES = 1 << 16  # of 16 random bits
_NUMBERS = 64  # of a Poisson distribution with a mean of 10: larger ones come once in 10^29 draws
_DEVIATIONS = 12  # from the mean; numbers beyond come even less often


class Chances(NamedTuple):
    """Numbers from ``least`` on.

    ``number`` ``[bits]`` is how far above it the number of some bits is, which is certain for bits
    below ``certain``; ``rest`` are running sums of what is left of the chances, number by number.
    """

    least: int
    number: NDArray[np.unsignedinteger]
    certain: int
    rest: NDArray[np.float64]

    @classmethod
    def of(cls, chances: NDArray[np.float64], *, least: int = 0) -> Chances:
        whole = np.floor(chances * _VALUES)
        certain = int(whole.sum())
        narrow: type[np.unsignedinteger] = np.uint8 if len(chances) <= 1 << 8 else np.uint16
        number: NDArray[np.unsignedinteger] = np.zeros(_VALUES, narrow)
        number[:certain] = np.repeat(np.arange(len(chances)), whole.astype(np.int64))
        return cls(least, number, certain, np.cumsum(chances * _VALUES - whole))


def draw(
    generator: np.random.Generator, chances: Chances, shape: tuple[int, int]
) -> NDArray[np.integer]:
    """Independent numbers with these chances."""
    bits = random_bits(generator, shape, _BITS)
    found = np.take(chances.number, bits, mode="clip")  # there is a number for all bits
    left = bits >= chances.certain
    places = generator.random(int(np.count_nonzero(left))) * chances.rest[-1]
    found[left] = np.searchsorted(chances.rest, places, side="right")
    return found if not chances.least else found.astype(np.int64) + chances.least


@lru_cache(maxsize=64)
def poisson(mean: float) -> Chances:
    """Those of a Poisson distribution with a mean of 10 at most."""
    number = range(_NUMBERS)
    return Chances.of(
        np.array([math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in number])
    )


@lru_cache(maxsize=256)
def halves(count: int) -> Chances:
    """Of how many of ``count`` fair coins show heads."""
    spread = math.ceil(_DEVIATIONS * math.sqrt(count) / 2)
    least, most = max(0, count // 2 - spread), min(count, count // 2 + spread)
    number = np.arange(least, most, dtype=float)
    growth = np.append(0.0, np.cumsum(np.log((count - number) / (number + 1))))
    chances = np.exp(growth - growth.max())
    return Chances.of(chances / chances.sum(), least=least)


def random_bits(
    generator: np.random.Generator, shape: tuple[int, int], kind: np.dtype[Any]
) -> NDArray[Any]:
    """Random bits; the same on every machine, whatever the order of its bytes."""
    size = math.prod(shape)
    words = generator.integers(0, 2**64, -(-size * kind.itemsize // 8), np.uint64)
    return words.astype("<u8", copy=False).view(kind)[:size].reshape(shape)
