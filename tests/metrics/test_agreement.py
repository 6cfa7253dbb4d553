"""Measures of agreement: by hand, against scikit-learn and scipy-free references, invariances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score

from finegrain.metrics.agreement import (
    SCALES,
    alpha,
    cohen_kappa,
    fleiss_kappa,
    label_agreement,
    label_alpha,
    label_kappa,
    many_sums,
    overall_f1,
    percent,
    pooled_kappa,
    sums_of,
    weighted_kappa,
)

LABELLED = st_numpy.arrays(
    np.int64, st.tuples(st.integers(2, 20), st.just(2)), elements=st.integers(0, 3)
)
RATED = st_numpy.arrays(
    np.int64, st.tuples(st.integers(2, 12), st.just(4)), elements=st.integers(-1, 3)
)


def _confusion(pairs: NDArray[np.int64], labels: int = 4) -> NDArray[np.int64]:
    found = np.zeros((labels, labels), np.int64)
    np.add.at(found, (pairs[:, 0], pairs[:, 1]), 1)
    return found


def _counts(rated: NDArray[np.int64], labels: int = 4) -> NDArray[np.int64]:
    return np.stack([(rated == label).sum(axis=1) for label in range(labels)], axis=1)


def test_the_lecture_example() -> None:
    """P(A) = 370 / 400; pooled: yes (320 + 310) / 800 = 0.7875, P(E) = 0.7875^2 + 0.2125^2.

    Cohen: P(E) = 0.8 * 0.775 + 0.2 * 0.225 = 0.665. Of the label no: 2 * 70 / (80 + 90).
    """
    sums = sums_of([[300, 20], [10, 70]])
    assert percent(sums) == pytest.approx(0.925)
    expected = 0.7875**2 + 0.2125**2
    assert pooled_kappa(sums) == pytest.approx((0.925 - expected) / (1 - expected))
    assert round(float(pooled_kappa(sums)), 3) == 0.776
    assert cohen_kappa(sums) == pytest.approx((0.925 - 0.665) / 0.335)
    assert label_agreement(sums)[1] == pytest.approx(140 / 170)


def test_alpha_by_hand_on_the_interval_scale() -> None:
    """Units 1 1, 2 4, 4 4: n = 6 with 1 twice, 2 once, 4 three times.

    Observed: 2 * (2 - 4)^2 = 8. Expected: 2 * (2*1*1 + 2*3*9 + 1*3*4) / 5 = 2 * 68 / 5 = 27.2.
    alpha = 1 - 8 / 27.2.
    """
    counts = [[2, 0, 0], [0, 1, 1], [0, 0, 2]]
    sums = many_sums(counts, scale="interval", values=[1, 2, 4]).sum(axis=0)
    assert alpha(sums, 3, scale="interval", values=[1, 2, 4]) == pytest.approx(1 - 8 / 27.2)


def test_alpha_by_hand_on_the_ordinal_scale() -> None:
    """The same units: middles of labels in the ranking are 1, 2.5, 4.5.

    Observed: 2 * 2^2 = 8. Expected: 2 * (2 * 1.5^2 + 6 * 3.5^2 + 3 * 2^2) / 5 = 36.0.
    """
    counts = [[2, 0, 0], [0, 1, 1], [0, 0, 2]]
    sums = many_sums(counts, scale="ordinal").sum(axis=0)
    assert alpha(sums, 3, scale="ordinal") == pytest.approx(1 - 8 / 36)


def test_one_label_leaves_nothing_but_agreement() -> None:
    sums = sums_of([[5, 0], [0, 0]])
    assert percent(sums) == 1
    for measure in (pooled_kappa, cohen_kappa):
        assert np.isnan(measure(sums))
    many = many_sums([[3, 0], [2, 0]]).sum(axis=0)
    assert np.isnan(alpha(many, 2))
    assert np.isnan(fleiss_kappa(many, 2))


def test_no_units_is_undefined() -> None:
    empty = sums_of(np.zeros((2, 2)))
    for measure in (percent, pooled_kappa, cohen_kappa, overall_f1):
        assert np.isnan(measure(empty))
    assert np.isnan(alpha(many_sums(np.zeros((0, 2))).sum(axis=0), 2))


@settings(max_examples=60, deadline=None)
@given(LABELLED)
def test_cohen_and_weighted_kappa_agree_with_scikit_learn(pairs: NDArray[np.int64]) -> None:
    sums = sums_of(_confusion(pairs))
    if len(np.unique(pairs)) < 2:
        return
    theirs = cohen_kappa_score(pairs[:, 0], pairs[:, 1], labels=range(4))
    assert cohen_kappa(sums) == pytest.approx(theirs)
    for weights in ("linear", "quadratic"):
        ours = weighted_kappa(sums, np.arange(4.0), weights=weights)
        theirs = cohen_kappa_score(pairs[:, 0], pairs[:, 1], labels=range(4), weights=weights)
        assert ours == pytest.approx(theirs)


def _alpha_from_pairs(rated: NDArray[np.int64], scale: str) -> float:
    """Alpha as it is defined: every pair of labels of a unit, against every pair of labels."""
    units = [row[row >= 0] for row in rated]
    units = [unit for unit in units if len(unit) >= 2]
    labels = np.concatenate(units) if units else np.empty(0, int)
    counts = np.bincount(labels, minlength=4)

    def apart(one: int, two: int) -> float:
        low, high = sorted((one, two))
        if scale == "nominal":
            return float(one != two)
        if scale == "interval":
            return float((one - two) ** 2)
        if scale == "ratio":
            return ((one - two) / (one + two)) ** 2 if one + two else 0.0
        return float((counts[low : high + 1].sum() - (counts[low] + counts[high]) / 2) ** 2)

    seen = sum(
        apart(one, two) / (len(unit) - 1)
        for unit in units
        for at, one in enumerate(unit)
        for place, two in enumerate(unit)
        if at != place
    )
    every = sum(apart(one, two) for one in labels for two in labels)
    n = len(labels)
    return 1 - (seen / n) / (every / (n * (n - 1))) if every else float("nan")


@settings(max_examples=60, deadline=None)
@given(RATED)
@pytest.mark.parametrize("scale", SCALES)
def test_alpha_is_what_its_definition_says(scale: str, rated: NDArray[np.int64]) -> None:
    sums = many_sums(_counts(rated), scale=scale, values=np.arange(4.0)).sum(axis=0)  # type: ignore[arg-type]
    ours = alpha(sums, 4, scale=scale, values=np.arange(4.0))  # type: ignore[arg-type]
    assert ours == pytest.approx(_alpha_from_pairs(rated, scale), nan_ok=True)


@settings(max_examples=60, deadline=None)
@given(RATED, st.permutations(range(4)), st.permutations(range(4)))
def test_order_of_units_annotators_and_labels_is_irrelevant(
    rated: NDArray[np.int64], labels: list[int], people: list[int]
) -> None:
    renamed = np.append(labels, -1)[rated][::-1, people]
    one, two = (many_sums(_counts(given)).sum(axis=0) for given in (rated, renamed))
    assert alpha(one, 4) == pytest.approx(alpha(two, 4), nan_ok=True)
    assert label_alpha(one, 4) == pytest.approx(label_alpha(two, 4)[labels], nan_ok=True)


@settings(max_examples=60, deadline=None)
@given(LABELLED)
def test_two_annotators_are_a_special_case_of_many(pairs: NDArray[np.int64]) -> None:
    """Fleiss is pooled kappa; alpha = 1 - (1 - pi) (2n - 1) / 2n; sides do not matter."""
    sums, many = sums_of(_confusion(pairs)), many_sums(_counts(pairs)).sum(axis=0)
    pi = pooled_kappa(sums)
    assert fleiss_kappa(many, 4) == pytest.approx(pi, nan_ok=True)
    n = 2 * len(pairs)
    assert alpha(many, 4) == pytest.approx(1 - (1 - pi) * (n - 1) / n, nan_ok=True)
    turned = sums_of(_confusion(pairs[:, ::-1]))
    for measure in (percent, pooled_kappa, cohen_kappa, overall_f1):
        assert measure(turned) == pytest.approx(measure(sums), nan_ok=True)
    assert label_kappa(turned) == pytest.approx(label_kappa(sums), nan_ok=True)


@settings(max_examples=40, deadline=None)
@given(LABELLED)
def test_perfect_agreement_is_1(pairs: NDArray[np.int64]) -> None:
    same = np.column_stack([pairs[:, 0], pairs[:, 0]])
    sums = sums_of(_confusion(same))
    assert percent(sums) == 1
    for measure in (pooled_kappa, cohen_kappa):
        assert np.isnan(measure(sums)) if len(set(pairs[:, 0])) == 1 else measure(sums) == 1
