"""Resamples of counts by label, where a sample has few of many labels.

A sum over drawn samples needs, of each label, only the samples that have it. So the counts of a
label are the product of a narrow matrix of draws with the counts of those samples, and labels are
scored a few at a time: neither time nor memory grows with samples times labels.

The draws are those of ``drawing.bootstrap`` for the same samples, as samples are told apart and
sorted by the same rule (``distinct``); so the distribution is the same, and so are all digits as
long as counts are whole numbers.

>>> from finegrain.metrics.label_counts import f1, macro          # of TP, FP, FN, gold, predicted
>>> cells = Cells(np.array([0, 1, 1]), np.array([7, 7, 9]),
...               np.array([[1.0, 0, 0, 1, 1], [1, 0, 1, 2, 1], [0, 1, 0, 0, 1]]))
>>> given = distinct_cells(cells, Size(samples=2, labels=10))
>>> given.counts.tolist(), given.label.tolist(), given.total()[7].tolist()
([1, 1], [7, 7, 9], [2.0, 0.0, 1.0, 3.0, 2.0])
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.metrics.label_counts import Mapped, OverLabels
from finegrain.metrics.label_statistics import Cells
from finegrain.metrics.metric import Score
from finegrain.resampling.distinct import flattened
from finegrain.resampling.drawing import EXACT, draws
from finegrain.resampling.intervals import MANY, Drawing, check, interval, too_few
from finegrain.resampling.products import product, products

_CELLS = 1 << 23  # of sums in memory at once
_FREQUENT = 0.25  # of all vectors
_GATHERED = 1 << 11  # vectors whose draws are multiplied at once
_SCORED = 1 << 14  # resampled labels that are scored at once, so that they stay in the cache
Floats = NDArray[np.float64]
Sums = NDArray[Any]  # in single precision where that is exact, else in double


class Size(NamedTuple):
    """How many samples and labels there are, with those that have no cell."""

    samples: int
    labels: int


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Distinct samples of a system, sorted: ``counts`` ``[vector]`` says how many are alike.

    ``vector``, ``label`` and ``values`` ``[cell, ...]`` are the counts that are not 0, in the order
    of labels.
    """

    counts: NDArray[np.int64]
    vector: IntArray
    label: IntArray
    values: Floats
    n_labels: int

    def total(self) -> Floats:
        """``[label, ...]`` the sum over all samples."""
        weights = self.counts[self.vector].reshape(-1, *(1 for _ in self.values.shape[1:]))
        return _added(self.values * weights, self.label, self.n_labels)

    def samples(self, which: NDArray[np.bool_]) -> Floats:
        """``[label]`` how many samples have such cells ``[cell]`` of it."""
        weights = (self.counts[self.vector] * which).astype(float)
        return _added(weights, self.label, self.n_labels)


def _added(values: Floats, codes: IntArray, size: int) -> Floats:
    """``[code, ...]`` the sums of values ``[cell, ...]``."""
    flat = flattened(values)
    added = np.zeros((size, flat.shape[1]))
    for column in range(flat.shape[1]):
        added[:, column] = np.bincount(codes, flat[:, column], size)
    return added.reshape(size, *values.shape[1:])


def distinct_cells(cells: Cells, size: Size) -> Labelled:
    """Samples that count the same are alike, and stand in the order that ``distinct`` has."""
    rows = _rows(cells, size.samples)
    rank = {row: place for place, row in enumerate(sorted(set(rows)))}
    codes = np.fromiter(map(rank.__getitem__, rows), np.int64, len(rows))
    first = np.empty(len(rank), np.int64)
    first[codes[::-1]] = np.arange(len(rows))[::-1]
    kept = np.flatnonzero(first[codes[cells.sample]] == cells.sample)
    kept = kept[np.argsort(cells.label[kept], kind="stable")]
    counts = np.bincount(codes, minlength=len(rank))
    vector = codes[cells.sample[kept]]
    return Labelled(counts, vector, cells.label[kept], cells.counts[kept], size.labels)


def _rows(cells: Cells, n_samples: int) -> list[bytes]:
    """``[sample]`` its cells as bytes, which sort as its counts of all labels would.

    Of two samples the one that has a label before all labels in which they differ comes later:
    there the other has 0. So labels count backwards.
    """
    flat = flattened(cells.counts) + 0.0  # -0.0 is 0.0
    small = flat.size and flat.min() >= 0 and flat.max() < 256 and (flat == np.rint(flat)).all()
    values = flat.astype(">u1" if small else ">f8").view(np.uint8)
    values = values.reshape(len(flat), flat.shape[1] * (1 if small else 8))
    label = (
        (2**32 - 1 - cells.label.astype(np.int64))
        .astype(">u4")
        .view(np.uint8)
        .reshape(len(flat), 4)
    )
    table = np.concatenate([label, values], axis=1)
    held = table.tobytes()
    bounds = np.searchsorted(cells.sample, np.arange(n_samples + 1)) * table.shape[1]
    ends = bounds.tolist()
    return [held[begin:end] for begin, end in pairwise(ends)]


class Ends(NamedTuple):
    """Intervals ``[score][(low, high)]``, and by label ``[score][label, (low, high)]``."""

    overall: Sequence[Floats]
    by_label: Sequence[Floats]


def ends_of(
    given: Labelled,
    drawing: Drawing,
    scores: Sequence[OverLabels],
    label_scores: Sequence[Score],
) -> Ends:
    """The intervals of scores, overall and by label, from one set of resamples."""
    check(drawing.resamples, drawing.level)
    level, total = drawing.level, given.total()
    samples = [_defined_in(given, score) for score in label_scores]
    enough = _enough(samples, given.n_labels, level)
    by_label = [np.full((given.n_labels, 2), np.nan) for _ in label_scores]
    terms = list(dict.fromkeys(score.terms for score in scores))
    added: list[Floats | float] = [0.0] * len(terms)
    for labels, sums in _resampled(given, drawing):
        values: list[list[Floats]] = [[] for _ in label_scores]
        told = []
        for where in _parts(sums):
            part, shared = sums[:, where].astype(np.float64), dict[Score, Floats]()
            for place, term in enumerate(terms):
                of_labels = part if term is None else _scored(term, part, shared)
                added[place] += of_labels.sum(axis=-2)
            if enough[labels[where]].any():
                told.append(labels[where])
                for place, score in enumerate(label_scores):
                    values[place].append(_scored(score, part, shared))
        if not told:
            continue
        which = np.concatenate(told)
        for place, score in enumerate(label_scores):
            of_score = np.concatenate(values[place], axis=1)
            found = interval(score(total[which]), of_score, samples[place][which], level=level)
            by_label[place][which] = np.stack(found, axis=-1)
    overall = []
    for over in scores:
        resampled = over.finish(np.asarray(added[terms.index(over.terms)]))
        defined = np.array(_overall_defined_in(given, over))
        overall.append(np.stack(interval(over(total), resampled, defined, level=level)))
    return Ends(overall, by_label)


def _enough(samples: Sequence[NDArray[np.int64]], n_labels: int, level: float) -> NDArray[np.bool_]:
    """``[label]`` whether so many samples have it that a score can have an interval."""
    most = np.max([*samples, np.zeros(n_labels, np.int64)], axis=0)
    return np.array([not too_few(number, level=level) for number in most.tolist()], bool)


def _parts(sums: Sums) -> Iterator[slice]:
    """Places of some labels at a time, of sums ``[resample, label, ...]``."""
    step = max(1, _SCORED // max(1, len(sums)))
    for begin in range(0, max(1, sums.shape[1]), step):
        yield slice(begin, begin + step)


def _scored(score: Score, sums: Floats, shared: dict[Score, Floats]) -> Floats:
    """The score of sums; ``shared`` keeps what maps make of them."""
    if not isinstance(score, Mapped):
        return score(sums)
    if score.map not in shared:
        shared[score.map] = score.map(sums)
    return score.score(shared[score.map])


def _defined_in(given: Labelled, score: Score) -> NDArray[np.int64]:
    """``[label]`` in how many samples the score of a label is defined, up to ``MANY``."""
    known = ~np.isnan(score(given.values[:, None])[:, 0])
    found = given.samples(known)
    if not np.isnan(score(np.zeros((1, *given.values.shape[1:])))).all():  # without the label too
        found += given.counts.sum() - given.samples(np.ones(len(known), bool))
    return np.minimum(found, MANY).astype(np.int64)


def _overall_defined_in(given: Labelled, score: OverLabels) -> int:
    """In how many samples a score of all labels is defined, up to ``MANY``."""
    most = np.argsort(-given.counts, kind="stable")
    found = 0
    for part in (most[:MANY], most[MANY:]):
        place = np.full(len(most), -1)
        place[part] = np.arange(len(part))
        cells = np.flatnonzero(place[given.vector] >= 0)
        terms = score.summed(given.values[cells, None])
        of_vector = _added(terms, place[given.vector[cells]], len(part))
        found += int(given.counts[part] @ ~np.isnan(score.finish(of_vector)))
        if found >= MANY:
            return MANY
    return found


def _resampled(given: Labelled, drawing: Drawing) -> Iterator[tuple[IntArray, Sums]]:
    """Some labels, and their sums ``[resample, label, ...]``, until all labels had their turn."""
    ascending = np.argsort(given.counts, kind="stable")
    place = np.argsort(ascending)[given.vector]

    def drawn() -> Iterator[NDArray[np.float32]]:
        return draws(given.counts[ascending], resamples=drawing.resamples, seed=drawing.seed)

    yield from weighted_sums(replace(given, vector=place), drawn, drawing.resamples)


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
    exact = largest < EXACT and bool((flat == np.rint(flat)).all())
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
        while last < many and (last + 1 - first) * factors.sizes[last] <= _GATHERED:
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
    sizes = factors.sizes[first:last]
    skipped = factors.starts[first:last] - (np.cumsum(sizes) - sizes)
    found: IntArray = np.arange(sizes.sum()) + np.repeat(skipped, sizes)
    return found
