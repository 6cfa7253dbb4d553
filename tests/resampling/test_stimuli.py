"""Permutations and resamples of stimuli, against loops that do each by itself."""

from __future__ import annotations

import math
from itertools import permutations as orders

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from scipy.stats import pearsonr, spearmanr

from finegrain.metrics.influence import of_ranks
from finegrain.resampling import weighted
from finegrain.resampling.intervals import Drawing
from finegrain.resampling.stimuli import (
    correlated,
    drawn_interval,
    permuted,
    standardised,
)


def _matrices(size: int, seed: int = 0, noise: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    first = draw.normal(size=(size, 4))
    second = first + noise * draw.normal(size=(size, 4))
    return squareform(pdist(first)), squareform(pdist(second))


@pytest.mark.parametrize("ranked", [True, False])
def test_products_of_standardised_matrices_are_correlations(ranked: bool) -> None:
    one, other = _matrices(20)
    one = one.round(1)  # with ties
    upper = np.triu_indices(20, 1)
    oracle = (spearmanr if ranked else pearsonr)(one[upper], other[upper])[0]
    found = correlated(standardised(one, ranked=ranked), standardised(other, ranked=ranked))
    assert found == pytest.approx(oracle, abs=1e-12)


def test_permutations_are_those_of_a_plain_loop() -> None:
    """Rows and columns change places together; 70 stimuli take two tiles."""
    one, other = _matrices(70)
    upper = np.triu_indices(70, 1)
    null = permuted(standardised(one), [standardised(other)], permutations=5, seed=3)
    draw = np.random.default_rng(3)
    for found in null.values[0]:
        order = draw.permutation(70)
        moved = one[np.ix_(order, order)]
        assert found == pytest.approx(spearmanr(moved[upper], other[upper])[0], abs=1e-12)


def test_few_stimuli_have_all_their_orders() -> None:
    one, other = _matrices(5)
    null = permuted(standardised(one), [standardised(other)], permutations=200, seed=1)
    upper = np.triu_indices(5, 1)
    every = [
        spearmanr(one[np.ix_(order, order)][upper], other[upper])[0]
        for order in map(list, orders(range(5)))
    ]
    assert null.every
    assert sorted(null.values[0]) == pytest.approx(sorted(every), abs=1e-12)
    observed = correlated(standardised(one), standardised(other))
    exact = sum(value >= observed - 1e-9 for value in every) / 120
    assert null.p([observed]) == [pytest.approx(exact)]


def test_p_counts_the_data_among_random_orders() -> None:
    one, _ = _matrices(30)
    same = standardised(one)
    null = permuted(same, [same], permutations=99, seed=1)
    assert null.p([1.0]) == [0.01]
    assert math.isnan(null.p([math.nan])[0])


def test_p_is_uniform_where_nothing_is_shared() -> None:
    """Of 100 unrelated pairs about 10 have p up to .1: more than 20 has probability .0008."""
    draw = np.random.default_rng(5)
    low = 0
    for _ in range(100):
        one, other = (standardised(squareform(pdist(draw.normal(size=(15, 3))))) for _ in range(2))
        null = permuted(one, [other], permutations=99, seed=int(draw.integers(1 << 30)))
        low += null.p([correlated(one, other)])[0] <= 0.1
    assert low <= 20


def test_influences_are_derivatives() -> None:
    """How rho of weighted rows changes with the weight of one row, by finite differences."""
    from finegrain.metrics.ranked import correlation

    draw = np.random.default_rng(2)
    rows = draw.normal(size=(60, 2))
    rows[:, 1] += rows[:, 0]
    rows = rows.round(1)  # with ties
    value, changes = of_ranks(rows)
    assert value == pytest.approx(spearmanr(*rows.T)[0], abs=1e-12)
    scaled = 1e6  # so that a weight of one row is little, and ties of copies show as they are
    for row in range(0, 60, 7):
        weights = np.full((1, 60), scaled)
        weights[0, row] += scaled * 1e-4
        slope = (correlation(rows, weights)[0] - value) / 1e-4 * 60
        assert changes[row] == pytest.approx(slope, abs=0.02)


@pytest.mark.parametrize("ranked", [True, False])
def test_both_ways_to_intervals_agree(
    ranked: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, other = _matrices(100, noise=1.5)
    by_influence = drawn_interval(one, other, Drawing(1000), ranked=ranked)
    monkeypatch.setattr(weighted, "ANEW", 1 << 40)
    anew = drawn_interval(one, other, Drawing(1000), ranked=ranked)
    assert by_influence == pytest.approx(anew, abs=0.01)
    assert by_influence != anew


def test_a_stimulus_makes_no_pair_with_its_copy() -> None:
    """A resample by hand: stimulus 0 twice, 2 left out; the pair of both copies does not count."""
    from finegrain.metrics.regression import pearson
    from finegrain.metrics.weighing import Weighing
    from finegrain.resampling.weighted import Observed

    one, other = _matrices(4)
    upper = np.triu_indices(4, 1)
    rows = np.stack([other[upper], one[upper]], axis=1)
    given = Observed.of_rows(rows, [np.stack(upper, axis=1)], [4])
    found = Weighing(pearson)(given.drawn(lambda: iter([np.array([[2.0, 1, 0, 1]])]), 1))[0]
    drawn = [0, 0, 1, 3]
    pairs = [(a, b) for at, a in enumerate(drawn) for b in drawn[at + 1 :] if a != b]
    assert len(pairs) == 5
    x, y = zip(*((one[pair], other[pair]) for pair in pairs), strict=True)
    assert found == pytest.approx(pearsonr(x, y)[0], abs=1e-12)


def test_intervals_cover_what_is_true() -> None:
    """40 of 60 stimuli of one population: the interval of 95 % holds its correlation mostly."""
    draw = np.random.default_rng(8)
    points = draw.normal(size=(3000, 3))
    seen = points + draw.normal(size=(3000, 3))
    upper = np.triu_indices(1500, 1)
    truth = spearmanr(pdist(points[:1500]), pdist(seen[:1500]))[0]
    del upper
    inside = 0
    for _ in range(60):
        rows = draw.choice(3000, 40, replace=False)
        low, high = drawn_interval(
            squareform(pdist(points[rows])), squareform(pdist(seen[rows])), Drawing(200)
        )
        inside += low <= truth <= high
    assert inside >= 52
