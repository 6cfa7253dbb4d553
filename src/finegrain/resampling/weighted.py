"""Samples of metrics that do not add up: their rows are drawn, not their sums.

What takes the place of distinct vectors are kinds of samples: samples with the same rows are
alike. The weight of a row is how often its sample was drawn; where several things are drawn at
once, such as items and raters, it is the product over these factors (the pigeonhole bootstrap of
Owen 2007). Exchanging the outputs of two systems takes the rows of both, those of the one with the
weights that those of the other lack.

>>> from finegrain.metrics.ranked import area
>>> from finegrain.metrics.weighing import Weighing
>>> rows = np.array([[0.9, 1.0], [0.4, 0.0], [0.9, 1.0], [0.2, 1.0]])     # score, positive or not
>>> items = Observed.of_rows(rows, [np.arange(4)], [4])
>>> items.counts.tolist(), items.codes.tolist()                           # two items are alike
([1, 1, 2], [2, 1, 2, 0])
>>> Weighing(area)(items.total()).round(3)
np.float64(0.667)

Draws depend on the seed and on the rows, not on the order of samples or on other systems; with
several factors, on the order of what is drawn as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.metrics.metric import Score
from finegrain.metrics.weighing import CELLS, Floats, Part, Rows, Weighed, apart
from finegrain.resampling.distinct import Distinct
from finegrain.resampling.pair_weights import PairRows, linear_scores, sums_of_pairs
from finegrain.resampling.products import product

Weights = NDArray[np.floating]
Blocks = Callable[[], Iterator[Weights]]
"""Weights ``[draw, kind]`` of samples, some draws at a time."""
ANEW = 1 << 20  # weights of rows that belong to several samples: more are scored by influence


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The rows of a system in ascending order, ``[row, k]``.

    ``sample`` is ``[row]``, or ``[row, times]`` where a row belongs to several samples, as the pair
    of two stimuli does; ``further`` are the same of further factors.
    """

    values: Floats
    sample: IntArray
    further: tuple[IntArray, ...] = ()

    @property
    def by_sample(self) -> Rows:
        """Rows with the sample of each; one that belongs to several stands once in each."""
        if self.sample.ndim == 1:
            return Rows(self.values, self.sample)
        times = self.sample.shape[1]
        return Rows(np.repeat(self.values, times, axis=0), self.sample.ravel())


@dataclass(frozen=True, slots=True, eq=False)
class Observed(Distinct):
    """Samples of one system, or of several side by side (``joint``), by kind.

    ``sizes`` says how many samples further factors have. Rows with a ``shape`` add up: they are
    statistics that several factors weigh, and have sums. ``vectors`` are empty.
    """

    sides: tuple[Side, ...]
    joint: bool = False
    sizes: tuple[int, ...] = ()
    shape: tuple[int, ...] | None = None

    @classmethod
    def of_rows(
        cls,
        rows: Floats,
        factors: Sequence[IntArray],
        sizes: Sequence[int],
        *,
        shape: tuple[int, ...] | None = None,
    ) -> Observed:
        """From rows ``[row, k]`` and, of each factor, the sample of rows and how many there are."""
        order = np.lexsort(rows.T[::-1])
        sample, *further = (codes[order] for codes in factors)
        side = Side(rows[order], sample, tuple(further))
        if further or sample.ndim > 1:  # who is drawn matters
            codes = np.arange(sizes[0])
        else:
            codes = _kinds(Rows(side.values, sample), sizes[0])
        return cls._by_kind(codes, (side,), sizes=tuple(sizes[1:]), shape=shape)

    @classmethod
    def _by_kind(cls, codes: IntArray, sides: tuple[Side, ...], **more: Any) -> Observed:
        counts = np.bincount(codes)
        return cls(np.empty((len(counts), 0)), counts, codes.astype(np.int32), sides, **more)

    @property
    def pooled(self) -> bool:
        """Never: blocks of rows have no sums."""
        return False

    def key(self) -> tuple[list[float], bytes]:
        return [], b"".join(side.values.tobytes() for side in self.sides)

    def together(self, others: Sequence[Distinct]) -> Observed:
        every = (self, *(one for one in others if isinstance(one, Observed)))
        columns = np.stack([one.codes for one in every], axis=1)
        _, codes = np.unique(columns, axis=0, return_inverse=True)
        sides = tuple(side for one in every for side in one.sides)
        return self._by_kind(codes.ravel(), sides, joint=True, sizes=self.sizes, shape=self.shape)

    def telling(self, score: Score | None = None) -> NDArray[np.bool_]:
        """A sample tells something if it has rows: the score of a single row is mostly undefined.

        Of several factors only as many samples count as the smallest has.
        """
        del score
        has = np.zeros(len(self.codes), bool)
        for side in self.sides:
            has[side.sample.ravel()] = True
        if self.sizes:
            has[np.flatnonzero(has)[min(self.sizes) :]] = False
        return has

    def empty(self) -> NDArray[np.bool_]:
        """``[kind]`` whether it has no rows."""
        without = np.ones(self.size, bool)
        without[self.codes[self.telling()]] = False
        return without

    def scores(self, score: Score) -> Floats:
        """``[kind]`` the score of a sample of the kind by itself."""
        sides = [Side(rows.values, rows.factors[0]) for rows in map(self._of_kinds, self.sides)]
        given: Any = self._summed(
            apart([side.by_sample for side in sides], self.size, (self.size,))
        )
        return score(given)

    def total(self) -> Any:
        every = self.counts[None].astype(float)
        return self._weighed(lambda: iter([every]), ())

    def drawn(self, blocks: Blocks, resamples: int, further: Sequence[Weights] = ()) -> Any:
        """What is scored of resamples; ``further``: weights ``[draw, sample]`` of factors."""
        return self._weighed(blocks, (resamples,), further)

    def unlike(self) -> NDArray[np.bool_]:
        """``[kind]`` of a pair: whether the two systems have other rows."""
        one, other = (side.by_sample for side in self.sides)
        samples = len(self.codes)
        stacked = _stacked(one.values, other.values, one.sample, other.sample + samples)
        both = _kinds(stacked, 2 * samples)
        found = np.zeros(self.size, bool)
        found[self.codes] = both[:samples] != both[samples:]
        return found

    def exchanged(self, moved: Blocks, resamples: int, *, turned: bool) -> Any:
        """What is scored of one system of a pair after exchanges.

        moved: ``[draw, kind]`` how many samples of a kind have the rows of the other system
        turned: of the other system, which has the rows that this one lacks
        """
        one, other = (self._of_kinds(side) for side in self.sides)
        if one.factors[0].ndim > 1:
            raise UsageError("outputs cannot be exchanged where units belong to several samples")
        rows = _stacked(one.values, other.values, one.factors[0], other.factors[0] + self.size)
        codes = np.arange(2 * self.size)
        joined = replace(self, sides=(Side(*rows),), codes=codes, joint=False, sizes=())

        def blocks() -> Iterator[Weights]:
            for block in moved():
                halves = [self.counts - block, block]
                yield np.concatenate(halves[::-1] if turned else halves, axis=1)

        return joined._weighed(blocks, (resamples,))

    def _of_kinds(self, side: Side) -> _Weighable:
        """The rows of one sample of each kind; their samples are kinds."""
        if self.sizes or side.sample.ndim > 1:
            return _Weighable(side.values, (side.sample, *side.further))
        first = np.empty(int(self.codes.max(initial=-1)) + 1, np.int64)
        first[self.codes[::-1]] = np.arange(len(self.codes))[::-1]
        kind = self.codes[side.sample]
        kept = first[kind] == side.sample
        return _Weighable(side.values[kept], (kind[kept],))

    def _weighed(
        self, blocks: Blocks, draws: tuple[int, ...], further: Sequence[Weights] = ()
    ) -> Any:
        sides = [self._of_kinds(side) for side in self.sides]
        most = max(1, *(len(rows.values) for rows in sides))
        step = max(1, CELLS // most)

        def parts() -> Iterator[Sequence[Part]]:
            before = 0
            for block in blocks():
                for begin in range(0, len(block), step):
                    some = slice(before + begin, before + begin + step)
                    weights = [block[begin : begin + step], *(part[some] for part in further)]
                    yield [Part(rows.values, rows.weights(weights)) for rows in sides]
                before += len(block)

        shape = (*draws, len(sides)) if self.joint else draws
        if further or any(rows.factors[0].ndim == 1 for rows in sides):
            return self._summed(Weighed(parts, shape))
        pairs = [PairRows(rows.values, rows.factors[0], len(self.codes)) for rows in sides]
        if self.shape is not None:
            return sums_of_pairs(pairs, blocks, (*shape, *self.shape))
        many = math.prod(draws) * most > ANEW
        return Weighed(parts, shape, partial(linear_scores, pairs, blocks) if many else None)

    def _summed(self, given: Weighed) -> Any:
        """Rows that add up have sums, which any score takes."""
        if self.shape is None:
            return given
        sums = [
            np.stack([product(weights, rows) for rows, weights in parts], axis=1)
            for parts in given.blocks()
        ]
        return np.concatenate(sums).reshape(*given.shape, *self.shape)


class _Weighable(NamedTuple):
    """Rows, and of each factor the sample that they belong to, ``[row]`` or ``[row, times]``."""

    values: Floats
    factors: tuple[IntArray, ...]

    def weights(self, drawn: Sequence[Weights]) -> Floats:
        """``[draw, row]`` the product over factors; those without draws count once."""
        first, *others = (
            weights[:, own]
            for weights, codes in zip(drawn, self.factors, strict=False)
            for own in (codes.T if codes.ndim > 1 else (codes,))
        )
        found = first.astype(np.float64)
        for part in others:
            found *= part
        return found


def _stacked(one: Floats, other: Floats, first: IntArray, second: IntArray) -> Rows:
    """The rows of two systems together, in ascending order."""
    values, sample = np.concatenate([one, other]), np.concatenate([first, second])
    order = np.lexsort(values.T[::-1])
    return Rows(values[order], sample[order])


def _kinds(rows: Rows, size: int) -> NDArray[np.int64]:
    """``[sample]`` its kind: samples with the same rows are alike; kinds are in order of rows.

    Rows stand in ascending order.
    """
    values, sample = rows
    rank = np.cumsum(np.append(0, (values[1:] != values[:-1]).any(axis=1)))[: len(values)]
    order = np.argsort(sample, kind="stable")
    held = rank[order].astype(">u4").tobytes()
    bounds = (4 * np.searchsorted(sample[order], np.arange(size + 1))).tolist()
    keys = [held[begin:end] for begin, end in pairwise(bounds)]
    place = {key: at for at, key in enumerate(sorted(set(keys)))}
    return np.fromiter(map(place.__getitem__, keys), np.int64, len(keys))
