"""Spearman's correlation, by hand and against scipy."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finegrain.analyses.trend import Trend, trend

VALUES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=30)


def test_by_hand() -> None:
    """Ranks 1 2 3 4 against 2 1 4 3: sum of squared differences 4, rho = 1 - 6 * 4 / 60 = 0.6."""
    found = trend(np.array([1, 2, 3, 4]), np.array([20, 10, 40, 30]))
    assert found.spearman == pytest.approx(0.6)
    assert found.direction is None  # 0.6 * sqrt(3) is far from 2.576
    assert str(found) == "+0.60  "


def test_undefined_values_are_left_out() -> None:
    found = trend(np.array([1.0, 2, 3, 4]), np.array([1.0, np.nan, 2, 3]))
    assert (found.spearman, found.n) == (1.0, 3)


@pytest.mark.parametrize(("rho", "n", "arrow"), [
    (0.3, 400, " ↑"), (-0.3, 400, " ↓"), (0.3, 20, "  "), (0.05, 10**6, "  "),
    (0.0996, 10**6, " ↑"),
])  # fmt: skip
def test_an_arrow_stands_for_a_trend_that_is_large_and_certain(
    rho: float, n: int, arrow: str
) -> None:
    assert str(Trend(rho, n)) == f"{rho:+.2f}{arrow}"


@pytest.mark.parametrize("values", [[], [1.0], [2.0, 2.0, 2.0]])
def test_one_value_has_no_trend(values: list[float]) -> None:
    found = trend(np.arange(len(values)), np.array(values))
    assert math.isnan(found.spearman)
    assert found.to_json() == {"spearman": None, "direction": None}
    assert str(found) == "n/a"


@settings(max_examples=100, deadline=None)
@given(VALUES)
def test_is_what_scipy_computes(pairs: list[tuple[int, int]]) -> None:
    stats = pytest.importorskip("scipy.stats")
    one, other = (np.array(column, float) for column in zip(*pairs, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of constant columns
        expected = stats.spearmanr(one, other).statistic
    assert trend(one, other).spearman == pytest.approx(expected, nan_ok=True, abs=1e-12)
