"""Is the difference of two systems more than chance? Paired tests of one score.

===============  =======================================================  =======================
test             null hypothesis                                          compares
===============  =======================================================  =======================
randomisation    in every sample the two outputs could be exchanged       the score of the corpus
bootstrap        the scores of the population are equal                   the score of the corpus
mcnemar          of the units only one is right about, each has half      units, right or wrong
sign             either is better in half of the sentences that differ    sentences
wilcoxon         differences of samples are symmetric about 0             scores of samples
t                their mean is 0                                          scores of samples
===============  =======================================================  =======================

All are two-sided. ``difference`` is second minus first.

>>> from finegrain.resampling.distinct import distinct
>>> from finegrain.resampling.paired import paired
>>> one = distinct(np.array([[1.0, 2.0]] * 30 + [[2.0, 2.0]] * 30))          # right, all
>>> two = distinct(np.array([[2.0, 2.0]] * 50 + [[1.0, 2.0]] * 10))
>>> def accuracy(sums): return sums[..., 0] / sums[..., 1]
>>> found = randomisation(paired(one, two), accuracy)
>>> round(found.difference, 3), round(found.p, 4)
(0.167, 0.0024)

The 1 that is added to the counts of both resampling tests is the data themselves: no resample can
give p = 0 (Phipson and Smyth 2010).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.metric import Score
from finegrain.resampling.intervals import SEED
from finegrain.resampling.paired import Paired
from finegrain.resampling.quantiles import normal_quantile, student_tail

RESAMPLES = 10_000
_TIE = 1e-12  # differences of floats that should be equal
_DIGITS = 12


class Evidence(NamedTuple):
    """The difference of two systems, second minus first, and its p; nan where undefined.

    ``lower``, ``higher``: one-sided, that the second is not lower, and that it is not higher.
    """

    difference: float
    p: float
    lower: float = math.nan
    higher: float = math.nan


def randomisation(
    pair: Paired, score: Score, *, resamples: int = RESAMPLES, seed: int = SEED
) -> Evidence:
    """Approximate randomisation (Noreen 1989; Yeh 2000): exchange outputs sample by sample.

    p = (1 + resamples with at least this difference) / (1 + resamples). Where so few samples differ
    that there are not more exchanges than resamples, all of them are looked at and p is exact. An
    exchange whose difference is undefined counts as at least as large.
    """
    difference = pair.difference(score)
    if math.isnan(difference):
        return Evidence(difference, math.nan)
    few = 2.0 ** min(1000, pair.differing) <= resamples
    if few:
        drawn = pair.swapped_every_way(score)
    else:
        drawn = pair.swapped(score, resamples=resamples, seed=seed)
    found = (
        np.count_nonzero(~(np.abs(drawn) < abs(difference) - _TIE)),
        np.count_nonzero(~(drawn > difference + _TIE)),
        np.count_nonzero(~(drawn < difference - _TIE)),
    )
    more = 0 if few else 1
    return Evidence(difference, *((more + int(one)) / (more + len(drawn)) for one in found))


def bootstrap_test(
    pair: Paired, score: Score, *, samples: float, resamples: int = RESAMPLES, seed: int = SEED
) -> Evidence:
    """Paired bootstrap: how often a resample is as far from the difference as that is from 0.

    The bootstrap distribution lies around the observed difference, so it is shifted to the null
    hypothesis; counting resamples below 0 would test something else (Noreen 1989; Berg-Kirkpatrick
    et al. 2012). ``samples``: in how many the score is defined, see ``corrected``; where they are
    of unequal size, the effective number.
    """
    difference = pair.difference(score)
    if math.isnan(difference):
        return Evidence(difference, math.nan)
    drawn = pair.bootstrapped(score, resamples=resamples, seed=seed)
    extreme = int(np.count_nonzero(~(np.abs(drawn - difference) < abs(difference) - _TIE)))
    return Evidence(difference, corrected((1 + extreme) / (1 + resamples), samples))


def corrected(p: float, samples: float) -> float:
    """The p of a bootstrap distribution, as the intervals have it for few samples.

    The p at which the expanded percentile interval just touches 0: p as a normal deviate, times
    sqrt((n - 1) / n), read off Student's t.

    >>> round(corrected(0.05, 10**6), 4), round(corrected(0.05, 8), 4)
    (0.05, 0.1094)
    """
    if p >= 1 or samples < 2:
        return 1.0
    deviate = -normal_quantile(p / 2) * math.sqrt((samples - 1) / samples)
    return 2 * student_tail(deviate, samples - 1)


class Exact(NamedTuple):
    """The exact p of a binomial test and its mid-p variant."""

    p: float
    mid_p: float


def binomial(one: int, other: int) -> Exact:
    """Whether two counts may come from a fair coin: exact McNemar and sign test, two-sided.

    The exact p keeps its promise and is therefore too large on average; mid-p counts the outcome
    itself half (Fagerland, Lydersen and Laake 2013).

    >>> binomial(1, 6)                     # P(0 or 1 of 7) = 8 / 128, twice; P(1 of 7) = 7 / 128
    Exact(p=0.125, mid_p=0.0703125)
    >>> binomial(0, 0)
    Exact(p=1.0, mid_p=1.0)
    """
    from scipy.special import bdtr  # type: ignore[import-untyped]  # noqa: PLC0415 - slow to import

    n, least = one + other, min(one, other)
    if n == 0:
        return Exact(1.0, 1.0)
    at_most = float(bdtr(least, n, 0.5))
    here = at_most - (float(bdtr(least - 1, n, 0.5)) if least else 0.0)
    if one == other:
        return Exact(1.0, 1 - here / 2)
    return Exact(min(1.0, 2 * at_most), 2 * at_most - here)


def wilcoxon(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Wilcoxon's signed-rank test on scores of samples; samples without a difference are left out.

    >>> round(wilcoxon(np.array([0.5, 0.6, 0.1, 0.7, 0.2]), np.array([0.7, 0.9, 0.6, 0.8, 0.6])), 4)
    0.0625
    """
    change = _changes(one, other)
    if not change.any():
        return 1.0 if len(change) else math.nan
    from scipy.stats import rankdata  # type: ignore[import-untyped]  # noqa: PLC0415 - slow to import

    kept = change[change != 0]
    ranks = np.sort(np.sign(kept) * rankdata(np.abs(kept)))
    return _of_ranks(tuple(ranks.tolist()))


@lru_cache(maxsize=4096)
def _of_ranks(signed: tuple[float, ...]) -> float:
    """The p of signed ranks; with ties, those of few samples take a second to go through."""
    from scipy import stats  # type: ignore[import-untyped]  # noqa: PLC0415 - slow to import

    return float(stats.wilcoxon(np.array(signed)).pvalue)


def paired_t(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Student's paired t test on scores of samples.

    >>> round(paired_t(np.array([0.5, 0.6, 0.1]), np.array([0.7, 0.9, 0.6])), 4)
    0.0634
    """
    change = _changes(one, other)
    if len(change) < 2:
        return math.nan
    spread = float(change.std(ddof=1))
    if spread == 0:
        return 1.0 if change[0] == 0 else 0.0
    statistic = abs(float(change.mean())) / (spread / math.sqrt(len(change)))
    return 2 * student_tail(statistic, len(change) - 1)


def _changes(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Differences where both scores are defined, without rounding errors, so that ties are ties.

    In ascending order, so that no digit of a sum depends on the order of samples.
    """
    return np.sort(np.round((other - one)[~np.isnan(one) & ~np.isnan(other)], _DIGITS))
