"""Sums behind measures of agreement, sample by sample, and estimates with intervals from them.

>>> from finegrain.table.ratings import ratings
>>> given = ratings([["a", "a"], ["a", "b"], ["b", "b"], ["a", None]] * 20)
>>> score = lambda sums: agreement.percent(sums[..., 0, :])
>>> found = estimates(pair_sums(given, [(0, 1)]), {"percent": score})["percent"]
>>> found.value.round(3), found.low.round(2), found.high.round(2)
(np.float64(0.667), np.float64(0.54), np.float64(0.79))

What is drawn are the samples of the ratings: documents, sentences, or single units of a label
table. Two annotators are drawn by themselves, so that nobody else changes their interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.metrics import agreement
from finegrain.metrics.agreement import Scale
from finegrain.metrics.metric import Score
from finegrain.resampling.distinct import Distinct, Vectors, distinct, merged
from finegrain.resampling.drawing import bootstrap
from finegrain.resampling.intervals import Drawing, interval
from finegrain.table.ratings import Ratings

_CELLS = 1 << 21  # of sums in memory at once
Counted = Literal["all", "marked"]
Present = Callable[[Vectors], NDArray[np.bool_]]


class Estimate(NamedTuple):
    """A value, or an array of them, with the ends of its interval; nan where there is none."""

    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def pair_sums(
    ratings: Ratings,
    pairs: Sequence[tuple[int, int]],
    *,
    counted: Counted = "all",
    values: NDArray[np.float64] | None = None,
) -> Distinct:
    """Sums of pairs of annotators side by side, ``[sample, pair, 3 + 3 L]``.

    ``values``: what labels are worth for weighted kappas.
    """
    width = len(pairs) * (3 + 3 * ratings.n_labels)

    def count(rows: slice | IntArray, sample: IntArray, size: int) -> Vectors:
        columns = [
            _two(ratings.codes[rows][:, list(pair)], sample, size, ratings, counted, values)
            for pair in pairs
        ]
        return np.stack(columns, axis=1)

    return _in_parts(ratings, width, count)


def _two(
    codes: NDArray[np.int32],
    sample: IntArray,
    size: int,
    ratings: Ratings,
    counted: Counted,
    values: NDArray[np.float64] | None,
) -> Vectors:
    """``[sample, 3 + 3 L]`` of two annotators, ``codes`` being ``[unit, 2]``."""
    used = (codes >= 0).all(axis=1)
    if counted == "marked":
        used &= (codes != ratings.outside).any(axis=1)
    first, second, of = codes[used, 0], codes[used, 1], sample[used].astype(np.int64)
    labels = ratings.n_labels
    head = np.zeros((size, 3))
    head[:, 0] = np.bincount(of, minlength=size)
    if values is not None:
        apart = np.abs(values[first] - values[second])
        head[:, 1] = np.bincount(of, apart, minlength=size)
        head[:, 2] = np.bincount(of, apart**2, minlength=size)
    same = first == second
    parts = [
        np.bincount(at * labels + code, minlength=size * labels).reshape(size, labels)
        for at, code in ((of, first), (of, second), (of[same], first[same]))
    ]
    return np.concatenate([head, *parts], axis=1)


def group_sums(
    ratings: Ratings,
    members: Sequence[int],
    *,
    counted: Counted = "all",
    scale: Scale = "nominal",
    values: NDArray[np.float64] | None = None,
) -> Distinct:
    """Sums of several annotators together, ``[sample, 3 + 2 L (+ L x L)]``."""
    labels = ratings.n_labels
    width = 3 + 2 * labels + (labels**2 if scale == "ordinal" else 0)
    columns = list(members)

    def count(rows: slice | IntArray, sample: IntArray, size: int) -> Vectors:
        codes = ratings.codes[rows][:, columns]
        if counted == "marked":
            marked = ((codes >= 0) & (codes != ratings.outside)).any(axis=1)
            codes, sample = codes[marked], sample[marked]
        sums = np.zeros((size, width))
        for begin in range(0, len(codes), max(1, _CELLS // width)):
            part = codes[begin : begin + max(1, _CELLS // width)]
            unit, who = np.nonzero(part >= 0)
            key = unit * labels + part[unit, who]
            counts = np.bincount(key, minlength=len(part) * labels).reshape(-1, labels)
            found = agreement.many_sums(counts, scale=scale, values=values)
            np.add.at(sums, sample[begin : begin + len(part)], found)
        return sums

    return _in_parts(ratings, width, count)


def _in_parts(
    ratings: Ratings, width: int, count: Callable[[slice | IntArray, IntArray, int], Vectors]
) -> Distinct:
    """Count some samples at a time and keep each distinct vector once."""
    step = max(1, _CELLS // max(1, width))
    parts = [
        distinct(count(rows, sample, size))
        for rows, sample, size in _ranges(ratings.sample, ratings.n_samples, step)
    ]
    return merged(parts)


def _ranges(
    sample: IntArray, size: int, step: int
) -> Iterator[tuple[slice | IntArray, IntArray, int]]:
    """Units of ``step`` samples at a time, with their samples counted from 0."""
    if size <= step:
        yield slice(None), sample, size
        return
    for begin in range(0, size, step):
        rows = np.flatnonzero((sample >= begin) & (sample < begin + step))
        yield rows, sample[rows] - begin, min(step, size - begin)


def estimates(
    given: Distinct,
    scores: Mapping[str, Score],
    *,
    drawing: Drawing = Drawing(),  # noqa: B008 - a frozen value
    present: Mapping[str, Present] | None = None,
) -> dict[str, Estimate]:
    """Values and intervals of several scores of the same sums, from the same draws.

    ``present``: of some scores, whether a sample says anything about them, from its sums and in the
    shape of the score; of the others, whether it has a unit of some pair or of the group.
    """
    total = given.total()
    values = {name: np.asarray(score(total), float) for name, score in scores.items()}
    if not drawing.resamples:
        return {name: Estimate(one, one * np.nan, one * np.nan) for name, one in values.items()}
    drawn = bootstrap(given, resamples=drawing.resamples, seed=drawing.seed)
    found = {}
    for name, score in scores.items():
        known = (present or {}).get(name, _has_units)(given.vectors)
        samples = np.tensordot(given.counts, known.astype(np.int64), axes=1)
        many = np.broadcast_to(samples, values[name].shape)
        ends = interval(values[name], score(drawn), many, level=drawing.level)
        found[name] = Estimate(values[name], *ends)
    return found


def _has_units(vectors: Vectors) -> NDArray[np.bool_]:
    some: NDArray[np.bool_] = vectors[..., 0].reshape(len(vectors), -1).max(axis=1, initial=0) > 0
    return some
