"""Products are put together from tiles that OpenBLAS computes on the calling thread."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from finegrain.resampling.products import product, products

# OpenBLAS divides nothing that is smaller: interface/gemm.c and interface/gemv.c
MATRIX, VECTOR = 1 << 18, 4 * 2304


class Watched(np.ndarray[Any, Any]):
    """A matrix that notes what it is multiplied with."""

    seen: list[tuple[int, int, int]]

    def __matmul__(self, other: Any) -> Any:
        self.seen.append((*self.shape[-2:], other.shape[-1]))
        return np.asarray(self) @ other


SHAPES = [(1, 1, 1), (1000, 300, 1), (512, 256, 8), (3, 2000, 130), (1, 5000, 7), (700, 129, 65)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_product_is_exact_and_no_tile_is_divided(
    shape: tuple[int, int, int], kind: type[np.float32] | type[np.float64]
) -> None:
    rows, inner, columns = shape
    generator = np.random.default_rng(1)
    first = generator.integers(0, 9, (rows, inner)).astype(kind)
    second = generator.integers(0, 9, (inner, columns)).astype(kind)
    watched = first.view(Watched)
    Watched.seen = []
    found = product(watched, second)  # type: ignore[type-var]
    assert found.dtype == kind
    assert (found == first.astype(np.int64) @ second.astype(np.int64)).all()
    for one in Watched.seen:
        assert np.prod(one) <= (MATRIX if one[0] > 1 and one[2] > 1 else VECTOR - 1)


@pytest.mark.parametrize("shape", [*SHAPES[:3], (15, 700, 1000), (1, 300, 400), (2, 0, 3)])
def test_products_of_several_matrices_are_exact_and_no_tile_is_divided(
    shape: tuple[int, int, int],
) -> None:
    rows, inner, columns = shape
    generator = np.random.default_rng(2)
    first = generator.integers(0, 9, (3, rows, inner)).astype(np.float32)
    second = generator.integers(0, 9, (3, inner, columns)).astype(np.float32)
    Watched.seen = []
    found = products(first.view(Watched), second)  # type: ignore[type-var]
    assert (found == first.astype(np.int64) @ second.astype(np.int64)).all()
    for one in Watched.seen:
        assert np.prod(one) <= (MATRIX if one[0] > 1 and one[2] > 1 else VECTOR - 1)


@pytest.mark.parametrize("shape", [(0, 3, 2), (2, 0, 3), (2, 3, 0)])
def test_what_is_empty_gives_zeros(shape: tuple[int, int, int]) -> None:
    rows, inner, columns = shape
    found = product(np.ones((rows, inner)), np.ones((inner, columns)))
    assert found.shape == (rows, columns)
    assert not found.any()
