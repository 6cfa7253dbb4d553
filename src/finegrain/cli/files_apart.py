"""A command does not write over what it reads, not twice to one file, and says what it read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from typer.core import TyperCommand

from finegrain.errors import UsageError

_WRITTEN = ("output", "annotate", "export", "junit", "summary", "target")
_READ = ("gold", "systems", "files", "file", "source", "train", "against", "also_gold", "attribute",
         "text")  # fmt: skip


class Command(TyperCommand):
    """A command that looks at the names of its files before it does anything."""

    def invoke(self, ctx: Any) -> Any:
        """Run it, if files are apart."""
        require_apart(ctx.params)
        if ctx.info_name != "explore" and not _tells_inputs(ctx.params):
            return super().invoke(ctx)
        from finegrain.files_read import recording

        with recording():
            return super().invoke(ctx)


def _tells_inputs(given: Mapping[str, Any]) -> bool:
    """Whether what is written says from which files: JSON, a page, a saved table.

    >>> _tells_inputs({"format": None, "output": "a.html"}), _tells_inputs({"format": "csv"})
    (True, False)
    """
    written = str(given.get("output") or "").lower()
    told = given.get("format") or os.path.splitext(written)[1].removeprefix(".")  # noqa: PTH122
    return told in ("json", "html", "htm", "parquet")


def require_apart(given: Mapping[str, Any]) -> None:
    """Refuse a file that would be read and written, or written twice.

    >>> require_apart({"gold": "a.conll", "output": "./a.conll"})
    Traceback (most recent call last):
    finegrain.errors.UsageError: ./a.conll: this file is read, so nothing is written there. Name \
another one
    """
    read = {_place(path) for name in _READ for path in _paths(given.get(name))}
    written = set[object]()
    for path in (path for name in _WRITTEN for path in _arguments(given.get(name))):
        if path == "-" or (os.path.exists(path) and not os.path.isfile(path)):  # noqa: PTH110, PTH113
            continue  # a device or a pipe takes all; a folder is refused when it is written
        place = _place(path)
        if place in read:
            raise UsageError(f"{path}: this file is read, so nothing is written there. {_MEND}")
        if place in written:
            raise UsageError(f"{path}: two results would be written to this file. {_MEND}")
        written.add(place)


_MEND = "Name another one"


def _arguments(value: Any) -> list[str]:
    """One argument or some, as text."""
    return [
        one
        for one in (value if isinstance(value, (list, tuple)) else [value])
        if isinstance(one, str)
    ]


def _paths(value: Any) -> Iterator[str]:
    """Files that arguments may name: ``name=path`` is read as either; .ann has a .txt beside it."""
    for argument in _arguments(value):
        for path in filter(None, (argument, argument.partition("=")[2])):
            yield path
            if path.endswith(".ann"):
                yield f"{path.removesuffix('.ann')}.txt"


def _place(path: str) -> object:
    """The same for all names of a file."""
    try:
        found = os.stat(path)  # noqa: PTH116 - pathlib is slow to import
    except (OSError, ValueError):
        return os.path.realpath(path)
    return found.st_dev, found.st_ino
