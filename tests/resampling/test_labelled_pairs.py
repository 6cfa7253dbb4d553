"""Two systems by counts of labels: the draws, swaps and digits of whole vectors."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.metrics.label_counts import OverLabels, f1, macro, micro, over_labels, weighted
from finegrain.metrics.span_scores import WEIGHTS, weighed
from finegrain.resampling import label_sums, labelled_together
from finegrain.resampling.distinct import distinct
from finegrain.resampling.labelled import Size, distinct_cells
from finegrain.resampling.labelled_pairs import labelled_pair
from finegrain.resampling.paired import Paired, paired
from finegrain.resampling.pairs import Settings, compare, sample_scores
from finegrain.resampling.sampling import compared, counted, sampling_of
from finegrain.table import OutcomeTable
from tests.resampling.test_labelled import _cells, _corpora, _counts, _labelled

SCORES: list[OverLabels] = [micro(f1), macro(f1), weighted(f1)]


def _systems(seed: int, *, samples: int = 60, fill: float = 0.2) -> list[np.ndarray]:
    """The counts of two systems that differ in a third of the samples."""
    one, other = (_counts(seed + place, samples=samples, fill=fill) for place in (0, 5000))
    differ = np.random.default_rng(seed).random(samples) < 1 / 3
    return [one, np.where(differ[:, None, None], other, one)]


def _pairs(counts: list[np.ndarray]) -> tuple[Paired, Paired]:
    return paired(*map(distinct, counts)), labelled_pair(*map(_labelled, counts))


def _same(counts: list[np.ndarray], scores: list[OverLabels] = SCORES) -> None:
    dense, sparse = _pairs(counts)
    assert dense.differing == sparse.differing
    for score in scores:
        found = [
            (
                pair.difference(score),
                pair.bootstrapped(score, resamples=40, seed=3),
                pair.swapped(score, resamples=70, seed=3),
            )
            for pair in (dense, sparse)
        ]
        for ours, expected in zip(found[1], found[0], strict=True):
            assert np.allclose(ours, expected, rtol=0, atol=1e-14, equal_nan=True)


@given(st.integers(0, 1000), st.sampled_from([0.02, 0.2, 0.9]))
@settings(max_examples=40, deadline=None)
def test_counts_by_label_give_the_digits_of_whole_vectors(seed: int, fill: float) -> None:
    _same(_systems(seed, fill=fill))


@pytest.mark.parametrize("samples", [1, 300, 1500])
def test_few_and_many_samples_are_drawn_and_swapped_alike(samples: int) -> None:
    """1,500 samples of 2 labels: many are alike, and of many kinds more than 64 are."""
    counts = [one[:, :2] for one in _systems(4, samples=samples)]
    _same(counts)


@pytest.mark.parametrize("weights", [None, *WEIGHTS.values()])
def test_weights_are_applied_before_or_after_sums(weights: object) -> None:
    generator = np.random.default_rng(2)
    spans = [
        np.concatenate([generator.integers(0, 3, (60, 9, 10)) * one[..., :1], one], axis=-1)
        for one in _systems(9)
    ]
    _same(spans, [over_labels(weighed(score, weights)) for score in SCORES])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"), [("_BLOCK", 1), ("_GATHERED", 1), ("_SCORED", 1), ("_FREQUENT", 0.0)]
)
def test_how_resamples_and_labels_are_parted_changes_no_digit(
    name: str, value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelled_together if name == "_SCORED" else label_sums, name, value)
    _same(_systems(5, samples=80))


def test_all_swaps_of_few_samples() -> None:
    counts = [one[:12] for one in _systems(7)]
    dense, sparse = _pairs(counts)
    assert 0 < dense.differing < 12
    for score in SCORES:
        every = [np.sort(pair.swapped_every_way(score)) for pair in (dense, sparse)]
        assert len(every[0]) == 2**dense.differing
        assert np.allclose(*every, rtol=0, atol=1e-14)


@given(st.integers(0, 1000), st.randoms())
@settings(max_examples=30, deadline=None)
def test_neither_names_nor_the_order_of_samples_change_a_digit(seed: int, shuffle: object) -> None:
    counts = _systems(seed)
    order = list(range(60))
    shuffle.shuffle(order)  # type: ignore[attr-defined]
    pairs = [
        labelled_pair(*map(_labelled, given))
        for given in (counts, [one[order] for one in counts], counts[::-1])
    ]
    drawn = [pair.bootstrapped(macro(f1), resamples=20, seed=1) for pair in pairs]
    swapped = [np.abs(pair.swapped(macro(f1), resamples=20, seed=1)) for pair in pairs]
    for found, sign in ((drawn, -1), (swapped, 1)):
        assert np.allclose(found[0], found[1], rtol=0, atol=1e-14, equal_nan=True)
        assert np.allclose(found[0], sign * found[2], rtol=0, atol=1e-14, equal_nan=True)


def test_systems_with_equal_sums_are_told_apart_by_what_they_did() -> None:
    one = _counts(3)
    other = one[::-1].copy()
    other[[0, 1]] = other[[1, 0]]
    for counts in ([one, other], [one, one.copy()]):
        there, back = (
            labelled_pair(*map(_labelled, given)).bootstrapped(macro(f1), resamples=20, seed=1)
            for given in (counts, counts[::-1])
        )
        assert np.array_equal(there, -back, equal_nan=True)


def test_systems_without_any_counts_have_no_difference() -> None:
    _same([np.zeros((8, 3, 5))] * 2)
    _same([np.zeros((0, 3, 5))] * 2)


@pytest.mark.parametrize("score", SCORES)
def test_scores_of_samples_are_those_of_whole_vectors(score: OverLabels) -> None:
    counts = _systems(8, fill=0.05)
    dense = sample_scores(*map(distinct, counts), score)
    sparse = sample_scores(*map(_labelled, counts), score)
    for ours, expected in zip(sparse, dense, strict=True):
        assert np.allclose(ours, expected, rtol=0, atol=1e-15, equal_nan=True)


def test_a_score_that_is_no_sum_over_labels_is_refused() -> None:
    with pytest.raises(TypeError, match="sums over labels"):
        _labelled(_counts(1)).scores(f1)
    with pytest.raises(TypeError, match="in the same way"):
        compare(distinct(_counts(1)), _labelled(_counts(1)), macro(f1), Settings("randomisation"))


def _metric(table: OutcomeTable, name: str) -> fg.Metric:
    return table.task.all_metrics()[name]


@pytest.mark.parametrize(
    "name", ["traditional_macro_f1", "fair_weighted_f1", "type_f1", "overlap_recall"]
)
def test_comparisons_by_labels_do_not_grow_with_samples_times_labels(name: str) -> None:
    """600 sentences x 400 labels x 15 counts as floats are 29 MB for each of two systems."""
    table = _corpora(400)
    tracemalloc.start()
    fg.significance(table, name, resamples=200, intervals=50)
    fg.difference(table, metric=name, intervals=50)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20e6


@pytest.mark.parametrize("name", ["traditional_macro_f1", "weighted_weighted_f1", "partial_f1"])
def test_significance_by_labels_is_that_of_whole_vectors(name: str) -> None:
    table = _corpora(30)
    metric, sampling = _metric(table, name), sampling_of(table)
    dense, sparse = counted(table, metric.statistics, sampling), compared(table, metric, sampling)
    settings_ = Settings("randomisation", resamples=300, intervals=60)
    for ours, expected in zip(
        compare(*sparse, metric.score, settings_),
        compare(*dense, metric.score, settings_),
        strict=True,
    ):
        assert ours == pytest.approx(expected, rel=1e-12, nan_ok=True)


def test_cells_of_other_shapes_are_counted() -> None:
    """Two counts in rows of three, as match schemes have them."""
    counts = np.random.default_rng(1).poisson(0.1, (20, 4, 2, 3)).astype(float)
    given = distinct_cells(_cells(counts), Size(20, 4))
    assert np.array_equal(given.total(), counts.sum(axis=0))
