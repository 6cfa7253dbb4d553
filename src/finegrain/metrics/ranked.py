r"""Metrics of ranks: does a higher score go with a positive unit, or with a higher gold value?

Neither adds up over samples, so both are scores of weighed rows (``weighing``): a row that is drawn
twice counts as two rows that are tied.

>>> rows = np.array([[0.9, 1.0], [0.8, 0.0], [0.8, 1.0], [0.1, 0.0]])      # score, positive or not
>>> area(rows, np.ones((1, 4))).tolist()               # 3 of 4 pairs in order, one tie: 3.5 / 4
[0.875]
>>> area(rows, np.array([[1.0, 2.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0]])).tolist()
[1.0, nan]
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import UsageError
from finegrain.metrics.metric import Metric, ratio
from finegrain.metrics.weighing import Floats, Observing, Weighing
from finegrain.table import OutcomeTable
from finegrain.table.scale import Scale

CORRELATION = Scale(best=1.0, worst=-1.0, shown="number")


def roc_auc(scores: str, positive: str, *, name: str = "roc_auc") -> Metric:
    """The area under the ROC curve of a label, from the scores that systems give to units.

    scores: of ``table.values`` or ``table.details``, how sure a system is of the label, or of every
        label
    positive: the label
    """
    return Metric(
        name=name,
        statistics=Observing(partial(_scores_and_labels, scores=scores, positive=positive)),
        score=Weighing(area),
        definition=area,
        summary=f"the chance that a unit with label {positive} has a higher score than another",
        reference="Hanley and McNeil (1982)",
        short=name,
        undefined="there are no two units of which one has the label",
    )


def spearman(scores: str, gold: str, *, name: str = "spearman") -> Metric:
    """Spearman's rank correlation of the values that systems give to units with gold values.

    scores: of ``table.values`` or ``table.details``
    gold: of ``table.columns``
    """
    return Metric(
        name=name,
        statistics=Observing(partial(scores_and_gold, scores=scores, gold=gold)),
        score=Weighing(correlation),
        definition=correlation,
        summary=f"how the order of units goes with that of their {gold.replace('_', ' ')}",
        reference="Spearman (1904)",
        short=name,
        scale=CORRELATION,
        undefined="all units have the same rank",
    )


def area(rows: Floats, weights: Floats) -> Floats:
    r"""The area under the ROC curve, by weights.

    .. math:: A = \frac{\sum_p \sum_n w_p w_n \left([s_p > s_n] + \frac12 [s_p = s_n]\right)}
       {\sum_p w_p \sum_n w_n}

    where p are positive rows, n the others, s scores and w weights: the chance that a positive unit
    has a higher score than another one, ties counting half (Hanley and McNeil 1982). From 0 to 1,
    0.5 for scores that say nothing; undefined (nan) without positive or without other units.

    >>> rows = np.array([[0.9, 1.0], [0.8, 0.0], [0.8, 1.0], [0.1, 0.0]])
    >>> area(rows, np.ones((1, 4))).tolist()           # 3 of 4 pairs in order, one tie: 3.5 / 4
    [0.875]
    """
    order = ordered_runs(rows[:, 0])
    positive = rows[:, 1] > 0
    hits, others = order.sums(weights * positive), order.sums(weights * ~positive)
    in_order = hits * (np.cumsum(others, axis=1) - others / 2)
    return ratio(in_order.sum(axis=1), hits.sum(axis=1) * others.sum(axis=1))


def correlation(rows: Floats, weights: Floats) -> Floats:
    r"""Spearman's rank correlation, by weights.

    .. math:: \rho = \frac{\sum_i w_i (r_i - \bar r)(q_i - \bar r)}
       {\sqrt{\sum_i w_i (r_i - \bar r)^2 \sum_i w_i (q_i - \bar r)^2}}
       \qquad r_i = \sum_{j: x_j < x_i} w_j + \frac{1 + \sum_{j: x_j = x_i} w_j}{2}

    where w are weights, r and q the ranks of both numbers, tied ones sharing the mean of theirs,
    and :math:`\bar r = (1 + \sum w) / 2` (Spearman 1904). From -1 to 1; undefined (nan) where all
    have the same rank.

    >>> rows = np.array([[1.0, 10.0], [2.0, 30.0], [3.0, 20.0]])
    >>> correlation(rows, np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [0.0, 3.0, 0.0]])).tolist()
    [0.5, 1.0, nan]
    """
    total = weights.sum(axis=1, keepdims=True)
    first, second = (_ranks(column, weights) - (total + 1) / 2 for column in rows.T)
    shared = (weights * first * second).sum(axis=1)
    spread = (weights * first**2).sum(axis=1) * (weights * second**2).sum(axis=1)
    return ratio(shared, np.sqrt(spread))


def precision_area(rows: Floats, weights: Floats) -> Floats:
    r"""Average precision, the area under the precision-recall curve in steps, by weights.

    .. math:: \sum_t (R_t - R_{t-1}) P_t

    where P and R are precision and recall of the rows whose score is t or more, for every score t
    from the highest down; ties are taken together. From the share of positive rows to 1; undefined
    (nan) without positive rows.

    >>> rows = np.array([[0.9, 1.0], [0.8, 0.0], [0.7, 1.0]])
    >>> precision_area(rows, np.ones((1, 3))).round(4).tolist()              # (1 + 2 / 3) / 2
    [0.8333]
    """
    order = ordered_runs(-rows[:, 0])
    positive = np.cumsum(order.sums(weights * rows[:, 1]), axis=1)
    taken = np.cumsum(order.sums(weights), axis=1)
    gained = np.diff(positive, axis=1, prepend=0)
    precision = positive / np.where(taken > 0, taken, 1)
    return ratio((gained * precision).sum(axis=1), positive[:, -1])


def _ranks(values: Floats, weights: Floats) -> Floats:
    """``[draw, row]`` ranks from 1, tied rows sharing the mean of theirs."""
    order = ordered_runs(values)
    tied = order.sums(weights)
    ranks = np.cumsum(tied, axis=1) - tied / 2 + 0.5
    place = np.empty(len(values), np.int64)
    place[order.rows] = np.repeat(
        np.arange(len(order.begins)), np.diff(order.begins, append=len(values))
    )
    found: Floats = ranks[:, place]
    return found


def ordered_runs(values: Floats) -> Runs:
    """Rows in the order of their values, tied ones together.

    >>> ordered_runs(np.array([3.0, 1.0, 3.0]))
    Runs(rows=array([1, 0, 2]), begins=array([0, 1]))
    """
    rows = np.argsort(values, kind="stable")
    ordered = values[rows]
    return Runs(rows, np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])))


class Runs(NamedTuple):
    """Rows in ascending order, and where runs of tied ones begin."""

    rows: NDArray[np.int64]
    begins: NDArray[np.int64]

    def sums(self, weights: Floats) -> Floats:
        """``[draw, run]`` the weights of tied rows together."""
        ordered = weights[:, self.rows]
        if len(self.begins) == len(self.rows):
            return ordered
        added: Floats = np.add.reduceat(ordered, self.begins, axis=1)
        return added


def _scores_and_labels(table: OutcomeTable, *, scores: str, positive: str) -> Floats:
    if positive not in table.labels:
        raise UsageError.unknown("label", positive, table.labels)
    code = table.labels.index(positive)
    found = _of_systems(table, scores)
    found = found[..., code] if found.ndim > 2 else found
    return _beside(found, ((table.label == code) & table.is_gold).astype(float))


def scores_and_gold(table: OutcomeTable, *, scores: str, gold: str) -> Floats:
    """``[unit, system, (score, gold)]``."""
    if gold not in table.columns:
        raise UsageError.unknown("column", gold, table.columns)
    return _beside(_of_systems(table, scores), table.columns[gold].astype(float))


def _of_systems(table: OutcomeTable, name: str) -> Floats:
    """``[unit, system, ...]``."""
    if name in table.values:
        return table.values[name].matrix
    if name not in table.details:
        raise UsageError.unknown("value", name, [*table.values, *table.details])
    return table.details[name].astype(float)


def _beside(scores: Floats, gold: Floats) -> Floats:
    """``[unit, system, (score, gold)]``."""
    return np.stack([scores, np.broadcast_to(gold[:, None], scores.shape)], axis=-1)
