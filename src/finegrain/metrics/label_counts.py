"""Precision, recall and F1 from counts per label.

All functions take an array whose last axis is ``(TP, FP, FN, gold, predicted)`` and, except for
``precision``, ``recall`` and ``f1`` themselves, whose last axis but one is the label.

>>> import numpy as np
>>> counts = np.array([[30, 0, 10, 40, 30], [40, 50, 0, 40, 90]], float)   # two labels
>>> precision(counts).round(3), recall(counts).round(3), f1(counts).round(3)
(array([1.   , 0.444]), array([0.75, 1.  ]), array([0.857, 0.615]))
>>> float(micro(f1)(counts).round(3)), float(macro(f1)(counts).round(3))
(0.7, 0.736)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import UsageError
from finegrain.metrics.metric import Score, ratio

TP, FP, FN, GOLD, PREDICTED = range(5)
SIZE = 5

Counts = NDArray[np.float64]


def precision(counts: Counts) -> NDArray[np.float64]:
    r"""Share of predicted units that are right.

    .. math:: P = \frac{TP}{TP + FP}

    From 0 (nothing right) to 1 (nothing wrong); undefined (nan) without predictions.

    >>> precision(np.array([40.0, 50, 0, 40, 90])).round(3)
    np.float64(0.444)
    """
    defined = counts[..., PREDICTED] > 0
    value = ratio(counts[..., TP], counts[..., TP] + counts[..., FP])
    return np.where(defined, value, np.nan)


def recall(counts: Counts) -> NDArray[np.float64]:
    r"""Share of gold units that were found.

    .. math:: R = \frac{TP}{TP + FN}

    From 0 (nothing found) to 1 (nothing missed); undefined (nan) without gold units.

    >>> recall(np.array([30.0, 0, 10, 40, 30]))
    array(0.75)
    """
    defined = counts[..., GOLD] > 0
    value = ratio(counts[..., TP], counts[..., TP] + counts[..., FN])
    return np.where(defined, value, np.nan)


def f1(counts: Counts) -> NDArray[np.float64]:
    r"""Harmonic mean of precision and recall.

    .. math:: F_1 = \frac{2 TP}{2 TP + FP + FN}

    0 as soon as there is one gold or predicted unit and no hit; undefined (nan) only when there
    is neither.

    >>> f1(np.array([[30.0, 0, 10, 40, 30], [0, 3, 0, 0, 3], [0, 0, 0, 0, 0]])).round(3)
    array([0.857, 0.   ,   nan])
    """
    return _f(counts, 1)


def f_beta(beta: float) -> Score:
    r"""Weighted harmonic mean of precision and recall; recall counts beta times as much.

    .. math:: F_\beta = \frac{(1 + \beta^2) TP}{(1 + \beta^2) TP + \beta^2 FN + FP}

    where TP, FP and FN are the counts. From 0 to 1; 0 and undefined as F1 is, which is beta = 1.
    van Rijsbergen (1979), chapter 7.

    >>> counts = np.array([40.0, 50, 0, 40, 90])         # P = 0.444, R = 1
    >>> f_beta(0.5)(counts), f_beta(1)(counts).round(3), f_beta(2)(counts)
    (array(0.5), np.float64(0.615), array(0.8))
    """
    if not (0 < beta < float("inf")):
        raise UsageError(f"beta must be a number above 0, not {beta:g}")

    def f_score(counts: Counts) -> NDArray[np.float64]:
        return _f(counts, beta**2)

    f_score.__doc__ = f_beta.__doc__
    return f_score


def _f(counts: Counts, recall_weight: float) -> NDArray[np.float64]:
    hits = (1 + recall_weight) * counts[..., TP]
    total = hits + (counts[..., FP] + recall_weight * counts[..., FN])
    some = (counts[..., GOLD] + counts[..., PREDICTED]) > 0
    return np.where(some, hits / np.where(total == 0, 1, total), np.nan)


@dataclass(frozen=True, slots=True)
class OverLabels:
    r"""A score of all labels that is made of sums over labels.

    .. math:: s(c) = f\left(\sum_l t(c_l)\right)

    where c are the counts of a label, and t(0) = 0. So labels can be counted and added up a few at
    a time, and labels that a sample does not have need not be looked at.

    Parameters
    ----------
    terms: counts ``[..., label, count]`` -> ``[..., label, term]``; ``None``: the counts themselves
    finish: sums of terms -> the score
    """

    terms: Score | None
    finish: Score

    def __call__(self, counts: Counts) -> NDArray[np.float64]:
        return self.finish(self.summed(counts))

    def summed(self, counts: Counts) -> NDArray[np.float64]:
        """The terms of all labels in an array, added up."""
        terms = counts if self.terms is None else self.terms(counts)
        added: NDArray[np.float64] = terms.sum(axis=-2)
        return added


@dataclass(frozen=True, slots=True)
class Mapped:
    """A score of what a linear map makes of counts; scores that have a map in common can share it.

    As the map is linear, it does not matter whether counts or their sums are mapped.
    """

    map: Score
    score: Score

    def __call__(self, counts: Counts) -> NDArray[np.float64]:
        return self.score(self.map(counts))


def mapped(linear: Score, score: Score) -> Score:
    """The score of what a linear map makes of counts, those of each label.

    >>> missed = mapped(lambda counts: counts[..., 1:] - counts[..., :1], micro(np.negative))
    >>> missed(np.array([[1.0, 5], [2, 4]])).tolist()                  # of 4 and 2
    [-6.0]
    """
    if not isinstance(score, OverLabels):
        return Mapped(linear, score)
    if score.terms is None:  # sums are mapped as well as what they are sums of
        return OverLabels(None, Mapped(linear, score.finish))
    return OverLabels(Mapped(linear, score.terms), score.finish)


def parted(score: Score) -> tuple[Score | None, Score]:
    """A score as a linear map of counts, if it has one, and a score of what that makes of them.

    >>> linear, rest = parted(Mapped(np.negative, micro(f1)))
    >>> linear is np.negative, rest == parted(rest)[1]
    (True, True)
    """
    if isinstance(score, Mapped):
        return score.map, score.score
    if isinstance(score, OverLabels):
        if score.terms is None and isinstance(score.finish, Mapped):
            return score.finish.map, OverLabels(None, score.finish.score)
        if isinstance(score.terms, Mapped):
            return score.terms.map, OverLabels(score.terms.score, score.finish)
    return None, score


def over_labels(score: Score) -> OverLabels:
    """A score that must be made of sums over labels."""
    if not isinstance(score, OverLabels):
        raise TypeError("scores of counts by label are made of sums over labels")
    return score


def documented(score: Score) -> Score:
    """The function whose docstring says what a score is.

    >>> documented(micro(f1)).__doc__ == micro.__doc__
    True
    """
    while isinstance(score, OverLabels | Mapped):
        score = score.score if isinstance(score, Mapped) else score.terms or score.finish
    return score


def micro(score: Score) -> OverLabels:
    r"""The score of the counts summed over labels.

    .. math:: s_{micro} = s\left(\sum_l c_l\right)

    where c are the counts of a label and s is the score.

    >>> micro(f1)(np.array([[30.0, 0, 10, 40, 30], [10, 10, 0, 10, 20]]))
    array(0.8)
    """

    def of_sums(sums: Counts) -> NDArray[np.float64]:
        return score(sums)

    of_sums.__doc__ = micro.__doc__
    return OverLabels(None, of_sums)


def pooled(counts: Counts) -> Counts:
    """The counts of all labels in the place of one label: all that micro scores need.

    >>> pooled(np.array([[30.0, 0, 10, 40, 30], [10, 10, 0, 10, 20]])).tolist()
    [[40.0, 10.0, 10.0, 50.0, 50.0]]
    """
    summed: Counts = counts.sum(axis=-2, keepdims=True)
    return summed


def macro(score: Score) -> OverLabels:
    r"""The mean over labels that have gold units or predictions of the system; nan without any.

    .. math:: s_{macro} = \frac{1}{|L|} \sum_{l \in L} s(c_l)

    where c are the counts of a label, s is the score and L are those labels.

    >>> macro(f1)(np.array([[30.0, 0, 10, 40, 30], [10, 10, 0, 10, 20]])).round(3)
    np.float64(0.762)
    """

    def present(counts: Counts) -> NDArray[np.float64]:
        there = (counts[..., GOLD] + counts[..., PREDICTED]) > 0
        return side_by_side(np.where(there, _or_zero(score(counts)), 0), there.astype(float))

    present.__doc__ = macro.__doc__
    return OverLabels(present, _quotient)


def weighted(score: Score) -> OverLabels:
    r"""The mean over labels, weighted by their gold units; nan without gold units.

    .. math:: s_{weighted} = \frac{\sum_l gold_l \, s(c_l)}{\sum_l gold_l}

    where c are the counts of a label and s is the score.

    >>> weighted(f1)(np.array([[30.0, 0, 10, 40, 30], [10, 10, 0, 10, 20]])).round(3)
    np.float64(0.819)
    """

    def supported(counts: Counts) -> NDArray[np.float64]:
        support = counts[..., GOLD]
        return side_by_side(_or_zero(score(counts)) * support, support)

    supported.__doc__ = weighted.__doc__
    return OverLabels(supported, _quotient)


def _or_zero(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isnan(values), 0.0, values)


def side_by_side(*terms: NDArray[np.float64]) -> NDArray[np.float64]:
    """``[..., term]``, each term in one piece of memory, as scores take them one by one."""
    stacked: NDArray[np.float64] = np.moveaxis(np.stack(terms), 0, -1)
    return stacked


def _quotient(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return ratio(sums[..., 0], sums[..., 1])


def accuracy(counts: Counts) -> NDArray[np.float64]:
    r"""Share of units whose label is right, for tasks where every unit has one answer.

    .. math:: A = \frac{\sum_l TP_l}{\sum_l gold_l}

    >>> accuracy(np.array([[30.0, 0, 10, 40, 30], [40, 10, 0, 40, 50]]))
    array(0.875)
    """
    total = counts.sum(axis=-2)
    return ratio(total[..., TP], total[..., GOLD])


def of_pooled(score: Score) -> OverLabels:
    """A score of several labels that needs no more than the sum of their counts."""

    def of_sums(sums: Counts) -> NDArray[np.float64]:
        return score(sums[..., None, :])

    of_sums.__doc__ = score.__doc__
    return OverLabels(None, of_sums)
