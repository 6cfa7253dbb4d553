r"""Does an automatic metric agree with people? Correlations, and pairwise accuracy with ties.

All functions take numbers ``[item, system]``, nan where something was not judged or not scored.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.kendall import tau
from finegrain.metrics.metric import ratio
from finegrain.metrics.ranked import correlation
from finegrain.metrics.regression import pearson
from finegrain.metrics.weighing import Weighted

Floats = NDArray[np.float64]
CORRELATIONS: dict[str, Weighted] = {"pearson": pearson, "spearman": correlation, "kendall": tau}


class Calibrated(NamedTuple):
    """``share`` ``[item]`` of pairs that are told right, nan without pairs; ``pairs`` in all."""

    share: Floats
    epsilon: float
    pairs: int


def pairwise_accuracy(
    scores: Floats, judged: Floats, *, epsilon: float | None = None
) -> Calibrated:
    r"""Share of pairs of systems that a metric orders as people do, ties included, by item.

    .. math:: \mathrm{acc}_{eq} = \frac{1}{|I|} \sum_{i \in I} \frac{1}{|P_i|} \sum_{(s, t) \in P_i}
       \left[ \mathrm{sgn}(h_{is} - h_{it}) = \mathrm{sgn}_\epsilon(m_{is} - m_{it}) \right]

    where h is what people gave and m the metric, and :math:`\mathrm{sgn}_\epsilon` is 0 for
    differences up to :math:`\epsilon`. Metrics hardly ever give the same number twice, so that they
    would get every tie of people wrong: epsilon is the threshold with the highest accuracy on these
    data, the smallest of equals (Deutsch, Foster and Freitag 2023).

    People have a tie of the first two systems; the metric has them 0.1 apart, others at least 0.5.
    With epsilon 0.1 all three pairs are right, with 0 two are:

    >>> people, metric = np.array([[3.0, 3.0, 1.0]]), np.array([[0.9, 0.8, 0.3]])
    >>> found = pairwise_accuracy(metric, people)
    >>> found.share.tolist(), round(found.epsilon, 3)
    ([1.0], 0.1)
    >>> pairwise_accuracy(metric, people, epsilon=0.0).share.round(3).tolist()
    [0.667]
    """
    one, other = np.triu_indices(scores.shape[1], 1)
    by_people, by_metric = (values[:, one] - values[:, other] for values in (judged, scores))
    known = ~(np.isnan(by_people) | np.isnan(by_metric))
    number = known.sum(axis=1)
    weight = np.where(known, 1 / np.maximum(number, 1)[:, None], 0.0)
    apart = np.abs(np.where(known, by_metric, 0.0))
    tied = known & (by_people == 0)
    agree = known & ~tied & (np.sign(by_people) == np.sign(by_metric))
    if epsilon is None:
        epsilon = _best(apart[known], (weight * tied)[known], (weight * agree)[known])
    right = np.where(apart <= epsilon, tied, agree)
    return Calibrated(ratio(right.sum(axis=1).astype(float), number.astype(float)), epsilon,
                      int(number.sum()))  # fmt: skip


def _best(apart: Floats, tied: Floats, agree: Floats) -> float:
    """The threshold with the most weight: ties up to it, right orders beyond it."""
    if not len(apart):
        return 0.0
    values, codes = np.unique(np.append(0.0, apart), return_inverse=True)
    gained = np.bincount(codes[1:], tied - agree, minlength=len(values))
    found = np.cumsum(gained)
    return float(values[np.flatnonzero(found >= found.max() - 1e-12)[0]])


def by_item(scores: Floats, judged: Floats, name: str) -> Floats:
    """``[item]`` the correlation over the systems of an item; nan where that is undefined.

    >>> by_item(np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 3.0, 2.0]]), "pearson").tolist()
    [0.5]
    """
    found = np.full(len(scores), np.nan)
    for item, (mine, theirs) in enumerate(zip(scores, judged, strict=True)):
        known = ~(np.isnan(mine) | np.isnan(theirs))
        if known.sum() > 1:
            rows = np.stack([mine[known], theirs[known]], axis=1)
            found[item] = CORRELATIONS[name](rows, np.ones((1, len(rows))))[0]
    return found


def system_sums(scores: Floats, judged: Floats) -> Floats:
    """``[item, system, (metric, people, number)]``, which add up over items."""
    known = ~(np.isnan(scores) | np.isnan(judged))
    return np.stack(
        [np.where(known, scores, 0.0), np.where(known, judged, 0.0), known.astype(float)], axis=-1
    )


def system_level(sums: Floats, name: str) -> Floats:
    """``[...]`` the correlation of the means of systems, or the share of pairs in the same order.

    ``accuracy`` (Kocmi et al. 2021): pairs that people tie are left out; a tie of the metric is
    wrong.

    >>> sums = system_sums(np.array([[1.0, 2.0, 4.0]]), np.array([[1.0, 3.0, 2.0]]))
    >>> float(system_level(sums.sum(axis=0), "accuracy").round(3))               # 2 of 3 pairs
    0.667
    """
    means = ratio(sums[..., :2], sums[..., 2:])
    flat = means.reshape(-1, *means.shape[-2:])
    if name == "accuracy":
        one, other = np.triu_indices(flat.shape[1], 1)
        mine, theirs = np.moveaxis(np.sign(flat[:, one] - flat[:, other]), -1, 0)
        asked = (theirs != 0) & ~np.isnan(theirs) & ~np.isnan(mine)
        right = (asked & (mine == theirs)).sum(axis=1).astype(float)
        return ratio(right, asked.sum(axis=1).astype(float)).reshape(means.shape[:-2])
    found = np.full(len(flat), np.nan)
    for at, rows in enumerate(flat):
        rows = rows[~np.isnan(rows).any(axis=1)]  # noqa: PLW2901 - systems with a mean
        if len(rows) > 1:
            found[at] = CORRELATIONS[name](rows, np.ones((1, len(rows))))[0]
    return found.reshape(means.shape[:-2])
