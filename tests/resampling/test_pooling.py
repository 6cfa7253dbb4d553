"""More than 20,000 distinct vectors are pooled into blocks, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import finegrain as fg
from finegrain.metrics.metric import Metric, ratio
from finegrain.metrics.values import mean_of
from finegrain.resampling import distinct as module
from finegrain.resampling import paired as pairing
from finegrain.resampling.distinct import BLOCKS, distinct, pooled
from finegrain.resampling.drawing import bootstrap
from finegrain.resampling.intervals import interval_of
from finegrain.resampling.paired import paired
from finegrain.resampling.pairs import Settings, compare
from finegrain.table import OutcomeTable
from finegrain.table.scale import Scale, Value
from finegrain.tasks.items import from_matrix


def mean(sums: np.ndarray) -> np.ndarray:
    return ratio(sums[..., 0], sums[..., 1])


def _graded(values: np.ndarray) -> np.ndarray:
    return np.stack([values, np.ones(len(values))], axis=1)


def _unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (module, pairing):
        monkeypatch.setattr(place, "BLOCKS", 10**9)


def test_up_to_the_limit_no_digit_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(1).random((2, BLOCKS))
    one, other = (distinct(_graded(column)) for column in values)
    pair = paired(one, other)
    drawn, swapped = bootstrap(one, resamples=20, seed=1), pair.swapped(mean, resamples=20, seed=1)
    assert not one.pooled
    _unlimited(monkeypatch)
    assert np.array_equal(drawn, bootstrap(one, resamples=20, seed=1))
    assert np.array_equal(swapped, pair.swapped(mean, resamples=20, seed=1))


def test_the_interval_of_pooled_samples_is_nearly_the_same() -> None:
    """The mean of 30,000 values: 1.96 standard errors on both sides, as the bootstrap has it."""
    values = np.random.default_rng(2).gamma(2, 1, 30_000)
    found = interval_of(_graded(values), mean, resamples=4_000)
    error = values.std() / np.sqrt(len(values))
    assert found.low == pytest.approx(values.mean() - 1.96 * error, abs=0.1 * error)
    assert found.high == pytest.approx(values.mean() + 1.96 * error, abs=0.1 * error)


def test_the_test_of_pooled_samples_is_nearly_the_same() -> None:
    """Differences of all signs: exchanging them one by one or in blocks gives the p of t."""
    generator = np.random.default_rng(3)
    one = generator.random(60_000)
    other = one + generator.normal(0.003, 0.3, 60_000)
    settings = Settings("randomisation", resamples=4_000, intervals=100)
    found = compare(distinct(_graded(one)), distinct(_graded(other)), mean, settings)
    assert found.pooled
    assert found.p == pytest.approx(stats.ttest_rel(one, other).pvalue, abs=0.01)
    assert found.differing == 60_000


def test_systems_that_differ_in_few_samples_are_compared_exactly() -> None:
    """Only samples that differ are exchanged, and of 6 there are 64 exchanges, all looked at."""
    one = np.random.default_rng(4).random(25_000)
    other = one.copy()
    other[:6] += 0.5
    settings = Settings("randomisation", resamples=1_000, intervals=100)
    found = compare(distinct(_graded(one)), distinct(_graded(other)), mean, settings)
    assert found.p == 2 / 64


def test_blocks_do_not_depend_on_the_order_of_samples_and_keep_the_sum() -> None:
    values = np.random.default_rng(5).integers(0, 10**9, 25_000).astype(float)
    found = pooled(distinct(_graded(values)), seed=7)
    turned = pooled(distinct(_graded(values[::-1])), seed=7)
    assert np.array_equal(found.vectors, turned.vectors)
    assert found.total().tolist() == [values.sum(), 25_000]
    assert sorted(set(found.vectors[:, 1].tolist())) == [1.0, 2.0]
    assert not np.array_equal(found.vectors, pooled(distinct(_graded(values)), seed=8).vectors)


def _table(n: int) -> tuple[OutcomeTable, Metric]:
    scale = Scale(higher=False, best=0.0, worst=None, shown="number")
    values = np.random.default_rng(6).random((n, 2))
    table = replace(from_matrix(values < 0.5), values={"error": Value(scale, values)})
    return table, mean_of("error", scale)


@pytest.mark.parametrize("n", [BLOCKS, BLOCKS + 1])
def test_the_signature_says_so(n: int) -> None:
    table, metric = _table(n)
    said = [
        fg.significance(table, metric, resamples=10, intervals=10).signature,
        fg.seeds(table, metric, resamples=10).signature,
    ]
    assert [f"|pooled:{BLOCKS}|" in one for one in said] == [n > BLOCKS] * 2
