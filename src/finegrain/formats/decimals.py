r"""Numbers in columns of bytes, read in bulk and rounded as ``float`` rounds them.

>>> data = np.frombuffer(b"-1.25\n-0.001\n3\n-inf\n" + bytes(32), np.uint8)
>>> starts, lengths = np.array([0, 6, 13, 15]), np.array([5, 6, 1, 4])
>>> decimals(data, starts, lengths).tolist()
[-1.25, -0.001, 3.0, -inf]

A number of up to fifteen digits and points is read eight characters at a time: its digits are an
integer below 2^53, which one division by a power of ten rounds correctly. Whatever else there is
(exponents, longer numbers, ``nan``) is left to numpy; nan is also what is not a number at all, and
``is_nothing`` says which cells mean that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray

Floats = NDArray[np.float64]
Words = NDArray[np.uint64]
NOTHING = ("", "nan", "null", "none", "na", "n/a", "-nan", "_")
"""What a cell without a number says, in any case of letters."""
_BLOCK = 1 << 14  # numbers read at once: temporaries stay in the processor's cache
_CHUNK = 8  # characters
_LONGEST = 40  # characters of a number
_MOST = 15  # characters that are read in bulk: an integer of so many digits is exact as a float
_U = np.uint64
_ZEROS, _POINTS = _U(0x3030303030303030), _U(0x2E2E2E2E2E2E2E2E)
_LOW, _HIGH, _LIMIT = _U(0x0101010101010101), _U(0x8080808080808080), _U(0x7676767676767676)
_MINUS = np.uint8(ord("-"))
_TEN = 10.0 ** np.arange(_MOST + 2)


def decimals(data: NDArray[np.uint8], starts: IntArray, lengths: IntArray) -> Floats:
    """The numbers that begin at some bytes; nan for what is none.

    data: with eight bytes in front of the first number or more, and sixteen behind the last
    """
    found = np.empty(len(starts))
    view = np.ndarray((len(data) - _CHUNK + 1,), np.dtype("<u8"), buffer=data, strides=(1,))
    for at in range(0, len(starts), _BLOCK):
        block = slice(at, at + _BLOCK)
        begin, length = starts[block].astype(np.int64), lengths[block].astype(np.int64)
        fixed = _fixed(view, data, begin, length)
        if fixed is not None:
            found[block] = fixed
            continue
        negative = data.take(begin) == ord("-")
        begin, length = begin + negative, length - negative
        value, plain = _plain(view, begin, length)
        found[block] = np.where(negative, -value, value)
        odd = np.flatnonzero(~plain)
        if len(odd):
            found[at + odd] = _at_length(data, starts[block][odd], lengths[block][odd])
    return found


def _fixed(
    view: Words, data: NDArray[np.uint8], begin: IntArray, length: IntArray
) -> Floats | None:
    """Negative numbers with as many digits behind the point, if all are and fit into one chunk."""
    if (
        length.max() > _CHUNK + 1
        or length.min() < len("-0.0")
        or (data.take(begin) != _MINUS).any()
    ):
        return None
    shift = ((_CHUNK + 1 - length) << 3).view(np.uint64)
    words = view[begin + 1]
    words <<= shift  # the last character is in the highest byte
    behind = int(data[begin[0] + 1 : begin[0] + length[0]].tobytes().rfind(b"."))
    behind = int(length[0]) - 2 - behind if behind >= 0 else _CHUNK
    if behind >= _CHUNK - 1 or behind == 0 or behind > int(length.min()) - 3:
        return None
    place = _U((_CHUNK - 1 - behind) * 8)
    if (words >> place & _U(0xFF) != _U(ord("."))).any():
        return None
    # zeros in front and for the point
    words |= _ZEROS >> (_U(64) - shift) if bool(shift.all()) else _filled(shift)
    words ^= _ZEROS ^ (_U(ord(".") ^ ord("0")) << place)
    if ((words | (words + _LIMIT)) & _HIGH).any():
        return None
    value = _joined(words)
    whole = np.floor((value + 0.5) * (1 / _TEN[behind + 1]))
    found: Floats = (value - whole * (9 * _TEN[behind])) / -_TEN[behind]
    return found


def _filled(shift: Words) -> Words:
    """Zeros as characters in the lowest bytes."""
    return np.where(shift > 0, _ZEROS >> (_U(64) - np.where(shift > 0, shift, 64)), 0)


def _joined(digits: Words) -> Floats:
    """Eight digits, the first in the lowest byte, as an integer."""
    value = digits * _U(10)
    value += digits >> _U(8)
    high = value >> _U(16)
    high &= _U(0x000000FF000000FF)
    high *= _U(0x0000271000000001)
    value &= _U(0x000000FF000000FF)
    value *= _U(0x000F424000000064)
    value += high
    value >>= _U(32)
    return value.astype(np.float64)


def _plain(view: Words, begin: IntArray, length: IntArray) -> tuple[Floats, NDArray[np.bool_]]:
    """Digits with a point or without, and which of the numbers are nothing else."""
    last = length.max(initial=0)
    size = np.minimum(length, _MOST)
    head, good, decimal = _chunk(view[begin], np.minimum(size, _CHUNK))
    # digits behind the point, -1 without a point
    behind = np.where(decimal < 0, -1, size - 1 - decimal)
    if last > _CHUNK:
        long = np.flatnonzero(length > _CHUNK)
        more = size[long] - _CHUNK
        tail, fine, point = _chunk(view[begin[long] + _CHUNK], more)
        head[long] = head[long] * _TEN[more] + tail
        twice = (decimal[long] >= 0) & (point >= 0)
        good[long] &= fine & ~twice
        behind[long] = np.where(point >= 0, more - 1 - point, behind[long])
    good &= (length > 0) & (length <= _MOST) & ~((behind >= 0) & (length == 1))
    scale = _TEN[np.maximum(behind, 0)]
    # the point stood for a digit 0: what is before it moves down by one place
    whole = np.floor(head / (scale * 10))
    mantissa = np.where(behind >= 0, head - whole * scale * 9, head)
    return mantissa / scale, good


def _chunk(words: Words, size: IntArray) -> tuple[Floats, NDArray[np.bool_], IntArray]:
    """Up to eight characters as an integer, a point counting as 0.

    Also whether all are digits or one point, and where the point stands, -1 for none.
    """
    shift = ((_CHUNK - size) * 8).astype(np.uint64)
    # the last character into the highest byte, zeros in front
    moved = np.where(size > 0, words << shift, 0) | _filled(shift)
    moved = np.where(size == 0, _ZEROS, moved)
    other = moved ^ _POINTS
    # the lowest byte that is 0 is marked for certain, and bytes above it are looked at below
    points = (other - _LOW) & ~other & _HIGH
    lowest = points & (~points + _U(1))
    single = points == lowest
    place = np.bitwise_count(lowest - _U(1)).astype(np.int64) // 8
    has = points != 0
    digits = moved ^ _ZEROS
    digits &= ~(np.where(has, (lowest >> _U(7)) * _U(0xFF), 0))
    good = single & ((digits + _LIMIT) & _HIGH == 0) & (digits & _HIGH == 0)
    where = np.where(has, place - (_CHUNK - size), -1)
    return _joined(digits), good, where


def _at_length(data: NDArray[np.uint8], starts: IntArray, lengths: IntArray) -> Floats:
    """Numbers as ``float`` reads them, all at once unless one of them is none."""
    width = int(lengths.max())
    if width <= _LONGEST:
        place = np.arange(width)
        at = np.minimum(starts[:, None] + place, len(data) - 1)
        cells = np.where(place < lengths[:, None], data[at], 0).astype(np.uint8)
        if not ((cells == ord("_")) | (cells == ord(" "))).any():
            try:
                return np.ascontiguousarray(cells).view(f"S{width}")[:, 0].astype(np.float64)
            except ValueError:
                pass
    found = np.full(len(starts), np.nan)
    for row, (start, length) in enumerate(zip(starts.tolist(), lengths.tolist(), strict=True)):
        cell = data[start : start + length].tobytes()
        try:
            found[row] = np.nan if b"_" in cell else float(cell)
        except ValueError:
            continue
    return found


def is_nothing(text: str) -> bool:
    """Whether a cell says itself that there is no number.

    >>> is_nothing("null"), is_nothing("nan"), is_nothing("-1,5")
    (True, True, False)
    """
    return text.strip().casefold() in NOTHING
