"""A column of strings, kept as slices of the bytes they were read from.

No Python string is made until someone looks at one, so ten million tokens cost their bytes and
eight bytes of offsets each. Strings are compared eight bytes at a time, exactly:

>>> words = Texts.of(["to", "be", "or", "not", "to", "be"])
>>> words[3]
'not'
>>> coded = words.coded()
>>> coded.names, coded.codes.tolist()
(('be', 'not', 'or', 'to'), [3, 0, 2, 1, 3, 0])

Coding goes by a 64-bit hash, but every string is then compared with the one that stands for its
code, and a collision falls back to a dictionary: the answer never depends on luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.integer[Any]]
_WIDE = 32  # bytes of long strings compared at once: loading them costs no more than loading eight
PADDING = _WIDE  # zero bytes behind the last string, so that so many can be loaded anywhere
_BLOCK = 1 << 14  # rows handled at once: temporaries stay in the processor's cache
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
_WIDE_MASKS = np.frombuffer(
    b"".join(b"\xff" * n + bytes(_WIDE - n) for n in range(_WIDE + 1)), np.dtype("<u8")
).reshape(_WIDE + 1, -1)
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_FEW, _MANY = 12, 18  # bits of the coder's shortcut, for columns of few and of many names


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column of names as small integers: ``names[codes[i]]`` is the i-th value."""

    codes: IntArray
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> str:
        return self.names[int(self.codes[row])]

    def __iter__(self) -> Iterator[str]:
        return (self.names[code] for code in self.codes.tolist())

    @classmethod
    def of(cls, values: Iterable[str]) -> Coded:
        """Code a sequence of strings; names come out sorted."""
        listed = list(values)
        names = tuple(sorted(set(listed)))
        number = {name: code for code, name in enumerate(names)}
        codes = np.fromiter((number[value] for value in listed), np.int32, len(listed))
        return cls(codes.astype(smallest_type(len(names))), names)

    def counts(self) -> NDArray[np.int64]:
        """How often each name occurs, ``[name]``."""
        return np.bincount(self.codes, minlength=len(self.names))


def smallest_type(size: int) -> type[np.integer[Any]]:
    """The smallest integer type that can hold the codes 0 .. size - 1."""
    if size <= 1 << 8:
        return np.uint8
    if size <= 1 << 16:
        return np.uint16
    return np.int32 if size <= 1 << 31 else np.int64


class Stack:
    """An array of integers that grows block by block, in the smallest type that serves.

    Memory that is asked for but not written costs nothing, so the capacity may be generous.

    >>> stack = Stack(10)
    >>> stack.add(np.array([1, 255]), largest=255)
    >>> stack.add(np.array([256]), largest=256)
    >>> stack.array()
    array([  1, 255, 256], dtype=uint16)
    """

    def __init__(self, capacity: int, kind: type[np.integer[Any]] = np.uint8) -> None:
        self._store: IntArray = np.empty(max(capacity, 1), kind)
        self.size = 0

    def add(self, values: IntArray, *, largest: int) -> None:
        """Put values on top, none of which is above ``largest``."""
        needed = np.dtype(smallest_type(largest + 1))
        end = self.size + len(values)
        capacity = len(self._store)
        if needed.itemsize > self._store.itemsize or end > capacity:
            kind = max(needed, self._store.dtype, key=lambda one: one.itemsize)
            grown = np.empty(capacity if end <= capacity else 2 * end, kind)
            grown[: self.size] = self._store[: self.size]
            self._store = grown
        self._store[self.size : end] = values
        self.size = end

    def array(self) -> IntArray:
        """What was put on it so far."""
        return self._store[: self.size]


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Strings as ``buffer[starts[i] : starts[i] + lengths[i]]``, UTF-8.

    The buffer ends with ``PADDING`` zero bytes.
    """

    buffer: bytearray
    starts: IntArray
    lengths: IntArray

    @classmethod
    def of(cls, strings: Iterable[str]) -> Texts:
        """Strings that are in memory already."""
        encoded = [string.encode() for string in strings]
        lengths = np.fromiter(map(len, encoded), np.int32, len(encoded))
        starts = np.cumsum(lengths, dtype=np.int64) - lengths
        return cls(bytearray(b"".join(encoded) + bytes(PADDING)), starts, lengths)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, row: int) -> str:
        start = int(self.starts[row])
        return self.buffer[start : start + int(self.lengths[row])].decode()

    def slice(self, begin: int, end: int) -> list[str]:
        """The strings of rows begin .. end - 1."""
        return [self[row] for row in range(begin, end)]

    def take(self, rows: IntArray) -> Texts:
        """The given rows, in the given order."""
        return Texts(self.buffer, self.starts[rows], self.lengths[rows])

    def coded(self) -> Coded:
        """The same column as codes with sorted names."""
        names: Literal["few", "many"] = "many" if len(self) > _BLOCK else "few"
        coder = Coder(self.buffer, capacity=len(self), names=names)
        for at in range(0, len(self), _BLOCK):
            coder.add(*self._block(at))
        return coder.finish()

    def first_difference(self, other: Texts) -> int | None:
        """The first row whose strings differ; ``None`` if all rows that both have are equal."""
        for at, different in self._compared(other):
            if different.any():
                return at + int(np.argmax(different))
        return None

    def differ(self, other: Texts) -> NDArray[np.bool_]:
        """``[row]`` whether the strings of two columns of the same length differ.

        >>> Texts.of(["to", "be"]).differ(Texts.of(["to", "bee"])).tolist()
        [False, True]
        """
        found = [different for _, different in self._compared(other)]
        return np.concatenate(found) if found else np.empty(0, bool)

    def _compared(self, other: Texts) -> Iterator[tuple[int, NDArray[np.bool_]]]:
        """The first row of every block, and which of its rows differ."""
        for at in range(0, min(len(self), len(other)), _BLOCK):
            mine, theirs = self._block(at), other._block(at)
            rows = min(len(mine[0]), len(theirs[0]))
            yield at, _differ(
                self.buffer, mine[0][:rows], mine[1][:rows],
                other.buffer, theirs[0][:rows], theirs[1][:rows],
            )  # fmt: skip

    def are(self, string: str) -> NDArray[np.bool_]:
        """``[row]`` whether it is this string, of up to eight bytes.

        >>> Texts.of(["_", "__", "a"]).are("_").tolist()
        [True, False, False]
        """
        wanted = string.encode()
        if len(wanted) > 8:
            raise ValueError(f"{string!r} is longer than eight bytes")
        same: NDArray[np.bool_] = self.lengths == len(wanted)
        data = np.frombuffer(self.buffer, np.uint8)
        for place, byte in enumerate(wanted):
            same &= data.take(self.starts + place) == byte
        return same

    def hashes(self) -> NDArray[np.uint64]:
        """``[row]`` a 64-bit hash of each string: others may have it, too, if only by chance."""
        all_ = _loader(self.buffer), self.starts, self.lengths
        return _hash(*all_, _word(*all_, 0))

    def repeated(self) -> bool:
        """Whether some string stands in several rows."""
        hashes = np.sort(self.hashes())
        alike = bool((hashes[1:] == hashes[:-1]).any())
        return alike and len(set(self.slice(0, len(self)))) < len(self)

    def numbers(self, *, digits: int) -> NDArray[np.int32]:
        """``[row]`` the number that a string of up to nine digits is; -1 for any other string.

        >>> Texts.of(["12", "0", "_", "", "1234"]).numbers(digits=3).tolist()
        [12, 0, -1, -1, -1]
        """
        found = np.empty(len(self), np.int32)
        data = np.frombuffer(self.buffer, np.uint8)
        for at in range(0, len(self), _BLOCK):
            starts, lengths = self._block(at)
            digit = data.take(starts) - np.uint8(ord("0"))  # above 9 for no digit
            value = digit.astype(np.int32)
            plain = (lengths > 0) & (lengths <= digits) & (digit <= 9)
            rows = np.flatnonzero(plain & (lengths > 1))
            for place in range(1, digits):
                digit = data.take(starts.take(rows) + place) - np.uint8(ord("0"))
                value[rows] = value[rows] * 10 + digit
                plain[rows[digit > 9]] = False
                rows = rows[lengths.take(rows) > place + 1]
                if not len(rows):
                    break
            found[at : at + _BLOCK] = np.where(plain, value, -1)
        return found

    def _block(self, at: int) -> tuple[IntArray, IntArray]:
        return self.starts[at : at + _BLOCK], self.lengths[at : at + _BLOCK]


def _loader(buffer: bytearray, size: int = 8) -> NDArray[Any]:
    """A view with which ``view[i]`` is the eight bytes, or more, that begin at byte i."""
    kind = np.dtype("<u8" if size == 8 else f"V{size}")
    return np.ndarray((len(buffer) - size + 1,), kind, buffer=buffer, strides=(1,))


def _word(
    loader: NDArray[np.uint64], starts: IntArray, lengths: IntArray, skip: int
) -> NDArray[np.uint64]:
    """Eight bytes of each string from byte ``skip`` on, zero beyond its end; all are longer."""
    at, left = (starts + skip, lengths - skip) if skip else (starts, lengths)
    return loader[at] & _MASKS.take(left, mode="clip")


def _differ(
    buffer: bytearray, starts: IntArray, lengths: IntArray,
    buffer2: bytearray, starts2: IntArray, lengths2: IntArray,
) -> NDArray[np.bool_]:  # fmt: skip
    """Which rows hold different strings."""
    wide, wide2 = _loader(buffer, _WIDE), _loader(buffer2, _WIDE)
    different: NDArray[np.bool_] = lengths != lengths2
    rows, left = np.arange(len(lengths)), lengths
    while len(rows):
        words = (wide[starts].view("<u8") ^ wide2[starts2].view("<u8")).reshape(-1, _WIDE // 8)
        words &= _WIDE_MASKS.take(left, axis=0, mode="clip")
        same = words[:, 0] | words[:, 1] | words[:, 2] | words[:, 3] == 0  # ten times reduce
        different[rows[~same]] = True
        going = np.flatnonzero(same & (left > _WIDE))
        rows, left = rows.take(going), left.take(going) - _WIDE
        starts, starts2 = starts.take(going) + _WIDE, starts2.take(going) + _WIDE
    return different


def _hash(
    loader: NDArray[np.uint64], starts: IntArray, lengths: IntArray, words: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """A 64-bit hash of each string, whose first eight bytes are ``words`` (multiply and fold)."""
    value = (words + lengths.astype(np.uint64)) * _MULTIPLIER
    for skip in range(8, int(lengths.max(initial=0)), 8):
        rows = np.flatnonzero(lengths > skip)
        folded = value[rows] ^ (value[rows] >> np.uint64(29))
        word = _word(loader, starts[rows], lengths[rows], skip)
        value[rows] = (folded + word) * _MULTIPLIER
    return value


class Coder:
    """Codes strings of one buffer block by block, remembering what it has seen.

    ``add`` gives provisional codes in order of discovery; ``finish`` puts the names in sorted
    order.
    """

    def __init__(
        self, buffer: bytearray, *, capacity: int, names: Literal["few", "many"] = "few"
    ) -> None:
        self._stack = Stack(capacity)
        self._buffer = buffer
        self._loader = _loader(buffer)
        self._hashes = np.empty(0, np.uint64)  # sorted, known
        self._code_of = np.empty(0, np.int32)  # code of each known hash
        self._starts = np.empty(0, np.int64)  # a representative of each code
        self._lengths = np.empty(0, np.int32)
        self._words = np.empty(0, np.uint64)  # its first eight bytes
        bits = _FEW if names == "few" else _MANY
        self._shortcut = np.zeros(1 << bits, np.int32)  # top bits of the hash -> a likely code
        self._shorten = np.uint64(64 - bits)
        self._dictionary: dict[bytes, int] | None = None  # only after a collision

    def add(self, starts: IntArray, lengths: IntArray) -> None:
        """Code one more block of strings."""
        codes = self._codes(starts, lengths)
        self._stack.add(codes, largest=len(self._starts))

    def _codes(self, starts: IntArray, lengths: IntArray) -> NDArray[np.int32]:
        if self._dictionary is not None:
            return self._by_dictionary(starts, lengths)
        words = _word(self._loader, starts, lengths, 0)
        hashes = _hash(self._loader, starts, lengths, words)
        short = (hashes >> self._shorten).view(np.int64)
        codes = self._shortcut.take(short)
        missed = np.flatnonzero(~self._stand_for(codes, starts, lengths, words))
        if len(missed):
            codes[missed] = self._by_hash(hashes[missed], starts[missed], lengths[missed])
            self._shortcut[short[missed]] = codes[missed]
            known = self._stand_for(codes[missed], starts[missed], lengths[missed], words[missed])
            if not known.all():  # two strings with one hash
                self._dictionary = {self._bytes(code): code for code in range(len(self._starts))}
                return self._by_dictionary(starts, lengths)
        return codes

    def _by_hash(
        self, hashes: NDArray[np.uint64], starts: IntArray, lengths: IntArray
    ) -> NDArray[np.int32]:
        """Codes by their hashes, which are learnt where they are new."""
        where, known = self._look_up(hashes)
        if not known.all():
            self._learn(hashes, starts, lengths, np.flatnonzero(~known))
            where, _ = self._look_up(hashes)
        return self._code_of[where]

    def _stand_for(
        self, codes: IntArray, starts: IntArray, lengths: IntArray, words: NDArray[np.uint64]
    ) -> NDArray[np.bool_]:
        """Which strings are the ones that stand for their codes, byte by byte."""
        if not len(self._starts):
            return np.zeros(len(codes), bool)
        same: NDArray[np.bool_] = (self._lengths.take(codes) == lengths) & (
            self._words.take(codes) == words
        )
        rows = np.flatnonzero((lengths > 8) & same)
        if len(rows):
            representative = codes[rows]
            same[rows] = ~_differ(
                self._buffer, starts[rows], lengths[rows],
                self._buffer, self._starts[representative], self._lengths[representative],
            )  # fmt: skip
        return same

    def finish(self) -> Coded:
        """All that was added as one column with sorted names."""
        names = [self._bytes(code).decode() for code in range(len(self._starts))]
        order = sorted(range(len(names)), key=names.__getitem__)
        rank: IntArray = np.empty(len(names), smallest_type(len(names)))
        rank[order] = np.arange(len(names))
        codes = self._stack.array()
        for at in range(0, len(codes), _BLOCK):  # block by block: indexing makes wide copies
            codes[at : at + _BLOCK] = rank[codes[at : at + _BLOCK]]
        return Coded(codes.astype(rank.dtype, copy=False), tuple(names[code] for code in order))

    def _look_up(self, hashes: NDArray[np.uint64]) -> tuple[IntArray, NDArray[np.bool_]]:
        if not len(self._hashes):
            return np.zeros(len(hashes), np.int64), np.zeros(len(hashes), bool)
        where = np.minimum(np.searchsorted(self._hashes, hashes), len(self._hashes) - 1)
        return where, self._hashes[where] == hashes

    def _learn(
        self, hashes: NDArray[np.uint64], starts: IntArray, lengths: IntArray, rows: IntArray
    ) -> None:
        new, first = np.unique(hashes[rows], return_index=True)
        at = rows[first]
        codes = np.arange(len(self._starts), len(self._starts) + len(new), dtype=np.int32)
        self._starts = np.concatenate([self._starts, starts[at].astype(np.int64)])
        self._lengths = np.concatenate([self._lengths, lengths[at].astype(np.int32)])
        self._words = np.concatenate([self._words, _word(self._loader, starts[at], lengths[at], 0)])
        place = np.searchsorted(self._hashes, new)
        self._hashes = np.insert(self._hashes, place, new)
        self._code_of = np.insert(self._code_of, place, codes)

    def _by_dictionary(self, starts: IntArray, lengths: IntArray) -> NDArray[np.int32]:
        """Codes by exact look-up: only ever needed when two strings share a hash."""
        known = self._dictionary
        if known is None:
            known = self._dictionary = {}
        codes = np.empty(len(starts), np.int32)
        for row, (start, length) in enumerate(zip(starts.tolist(), lengths.tolist(), strict=True)):
            key = bytes(self._buffer[start : start + length])
            code = known.get(key)
            if code is None:
                code = known[key] = len(self._starts)
                self._starts = np.append(self._starts, start)
                self._lengths = np.append(self._lengths, np.int32(length))
            codes[row] = code
        return codes

    def _bytes(self, code: int) -> bytes:
        start = int(self._starts[code])
        return bytes(self._buffer[start : start + int(self._lengths[code])])
