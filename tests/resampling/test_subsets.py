"""Cells of subsets, tests of subsets against the rest, and exchanges within them."""

from __future__ import annotations

import numpy as np
import pytest

from finegrain.resampling.against_rest import Clusters, against_rest, given_other
from finegrain.resampling.subsets import Subsets, cells_of
from finegrain.resampling.swapped_subsets import Outputs, swapped


def _wrong(seed: int, size: int, rate: float) -> np.ndarray:
    return np.random.default_rng(seed).random(size) < rate


def _subsets(seed: int, items: int) -> Subsets:
    """Two groupings of 3 and 4 subsets, of which some items have none."""
    generator = np.random.default_rng(seed)
    first = generator.integers(-1, 3, items)
    second = generator.integers(2, 7, items)
    return Subsets(np.stack([first, np.where(second == 2, -1, second)]).astype(np.int32), 7)


def test_cells_equal_counting() -> None:
    generator = np.random.default_rng(5)
    subsets, cluster = _subsets(5, 200), generator.integers(0, 12, 200)
    chosen = generator.random(200) < 0.3
    for of_item in (cluster, np.sort(cluster)):
        cells = cells_of(subsets, of_item)
        for subset in range(7):
            inside = subsets.members(subset)
            part = slice(*cells.starts[subset : subset + 2].tolist())
            held = np.unique(of_item[inside])
            assert cells.cluster[part].tolist() == held.tolist()
            expected = [int((chosen & inside & (of_item == one)).sum()) for one in held]
            assert cells.weigh(chosen.astype(float))[part].tolist() == expected


def test_exchanges_reach_every_sign_and_are_independent_of_the_order_of_systems() -> None:
    """Three clusters that differ by 3, 1 and -1: of 8 exchanges 4 have |T| >= 3, so p = .5."""
    hits = np.zeros((9, 2), bool)
    hits[:3, 1] = hits[3, 1] = hits[6, 0] = True
    cluster = np.repeat([0, 1, 2], 3)
    every = Subsets(np.zeros((1, 9), np.int32), 1)
    sizes = np.ones_like(hits)
    found = swapped(Outputs(hits, sizes), every, cluster, resamples=4000)
    turned = swapped(Outputs(hits[:, ::-1], sizes), every, cluster, resamples=4000)
    assert found.effect.tolist() == [pytest.approx(3 / 9)]
    assert found.p.tolist() == turned.p.tolist()
    assert found.low.tolist() == [pytest.approx(-high) for high in turned.high.tolist()]


def test_adding_a_subset_leaves_effects_of_others_unchanged() -> None:
    wrong, subsets = _wrong(10, 400, 0.2), _subsets(10, 400)
    fewer = Subsets(subsets.codes[:1], 3)
    clusters = Clusters(np.arange(400) // 20, within=True)
    more, less = (against_rest(wrong, one, clusters, resamples=50) for one in (subsets, fewer))
    assert np.allclose(more.effect[:3], less.effect, rtol=1e-12)  # items stand in another order
    assert np.allclose(more.value[:3], less.value, rtol=1e-12)


@pytest.mark.parametrize("within", [False, True])
def test_a_subset_explains_itself_and_nothing_of_one_beside_it(within: bool) -> None:
    cluster = np.repeat(np.arange(10), 20)
    wrong = _wrong(3, 200, 0.2)
    one, other = np.arange(200) % 4 == 0, np.arange(200) % 2 == 1
    clusters = Clusters(cluster, within)
    assert given_other(wrong, one, one, clusters) == 0.0
    assert given_other(wrong, one, ~one, clusters) == 0.0
    assert abs(given_other(wrong, one, other, clusters)) > 0
