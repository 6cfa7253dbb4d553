"""Area under the ROC curve and rank correlation: against scikit-learn, scipy and brute force."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from finegrain.metrics.ranked import area, correlation

SCORES = st.sampled_from([-1.5, 0.0, 0.25, 0.5, 1.0, 7.0])
ROWS = st.lists(st.tuples(SCORES, st.sampled_from([0.0, 1.0])), min_size=1, max_size=12)
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=2, max_size=12)


def _repeated(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return np.repeat(rows, weights.astype(int), axis=0)


def _pairs_in_order(rows: np.ndarray) -> float:
    """The definition: of all pairs of a positive and another row, those in order; ties half."""
    positive, others = rows[rows[:, 1] > 0, 0], rows[rows[:, 1] == 0, 0]
    if not len(positive) or not len(others):
        return np.nan
    return float(np.mean([(p > n) + (p == n) / 2 for p in positive for n in others]))


def _spearman(rows: np.ndarray) -> float:
    if len(rows) < 2 or (rows == rows[0]).all(axis=0).any():
        return np.nan
    return float(stats.spearmanr(*rows.T).statistic)


@pytest.mark.parametrize(
    ("weighted", "plain", "many"), [(area, _pairs_in_order, ROWS), (correlation, _spearman, PAIRS)]
)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_weight_counts_as_so_many_rows(
    weighted: Callable[..., np.ndarray],
    plain: Callable[[np.ndarray], float],
    many: st.SearchStrategy[list[tuple[float, float]]],
    data: st.DataObject,
) -> None:
    rows = np.array(data.draw(many))
    shape = (3, len(rows))
    weights = data.draw(arrays(np.float64, shape, elements=st.sampled_from([0.0, 1, 2, 3])))
    expected = [plain(_repeated(rows, of_draw)) for of_draw in weights]
    assert weighted(rows, weights) == pytest.approx(expected, nan_ok=True, abs=1e-12)


def test_agrees_with_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    generator = np.random.default_rng(1)
    scores, label = generator.normal(size=200).round(1), generator.integers(0, 2, 200)
    weights = generator.integers(0, 4, (2, 200)).astype(float)
    rows = np.stack([scores + label, label], axis=1)
    expected = [metrics.roc_auc_score(label, rows[:, 0], sample_weight=one) for one in weights]
    assert area(rows, weights) == pytest.approx(expected)
    assert area(rows, np.ones((1, 200)))[0] == pytest.approx(
        metrics.roc_auc_score(label, rows[:, 0])
    )


def test_by_hand() -> None:
    """Positive .9 and .4, others .6, .4 and .1: pairs in order 3 + 1, one tie: 4.5 of 6."""
    rows = np.array([[0.9, 1], [0.4, 1], [0.6, 0], [0.4, 0], [0.1, 0]])
    assert area(rows, np.ones((1, 5))).tolist() == [4.5 / 6]
    assert np.isnan(area(rows, np.array([[1.0, 1, 0, 0, 0], [0, 0, 1, 1, 1]]))).all()
    swapped = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0], [4.0, 4.0]])  # 1 - 6 * 2 / (4 * 15)
    assert correlation(swapped, np.ones((1, 4))) == pytest.approx([0.8])
    assert correlation(swapped * [1, -1], np.ones((1, 4))) == pytest.approx([-0.8])
