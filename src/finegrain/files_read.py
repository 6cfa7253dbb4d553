"""Which files were read, with the SHA-256 of their bytes as they came in.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as folder, recording():
...     path = f"{folder}/gold.conll"
...     _ = Path(path).write_bytes(b"Ada B-PER\\n")
...     called(path, "gold")
...     with opened(path) as file:
...         _ = file.read()
...     [(one.name, one.sha256[:8]) for one in files_read()]
[('gold', 'd690a164')]

Hashing a file costs as much as reading it, so nothing is recorded unless somebody asks for it
first, as the command line does where it writes JSON, a page or a saved table.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

FilePath = str | os.PathLike[str]  # what a file is named by from Python


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that was read: what it is called in results, its path as given, its SHA-256."""

    name: str
    path: str
    sha256: str

    def __post_init__(self) -> None:
        if not all(isinstance(one, str) for one in (self.name, self.path, self.sha256)):
            raise TypeError("name, path and SHA-256 of a file are strings")

    def to_json(self) -> dict[str, str]:
        """As in the ``inputs`` of results."""
        return {"name": self.name, "path": self.path, "sha256": self.sha256}


class _Record:
    """What was read since recording began, in order; names by path."""

    def __init__(self) -> None:
        self.digests: dict[str, str] = {}
        self.names: dict[str, list[str]] = {}
        self.remembered: list[InputFile] = []


_current: list[_Record] = []  # the innermost recording is the last


@contextmanager
def recording() -> Iterator[None]:
    """Record what is read from here on."""
    _current.append(_Record())
    try:
        yield
    finally:
        _current.pop()


def files_read() -> tuple[InputFile, ...]:
    """What was read to its end, as it was named; nothing if nobody asked to record it."""
    if not _current:
        return ()
    now = _current[-1]
    place = {path: at for at, path in enumerate(now.names)}
    return (
        *(
            InputFile(name, path, now.digests[path])
            for path in sorted(now.digests, key=lambda path: place.get(path, -1))
            for name in _names(now, path)
        ),
        *now.remembered,
    )


def _names(now: _Record, path: str) -> list[str]:
    """What a file is called; one in a folder, or beside its annotation, like that."""
    if path in now.names:
        return now.names[path]
    near = [known for known in now.names if path.startswith(f"{known.rstrip('/')}/")]
    near += [known for known in now.names if _stem(known) == _stem(path)]
    return now.names[near[0]] if near else [os.path.basename(path)]  # noqa: PTH119 - a name


def _stem(path: str) -> str:
    return os.path.splitext(path)[0]  # noqa: PTH122 - a name


def called(path: str, name: str) -> None:
    """Say what a file is in results: ``gold``, ``train``, the name of a system."""
    if _current and name not in _current[-1].names.setdefault(path, []):
        _current[-1].names[path].append(name)


def remember(files: Iterable[InputFile]) -> None:
    """Add files that were read when a saved table was made."""
    if _current:
        _current[-1].remembered += files


def opened(path: str) -> io.BufferedReader:
    """A file to read; its bytes are hashed as they are read, if somebody asked for it."""
    return recorded(open(path, "rb"), path)  # noqa: PTH123 - pathlib is slow to import


def recorded(file: Any, path: str) -> io.BufferedReader:
    """The same for a file that is open."""
    if not _current:
        return cast("io.BufferedReader", file)
    return io.BufferedReader(_Hashing(file, path, _current[-1]))


def record(path: str) -> None:
    """Hash a file that something else reads."""
    if not _current:
        return
    with opened(path) as file:
        while file.read(1 << 20):
            pass


class _Hashing(io.RawIOBase):
    """A file that knows its SHA-256 when its end was reached."""

    def __init__(self, file: Any, path: str, record: _Record) -> None:
        super().__init__()
        self._file, self._path, self._record = file, path, record
        self._sum = import_module("hashlib").sha256()  # not loaded where nothing is hashed

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        found: int = self._file.fileno()
        return found

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        filled: int = self._file.readinto(view) or 0
        self._sum.update(view[:filled])
        if not filled and len(view):
            self._record.digests[self._path] = self._sum.hexdigest()
        return filled

    def close(self) -> None:
        self._file.close()
        super().close()
