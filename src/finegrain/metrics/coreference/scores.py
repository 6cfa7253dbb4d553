r"""Recall, precision and F1 from counts of chains that add up over documents.

.. math:: R = \frac{r_n}{r_d}, \quad P = \frac{p_n}{p_d}, \quad F_1 = \frac{2 P R}{P + R}

>>> counts = np.array([1.0, 3.0, 1.0, 2.0])        # 1 of 3 links found, 1 of 2 links right
>>> recall(counts).round(4), precision(counts).round(4), f1(counts).round(4)
(np.float64(0.3333), np.float64(0.5), np.float64(0.4))

R is undefined (nan) where the key has nothing to find, P where the response has nothing; F1 is 0
as soon as one of them has something, and undefined if neither has.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.metric import ratio

Floats = NDArray[np.float64]
R_NUMERATOR, R_DENOMINATOR, P_NUMERATOR, P_DENOMINATOR = range(4)
FAMILIES = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "links", "other_links", "lea")


def recall(counts: Floats) -> Floats:
    r"""Share of the key that the response has.

    .. math:: R = \frac{r_n}{r_d}

    where the numbers are those of the metric, summed over documents. From 0 to 1; undefined (nan)
    if the key has nothing to find.

    >>> recall(np.array([1.0, 3.0, 1.0, 2.0])).round(4)
    np.float64(0.3333)
    """
    return ratio(counts[..., R_NUMERATOR], counts[..., R_DENOMINATOR])


def precision(counts: Floats) -> Floats:
    r"""Share of the response that the key has.

    .. math:: P = \frac{p_n}{p_d}

    where the numbers are those of the metric, summed over documents. From 0 to 1; undefined (nan)
    if the response has nothing.

    >>> precision(np.array([1.0, 3.0, 1.0, 2.0]))
    array(0.5)
    """
    return ratio(counts[..., P_NUMERATOR], counts[..., P_DENOMINATOR])


def f1(counts: Floats) -> Floats:
    r"""Harmonic mean of precision and recall.

    .. math:: F_1 = \frac{2 P R}{P + R}

    From 0 to 1; undefined (nan) if neither side has anything, 0 if only one of them has.

    >>> f1(np.array([1.0, 3.0, 1.0, 2.0])).round(4)
    np.float64(0.4)
    """
    undefined = (counts[..., R_DENOMINATOR] == 0) & (counts[..., P_DENOMINATOR] == 0)
    mean = _harmonic(np.nan_to_num(precision(counts)), np.nan_to_num(recall(counts)))
    return np.where(undefined, np.nan, mean)


def _harmonic(one: Floats, other: Floats) -> Floats:
    return np.nan_to_num(ratio(2 * one * other, one + other))


def conll_average(counts: Floats) -> Floats:
    r"""Mean F1 of MUC, B-cubed and CEAF-e: MELA, the score of the CoNLL shared tasks.

    .. math:: \frac{F_1^{MUC} + F_1^{B^3} + F_1^{CEAF_e}}{3}

    From 0 to 1; undefined (nan) where one of the three is.

    >>> counts = np.ones((len(FAMILIES), 4))
    >>> counts[FAMILIES.index("muc")] = 1, 2, 1, 2
    >>> conll_average(counts).round(4)                  # (0.5 + 1 + 1) / 3
    np.float64(0.8333)
    """
    three = [f1(counts[..., FAMILIES.index(name), :]) for name in ("muc", "b_cubed", "ceaf_e")]
    mean: Floats = np.mean(three, axis=0)
    return mean


def blanc_recall(counts: Floats) -> Floats:
    r"""Mean recall of pairs of mentions in one chain and of pairs in two.

    .. math:: R = \frac{R_c + R_n}{2}

    From 0 to 1. A kind of pairs that the key does not have is left out; undefined (nan) if it has
    neither.

    >>> counts = np.zeros((len(FAMILIES), 4))
    >>> counts[5], counts[6] = (1, 4, 1, 4), (5, 11, 5, 17)
    >>> blanc_recall(counts).round(4)                   # (1/4 + 5/11) / 2
    np.float64(0.3523)
    """
    return _over_kinds(counts, *(recall(kind) for kind in _kinds(counts)))


def blanc_precision(counts: Floats) -> Floats:
    r"""Mean precision of pairs of mentions in one chain and of pairs in two.

    .. math:: P = \frac{P_c + P_n}{2}

    From 0 to 1. A kind of pairs that the key does not have is left out; undefined (nan) if it has
    neither.

    >>> counts = np.zeros((len(FAMILIES), 4))
    >>> counts[5], counts[6] = (1, 4, 1, 4), (5, 11, 5, 17)
    >>> blanc_precision(counts).round(4)                # (1/4 + 5/17) / 2
    np.float64(0.2721)
    """
    return _over_kinds(counts, *(precision(kind) for kind in _kinds(counts)))


def blanc_f1(counts: Floats) -> Floats:
    r"""Mean F1 of pairs of mentions in one chain and of pairs in two.

    .. math:: F = \frac{F_c + F_n}{2}

    From 0 to 1. A kind of pairs that the key does not have is left out, as in the CoNLL reference
    scorer; undefined (nan) if it has neither.

    >>> counts = np.zeros((len(FAMILIES), 4))
    >>> counts[5], counts[6] = (1, 4, 1, 4), (5, 11, 5, 17)
    >>> blanc_f1(counts).round(4)                       # (1/4 + 10/28) / 2
    np.float64(0.3036)
    """
    return _over_kinds(counts, *(f1(kind) for kind in _kinds(counts)))


def corefud_blanc_recall(counts: Floats) -> Floats:
    r"""``blanc_recall`` with a kind of pairs left out only if neither side has it.

    .. math:: R = \frac{R_c + R_n}{2}

    The CorefUD scorer has it so. From 0 to 1; undefined (nan) if there are no pairs at all.

    >>> counts = np.zeros((len(FAMILIES), 4))
    >>> counts[5], counts[6] = (4, 15, 4, 4), (0, 0, 0, 11)     # one chain in the key, many here
    >>> blanc_recall(counts).round(4), corefud_blanc_recall(counts).round(4)
    (np.float64(0.2667), np.float64(0.1333))
    """
    return _over_kinds(counts, *(recall(kind) for kind in _kinds(counts)), of_both=True)


def corefud_blanc_precision(counts: Floats) -> Floats:
    r"""``blanc_precision`` with a kind of pairs left out only if neither side has it.

    .. math:: P = \frac{P_c + P_n}{2}

    The CorefUD scorer has it so. From 0 to 1; undefined (nan) if there are no pairs at all.

    >>> counts = np.zeros((len(FAMILIES), 4))
    >>> counts[5], counts[6] = (4, 15, 4, 4), (0, 0, 0, 11)
    >>> blanc_precision(counts), corefud_blanc_precision(counts)
    (array(1.), array(0.5))
    """
    return _over_kinds(counts, *(precision(kind) for kind in _kinds(counts)), of_both=True)


def corefud_blanc_f1(counts: Floats) -> Floats:
    r"""``blanc_f1`` with a kind of pairs left out only if neither side has it.

    .. math:: F = \frac{F_c + F_n}{2}

    The CorefUD scorer has it so. From 0 to 1; undefined (nan) if there are no pairs at all.

    >>> counts = np.zeros((len(FAMILIES), 4))
    >>> counts[5], counts[6] = (4, 15, 4, 4), (0, 0, 0, 11)
    >>> blanc_f1(counts).round(4), corefud_blanc_f1(counts).round(4)
    (np.float64(0.4211), np.float64(0.2105))
    """
    return _over_kinds(counts, *(f1(kind) for kind in _kinds(counts)), of_both=True)


def _kinds(counts: Floats) -> tuple[Floats, Floats]:
    return (
        counts[..., FAMILIES.index("links"), :],
        counts[..., FAMILIES.index("other_links"), :],
    )


def _over_kinds(counts: Floats, *values: Floats, of_both: bool = False) -> Floats:
    """Mean over the kinds of pairs that the key has, or that one of the two has."""
    has = np.stack([
        (kind[..., R_DENOMINATOR] > 0) | (of_both & (kind[..., P_DENOMINATOR] > 0))
        for kind in _kinds(counts)
    ])  # fmt: skip
    total = np.where(has, np.nan_to_num(np.stack(values)), 0.0).sum(axis=0)
    return ratio(total, has.sum(axis=0))
