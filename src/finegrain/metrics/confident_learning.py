r"""Gold labels that confident systems contradict: confident learning (Northcutt et al. 2021).

The threshold of a label is the mean probability that the system gives it where gold has it. An item
is counted for the label with the highest probability among those that reach their thresholds:

.. math:: t_j = \frac{1}{|X_j|} \sum_{x \in X_j} p_j(x), \quad
   \hat{y}(x) = \arg\max_{j : p_j(x) \ge t_j} p_j(x)

where :math:`X_j` are the items with the gold label j. Where that is another label than gold, gold
is in doubt; the more so, the lower the margin of the gold label:

.. math:: m(x) = p_{gold}(x) - \max_{l \ne gold} p_l(x)

>>> chances = np.array([[0.9, 0.1], [0.7, 0.3], [0.1, 0.9], [0.2, 0.8]])
>>> gold = np.array([0, 0, 0, 1])            # thresholds 1.7 / 3 and 0.8: the third one is in doubt
>>> confident(chances, gold).tolist(), margins(chances, gold).round(1).tolist()
([0, 0, 1, 1], [0.8, 0.4, -0.8, 0.6])
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.probability_scores import PROBABILITY
from finegrain.table import OutcomeTable

Floats = NDArray[np.float64]


class Doubted(NamedTuple):
    """``flagged`` ``[unit, system]``: its answer contradicts gold with confidence.

    ``margin`` ``[unit]``: that of the gold label, on average over systems that have probabilities.
    """

    flagged: NDArray[np.bool_]
    margin: Floats


def confident(chances: Floats, gold: NDArray[np.integer]) -> NDArray[np.int64]:
    """``[item]`` the label that an item is counted for, -1 where no probability is high enough."""
    counts = np.bincount(gold, minlength=chances.shape[1])
    sums = np.bincount(gold, chances[np.arange(len(gold)), gold], minlength=chances.shape[1])
    thresholds = np.where(counts > 0, sums / np.maximum(counts, 1), np.inf)
    reached = chances >= thresholds - 1e-12
    best = np.where(reached, chances, -1.0).argmax(axis=1)
    return np.where(reached.any(axis=1), best, -1)


def margins(chances: Floats, gold: NDArray[np.integer]) -> Floats:
    """``[item]`` the probability of the gold label minus the highest of any other."""
    rows = np.arange(len(gold))
    others = chances.copy()
    others[rows, gold] = -np.inf
    found: Floats = chances[rows, gold] - others.max(axis=1)
    return found


def doubted(table: OutcomeTable) -> Doubted | None:
    """What systems with probabilities doubt; ``None`` if none has any, or there is one label."""
    if PROBABILITY not in table.details or table.n_labels < 2:
        return None
    chances = table.details[PROBABILITY]
    flagged = np.zeros(table.outcome.shape, bool)
    total, number = np.zeros(len(table)), np.zeros(len(table))
    for system in range(table.n_systems):
        rows = np.flatnonzero(~np.isnan(chances[:, system]).any(axis=1))
        gold, own = table.label[rows], chances[rows, system]
        label = confident(own, gold)
        answered = table.answer[rows, system]
        flagged[rows, system] = (label >= 0) & (label != gold) & (answered == label)
        total[rows] += margins(own, gold)
        number[rows] += 1
    return Doubted(flagged, np.where(number > 0, total / np.maximum(number, 1), np.nan))
