"""An order in which what is similar stands side by side: leaves of a tree of clusters.

Clusters are joined by the mean distance between their members (average linkage). Each of the n - 1
joints may be turned round; of the 2^(n-1) orders that this gives, the one with the smallest sum of
distances between neighbours is found exactly, as Bar-Joseph, Gifford and Jaakkola (2001) do: the
best order of a cluster that begins and ends with two given members is made of the best ones of its
two parts.

>>> similar_neighbours(np.array([[0, 9, 1.0], [9, 0, 8], [1, 8, 0]]))
[0, 2, 1]

scipy has both, but takes longer to import than a dozen systems take to compare.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


class _Cluster(NamedTuple):
    """``members``, and ``cost`` ``[first, last]`` of the best order with these ends.

    Cost is infinite for two ends that no order has; ``parts`` are none for a single member.
    """

    members: list[int]
    cost: Matrix
    parts: tuple[_Cluster, _Cluster] | None = None


def similar_neighbours(distance: Matrix) -> list[int]:
    """Members in order, from a symmetric matrix ``[member, member]``."""
    clusters = {place: _Cluster([place], np.zeros((1, 1))) for place in range(len(distance))}
    between = distance.astype(float)
    np.fill_diagonal(between, np.inf)
    while len(clusters) > 1:
        kept, gone = sorted(divmod(int(np.argmin(between)), len(between)))
        sizes = [len(clusters[place].members) for place in (kept, gone)]
        merged = (sizes[0] * between[kept] + sizes[1] * between[gone]) / sum(sizes)
        between[kept], between[:, kept], between[kept, kept] = merged, merged, np.inf
        between[gone], between[:, gone] = np.inf, np.inf
        clusters[kept] = _joined(clusters[kept], clusters.pop(gone), distance)
    (last,) = clusters.values()
    return _order(last, *divmod(int(np.argmin(last.cost)), len(last.members)), distance)


def _joined(one: _Cluster, other: _Cluster, distance: Matrix) -> _Cluster:
    members = [*one.members, *other.members]
    across = _least(_least(one.cost, distance[np.ix_(one.members, other.members)]), other.cost)
    cost, size = np.full((len(members), len(members)), np.inf), len(one.members)
    cost[:size, size:], cost[size:, :size] = across, across.T
    return _Cluster(members, cost, (one, other))


def _least(first: Matrix, second: Matrix) -> Matrix:
    """``[row, column]`` the least sum of a number of the row and one of the column."""
    return np.stack([(row[:, None] + second).min(axis=0) for row in first])


def _order(cluster: _Cluster, first: int, last: int, distance: Matrix) -> list[int]:
    """The best order of a cluster that begins and ends with these of its members."""
    if cluster.parts is None:
        return cluster.members
    one, other = cluster.parts
    size = len(one.members)
    if first >= size:
        return _order(cluster, last, first, distance)[::-1]
    last -= size
    through = distance[np.ix_(one.members, other.members)]
    costs = one.cost[first][:, None] + through + other.cost[:, last]
    end, begin = divmod(int(np.argmin(costs)), len(other.members))
    return [*_order(one, first, end, distance), *_order(other, begin, last, distance)]
