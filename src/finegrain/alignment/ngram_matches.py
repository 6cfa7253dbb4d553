"""N-grams that texts of a segment share, counted for all segments at once.

Symbols are words or characters as numbers. Of every segment there are several *sides*: its
references and the outputs of systems. Texts come one after the other, those of a segment together:

>>> text = Sided(np.array([1, 2, 1, 2, 1, 1]), np.array([4, 2]), np.array([0, 0]), np.array([0, 1]))
>>> for order in ngrams(text, n_sides=2, longest=2):      # "a b a b" and "a a"
...     print(order.segment.tolist(), order.counts.tolist())
[0, 0] [[2, 2], [2, 0]]
[0, 0, 0] [[0, 1], [2, 0], [1, 0]]

Each row is an n-gram of a segment with the number of times that each side has it. Nothing is
hashed: an n-gram is a number that packs its symbols, or, where these do not fit into 64 bits, the
numbers of two shorter ones that overlap or meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
_BITS = 63  # of a key
_BLOCK = 1 << 17  # symbols handled at once: sorting stays in the processor's cache


class Sided(NamedTuple):
    """Symbols of all texts, and of each text its length, segment (in order) and side."""

    symbols: Ints
    lengths: Ints
    segment: Ints
    side: Ints


class Counted(NamedTuple):
    """``[row]`` the segment of each of its n-grams; ``[row, side]`` how often each side has it."""

    segment: Ints
    counts: Ints


def sided(texts: Sequence[Sequence[Sequence[int]]]) -> Sided:
    """Texts ``[side][segment]`` of symbols in the order of segments."""
    n_sides, size = len(texts), len(texts[0]) if texts else 0
    flat = [texts[side][at] for at in range(size) for side in range(n_sides)]
    lengths = np.fromiter(map(len, flat), np.int64, len(flat))
    symbols = np.fromiter((one for text in flat for one in text), np.int64, int(lengths.sum()))
    return Sided(
        symbols, lengths, np.repeat(np.arange(size), n_sides), np.tile(np.arange(n_sides), size)
    )


def blocks(text: Sided) -> Iterator[Sided]:
    """The same some segments at a time; segments keep their numbers."""
    ends = np.concatenate([[0], np.cumsum(text.lengths)])
    of_segment = np.flatnonzero(np.diff(text.segment, prepend=-1))  # where each begins
    begin = 0
    while begin < len(of_segment):
        start = of_segment[begin]
        wanted = ends[start] + _BLOCK
        end = int(np.searchsorted(ends[of_segment], wanted, side="right")) - 1
        end = min(max(end, begin + 1), len(of_segment))
        stop = of_segment[end] if end < len(of_segment) else len(text.lengths)
        part = slice(start, stop)
        yield Sided(
            text.symbols[ends[start] : ends[stop]], text.lengths[part], text.segment[part],
            text.side[part],
        )  # fmt: skip
        begin = end


def ngrams(text: Sided, *, n_sides: int, longest: int) -> Iterator[Counted]:
    """The n-grams of each order from 1 to ``longest``, which is 6 at most."""
    if not len(text.lengths):
        return
    first = int(text.segment[0])
    owner = np.repeat(np.arange(len(text.lengths)), text.lengths)
    left = np.repeat(np.cumsum(text.lengths), text.lengths) - np.arange(len(text.symbols))
    head = (text.segment[owner] - first) * n_sides + text.side[owner]
    n_heads = int(text.segment[-1] - first + 1) * n_sides
    n_segments = n_heads // n_sides
    segment, side = np.divmod(head, n_sides)
    grams = _Grams(text.symbols)
    for n in range(1, longest + 1):
        inside = np.flatnonzero(left >= n)
        gram, size = grams.of(n, inside)
        if (n_heads * size).bit_length() > _BITS:
            names, gram = np.unique(gram, return_inverse=True)
            gram, size = gram.ravel(), len(names)
        key = (segment[inside] * size + gram) * n_sides + side[inside]
        key.sort()
        yield _runs(key, n_segments, size, n_sides, first)


def _runs(key: Ints, n_segments: int, size: int, n_sides: int, first: int) -> Counted:
    """Of sorted keys, how often each n-gram has each side."""
    del n_segments
    whole = key // n_sides
    begins = np.flatnonzero(np.diff(whole, prepend=-1))
    row = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(key)))
    cell = row * n_sides + key - whole * n_sides
    counts = np.bincount(cell, minlength=len(begins) * n_sides).reshape(-1, n_sides)
    return Counted(whole[begins] // size + first, counts)


class _Grams:
    """Numbers of n-grams by where they begin; how many numbers there can be."""

    def __init__(self, symbols: Ints) -> None:
        names, codes = np.unique(symbols, return_inverse=True)
        self.symbols, self.size = codes.ravel().astype(np.int64), max(len(names), 1)
        self.dense: tuple[Ints, int, int] | None = None  # n-grams, their number, n

    def of(self, n: int, starts: Ints) -> tuple[Ints, int]:
        """Those that begin at ``starts``, where n symbols of one text stand."""
        if self.dense is None:
            if (self.size**n).bit_length() <= _BITS - 20:
                found = self.symbols[starts]
                for place in range(1, n):
                    found = found * self.size + self.symbols[starts + place]
                return found, self.size**n
            self.dense = self._named(n - 1)
        grams, size, length = self.dense
        if n > 2 * length:
            self.dense = grams, size, length = self._named(n - 1)
        return grams[starts] * size + grams[starts + n - length], size * size

    def _named(self, n: int) -> tuple[Ints, int, int]:
        """All n-grams numbered without gaps, also those that run over the end of a text."""
        grams, size, length = self.dense or (self.symbols, self.size, 1)
        last = max(len(self.symbols) - n + 1, 0)
        while length < n:
            step = min(length, n - length)
            usable = len(grams) - step
            pair = grams[:usable] * size + grams[step : step + usable]
            names, codes = np.unique(pair, return_inverse=True)
            grams, size, length = codes.ravel().astype(np.int64), max(len(names), 1), length + step
        return grams[:last] if last else grams[:0], size, length
