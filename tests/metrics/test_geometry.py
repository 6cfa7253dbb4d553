"""Kernel alignment and neighbours against their definitions on vectors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from finegrain.alignment.distances import distances
from finegrain.metrics.geometry import cka, debiased_cka, gram, neighbour_overlap


def _vectors(size: int = 12, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    first = draw.normal(size=(size, 5))
    return first, first @ draw.normal(size=(5, 3)) + draw.normal(size=(size, 3))


def _apart(vectors: np.ndarray) -> np.ndarray:
    return squareform(pdist(vectors))


@pytest.mark.parametrize("distance", ["cosine", "correlation", "euclidean"])
def test_distances_are_those_of_scipy(distance: str) -> None:
    vectors = 100 * np.random.default_rng(1).normal(size=(30, 6)) + 3
    assert np.allclose(distances(vectors, distance), squareform(pdist(vectors, distance)))


def test_near_vectors_keep_their_digits() -> None:
    """1e-7 apart, far from the origin: a difference of squares would lose it."""
    vectors = np.array([[1000.0, 0.0], [1000.0, 1e-7], [1003.0, 4.0]])
    found = distances(vectors, "euclidean")
    assert found[0, 1] == pytest.approx(1e-7, rel=1e-3)
    assert found[0, 2] == 5.0


def test_equal_distances_are_tied_whatever_the_order_of_sums() -> None:
    draw = np.random.default_rng(3)
    vectors = draw.normal(size=(10, 300))
    turn, _ = np.linalg.qr(draw.normal(size=(300, 300)))
    for distance in ("cosine", "euclidean"):
        one, other = (distances(given, distance) for given in (vectors, vectors @ turn))
        assert np.array_equal(one, other), distance


def test_kernel_alignment_is_that_of_centred_vectors() -> None:
    """Kornblith et al. (2019), equation 3: the cross-covariance by those of each."""
    first, second = (one - one.mean(axis=0) for one in _vectors())
    shared = np.linalg.norm(second.T @ first) ** 2
    own = np.linalg.norm(first.T @ first) * np.linalg.norm(second.T @ second)
    assert cka(_apart(first), _apart(second)) == pytest.approx(shared / own, abs=1e-12)
    assert np.allclose(gram(_apart(first)), first @ first.T)


def test_the_unbiased_estimate_is_that_of_u_centred_products() -> None:
    """Szekely and Rizzo (2014) write the same as a mean of products of U-centred matrices."""

    def centred(matrix: np.ndarray) -> np.ndarray:
        n = len(matrix)
        off = matrix - np.diag(np.diag(matrix))
        rows = off.sum(axis=1)
        found = off - rows[:, None] / (n - 2) - rows / (n - 2) + off.sum() / ((n - 1) * (n - 2))
        np.fill_diagonal(found, 0)
        return found

    first, second = _vectors()
    one, other = centred(first @ first.T), centred(second @ second.T)
    expected = (one * other).sum() / math.sqrt((one**2).sum() * (other**2).sum())
    assert debiased_cka(_apart(first), _apart(second)) == pytest.approx(expected, abs=1e-10)


def test_only_the_unbiased_estimate_is_near_0_for_unrelated_vectors() -> None:
    """30 stimuli in 200 dimensions: the plain one says .9 of noise (Nguyen et al. 2021)."""
    draw = np.random.default_rng(0)
    plain, debiased = [], []
    for _ in range(10):
        one, other = (_apart(draw.normal(size=(30, 200))) for _ in range(2))
        plain.append(cka(one, other))
        debiased.append(debiased_cka(one, other))
    assert min(plain) > 0.8
    assert abs(np.mean(debiased)) < 0.05


def test_what_is_undefined_is_nan() -> None:
    same = np.zeros((5, 5))
    assert math.isnan(cka(same, same))
    assert math.isnan(debiased_cka(same, same))
    assert math.isnan(debiased_cka(_apart(np.eye(3)), _apart(np.eye(3))))


def test_neighbours_are_those_of_a_loop() -> None:
    first, second = _vectors()
    one, other = _apart(first), _apart(second)
    shared = []
    for row in range(12):
        near = [
            set(sorted((at for at in range(12) if at != row), key=lambda at: matrix[row, at])[:4])
            for matrix in (one, other)
        ]
        shared.append(len(near[0] & near[1]) / 4)
    assert neighbour_overlap(one, other, 4) == pytest.approx(np.mean(shared))
