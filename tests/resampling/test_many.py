"""Corrections, groups, ranks and power."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from finegrain.resampling.many import benjamini_hochberg, holm, letters, ranks
from finegrain.resampling.power import Spread, detectable, needed, power

PS = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_holm_by_hand() -> None:
    """Sorted .005 .01 .03 .04, times 4, 3, 2, 1: .02 .03 .06 .04; rising: .02 .03 .06 .06."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@given(PS)
@settings(max_examples=100, deadline=None)
def test_benjamini_hochberg_agrees_with_scipy(given_ps: list[float]) -> None:
    assert benjamini_hochberg(given_ps) == pytest.approx(stats.false_discovery_control(given_ps))


@given(PS)
@settings(max_examples=100, deadline=None)
def test_corrections_keep_the_order_and_only_raise(given_ps: list[float]) -> None:
    for correct in (holm, benjamini_hochberg):
        adjusted = correct(given_ps)
        assert all(one >= p - 1e-12 for one, p in zip(adjusted, given_ps, strict=True))
        assert all(one <= 1 for one in adjusted)
        order = np.argsort(given_ps, kind="stable")
        assert (np.diff(np.array(adjusted)[order]) >= -1e-12).all()
    assert max(holm(given_ps)) >= max(benjamini_hochberg(given_ps)) - 1e-12


def test_undefined_p_are_no_tests() -> None:
    assert holm([0.02, math.nan, 0.01])[::2] == pytest.approx([0.02, 0.02])
    assert math.isnan(holm([0.02, math.nan])[1])
    assert math.isnan(benjamini_hochberg([math.nan])[0])


@given(st.integers(1, 7), st.data())
@settings(max_examples=100, deadline=None)
def test_systems_share_a_letter_if_and_only_if_they_may_be_equal(
    size: int, data: st.DataObject
) -> None:
    different = np.zeros((size, size), bool)
    for one, other in combinations(range(size), 2):
        different[one, other] = different[other, one] = data.draw(st.booleans())
    order = data.draw(st.permutations(range(size)))
    shown = letters(order, different)
    for one, other in combinations(range(size), 2):
        assert bool(set(shown[one]) & set(shown[other])) != different[one, other]
    assert "a" in shown[order[0]]


def test_ranks_by_hand() -> None:
    """a .9, b .8, c .7, d .5; d is below all, c below a: a 1-2, b 1-3, c 2-3, d 4."""
    differ = np.zeros((4, 4), bool)
    for one, other in ((0, 3), (1, 3), (2, 3), (0, 2)):
        differ[one, other] = differ[other, one] = True
    found = ranks(np.array([0.9, 0.8, 0.7, 0.5]), differ)
    assert found.best.tolist() == [1, 1, 2, 4]
    assert found.worst.tolist() == [2, 3, 3, 4]


def test_power_by_simulation() -> None:
    """A difference of the detectable size is found in 80 of 100 test sets."""
    spread = Spread(error=0.01, samples=4000, defined=4000)
    difference = detectable(spread)
    drawn = np.random.default_rng(1).normal(difference, spread.error, 20_000)
    found = np.mean(np.abs(drawn / spread.error) > 1.959964)
    assert found == pytest.approx(0.8, abs=0.01)
    assert power(spread, difference) == pytest.approx(0.8, abs=0.001)


def test_power_of_few_samples_by_simulation() -> None:
    """Of 8 documents t has 7 degrees of freedom, and a test of them needs more than 2.8 errors."""
    spread = Spread(error=1 / math.sqrt(8), samples=8, defined=8)
    drawn = np.random.default_rng(1).normal(detectable(spread), 1, (20_000, 8))
    t = drawn.mean(axis=1) / (drawn.std(axis=1, ddof=1) / math.sqrt(8))
    assert np.mean(np.abs(t) > 2.364624) == pytest.approx(0.8, abs=0.02)
    assert spread.tells
    assert not Spread(0.1, 40, 7).tells, "a score in 7 of 40 documents"
    assert not Spread(math.nan, 40, 40).tells


def test_twice_the_difference_needs_a_quarter_of_the_samples() -> None:
    spread = Spread(error=0.01, samples=4000, defined=4000)
    assert needed(spread, 0.005) == pytest.approx(4 * (needed(spread, 0.01) or 0), rel=0.001)
    assert needed(spread, detectable(spread)) == pytest.approx(4000, abs=1)
    few = Spread(error=0.01, samples=12, defined=10)  # of 100 % more documents 10 have a score
    assert needed(few, detectable(few)) == pytest.approx(12, abs=1)
    assert (needed(few, 0.005) or 0) < 12 * (detectable(few) / 0.005) ** 2
    assert needed(Spread(0.0, 1000, 1000), 0.005) is None
    assert math.isnan(power(Spread(0.0, 1000, 1000), 0.005))
