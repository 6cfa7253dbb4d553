"""Bytes of a file, ready for columnar reading.

Plain and compressed files (.gz, .bz2, .xz, recognised by their first bytes) and standard input
(``-``) all become one buffer that ends in a newline and eight bytes of padding. What cannot be
read is refused here, with the reason: a directory, a missing or damaged file, text that is not
UTF-8 (with the byte), a file without a word in it.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from importlib import import_module

from finegrain.corpus.texts import PADDING
from finegrain.errors import InputError

_BOM = b"\xef\xbb\xbf"
_MAGIC = {  # first bytes -> kind of archive, module that knows it
    b"\x1f\x8b": ("gzip", "gzip"),
    b"BZh": ("bzip2", "bz2"),
    b"\xfd7zXZ\x00": ("xz", "lzma"),
}
_BLOCK = 1 << 16  # bytes checked at once: what is decoded stays in the processor's cache
SUFFIXES = (".gz", ".bz2", ".xz")


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """The text of a file.

    Parameters
    ----------
    name: the file as the user named it
    buffer: its bytes with newline line ends, closed by a newline, then ``PADDING`` zero bytes
    begin: where text begins (behind a byte order mark)
    end: where the padding begins
    closed: whether the last line had its newline
    """

    name: str
    buffer: bytearray
    begin: int
    end: int
    closed: bool = True

    def head(self, lines: int) -> list[str]:
        """The first lines, without their line ends."""
        at, found = self.begin, list[str]()
        while at < self.end and len(found) < lines:
            stop = self.buffer.find(b"\n", at, self.end)
            found.append(self.buffer[at:stop].decode())
            at = stop + 1
        return found

    def lines(self) -> list[str]:
        """All lines, without their line ends."""
        return self.buffer[self.begin : self.end - 1].decode().split("\n")


def open_source(path: str) -> Source:
    """Read a file or, for ``-``, standard input.

    >>> open_source("no/such/file.conll")
    Traceback (most recent call last):
    finegrain.errors.InputError: no/such/file.conll: no such file. Check the path.
    """
    if path == "-":
        return source_of("standard input", sys.stdin.buffer.read())
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib is slow to import
            data = bytearray(os.fstat(file.fileno()).st_size)
            filled = file.readinto(data)
            del data[filled:]
            data += file.read()  # a pipe has no size of its own
            return source_of(path, data)
    except IsADirectoryError:
        raise InputError.at(path, 0, "this is a directory", "Name a file in it.") from None
    except FileNotFoundError:
        raise InputError.at(path, 0, "no such file", "Check the path.") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError.at(path, 0, f"cannot be read ({reason})") from None


def source_of(name: str, data: bytes | bytearray) -> Source:
    """A source from bytes in memory, compressed or not."""
    for magic, (kind, module) in _MAGIC.items():
        if data.startswith(magic):
            data = _decompressed(name, bytes(data), kind, module)
            break
    return _prepare(name, data if isinstance(data, bytearray) else bytearray(data))


def _decompressed(name: str, data: bytes, kind: str, module: str) -> bytes:
    decompressor = import_module(module)  # not loaded for plain files
    try:
        decompressed: bytes = decompressor.decompress(data)
    except Exception as error:  # each module has its own kinds
        mend = "Copy or compress it again."
        raise InputError.at(name, 0, f"damaged {kind} file ({error})", mend) from None
    return decompressed


def _prepare(name: str, data: bytearray) -> Source:
    begin = len(_BOM) if data.startswith(_BOM) else 0
    if len(data) == begin or data.isspace() or (begin and data[begin:].isspace()):
        raise InputError.at(name, 0, "the file is empty", "Check how it was written.")
    _require_utf8(name, data)
    closed = data.endswith(b"\n")
    if not closed:
        data += b"\n"
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    end = len(data)
    data += bytes(PADDING)
    return Source(name, data, begin, end, closed)


def _require_utf8(name: str, data: bytearray) -> None:
    if data.isascii():
        return
    view, at = memoryview(data), 0
    while at < len(data):
        stop = data.find(b"\n", min(at + _BLOCK, len(data))) + 1 or len(data)
        try:
            str(view[at:stop], "utf-8")
        except UnicodeDecodeError as error:
            byte = at + error.start
            line = data.count(b"\n", 0, byte) + 1
            raise InputError.at(
                name, line, f"not UTF-8: byte {data[byte]:#04x} at byte offset {byte}",
                "Convert the file, e.g. iconv -f latin1 -t utf-8.",
            ) from None  # fmt: skip
        at = stop
