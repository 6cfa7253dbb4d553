"""Friedman, Wilcoxon and Nemenyi."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from finegrain.resampling.rank_tests import (
    critical_difference,
    friedman,
    mean_ranks,
    signed_ranks,
)

# Demšar (2006), table 5 (a): critical values of the two-tailed Nemenyi test, level 0.05
DEMSAR = {2: 1.960, 3: 2.343, 4: 2.569, 5: 2.728, 6: 2.850, 7: 2.949, 8: 3.031, 9: 3.102, 10: 3.164}


@pytest.mark.parametrize(("treatments", "quantile"), DEMSAR.items())
def test_critical_differences_are_those_of_demsar(treatments: int, quantile: float) -> None:
    found = critical_difference(treatments=treatments, blocks=14)
    expected = quantile * math.sqrt(treatments * (treatments + 1) / (6 * 14))
    assert found == pytest.approx(expected, rel=5e-4)


def test_friedman_by_hand() -> None:
    # ranks, smallest 1: (1, 2, 3), (1, 3, 2), (1, 2, 3); means 1, 7/3, 8/3, which are -1, 1/3, 2/3
    # from 2; 12 n / k (k + 1) = 3 times 1 + 1/9 + 4/9 = 14/3; two degrees of freedom: exp(-7/3)
    found = friedman(np.array([[0.1, 0.2, 0.3], [0.4, 0.6, 0.5], [0.7, 0.8, 0.9]]))
    assert found.chi2 == pytest.approx(14 / 3)
    assert found.p == pytest.approx(math.exp(-7 / 3))
    assert found.blocks == 3


def test_blocks_with_gaps_are_left_out() -> None:
    whole = np.array([[0.1, 0.2, 0.3], [0.4, 0.6, 0.5]])
    assert friedman(np.vstack([whole, [0.1, np.nan, 0.2]])) == friedman(whole)
    assert mean_ranks(np.vstack([whole, [np.nan, 1, 2]])).tolist() == [3.0, 1.5, 1.5]


@pytest.mark.parametrize(
    "values", [np.zeros((3, 4)), np.zeros((1, 4)), np.zeros((3, 1)), np.zeros((0, 3))]
)
def test_undefined_is_nan(values: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
    found = friedman(values)
    assert math.isnan(found.chi2)
    assert math.isnan(found.p)
    assert found.blocks == len(values)


def test_signed_ranks_of_nothing() -> None:
    assert math.isnan(signed_ranks(np.zeros(0), np.zeros(0)).p)
    assert signed_ranks(np.ones(3), np.ones(3)).p == 1.0
    assert math.isnan(critical_difference(treatments=1, blocks=3))
    assert math.isnan(critical_difference(treatments=3, blocks=0))


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 6), st.integers(3, 5), st.data())
def test_friedman_is_that_of_scipy(blocks: int, treatments: int, data: st.DataObject) -> None:
    row = st.lists(st.integers(0, 5), min_size=treatments, max_size=treatments)
    values = np.array(data.draw(st.lists(row, min_size=blocks, max_size=blocks))) / 5
    found = friedman(values)
    if (values == values[:, :1]).all():
        assert math.isnan(found.p)
        return
    expected = stats.friedmanchisquare(*values.T)
    assert found.chi2 == pytest.approx(float(expected.statistic), abs=1e-9)
    assert found.p == pytest.approx(float(expected.pvalue), abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=8))
def test_the_order_of_blocks_and_the_side_are_irrelevant(pairs: list[tuple[int, int]]) -> None:
    one, other = (np.array(column) / 20 for column in zip(*pairs, strict=True))
    found = signed_ranks(one, other)
    assert signed_ranks(other, one) == found
    assert signed_ranks(one[::-1], other[::-1]) == found
