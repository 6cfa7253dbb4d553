"""Two systems on the same samples, drawn and exchanged together.

>>> from finegrain.resampling.distinct import distinct
>>> one = distinct(np.array([[1.0, 2.0]] * 30 + [[2.0, 2.0]] * 30))          # right, all
>>> two = distinct(np.array([[2.0, 2.0]] * 50 + [[1.0, 2.0]] * 10))
>>> def accuracy(sums): return sums[..., 0] / sums[..., 1]
>>> pair = paired(one, two)
>>> pair.joint.vectors[:, :, 0].tolist(), pair.joint.counts.tolist(), pair.differing
([[1.0, 2.0], [2.0, 1.0], [2.0, 2.0]], [30, 10, 20], 40)
>>> round(pair.difference(accuracy), 3)
0.167
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.label_counts import parted
from finegrain.metrics.metric import Score
from finegrain.resampling.distinct import (
    BLOCKS,
    Distinct,
    Repeated,
    Vectors,
    distinct,
    flattened,
    pooled,
)
from finegrain.resampling.drawing import bootstrap, sums_of
from finegrain.resampling.jackknife import sizes_of, without_each
from finegrain.resampling.labelled import Labelled
from finegrain.resampling.products import product
from finegrain.resampling.swapping import Lanes, every_swap, swap_lanes

Floats = NDArray[np.float64]
_CODES = 1 << 16  # pairs of vectors that are counted without sorting


class Paired(Protocol):
    """What comparisons ask of two systems; differences are second minus first.

    ``differing``: in how many samples what is counted differs; ``pooled``: blocks of samples are
    drawn.
    """

    @property
    def differing(self) -> int: ...
    @property
    def pooled(self) -> bool: ...

    def difference(self, score: Score) -> float:
        """The score of the second system minus that of the first."""

    def without_each(self, score: Score) -> WithoutEach | None:
        """The same without one sample each; ``None`` where samples have no sums."""

    def bootstrapped(self, score: Score, *, resamples: int, seed: int) -> Floats:
        """``[resample]`` the difference in bootstrap resamples."""

    def swapped(self, score: Score, *, resamples: int, seed: int) -> Floats:
        """``[resample]`` the difference where outputs were exchanged with probability 1/2."""

    def swapped_every_way(self, score: Score) -> Floats:
        """The same for all exchanges that there are: 2^n, n being the samples that differ."""


class WithoutEach(NamedTuple):
    """``[kind]`` differences without one sample of a kind, how many there are, and how large."""

    differences: Floats
    counts: NDArray[np.int64]
    sizes: Floats


class Pair(NamedTuple):
    """Two systems by whole vectors: ``joint.vectors`` is ``[vector, 2, ...]``.

    ``turned``: the second system stands first, so that draws do not depend on who is named first.
    """

    joint: Repeated
    turned: bool

    @property
    def differing(self) -> int:
        vectors = self.joint.vectors
        unlike = flattened(vectors[:, 1] - vectors[:, 0]).any(axis=1)
        return int(self.joint.counts[unlike].sum())

    @property
    def pooled(self) -> bool:
        return self.joint.pooled

    def difference(self, score: Score) -> float:
        return float(self._second_less_first(score(self.joint.total())))

    def without_each(self, score: Score) -> WithoutEach:
        differences = self._second_less_first(without_each(self.joint, score))
        return WithoutEach(differences, self.joint.counts, sizes_of(self.joint.vectors))

    def bootstrapped(self, score: Score, *, resamples: int, seed: int) -> Floats:
        linear, rest = parted(score)
        given = Repeated(_mapped(self.joint.vectors, linear), self.joint.counts)
        return self._second_less_first(rest(bootstrap(given, resamples=resamples, seed=seed)))

    def swapped(self, score: Score, *, resamples: int, seed: int) -> Floats:
        parts = _parts(self.joint)
        if len(parts.counts) > BLOCKS:
            parts = _parts(pooled(self.joint, seed=seed))
        return self._moved(score, parts, swap_lanes(parts.counts, resamples=resamples, seed=seed))

    def swapped_every_way(self, score: Score) -> Floats:
        parts = _parts(self.joint)
        return self._moved(score, parts, every_swap(parts.counts))

    def _moved(self, score: Score, parts: _Parts, lanes: Lanes) -> Floats:
        """The difference after swaps."""
        linear, rest = parted(score)
        least, vectors = (_mapped(one, linear) for one in (parts.least, parts.vectors))
        every = Repeated(vectors, parts.counts).total()
        moved = sums_of(lanes.blocks, vectors[lanes.vector], total=float(parts.counts.sum()))
        changed: Floats = rest(least + every - moved) - rest(least + moved)
        return -changed if self.turned else changed

    def _second_less_first(self, values: Floats) -> Floats:
        """Of values ``[..., 2]`` as the systems stand."""
        changes: Floats = values[..., 1] - values[..., 0]
        return -changes if self.turned else changes


class _Parts(NamedTuple):
    """How two systems differ: by ``vectors``, each in ``counts`` samples and in either direction.

    ``least`` is the sum of what both have in every sample, so that each vector is added to one.
    """

    least: Vectors
    vectors: Vectors
    counts: NDArray[np.int64]


def _parts(joint: Repeated) -> _Parts:
    vectors, counts = joint.vectors, joint.counts
    first, second = (flattened(vectors[:, side]) for side in (0, 1))
    sign = leading_sign(second - first)[:, None]
    kinds = distinct(sign * (second - first))
    of_kind = np.bincount(kinds.codes, weights=counts, minlength=kinds.size)
    some = ~kinds.empty()
    least = product(counts.astype(float)[None], np.where(sign < 0, second, first))[0]
    shape = vectors.shape[2:]
    by_kind = kinds.vectors[some].reshape(-1, *shape)
    return _Parts(least.reshape(shape), by_kind, of_kind[some].astype(np.int64))


def _mapped(vectors: Vectors, linear: Score | None) -> Vectors:
    return vectors if linear is None else linear(vectors)


def leading_sign(rows: Vectors) -> Floats:
    """``[row]`` the sign of the first number that is not 0; 0 where there is none.

    >>> leading_sign(np.array([[0.0, -2.0], [3.0, -1.0], [0.0, 0.0]])).tolist()
    [-1.0, 1.0, 0.0]
    >>> leading_sign(np.zeros((2, 0))).tolist()         # counts by label, without any label
    [0.0, 0.0]
    """
    if not rows.shape[1]:
        return np.zeros(len(rows))
    first = (rows != 0).argmax(axis=1)
    signs: Floats = np.sign(rows[np.arange(len(rows)), first])
    return signs


def paired(one: Distinct, other: Distinct) -> Pair:
    """Two systems on the same samples."""
    turned = precedes(other, one)
    left, right = (other, one) if turned else (one, other)
    first, second, counts = joint_vectors(left, right)
    vectors = np.stack([left.vectors[first], right.vectors[second]], axis=1)
    return Pair(Repeated(vectors, counts), turned)


class Joint(NamedTuple):
    """``[joint vector]`` the vectors that two systems have, and in how many samples."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    counts: NDArray[np.int64]


def joint_vectors(left: Distinct | Labelled, right: Distinct | Labelled) -> Joint:
    """The vectors that two systems have together, by the first's, then by the second's."""
    codes = joint_codes(left, right)
    if left.size * right.size <= _CODES:
        every = np.bincount(codes, minlength=left.size * right.size)
        key = np.flatnonzero(every)
        counts = every[key]
    else:
        key, counts = np.unique(codes, return_counts=True)
    first, second = np.divmod(key, max(1, right.size))
    return Joint(first, second, counts.astype(np.int64))


def joint_codes(left: Distinct | Labelled, right: Distinct | Labelled) -> NDArray[np.int64]:
    """``[sample]`` one number for the vectors that two systems have."""
    return left.codes.astype(np.int64) * right.size + right.codes


def precedes(one: Distinct, other: Distinct) -> bool:
    """An order of systems by what they did, whatever they are called.

    By their sums, their vectors, and who has which vector where the other has another. Systems that
    are equal in all of it differ by 0.
    """
    mine, theirs = one.key(), other.key()
    return mine < theirs if mine != theirs else precedes_by_samples(one, other)


def precedes_by_samples(one: Distinct | Labelled, other: Distinct | Labelled) -> bool:
    """The same of systems that have equal vectors: by who has which where the other has another."""
    there, back = np.sort(joint_codes(one, other)), np.sort(joint_codes(other, one))
    return bool(there.tolist() < back.tolist())
