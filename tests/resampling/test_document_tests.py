"""Tests of documents: their weights, skewed differences, and margins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from finegrain.metrics.label_counts import f1, macro, micro
from finegrain.metrics.label_statistics import Cells
from finegrain.metrics.metric import ratio
from finegrain.resampling import margins
from finegrain.resampling.distinct import distinct
from finegrain.resampling.labelled import Labelled, Size, distinct_cells
from finegrain.resampling.labelled_pairs import labelled_pair
from finegrain.resampling.paired import paired
from finegrain.resampling.pairs import Settings, compare
from finegrain.resampling.power import Spread, detectable, detectable_range, needed, power
from finegrain.resampling.sample_weights import document_weights, weighed
from finegrain.resampling.skewed_t import added


def share(sums: np.ndarray) -> np.ndarray:
    return ratio(sums[..., 0], sums[..., 1])


def _counts(seed: int, *, documents: int = 30, labels: int = 4) -> np.ndarray:
    """``[document, system, label, (TP, FP, FN, gold, predicted)]``."""
    generator = np.random.default_rng(seed)
    gold = generator.poisson(np.exp(generator.normal(1, 1, (documents, 1, labels))))
    hits = generator.binomial(np.broadcast_to(gold, (documents, 2, labels)), 0.8)
    extra = generator.poisson(0.5, hits.shape)
    gold = np.broadcast_to(gold, hits.shape)
    return np.stack([hits, extra, gold - hits, gold, hits + extra], axis=-1).astype(float)


def _labelled(counts: np.ndarray) -> Labelled:
    sample, label = np.nonzero(counts.any(axis=-1))
    return distinct_cells(Cells(sample, label, counts[sample, label]), Size(*counts.shape[:2]))


def test_samples_are_weighed_one_by_one() -> None:
    counts = _counts(1)
    weights = document_weights(counts[:, 0, :, 3].sum(axis=1).astype(int))
    heavy = counts * weights[:, None, None, None]
    for score in (micro(f1), macro(f1)):
        expected = float(score(heavy[:, 1].sum(axis=0)) - score(heavy[:, 0].sum(axis=0)))
        whole = paired(*(weighed(distinct(counts[:, at]), weights) for at in (0, 1)))
        sparse = labelled_pair(*(weighed(_labelled(counts[:, at]), weights) for at in (0, 1)))
        assert whole.difference(score) == pytest.approx(expected)
        assert sparse.difference(score) == pytest.approx(expected)
        assert added(whole, score) == pytest.approx(added(sparse, score))


def test_what_samples_add_agrees_with_a_plain_loop() -> None:
    counts = _counts(2)
    score = macro(f1)
    found = added(paired(*(distinct(counts[:, at]) for at in (0, 1))), score)
    assert found is not None

    def difference(some: np.ndarray) -> float:
        first, second = score(some.sum(axis=0))
        return float(second - first)

    without = np.array([difference(np.delete(counts, at, axis=0)) for at in range(len(counts))])
    assert found.difference == pytest.approx(difference(counts))
    assert found.error == pytest.approx(without.std() * math.sqrt(len(counts) - 1))
    assert found.skewness == pytest.approx(stats.skew(-without))


def test_documents_of_one_size_keep_their_difference_and_lose_their_skewness() -> None:
    """Nine documents in which the second is right about one more, one in which about nine less."""
    one = np.array([[9.0, 10.0]] * 10)
    other = np.array([[10.0, 10.0]] * 9 + [[0.0, 10.0]])
    settings = Settings("randomisation", resamples=2_000, intervals=100)
    systems = distinct(one), distinct(other)
    plain = compare(*systems, share, settings)
    heavy = compare(*systems, share, settings, weights=np.full(10, 0.5))
    assert heavy.difference == plain.difference == 0
    assert plain.p == 1.0
    assert heavy.tested is not None
    assert heavy.tested.skewness == pytest.approx(-2.667, abs=1e-3)  # of nine 1 and one -9
    tail = max(heavy.lower, heavy.higher)
    assert heavy.p >= plain.p
    assert tail > 0.5


def test_the_larger_p_counts_and_one_side_is_half_of_two() -> None:
    counts = _counts(3)
    systems = [distinct(counts[:, at]) for at in (0, 1)]
    settings = Settings("randomisation", resamples=4_000, intervals=100)
    weights = document_weights(counts[:, 0, :, 3].sum(axis=1).astype(int))
    found = compare(*systems, micro(f1), settings, weights=weights)
    turned = compare(*systems[::-1], micro(f1), settings, weights=weights)
    assert found.tested is not None
    t_test = 2 * min(found.tested.above(0.0), found.tested.below(0.0))
    assert found.p >= t_test - 1e-12
    assert found.p == turned.p
    assert found.lower == pytest.approx(turned.higher)
    assert min(found.lower, found.higher) == pytest.approx(found.p / 2, abs=0.01)


def test_p_is_one_where_weights_and_the_corpus_disagree_who_is_ahead() -> None:
    """The second is 40 better in one long document, and 1 worse in each of nine short ones."""
    one = np.array([[50.0, 100.0]] + [[5.0, 5.0]] * 9)
    other = np.array([[90.0, 100.0]] + [[4.0, 5.0]] * 9)
    weights = document_weights(one[:, 1].astype(int))
    settings = Settings("randomisation", resamples=2_000, intervals=100)
    found = compare(distinct(one), distinct(other), share, settings, weights=weights)
    assert found.difference > 0
    assert found.tested is not None
    assert found.tested.difference < 0
    assert found.p == 1.0


def test_a_margin_is_refuted_from_both_sides() -> None:
    counts = _counts(4, documents=200)
    systems = [distinct(counts[:, at]) for at in (0, 1)]
    found = compare(*systems, micro(f1), Settings("randomisation", resamples=100, intervals=100))
    assert found.tested is not None
    wide, narrow = (margins.equivalence(found, margin) for margin in (0.2, 1e-6))
    assert wide < 1e-6
    assert narrow > 0.5
    assert margins.not_lower(found.tested, 0.05) == pytest.approx(
        margins.not_higher(found.tested.mirrored(), 0.05)
    )
    assert margins.lower(found.tested, 0.0) + margins.not_lower(found.tested, 0.0) >= 1 - 1e-9


def test_more_documents_detect_less_and_a_range_holds_what_it_is_of() -> None:
    spread = Spread(0.02, 40, 40, 20.0, 0.85)
    low, high = detectable_range(spread)
    assert low < detectable(spread) < high
    assert detectable(spread, level=0.99) > detectable(spread)
    size = needed(spread, detectable(spread)) or 0
    assert size == pytest.approx(40, abs=1)
    assert power(spread, detectable(spread)) == pytest.approx(0.8, abs=0.01)
