r"""Compressed files: read to their very end or refused, within limits; and written.

An archive is recognised by its first bytes. All that is read from one comes through ``blocks``: a
premature end, damage and anything but further members behind its end are errors.

>>> import gzip, io
>>> packed = gzip.compress(b"Ada B-PER\n") + gzip.compress(b"met O\n")
>>> b"".join(blocks("a.gz", io.BufferedReader(io.BytesIO(packed))))
b'Ada B-PER\nmet O\n'
>>> list(blocks("a.gz", io.BufferedReader(io.BytesIO(packed[:-1]))))
Traceback (most recent call last):
finegrain.errors.InputError: a.gz: damaged gzip file (it ends too early). Copy or compress it again.

A small archive can hold terabytes. Refused is what decompresses to more than ``SIZE`` bytes, or to
more than ``LARGE`` and ``RATIO`` times its size; and more than ``SIZE`` from a pipe or a device.
The environment variable ``FINEGRAIN_MAX_INPUT_SIZE`` (``20G``) takes the place of both limits.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import IO, Any, NamedTuple

from finegrain.errors import InputError, MissingExtra, UsageError

VARIABLE = "FINEGRAIN_MAX_INPUT_SIZE"
SIZE = 8 << 30  # bytes, decompressed or from a pipe
LARGE = 512 << 20  # bytes up to which any ratio is fine
RATIO = 200  # text and 0/1 tables of good systems stay below
_BLOCK = 1 << 18  # bytes decompressed at once
_ZSTD_STEP = 1 << 10  # bytes of zstd, each of which may stand for 32 KiB
_LZMA_MEMORY = 1 << 30
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


class Kind(NamedTuple):
    """A kind of archive.

    ``member`` makes what decompresses one member, given ``module``; ``step`` bytes go in at a time.
    Zero bytes may follow a member if it is ``padded``.
    """

    name: str
    magic: bytes
    module: str
    member: Callable[[Any], Any]
    step: int = 1 << 16
    bounded: bool = True  # whether its output can be
    padded: bool = False


def _xz(lzma: Any) -> Any:
    return lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_LZMA_MEMORY)


KINDS = (
    Kind("gzip", b"\x1f\x8b", "zlib", lambda zlib: zlib.decompressobj(wbits=31), padded=True),
    Kind("bzip2", b"BZh", "bz2", lambda bz2: bz2.BZ2Decompressor()),
    Kind("xz", b"\xfd7zXZ\x00", "lzma", _xz, padded=True),
    Kind(
        "zstd",
        b"\x28\xb5\x2f\xfd",
        "zstandard",  # an extra
        lambda zstandard: zstandard.ZstdDecompressor().decompressobj(),
        step=_ZSTD_STEP,
        bounded=False,
    ),
)
_LONGEST_MAGIC = max(len(kind.magic) for kind in KINDS)


def kind_of(start: bytes | bytearray) -> Kind | None:
    """The kind of archive that begins so."""
    return next((kind for kind in KINDS if start.startswith(kind.magic)), None)


def blocks(name: str, file: io.BufferedReader, *, limited: bool = False) -> Iterator[bytes]:
    """The content of a file, decompressed if it is an archive, some bytes at a time.

    ``limited``: it is a pipe or a device, which may have no end.
    """
    kind = kind_of(file.peek(_LONGEST_MAGIC))
    if kind is not None:
        yield from _decompressed(name, file, kind)
        return
    budget = _Budget(name)
    while block := file.read(_BLOCK):
        yield block
        if limited:
            budget.spend(len(block), 0)


class Content(io.RawIOBase):
    """Blocks as a file that can be read from."""

    def __init__(self, given: Iterator[bytes]) -> None:
        super().__init__()
        self._blocks = given
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._left:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._left = memoryview(block)
        size = min(len(buffer), len(self._left))
        buffer[:size] = self._left[:size]
        self._left = self._left[size:]
        return size


def _decompressed(name: str, file: IO[bytes], kind: Kind) -> Iterator[bytes]:
    try:
        module = import_module(kind.module)  # not loaded for plain files
    except ImportError:
        raise MissingExtra(f"{name}: reading {kind.name} files", kind.name) from None
    feed, budget = _Feed(file, kind.step), _Budget(name)
    try:
        for block in _members(feed, kind, module):
            budget.spend(len(block), feed.taken)
            yield block
    except (MemoryError, InputError):
        raise
    except Exception as error:  # each module has its own kinds
        what = f"damaged {kind.name} file ({error})"
        raise InputError.at(name, 0, what, "Copy or compress it again.") from None


class _Feed:
    """The bytes of an archive, step by step."""

    def __init__(self, file: IO[bytes], step: int) -> None:
        self._file = file
        self._step = step
        self.taken = 0

    def more(self) -> bytes:
        data = self._file.read(self._step)
        self.taken += len(data)
        return data


def _members(feed: _Feed, kind: Kind, module: Any) -> Iterator[bytes]:
    """The content of one member after the other, up to the end of the file."""
    data, first = feed.more(), True
    while data:
        member = kind.member(module)
        try:
            block, data = _step(member, kind, data)
        except Exception as error:
            raise error if first else ValueError("something else follows its end") from None
        yield block
        while not member.eof:
            if not data and len(block) < _BLOCK:
                data = feed.more()
                if not data:
                    raise EOFError("it ends too early")
            block, data = _step(member, kind, data)
            yield block
        data, first = member.unused_data or feed.more(), False
        while kind.padded and data.startswith(b"\0"):
            data = data.lstrip(b"\0") or feed.more()


def _step(member: Any, kind: Kind, data: bytes) -> tuple[bytes, bytes]:
    """What some bytes of a member stand for, and those of them that it did not come to."""
    block: bytes = member.decompress(data, _BLOCK) if kind.bounded else member.decompress(data)
    return block, getattr(member, "unconsumed_tail", b"")


class _Budget:
    """How much may still come out of a file."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._given = 0
        chosen = os.environ.get(VARIABLE)
        self._size = SIZE if chosen is None else _size(chosen)
        self._ratio = RATIO if chosen is None else 0

    def spend(self, given: int, taken: int) -> None:
        """Count bytes that came out, for those taken in so far (0 for a plain file)."""
        self._given += given
        if self._given > self._size:
            raise self._too_large(f"more than {self._size >> 20:,} MiB")
        if self._ratio and taken and self._given > LARGE and self._given > self._ratio * taken:
            times = f"{self._given // taken:,} times as much as the archive"
            raise self._too_large(f"more than {LARGE >> 20:,} MiB, {times}")

    def _too_large(self, what: str) -> InputError:
        mend = f"If that is right, allow it, e.g. {VARIABLE}={2 * self._given // (1 << 30) + 1}G."
        return InputError.at(self._name, 0, f"it holds {what}", mend)


def _size(text: str) -> int:
    found = re.fullmatch(r"([0-9]{1,12}) ?([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if not found:
        raise UsageError(f"{VARIABLE}: {text!r} is not a size, as in 20G")
    return int(found[1]) * _UNITS[found[2].upper()]


def compressed(data: bytes, suffix: str) -> bytes:
    """Data as an archive of the kind that the suffix of a file names; other suffixes: as it is."""
    target = io.BytesIO()
    with writer(target, suffix, size=len(data)) as file:
        file.write(data)
    return target.getvalue()


def writer(target: IO[bytes], suffix: str, *, size: int = -1) -> AbstractContextManager[IO[bytes]]:
    """What to write to, so that it goes on to ``target``, compressed as the suffix says.

    Equal content gives equal bytes: no time or name is written. zstd gets a checksum, and the size
    of the content if it is known.
    """
    if suffix not in _WRITERS:
        return nullcontext(target)
    name, open_writer = _WRITERS[suffix]
    try:
        module = import_module(name)
    except ImportError:
        raise MissingExtra("writing zstd files", "zstd") from None
    opened: AbstractContextManager[IO[bytes]] = open_writer(module, target, size)
    return opened


def _zstd_writer(zstandard: Any, target: IO[bytes], size: int) -> Any:
    compressor = zstandard.ZstdCompressor(write_checksum=True)
    return compressor.stream_writer(target, size, closefd=False)


_WRITERS: dict[str, tuple[str, Callable[[Any, IO[bytes], int], Any]]] = {
    ".gz": ("gzip", lambda gzip, target, _: gzip.GzipFile("", "wb", 9, target, mtime=0)),
    ".bz2": ("bz2", lambda bz2, target, _: bz2.open(target, "wb")),
    ".xz": ("lzma", lambda lzma, target, _: lzma.open(target, "wb")),
    ".zst": ("zstandard", _zstd_writer),
}
SUFFIXES = tuple(_WRITERS)
