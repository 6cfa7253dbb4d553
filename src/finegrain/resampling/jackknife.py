r"""Intervals of scores of one system, by leaving out one sample at a time.

The standard error comes from the scores without one sample each (Miller 1974), n being the samples:

.. math:: SE^2 = \frac{n - 1}{n} \sum_i \left(s_{(i)} - \bar s_{(\cdot)}\right)^2

and the interval is Student's t on a scale :math:`g` without ends, for which the standard error is
:math:`g'(s) \cdot SE`:

.. math:: g^{-1}\left(g(s) \pm t_{\alpha/2,\,n_\text{eff} - 1} \; g'(s) \; SE\right)

where g is the logit between the two ends of a score (of a correlation, twice Fisher's z), the
logarithm of the distance to its end where there is one, and the score itself where there is none.
So an interval never leaves the range of the score, and near an end it is as skewed as the score is:
percentiles of resamples are not, as resamples miss the rare documents in which errors pile up.

Samples of unequal size count as fewer (Kish 1965):

.. math:: n_\text{eff} = \frac{\left(\sum_i n_i\right)^2}{\sum_i n_i^2}

with :math:`n_i` the size of a sample, the last of its counts (what was predicted, or all that was
counted) or the last but one (gold units) if that is larger.

>>> hits = np.array([[4.0, 5], [5, 5], [3, 5], [5, 5], [4, 5], [2, 5], [5, 5], [4, 5]])
>>> given = Repeated(hits, np.ones(8, np.int64))
>>> found = left_out(given, lambda sums: sums[..., 0] / sums[..., 1])             # 32 / 40 = 0.8
>>> round(float(found.error), 4), float(found.effective)
(0.0756, 8.0)
>>> low, high = found.interval(PROPORTION)           # logit 1.386 ± 2.365 x 0.0756 / (0.8 x 0.2)
>>> low.round(2), high.round(2)
(np.float64(0.57), np.float64(0.92))
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.metric import Score
from finegrain.resampling.distinct import Repeated, Vectors
from finegrain.resampling.quantiles import student_quantile
from finegrain.table.scale import PROPORTION, Scale

Floats = NDArray[np.float64]
LEVEL = 0.95
FEW = 15  # effective samples: with fewer, an interval is a rough guide
_CELLS = 1 << 20  # of sums in memory at once
_GOLD_AND_PREDICTED = 5  # numbers of counts by label, of which the last two are these


class Interval(NamedTuple):
    """Lower and upper end, each of the shape that the score has; nan where there is none."""

    low: Floats
    high: Floats


class LeftOut(NamedTuple):
    """A score, its standard error, and what it was measured on, all of its shape.

    ``samples``: those in which the score itself is defined; ``effective``: as many of equal size.
    """

    value: Floats
    error: Floats
    samples: Floats
    effective: Floats

    def interval(self, scale: Scale, level: float = LEVEL) -> Interval:
        """The interval between the ends of a scale; nan for too few samples or without spread."""
        known = ~np.isnan(self.effective) & (self.effective > 1) & (self.samples > 1)
        enough = known & (2.0 ** (1 - np.minimum(self.samples, 1000)) <= 1 - level)
        return spread_out(self, scale, np.where(enough, _quantiles(self.effective, level), np.nan))


def _quantiles(effective: Floats, level: float) -> Floats:
    """t for so many effective samples, rounded to three digits, as they repeat in large tables."""
    rounded = np.round(np.nan_to_num(effective), 2)
    kinds, place = np.unique(rounded, return_inverse=True)
    values = [student_quantile((1 + level) / 2, max(1.0, one - 1)) for one in kinds.tolist()]
    return np.array(values)[place].reshape(np.shape(effective))


def spread_out(found: LeftOut, scale: Scale, quantile: Floats) -> Interval:
    """So many standard errors below and above, on the scale that has no ends."""
    smallest, largest = scale.range
    value, error = found.value, found.error
    below, above = value - smallest, largest - value
    usable = (error > 0) & (below > 0) & (above > 0) & ~np.isnan(quantile)
    with np.errstate(all="ignore"):
        if math.isinf(smallest) and math.isinf(largest):
            half = quantile * error
            ends = value - half, value + half
        elif math.isinf(largest):
            times = np.exp(quantile * error / below)
            ends = smallest + below / times, smallest + below * times
        elif math.isinf(smallest):
            times = np.exp(quantile * error / above)
            ends = largest - above * times, largest - above / times
        else:
            odds = below / above
            times = np.exp(quantile * error * (1 / below + 1 / above))
            ends = (
                smallest + (largest - smallest) * (1 - 1 / (1 + odds / times)),
                smallest + (largest - smallest) * (1 - 1 / (1 + odds * times)),
            )
    low, high = (np.where(usable, end, np.nan) for end in ends)
    return Interval(low, high)


def left_out(given: Repeated, score: Score) -> LeftOut:
    """From the sums of all samples but one, a part of the distinct vectors at a time."""
    total = given.total()
    value = np.asarray(score(total), float)
    sizes = sizes_of(given.vectors, value.shape)
    step = max(1, _CELLS // max(1, given.vectors[:1].size))
    sums = np.zeros((3, *value.shape))  # of samples, of influences, of their squares
    for begin in range(0, len(given.counts), step):
        some = slice(begin, begin + step)
        vectors, counts = given.vectors[some], given.counts[some]
        counts = counts.reshape(-1, *(1 for _ in value.shape)).astype(float)
        known = ~np.isnan(score(vectors))
        change = np.where(known, score(total - vectors) - value, 0.0)
        sums += np.stack([(counts * one).sum(axis=0) for one in (known, change, change**2)])
    return LeftOut(value, error_of(*sums), sums[0], kish(sizes, given.counts, sums[0]))


def without_each(given: Repeated, score: Score) -> Floats:
    """``[vector, ...]`` the score of all samples but one that has it."""
    total = given.total()
    step = max(1, _CELLS // max(1, given.vectors[:1].size))
    begins = range(0, max(1, len(given.counts)), step)
    return np.concatenate([score(total - given.vectors[at : at + step]) for at in begins])


def error_of(samples: Floats, change: Floats, squared: Floats) -> Floats:
    """The standard error from sums of what leaving out changes, and of its squares."""
    number = np.maximum(samples, 1)
    error: Floats = np.sqrt(np.maximum(0.0, (number - 1) / number * (squared - change**2 / number)))
    return error


def sizes_of(vectors: Vectors, shape: tuple[int, ...] = ()) -> Floats:
    """``[vector, *shape]`` the size of samples: of each label where there is a score of each.

    >>> sizes_of(np.array([[[3.0, 0, 1, 4, 3], [1, 2, 0, 1, 3]]])).tolist()          # 4 + 3
    [7.0]
    >>> sizes_of(np.array([[[3.0, 0, 1, 4, 3], [1, 2, 0, 1, 3]]]), (2,)).tolist()
    [[4.0, 3.0]]
    """
    if vectors.ndim == 1:
        return np.abs(vectors)
    last = 2 if vectors.shape[-1] >= _GOLD_AND_PREDICTED else 1
    own: Floats = np.abs(vectors[..., -last:]).max(axis=-1, initial=0)
    apart = len(shape) if shape and own.shape[1 : 1 + len(shape)] == shape else 0
    summed: Floats = own.sum(axis=tuple(range(1 + apart, own.ndim)))
    wide = summed.reshape(*summed.shape, *(1 for _ in shape[apart:]))
    return np.broadcast_to(wide, (len(vectors), *shape))


def kish(sizes: Floats, counts: NDArray[np.int64], samples: Floats) -> Floats:
    """Effective samples: so many of equal size say as much; never more than there are.

    >>> float(kish(np.array([3.0, 1.0]), np.array([1, 3]), np.array(4.0)))          # 6^2 / 12
    3.0
    """
    weights = counts.reshape(-1, *(1 for _ in sizes.shape[1:])).astype(float)
    first, second = (weights * sizes).sum(axis=0), (weights * sizes**2).sum(axis=0)
    with np.errstate(all="ignore"):
        found: Floats = np.where(second > 0, first**2 / second, samples)
    return np.minimum(found, samples)


__all__ = [
    "FEW",
    "PROPORTION",
    "Interval",
    "LeftOut",
    "error_of",
    "kish",
    "left_out",
    "sizes_of",
    "without_each",
]
