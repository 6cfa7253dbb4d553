"""Scores of predicted numbers: how they go with gold numbers, and how far off they are.

>>> from finegrain.tasks.item_examples import regression
>>> from finegrain.tasks.regression import align
>>> from finegrain.table.samples import whole
>>> table = align(*regression())
>>> {metric.name: metric.score(metric.statistics(table, whole(table)))[0].round(3).tolist()
...  for metric in REGRESSION_METRICS}
{'pearson': [0.948, 0.873], 'spearman': [0.905, 0.898], 'kendall': [0.786, 0.764],
 'mae': [0.5, 1.325], 'mse': [0.523, 2.13], 'rmse': [0.723, 1.459], 'r2': [0.84, 0.346],
 'ccc': [0.934, 0.382]}

Errors are means over items and add up. Correlations, R² and concordance of a single item are
undefined, so they are scores of weighed rows (``weighing``): gold and prediction of every item.

Pearson's r does not change if predictions are standardised, nor rank correlations if they are
replaced by ranks. That is what is observed, so that outputs which a test exchanges have one scale,
whatever systems' numbers are like (Deutsch, Dror and Roth 2021).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from finegrain.alignment.regression import ABSOLUTE, ERROR, GOLD, PREDICTION, SQUARED
from finegrain.metrics.kendall import kendall
from finegrain.metrics.metric import Listed, Metric, ratio
from finegrain.metrics.options import MetricOptions
from finegrain.metrics.ranked import CORRELATION, scores_and_gold, spearman
from finegrain.metrics.values import mean, mean_of, sums_of
from finegrain.metrics.weighing import Floats, Observed, Observing, Weighing, Weighted
from finegrain.table import OutcomeTable
from finegrain.table.scale import Scale

EXPLAINED = Scale(best=1.0, worst=None, shown="number")
_SPREAD = 1e-11  # of a squared distance from the mean of all rows: less is a rounding error


class _Moments(NamedTuple):
    """``[draw]`` the weight of all rows; sums of squares and products about their means.

    ``shift``: the sum of predictions minus that of gold numbers; ``error``: of squared differences.
    """

    size: Floats
    gold: Floats
    predicted: Floats
    shared: Floats
    shift: Floats
    error: Floats


def _moments(rows: Floats, weights: Floats) -> _Moments:
    """Of rows ``[row, (prediction, gold)]``.

    Numbers are counted from the mean of all rows, so that little is lost in the difference of
    squares; what is left of numbers that are all the same is a rounding error, and counts as 0.
    """
    middle = rows.mean(axis=0)
    predicted, gold = (rows - middle).T
    error = rows[:, 0] - rows[:, 1]
    terms = (np.ones(len(rows)), gold, predicted, gold**2, predicted**2, gold * predicted,
             error, error**2)  # fmt: skip
    size, g, p, gg, pp, gp, shift, squared = np.einsum("dr,kr->kd", weights, np.stack(terms))
    number = np.maximum(size, 1)
    of_gold, of_predicted = gg - g**2 / number, pp - p**2 / number
    return _Moments(
        size,
        np.where(of_gold > _SPREAD * gg, of_gold, 0.0),
        np.where(of_predicted > _SPREAD * pp, of_predicted, 0.0),
        gp - g * p / number,
        shift,
        squared,
    )


def pearson(rows: Floats, weights: Floats) -> Floats:
    r"""Pearson's correlation of predictions and gold numbers, by weights.

    .. math:: r = \frac{\sum_i w_i (x_i - \bar x)(y_i - \bar y)}
       {\sqrt{\sum_i w_i (x_i - \bar x)^2 \sum_i w_i (y_i - \bar y)^2}}

    where x are gold numbers, y predictions, w weights (1 for every item of a corpus). From -1 to 1;
    undefined (nan) where all gold numbers or all predictions are equal.

    >>> rows = np.array([[1.0, 1.0], [3.0, 2.0], [2.0, 3.0]])
    >>> pearson(rows, np.array([[1.0, 1.0, 1.0], [2.0, 0.0, 0.0]])).tolist()
    [0.5, nan]
    """
    found = _moments(rows, weights)
    r = ratio(found.shared, np.sqrt(found.gold * found.predicted))
    return np.clip(r, -1, 1)


def r2(rows: Floats, weights: Floats) -> Floats:
    r"""R squared, the share of the spread of gold numbers that predictions explain, by weights.

    .. math:: R^2 = 1 - \frac{\sum_i w_i (x_i - y_i)^2}{\sum_i w_i (x_i - \bar x)^2}

    with x, y and w as in ``pearson``. 1 for perfect predictions, 0 if the mean of the gold numbers
    would do as well, negative if that would be better; it is not the square of r. Undefined (nan)
    where all gold numbers are equal.

    >>> rows = np.array([[1.0, 1.0], [3.0, 2.0], [2.0, 3.0]])
    >>> r2(rows, np.ones((1, 3))).tolist()                                         # 1 - 2 / 2
    [0.0]
    """
    found = _moments(rows, weights)
    return 1 - ratio(found.error, found.gold)


def concordance(rows: Floats, weights: Floats) -> Floats:
    r"""Lin's concordance correlation coefficient of predictions and gold numbers, by weights.

    .. math:: \rho_c = \frac{2 \sum_i w_i (x_i - \bar x)(y_i - \bar y)}
       {\sum_i w_i (x_i - \bar x)^2 + \sum_i w_i (y_i - \bar y)^2 + n (\bar x - \bar y)^2}

    with x, y and w as in ``pearson`` and n the sum of weights (Lin 1989). From -1 to 1, which only
    predictions reach that are the gold numbers: one that correlates but is too high, or has too
    little spread, has less. Undefined (nan) where all numbers are one and the same.

    >>> rows = np.array([[2.0, 1.0], [3.0, 2.0], [4.0, 3.0]])          # r = 1, but 1 too high
    >>> concordance(rows, np.ones((1, 3))).round(4).tolist()           # 2 x 2 / (2 + 2 + 3 x 1)
    [0.5714]
    """
    found = _moments(rows, weights)
    apart = found.shift**2 / np.maximum(found.size, 1)
    flat = (found.gold == 0) | (found.predicted == 0)
    shared = np.where(flat, 0.0, found.shared)
    return ratio(2 * shared, found.gold + found.predicted + apart)


def root_mean(sums: Floats) -> Floats:
    r"""Root mean squared error.

    .. math:: \sqrt{\frac{1}{n} \sum_i (x_i - y_i)^2}

    where x are gold numbers and y predictions. In the unit of the numbers; 0 is perfect.

    >>> root_mean(np.array([18.0, 2.0]))                                # errors 3 and 3
    np.float64(3.0)
    """
    return np.sqrt(mean(sums))


def absolute(sums: Floats) -> Floats:
    r"""Mean absolute error.

    .. math:: \frac{1}{n} \sum_i |x_i - y_i|

    where x are gold numbers and y predictions. In the unit of the numbers; 0 is perfect.

    >>> absolute(np.array([6.0, 2.0]))                                  # errors 2 and 4
    array(3.)
    """
    return mean(sums)


def squared(sums: Floats) -> Floats:
    r"""Mean squared error.

    .. math:: \frac{1}{n} \sum_i (x_i - y_i)^2

    where x are gold numbers and y predictions; 0 is perfect. Large errors weigh most.

    >>> squared(np.array([20.0, 2.0]))                                  # errors 2 and 4
    array(10.)
    """
    return mean(sums)


def standardised(table: OutcomeTable) -> Floats:
    """``[unit, system, (prediction, gold)]``, predictions with mean 0 and standard deviation 1."""
    rows = scores_and_gold(table, scores=PREDICTION, gold=GOLD)
    for column in rows[..., 0].T:
        known = ~np.isnan(column)
        own = column[known]
        equal = len(own) == 0 or own.min() == own.max()
        column[known] = 0.0 if equal else (own - own.mean()) / own.std()
    return rows


def by_rank(table: OutcomeTable) -> Floats:
    """``[unit, system, (rank of the prediction, gold)]``, tied ones sharing the mean of theirs."""
    rows = scores_and_gold(table, scores=PREDICTION, gold=GOLD)
    for column in rows[..., 0].T:
        known = ~np.isnan(column)
        _, codes, counts = np.unique(column[known], return_inverse=True, return_counts=True)
        column[known] = (np.cumsum(counts) - (counts - 1) / 2)[codes.ravel()]
    return rows


def as_they_are(table: OutcomeTable) -> Floats:
    """``[unit, system, (prediction, gold)]``."""
    return scores_and_gold(table, scores=PREDICTION, gold=GOLD)


def _correlated(
    name: str, summary: str, reference: str, score: Weighted, observed: Observed, **more: Any
) -> Metric:
    return Metric(
        name,
        Observing(observed),
        Weighing(score),
        summary,
        reference,
        short=name,
        definition=score,
        needs=(PREDICTION, GOLD),
        **more,
    )


def _ranked(metric: Metric, heading: str) -> Metric:
    return replace(
        metric,
        statistics=Observing(by_rank),
        needs=(PREDICTION, GOLD),
        heading=heading,
        undefined=_EQUAL,
    )


_EQUAL = "all gold numbers or all predictions are equal, or there are too few items"
_NONE = "no item has a prediction"
_ERRORS = "Hastie, Tibshirani and Friedman (2009), chapter 7"
REGRESSION_METRICS: tuple[Metric, ...] = (
    _correlated(
        "pearson", "linear correlation of predictions and gold numbers", "Pearson (1895)", pearson,
        standardised, scale=CORRELATION, heading="Pearson", undefined=_EQUAL,
    ),
    _ranked(spearman(PREDICTION, GOLD), "Spearman"),
    _ranked(kendall(PREDICTION, GOLD), "Kendall"),
    replace(
        mean_of(ABSOLUTE, ERROR, name="mae", summary="mean absolute error"),
        definition=absolute, heading="MAE", reference=_ERRORS, undefined=_NONE,
    ),
    replace(
        mean_of(SQUARED, ERROR, name="mse", summary="mean squared error"),
        definition=squared, heading="MSE", reference=_ERRORS, undefined=_NONE, listed=Listed(2),
    ),
    Metric(
        "rmse", partial(sums_of, value=SQUARED), root_mean, "root mean squared error", _ERRORS,
        short="rmse", heading="RMSE", scale=ERROR, value=SQUARED, needs=(SQUARED,),
        undefined=_NONE, listed=Listed(2),
    ),
    _correlated(
        "r2", "share of the spread of gold numbers that predictions explain", _ERRORS, r2,
        as_they_are, scale=EXPLAINED, heading="R²", listed=Listed(2),
        undefined="all gold numbers are equal, or there are too few items",
    ),
    _correlated(
        "ccc", "correlation that asks for the same mean and spread, too", "Lin (1989)", concordance,
        as_they_are, scale=CORRELATION, heading="CCC", listed=Listed(2),
        undefined="all numbers are equal",
    ),
)  # fmt: skip


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """The metrics of regression, about which nothing can be chosen."""
    return REGRESSION_METRICS
