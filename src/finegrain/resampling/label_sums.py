"""Weighted sums of counts by label, where a sample has few of many labels.

A sum over drawn samples needs, of each label, only the samples that have it. So the counts of a
label are the product of a narrow matrix of draws with the counts of those samples: neither time nor
memory grows with samples times labels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.resampling.distinct import flattened
from finegrain.resampling.drawing import EXACT, in_quarters
from finegrain.resampling.labelled import Labelled, ranges
from finegrain.resampling.products import product, products

_CELLS = 1 << 23  # of sums in memory at once
_BLOCK = 1 << 20  # weights
_FREQUENT = 0.25  # of all vectors
_GATHERED = 1 << 11  # vectors whose draws are multiplied at once
Sums = NDArray[Any]  # in single precision where that is exact, else in double


def weighted_sums(
    given: Labelled, drawn: Callable[[], Iterator[NDArray[np.float32]]], resamples: int
) -> Iterator[tuple[IntArray, Sums]]:
    """Some labels, and their sums ``[resample, label, ...]``, until all labels had their turn.

    ``drawn`` gives weights ``[resample, vector]`` in blocks of resamples. Where all sums take too
    much memory, the same weights are drawn again for the next labels.
    """
    width = math.prod(given.values.shape[1:])
    step = max(1, _CELLS // max(1, width * resamples))
    factors = _factors(given)
    for begin in range(0, max(1, given.n_labels), step):
        labels = factors.labels[begin : begin + step]
        batches = list(_batches(factors, begin, begin + len(labels)))
        sums = np.empty((len(labels), width, resamples), factors.values.dtype)
        at = 0
        for weights in drawn():
            until = at + len(weights)
            for batch, found in zip(batches, _products(batches, weights), strict=True):
                sums[batch.labels, :, at:until] = found
            at = until
        in_shape = sums.reshape(len(labels), *given.values.shape[1:], resamples)
        yield labels, np.moveaxis(in_shape, -1, 0)


class LabelSums(NamedTuple):
    """Sums of all labels that have counts, for a block of resamples at a time."""

    labels: IntArray
    batches: list[_Batch]
    shape: tuple[int, ...]

    @classmethod
    def of(cls, given: Labelled) -> LabelSums:
        factors = _factors(given)
        first = int(np.searchsorted(factors.sizes, 0, side="right"))
        batches = list(_batches(factors, first, given.n_labels))
        return cls(factors.labels[first:], batches, given.values.shape[1:])

    def weighted(self, weights: NDArray[np.float32]) -> Iterator[tuple[IntArray, Sums]]:
        """Some labels, and their sums ``[resample, label, ...]``, by ``[resample, vector]``."""
        for batch, found in zip(self.batches, _products(self.batches, weights), strict=True):
            in_shape = found.reshape(len(found), *self.shape, len(weights))
            yield self.labels[batch.labels], np.moveaxis(in_shape, -1, 0)


def regrouped(blocks: Iterator[NDArray[np.float32]]) -> Iterator[NDArray[np.float32]]:
    """The same weights in larger blocks: what is done for every block takes its time."""
    held: list[NDArray[np.float32]] = []
    for block in blocks:
        held.append(block)
        if sum(one.size for one in held) >= _BLOCK:
            yield np.concatenate(held)
            held = []
    if held:
        yield np.concatenate(held)


class _Factors(NamedTuple):
    """Labels, the rarest first; where their cells begin, and how many there are.

    ``vector`` ``[cell]`` and ``values`` ``[cell, count]`` are as in ``Labelled``; values are in
    single precision where sums are exact in it.
    """

    labels: IntArray
    starts: IntArray
    sizes: IntArray
    vector: IntArray
    values: Sums
    n_vectors: int


def _factors(given: Labelled) -> _Factors:
    flat = flattened(given.values)
    largest = given.counts.sum() * np.abs(flat).max(initial=0)
    exact = largest < EXACT and bool(in_quarters(flat).all())
    sizes = np.bincount(given.label, minlength=given.n_labels)
    order = np.argsort(sizes, kind="stable")
    starts = np.cumsum(sizes) - sizes
    values: Sums = flat.astype(np.float32) if exact else flat
    n_vectors = len(given.counts)
    return _Factors(order, starts[order], sizes[order], given.vector, values, n_vectors)


class _Batch(NamedTuple):
    """Labels that are multiplied together, ``values`` being ``[label, count, vector]``.

    ``vectors`` ``[label, vector]`` are those that have the label, ``None`` for all of them; labels
    with fewer than others have some more, whose values are 0.
    """

    labels: slice
    vectors: IntArray | None
    values: Sums


def _products(batches: Sequence[_Batch], weights: NDArray[np.float32]) -> Iterator[Sums]:
    """``[label, count, resample]`` of each batch, from weights ``[resample, vector]``."""
    turned: Sums = weights.T
    if any(batch.vectors is not None for batch in batches):
        turned = np.ascontiguousarray(turned)
    for _, vectors, values in batches:
        kind = values.dtype
        if vectors is None:
            flat = product(values.reshape(-1, values.shape[2]), turned.astype(kind, copy=False))
            yield flat.reshape(*values.shape[:2], len(weights))
        else:
            yield products(values, turned[vectors].astype(kind, copy=False))


def _batches(factors: _Factors, begin: int, end: int) -> Iterator[_Batch]:
    """The labels in a range, so many at a time that what is multiplied stays in the cache.

    Labels that many vectors have take all vectors: to pick theirs would cost more.
    """
    many = begin + int(
        np.searchsorted(factors.sizes[begin:end], _FREQUENT * factors.n_vectors, side="right")
    )
    first = begin
    while first < many:
        last = first + 1
        while last < many and (last - first) * factors.sizes[last] < _GATHERED:
            last += 1
        inside = np.arange(factors.sizes[last - 1]) < factors.sizes[first:last, None]
        values, vectors = _empty(factors, inside.shape), np.zeros(inside.shape, np.int64)
        cells = _cells(factors, first, last)
        values[inside] = factors.values[cells]
        vectors[inside] = factors.vector[cells]
        yield _Batch(slice(first - begin, last - begin), vectors, np.swapaxes(values, 1, 2))
        first = last
    if many < end:
        values = _empty(factors, (end - many, factors.n_vectors))
        cells = _cells(factors, many, end)
        row = np.repeat(np.arange(end - many), factors.sizes[many:end])
        values[row, factors.vector[cells]] = factors.values[cells]
        every = slice(many - begin, end - begin)
        yield _Batch(every, None, np.swapaxes(values, 1, 2).copy())


def _empty(factors: _Factors, shape: tuple[int, ...]) -> Sums:
    return np.zeros((*shape, factors.values.shape[1]), factors.values.dtype)


def _cells(factors: _Factors, first: int, last: int) -> IntArray:
    """The cells of labels in a range, label by label."""
    return ranges(factors.starts[first:last], factors.sizes[first:last])
