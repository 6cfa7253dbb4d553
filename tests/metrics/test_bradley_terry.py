"""Bradley-Terry strengths: closed forms, another optimiser, symmetry, what has no estimate."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from finegrain.metrics.bradley_terry import groups, have_maximum, pairwise_wins, strengths


def test_two_systems_have_the_log_odds_of_their_wins() -> None:
    # 7 wins, 3 losses and 2 ties, which count half: odds 8 : 4, log odds log 2, centred at 0
    found = strengths(np.array([[0.0, 8.0], [4.0, 0.0]]))
    assert found == pytest.approx([math.log(2) / 2, -math.log(2) / 2], abs=1e-12)


def test_three_systems_in_a_ring_are_equal() -> None:
    # a beats b, b beats c, c beats a, once each: nothing tells them apart
    ring = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert strengths(ring) == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)


def _optimised(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same by minimising the negative log-likelihood with scipy."""
    from scipy.optimize import minimize  # type: ignore[import-untyped]

    def loss(theta: NDArray[np.float64]) -> float:
        apart = theta[:, None] - theta
        return float((wins * np.logaddexp(0, -apart)).sum() + theta.sum() ** 2)

    found = minimize(loss, np.zeros(len(wins)), method="BFGS", options={"gtol": 1e-9}).x
    return np.asarray(found - found.mean())


@settings(max_examples=500, deadline=None)
@given(st.integers(2, 6).flatmap(lambda n: arrays(np.int64, (n, n), elements=st.integers(0, 9))))
def test_strengths_are_those_of_another_optimiser(counts: NDArray[np.int64]) -> None:
    wins = counts / 2.0
    np.fill_diagonal(wins, 0)
    if not have_maximum(wins[None])[0]:
        assert np.isnan(strengths(wins)).all()
        return
    assert strengths(wins) == pytest.approx(_optimised(wins), abs=1e-4)


@given(arrays(np.int64, (4, 4), elements=st.integers(1, 9)), st.permutations(range(4)))
def test_order_of_systems_is_irrelevant_and_turning_wins_turns_signs(
    counts: NDArray[np.int64], order: list[int]
) -> None:
    wins = counts.astype(float)
    np.fill_diagonal(wins, 0)
    found = strengths(wins)
    assert strengths(wins[np.ix_(order, order)]) == pytest.approx(found[order], abs=1e-9)
    assert strengths(wins.T) == pytest.approx(-found, abs=1e-9)


def test_many_draws_at_once_are_those_one_by_one() -> None:
    wins = np.random.default_rng(1).integers(0, 4, (20, 3, 3)).astype(float)
    wins[:, range(3), range(3)] = 0
    apart = np.stack([strengths(one) for one in wins])
    np.testing.assert_allclose(strengths(wins), apart, atol=1e-9)


def test_a_system_that_always_wins_has_no_estimate() -> None:
    assert np.isnan(strengths(np.array([[0.0, 3, 1], [0, 0, 2], [0, 2, 0]]))).all()


def test_systems_that_are_never_compared_are_in_other_groups() -> None:
    wins = np.zeros((4, 4))
    wins[0, 1] = wins[1, 0] = wins[2, 3] = 1
    assert groups(wins) == [[0, 1], [2, 3]]


def test_scores_of_a_rater_become_wins_and_half_wins() -> None:
    # 5 > 3 = 3, and the last system was not rated
    wins = pairwise_wins(np.array([[5.0, 3.0, 3.0, np.nan]]))[0]
    assert wins.tolist() == [[0, 1, 1, 0], [0, 0, 0.5, 0], [0, 0.5, 0, 0], [0, 0, 0, 0]]
