"""Systems stand in the best order that average linkage leaves."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.cluster import hierarchy

from finegrain.analyses.compare.similar_neighbours import similar_neighbours
from tests.command_line import environment


def _distances(members: int, seed: int) -> Any:
    """Of points in space, every third time any numbers."""
    generator = np.random.default_rng(seed)
    points = generator.random((members, 3))
    distance = np.abs(points[:, None] - points).sum(axis=2)
    if seed % 3 == 0:
        distance = generator.random((members, members))
    distance = (distance + distance.T) / 2
    np.fill_diagonal(distance, 0)
    return distance


def _orders(tree: Any, node: int, members: int) -> Iterator[list[int]]:
    """Every order of a tree of scipy: each joint as it is and turned round."""
    if node < members:
        yield [node]
        return
    one, other = (int(child) for child in tree[node - members, :2])
    for first in _orders(tree, one, members):
        for second in _orders(tree, other, members):
            yield first + second
            yield second + first


def _length(distance: Any, order: list[int]) -> float:
    return float(sum(distance[one, other] for one, other in pairwise(order)))


@pytest.mark.parametrize("seed", range(30))
def test_no_order_of_the_tree_has_closer_neighbours(seed: int) -> None:
    members = 3 + seed % 5
    distance = _distances(members, seed)
    tree = hierarchy.linkage(distance[np.triu_indices(members, 1)], method="average")
    known = list(_orders(tree, 2 * members - 2, members))
    found = similar_neighbours(distance)
    assert found in known
    assert _length(distance, found) == pytest.approx(min(_length(distance, one) for one in known))


@pytest.mark.parametrize("members", [1, 2])
def test_one_or_two_stand_as_they_are(members: int) -> None:
    assert similar_neighbours(_distances(members, 1)) == list(range(members))


def test_equal_distances_give_some_order() -> None:
    assert sorted(similar_neighbours(1.0 - np.eye(9))) == list(range(9))


def test_many_systems_are_compared_without_scipy() -> None:
    code = "import sys, finegrain as fg\nplay = fg.simulate(tokens=500, seed=1)\n"
    code += "fg.differences(fg.align(play.gold, play.systems))\nprint('scipy' in sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    assert shown.stdout.strip() == "False"
