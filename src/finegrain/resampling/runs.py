r"""Several runs of one system: what seeds and what items add to the uncertainty of their mean.

Runs are tested on the same items, so both vary at once: other seeds would have given other runs,
another test set other items. The variance of the mean of R runs is

.. math:: \frac{s^2}{R} + \bar c

where s is the standard deviation of the runs' scores and :math:`\bar c` the mean covariance of two
runs' scores when items are resampled (what runs have in common because they share the items). Noise
of single answers is in s already; the plain hierarchical bootstrap, which draws runs and then
items, counts it twice, and is too narrow for few runs besides. Intervals take Student's t with the
degrees of freedom of Satterthwaite (1946).

>>> from finegrain.resampling.distinct import distinct
>>> generator = np.random.default_rng(1)
>>> right = generator.random((200, 4)) < 0.8                       # 200 items, 4 runs
>>> runs = [distinct(np.column_stack([one, np.ones(200)]).astype(float)) for one in right.T]
>>> found = mean_of_runs(runs, lambda sums: sums[..., 0] / sums[..., 1])
>>> round(found.mean, 3), round(found.deviation, 3), round(found.low, 3), round(found.high, 3)
(0.784, 0.025, 0.745, 0.823)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.metric import Score
from finegrain.resampling import labelled_together
from finegrain.resampling.distinct import Distinct
from finegrain.resampling.drawing import bootstrap
from finegrain.resampling.intervals import LEVEL, RESAMPLES, SEED, too_few
from finegrain.resampling.labelled import Labelled
from finegrain.resampling.labelled_together import LabelledTogether
from finegrain.resampling.quantiles import student_quantile, student_tail

System = Distinct | Labelled


class Variance(NamedTuple):
    """A part of the variance of an estimate, and its degrees of freedom."""

    value: float
    freedom: int


class Mean(NamedTuple):
    """The mean of runs with its interval; nan where undefined.

    ``deviation``: of single runs; ``seeds``, ``items``: the parts of the variance of the mean.
    Fewer than 6 samples say too little about other items: then there is no interval.
    """

    values: NDArray[np.float64]
    mean: float
    deviation: float
    low: float
    high: float
    seeds: float
    items: float
    parts: tuple[Variance, ...]


class Gap(NamedTuple):
    """The mean of other runs minus the mean of some, with its interval and p."""

    difference: float
    low: float
    high: float
    p: float
    seeds: float
    items: float
    parts: tuple[Variance, ...]


def mean_of_runs(
    runs: Sequence[System],
    score: Score,
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> Mean:
    """The mean score of runs on the same samples."""
    values = np.array([float(score(run.total())) for run in runs])
    covariance = _covariance(runs, score, resamples=resamples, seed=seed)
    items = _of_items(_shared(covariance), runs, score, level)
    seeds = _of_seeds(values)
    parts = (seeds, items)
    half = half_width(parts, level)
    mean = float(values.mean())
    deviation = float(values.std(ddof=1)) if len(values) > 1 else math.nan
    ends = (mean - half, mean + half)
    return Mean(values, mean, deviation, *ends, seeds.value, items.value, parts)


def gap_of_runs(
    some: Sequence[System],
    others: Sequence[System],
    score: Score,
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> Gap:
    """How the mean of other runs differs from that of some, on the same samples.

    Seeds of two systems are independent of each other; items are shared, so what both systems find
    hard cancels out.
    """
    size = len(some)
    first, second = (
        np.array([float(score(run.total())) for run in runs]) for runs in (some, others)
    )
    covariance = _covariance([*some, *others], score, resamples=resamples, seed=seed)
    within = _shared(covariance[:size, :size]) + _shared(covariance[size:, size:])
    shared = within - 2 * float(covariance[:size, size:].mean())
    items = _of_items(shared, [*some, *others], score, level)
    seeds = _of_seeds(first), _of_seeds(second)
    parts = (*seeds, items)
    difference = float(second.mean() - first.mean())
    half = half_width(parts, level)
    ends = (difference - half, difference + half)
    of_seeds = sum(one.value for one in seeds)
    return Gap(difference, *ends, p_of(difference, parts), of_seeds, items.value, parts)


def _covariance(
    runs: Sequence[System], score: Score, *, resamples: int, seed: int
) -> NDArray[np.float64]:
    """``[run, run]`` of scores when items are resampled, as wide as n - 1 makes it.

    Drawn with the runs in an order that does not depend on how they are called.
    """
    keys = [run.key() for run in runs]
    order = sorted(range(len(runs)), key=keys.__getitem__)
    joint = together([runs[at] for at in order])
    drawn = (
        joint.bootstrapped(score, resamples=resamples, seed=seed)
        if isinstance(joint, LabelledTogether)
        else score(bootstrap(joint, resamples=resamples, seed=seed))
    )
    known = drawn[~np.isnan(drawn).any(axis=1)]
    samples = joint.n_samples
    if len(known) < 2 or samples < 2:
        return np.full((len(runs), len(runs)), math.nan)
    found = np.atleast_2d(np.cov(known, rowvar=False)) * samples / (samples - 1)
    back = np.argsort(order)
    arranged: NDArray[np.float64] = found[np.ix_(back, back)]
    return arranged


def together(runs: Sequence[System]) -> Distinct | LabelledTogether:
    """Runs on the same samples, which are counted in one way."""
    labelled = [run for run in runs if isinstance(run, Labelled)]
    if labelled:
        return labelled_together.together(labelled)
    first, *others = (run for run in runs if isinstance(run, Distinct))
    return first.together(others)


def _shared(covariance: NDArray[np.float64]) -> float:
    """The mean covariance of two runs; of a single run its variance."""
    size = len(covariance)
    if size == 1:
        return float(covariance[0, 0])
    return float((covariance.sum() - np.trace(covariance)) / (size * (size - 1)))


def _of_items(variance: float, runs: Sequence[System], score: Score, level: float) -> Variance:
    """The variance that items explain, of as many samples as some run has a score in."""
    known = int(np.count_nonzero(np.any([run.telling(score) for run in runs], axis=0)))
    if too_few(known, level=level) or math.isnan(variance):
        return Variance(math.nan, max(1, known - 1))
    return Variance(max(0.0, variance), known - 1)


def _of_seeds(values: NDArray[np.float64]) -> Variance:
    """The variance of the mean that seeds explain, and its degrees of freedom; 0 of one run."""
    if len(values) < 2:
        return Variance(0.0, 1)
    return Variance(float(values.var(ddof=1)) / len(values), len(values) - 1)


def _freedom(parts: Sequence[Variance]) -> float:
    """Degrees of freedom of a sum of variances (Satterthwaite)."""
    total = sum(variance for variance, _ in parts)
    return total**2 / sum(variance**2 / max(1, freedom) for variance, freedom in parts)


def half_width(parts: Sequence[Variance], level: float) -> float:
    """Half the length of the interval; nan where nothing varies."""
    total = sum(variance for variance, _ in parts)
    if not total > 0:
        return math.nan
    return student_quantile((1 + level) / 2, _freedom(parts)) * math.sqrt(total)


def p_of(difference: float, parts: Sequence[Variance]) -> float:
    """The two-sided p of a difference by Student's t; nan where nothing varies."""
    error = math.sqrt(sum(variance for variance, _ in parts))
    if not error > 0 or math.isnan(difference):
        return math.nan
    return min(1.0, 2 * student_tail(abs(difference) / error, _freedom(parts)))


def expected_best(values: NDArray[np.float64], budget: int) -> float:
    r"""The expected best of ``budget`` runs, from the runs that were made.

    .. math:: E[\max] = \sum_{i=1}^{R} v_{(i)} \left[\left(\frac{i}{R}\right)^n -
       \left(\frac{i-1}{R}\right)^n\right]

    where :math:`v_{(1)} \le ... \le v_{(R)}` are the scores of the runs, on validation data, and n
    is the budget. Dodge et al. (2019), equation 3. It is too low for budgets near R (Tang et al.
    2020): ``unbiased_best`` is not.

    >>> scores = np.array([0.7, 0.8, 0.9])
    >>> round(expected_best(scores, 1), 3), round(expected_best(scores, 2), 3)
    (0.8, 0.844)
    """
    ordered = np.sort(values)
    share = np.arange(len(ordered) + 1) / len(ordered)
    return float((ordered * np.diff(share**budget)).sum())


def unbiased_best(values: NDArray[np.float64], budget: int) -> float:
    r"""The mean best of all choices of ``budget`` different runs (Tang et al. 2020).

    .. math:: \binom{R}{n}^{-1} \sum_{i=n}^{R} \binom{i-1}{n-1} v_{(i)}

    nan for a budget above the number of runs.

    >>> round(unbiased_best(np.array([0.7, 0.8, 0.9]), 2), 4)     # of 0.8, 0.9, 0.9
    0.8667
    """
    size = len(values)
    if budget > size:
        return math.nan
    chosen = [math.comb(place, budget - 1) for place in range(size)]
    return float((np.sort(values) * chosen).sum() / math.comb(size, budget))
