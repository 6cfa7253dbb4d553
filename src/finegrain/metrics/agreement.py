r"""How far annotators agree, beyond chance: percent, kappas, Fleiss, Krippendorff's alpha.

The lecture's example: two judges on 400 items, yes/yes 300, yes/no 20, no/yes 10, no/no 70.

>>> sums = sums_of([[300, 20], [10, 70]])
>>> percent(sums).round(3), pooled_kappa(sums).round(3), cohen_kappa(sums).round(3)
(np.float64(0.925), np.float64(0.776), np.float64(0.776))

Measures of two annotators are functions of additive sums ``[..., 3 + 3 L]`` for L labels: units
that both labelled, their linear and quadratic disagreement, how often the first uses each label,
how often the second does, how often both do on one unit. Measures of many annotators are functions
of sums ``[..., 3 + 2 L]``: units with two labels or more, agreement of pairs, observed disagreement
on the scale, how often each label is used, and each label's own disagreement. (On the ordinal scale
the coincidences of labels ``L x L`` follow, because there the distance of two labels depends on how
often all labels are used.) Because sums add up, the same functions serve for resampling.

All measures are 1 for perfect agreement; those that correct for chance are 0 where annotators agree
as often as chance would have it, and undefined (nan) where only one label is used, so that nothing
but agreement was possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.metric import ratio

Scale = Literal["nominal", "ordinal", "interval", "ratio"]
SCALES: tuple[Scale, ...] = ("nominal", "ordinal", "interval", "ratio")
Sums = NDArray[np.float64]
UNITS, LINEAR, QUADRATIC = range(3)  # of two annotators
PAIRS_AGREE, OBSERVED = 1, 2  # of many annotators; units stand first here too
_HEAD = 3


class Margins:
    """The parts of the sums of two annotators: ``first``, ``second``, ``both`` are [..., L]."""

    __slots__ = ("both", "first", "second", "units")

    def __init__(self, sums: Sums) -> None:
        self.units = sums[..., UNITS]
        size = (sums.shape[-1] - _HEAD) // 3
        self.first, self.second, self.both = (
            sums[..., _HEAD + size * part : _HEAD + size * (part + 1)] for part in range(3)
        )


def sums_of(confusion: Any, *, values: Sequence[float] | None = None) -> Sums:
    """The sums of two annotators from how often one says i where the other says j.

    ``values`` are what labels are worth for weighted kappa; 0, 1, 2 and so on if not given.
    """
    counts = np.asarray(confusion, float)
    worth = np.arange(len(counts)) if values is None else np.asarray(values, float)
    apart = np.abs(worth[:, None] - worth)
    head = [counts.sum(), (counts * apart).sum(), (counts * apart**2).sum()]
    return np.concatenate([head, counts.sum(axis=1), counts.sum(axis=0), np.diag(counts)])


def percent(sums: Sums) -> NDArray[np.float64]:
    r"""Share of units on which two annotators agree.

    .. math:: A_o = \frac{1}{n} \sum_l n_{ll}

    where :math:`n_{ll}` counts the units that both label l. Not corrected for chance.

    >>> percent(sums_of([[300, 20], [10, 70]])).round(3)
    np.float64(0.925)
    """
    parts = Margins(sums)
    return ratio(parts.both.sum(axis=-1), parts.units)


def pooled_kappa(sums: Sums) -> NDArray[np.float64]:
    r"""Agreement beyond chance, when both annotators are taken to use labels equally often.

    .. math:: \pi = \frac{A_o - A_e}{1 - A_e}, \quad
       A_e = \sum_l \left(\frac{n_{l\cdot} + n_{\cdot l}}{2n}\right)^2

    Scott's pi (1955), the kappa of Siegel and Castellan (1988) and of most lectures.

    >>> pooled_kappa(sums_of([[300, 20], [10, 70]])).round(3)   # (0.925 - 0.6653) / 0.3347
    np.float64(0.776)
    """
    parts = Margins(sums)
    mean = ratio(parts.first + parts.second, 2 * parts.units[..., None])
    return beyond_chance(percent(sums), (mean**2).sum(axis=-1))


def cohen_kappa(sums: Sums) -> NDArray[np.float64]:
    r"""Agreement beyond chance, when each annotator keeps to their own use of labels.

    .. math:: \kappa = \frac{A_o - A_e}{1 - A_e}, \quad
       A_e = \sum_l \frac{n_{l\cdot}}{n} \frac{n_{\cdot l}}{n}

    Cohen (1960).

    >>> cohen_kappa(sums_of([[20, 5], [10, 15]])).round(6)   # (0.7 - 0.5) / 0.5
    np.float64(0.4)
    """
    parts = Margins(sums)
    expected = ratio((parts.first * parts.second).sum(axis=-1), parts.units**2)
    return beyond_chance(percent(sums), expected)


def weighted_kappa(
    sums: Sums, values: NDArray[np.float64], *, weights: Literal["linear", "quadratic"]
) -> NDArray[np.float64]:
    r"""Cohen's kappa in which far labels disagree more than near ones.

    .. math:: \kappa_w = 1 - \frac{\sum_{ij} n_{ij} |v_i - v_j|^k}
       {\sum_{ij} n_{i\cdot} n_{\cdot j} |v_i - v_j|^k / n}

    where v are the ``values`` of labels and k is 1 (linear) or 2 (quadratic). Cohen (1968).

    >>> confusion = [[8, 2, 0], [1, 5, 1], [0, 1, 2]]            # 1 - 5 / (302 / 20)
    >>> weighted_kappa(sums_of(confusion), np.arange(3.0), weights="linear").round(4)
    np.float64(0.6689)
    """
    parts = Margins(sums)
    power = 1 if weights == "linear" else 2
    apart = np.abs(values[:, None] - values) ** power
    seen = sums[..., LINEAR if power == 1 else QUADRATIC]
    expected = ratio(((parts.first @ apart) * parts.second).sum(axis=-1), parts.units)
    return 1 - ratio(seen, expected)


def label_agreement(sums: Sums) -> NDArray[np.float64]:
    r"""For every label, how often the other annotator agrees when one of the two uses it.

    .. math:: F_l = \frac{2 n_{ll}}{n_{l\cdot} + n_{\cdot l}}

    This is F1 of either annotator scored against the other ``[..., label]``, undefined for labels
    that neither uses. Hripcsak and Rothschild (2005).

    >>> label_agreement(sums_of([[300, 20], [10, 70]])).round(3).tolist()
    [0.952, 0.824]
    """
    parts = Margins(sums)
    return ratio(2 * parts.both, parts.first + parts.second)


def overall_f1(sums: Sums) -> NDArray[np.float64]:
    r"""F1 of either annotator scored against the other, over all labels.

    .. math:: F_1 = \frac{2 \sum_l n_{ll}}{\sum_l n_{l\cdot} + \sum_l n_{\cdot l}}

    The measure of spans, where what nobody marked cannot be counted.

    >>> overall_f1(np.array([12.0, 0, 0, 5, 3, 4, 2, 4, 2])).round(4)   # 2 * 6 / (8 + 6)
    np.float64(0.8571)
    """
    parts = Margins(sums)
    return ratio(2 * parts.both.sum(axis=-1), (parts.first + parts.second).sum(axis=-1))


def label_kappa(sums: Sums) -> NDArray[np.float64]:
    """Pooled kappa of every label against all others ``[..., label]``.

    >>> label_kappa(sums_of([[300, 20], [10, 70]])).round(3).tolist()   # of two labels: the same
    [0.776, 0.776]
    """
    parts = Margins(sums)
    units = parts.units[..., None]
    apart = parts.first + parts.second - 2 * parts.both
    mean = ratio(parts.first + parts.second, 2 * units)
    return beyond_chance(1 - ratio(apart, units), mean**2 + (1 - mean) ** 2)


def beyond_chance(observed: Sums, expected: Sums) -> NDArray[np.float64]:
    """The part of what chance leaves open that annotators agree on; nan if it leaves nothing.

    >>> beyond_chance(np.array([0.7, 1.0]), np.array([0.5, 1.0])).round(3)
    array([0.4, nan])
    """
    left = 1 - expected
    return ratio(observed - expected, np.where(left < 1e-12, 0, left))


def many_sums(counts: Any, *, scale: Scale = "nominal", values: Any = None) -> Sums:
    """Sums of each unit ``[unit, ...]`` from how often it got each label, ``[unit, label]``.

    Units with fewer than two labels say nothing about agreement and count nowhere. ``values``: what
    labels are worth on the interval and ratio scales; the ordinal scale takes labels in order.
    """
    given = np.asarray(counts, float)
    size = given.sum(axis=1)
    paired = size >= 2
    given = np.where(paired[:, None], given, 0)
    size = np.where(paired, size, 0)
    others = np.where(paired, size - 1, 1)
    same = (given * (given - 1)).sum(axis=1)
    own = 2 * given * (size[:, None] - given) / others[:, None]
    parts = [paired, ratio(same, size * others), np.zeros(len(given))]
    sums = np.column_stack([np.nan_to_num(part) for part in parts] + [given, own])
    if scale == "ordinal":
        pairs = given[:, :, None] * given[:, None, :] - given[:, :, None] * np.eye(given.shape[1])
        return np.column_stack([sums, (pairs / others[:, None, None]).reshape(len(given), -1)])
    worth = np.zeros(given.shape[1]) if values is None else np.asarray(values, float)
    apart = distances(scale, worth)
    sums[:, OBSERVED] = ((given @ apart) * given).sum(axis=1) / others
    return sums


def distances(scale: Scale, values: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Squared distances of labels ``[label, label]`` on a scale (Krippendorff 2019, ch. 12).

    Nominal: 0 or 1. Interval: :math:`(v_i - v_j)^2`. Ratio: :math:`((v_i-v_j)/(v_i+v_j))^2`.

    >>> distances("ratio", np.array([1.0, 3.0])).tolist()
    [[0.0, 0.25], [0.25, 0.0]]
    """
    if scale == "nominal":
        return 1 - np.eye(len(values))
    apart = values[:, None] - values
    if scale == "ratio":
        apart = np.nan_to_num(ratio(apart, values[:, None] + values))
    squared: NDArray[np.float64] = apart**2
    return squared


def _ordinal(used: Sums) -> Sums:
    """Squared distances ``[..., label, label]``: units from label i to j, both ends by half."""
    up_to = np.cumsum(used, axis=-1) - used / 2  # the middle of each label in the ranking
    squared: Sums = (up_to[..., :, None] - up_to[..., None, :]) ** 2
    return squared


def alpha(
    sums: Sums, labels: int, *, scale: Scale = "nominal", values: Any = None
) -> NDArray[np.float64]:
    r"""Krippendorff's alpha: any number of annotators, missing labels, four scales.

    .. math:: \alpha = 1 - \frac{D_o}{D_e}, \quad
       D_o = \frac{1}{n} \sum_{ij} o_{ij} \delta_{ij}^2, \quad
       D_e = \frac{1}{n (n - 1)} \sum_{ij} n_i n_j \delta_{ij}^2

    where :math:`o_{ij}` are coincidences: each pair of labels of a unit with m labels counts
    1 / (m - 1); :math:`n_i` is how often label i is used, n their sum, and :math:`\delta^2` the
    squared distance on the scale. Krippendorff (2019), chapter 12.

    Three annotators label four units, the last one only once: a a a, a a b, b b, b. Coincidences
    are aa 3 + 1, ab 1, ba 1, bb 2; n = 8 with a 5 times; 1 - (2 / 8) / (2 * 5 * 3 / (8 * 7)):

    >>> counts = [[3, 0], [2, 1], [0, 2], [0, 1]]
    >>> alpha(many_sums(counts).sum(axis=0), 2).round(4)
    np.float64(0.5333)
    """
    used = sums[..., _HEAD : _HEAD + labels]
    total = used.sum(axis=-1)
    if scale == "ordinal":
        pairs = sums[..., _HEAD + 2 * labels :].reshape(*sums.shape[:-1], labels, labels)
        apart = _ordinal(used)
        seen = (pairs * apart).sum(axis=(-2, -1))
        possible = ((used[..., None, :] @ apart)[..., 0, :] * used).sum(axis=-1)
    else:
        apart = distances(scale, np.zeros(labels) if values is None else np.asarray(values))
        seen, possible = sums[..., OBSERVED], ((used @ apart) * used).sum(axis=-1)
    return 1 - ratio(seen * (total - 1), possible)


def label_alpha(sums: Sums, labels: int) -> NDArray[np.float64]:
    """Nominal alpha of every label against all others ``[..., label]``.

    >>> sums = many_sums([[3, 0], [2, 1], [0, 2], [0, 1]]).sum(axis=0)
    >>> label_alpha(sums, 2).round(4).tolist()                       # of two labels: the same
    [0.5333, 0.5333]
    """
    used = sums[..., _HEAD : _HEAD + labels]
    own = sums[..., _HEAD + labels : _HEAD + 2 * labels]
    total = used.sum(axis=-1, keepdims=True)
    return 1 - ratio(own * (total - 1), 2 * used * (total - used))


def fleiss_kappa(sums: Sums, labels: int) -> NDArray[np.float64]:
    r"""Agreement beyond chance of many annotators; every unit has the same number of labels.

    .. math:: \kappa = \frac{\bar P - \bar P_e}{1 - \bar P_e}, \quad
       \bar P = \frac{1}{N} \sum_u \frac{\sum_l n_{ul} (n_{ul} - 1)}{m (m - 1)}, \quad
       \bar P_e = \sum_l p_l^2

    where :math:`n_{ul}` of the m labels of unit u are l, and :math:`p_l` is the share of label l
    among all. Fleiss (1971). With two annotators this is pooled kappa.

    >>> counts = [[2, 0]] * 300 + [[1, 1]] * 30 + [[0, 2]] * 70
    >>> fleiss_kappa(many_sums(counts).sum(axis=0), 2).round(3)
    np.float64(0.776)
    """
    used = sums[..., _HEAD : _HEAD + labels]
    share = ratio(used, used.sum(axis=-1, keepdims=True))
    return beyond_chance(ratio(sums[..., PAIRS_AGREE], sums[..., UNITS]), (share**2).sum(axis=-1))
