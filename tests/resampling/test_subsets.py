"""Shuffles, exchanges and what is worked out of them: right, and only what matters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finegrain.resampling import against_rest as module
from finegrain.resampling.against_rest import Clusters, Family, Shuffle, against_rest, given_other
from finegrain.resampling.max_t import Limits, Observed, critical, settled, step_down
from finegrain.resampling.shuffling import everywhere, within_clusters
from finegrain.resampling.subsets import Subsets, cells_of, kinds_of
from finegrain.resampling.swapped_subsets import Outputs, swapped


def _wrong(seed: int, size: int, rate: float) -> np.ndarray:
    return np.random.default_rng(seed).random(size) < rate


def _seen(
    shuffled: Callable[[np.random.Generator], np.ndarray], times: int
) -> Counter[tuple[int, ...]]:
    generator = np.random.default_rng(1)
    return Counter(tuple(np.flatnonzero(shuffled(generator)).tolist()) for _ in range(times))


@pytest.mark.parametrize("errors", [1, 2, 4, 5])
def test_every_set_of_wrong_items_is_equally_likely_everywhere(errors: int) -> None:
    wrong = np.arange(6) < errors
    found = _seen(everywhere(wrong), 12_000)
    assert sorted(found) == list(combinations(range(6), errors))
    expected = 12_000 / len(found)
    assert max(abs(times - expected) for times in found.values()) < 5 * expected**0.5


@pytest.mark.parametrize(("few", "at_least"), [(32, 100), (32, 0), (1, 0)])
def test_every_set_of_wrong_items_is_equally_likely_within_clusters(
    few: int, at_least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2 of 4, 3 of 4, 1 of 1 and 0 of 2 items: 6 x 4 sets; sorted, drawn, or some of both."""
    monkeypatch.setattr("finegrain.resampling.shuffling._FEW", few)
    monkeypatch.setattr("finegrain.resampling.shuffling._SORTED", at_least)
    cluster = np.array([0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 3])
    wrong = np.array([1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0], bool)
    found = _seen(within_clusters(wrong, cluster), 12_000)
    expected = {
        (*one, *(4 + at for at in other), 8)
        for one in combinations(range(4), 2)
        for other in combinations(range(4), 3)
    }
    assert set(found) == expected
    assert max(abs(times - 500) for times in found.values()) < 5 * 500**0.5


def test_large_shuffles_have_the_moments_of_drawing_without_replacement() -> None:
    """3,000 of 20,000 items: of the first 5,000, 750 with variance 750 x .85 x 15,000 / 19,999."""
    shuffled = everywhere(np.arange(20_000) < 3000)
    generator = np.random.default_rng(2)
    drawn = [shuffled(generator) for _ in range(2000)]
    assert {int(one.sum()) for one in drawn} == {3000}
    first = np.array([one[:5000].sum() for one in drawn])
    assert abs(first.mean() - 750) < 5 * (478 / 2000) ** 0.5
    assert first.var() == pytest.approx(750 * 0.85 * 15_000 / 19_999, rel=0.15)


@given(st.integers(0, 10_000))
@settings(max_examples=150, deadline=None)
def test_what_is_not_worked_out_changes_no_p_and_no_largest_or_smallest(seed: int) -> None:
    generator = np.random.default_rng(seed)
    tests, resamples = int(generator.integers(1, 12)), 20
    observed = generator.normal(0, 1.5, tests)
    exact = generator.normal(0, 1, (resamples, tests)).astype(np.float32)
    exact[generator.random(exact.shape) < 0.1] = 0
    far = (exact * (1 + generator.random(exact.shape))).astype(np.float32)
    asked = 0

    def one(row: int) -> np.ndarray:
        def value(test: int) -> float:
            nonlocal asked
            asked += 1
            return float(exact[row, test])

        return settled(
            Limits(np.minimum(far[row], 0), np.maximum(far[row], 0)), Observed.of(observed), value
        )

    drawn = np.stack([one(row) for row in range(resamples)])
    assert np.array_equal(step_down(observed, drawn), step_down(observed, exact))
    assert np.array_equal(drawn.max(axis=1), exact.max(axis=1))
    assert np.array_equal(drawn.min(axis=1), exact.min(axis=1))
    assert critical(drawn, level=0.9) == critical(exact, level=0.9)
    assert asked <= exact.size


def _subsets(seed: int, items: int) -> Subsets:
    """Two groupings of 3 and 4 subsets, of which some items have none."""
    generator = np.random.default_rng(seed)
    first = generator.integers(-1, 3, items)
    second = generator.integers(2, 7, items)
    return Subsets(np.stack([first, np.where(second == 2, -1, second)]).astype(np.int32), 7)


def test_cells_and_kinds_equal_counting() -> None:
    generator = np.random.default_rng(5)
    subsets, cluster = _subsets(5, 200), generator.integers(0, 12, 200)
    chosen = generator.random(200) < 0.3
    for of_item in (cluster, np.sort(cluster)):
        cells = cells_of(subsets, of_item)
        for subset in range(7):
            inside = subsets.members(subset)
            part = cells.of(slice(subset, subset + 1))
            held = np.unique(of_item[inside])
            assert cells.cluster[part].tolist() == held.tolist()
            expected = [int((chosen & inside & (of_item == one)).sum()) for one in held]
            assert cells.count(chosen, part).tolist() == expected
            assert cells.weigh(chosen.astype(float))[part].tolist() == expected
    found = kinds_of(subsets).weigh(chosen)
    assert found.tolist() == [int((chosen & subsets.members(one)).sum()) for one in range(7)]


def test_kinds_that_share_a_hash_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    subsets = _subsets(6, 60)
    monkeypatch.setattr(
        "finegrain.resampling.subsets._hashes",
        lambda given: np.zeros(given.codes.shape[1], np.uint64),
    )
    every = kinds_of(subsets).weigh(np.ones(60, bool))
    assert every.tolist() == subsets.counts().tolist()


def _against(shuffle: Shuffle) -> Family:
    generator = np.random.default_rng(8)
    cluster = np.sort(generator.integers(0, 20, 400))
    _, cluster = np.unique(cluster, return_inverse=True)
    return against_rest(
        _wrong(8, 400, 0.2), _subsets(8, 400), Clusters(cluster, shuffle), resamples=300
    )


@pytest.mark.parametrize("shuffle", ["everywhere", "within clusters"])
def test_values_that_are_not_worked_out_change_nothing(
    shuffle: Shuffle, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = _against(shuffle)
    monkeypatch.setattr(module, "_MANY", 0)
    lazy = _against(shuffle)
    for ours, expected in zip(
        (lazy.effect, lazy.low, lazy.high, lazy.p, lazy.value, lazy.threshold),
        (full.effect, full.low, full.high, full.p, full.value, full.threshold),
        strict=True,
    ):
        assert np.array_equal(ours, expected)


def test_the_variance_that_clusters_show_is_that_of_their_residuals() -> None:
    """Against the definition, with a loop over clusters."""
    generator = np.random.default_rng(9)
    wrong, subsets = _wrong(9, 120, 0.3), _subsets(9, 120)
    cluster = np.sort(generator.integers(0, 8, 120))
    whole, within = (
        module._studentised(kind.of(wrong, subsets, cluster), wrong)
        for kind in (module._Everywhere, module._Within)
    )
    for subset in range(7):
        inside = subsets.members(subset)
        share, rate = inside.mean(), wrong.mean()
        parts = [
            float((((inside - share) * (wrong - rate))[cluster == one]).sum()) for one in range(8)
        ]
        least = 120 * share * (1 - share) * rate * (1 - rate) * 120 / 119
        assert whole.spread[subset] ** 2 == pytest.approx(max(least, np.square(parts).sum()))
        beyond, weight = np.zeros(8), np.zeros(8)
        for one in range(8):
            here = cluster == one
            n, all_here = int((inside & here).sum()), int(here.sum())
            beyond[one] = (wrong & inside & here).sum() - n * wrong[here].mean()
            weight[one] = n * (all_here - n) / all_here
        slope = beyond.sum() / weight.sum()
        telling = np.count_nonzero(weight)
        shown = np.square(beyond - slope * weight).sum() * telling / (telling - 1)
        assert within.spread[subset] ** 2 >= shown - 1e-9
        assert within.total[subset] == pytest.approx(beyond.sum())


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
    clusters = Clusters(np.arange(400) // 20, "within clusters")
    more, less = (against_rest(wrong, one, clusters, resamples=50) for one in (subsets, fewer))
    assert np.allclose(more.effect[:3], less.effect, rtol=1e-12)  # items stand in another order
    assert np.allclose(more.value[:3], less.value, rtol=1e-12)


@pytest.mark.parametrize("shuffle", ["everywhere", "within clusters"])
def test_a_subset_explains_itself_and_nothing_of_one_beside_it(shuffle: Shuffle) -> None:
    cluster = np.repeat(np.arange(10), 20)
    wrong = _wrong(3, 200, 0.2)
    one, other = np.arange(200) % 4 == 0, np.arange(200) % 2 == 1
    clusters = Clusters(cluster, shuffle)
    assert given_other(wrong, one, one, clusters) == 0.0
    assert given_other(wrong, one, ~one, clusters) == 0.0
    assert abs(given_other(wrong, one, other, clusters)) > 0
