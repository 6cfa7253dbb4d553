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

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import IO, Any

from finegrain.errors import FinegrainError, InputError, MissingExtra
from finegrain.files_read import opened
from finegrain.formats.source import BOM, MAGIC, Source, source_of
from finegrain.formats.standard_input import LOOKED_AT, STANDARD_INPUT, stdin

BLOCK = 1 << 18  # bytes read at once


def beginning(path: str) -> Source | None:
    """The first lines of a file; ``None`` for a folder, and for what whoever reads it will refuse.

    Standard input is looked at without being read.
    """
    try:
        if path == "-":
            start: bytes = stdin().peek(LOOKED_AT)
        elif os.path.isfile(path):  # noqa: PTH113 - pathlib is slow to import
            with _opened(path) as file:
                start = file.read(LOOKED_AT)
        else:
            return None
        whole = start[: start.rfind(b"\n") + 1] or start
        return source_of(path, whole)
    except Exception:  # damaged, empty, no UTF-8: said when it is read
        return None


def whole_lines(path: str, *, size: int = BLOCK) -> Iterator[bytes]:
    """All lines of a file, some at a time; a last line without newline gets one.

    A byte order mark is left out. So much is read at once that lines of one length are not cut.
    """
    left, line, begun = b"", 1, False
    with _complaining(path), _opened(path) as file:
        while block := file.read(max(size // line * line - len(left), 1)):
            block = block if begun else block.removeprefix(BOM)
            begun = True
            end = block.rfind(b"\n") + 1
            if end == len(block) and not left:
                yield block
            elif end:
                yield left + block[:end]
                left = block[end:]
            else:
                left += block
                continue
            line = end - block.rfind(b"\n", 0, end - 1) - 1  # length of the last one
    if left:
        yield left + b"\n"


@contextmanager
def _complaining(path: str) -> Iterator[None]:
    """What goes wrong in reading is told as of an input file."""
    name = STANDARD_INPUT if path == "-" else path
    try:
        yield
    except FileNotFoundError:
        raise InputError.at(path, 0, "no such file", "Check the path.") from None
    except FinegrainError:
        raise
    except OSError as error:
        if error.errno is None:  # an archive's own complaint
            raise _damaged(name, error) from None
        raise InputError.at(name, 0, f"cannot be read ({error.strerror})") from None
    except Exception as error:  # each kind of archive has its own
        raise _damaged(name, error) from None


def _damaged(name: str, error: Exception) -> InputError:
    return InputError.at(name, 0, f"damaged file ({error})", "Copy or compress it again.")


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    """A file to read from, decompressed if need be; standard input stays open."""
    with ExitStack() as stack:
        if path == "-":
            file: Any = stdin()
        else:
            file = stack.enter_context(opened(path))
        start = file.peek(1)
        kind, module = next(
            (found for magic, found in MAGIC.items() if start.startswith(magic)), ("", "")
        )
        if kind:
            file = stack.enter_context(_archive(path, file, kind, module))
        yield file


def _archive(path: str, file: IO[bytes], kind: str, module: str) -> Any:
    try:
        archive = import_module(module)  # not loaded for plain files
    except ImportError:
        raise MissingExtra(f"{path}: reading {kind} files", kind) from None
    if kind == "zstd":
        frames = archive.ZstdDecompressor()
        return frames.stream_reader(file, read_across_frames=True, closefd=False)
    return archive.open(file, "rb")
