"""The words of all units at once, as the bytes of one string column.

>>> from finegrain.corpus import Texts
>>> words = Texts.of(["in", "New", "York", "City"])
>>> joined = join(words, np.array([1, 2, 0]), np.array([2, 0, 1]))   # two words, none, one
>>> joined.data.tobytes(), joined.ends.tolist()
(b'New Yorkin', [8, 8, 10])
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray, Texts
from finegrain.corpus.tag_schemes import ramp
from finegrain.table.outcome_table import OutcomeTable

_BLOCK = 1 << 16  # units handled at once: there is one index per byte


class Joined(NamedTuple):
    """UTF-8 of all strings in a row, and where each of them ends."""

    data: NDArray[np.uint8]
    ends: NDArray[np.int64]


def unit_text(table: OutcomeTable) -> Joined | None:
    """The words of every unit, joined by blanks; ``None`` for a corpus without text.

    Tokens are whole here, also where a unit leaves out characters of them.
    """
    words = table.corpus.tokens
    if words is None:
        return None
    sizes = np.array([0, *map(len, table.token_sets)], np.int64)
    members = np.array([token for tokens in table.token_sets for token in tokens], np.int64)
    found = [Joined(np.empty(0, np.uint8), np.empty(0, np.int64))]
    for at in range(0, len(table), _BLOCK):
        rows = slice(at, at + _BLOCK)
        gaps = table.token_set[rows]
        begin, end = table.begin[rows].astype(np.int64), table.end[rows].astype(np.int64)
        counts = np.where(gaps > 0, sizes[gaps], end - begin)
        tokens = np.repeat(begin, counts) + ramp(counts)
        with_gaps = np.repeat(gaps > 0, counts)
        first = (np.cumsum(sizes) - sizes)[gaps]
        tokens[with_gaps] = members[(np.repeat(first, counts) + ramp(counts))[with_gaps]]
        tokens += np.repeat(table.corpus.offsets[table.sentence[rows]], counts)
        found.append(join(words, tokens, counts))
    shifts = np.cumsum([len(one.data) for one in found]) - [len(one.data) for one in found]
    ends = [one.ends + shift for one, shift in zip(found, shifts, strict=True)]
    return Joined(np.concatenate([one.data for one in found]), np.concatenate(ends))


def join(words: Texts, tokens: IntArray, counts: IntArray) -> Joined:
    """Strings of ``counts[i]`` words each, taken from ``tokens`` one after the other."""
    lengths = words.lengths[tokens].astype(np.int64)
    last = np.cumsum(counts)
    sizes = lengths + 1  # with the blank behind it
    sizes[last[counts > 0] - 1] -= 1
    ends = np.concatenate([[0], np.cumsum(sizes)])
    data = np.full(ends[-1], ord(" "), np.uint8)
    within = ramp(lengths)
    source = np.frombuffer(words.buffer, np.uint8)
    data[np.repeat(ends[:-1], lengths) + within] = source[
        np.repeat(words.starts[tokens], lengths) + within
    ]
    return Joined(data, ends[last])
