"""The spans of one side, and what a span has in common with others while it is being matched.

>>> import numpy as np
>>> none = np.zeros(3, np.int64)
>>> begin, end = np.array([0, 1, 5]), np.array([4, 3, 9])
>>> side = Side(begin, end, none, none, none, (), none, begin, end)
>>> outer, inner, other = (Span(side, row) for row in range(3))
>>> outer.n_shared(inner), outer.n_shared(other)
(2, 0)
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray, Spans

_FEW = 8  # up to so many spans, looking at all of them is fastest


class Side(NamedTuple):
    """The spans of one side in file order, ``[span]``.

    ``begin`` and ``end`` count through the whole corpus, in tokens or, if some spans do not fit
    them, finer; ``first`` and ``past`` are the first token and one past the last; ``identity`` is
    equal for equal spans; ``token_set`` is 0 for a span without gaps.
    """

    begin: IntArray
    end: IntArray
    label: IntArray
    identity: IntArray
    token_set: IntArray
    token_sets: tuple[tuple[int, ...], ...]
    base: IntArray  # where the sentence of the span begins
    first: IntArray
    past: IntArray

    def tokens(self, row: int) -> int:
        """A bit for each token of the span, from its first on."""
        code = int(self.token_set[row])
        first, past = int(self.first[row]), int(self.past[row])
        if not code:
            return (1 << (past - first)) - 1
        base = int(self.base[row])
        return sum(1 << (base + token - first) for token in self.token_sets[code - 1])


class Span:
    """A span while it is being matched.

    ``bits`` has a bit for each token from ``start`` on; bits go as tokens are used up. They are
    made when they are needed: a ``whole`` span, without gaps and with all its tokens, is compared
    by its ends. ``turn`` is its place in the order of its side: free spans by length, then as in
    the file; used spans in the order in which they became used.
    """

    __slots__ = (
        "_bits",
        "_side",
        "begin",
        "end",
        "free",
        "label",
        "length",
        "past",
        "row",
        "start",
        "turn",
        "whole",
    )

    def __init__(self, side: Side, row: int) -> None:
        self.row = row
        self.begin = int(side.begin[row])
        self.end = int(side.end[row])
        self.label = int(side.label[row])
        self.start = int(side.first[row])
        self.past = int(side.past[row])
        self.length = self.past - self.start
        self.whole = not side.token_set[row]
        self.free = True
        self.turn = 0
        self._bits: int | None = None
        self._side = side

    @property
    def bits(self) -> int:
        if self._bits is None:
            self._bits = self._side.tokens(self.row)
        return self._bits

    @property
    def n_tokens(self) -> int:
        """How many tokens it still has."""
        return self.length if self.whole else self.bits.bit_count()

    def n_shared(self, other: Span) -> int:
        """How many tokens both still have."""
        if self.whole and other.whole:
            return max(min(self.past, other.past) - max(self.start, other.start), 0)
        return self.shared(other).bit_count()

    def shared(self, other: Span) -> int:
        """The tokens that both still have, as bits from the later of their starts on."""
        gap = other.start - self.start
        if gap >= 0:
            return (self.bits >> gap) & other.bits
        return self.bits & (other.bits >> -gap)

    def use_up(self, tokens: int, start: int) -> None:
        """Take away tokens that are given as bits from ``start`` on."""
        self._bits = self.bits & ~(tokens << (start - self.start))
        self.whole = False

    def same_bounds(self, other: Span) -> bool:
        return self.begin == other.begin and self.end == other.end

    def overlaps(self, other: Span) -> bool:
        return self.begin < other.end and other.begin < self.end


class Neighbours:
    """Finds the spans of one side that overlap a span.

    Spans of similar length (up to a factor of two) stand in one list by their start: those that
    overlap a span are a short stretch of it, also where one long span covers thousands.
    """

    def __init__(self, spans: list[Span]) -> None:
        self._few = spans if len(spans) <= _FEW else None
        if self._few is not None:
            return
        by_length: dict[int, list[Span]] = {}
        for span in sorted(spans, key=lambda one: one.start):
            by_length.setdefault(span.length.bit_length(), []).append(span)
        self._lists = [
            (1 << bits, [one.start for one in listed], listed) for bits, listed in by_length.items()
        ]

    def of(self, span: Span) -> Iterable[Span]:
        if self._few is not None:
            return [one for one in self._few if one.start < span.past and one.past > span.start]
        return self._among_many(span)

    def _among_many(self, span: Span) -> Iterator[Span]:
        for longest, starts, listed in self._lists:
            first = bisect_right(starts, span.start - longest)
            for one in listed[first : bisect_left(starts, span.past)]:
                if one.past > span.start:
                    yield one


def most_similar(span: Span, candidates: Iterable[Span]) -> Span | None:
    """Most shared tokens, then fewest extra ones, then shortest; the first of equals."""

    def likeness(other: Span) -> tuple[int, int, int, int]:
        shared = span.n_shared(other)
        return -shared, other.n_tokens - shared, other.length, other.turn

    return min(candidates, key=likeness, default=None)


def identities(
    everything: Sequence[Spans], sides: Sequence[Side]
) -> tuple[list[IntArray], IntArray]:
    """Row number of every span, equal for equal spans; and for each row one span that has it."""
    stacked = [
        np.concatenate([spans.sentence for spans in everything]),
        *(
            np.concatenate([getattr(side, name) for side in sides])
            for name in ("begin", "end", "label", "token_set")
        ),
    ]
    key = _dense(stacked)
    sizes = [len(spans) for spans in everything]
    copies = np.concatenate([_copy_numbers(part) for part in np.split(key, np.cumsum(sizes)[:-1])])
    if copies.any():
        key = _dense([key, copies])
    order = np.argsort(key, kind="stable")  # the sides are nearly sorted runs: merging is linear
    new = np.ones(len(key), bool)
    new[1:] = key[order][1:] != key[order][:-1]
    row = np.empty(len(key), np.int64)
    row[order] = np.cumsum(new) - 1
    return np.split(row, np.cumsum(sizes)[:-1]), order[new]


def _dense(columns: Sequence[IntArray]) -> NDArray[np.int64]:
    """One integer per row that orders rows as the columns do, first column first."""
    key = columns[0].astype(np.int64)
    for column in columns[1:]:
        size = int(column.max(initial=0)) + 1
        if int(key.max(initial=0)) > (2**62) // size:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
        key = key * size + column
    return key


def _copy_numbers(key: IntArray) -> NDArray[np.int64]:
    """0 for the first of equal keys, 1 for the second, ..."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    new = np.ones(len(key), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    start = np.maximum.accumulate(np.where(new, np.arange(len(key)), 0))
    number = np.empty(len(key), np.int64)
    number[order] = np.arange(len(key)) - start
    return number
