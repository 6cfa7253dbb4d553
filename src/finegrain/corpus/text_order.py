"""Strings put in order, and strings of several files put together, without making any.

>>> words = Texts.of(["to", "be", "or", "not"])
>>> places(words, np.array([0, 0, 1, 1])).tolist()         # be to | not or
[1, 0, 3, 2]
>>> joined([words.take(np.array([3])), Texts.of(["two"])]).slice(0, 2)
['not', 'two']
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.texts import PADDING, IntArray, Texts

_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)


def places(texts: Texts, group: IntArray) -> NDArray[np.int64]:
    """``[row]`` where each string stands when they are sorted by group, then by their bytes.

    Equal strings of a group stand at the same place.
    """
    _, first, of = np.unique(np.sort(group), return_index=True, return_inverse=True)
    by_group = np.argsort(group, kind="stable")
    place = np.empty(len(group), np.int64)
    place[by_group] = first[of.ravel()]
    rows, skip, longest = np.arange(len(group)), 0, int(texts.lengths.max(initial=0))
    while skip < longest and len(rows):
        word = _word(texts, rows, skip)
        order = np.lexsort((word, place[rows]))
        rows, word = rows[order], word[order]
        at = place[rows]
        opens = np.append(True, at[1:] != at[:-1])
        differs = opens | np.append(True, word[1:] != word[:-1])
        here = np.arange(len(rows))
        within = here[differs][np.cumsum(differs) - 1] - here[opens][np.cumsum(opens) - 1]
        place[rows] = at + within
        alone = differs & np.append(differs[1:], True)
        rows, skip = np.sort(rows[~alone]), skip + 8
    return place


def _word(texts: Texts, rows: IntArray, skip: int) -> NDArray[np.uint64]:
    """Eight bytes of each string from byte ``skip`` on, as the number by which they sort."""
    loader = np.ndarray(
        (len(texts.buffer) - 7,), np.dtype("<u8"), buffer=texts.buffer, strides=(1,)
    )
    left = np.maximum(texts.lengths[rows] - skip, 0)
    at = texts.starts[rows] + np.where(left > 0, skip, 0)
    return (loader[at] & _MASKS.take(left, mode="clip")).byteswap()


def joined(columns: Sequence[Texts]) -> Texts:
    """All strings of several columns, in one buffer."""
    pieces = []
    for texts in columns:
        lengths = texts.lengths.astype(np.int64)
        shift = texts.starts - (np.cumsum(lengths) - lengths)
        at = np.repeat(shift, lengths) + np.arange(lengths.sum())
        pieces.append(np.frombuffer(texts.buffer, np.uint8)[at])
    lengths = np.concatenate([np.empty(0, np.int32), *(texts.lengths for texts in columns)])
    starts = np.cumsum(lengths, dtype=np.int64) - lengths
    buffer = bytearray(b"".join(piece.tobytes() for piece in pieces) + bytes(PADDING))
    return Texts(buffer, starts, lengths.astype(np.int32))
