"""Where the fields of a column file begin and end, found without making strings.

>>> import numpy as np
>>> data = np.frombuffer(b"New  B-LOC\\nYork I-LOC\\n\\n", np.uint8)
>>> found = split(data, "space")
>>> fields = np.arange(4)
>>> found.start(fields).tolist(), found.end(fields).tolist()
([0, 5, 11, 16], [3, 10, 15, 21])
>>> found.first.tolist()             # fields 0-1 on line 1, 2-3 on line 2, none on line 3
[0, 2, 4, 4]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.texts import IntArray
from finegrain.formats.source import Source

Separator = Literal["tab", "space"]
_BLOCK = 1 << 18  # bytes
_GLANCE = 1 << 10  # bytes in which padding is looked for first


class Fields(NamedTuple):
    """Field boundaries of some whole lines.

    ``starts``, ``ends``: ``[field]`` byte positions; ``first``: ``[line + 1]`` the first field of
    each line; ``newlines``: ``[line]``; ``lengths``: ``[line]`` bytes of each line. A blank line
    has no field, or one of no length. ``starts`` is ``None`` where every field begins right
    behind the end of the one before it.
    """

    starts: IntArray | None
    ends: IntArray
    first: IntArray
    newlines: IntArray
    lengths: IntArray

    def start(self, field: IntArray) -> IntArray:
        """Where some fields begin."""
        if self.starts is not None:
            return self.starts.take(field)
        start = self.ends.take(field - 1, mode="wrap")
        start += 1
        if len(field) and field[0] == 0:
            start[0] = 0
        return start

    def end(self, field: IntArray) -> IntArray:
        """One past the last byte of some fields."""
        return self.ends.take(field)


def split(data: NDArray[np.uint8], separator: Separator) -> Fields:
    """Split whole lines (the last byte is a newline) at tabs, or at runs of spaces and tabs."""
    gap = data - np.uint8(9) <= 1  # tabs and newlines; smaller bytes wrap around
    if separator == "space":
        gap |= data == 32
        if b"  " in data[:_GLANCE].tobytes():  # columns are padded
            return _split_at_runs(data, gap)
    gaps = np.flatnonzero(gap)
    at_newline = np.flatnonzero(data.take(gaps) == 10)
    newlines = gaps.take(at_newline)
    first = np.empty(len(at_newline) + 1, np.int64)
    first[0] = 0
    np.add(at_newline, 1, out=first[1:])
    lengths = differences(newlines, -1)
    lengths -= 1
    if separator == "space":
        empty = np.count_nonzero(gaps[1:] - gaps[:-1] == 1) + (gaps[0] == 0)
        if empty > np.count_nonzero(lengths == 0):
            return _split_at_runs(data, gap)
    return Fields(None, gaps, first, newlines, lengths)


def _split_at_runs(data: NDArray[np.uint8], gap: NDArray[np.bool_]) -> Fields:
    """``split`` where several separators may stand side by side: no field has no length."""
    edge = np.empty(len(gap), bool)
    edge[0] = not gap[0]
    np.not_equal(gap[1:], gap[:-1], out=edge[1:])
    edges = np.flatnonzero(edge)
    starts, ends = edges[::2], edges[1::2]  # the last byte is a newline, so all fields end
    newlines = np.flatnonzero(data == 10)
    lengths = differences(newlines, -1)
    lengths -= 1
    first = np.append(0, np.searchsorted(starts, newlines))
    return Fields(starts, ends, first, newlines, lengths)


def blocks(source: Source) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Whole lines of a file, some at a time, and the byte where they begin.

    Temporaries for one block stay in the processor's cache.
    """
    recycle_memory()
    data = np.frombuffer(source.buffer, np.uint8)
    at = source.begin
    while at < source.end:
        stop = source.buffer.find(b"\n", min(at + _BLOCK, source.end - 1)) + 1
        yield data[at:stop], at
        at = stop


def differences(values: IntArray, before: int) -> IntArray:
    """Each value less the one before it (``before`` for the first); np.diff copies them first.

    >>> differences(np.array([3, 4, 9]), 0).tolist()
    [3, 1, 5]
    """
    result = np.empty_like(values)
    if len(values):
        result[0] = values[0] - before
        np.subtract(values[1:], values[:-1], out=result[1:])
    return result


def recycle_memory() -> None:
    """Make the C library keep the memory of short-lived arrays instead of giving it back.

    glibc raises its thresholds to the size of the largest block that was freed; without this,
    every block of a file pays for its pages anew. The array is never written, so it costs nothing.
    """
    np.empty((1 << 25) - (1 << 16), np.uint8)  # it heeds no block above 32 MB
