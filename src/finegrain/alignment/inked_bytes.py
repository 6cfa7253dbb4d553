"""The bytes of tokens that are no white space: what any tokenisation of a text has in common.

>>> from finegrain.alignment.token_marks import MARKS
>>> found = inked(Texts.of(["So", "Ġit", "Ċ"]), MARKS["byte-level"])
>>> found.data.tobytes(), found.sizes.tolist()
(b'Soit', [2, 2, 0])
>>> found.blanks.tolist(), found.of_blanks.tolist()
([2, 4], [1, 2])

So texts and tokens are compared without their white space, and a token is a stretch of bytes, also
where it ends inside of a character.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.token_marks import NONE, Marks
from finegrain.corpus import IntArray, Texts

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
_BLOCK = 1 << 14  # tokens handled at once: temporaries stay in the processor's cache
_SPARE = np.zeros(3, np.uint8)


class Ink(NamedTuple):
    """``data``: bytes without white space; ``sizes`` ``[token]`` how many each has.

    ``blanks``: for each byte of white space the place in ``data`` in front of which it stands;
    ``of_blanks``: its token.
    """

    data: Bytes
    sizes: IntArray
    blanks: IntArray
    of_blanks: IntArray


def _alphabet() -> NDArray[np.int16]:
    """``[character]`` the byte that it stands for in byte-level tokens, -1 for none."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    found = np.full(0x800, -1, np.int16)
    found[plain] = plain
    others = sorted(set(range(0x100)) - set(plain))
    found[0x100 : 0x100 + len(others)] = others
    return found


_ALPHABET = _alphabet()


def inked(tokens: Texts, marks: Marks = NONE) -> Ink:
    """The bytes of tokens, which stand one behind the other in their buffer."""
    if len(tokens) and (tokens.starts[1:] < tokens.starts[:-1] + tokens.lengths[:-1]).any():
        tokens = Texts.of(tokens.slice(0, len(tokens)))
    every = np.frombuffer(tokens.buffer, np.uint8)
    nowhere = np.empty(0, np.int64)
    data, sizes, size = [np.empty(0, np.uint8)], [nowhere.astype(np.int32)], 0
    blanks, of_blanks = [nowhere], [nowhere]
    for at in range(0, len(tokens), _BLOCK):
        starts = tokens.starts[at : at + _BLOCK].astype(np.int64)
        ends = starts + tokens.lengths[at : at + _BLOCK]
        low, high = int(starts[0]), int(ends[-1])
        value, inside = _read(every[low:high], starts - low, ends - low, marks)
        blank = (value - np.uint8(9) <= 4) | (value == 32)  # white space, smaller bytes wrap
        keep = inside & ~blank
        before = np.zeros(high - low + 1, np.int32)
        np.cumsum(keep, out=before[1:])
        data.append(value[keep])
        sizes.append((before[ends - low] - before[starts - low]).astype(np.int32))
        blank &= inside
        if blank.any():
            where = np.flatnonzero(blank)
            blanks.append(before[where].astype(np.int64) + size)
            of_blanks.append(np.searchsorted(starts - low, where, "right") - 1 + at)
        size += len(data[-1])
    return Ink(
        np.concatenate(data),
        np.concatenate(sizes),
        np.concatenate(blanks),
        np.concatenate(of_blanks),
    )


def _read(raw: Bytes, starts: IntArray, ends: IntArray, marks: Marks) -> tuple[Bytes, Flags]:
    """The bytes that a stretch of the buffer stands for, and which of them are in tokens."""
    edges = np.zeros(len(raw) + 1, np.int8)
    if (starts == ends).any():  # nothing is in empty tokens
        starts, ends = starts[starts < ends], ends[starts < ends]
    edges[starts] += 1
    edges[ends] -= 1
    inside = np.cumsum(edges[:-1], dtype=np.int8).view(bool)
    if marks.name == "none":
        return raw, inside
    value = raw.copy()
    long = ends - starts > 2
    if marks.name == "wordpiece":
        begins = starts[long]
        hashed = begins[(raw[begins] == ord("#")) & (raw[begins + 1] == ord("#"))]
        inside[hashed] = inside[hashed + 1] = False
    elif marks.name == "subword-nmt":
        stops = ends[long]
        joined = stops[(raw[stops - 1] == ord("@")) & (raw[stops - 2] == ord("@"))]
        inside[joined - 1] = inside[joined - 2] = False
    elif marks.name == "sentencepiece":
        _sentencepiece(raw, value, inside, starts[ends - starts == len("<0x0A>")])
    else:
        _byte_level(raw, value, inside)
    return value, inside


def _sentencepiece(raw: Bytes, value: Bytes, inside: Flags, six: IntArray) -> None:
    """``▁`` is a blank, and ``<0x0A>`` a byte."""
    wide = np.concatenate([raw, _SPARE])
    mark = np.flatnonzero((raw == 0xE2) & (wide[1:-2] == 0x96) & (wide[2:-1] == 0x81))
    value[mark] = ord(" ")
    inside[mark + 1] = inside[mark + 2] = False
    for place in six[(raw[six] == ord("<")) & (raw[six + 1] == ord("0"))].tolist():
        text = raw[place : place + 6].tobytes()
        digits = text[3:5]
        if text[:3] == b"<0x" and text[5:] == b">" and digits.isalnum():
            try:
                value[place] = int(digits, 16)
            except ValueError:
                continue
            inside[place + 1 : place + 6] = False


def _byte_level(raw: Bytes, value: Bytes, inside: Flags) -> None:
    """Characters of the byte-level alphabet stand for bytes; others for themselves."""
    lead = np.flatnonzero((raw >= 0xC2) & (raw <= 0xC5) & inside)
    lead = lead[lead < len(raw) - 1]
    meant = _ALPHABET[((raw[lead] & 0x1F).astype(np.int64) << 6) | (raw[lead + 1] & 0x3F)]
    lead, meant = lead[meant >= 0], meant[meant >= 0]
    value[lead] = meant
    inside[lead + 1] = False
