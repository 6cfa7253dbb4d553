"""Logs of Inspect (``.eval``): a ZIP file whose members are JSON, compressed with Zstandard.

Python's own reader of ZIP files learnt Zstandard in version 3.14, so that the directory of the
file is read here. Sizes and checksums are compared; what decompresses to more than archives may
(``formats.archives``) is refused.

>>> member = Member("samples/1_epoch_1.json", 0, 0x94D3F99D, 2, 2, 0)
>>> member.is_sample
True
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from finegrain import strict_json
from finegrain.errors import InputError
from finegrain.files_read import opened
from finegrain.formats.archives import blocks

MAGIC = b"PK\x03\x04"
_END, _END_64, _LOCATOR, _ENTRY = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07", b"PK\x01\x02"
_STORED, _DEFLATED, _ZSTANDARD = 0, 8, 93
_TAIL = 22 + 65_535  # bytes at the end in which the directory is announced
_FULL = 0xFFFFFFFF
_LARGEST = 1 << 30  # bytes of one sample
_MEND = "Copy the log again, or write it as JSON: inspect log convert --to json."


class Member(NamedTuple):
    """A file in the archive, as the directory has it."""

    name: str
    method: int
    checksum: int
    packed: int
    size: int
    at: int

    @property
    def is_sample(self) -> bool:
        return self.name.startswith("samples/") and self.name.endswith(".json")


def is_log(path: str) -> bool:
    """Whether a file begins as a ZIP file does."""
    try:
        with opened(path) as file:
            return file.peek(4)[:4] == MAGIC
    except OSError:
        return False  # whoever reads it says why


def samples(path: str) -> list[Any]:
    """All samples of a log, ordered by epoch and id as its names are."""
    with opened(path) as file:
        data = file.read()
    try:
        members = [member for member in _directory(data) if member.is_sample]
        if not members:
            raise ValueError("it has no samples, as a run that failed")
        return [strict_json.parse(_content(path, data, one).decode()) for one in members]
    except (ValueError, struct.error, IndexError, zlib.error) as fault:
        what = f"this is not a log of Inspect that can be read ({fault})"
        raise InputError.at(path, 0, what, _MEND) from None


def _directory(data: bytes) -> Iterator[Member]:
    """The members, as the directory at the end of the file lists them."""
    end = data.rfind(_END, max(len(data) - _TAIL, 0))
    if end < 0:
        raise ValueError("it ends too early")
    count, _, at = struct.unpack_from("<HII", data, end + 10)
    locator = end - 20
    if locator >= 0 and data[locator : locator + 4] == _LOCATOR:
        (end_64,) = struct.unpack_from("<Q", data, locator + 8)
        if data[end_64 : end_64 + 4] == _END_64:
            count, _, at = struct.unpack_from("<QQQ", data, end_64 + 32)
    for _ in range(count):
        if data[at : at + 4] != _ENTRY:
            raise ValueError("its directory is damaged")
        flags, method = struct.unpack_from("<HH", data, at + 8)
        checksum, packed, size, names, extra, comment = struct.unpack_from("<IIIHHH", data, at + 16)
        (place,) = struct.unpack_from("<I", data, at + 42)
        name = data[at + 46 : at + 46 + names].decode()
        beside = data[at + 46 + names : at + 46 + names + extra]
        size, packed, place = _large(beside, size, packed, place)
        if flags & 1:
            raise ValueError("it is encrypted")
        yield Member(name, method, checksum, packed, size, place)
        at += 46 + names + extra + comment


def _large(extra: bytes, *numbers: int) -> tuple[int, int, int]:
    """Numbers that do not fit their place stand in a field of their own."""
    at = 0
    wide: list[int] = []
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, at)
        if kind == 1:
            wide = list(struct.unpack_from(f"<{size // 8}Q", extra, at + 4))
        at += 4 + size
    following = iter(wide)
    first, second, third = (next(following) if one == _FULL and wide else one for one in numbers)
    return first, second, third


def _content(path: str, data: bytes, member: Member) -> bytes:
    if member.size > _LARGEST:
        raise ValueError(f"{member.name} has {member.size >> 20:,} MiB")
    names, extra = struct.unpack_from("<HH", data, member.at + 26)
    begin = member.at + 30 + names + extra
    packed = data[begin : begin + member.packed]
    if member.method == _STORED:
        content = packed
    elif member.method == _DEFLATED:
        content = zlib.decompressobj(-15).decompress(packed, member.size + 1)
    elif member.method == _ZSTANDARD:
        content = b"".join(blocks(path, io.BufferedReader(io.BytesIO(packed))))
    else:
        raise ValueError(f"{member.name} is compressed by an unknown method ({member.method})")
    if len(content) != member.size or zlib.crc32(content) != member.checksum:
        raise ValueError(f"{member.name} is damaged")
    return content
