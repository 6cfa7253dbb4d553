"""Paired tests: against full enumeration, against scipy, against the definition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from finegrain.metrics.metric import ratio
from finegrain.resampling import tests
from finegrain.resampling.distinct import distinct
from finegrain.resampling.intervals import tail
from finegrain.resampling.paired import Pair, paired
from finegrain.resampling.pairs import Settings, compare

RATES = st.lists(st.integers(0, 4), min_size=6, max_size=40)


def share(sums: np.ndarray) -> np.ndarray:
    return ratio(sums[..., 0], sums[..., 1])


def _counts(hits: Sequence[int], size: int = 4) -> np.ndarray:
    return np.array([[hit, size] for hit in hits], float)


def _pair(one: Sequence[int], other: Sequence[int]) -> Pair:
    return paired(distinct(_counts(one)), distinct(_counts(other)))


ONE = (4, 3, 2, 4, 1, 3, 4, 2, 0, 3)
OTHER = (4, 4, 3, 4, 3, 2, 4, 4, 1, 4)


def test_randomisation_agrees_with_all_exchanges() -> None:
    """Differences 0 1 1 0 2 -1 0 2 1 1: seven differ, 2^7 = 128 exchanges, the sum is 7. At least
    7 in size: all seven one way (sum 9), the -1 kept or one of the four 1s turned (sum 7), and the
    same with the signs turned: 2 x (1 + 1 + 4) = 12 of 128."""
    change = [b - a for a, b in zip(ONE, OTHER, strict=True) if b != a]
    sums = [
        sum(sign * value for sign, value in zip(signs, change, strict=True))
        for signs in product((1, -1), repeat=len(change))
    ]
    exact = np.mean(np.abs(sums) >= 7)
    assert exact == 12 / 128
    found = tests.randomisation(_pair(ONE, OTHER), share, resamples=128)
    assert found.difference == pytest.approx(7 / 40)
    assert found.p == exact  # as there are no more exchanges than resamples
    drawn = tests.randomisation(_pair(ONE * 2, OTHER * 2), share, resamples=16_383)
    every = tests.randomisation(_pair(ONE * 2, OTHER * 2), share, resamples=16_384)
    assert drawn.p == pytest.approx(every.p, abs=0.005)
    assert drawn.p != every.p


def test_the_smallest_p_is_that_of_the_data_alone() -> None:
    found = tests.randomisation(_pair([0] * 60, [4] * 60), share, resamples=99)
    assert found.p == 1 / 100
    assert (
        tests.bootstrap_test(_pair([0, 1] * 30, [4] * 60), share, samples=60, resamples=99).p < 0.02
    )


def test_equal_systems_do_not_differ() -> None:
    same = _pair(ONE, ONE)
    assert tests.randomisation(same, share).p == 1
    assert tests.bootstrap_test(same, share, samples=10).p == 1
    values = share(_counts(ONE))
    assert tests.wilcoxon(values, values) == 1
    assert tests.paired_t(values, values) == 1


def test_the_bootstrap_test_is_shifted_to_the_null() -> None:
    """p counts resamples that lie as far from the difference as the difference from 0."""
    generator = np.random.default_rng(2)
    one, other = generator.integers(0, 5, 200), generator.integers(0, 5, 200)
    found = tests.bootstrap_test(_pair(one, other), share, samples=10**6, resamples=20_000)
    picked = generator.integers(0, 200, (20_000, 200))
    drawn = (other - one)[picked].mean(axis=1) / 4
    expected = np.mean(np.abs(drawn - found.difference) >= abs(found.difference))
    assert found.p == pytest.approx(expected, abs=0.015)


def test_the_corrected_p_and_the_interval_agree() -> None:
    """The interval at 1 - p just touches 0, for few samples as for many."""
    for samples in (8, 20, 500):
        deviate = 2.2  # the difference in standard errors of the bootstrap distribution
        p = tests.corrected(2 * stats.norm.sf(deviate), samples)
        assert tail(samples, 1 - p) == pytest.approx(stats.norm.sf(deviate), rel=1e-6)


@given(st.integers(0, 60), st.integers(0, 60))
@settings(max_examples=100, deadline=None)
def test_binomial_agrees_with_scipy(one: int, other: int) -> None:
    found = tests.binomial(one, other)
    if one + other:
        expected = stats.binomtest(one, one + other).pvalue
        assert found.p == pytest.approx(expected, rel=1e-9)
    assert 0 < found.mid_p <= found.p <= 1
    assert tests.binomial(other, one) == found


def test_mid_p_by_hand() -> None:
    """1 against 6: P(at most 1 of 7) = 8 / 128; mid-p = 2 x 8 / 128 - 7 / 128. 2 against 2:
    1 - P(2 of 4) / 2 = 1 - 6 / 32."""
    assert tests.binomial(1, 6).mid_p == pytest.approx(9 / 128)
    assert tests.binomial(2, 2).mid_p == pytest.approx(1 - 6 / 32)


@given(RATES, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_wilcoxon_and_t_agree_with_scipy(hits: list[int], shuffle: object) -> None:
    others = list(hits)
    shuffle.shuffle(others)  # type: ignore[attr-defined]
    one, other = np.array(hits) / 4, np.array(others) / 4
    if np.array_equal(one, other):
        return
    change = other - one
    assert tests.wilcoxon(one, other) == pytest.approx(stats.wilcoxon(change[change != 0]).pvalue)
    assert tests.paired_t(one, other) == pytest.approx(stats.ttest_rel(other, one).pvalue, rel=1e-6)


def test_no_digit_of_t_depends_on_the_order_of_samples() -> None:
    hits = np.array([3, 3, 4, 0, 2, 2, 1, 4, 3, 3, 3, 4]) / 4
    others = np.array([(7 * int(4 * hit) + at) % 5 for at, hit in enumerate(hits)]) / 4
    draw = np.random.default_rng(1)
    orders = [draw.permutation(len(hits)) for _ in range(50)]
    assert len({tests.paired_t(hits[order], others[order]) for order in orders}) == 1


def test_samples_without_a_score_are_left_out() -> None:
    one, other = np.array([0.1, math.nan, 0.4, 0.2]), np.array([0.3, 0.5, 0.5, 0.7])
    assert tests.paired_t(one, other) == tests.paired_t(one[[0, 2, 3]], other[[0, 2, 3]])
    assert math.isnan(tests.paired_t(one[:1], other[:1]))
    assert math.isnan(tests.wilcoxon(one[1:2], other[1:2]))


@given(
    RATES,
    st.randoms(use_true_random=False),
    st.sampled_from(["randomisation", "bootstrap", "wilcoxon", "t"]),
)
@settings(max_examples=60, deadline=None)
def test_comparisons_mirror_and_do_not_depend_on_order(
    hits: list[int], shuffle: object, test: str
) -> None:
    others = [(7 * hit + place) % 5 for place, hit in enumerate(hits)]
    order = list(range(len(hits)))
    shuffle.shuffle(order)  # type: ignore[attr-defined]
    chosen = Settings(test=test, resamples=50, intervals=50)  # type: ignore[arg-type]
    one, other = distinct(_counts(hits)), distinct(_counts(others))
    there, back = compare(one, other, share, chosen), compare(other, one, share, chosen)
    turned = [distinct(_counts(values)[order]) for values in (hits, others)]
    again = compare(turned[0], turned[1], share, chosen)
    assert np.array_equal(there[:4], again[:4], equal_nan=True)
    assert there.difference == -back.difference
    if sorted(zip(hits, others, strict=True)) == sorted(zip(others, hits, strict=True)):
        return  # nothing tells the two apart
    assert np.allclose([there.low, there.high], [-back.high, -back.low], equal_nan=True)
    assert there.p == pytest.approx(back.p, nan_ok=True)
    assert (there.better, there.worse) == (back.worse, back.better)


def test_few_samples_get_no_p() -> None:
    one, other = distinct(_counts([0] * 5)), distinct(_counts([4] * 5))
    found = compare(one, other, share, Settings(test="randomisation"))
    assert math.isnan(found.p)
    assert found.difference == 1


def test_the_effect_is_the_paired_d_of_means() -> None:
    """For a mean the bootstrap standard error is s / sqrt(n), so effect = mean / s."""
    one, other = distinct(_counts(ONE * 20)), distinct(_counts(OTHER * 20))
    found = compare(one, other, share, Settings(test="t", intervals=20_000))
    change = np.array(OTHER * 20) - np.array(ONE * 20)
    assert found.effect == pytest.approx(change.mean() / change.std(ddof=1), rel=0.03)


def test_mcnemar_on_sentiment(shared: Path) -> None:
    """SST-2 test set, CNN against LSTM: p = .00112 (reference of the data set)."""
    folder = shared / "data" / "classification" / "sst2"
    gold = [
        line.rsplit("\t", 1)[1] for line in (folder / "sst2-dataset.tsv").read_text().splitlines()
    ]
    right = [
        [
            answer == label
            for answer, label in zip(
                (folder / f"sst2-{name}-output.txt").read_text().split(), gold, strict=True
            )
        ]
        for name in ("cnn", "lstm")
    ]
    counts = [sum(a and not b for a, b in zip(*pair, strict=True)) for pair in (right, right[::-1])]
    assert tests.binomial(*counts).p == pytest.approx(0.00112, abs=5e-6)
