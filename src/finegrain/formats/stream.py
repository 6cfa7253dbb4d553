r"""Files that are too large to hold: whole lines, some at a time.

What ``source`` reads at once comes here in blocks, compressed or not, from a file or from standard
input.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as folder:
...     _ = Path(folder, "a.txt").write_bytes(b"1 0\n1 1\n0 1")
...     list(whole_lines(f"{folder}/a.txt", size=6))
[b'1 0\n', b'1 1\n', b'0 1\n']
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from finegrain.errors import InputError
from finegrain.files_read import opened
from finegrain.formats.archives import Content, blocks, kind_of
from finegrain.formats.source import BOM, Source, source_of
from finegrain.formats.standard_input import LOOKED_AT, STANDARD_INPUT, patient, stdin

BLOCK = 1 << 18  # bytes read at once
LONGEST = 1 << 24  # bytes of a line: what has longer ones is no table


def beginning(path: str) -> Source | None:
    """The first lines of a file; ``None`` for a folder, and for what whoever reads it will refuse.

    Standard input is looked at without being read.
    """
    try:
        if path == "-":
            start = _start(io.BufferedReader(io.BytesIO(stdin().peek(LOOKED_AT))))
        elif os.path.isfile(path):  # noqa: PTH113 - pathlib is slow to import
            with open(path, "rb") as file:  # noqa: PTH123 - pathlib is slow to import
                start = _start(file)
        else:
            return None
        cut = len(start) == LOOKED_AT  # there may be more of the last line
        return source_of(path, start[: start.rfind(b"\n") + 1] or start if cut else start)
    except Exception:  # damaged, empty, no UTF-8: said when it is read
        return None


def _start(file: io.BufferedReader) -> bytes:
    """The first bytes of the content; of what is looked at, an archive is cut."""
    start = b""
    try:
        for block in blocks("", file):
            start += block
            if len(start) >= LOOKED_AT:
                break
    except InputError:
        pass
    return start[:LOOKED_AT]


def whole_lines(path: str, *, size: int = BLOCK) -> Iterator[bytes]:
    """All lines of a file, some at a time; a last line without newline gets one.

    A byte order mark is left out. So much is read at once that lines of one length are not cut.
    """
    name = STANDARD_INPUT if path == "-" else path
    left: list[bytes] = []  # the beginning of a line
    line, begun = 1, False
    with _complaining(path), _opened(name, path) as file:
        while block := file.read(_fitting(size, line, sum(map(len, left)))):
            block = block if begun else block.removeprefix(BOM)
            begun = True
            if not block:
                continue
            end = block.rfind(b"\n") + 1
            if end == len(block) and not left:
                yield block
            elif end:
                yield b"".join((*left, block[:end]))
                left = [block[end:]] if end < len(block) else []
            else:
                left.append(block)
                _require_lines(name, left)
                continue
            line = end - block.rfind(b"\n", 0, end - 1) - 1  # length of the last one
    if left:
        yield b"".join((*left, b"\n"))


def _fitting(size: int, line: int, left: int) -> int:
    """How much to read so that it ends with a line, if lines are as long as the last one."""
    fitting = size // line * line - left
    return fitting if fitting > 0 else size


def _require_lines(name: str, left: list[bytes]) -> None:
    if sum(map(len, left)) > LONGEST:
        what = f"a line of more than {LONGEST >> 20} MiB"
        raise InputError.at(name, 0, what, "Each unit has a line of its own.")


@contextmanager
def _complaining(path: str) -> Iterator[None]:
    """What goes wrong in reading is told as of an input file."""
    name = STANDARD_INPUT if path == "-" else path
    try:
        yield
    except FileNotFoundError:
        raise InputError.at(path, 0, "no such file", "Check the path.") from None
    except OSError as error:
        raise InputError.at(name, 0, f"cannot be read ({error.strerror or error})") from None


@contextmanager
def _opened(name: str, path: str) -> Iterator[io.BufferedReader]:
    """A file to read from, decompressed if need be; standard input stays open."""
    if path == "-":
        yield _content(name, stdin(), limited=True)
        return
    with opened(path) as file:
        plain = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
        yield _content(name, file if plain else patient(file), limited=not plain)


def _content(name: str, file: io.BufferedReader, *, limited: bool) -> io.BufferedReader:
    if not limited and kind_of(file.peek(1)) is None:
        return file
    return io.BufferedReader(Content(blocks(name, file, limited=limited)), BLOCK)
