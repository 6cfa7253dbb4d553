"""Where the fields of a column file begin and end, found without making strings.

>>> import numpy as np
>>> data = np.frombuffer(b"New  B-LOC\\nYork I-LOC\\n\\n", np.uint8)
>>> found = split(data, "space")
>>> found.starts.tolist(), found.ends.tolist()
([0, 5, 11, 16], [3, 10, 15, 21])
>>> found.first.tolist()             # fields 0-1 on line 1, 2-3 on line 2, none on line 3
[0, 2, 4, 4]
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.texts import IntArray

Separator = Literal["tab", "space"]


class Fields(NamedTuple):
    """Field boundaries of some whole lines.

    ``starts``, ``ends``: ``[field]`` byte positions; ``first``: ``[line + 1]`` the first field of
    each line; ``newlines``: ``[line]``. A blank line has no field, or one of no length.
    """

    starts: IntArray
    ends: IntArray
    first: IntArray
    newlines: IntArray


def split(data: NDArray[np.uint8], separator: Separator) -> Fields:
    """Split whole lines (the last byte is a newline) at tabs, or at runs of spaces and tabs."""
    gaps = np.flatnonzero(data <= 32)  # tabs, newlines and spaces, and hardly anything else
    byte = data.take(gaps)
    gap = (byte == 10) | (byte == 9)
    if separator == "space":
        gap |= byte == 32
    if not gap.all():
        gaps, byte = gaps[gap], byte[gap]
    starts = np.empty(len(gaps), np.int64)
    starts[0] = 0
    np.add(gaps[:-1], 1, out=starts[1:])
    at_newline = np.flatnonzero(byte == 10)
    newlines = gaps.take(at_newline)
    first = np.empty(len(at_newline) + 1, np.int64)
    first[0] = 0
    np.add(at_newline, 1, out=first[1:])
    if separator == "space":
        empty = np.count_nonzero(starts == gaps)
        blank = np.count_nonzero(np.diff(newlines, prepend=-1) == 1)
        if empty > blank:  # runs of spaces: fields of no length are none
            full = starts < gaps
            first[1:] = np.cumsum(full)[at_newline]
            starts, gaps = starts[full], gaps[full]
    return Fields(starts, gaps, first, newlines)
