r"""Many one-sided tests at once, by turning the signs of whole samples.

Sample d (a document, else a sentence) contributes :math:`x_{dk}` to test k: how much more there is
than expected, such as errors in a bucket beyond those that the rest of the document lets expect.
Where the null hypothesis holds, a contribution may as well have the other sign, and all those of
one sample turn together. So nothing has to be known of how units of a sample depend on each other.
With :math:`w_{dk}`, what an effect of 1 would contribute,

.. math:: T_k = \sum_d x_{dk} \qquad \hat\delta_k = T_k / \sum_d w_{dk} \qquad
          V_k = T_k / \sqrt{\max(u_k, \; \tfrac{n_k}{n_k - 1}
                \textstyle\sum_d (x_{dk} - \hat\delta_k w_{dk})^2)}

where :math:`n_k` samples take part and :math:`u_k` is the variance that T would have if units were
independent of each other: with few samples the other one may be small by chance. p is the share of
sign changes whose largest V reaches :math:`V_k`: the chance that anything at all looks so large
(max-T; Westfall and Young 1993), whatever the tests have to do with each other. The interval of an
effect has the same threshold, so every end holds for all tests at once, and the lower one is above
0 exactly where p is below the level.

>>> generator = np.random.default_rng(1)
>>> noise = generator.normal(0, 1, (40, 3))
>>> given = Contributions(noise + [0, 0, 1], np.ones((40, 3)), np.zeros(3))
>>> found = flipped(given)
>>> found.effect.round(1).tolist(), found.p.round(3).tolist()
([0.1, -0.1, 0.8], [0.661, 0.958, 0.0])

What is told because it is large was large by luck, too. ``corrected_effects`` takes that away.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.resampling.chances import random_bits
from finegrain.resampling.drawing import blocks_of
from finegrain.resampling.intervals import LEVEL, SEED
from finegrain.resampling.max_t import exceeded
from finegrain.resampling.quantiles import normal_tail

Floats = NDArray[np.float64]
Numbers = NDArray[np.floating]  # in single precision where they are drawn
RESAMPLES = 2000
MOST = 1024  # samples whose signs are drawn; more of them are put together
_TIE = 1e-5  # values that should be equal; they are drawn in single precision
_NOISE = 1e-18  # of squares: contributions that are smaller come from rounding
_STEPS = 60  # that halve the range of a root


class Contributions(NamedTuple):
    """``[sample, test]`` what samples contribute, and what they would for an effect of 1.

    ``least`` ``[test]`` is the variance of sums of contributions if units were independent.
    """

    moved: Floats
    weight: Floats
    least: Floats

    def beside(self, other: Contributions) -> Contributions:
        """These tests, and further ones of the same samples."""
        return Contributions(*(np.concatenate(parts, axis=-1)
                               for parts in zip(self, other, strict=True)))  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """Tests ``[test]``: effects, ends that hold for all at once, and p adjusted for all.

    ``value`` is the effect in standard errors, and ``threshold`` what it must exceed.
    """

    effect: Floats
    low: Floats
    high: Floats
    p: Floats
    value: Floats
    threshold: float
    error: Floats

    def times(self, unit: float) -> Family:
        """The same where the effect is told in other units; a negative one turns its sign."""
        ends = self.low * unit, self.high * unit
        low, high = ends if unit > 0 else ends[::-1]
        error = self.error * abs(unit)
        return replace(self, effect=self.effect * unit, low=low, high=high, error=error)


def flipped(
    given: Contributions, *, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = SEED
) -> Family:
    """Test whether contributions are above 0, all tests together."""
    seen = _Sums.of(given)
    value, spread = seen.studentised(given.moved.sum(axis=0), seen.crossed)
    largest = np.sort(_largest(given, seen, resamples=resamples, seed=seed))
    reached = resamples - np.searchsorted(largest, value - _TIE)
    threshold = exceeded(largest, level=level)
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = given.moved.sum(axis=0) / given.weight.sum(axis=0)
        error = np.asarray(spread / seen.size, np.float64)
        ends = effect - threshold * error, effect + threshold * error  # both may be infinite
    p = (1 + reached) / (1 + resamples)
    return Family(effect, *ends, p, np.asarray(value, np.float64), threshold, error)


class _Sums(NamedTuple):
    """``[test]`` sums over samples: of weights, and of what squares of residuals are made of."""

    size: Numbers
    squares: Numbers
    crossed: Numbers
    weights: Numbers
    least: Numbers
    correction: Numbers

    @classmethod
    def of(cls, given: Contributions) -> _Sums:
        moved, weight, least = given
        squares, crossed, weights = (
            np.einsum("dk,dk->k", one, other)
            for one, other in ((moved, moved), (moved, weight), (weight, weight))
        )
        telling = np.maximum(np.count_nonzero(weight, axis=0), 2)
        return cls(weight.sum(axis=0), squares, crossed, weights, least, telling / (telling - 1))

    def studentised(self, total: Numbers, crossed: Numbers) -> tuple[Numbers, Numbers]:
        """Values and standard errors of sums ``[..., test]`` of contributions."""
        effect = total / np.maximum(self.size, _NOISE)
        left = self.squares - 2 * effect * crossed + effect * effect * self.weights
        error = np.sqrt(np.maximum(self.least, self.correction * left))
        known = self.squares > _NOISE * np.maximum(1.0, self.size)
        return np.where(known, total / np.where(known & (error > 0), error, np.inf), 0.0), error


def _largest(
    given: Contributions, seen: _Sums, *, resamples: int, seed: int
) -> NDArray[np.float32]:
    """``[resample]`` the largest of all values after random changes of signs."""
    if not given.moved.shape[1]:
        return np.zeros(resamples, np.float32)
    generator = np.random.default_rng(seed)
    moved = given.moved.astype(np.float32)
    crossed = (given.moved * given.weight).astype(np.float32)
    narrow = _Sums(*(part.astype(np.float32) for part in seen))
    found = [
        narrow.studentised(signs @ moved, signs @ crossed)[0].max(axis=1)
        for signs in _signs(generator, resamples, moved.shape)
    ]
    return np.concatenate(found)


def _signs(
    generator: np.random.Generator, resamples: int, shape: tuple[int, ...]
) -> Iterator[NDArray[np.float32]]:
    """``[resample, sample]`` 1 or -1, block by block."""
    samples, tests = shape
    for size in blocks_of(resamples, max(samples, tests)):
        bits = np.unpackbits(random_bits(generator, (size, -(-samples // 8)), np.dtype(np.uint8)))
        plus = bits.reshape(size, -1)[:, :samples]
        yield 1 - 2 * plus.astype(np.float32)


def corrected_effects(family: Family) -> Floats:
    """Effects of what was found, without the luck that helped to find it.

    The mean of the effect as it is and of the maximum-likelihood estimate given that it passed the
    test: of a normal distribution that is cut off at the smallest effect that passes. The estimate
    is at least 0; an effect that did not pass stays as it is.

    >>> found = Family(*np.array([[5.0], [2.0], [8.0], [0.01], [5.0]]), 3.0, np.ones(1))
    >>> far = corrected_effects(found).round(2).tolist()           # 2 standard errors beyond 3
    >>> near = corrected_effects(replace(found, effect=np.array([3.2]))).round(2).tolist()
    >>> far, near                                                  # half of it may be luck
    ([4.97], [1.6])
    """
    limit = max(0.0, family.threshold)
    told = [
        (own + _given_found(own, error, family.threshold * error)) / 2 if value > limit else own
        for own, error, value in zip(
            family.effect.tolist(), family.error.tolist(), family.value.tolist(), strict=True
        )
    ]
    return np.array(told)


def _given_found(effect: float, error: float, least: float) -> float:
    """The mean, at least 0, of the cut-off normal distribution under which an effect is likeliest.

    Its expectation rises with its mean, so halving the range finds where it is the effect.
    """

    def expected(mean: float) -> float:
        away = (least - mean) / error
        density = math.exp(-away * away / 2) / math.sqrt(2 * math.pi)
        beyond = normal_tail(away)
        return mean + error * density / beyond if beyond > 0 else least

    low, high = 0.0, effect
    if expected(low) >= effect:
        return low
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if expected(middle) > effect else (middle, high)
    return (low + high) / 2
