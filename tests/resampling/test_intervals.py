"""Intervals: what they are, when there is none, and that they agree with a plain loop."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from finegrain.errors import UsageError
from finegrain.metrics.metric import ratio
from finegrain.resampling import interval_of
from finegrain.resampling.distinct import distinct
from finegrain.resampling.intervals import defined_in, tail, too_few
from finegrain.resampling.quantiles import (
    normal_quantile,
    normal_tail,
    student_quantile,
    student_tail,
)


def share(sums: np.ndarray) -> np.ndarray:
    return ratio(sums[..., 0], sums[..., 1])


@pytest.mark.parametrize("freedom", [1, 2, 5, 7, 30, 999, 1e6])
def test_quantiles_agree_with_scipy(freedom: float) -> None:
    for probability in (0.001, 0.025, 0.3, 0.5, 0.8, 0.975, 0.99999):
        expected = stats.t.ppf(probability, freedom)
        assert student_quantile(probability, freedom) == pytest.approx(expected, rel=1e-9, abs=1e-9)
        assert normal_quantile(probability) == pytest.approx(stats.norm.ppf(probability), abs=1e-9)
    for value in (-3.0, 0.0, 0.1, 2.0, 40.0):
        assert student_tail(value, freedom) == pytest.approx(stats.t.sf(value, freedom), rel=1e-9)
        assert normal_tail(value) == pytest.approx(stats.norm.sf(value), rel=1e-9)


def test_the_tail_is_that_of_an_expanded_interval() -> None:
    """8 documents: t(.975, 7) = 2.3646; times sqrt(8 / 7) = 2.5279; normal tail .00574."""
    assert tail(8) == pytest.approx(0.00574, abs=1e-5)
    assert tail(8) == pytest.approx(stats.norm.sf(math.sqrt(8 / 7) * stats.t.ppf(0.975, 7)))
    assert tail(10**6) == pytest.approx(0.025, abs=1e-5)


def test_the_interval_agrees_with_a_plain_loop() -> None:
    generator = np.random.default_rng(1)
    size = generator.poisson(5, 300) + 1
    statistics = np.stack([generator.binomial(size, 0.8), size], axis=-1).astype(float)
    ours = interval_of(statistics, share, resamples=20_000)
    drawn = statistics[generator.integers(0, 300, (20_000, 300))].sum(axis=1)
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], [tail(300), 1 - tail(300)])
    assert ours.low == pytest.approx(low, abs=0.001)
    assert ours.high == pytest.approx(high, abs=0.001)


def test_no_interval_for_fewer_than_six_samples() -> None:
    """Five signs are alike with probability 2 x 2^-5 = 1/16 > .05, six with 1/32."""
    rows = np.array([[1.0, 2], [2, 2], [0, 2], [1, 2], [2, 2], [1, 2]])
    assert math.isnan(interval_of(rows[:5], share).low)
    assert interval_of(rows, share).low < 8 / 12 < interval_of(rows, share).high
    assert [too_few(n) for n in (0, 1, 2, 5, 6)] == [True, True, True, True, False]


def test_samples_in_which_the_score_is_undefined_do_not_count() -> None:
    rows = np.array([[1.0, 2], [2, 2], [0, 2], [1, 2], [2, 2]] + [[0, 0]] * 50)
    assert defined_in(distinct(rows), share).tolist() == 5
    assert math.isnan(interval_of(rows, share).low)


def test_no_interval_where_all_resamples_are_equal() -> None:
    found = interval_of(np.array([[2.0, 2.0]] * 40), share)
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def test_no_interval_for_an_undefined_score() -> None:
    assert math.isnan(interval_of(np.zeros((40, 2)), share).low)


def test_scores_of_several_labels_at_once() -> None:
    generator = np.random.default_rng(1)
    statistics = np.stack([generator.integers(0, 3, (50, 4)), np.full((50, 4), 2)], axis=-1) + 0.0
    found = interval_of(statistics, share)
    assert found.low.shape == (4,)
    assert (found.low < found.high).all()


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=6, max_size=40), st.randoms()
)
@settings(max_examples=60, deadline=None)
def test_order_is_irrelevant_and_ends_are_proportions(
    rows: list[tuple[int, int]], shuffle: object
) -> None:
    statistics = np.array([[hit, hit + miss] for hit, miss in rows], float)
    order = list(range(len(rows)))
    shuffle.shuffle(order)  # type: ignore[attr-defined]
    one = interval_of(statistics, share, resamples=50, seed=4)
    other = interval_of(statistics[order], share, resamples=50, seed=4)
    assert np.array_equal(one, other, equal_nan=True)
    if not math.isnan(one.low):
        assert 0 <= one.low < one.high <= 1


def test_another_seed_gives_other_digits_and_the_same_seed_the_same() -> None:
    statistics = np.random.default_rng(1).integers(0, 5, (80, 2)).cumsum(axis=1).astype(float)
    first, again, other = (interval_of(statistics, share, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize(("resamples", "level"), [(0, 0.95), (-1, 0.95), (10, 1.0), (10, 95)])
def test_what_cannot_be_meant_is_refused(resamples: int, level: float) -> None:
    with pytest.raises(UsageError):
        interval_of(np.ones((9, 2)), share, resamples=resamples, level=level)


def test_too_few_resamples_for_so_sure_an_interval_give_none() -> None:
    """99 % of 8 samples: the ends are where 1 of 11,000 resamples lies."""
    hits = np.array([[4.0, 5], [5, 5], [3, 5], [5, 5], [4, 5], [2, 5], [5, 5], [4, 5]])
    given = [
        interval_of(hits, lambda sums: sums[..., 0] / sums[..., 1], resamples=number, level=0.99)
        for number in (1_000, 20_000)
    ]
    assert [bool(np.isnan(one.low)) for one in given] == [True, False]
    assert 1 / tail(8, 0.99) == pytest.approx(11_000, rel=0.05)
