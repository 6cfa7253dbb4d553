"""Bytes of a file, ready for columnar reading.

Plain and compressed files (.gz, .bz2, .xz, .zst, recognised by their first bytes) and standard
input (``-``) all become one buffer that ends in a newline and eight bytes of padding. What cannot
be read is refused here, with the reason: a missing or damaged file, text that is not UTF-8 (with
the byte), a file without a word in it. Rows of a Parquet file become JSON lines. A folder becomes a
source without text, for the formats that read folders, and arrays of numbers stay as they are.
"""

from __future__ import annotations

import io
import os
import re
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from finegrain.corpus.texts import PADDING
from finegrain.errors import InputError
from finegrain.files_read import FilePath, opened
from finegrain.formats.archives import SUFFIXES, blocks, kind_of
from finegrain.formats.number_arrays import is_binary
from finegrain.formats.standard_input import STANDARD_INPUT, patient, stdin

if TYPE_CHECKING:
    from finegrain.formats.parquet_tokens import TokenColumns

BOM = b"\xef\xbb\xbf"
PARQUET = b"PAR1"  # its first and last bytes
_BLOCK = 1 << 16  # bytes checked at once: what is decoded stays in the processor's cache
_FOREIGN = (b"PK", b"%PDF", b"7z\xbc", b"\x80", b"\xfe", b"\xff")  # beginnings of what is no text
_LOOKED_AT = 1 << 12  # bytes in which text has no zeros
_LONGEST = 1 << 28  # bytes of a line in what may have no end
_SPARE = 1 + PADDING  # for a last newline, and the padding


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
    folder: whether it is a folder, which only some formats read
    notes: what was mended
    carriage_return: the first line with a carriage return inside; 0 if there is none
    tokens: of a Parquet file with tokens and log-probabilities, these; it has no text then
    binary: whether it holds arrays of numbers, which are no text
    """

    name: str
    buffer: bytearray
    begin: int
    end: int
    closed: bool = True
    folder: bool = False
    notes: tuple[str, ...] = ()
    carriage_return: int = 0
    tokens: TokenColumns | None = None
    binary: bool = False

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was mended, and whether the text may go on."""
        incomplete = () if self.closed else ("the last line has no newline: is it complete?",)
        return (*self.notes, *incomplete)

    def head(self, lines: int) -> list[str]:
        """The first lines, without their line ends; none of what is not text."""
        if self.binary:
            return []
        at, found = self.begin, 0
        while at < self.end and found < lines:
            at = self.buffer.find(b"\n", at, self.end) + 1
            found += 1
        return self.buffer[self.begin : at - 1].decode().split("\n") if found else []

    def lines(self) -> list[str]:
        """All lines, without their line ends."""
        return self.buffer[self.begin : self.end - 1].decode().split("\n")


def stem(path: str) -> str:
    """The name of a file without its folder and suffixes.

    >>> stem("out/run7.tsv.gz"), stem("corpora/news/"), stem("..")
    ('run7', 'news', '..')
    """
    name = os.path.basename(path.rstrip("/")) or path  # noqa: PTH119 - pathlib is slow to import
    start, suffix = os.path.splitext(name)  # noqa: PTH122 - as above
    return os.path.splitext(start)[0] if suffix in SUFFIXES else start  # noqa: PTH122


def open_source(path: FilePath) -> Source:
    """Read a file or, for ``-``, standard input; of a folder nothing is read yet.

    >>> open_source("no/such/file.conll")
    Traceback (most recent call last):
    finegrain.errors.InputError: no/such/file.conll: no such file. Check the path.
    """
    path = os.fspath(path)
    if path == "-":
        return _unsized(STANDARD_INPUT, stdin())
    if os.path.isdir(path):  # noqa: PTH112 - pathlib is slow to import
        return Source(path, bytearray(b"\n" + bytes(PADDING)), 0, 1, folder=True)
    try:
        with opened(path) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return _unsized(path, patient(file))
            size = os.fstat(file.fileno()).st_size
            data = bytearray(size + _SPARE)
            filled = file.readinto(memoryview(data)[:size])
            rest = file.read()  # a file that grows, and those of /proc
    except FileNotFoundError:
        raise InputError.at(path, 0, "no such file", "Check the path.") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError.at(path, 0, f"cannot be read ({reason})") from None
    if rest or filled < size or kind_of(data):
        return source_of(path, bytes(data[:filled]) + rest)
    return _prepare(path, data, size)


def source_of(name: str, data: bytes) -> Source:
    """A source from bytes in memory, compressed or not."""
    if kind_of(data) is not None:
        data = b"".join(blocks(name, io.BufferedReader(io.BytesIO(data))))
    return _prepare(name, bytearray(data) + bytes(_SPARE), len(data))


def _unsized(name: str, file: io.BufferedReader) -> Source:
    """A source from a pipe or a device, which may have no end: what is not text is not read on."""
    data, newline = bytearray(), 0
    for block in blocks(name, file, limited=True):
        if not data:
            _require_utf8(name, bytearray(block), max(block.rfind(b"\n") + 1, 1))
        last = block.rfind(b"\n")
        newline = newline if last < 0 else len(data) + last
        data += block
        if len(data) - newline > _LONGEST:
            what = f"a line of more than {_LONGEST >> 20} MiB, which is not text"
            raise InputError.at(name, 0, what, "Check what it holds.")
    return _prepare(name, data + bytes(_SPARE), len(data))


def _prepare(name: str, data: bytearray, size: int) -> Source:
    """Check and close the text, which takes up ``size`` bytes; zero bytes stand behind it."""
    if data.startswith(PARQUET):
        from finegrain.formats.parquet_rows import as_lines, is_parquet, is_table  # noqa: PLC0415
        from finegrain.formats.parquet_tokens import token_columns  # noqa: PLC0415

        if is_parquet(data, size):
            if is_table(data, size):
                raise is_a_table(name)
            if (tokens := token_columns(name, memoryview(data)[:size])) is not None:
                return Source(name, bytearray(b"\n" + bytes(PADDING)), 0, 1, tokens=tokens)
            rows = as_lines(name, bytes(data[:size]))
            data, size = bytearray(rows) + bytes(_SPARE), len(rows)
    if name.endswith(".spacy"):
        from finegrain.formats.docbin import as_lines, is_docbin  # noqa: PLC0415 - rarely needed

        if is_docbin(name, data):
            rows = as_lines(name, bytes(data[:size]))
            data, size = bytearray(rows) + bytes(_SPARE), len(rows)
    if data.startswith(_FOREIGN) or data.find(0, 0, min(size, _LOOKED_AT)) >= 0:
        from finegrain.formats.foreign_files import require_text  # noqa: PLC0415 - rarely needed

        require_text(name, data, size)
    if is_binary(data):
        return Source(name, data, 0, size, binary=True)
    begin = len(BOM) if data.startswith(BOM) else 0
    _require_utf8(name, data, size)
    if _is_blank(data[begin : min(begin + _BLOCK, size)]) and _is_blank(data[begin:size]):
        raise InputError.at(name, 0, "the file is empty", "Check how it was written.")
    closed = data[size - 1] == ord("\n")
    if not closed:
        data[size] = ord("\n")
        size += 1
    if data.find(b"\r", 0, size) < 0:
        return Source(name, data, begin, size, closed)
    lines = _line_ends(data[:size])
    padded = lines.text + bytes(PADDING)
    at = lines.text.find(b"\r")
    inside = lines.text.count(b"\n", 0, at) + 1 if at >= 0 else 0
    closed |= lines.alone and data[size - 2] == ord("\r")
    return Source(
        name, padded, begin, len(lines.text), closed, notes=lines.notes, carriage_return=inside
    )


class _Lines(NamedTuple):
    """Text with newline line ends, and what was mended."""

    text: bytearray
    notes: tuple[str, ...] = ()
    alone: bool = False  # the line ends were carriage returns without newlines


def _line_ends(text: bytearray) -> _Lines:
    r"""Text whose line ends may be CRLF, or CR alone where there is no other.

    Further carriage returns in front of a line end, which copying between systems leaves, are
    taken away. Inside of a line they stay: whoever reads the lines refuses them.

    >>> _line_ends(bytearray(b"a\rb\r\n"))[:2]
    (bytearray(b'a\nb\n'), ('line ends are carriage returns alone (CR)',))
    >>> _line_ends(bytearray(b"a\r\r\nb\n"))[:2]
    (bytearray(b'a\nb\n'), ('1 line ends in several carriage returns (CR)',))
    """
    plain = text.replace(b"\r\n", b"\n")
    if plain.find(b"\n") == len(plain) - 1 and b"\r" in plain:
        said = "line ends are carriage returns alone (CR)"
        return _Lines(plain.replace(b"\r", b"\n"), (said,), alone=True)
    several = plain.count(b"\r\n")
    if not several:
        return _Lines(plain)
    mended = bytearray(re.sub(rb"\r+\n", b"\n", plain))
    verb = "line ends" if several == 1 else "lines end"
    return _Lines(mended, (f"{several:,} {verb} in several carriage returns (CR)",))


def require_lines(source: Source) -> None:
    """Refuse text with a carriage return inside of a line, which may be a lost line end."""
    if source.carriage_return:
        what = "a carriage return (CR) inside of a line, where a line end may be lost"
        mend = "Write line ends as LF or CRLF, e.g. tr '\\r' '\\n'."
        raise InputError.at(source.name, source.carriage_return, what, mend)


def _is_blank(data: bytearray) -> bool:
    """Whether there is nothing but white space, of any script; a cut character is none."""
    return not data.decode(errors="ignore").strip()


class TableGiven(InputError):
    """A saved table stands where a corpus is expected."""


def is_a_table(name: str) -> InputError:
    """What is said of a saved table where a corpus is expected."""
    what = "this is a saved table (Parquet), not a corpus"
    mend = "Give the file itself, alone, to a command that analyses: finegrain score TABLE."
    return TableGiven.at(name, 0, what, mend)


def _require_utf8(name: str, data: bytearray, size: int) -> None:
    if data.isascii():
        return
    view, at = memoryview(data), 0
    while at < size:
        stop = data.find(b"\n", min(at + _BLOCK, size), size) + 1 or size
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
