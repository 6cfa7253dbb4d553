"""Precision, recall, F1 and their averages, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from finegrain.metrics.label_counts import accuracy, f1, macro, micro, precision, recall, weighted

# Bernardi's two systems: TP 30, FP 0, FN 10 and TP 40, FP 50, FN 0
ONE = np.array([30.0, 0, 10, 40, 30])
TWO = np.array([40.0, 50, 0, 40, 90])
NOTHING = np.zeros(5)
ONLY_PREDICTED = np.array([0.0, 3, 0, 0, 3])
ONLY_GOLD = np.array([0.0, 0, 2, 2, 0])


def test_the_lectures_two_systems() -> None:
    """P 1 and 4/9, R 3/4 and 1, F 6/7 and 8/13."""
    both = np.stack([ONE, TWO])
    assert precision(both) == pytest.approx([1, 4 / 9])
    assert recall(both) == pytest.approx([3 / 4, 1])
    assert f1(both) == pytest.approx([6 / 7, 8 / 13])


def test_precision_needs_predictions_and_recall_needs_gold() -> None:
    assert np.isnan(precision(ONLY_GOLD))
    assert np.isnan(recall(ONLY_PREDICTED))
    assert precision(ONLY_PREDICTED) == 0
    assert recall(ONLY_GOLD) == 0


def test_f1_is_zero_as_soon_as_there_is_a_unit() -> None:
    assert f1(ONLY_GOLD) == 0
    assert f1(ONLY_PREDICTED) == 0
    assert np.isnan(f1(NOTHING))


def test_a_label_whose_errors_are_charged_elsewhere_has_f1_zero() -> None:
    """Predicted once, but the fair error went to the gold label: nothing to divide by."""
    elsewhere = np.array([0.0, 0, 0, 0, 1])
    assert f1(elsewhere) == 0
    assert np.isnan(precision(elsewhere))


def test_micro_sums_first() -> None:
    """70 hits, 50 invented, 10 missed: F1 = 140 / 200."""
    assert micro(f1)(np.stack([ONE, TWO])) == pytest.approx(0.7)


def test_macro_runs_over_labels_with_gold_or_predictions() -> None:
    """(6/7 + 8/13 + 0) / 3: the label that is only predicted counts, the unused one does not."""
    counts = np.stack([ONE, TWO, ONLY_PREDICTED, NOTHING])
    assert macro(f1)(counts) == pytest.approx((6 / 7 + 8 / 13) / 3)


def test_weighted_by_gold_frequency() -> None:
    """Both labels have 40 gold units: the plain mean."""
    counts = np.stack([ONE, TWO, ONLY_PREDICTED])
    assert weighted(f1)(counts) == pytest.approx((6 / 7 + 8 / 13) / 2)


def test_averages_of_nothing_are_undefined() -> None:
    nothing = np.stack([NOTHING, NOTHING])
    for average in (micro(f1), macro(f1), weighted(f1), accuracy):
        assert np.isnan(average(nothing))


def test_shapes_are_kept() -> None:
    counts = np.ones((7, 3, 2, 5))  # sample, system, label
    assert micro(f1)(counts).shape == (7, 3)
    assert f1(counts).shape == (7, 3, 2)
