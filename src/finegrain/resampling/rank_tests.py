r"""Rank tests over blocks: do treatments differ, whatever the level of each block?

A block is a row whose values are compared with each other only: a data set with a score of every
system, or a system with a score for every bucket. Friedman's test asks whether any treatment tends
to rank higher (Demšar 2006, section 3.2.2):

.. math:: \chi^2_F = \frac{12 n}{k (k + 1)} \left[\sum_j R_j^2 - \frac{k (k + 1)^2}{4}\right]

with n blocks, k treatments and mean ranks R_j, divided by 1 less the share of ranks lost to ties.

>>> found = friedman(np.array([[0.9, 0.8, 0.7], [0.6, 0.5, 0.4], [0.3, 0.2, 0.1]]))
>>> found.chi2, round(found.p, 4), found.blocks        # all blocks agree: n (k - 1)
(6.0, 0.0498, 3)
>>> mean_ranks(np.array([[0.9, 0.8, 0.7], [0.6, 0.6, 0.4]])).tolist()     # 1 is the largest
[1.25, 1.75, 3.0]

Two treatments whose mean ranks differ by less than the *critical difference* of Nemenyi cannot be
told apart; with n data sets it is q(k) sqrt(k (k + 1) / 6 n).

>>> round(critical_difference(treatments=4, blocks=14), 2)      # Demšar (2006), section 3.2.2
1.25
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.resampling.tests import wilcoxon

_DIGITS = 12  # rounding errors must not part ties


class Friedman(NamedTuple):
    """The statistic, its p and the number of blocks; nan where undefined."""

    chi2: float
    p: float
    blocks: int


def friedman(values: NDArray[np.float64]) -> Friedman:
    """Friedman's test on values ``[block, treatment]``; blocks that lack a value are left out.

    Undefined for fewer than two blocks or treatments, and where every block has the same value
    throughout. p is that of a chi-squared distribution with k - 1 degrees of freedom, which is an
    approximation for few blocks.
    """
    kept = values[~np.isnan(values).any(axis=1)]
    n, k = kept.shape
    if n < 2 or k < 2:
        return Friedman(math.nan, math.nan, n)
    ranks = np.array([_ranks(row) for row in kept])
    spread = float((ranks.mean(axis=0) - (k + 1) / 2) @ (ranks.mean(axis=0) - (k + 1) / 2))
    variance = float(((ranks - (k + 1) / 2) ** 2).sum()) / (n * (k - 1))  # k (k + 1) / 12 less ties
    if variance == 0:
        return Friedman(math.nan, math.nan, n)
    from scipy.special import chdtrc  # type: ignore[import-untyped]  # noqa: PLC0415 - slow to import

    chi2 = round(n * spread / variance, _DIGITS)
    return Friedman(chi2, float(chdtrc(k - 1, chi2)), n)


class SignedRanks(NamedTuple):
    """The smaller sum of signed ranks, its p and the number of pairs; nan where undefined."""

    w: float
    p: float
    pairs: int


def signed_ranks(one: NDArray[np.float64], other: NDArray[np.float64]) -> SignedRanks:
    """Wilcoxon's signed-rank test of paired values; pairs that lack a value are left out.

    Pairs without a difference count for nothing; exact for few pairs without ties.

    >>> signed_ranks(np.array([0.5, 0.6, 0.1, 0.7, 0.2]), np.array([0.7, 0.9, 0.6, 0.8, 0.6]))
    SignedRanks(w=0.0, p=0.0625, pairs=5)
    """
    change = np.round((other - one)[~(np.isnan(one) | np.isnan(other))], _DIGITS)
    ranks = _ranks(np.abs(change[change != 0]))
    up = float(ranks[change[change != 0] > 0].sum())
    w = min(up, float(ranks.sum()) - up) if len(change) else math.nan
    return SignedRanks(w, wilcoxon(one, other), len(change))


def mean_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """``[treatment]`` mean rank over blocks without gaps, 1 for the largest; ties share theirs."""
    kept = values[~np.isnan(values).any(axis=1)]
    if not len(kept):
        return np.full(values.shape[1], np.nan)
    ranks: NDArray[np.float64] = np.mean([_ranks(-row) for row in kept], axis=0)
    return ranks


def critical_difference(*, treatments: int, blocks: int, level: float = 0.05) -> float:
    """The difference of mean ranks from which two treatments differ (Nemenyi); nan without pairs.

    The quantile is that of the studentized range for infinitely many degrees of freedom, divided
    by the square root of 2.
    """
    if treatments < 2 or blocks < 1:
        return math.nan
    from scipy.stats import studentized_range  # type: ignore[import-untyped]  # noqa: PLC0415 - slow

    quantile = float(studentized_range.ppf(1 - level, treatments, np.inf)) / math.sqrt(2)
    return quantile * math.sqrt(treatments * (treatments + 1) / (6 * blocks))


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 1 for the smallest; equal values share the mean of theirs."""
    rounded = np.round(values, _DIGITS)
    _, place, counts = np.unique(rounded, return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return ranks
