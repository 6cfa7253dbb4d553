r"""Percentile intervals of any score, from resampled sums; right for few samples too.

The bootstrap distribution of n samples is too narrow: its variance divides by n where n - 1 is
right, and its quantiles are those of a normal where few samples call for Student's t. So the
interval takes the percentiles :math:`\alpha'/2` and :math:`1 - \alpha'/2` with

.. math:: \Phi^{-1}(\alpha'/2) = \sqrt{n / (n - 1)} \; t_{\alpha/2,\,n-1}

which is the *expanded percentile interval* of Hesterberg (2015, section 4.5.2): the width of a t
interval, the skewness of the bootstrap distribution, and never outside the range of the score.
Clusters are drawn as wholes and n is their number (Cameron, Gelbach and Miller 2008 on few
clusters). n counts only samples in which the score itself is defined: a document without any span
says nothing about F1, and for a label n are the documents that have it.

>>> round(tail(10**6), 4), round(tail(8), 4)        # of 5 %: half for many, less for 8 documents
(0.025, 0.0057)

No interval is given (nan)
- where the score is undefined,
- for fewer than 6 samples: n signs are all alike with probability 2^-(n-1), more than 5 %,
- for so few resamples that none is expected beyond the end, as with 1,000 for 99 % of 8 samples,
- where all resamples give one value, such as 100 % right: a resample cannot show errors that no
  sample has.

>>> hits = np.array([[4.0, 5], [5, 5], [3, 5], [5, 5], [4, 5], [2, 5], [5, 5], [4, 5]])
>>> found = interval_of(hits, lambda sums: sums[..., 0] / sums[..., 1])      # 32 / 40 = 0.8
>>> found.low.round(2), found.high.round(2)
(np.float64(0.6), np.float64(0.96))
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import UsageError
from finegrain.metrics.metric import Score
from finegrain.resampling.distinct import Repeated, Vectors, distinct
from finegrain.resampling.drawing import bootstrap
from finegrain.resampling.quantiles import normal_tail, student_quantile
from finegrain.resampling.weighted import Observed

RESAMPLES = 1000
LEVEL = 0.95
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


class Interval(NamedTuple):
    """Lower and upper end, each of the shape that the score has; nan where there is none."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]


def too_few(samples: int, *, level: float = LEVEL) -> bool:
    """Whether so few samples cannot show anything at this level: 2^-(n-1) > 1 - level.

    >>> [too_few(5), too_few(6), too_few(7, level=0.99), too_few(8, level=0.99)]
    [True, False, True, False]
    """
    return samples < 2 or 2.0 ** (1 - samples) > 1 - level


@lru_cache(maxsize=4096)
def tail(samples: int, level: float = LEVEL) -> float:
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
) -> Interval:
    """The interval of a score of summed statistics ``[sample, ...]`` of one system.

    It has the shape of ``score(sums)``. For a difference let the statistics hold both systems.
    """
    return drawn(distinct(statistics), Drawing(resamples, level, seed)).interval(score)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Resampled sums ``[resample, ...]``, from which every score of them has an interval."""

    given: Repeated
    total: Vectors
    sums: Vectors
    level: float

    def interval(self, score: Score) -> Interval:
        """The interval of a score, in the shape of the score."""
        samples = defined_in(self.given, score)
        return interval(score(self.total), score(self.sums), samples, level=self.level)

    def ends(self, score: Score) -> NDArray[np.float64]:
        """``[..., (low, high)]``."""
        return np.stack(self.interval(score), axis=-1)


def drawn(given: Repeated, drawing: Drawing) -> Drawn:
    """Resample what was counted of one system, or of a pair."""
    check(drawing.resamples, drawing.level)
    sums = bootstrap(given, resamples=drawing.resamples, seed=drawing.seed)
    return Drawn(given, given.total(), sums, drawing.level)


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


def interval(
    value: NDArray[np.float64],
    resampled: NDArray[np.float64],
    samples: NDArray[np.int64],
    *,
    level: float = LEVEL,
) -> Interval:
    """From the score, its resamples ``[resample, ...]`` and the samples that it is defined in."""
    ordered = np.sort(resampled, axis=0)  # undefined resamples come last
    known = np.count_nonzero(~np.isnan(ordered), axis=0)
    tails = np.array(
        [math.nan if too_few(n, level=level) else tail(n, level) for n in samples.ravel().tolist()]
    ).reshape(samples.shape)
    low, high = (_at(ordered, known, share) for share in (tails, 1 - tails))
    bad = ~(tails * len(resampled) >= 1) | np.isnan(value) | (low == high)
    return Interval(np.where(bad, np.nan, low), np.where(bad, np.nan, high))


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
