"""From the bytes of a file to its lines, as strictly as the formats of compression say.

>>> lines_of(b"a\\r\\nb\\n", set())
['a', 'b', '']
>>> lines_of(gzip.compress(b"a\\n")[:-3], set())
Traceback (most recent call last):
tests.fuzz.corpora.Invalid: an archive that ends too early
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import zlib
from collections.abc import Callable
from typing import Any

import zstandard

from tests.fuzz.corpora import Invalid

BOM = b"\xef\xbb\xbf"
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor(write_checksum=True).compress,
}
_STREAMS: dict[bytes, Callable[[], Any]] = {
    b"\x1f\x8b": lambda: zlib.decompressobj(wbits=31),
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ\x00": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ),
    b"\x28\xb5\x2f\xfd": lambda: zstandard.ZstdDecompressor().decompressobj(),
}
_FAULTS = (OSError, EOFError, zlib.error, lzma.LZMAError, zstandard.ZstdError)


def decompressed(data: bytes, doubts: set[str]) -> bytes:
    """The content of one or more whole streams, with nothing behind them but zeros."""
    kind = next((stream for magic, stream in _STREAMS.items() if data.startswith(magic)), None)
    if kind is None:
        return data
    parts = []
    while data:
        stream = kind()
        try:
            parts.append(stream.decompress(data))
        except _FAULTS as error:
            raise Invalid(f"a damaged archive: {error}") from None
        if not stream.eof:
            raise Invalid("an archive that ends too early")
        data = stream.unused_data
        if data and not data.strip(b"\0"):
            doubts.add("zero bytes behind an archive")
            break
    return b"".join(parts)


def text_of(data: bytes, doubts: set[str]) -> str:
    """The text of a file with newline line ends; ``doubts`` are what may be refused about it."""
    data = decompressed(data, doubts).removeprefix(BOM)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise Invalid("not UTF-8") from None
    if not text.strip():
        raise Invalid("an empty file")
    text = line_ends(text)
    if any(ord(one) < 32 and one not in "\t\n" for one in text):
        doubts.add("control characters")
    return text


def line_ends(text: str) -> str:
    """Text with newlines for CRLF, CRCRLF, and CR where nothing else ends lines."""
    text = text.replace("\r\n", "\n")
    if "\r" in text and "\n" not in text[:-1]:
        text = text.replace("\r", "\n")
    text = re.sub("\r+(\n|$)", "\n", text)
    if "\r" in text:
        raise Invalid("a carriage return inside of a line")
    return text


def lines_of(data: bytes, doubts: set[str]) -> list[str]:
    """The lines of a file."""
    return text_of(data, doubts).split("\n")
