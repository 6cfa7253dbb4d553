r"""Intervals of any score: of one system without one sample each, of differences from resamples.

The score of one system has the interval of ``jackknife``: a t interval on a scale without ends.
What has no scale of its own, such as the difference of two scores, and what does not add up has
percentiles of resamples. The bootstrap distribution of n samples is too narrow: its variance
divides by n where n - 1 is right, and its quantiles are those of a normal where few samples call
for Student's t. So the interval takes the percentiles :math:`\alpha'/2` and
:math:`1 - \alpha'/2` with

.. math:: \Phi^{-1}(\alpha'/2) = \sqrt{n / (n - 1)} \; t_{\alpha/2,\,n-1}

which is the *expanded percentile interval* of Hesterberg (2015, section 4.5.2): the width of a t
interval, the skewness of the bootstrap distribution, and never outside the range of the score. n is
the effective number of samples (Kish 1965, see ``jackknife``): documents of unequal size say as
much as fewer equal ones. Clusters are drawn as wholes and n is their number (Cameron, Gelbach and
Miller 2008 on few clusters). n counts only samples in which the score itself is defined: a document
without any span says nothing about F1, and for a label n are the documents that have it.

>>> round(tail(10**6), 4), round(tail(8), 4)        # of 5 %: half for many, less for 8 documents
(0.025, 0.0057)

No interval is given (nan)
- where the score is undefined,
- for fewer than 6 samples: n signs are all alike with probability 2^-(n-1), more than 5 %,
- for so few resamples that none is expected beyond the end, as with 1,000 for 99 % of 8 samples;
  where only the effective number is so small, the end is that of Student's t,
- where all resamples give one value, such as 100 % right: a resample cannot show errors that no
  sample has.

>>> hits = np.array([[4.0, 5], [5, 5], [3, 5], [5, 5], [4, 5], [2, 5], [5, 5], [4, 5]])
>>> share = lambda sums: sums[..., 0] / sums[..., 1]                         # 32 / 40 = 0.8
>>> found = interval_of(hits, share)
>>> found.low.round(2), found.high.round(2)
(np.float64(0.6), np.float64(0.96))
>>> from finegrain.table.scale import PROPORTION
>>> found = interval_of(hits, share, scale=PROPORTION)
>>> found.low.round(2), found.high.round(2)
(np.float64(0.57), np.float64(0.92))
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import UsageError
from finegrain.metrics.metric import Score
from finegrain.resampling.distinct import Repeated, Vectors, distinct
from finegrain.resampling.drawing import bootstrap
from finegrain.resampling.jackknife import LEVEL, Interval, kish, left_out, sizes_of
from finegrain.resampling.quantiles import normal_tail, student_quantile
from finegrain.resampling.weighted import Observed
from finegrain.table.scale import Scale

__all__ = [
    "LEVEL",
    "MANY",
    "MOST",
    "NO_INTERVALS",
    "RESAMPLES",
    "SEED",
    "Drawing",
    "Drawn",
    "Interval",
    "check",
    "defined_in",
    "drawn",
    "effective_in",
    "interval",
    "interval_of",
    "standard_error",
    "tail",
    "too_few",
]
RESAMPLES = 1000
SEED = 1
MOST = 1_000_000  # resamples: they are kept, and digits that more of them would settle are noise
MANY = 300  # samples; more of them count as so many, as the correction for few hardly shows


class Drawing(NamedTuple):
    """How intervals are drawn; no ``resamples``, no intervals."""

    resamples: int = RESAMPLES
    level: float = LEVEL
    seed: int = SEED

    def said(self) -> dict[str, str]:
        """What the signature says of it."""
        return {
            "intervals": str(self.resamples), "confidence": f"{self.level:g}",
            "seed": str(self.seed),
        }  # fmt: skip


NO_INTERVALS = Drawing(0)


def too_few(samples: int, *, level: float = LEVEL) -> bool:
    """Whether so few samples cannot show anything at this level: 2^-(n-1) > 1 - level.

    >>> [too_few(5), too_few(6), too_few(7, level=0.99), too_few(8, level=0.99)]
    [True, False, True, False]
    """
    return samples < 2 or 2.0 ** (1 - samples) > 1 - level


@lru_cache(maxsize=4096)
def tail(samples: float, level: float = LEVEL) -> float:
    """The share of resamples outside either end of the interval."""
    wide = math.sqrt(samples / (samples - 1)) * student_quantile((1 + level) / 2, samples - 1)
    return normal_tail(wide)


def standard_error(half: float, samples: int, *, level: float = LEVEL) -> float:
    """That of a score whose interval has half this width: t standard errors with n - 1.

    >>> round(standard_error(0.05, 8), 4)                  # 0.05 / 2.36, not 0.05 / 1.96
    0.0211
    """
    return half / student_quantile((1 + level) / 2, samples - 1)


def interval_of(
    statistics: Vectors,
    score: Score,
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
    scale: Scale | None = None,
) -> Interval:
    """The interval of a score of summed statistics ``[sample, ...]`` of one system.

    It has the shape of ``score(sums)``. For a difference let the statistics hold both systems, and
    give no scale.
    """
    return drawn(distinct(statistics), Drawing(resamples, level, seed)).interval(score, scale)


@dataclass(frozen=True, eq=False)
class Drawn:
    """What was counted, from which every score has an interval; resampled where that is needed."""

    given: Repeated
    drawing: Drawing

    @cached_property
    def total(self) -> Vectors:
        """The sums of all samples."""
        return self.given.total()

    @cached_property
    def sums(self) -> Vectors:
        """Resampled sums ``[resample, ...]``."""
        return bootstrap(self.given, resamples=self.drawing.resamples, seed=self.drawing.seed)

    def interval(self, score: Score, scale: Scale | None = None) -> Interval:
        """The interval of a score, in the shape of the score; ``scale``: of a score that has one.

        A score outside the ends of its scale has the percentiles of what has no scale.
        """
        level = self.drawing.level
        if scale is not None and not isinstance(self.given, Observed):
            found = left_out(self.given, score)
            smallest, largest = scale.range
            if not ((found.value < smallest) | (found.value > largest)).any():
                return found.interval(scale, level)
        samples = defined_in(self.given, score)
        effective = effective_in(self.given, samples)
        return interval(
            score(self.total), score(self.sums), samples, effective=effective, level=level
        )

    def ends(self, score: Score, scale: Scale | None = None) -> NDArray[np.float64]:
        """``[..., (low, high)]``."""
        return np.stack(self.interval(score, scale), axis=-1)


def drawn(given: Repeated, drawing: Drawing) -> Drawn:
    """What was counted of one system, or of a pair, to be resampled."""
    check(drawing.resamples, drawing.level)
    return Drawn(given, drawing)


def check(resamples: int, level: float) -> None:
    """Refuse what cannot be meant."""
    if not 1 <= resamples <= MOST:
        raise UsageError(f"resamples: from 1 to {MOST:,}, not {resamples:,}; 1,000 is usual")
    if not 0 < level < 1:
        raise UsageError(f"the level must be between 0 and 1, e.g. 0.95, not {level:g}")


def defined_in(given: Repeated, score: Score) -> NDArray[np.int64]:
    """In how many samples the score itself is defined, of its shape, counted up to ``MANY``."""
    if isinstance(given, Observed):
        return np.array(min(MANY, np.count_nonzero(given.telling())))
    counts = given.counts
    order = np.argsort(-counts, kind="stable")
    found = np.zeros((), np.int64)
    for begin in range(0, max(1, len(order)), MANY):  # once at least, for the shape
        part = order[begin : begin + MANY]
        known = ~np.isnan(score(given.vectors[part]))
        found = found + np.tensordot(counts[part], known.astype(np.int64), axes=1)
        if (found >= MANY).all():
            break
    capped: NDArray[np.int64] = np.minimum(found, MANY)
    return capped


def effective_in(given: Repeated, samples: NDArray[np.int64]) -> NDArray[np.float64]:
    """The effective number of samples, of the shape of ``samples``, which it never exceeds."""
    if isinstance(given, Observed):
        return samples.astype(float)
    found = kish(
        sizes_of(given.vectors, samples.shape), given.counts, np.full(samples.shape, np.inf)
    )
    return np.minimum(found, samples)


def interval(
    value: NDArray[np.float64],
    resampled: NDArray[np.float64],
    samples: NDArray[np.int64],
    *,
    effective: NDArray[np.float64] | None = None,
    level: float = LEVEL,
) -> Interval:
    """From the score, its resamples ``[resample, ...]`` and the samples that it is defined in.

    ``effective``: so many of equal size say as much, if they are not all of one size.
    """
    ordered = np.sort(resampled, axis=0)  # undefined resamples come last
    known = np.count_nonzero(~np.isnan(ordered), axis=0)
    wanted = _tails(samples, samples, level)
    tails = wanted if effective is None else _tails(samples, effective, level)
    low, high = (_at(ordered, known, share) for share in (tails, 1 - tails))
    reached = ~(tails * len(resampled) < 1)  # too few samples have no tails and no ends
    if effective is not None and not reached.all():
        half = _half_widths(resampled, effective, level)
        low, high = (
            np.where(reached, end, value + side * half) for side, end in ((-1, low), (1, high))
        )
    bad = ~(wanted * len(resampled) >= 1) | np.isnan(value) | ~(low < high)
    return Interval(np.where(bad, np.nan, low), np.where(bad, np.nan, high))


def _tails(
    samples: NDArray[np.int64], effective: NDArray[np.float64] | NDArray[np.int64], level: float
) -> NDArray[np.float64]:
    """The share of resamples outside either end; nan for too few samples."""
    pairs = zip(samples.ravel().tolist(), effective.ravel().tolist(), strict=True)
    found = [
        math.nan if too_few(number, level=level) else tail(max(2.0, round(size, 2)), level)
        for number, size in pairs
    ]
    return np.array(found).reshape(samples.shape)


def _half_widths(
    resampled: NDArray[np.float64], effective: NDArray[np.float64], level: float
) -> NDArray[np.float64]:
    """Those of t intervals, where resamples do not reach far enough."""
    sizes = np.maximum(2.0, effective)
    quantiles = [
        student_quantile((1 + level) / 2, round(size, 2) - 1) for size in sizes.ravel().tolist()
    ]
    known = np.maximum(1, np.count_nonzero(~np.isnan(resampled), axis=0))
    mean = np.nansum(resampled, axis=0) / known
    squares = np.nansum((resampled - mean) ** 2, axis=0) / np.maximum(1, known - 1)
    errors = np.sqrt(squares * sizes / (sizes - 1))
    found: NDArray[np.float64] = np.array(quantiles).reshape(sizes.shape) * errors
    return found


def _at(
    ordered: NDArray[np.float64], known: NDArray[np.int64], share: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The quantiles ``share`` of the first ``known`` values, interpolated linearly."""
    place = np.nan_to_num(share) * np.maximum(known - 1, 0)
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, np.maximum(known - 1, 0))
    left, right = (np.take_along_axis(ordered, at[None], axis=0)[0] for at in (below, above))
    found: NDArray[np.float64] = left + (place - below) * (right - left)
    return found
