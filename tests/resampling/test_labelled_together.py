"""Buckets, runs and data sets by counts of labels: the draws and digits of whole vectors."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.analyses.explain.bucket_intervals import bucket_intervals
from finegrain.analyses.explain.data_set_estimates import estimates
from finegrain.metrics.label_counts import f1, macro, weighted
from finegrain.resampling.distinct import distinct
from finegrain.resampling.intervals import Drawing, drawn
from finegrain.resampling.labelled_together import together
from finegrain.resampling.runs import gap_of_runs, mean_of_runs
from finegrain.resampling.sampling import counted_apart, sampling_of
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples
from tests.resampling.test_labelled import _corpora, _counts, _labelled


def _runs(seed: int, fill: float) -> list[np.ndarray]:
    """The counts of three runs that differ in a third of 60 samples."""
    first, *others = (_counts(seed + place, samples=60, fill=fill) for place in (0, 5000, 9000))
    differ = np.random.default_rng(seed).random(60) < 1 / 3
    return [first, *(np.where(differ[:, None, None], one, first) for one in others)]


@given(st.integers(0, 1000), st.sampled_from([0.02, 0.2, 0.9]))
@settings(max_examples=30, deadline=None)
def test_runs_by_labels_have_the_numbers_of_whole_vectors(seed: int, fill: float) -> None:
    counts = _runs(seed, fill)
    dense, sparse = ([count(one) for one in counts] for count in (distinct, _labelled))
    for score in (macro(f1), weighted(f1)):
        means = [mean_of_runs(runs, score, resamples=40) for runs in (sparse, dense)]
        gaps = [gap_of_runs(runs[:1], runs[1:], score, resamples=40) for runs in (sparse, dense)]
        assert np.allclose(means[0].values, means[1].values, atol=1e-14, equal_nan=True)
        for ours, expected in (means, gaps):
            assert ours[-2:-1] == pytest.approx(expected[-2:-1], abs=1e-12, nan_ok=True)
            assert ours.low == pytest.approx(expected.low, abs=1e-9, nan_ok=True)


def test_runs_are_told_apart_by_what_all_of_them_count() -> None:
    """Samples 0 and 2 are alike in both runs; 1 is like them in the second run only."""
    first = np.zeros((3, 4, 5))
    first[1, 2] = [1, 0, 0, 1, 1]
    joint = together([_labelled(first), _labelled(np.zeros((3, 4, 5)))])
    assert joint.counts.tolist() == [2, 1]
    assert (joint.n_samples, joint.pooled) == (3, False)


@pytest.mark.parametrize("name", ["traditional_macro_f1", "weighted_weighted_f1"])
def test_buckets_by_labels_are_those_of_whole_vectors(name: str) -> None:
    """Buckets of units at the first and at the third token; a third one is empty."""
    table = _corpora(30)
    metric, drawing = table.task.all_metrics()[name], Drawing(resamples=60)
    buckets = Samples((table.begin > 0).astype(np.int64), 3)
    found = bucket_intervals(table, buckets, metric, drawing)
    dense = counted_apart(table, metric.statistics, sampling_of(table), buckets)
    expected = [
        [drawn(one, drawing).ends(metric.score, metric.scale) for one in systems]
        for systems in dense
    ]
    assert found is not None
    assert not np.isnan(found.ends[:2]).any()
    assert np.isnan(found.ends[2]).all()
    assert np.allclose(found.ends, expected, rtol=1e-10, atol=0, equal_nan=True)


def _data_set(table: OutcomeTable) -> None:
    metric = table.task.all_metrics()["traditional_macro_f1"]
    estimates(table, metric, {"s": table.systems}, ["s"], Drawing(resamples=50))


@pytest.mark.parametrize(
    "analyse",
    [
        lambda table: fg.buckets(
            table, "entity_length", metric="traditional_macro_f1", intervals=50
        ),
        lambda table: fg.seeds(table, "traditional_macro_f1", resamples=50),
        _data_set,
    ],
    ids=["buckets", "seeds", "suite"],
)
def test_memory_does_not_grow_with_samples_times_labels(
    analyse: Callable[[OutcomeTable], object],
) -> None:
    """600 sentences x 400 labels x 15 counts as floats are 29 MB for each of two systems."""
    table = _corpora(400)
    tracemalloc.start()
    analyse(table)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20e6
