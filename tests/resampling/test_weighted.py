"""What does not add up: resamples, exchanges and subsets against drawing rows one by one."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import finegrain as fg
from finegrain.metrics.metric import ratio
from finegrain.metrics.ranked import area, roc_auc, spearman
from finegrain.metrics.values import mean_of
from finegrain.metrics.weighing import Weighing
from finegrain.resampling.distinct import distinct
from finegrain.resampling.drawing import _drawn_anew, bootstrap, draws
from finegrain.resampling.intervals import Drawing, drawn
from finegrain.resampling.pairs import Settings, compare
from finegrain.resampling.runs import mean_of_runs
from finegrain.resampling.sampling import Sampling, counted_apart
from finegrain.resampling.weighted import Observed
from finegrain.resampling.weighted_pairs import observed_pair
from finegrain.table.samples import Samples, whole
from finegrain.table.scale import Scale, Value
from finegrain.tasks.items import from_matrix

AREA = Weighing(area)
ROW = st.tuples(st.sampled_from([0.1, 0.4, 0.4, 0.9]), st.sampled_from([0.0, 1.0]))
SAMPLES = st.lists(st.lists(ROW, max_size=3), min_size=1, max_size=7)


def mean(sums: np.ndarray) -> np.ndarray:
    return ratio(sums[..., 0], sums[..., 1])


MEAN = Weighing(lambda rows, weights: mean(np.stack([weights @ rows[:, 0], weights.sum(1)], -1)))


def _observed(samples: list[list[tuple[float, float]]]) -> Observed:
    rows = np.array([row for sample in samples for row in sample]).reshape(-1, 2)
    code = np.repeat(np.arange(len(samples)), [len(sample) for sample in samples])
    return Observed.of_rows(rows, [code], [len(samples)])


def _plain(samples: list[list[tuple[float, float]]], times: Any = None) -> float:
    """Of samples that are repeated."""
    times = [1] * len(samples) if times is None else times
    rows = [row for sample, n in zip(samples, times, strict=True) for row in sample * int(n)]
    return float(area(np.array(rows), np.ones((1, len(rows))))[0]) if rows else np.nan


@given(SAMPLES)
@settings(max_examples=100, deadline=None)
def test_all_samples_and_each_by_itself(samples: list[list[tuple[float, float]]]) -> None:
    found = _observed(samples)
    assert float(AREA(found.total())) == pytest.approx(_plain(samples), nan_ok=True)
    alone = [_plain([sample]) for sample in samples]
    assert found.scores(AREA)[found.codes] == pytest.approx(alone, nan_ok=True)
    assert found.telling().tolist() == [bool(sample) for sample in samples]
    assert found.n_samples == len(samples)


@given(SAMPLES)
@settings(max_examples=50, deadline=None)
def test_a_resample_is_rows_of_samples_drawn(samples: list[list[tuple[float, float]]]) -> None:
    """With the weights that are drawn, as if these samples had been read."""
    found = _observed(samples)
    kinds = [samples[found.codes.tolist().index(kind)] for kind in range(len(found.counts))]
    order = np.argsort(found.counts, kind="stable")
    weights = np.concatenate(list(draws(found.counts[order], resamples=9, seed=3)))
    expected = [_plain([kinds[at] for at in order], drawn) for drawn in weights]
    assert AREA(bootstrap(found, resamples=9, seed=3)) == pytest.approx(expected, nan_ok=True)


@given(SAMPLES, st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_the_order_of_samples_and_rows_is_irrelevant(
    samples: list[list[tuple[float, float]]], shuffle: Any
) -> None:
    other = [shuffle.sample(sample, len(sample)) for sample in samples]
    shuffle.shuffle(other)
    one, two = (bootstrap(_observed(each), resamples=9, seed=3) for each in (samples, other))
    assert np.array_equal(AREA(one), AREA(two), equal_nan=True)


@given(st.lists(st.tuples(ROW, st.sampled_from([0.1, 0.4, 0.9])), min_size=1, max_size=8))
@settings(max_examples=60, deadline=None)
def test_exchanges_take_rows_of_both(rows: list[tuple[tuple[float, float], float]]) -> None:
    """All exchanges of items, each scored by itself."""
    one = [[(score, label)] for (score, label), _ in rows]
    other = [[(score, label)] for (_, label), score in rows]
    pair = observed_pair(_observed(one), _observed(other))
    differ = [at for at in range(len(rows)) if one[at] != other[at]]
    assert pair.differing == len(differ)
    expected = []
    for turned in product((False, True), repeat=len(differ)):
        left, right = list(one), list(other)
        for at in (at for at, is_turned in zip(differ, turned, strict=True) if is_turned):
            left[at], right[at] = right[at], left[at]
        expected.append(_plain(right) - _plain(left))
    found = pair.swapped_every_way(AREA)
    assert np.sort(found) == pytest.approx(np.sort(expected), nan_ok=True)
    drawn = pair.swapped(AREA, resamples=64, seed=1)
    known = {round(value, 9) for value in expected}
    assert np.isnan(drawn).all() or {round(value, 9) for value in drawn.tolist()} <= known


def _columns(seed: int, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    label = generator.integers(0, 2, n).astype(float)
    return label, generator.normal(size=n) + label, generator.normal(size=n) + 0.5 * label


def test_what_adds_up_has_the_same_interval_and_test_as_sums() -> None:
    """A mean, scored as weighed rows and as sums: other draws, the same distribution."""
    label, one, other = _columns(1, 300)
    sums = [distinct(np.stack([column, np.ones(300)], axis=1)) for column in (one, other)]
    rows = [
        Observed.of_rows(np.stack([column, label], axis=1), [np.arange(300)], [300])
        for column in (one, other)
    ]
    settings = Settings("randomisation", resamples=4_000, intervals=4_000)
    by_sums = compare(*sums, mean, settings, silent=None)
    by_rows = compare(*rows, MEAN, settings, silent=None)
    assert by_rows.difference == pytest.approx(by_sums.difference)
    assert by_rows.low == pytest.approx(by_sums.low, abs=0.01)
    assert by_rows.high == pytest.approx(by_sums.high, abs=0.01)
    assert by_rows.p == pytest.approx(by_sums.p, abs=0.01)
    assert by_rows.better == by_sums.better
    assert by_rows.spread.defined == 300


def test_the_interval_of_an_area_is_that_of_delong() -> None:
    """2,000 units: about 1.96 standard errors after Hanley and McNeil on both sides."""
    label, one, _ = _columns(2, 2_000)
    rows = Observed.of_rows(np.stack([one, label], axis=1), [np.arange(2_000)], [2_000])
    found = drawn(rows, Drawing(2_000)).interval(AREA)
    positive, others = one[label == 1], one[label == 0]
    above = (positive[:, None] > others) + 0.5 * (positive[:, None] == others)
    error = np.sqrt(
        above.mean(axis=1).var(ddof=1) / len(positive)
        + above.mean(axis=0).var(ddof=1) / len(others)
    )
    expected = above.mean() + np.array([-1.96, 1.96]) * error
    assert [float(found.low), float(found.high)] == pytest.approx(expected, abs=0.25 * error)


def test_who_is_named_first_changes_no_digit() -> None:
    label, one, other = _columns(3, 60)
    rows = [
        Observed.of_rows(np.stack([column, label], axis=1), [np.arange(60)], [60])
        for column in (one, other)
    ]
    there = compare(*rows, AREA, Settings("randomisation", resamples=500), silent=None)
    back = compare(*rows[::-1], AREA, Settings("randomisation", resamples=500), silent=None)
    assert (there.difference, there.p) == (-back.difference, back.p)
    assert there.low == pytest.approx(-back.high, rel=1e-12)


def test_documents_are_drawn_as_wholes() -> None:
    """Copies of documents: as wide as one of each, not as narrow as all their units."""
    label, one, _ = _columns(4, 40)
    rows = np.stack([one, label], axis=1)
    single = Observed.of_rows(rows, [np.arange(40) // 4], [10])
    copied = Observed.of_rows(np.tile(rows, (5, 1)), [np.tile(np.arange(40) // 4, 5)], [10])
    ends = [drawn(given, Drawing(500)).ends(AREA) for given in (single, copied)]
    assert ends[0] == pytest.approx(ends[1])


def test_two_factors_multiply() -> None:
    """Items and raters: the pigeonhole bootstrap, by hand from the same draws."""
    generator = np.random.default_rng(5)
    items, raters = np.repeat(np.arange(12), 7), np.tile(np.arange(7), 12)
    values = generator.normal(size=84)
    rows = np.stack([values, np.ones(84)], axis=1)
    crossed = Observed.of_rows(rows, [items, raters], [12, 7])
    adding = Observed.of_rows(rows, [items, raters], [12, 7], shape=(2,))
    of_items = np.concatenate(list(draws(np.ones(12, int), resamples=50, seed=1)))
    of_raters = np.concatenate(list(_drawn_anew(np.ones(7, int), 50, (1, 1))))
    found = bootstrap(adding, resamples=50, seed=1)
    expected = np.einsum("di,dr,ir->d", of_items, of_raters, values.reshape(12, 7))
    assert found[:, 0] == pytest.approx(expected, abs=1e-5)
    assert found[:, 1] == pytest.approx([84.0] * 50)
    assert mean(found) == pytest.approx(MEAN(bootstrap(crossed, resamples=50, seed=1)))
    wide = drawn(adding, Drawing(2_000)).interval(mean)
    narrow = drawn(distinct(rows.reshape(12, 7, 2).sum(axis=1)), Drawing(2_000)).interval(mean)
    assert wide.high - wide.low > narrow.high - narrow.low
    assert np.count_nonzero(adding.telling()) == 7


def _table(label: np.ndarray, *columns: np.ndarray) -> Any:
    matrix = np.stack(columns, axis=1)
    table = from_matrix((matrix > 0).astype(int))
    return replace(
        table,
        labels=("no", "yes"),
        label=label.astype(np.int32),
        details={"sure": matrix},
        columns={"gold": label},
        values={"sure": Value(Scale(best=None, worst=None, shown="number"), matrix)},
    )


AUC, RHO = roc_auc("sure", "yes"), spearman("sure", "gold")


def test_score_significance_buckets_and_difference_take_such_a_metric() -> None:
    label, one, other = _columns(6, 120)
    table = _table(label, one, other)
    scores = fg.score(table, [AUC, RHO], intervals=200)
    plain = [
        float(area(np.stack([column, label], 1), np.ones((1, 120)))[0]) for column in (one, other)
    ]
    assert scores.overall["roc_auc"] == pytest.approx(plain)
    assert scores.overall["spearman"][0] == pytest.approx(stats.spearmanr(one, label).statistic)
    for name in ("roc_auc", "spearman"):
        low, high = scores.intervals.overall[name].T
        assert (low < scores.overall[name]).all()
        assert (scores.overall[name] < high).all()
    found = fg.significance(table, AUC, resamples=500, intervals=200)
    (pair,) = found.pairs
    assert pair.comparison.difference == pytest.approx(plain[1] - plain[0])
    assert pair.comparison.low < plain[1] - plain[0] < pair.comparison.high
    assert 0 < pair.comparison.p < 1
    assert found.interval.low == pytest.approx(scores.intervals.overall["roc_auc"][:, 0], abs=0.05)
    assert fg.difference(table, metric=AUC).score.delta == pytest.approx(plain[1] - plain[0])


def test_groups_of_units_are_scored_apart() -> None:
    label, one, other = _columns(7, 90)
    table = _table(label, one, other)
    groups = Samples(np.arange(90) % 3, 3)
    found = AUC.score(AUC.statistics(table, groups))
    for group in range(3):
        rows = np.arange(90) % 3 == group
        part = table.where(rows)
        assert found[group] == pytest.approx(AUC.score(AUC.statistics(part, whole(part)))[0])
    sampling = Sampling("item", Samples(np.arange(90), 90))
    kept = counted_apart(table, AUC.statistics, sampling, groups)
    assert float(AUC.score(kept[1][0].total())) == pytest.approx(found[1, 0])
    assert kept[1][0].n_samples == 90
    assert np.count_nonzero(kept[1][0].telling()) == 30


def test_undefined_rows_are_left_out_for_that_system_and_for_pairs() -> None:
    label, one, other = _columns(8, 50)
    other[:10] = np.nan
    table = _table(label, one, other)
    assert AUC.defined(table).sum(axis=0).tolist() == [50, 40]
    found = fg.significance(table, AUC, resamples=50, intervals=50)
    kept = _table(label[10:], one[10:], other[10:])
    of_kept = fg.significance(kept, AUC, resamples=50, intervals=50)
    assert found.pairs[0].comparison.difference == pytest.approx(
        of_kept.pairs[0].comparison.difference
    )
    assert any(note.startswith("10 items without roc_auc") for note in found.notes)
    assert found.values[0] == pytest.approx(AUC.score(AUC.statistics(table, whole(table)))[0, 0])


def test_runs_have_a_mean_and_items_their_share() -> None:
    label, one, other = _columns(9, 150)
    runs = [one, 0.8 * one + 0.2 * other, one + 0.1 * other]
    rows = [
        Observed.of_rows(np.stack([run, label], axis=1), [np.arange(150)], [150]) for run in runs
    ]
    found = mean_of_runs(rows, AREA, resamples=200)
    assert found.mean == pytest.approx(np.mean([float(AREA(one.total())) for one in rows]))
    assert found.items > 0


def test_a_task_can_say_that_raters_are_drawn_too() -> None:
    values = np.random.default_rng(10).normal(size=(80, 1)) + np.repeat([[1.0], [-1]], 40, axis=0)
    scale = Scale(best=None, worst=None, shown="number")
    table = from_matrix(np.ones((80, 1), int))
    table = replace(
        table,
        values={"mark": Value(scale, values)},
        columns={"rater": np.array([f"r{at // 10}" for at in range(80)], object)},
    )
    metric = mean_of("mark", scale)
    plain = fg.score(table, [metric], intervals=500)
    crossed = replace(table, task=replace(table.task, factors=("rater",)))
    both = fg.score(crossed, [metric], intervals=500)
    assert "|crossed:rater=8|" in both.signature
    assert both.overall["mark"] == plain.overall["mark"]
    widths = [np.diff(one.intervals.overall["mark"])[0, 0] for one in (plain, both)]
    assert widths[1] > 1.5 * widths[0]
