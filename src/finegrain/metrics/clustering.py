r"""Scores of clusters against classes.

All are functions of how many items of class i are in cluster j. What is observed of an item are its
class and its cluster; clusters of a resample are counted anew. With :math:`n_{ij}` those numbers,
:math:`a_i` the size of class i, :math:`b_j` that of cluster j and n all items.

>>> rows = np.array([[0, 0]] * 5 + [[1, 0]] + [[1, 1]] * 4 + [[0, 1], [2, 1]] + [[2, 2]] * 3
...                 + [[0, 2]] * 2, float)                        # class, cluster
>>> purity(rows, np.ones((1, 17))).round(3).tolist()              # (5 + 4 + 3) / 17
[0.706]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from finegrain.alignment.clustering import CLUSTER
from finegrain.metrics.class_scores import CORRELATION
from finegrain.metrics.contingency import (
    Counts,
    counts,
    expected_information,
    grouped,
    information,
    pairs,
)
from finegrain.metrics.metric import Listed, Metric, ratio
from finegrain.metrics.options import MetricOptions
from finegrain.metrics.weighing import Floats, Observing, Weighing, Weighted
from finegrain.table import OutcomeTable

_EPSILON = float(np.finfo(np.float64).eps)


def observed(table: OutcomeTable) -> Floats:
    """``[unit, system, (class, cluster)]``."""
    cluster = table.details[CLUSTER].astype(np.float64)
    return np.stack([np.broadcast_to(table.label[:, None], cluster.shape), cluster], axis=-1)


def purity(rows: Floats, weights: Floats) -> Floats:
    r"""Purity: the share of items that have the most frequent class of their cluster.

    .. math:: \frac{1}{n} \sum_j \max_i n_{ij}

    From near 0 to 1, which clusters of one item each reach, too. Three clusters of 6, 6 and 5 items
    whose largest classes have 5, 4 and 3: 12 / 17 = 0.706.

    >>> rows = np.array([[0, 0], [0, 0], [1, 0], [1, 1]], float)
    >>> purity(rows, np.ones((1, 4))).tolist()                                       # (2 + 1) / 4
    [0.75]
    """
    found = counts(rows, weights)
    return ratio(grouped(np.maximum, found.n, found.of_cluster).sum(axis=1), found.size)


def inverse_purity(rows: Floats, weights: Floats) -> Floats:
    r"""Inverse purity: the share of items that are in the most frequent cluster of their class.

    .. math:: \frac{1}{n} \sum_i \max_j n_{ij}

    From near 0 to 1, which a single cluster of all items reaches, too.

    >>> rows = np.array([[0, 0], [0, 0], [1, 0], [1, 1]], float)
    >>> inverse_purity(rows, np.ones((1, 4))).tolist()                               # (2 + 1) / 4
    [0.75]
    """
    found = counts(rows, weights)
    return ratio(grouped(np.maximum, found.n, found.of_class).sum(axis=1), found.size)


def purity_f1(rows: Floats, weights: Floats) -> Floats:
    r"""Harmonic mean of purity and inverse purity.

    .. math:: \frac{2 P I}{P + I}

    where P is purity and I inverse purity.

    >>> purity_f1(np.array([[0, 0], [0, 0], [1, 0]], float), np.ones((1, 3))).round(3).tolist()
    [0.8]
    """
    return _harmonic(purity(rows, weights), inverse_purity(rows, weights))


def _harmonic(one: Floats, two: Floats) -> Floats:
    total = one + two
    mean: Floats = np.where(total == 0, 0.0, 2 * one * two / np.where(total == 0, 1, total))
    return mean


def _defined(values: Floats, found: Counts) -> Floats:
    return np.where(found.size > 0, values, np.nan)


def _share(part: Floats, whole: Floats) -> Floats:
    return np.where(whole == 0, 1.0, part / np.where(whole == 0, 1, whole))


def homogeneity(rows: Floats, weights: Floats) -> Floats:
    r"""Homogeneity: how far clusters hold one class each.

    .. math:: h = \frac{I(C, K)}{H(C)}

    where I is the mutual information of classes C and clusters K, and H entropy.
    1 with one class.

    >>> homogeneity(np.array([[0, 0], [0, 1], [1, 2], [1, 2]], float), np.ones((1, 4))).tolist()
    [1.0]
    """
    found = counts(rows, weights)
    told = information(found)
    return _defined(_share(told.mutual, told.of_classes), found)


def completeness(rows: Floats, weights: Floats) -> Floats:
    r"""Completeness: how far classes are in one cluster each.

    .. math:: c = \frac{I(C, K)}{H(K)}

    where I is the mutual information of classes C and clusters K, and H entropy.
    1 with one cluster.

    >>> completeness(np.array([[0, 0], [0, 1], [1, 2], [1, 2]], float), np.ones((1, 4))).round(3)
    array([0.667])
    """
    found = counts(rows, weights)
    told = information(found)
    return _defined(_share(told.mutual, told.of_clusters), found)


def v_measure(rows: Floats, weights: Floats) -> Floats:
    r"""V-measure: the harmonic mean of homogeneity and completeness.

    .. math:: V = \frac{2 h c}{h + c}

    where h is homogeneity and c completeness. Equal to NMI by the arithmetic mean, except that one
    class in one cluster is the only trivial case that counts as perfect there.

    >>> v_measure(np.array([[0, 0], [0, 1], [1, 2], [1, 2]], float), np.ones((1, 4))).round(3)
    array([0.8])
    """
    found = counts(rows, weights)
    told = information(found)
    parts = (_share(told.mutual, told.of_classes), _share(told.mutual, told.of_clusters))
    return _defined(_harmonic(*parts), found)


def nmi(rows: Floats, weights: Floats) -> Floats:
    r"""Normalised mutual information, by the arithmetic mean of entropies.

    .. math:: \frac{2 I(C, K)}{H(C) + H(K)}

    where I is the mutual information of classes C and clusters K, and H entropy; 1 if there is one
    class and one cluster, as scikit-learn has it. Not corrected for chance: it grows with the
    number of clusters.

    >>> nmi(np.array([[0, 0], [0, 1], [1, 2], [1, 2]], float), np.ones((1, 4))).round(3)
    array([0.8])
    """
    found = counts(rows, weights)
    told = information(found)
    return _defined(_share(told.mutual, (told.of_classes + told.of_clusters) / 2), found)


def ami(rows: Floats, weights: Floats) -> Floats:
    r"""Adjusted mutual information: beyond what clusters of these sizes have by chance.

    .. math:: \frac{I(C, K) - E[I]}{\frac{1}{2} (H(C) + H(K)) - E[I]}

    where I is the mutual information of classes C and clusters K, H entropy, and E[I] its mean over
    all ways to fill classes and clusters of these sizes (Vinh, Epps and Bailey 2010). 0 by chance,
    1 for the classes themselves, be they one or as many as items.

    >>> ami(np.array([[0, 0], [0, 0], [1, 1], [1, 1]], float), np.ones((1, 4))).round(6).tolist()
    [1.0]
    """
    found = counts(rows, weights)
    told = information(found)
    expected = np.array([
        expected_information(one, two, int(size))
        for one, two, size in zip(found.classes, found.clusters, found.size, strict=True)
    ])  # fmt: skip
    middle = (told.of_classes + told.of_clusters) / 2 - expected
    bounded = np.where(middle < 0, np.minimum(middle, -_EPSILON), np.maximum(middle, _EPSILON))
    same = (told.mutual == told.of_classes) & (told.mutual == told.of_clusters)
    return _defined(np.where(same, 1.0, (told.mutual - expected) / bounded), found)


def ari(rows: Floats, weights: Floats) -> Floats:
    r"""Adjusted Rand index: agreement about pairs of items beyond chance (Hubert and Arabie 1985).

    .. math:: \frac{2 (t u - s d)}{(t + s)(s + u) + (t + d)(d + u)}

    where t pairs are together in classes and clusters, u in neither, d in a cluster only and s in a
    class only. 0 by chance, 1 for the classes themselves; it can be negative.

    >>> ari(np.array([[0, 0], [0, 0], [1, 1], [1, 2]], float), np.ones((1, 4))).round(4).tolist()
    [0.5714]
    """
    found = counts(rows, weights)
    together, only_cluster, only_class, apart = pairs(found)
    numerator = 2 * (together * apart - only_class * only_cluster)
    denominator = (together + only_class) * (only_class + apart)
    denominator += (together + only_cluster) * (only_cluster + apart)
    same = (only_class == 0) & (only_cluster == 0)
    value = numerator / np.where(denominator == 0, 1, denominator)
    return _defined(np.where(same, 1.0, value), found)


def pairwise_f1(rows: Floats, weights: Floats) -> Floats:
    r"""F1 of pairs of items: together in a cluster, and together in a class.

    .. math:: \frac{2 t}{2 t + d + s}

    where t pairs are together in classes and clusters, d in a cluster only, s in a class only.
    Undefined (nan) where no two items are together in either.

    >>> pairwise_f1(np.array([[0, 0], [0, 0], [1, 0]], float), np.ones((1, 3))).tolist()  # t 1, d 2
    [0.5]
    """
    found = pairs(counts(rows, weights))
    return ratio(2 * found.both, 2 * found.both + found.cluster + found.klass)


def bcubed_precision(rows: Floats, weights: Floats) -> Floats:
    r"""B-cubed precision: the mean over items of the share of their cluster that has their class.

    .. math:: \frac{1}{n} \sum_{ij} \frac{n_{ij}^2}{b_j}

    >>> rows = np.array([[0, 0], [0, 0], [1, 0]], float)
    >>> bcubed_precision(rows, np.ones((1, 3))).round(4).tolist()         # (2/3 + 2/3 + 1/3) / 3
    [0.5556]
    """
    found = counts(rows, weights)
    shares = found.n**2 / np.maximum(found.clusters[:, found.of_cluster], 1)
    return ratio(shares.sum(axis=1), found.size)


def bcubed_recall(rows: Floats, weights: Floats) -> Floats:
    r"""B-cubed recall: the mean over items of the share of their class that is in their cluster.

    .. math:: \frac{1}{n} \sum_{ij} \frac{n_{ij}^2}{a_i}

    >>> rows = np.array([[0, 0], [0, 1], [1, 1]], float)
    >>> bcubed_recall(rows, np.ones((1, 3))).round(4).tolist()            # (1/2 + 1/2 + 1) / 3
    [0.6667]
    """
    found = counts(rows, weights)
    shares = found.n**2 / np.maximum(found.classes[:, found.of_class], 1)
    return ratio(shares.sum(axis=1), found.size)


def bcubed_f1(rows: Floats, weights: Floats) -> Floats:
    r"""B-cubed F1: the harmonic mean of B-cubed precision and recall.

    .. math:: \frac{2 P R}{P + R}

    >>> rows = np.array([[0, 0], [0, 0], [1, 0]], float)
    >>> bcubed_f1(rows, np.ones((1, 3))).round(4).tolist()                # P 5/9, R 1
    [0.7143]
    """
    return _harmonic(bcubed_precision(rows, weights), bcubed_recall(rows, weights))


def _metric(
    name: str, summary: str, reference: str, score: Weighted, heading: str, **more: Any
) -> Metric:
    return Metric(
        name, _OBSERVED, Weighing(score), summary, reference, short=name, definition=score,
        needs=(CLUSTER,), heading=heading, exchangeable=False, **more,
    )  # fmt: skip


_OBSERVED = Observing(observed)
_V = "Rosenberg and Hirschberg (2007)"
_B3 = "Bagga and Baldwin (1998)"
_PURITY = "Zhao and Karypis (2001)"
CLUSTER_METRICS: tuple[Metric, ...] = (
    _metric("purity", "share of items with the most frequent class of their cluster", _PURITY,
            purity, "purity", listed=Listed(2)),
    _metric("inverse_purity", "share of items in the most frequent cluster of their class",
            _PURITY, inverse_purity, "inverse", listed=Listed(2)),
    _metric("purity_f1", "harmonic mean of purity and inverse purity", "Amigó et al. (2009)",
            purity_f1, "purity F1", listed=Listed(3)),
    _metric("nmi", "normalised mutual information, arithmetic mean", "Strehl and Ghosh (2002)", nmi,
            "NMI", listed=Listed(3)),
    _metric("ari", "agreement about pairs of items beyond chance", "Hubert and Arabie (1985)", ari,
            "ARI", scale=CORRELATION, listed=Listed(2)),
    _metric("v_measure", "harmonic mean of homogeneity and completeness", _V, v_measure, "V",
            listed=Listed(2)),
    _metric("homogeneity", "how far clusters hold one class each", _V, homogeneity, "homogeneity",
            listed=Listed(3)),
    _metric("completeness", "how far classes are in one cluster each", _V, completeness,
            "completeness", listed=Listed(3)),
    _metric("bcubed_precision", "mean share of an item's cluster that has its class", _B3,
            bcubed_precision, "B³ P", listed=Listed(3)),
    _metric("bcubed_recall", "mean share of an item's class that is in its cluster", _B3,
            bcubed_recall, "B³ R", listed=Listed(3)),
    _metric("bcubed_f1", "harmonic mean of B-cubed precision and recall", _B3, bcubed_f1, "B³ F1",
            listed=Listed(0)),
    _metric("pairwise_f1", "F1 of pairs of items that are together", "Manning, Raghavan and "
            "Schütze (2008), chapter 16", pairwise_f1, "pairs F1", listed=Listed(2),
            undefined="no two items are together"),
)  # fmt: skip
FURTHER_CLUSTER_METRICS: tuple[Metric, ...] = (
    _metric("ami", "mutual information beyond chance", "Vinh, Epps and Bailey (2010)", ami, "AMI",
            scale=CORRELATION),
)  # fmt: skip


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """The metrics of clusters, about which nothing can be chosen."""
    return CLUSTER_METRICS


def further_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """What takes time, and is computed if it is named."""
    return FURTHER_CLUSTER_METRICS
