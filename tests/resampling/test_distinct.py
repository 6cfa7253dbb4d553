"""Distinct vectors stand for all samples, whatever their order; draws are right."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from finegrain.resampling import distinct as module
from finegrain.resampling.chances import draw, halves, poisson
from finegrain.resampling.distinct import Distinct, _alike, _keys, distinct, merged
from finegrain.resampling.drawing import _drawn_anew, _multinomial, bootstrap, draws
from finegrain.resampling.paired import Pair, paired

COUNTS = arrays(
    np.float64,
    st.tuples(st.integers(1, 30), st.integers(1, 4)),
    elements=st.sampled_from([0.0, 1.0, 2.0, 0.5, -0.0]),
)


@given(COUNTS)
@settings(max_examples=100, deadline=None)
def test_every_sample_keeps_its_vector(statistics: np.ndarray) -> None:
    found = distinct(statistics)
    assert np.array_equal(found.vectors[found.codes], statistics + 0.0)
    assert len({tuple(row) for row in statistics.tolist()}) == len(found.vectors)
    assert found.vectors.tolist() == sorted(found.vectors.tolist())
    assert np.allclose(found.total(), statistics.sum(axis=0))


@given(COUNTS, st.randoms())
@settings(max_examples=100, deadline=None)
def test_the_order_of_samples_is_irrelevant(statistics: np.ndarray, shuffle: object) -> None:
    order = list(range(len(statistics)))
    shuffle.shuffle(order)  # type: ignore[attr-defined]
    one, other = distinct(statistics), distinct(statistics[order])
    assert np.array_equal(one.vectors, other.vectors)
    assert np.array_equal(one.counts, other.counts)
    drawn = [bootstrap(found, resamples=20, seed=3) for found in (one, other)]
    assert np.array_equal(*drawn)


@given(COUNTS, st.integers(0, 3))
@settings(max_examples=50, deadline=None)
def test_columns_of_zeros_change_no_digit(statistics: np.ndarray, place: int) -> None:
    """Labels that only another system uses."""
    wider = np.insert(statistics, min(place, statistics.shape[1]), 0, axis=1)
    one = bootstrap(distinct(statistics), resamples=20, seed=3)
    other = bootstrap(distinct(wider), resamples=20, seed=3)
    assert np.array_equal(one, np.delete(other, min(place, statistics.shape[1]), axis=1))


@pytest.mark.parametrize("largest", [3, 255, 256, 65535, 65536, 2**40])
def test_numbers_of_any_size_are_told_apart_and_sorted(largest: int) -> None:
    statistics = np.array([[largest, 0.0], [0, 0], [largest - 1, 7], [largest, 0], [0, largest]])
    found = distinct(statistics)
    assert found.vectors.tolist() == sorted({tuple(row): list(row) for row in statistics}.values())
    assert found.codes[0] == found.codes[3]
    assert np.array_equal(found.vectors[found.codes], statistics)


def test_samples_that_were_counted_in_parts_are_the_same() -> None:
    statistics = np.array([[1.0, 2], [0, 1], [1, 2], [3, 0], [0, 1]])
    whole = distinct(statistics)
    parts = merged([distinct(statistics[:2]), distinct(statistics[2:])])
    assert np.array_equal(whole.vectors, parts.vectors)
    assert np.array_equal(whole.codes, parts.codes)


def test_vectors_that_share_a_hash_stay_apart(monkeypatch: object) -> None:
    class Zeros:
        def integers(self, _low: int, _high: int, size: int, kind: type) -> np.ndarray:
            return np.zeros(size, kind)

    monkeypatch.setattr(module.np.random, "default_rng", lambda _: Zeros())  # type: ignore[attr-defined]
    found = distinct(np.array([[1.5, 2], [2, 1.5], [1.5, 2]]))  # equal sums of equal words
    assert found.vectors.tolist() == [[1.5, 2.0], [2.0, 1.5]]
    assert found.codes.tolist() == [0, 1, 0]


@given(
    arrays(
        np.float64, st.tuples(st.integers(1, 20), st.integers(1, 5)), elements=st.integers(-3, 3)
    )
)
@settings(max_examples=60, deadline=None)
def test_whole_numbers_are_sorted_as_their_bytes_are(statistics: np.ndarray) -> None:
    """One number for each vector or, where that is too large, its bytes: negative ones last."""
    first, codes = _alike(_keys(statistics + 0.0))
    found = distinct(statistics)
    assert np.array_equal(found.vectors, statistics[first])
    assert np.array_equal(found.codes, codes)
    wider = distinct(np.concatenate([statistics, np.full((len(statistics), 2), 2.0**40)], axis=1))
    assert np.array_equal(wider.codes, codes)


def test_no_samples_and_no_numbers() -> None:
    assert distinct(np.zeros((0, 3))).vectors.shape == (0, 3)
    assert distinct(np.zeros((4, 0))).codes.tolist() == [0, 0, 0, 0]
    assert bootstrap(distinct(np.zeros((0, 3))), resamples=2, seed=1).tolist() == [[0] * 3] * 2


def test_draws_are_multinomial() -> None:
    """Means n p, variances n p (1 - p), covariances -n p q, for frequent and rare vectors alike."""
    counts = np.array([1, 1, 2, 40, 56])
    drawn = _multinomial(np.random.default_rng(1), counts, 40_000).astype(float)
    n, p = 100, counts / 100
    assert (drawn.sum(axis=1) == n).all()
    expected = n * (np.diag(p) - np.outer(p, p))
    assert np.allclose(drawn.mean(axis=0), n * p, atol=0.1)
    assert np.allclose(np.cov(drawn.T), expected, atol=0.5)


def test_draws_of_many_samples_are_multinomial() -> None:
    """Poisson numbers that are topped up: sums are n, moments those of the multinomial."""
    counts = np.array([1, 1, 3, 9, 10, 31, 32, 113, 200])
    drawn = _multinomial(np.random.default_rng(2), counts, 40_000).astype(float)
    n, p = 400, counts / 400
    assert (drawn.sum(axis=1) == n).all()
    assert (drawn >= 0).all()
    expected = n * (np.diag(p) - np.outer(p, p))
    assert np.allclose(drawn.mean(axis=0), n * p, atol=0.2)
    assert np.allclose(np.cov(drawn.T), expected, atol=2)
    alone, times = np.unique(drawn[:, 0], return_counts=True)  # Binomial(400, 1 / 400)
    binomial = [math.comb(n, int(k)) * (1 / n) ** k * (1 - 1 / n) ** (n - k) for k in alone]
    assert np.allclose(times / 40_000, binomial, atol=0.01)


@pytest.mark.parametrize("mean", [0.05, 0.98, 9.7])
def test_poisson_numbers_by_inversion_have_their_probabilities(mean: float) -> None:
    """What 16 bits cannot tell is drawn apart: with a mean of .05, 4 has probability 2.5e-7."""
    drawn = draw(np.random.default_rng(4), poisson(mean), (1000, 1000))
    number, times = np.unique(drawn, return_counts=True)
    expected = [math.exp(-mean) * mean**k / math.factorial(k) for k in number.tolist()]
    error = np.sqrt(np.array(expected) / 1e6)
    assert (np.abs(times / 1e6 - expected) < 5 * error + 1e-6).all()


@pytest.mark.parametrize("count", [1, 65, 300, 40_000])
def test_numbers_of_heads_have_their_probabilities(count: int) -> None:
    """What is certain of 16 bits and what is left are the whole distribution."""
    chances = halves(count)
    numbers = np.arange(len(chances.rest))
    whole = np.bincount(chances.number[: chances.certain], minlength=len(numbers))
    ours = (whole + np.diff(chances.rest, prepend=0)) / 2**16
    logs = [
        math.lgamma(count + 1) - math.lgamma(k + 1) - math.lgamma(count - k + 1)
        for k in (numbers + chances.least).tolist()
    ]
    assert np.allclose(ours, np.exp(np.array(logs) - count * math.log(2)), rtol=1e-7, atol=1e-14)
    drawn = draw(np.random.default_rng(4), chances, (100_000, 1))
    assert abs(drawn.mean() - count / 2) < 5 * math.sqrt(count / 4 / 1e5)
    assert abs(drawn.var() / (count / 4) - 1) < 0.03


def test_resamples_have_the_distribution_of_drawing_samples_one_by_one() -> None:
    generator = np.random.default_rng(5)
    statistics = generator.poisson(1.5, (200, 3)).astype(float)
    ours = bootstrap(distinct(statistics), resamples=20_000, seed=1)
    picked = generator.integers(0, 200, (20_000, 200))
    plain = statistics[picked].sum(axis=1)
    assert np.allclose(ours.mean(axis=0), plain.mean(axis=0), rtol=0.005)
    assert np.allclose(np.cov(ours.T), np.cov(plain.T), rtol=0.1, atol=10)


def _pair(rows: list[tuple[float, float]]) -> tuple[Distinct, Distinct]:
    return tuple(distinct(np.array([[row[side]] for row in rows])) for side in (0, 1))  # type: ignore[return-value]


def _first(pair: Pair, *, resamples: int, seed: int) -> NDArray[np.float64]:
    """``[resample, ...]`` what the first system has after swaps."""
    return _first_of(pair, pair.swapped(lambda sums: sums, resamples=resamples, seed=seed))


def _first_of(pair: Pair, difference: NDArray[np.float64]) -> NDArray[np.float64]:
    """From the difference, as swaps keep the sum of both."""
    first: NDArray[np.float64] = (pair.joint.total().sum(axis=0) - difference) / 2
    return first


def test_swaps_reach_every_exchange_and_keep_the_sum() -> None:
    """Three samples: (5, 1) and (2, 4) differ, (3, 3) does not. Of 4 exchanges the first has
    5 + 2 + 3 = 10, 1 + 2 + 3 = 6, 5 + 4 + 3 = 12 or 1 + 4 + 3 = 8."""
    pair = paired(*_pair([(5, 1), (2, 4), (3, 3)]))
    values, times = np.unique(_first(pair, resamples=4_000, seed=1), return_counts=True)
    assert values.tolist() == [6, 8, 10, 12]
    assert (np.abs(times - 1000) < 120).all()
    every = _first_of(pair, pair.swapped_every_way(lambda sums: sums))
    assert sorted(every.ravel().tolist()) == [6, 8, 10, 12]


def test_swapping_many_equal_differences_is_binomial() -> None:
    pair = paired(*_pair([(1, 0)] * 40 + [(0, 1)] * 24))
    drawn = _first(pair, resamples=20_000, seed=1).ravel()
    assert abs(drawn.mean() - 32) < 0.1
    assert abs(drawn.var() - 16) < 0.6


@given(st.lists(st.tuples(st.sampled_from([0.0, 1, 2]), st.sampled_from([0.0, 1, 2])), min_size=1))
@settings(max_examples=100, deadline=None)
def test_who_is_named_first_changes_no_digit(rows: list[tuple[float, float]]) -> None:
    one, other = _pair(rows)
    if sorted(rows) == sorted((second, first) for first, second in rows):
        return  # nothing tells the two apart
    there, back = paired(one, other), paired(other, one)
    first, second = (_first(pair, resamples=9, seed=2) for pair in (there, back))
    both = there.joint.total().sum(axis=0)
    assert np.array_equal(first, both - second)  # the same swaps: what one has, the other has not
    changes = [
        pair.bootstrapped(lambda sums: sums[..., 0], resamples=9, seed=2) for pair in (there, back)
    ]
    assert np.array_equal(changes[0], -changes[1])


def test_all_exchanges_of_few_samples_are_drawn() -> None:
    rows = [(0.0, 1.0), (0.0, 2.0), (0.0, 4.0)]
    drawn = _first(paired(*_pair(rows)), resamples=500, seed=1)
    possible = {
        sum(row[pick] for row, pick in zip(rows, picks, strict=True))
        for picks in product((0, 1), repeat=3)
    }
    assert set(drawn.ravel().tolist()) == possible


@pytest.mark.parametrize("samples", [1, 3, 8, 9, 23, 64, 65, 1024, 5000])
def test_the_number_of_swaps_has_the_binomial_distribution(samples: int) -> None:
    """Of few samples by the bits of random bytes, of more as a number that is looked up."""
    size = 20_000
    drawn = _first(paired(*_pair([(1, 0)] * samples)), resamples=size, seed=3).ravel()
    assert abs(drawn.mean() - samples / 2) < 5 * math.sqrt(samples / 4 / size)
    assert abs(drawn.var() / (samples / 4) - 1) < 0.06
    low, high = drawn.min(), drawn.max()
    assert 0 <= low < high <= samples
    if samples <= 23:
        number, times = np.unique(drawn, return_counts=True)
        expected = np.array([math.comb(samples, int(k)) for k in number]) / 2**samples
        assert (np.abs(times / size - expected) < 5 * np.sqrt(expected / size)).all()


def test_swaps_of_different_vectors_do_not_depend_on_each_other() -> None:
    """3, 10 and 2,000 samples that differ in one count each: covariances are 0."""
    differences = np.repeat(np.eye(3), [3, 10, 2000], axis=0)
    pair = paired(distinct(np.zeros_like(differences)), distinct(differences))
    drawn = _first(pair, resamples=40_000, seed=5)
    correlation = np.corrcoef(drawn.T)
    assert np.allclose(correlation, np.eye(3), atol=0.025)
    assert np.allclose(drawn.var(axis=0), [0.75, 2.5, 500], rtol=0.04)


def test_the_same_seed_gives_the_same_draws_whatever_was_drawn_before() -> None:
    alike, other = distinct(np.arange(12.0)[:, None]), distinct(np.array([[1.0], [1], [2]]))
    first = bootstrap(alike, resamples=30, seed=7)
    bootstrap(other, resamples=30, seed=7)
    assert np.array_equal(first, bootstrap(alike, resamples=30, seed=7))
    assert not np.array_equal(first, bootstrap(alike, resamples=30, seed=8))
    wider = bootstrap(distinct(np.arange(12.0)[:, None] + 5), resamples=30, seed=7)
    assert np.array_equal(wider, first + 5 * 12)  # systems without equal samples share their draws


def _of(counts: list[int], resamples: int = 4_000) -> NDArray[np.float64]:
    return np.concatenate(list(draws(np.array(counts), resamples=resamples, seed=3))).astype(float)


@pytest.mark.parametrize("most", [0, 1 << 25])
@pytest.mark.parametrize("largest", [1, 900])  # often more than a byte holds
def test_many_draws_are_the_same_whether_they_are_kept_or_not(
    most: int, largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("finegrain.resampling.drawing._COMPACT", most)
    counts = np.sort(np.append(np.ones(5_999, np.int64), largest))
    for _ in range(2):
        found = list(draws(counts, resamples=1_000, seed=5))
        anew = list(_drawn_anew(counts, 1_000, 5))
        assert len(found) == len(anew) > 1
        assert all(map(np.array_equal, found, anew))
        assert {block.dtype for block in found} == {np.dtype(np.float32)}
        assert max(block.max() for block in found) > largest


def test_where_few_samples_are_alike_every_pair_has_the_same_draws() -> None:
    """Samples are then drawn one by one, and those that are alike added up: a, b, c, c of a-d."""
    alone, alike = _of([1, 1, 1, 1]), _of([1, 1, 2])
    assert (alike[:, :2] == alone[:, :2]).all()
    assert (alike[:, 2] == alone[:, 2] + alone[:, 3]).all()


@pytest.mark.parametrize("counts", [[1, 1, 2], [1, 2, 2, 3], [9, 11]])
def test_shared_draws_are_multinomial(counts: list[int]) -> None:
    """Mean n p, variance n p (1 - p), covariance -n p q; [9, 11] is drawn by vectors."""
    drawn, n, p = _of(counts, 20_000), sum(counts), np.array(counts) / sum(counts)
    assert (drawn.sum(axis=1) == n).all()
    assert drawn.mean(axis=0) == pytest.approx(n * p, rel=0.03)
    expected = n * (np.diag(p) - np.outer(p, p))
    assert np.cov(drawn.T) == pytest.approx(expected, rel=0.06, abs=0.03)
