r"""How many items of each class are in each cluster, for many weights at once.

>>> rows = np.array([[0, 0], [0, 0], [1, 0], [1, 1]], float)          # class, cluster
>>> found = counts(rows, np.array([[1.0, 1, 1, 1], [2, 0, 0, 1]]))
>>> found.n.tolist(), found.clusters.tolist()
([[2.0, 1.0, 1.0], [2.0, 0.0, 1.0]], [[3.0, 1.0], [2.0, 1.0]])
>>> pairs(found).both.tolist()                                        # of items
[1.0, 1.0]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.weighing import Floats

_TINY = 1e-13  # of information: a rounding error


class Counts(NamedTuple):
    """``n`` ``[draw, pair]`` items of each class in each cluster that has some; the class and the
    cluster of every pair; ``[draw, class]`` and ``[draw, cluster]`` sizes; ``[draw]`` all items.
    """

    n: Floats
    of_class: NDArray[np.int64]
    of_cluster: NDArray[np.int64]
    classes: Floats
    clusters: Floats
    size: Floats


def counts(rows: Floats, weights: Floats) -> Counts:
    _, one = np.unique(rows[:, 0], return_inverse=True)
    _, two = np.unique(rows[:, 1], return_inverse=True)
    width = int(two.max(initial=0)) + 1
    keys, code = np.unique(one.ravel().astype(np.int64) * width + two.ravel(), return_inverse=True)
    order = np.argsort(code.ravel(), kind="stable")
    starts = np.searchsorted(code.ravel()[order], np.arange(len(keys)))
    n = np.add.reduceat(weights[:, order], starts, axis=1)
    of_class, of_cluster = np.divmod(keys, width)
    return Counts(
        n, of_class, of_cluster, grouped(np.add, n, of_class), grouped(np.add, n, of_cluster),
        weights.sum(axis=1),
    )  # fmt: skip


def grouped(how: np.ufunc, n: Floats, group: NDArray[np.int64]) -> Floats:
    """``[draw, group]`` sums or maxima of pairs."""
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(int(group.max(initial=0)) + 1))
    found: Floats = how.reduceat(n[:, order], starts, axis=1)
    return found


class Information(NamedTuple):
    """``[draw]`` mutual information and entropies of classes and clusters, in nats."""

    mutual: Floats
    of_classes: Floats
    of_clusters: Floats


def entropy(sizes: Floats, total: Floats) -> Floats:
    share = sizes / np.maximum(total, 1)[:, None]
    told: Floats = -(share * np.log(np.where(share > 0, share, 1))).sum(axis=1)
    return told


def information(found: Counts) -> Information:
    of_classes, of_clusters = (
        np.where((sizes > 0).sum(axis=1) <= 1, 0.0, entropy(sizes, found.size))
        for sizes in (found.classes, found.clusters)
    )
    mutual = of_classes + of_clusters - entropy(found.n, found.size)
    alike = np.abs(of_classes - of_clusters) < _TINY
    of_clusters = np.where(alike, of_classes, of_clusters)
    least = np.minimum(of_classes, of_clusters)
    mutual = np.where(least - mutual < _TINY, least, mutual)
    trivial = (of_classes == 0) | (of_clusters == 0) | (mutual < _TINY)
    return Information(np.where(trivial, 0.0, mutual), of_classes, of_clusters)


class Pairs(NamedTuple):
    """``[draw]`` pairs of items that are together in both, in a cluster only, in a class only,
    and in neither.
    """

    both: Floats
    cluster: Floats
    klass: Floats
    neither: Floats


def pairs(found: Counts) -> Pairs:
    squares = (found.n**2).sum(axis=1)
    of_classes, of_clusters = ((one**2).sum(axis=1) for one in (found.classes, found.clusters))
    both = (squares - found.size) / 2
    in_cluster, in_class = (of_clusters - squares) / 2, (of_classes - squares) / 2
    every = found.size * (found.size - 1) / 2
    return Pairs(both, in_cluster, in_class, every - both - in_cluster - in_class)


def expected_information(classes: Floats, clusters: Floats, size: int) -> float:
    """The mean mutual information of classes and clusters of these sizes, by chance."""
    if size == 0:
        return 0.0
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, size + 1)))])  # of factorials
    one, times = np.unique(classes[classes > 0].astype(np.int64), return_counts=True)
    two, again = np.unique(clusters[clusters > 0].astype(np.int64), return_counts=True)
    total = 0.0
    for a, of_a in zip(one.tolist(), times.tolist(), strict=True):
        for b, of_b in zip(two.tolist(), again.tolist(), strict=True):
            n = np.arange(max(1, a + b - size), min(a, b) + 1)
            chance = np.exp(
                logs[a] + logs[b] + logs[size - a] + logs[size - b] - logs[size] - logs[n]
                - logs[a - n] - logs[b - n] - logs[size - a - b + n]
            )  # fmt: skip
            told = n / size * (np.log(n) + np.log(size) - np.log(a) - np.log(b))
            total += of_a * of_b * float((told * chance).sum())
    return total
