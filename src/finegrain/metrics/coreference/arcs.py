r"""ARCS: mentions that are linked to one of their antecedents (Tuggener 2014, 2017).

.. math:: P = \frac{TP}{TP + WL + FP}, \quad R = \frac{TP}{TP + WL + FN}

TP, WL, FN and FP are the outcomes of the task `coreference`; what an antecedent is was said in
alignment: any mention of the chain (ARCS-any) or the closest noun (ARCS-nom). The formulas of P and
R are ours, made from the idea; the paper does not print them.

>>> counts = np.array([[6.0, 1.0, 1.0, 3.0]])      # one label: TP, WL, FN, FP
>>> arcs_precision(counts), arcs_recall(counts), arcs_f1(counts).round(4)
(array(0.6), array(0.75), np.float64(0.6667))
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.coreference.scores import f1, precision, recall
from finegrain.metrics.metric import Score
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples

Floats = NDArray[np.float64]
OUTCOMES = ("TP", "WL", "FN", "FP")


def arcs_counts(table: OutcomeTable, samples: Samples) -> Floats:
    """``[sample, system, label, (TP, WL, FN, FP)]``; labels are types of mentions."""
    counts = np.zeros((samples.size, table.n_systems, table.n_labels, len(OUTCOMES)))
    base = samples.codes.astype(np.int64) * table.n_labels + table.label
    size = samples.size * table.n_labels
    for place in range(len(OUTCOMES)):  # the first codes of the task's outcomes
        has = table.outcome == place
        for system in range(table.n_systems):
            found = np.bincount(base[has[:, system]], minlength=size)
            counts[:, system, :, place] = found.reshape(samples.size, table.n_labels)
    return counts


def _pairs(counts: Floats) -> Floats:
    """(recall numerator, denominator, precision numerator, denominator)."""
    tp, wl, fn, fp = np.moveaxis(counts, -1, 0)
    return np.stack([tp, tp + wl + fn, tp, tp + wl + fp], axis=-1)


def of_labels(score: Score) -> Score:
    """A score for each label apart."""

    def scores(counts: Floats) -> Floats:
        return score(_pairs(counts))

    return scores


def arcs_recall(counts: Floats) -> Floats:
    r"""Share of mentions with an antecedent that are linked to one.

    .. math:: R = \frac{TP}{TP + WL + FN}

    From 0 to 1; undefined (nan) if no mention has an antecedent.

    >>> arcs_recall(np.array([[6.0, 1.0, 1.0, 3.0]]))
    array(0.75)
    """
    return recall(_pairs(counts.sum(axis=-2)))


def arcs_precision(counts: Floats) -> Floats:
    r"""Share of links that go to an antecedent.

    .. math:: P = \frac{TP}{TP + WL + FP}

    From 0 to 1; undefined (nan) if nothing is linked.

    >>> arcs_precision(np.array([[6.0, 1.0, 1.0, 3.0]]))
    array(0.6)
    """
    return precision(_pairs(counts.sum(axis=-2)))


def arcs_f1(counts: Floats) -> Floats:
    r"""Harmonic mean of precision and recall of links.

    .. math:: F_1 = \frac{2 P R}{P + R}

    From 0 to 1; undefined (nan) if there is nothing to link and nothing linked.

    >>> arcs_f1(np.array([[6.0, 1.0, 1.0, 3.0]])).round(4)
    np.float64(0.6667)
    """
    return f1(_pairs(counts.sum(axis=-2)))
