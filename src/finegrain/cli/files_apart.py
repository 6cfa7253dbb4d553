"""A command does not write over what it reads, not twice to one file, and says what it read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from finegrain.cli.option import Argument, Option
from finegrain.errors import UsageError


def tells_inputs(given: Mapping[str, Any]) -> bool:
    """Whether what is written says from which files: JSON, a page, a saved table.

    >>> tells_inputs({"format": None, "output": "a.html"}), tells_inputs({"format": "csv"})
    (True, False)
    """
    written = str(given.get("output") or "").lower()
    told = given.get("format") or os.path.splitext(written)[1].removeprefix(".")  # noqa: PTH122
    return told in ("json", "html", "htm", "parquet")


def require_apart(declared: Iterable[Argument | Option], given: Mapping[str, Any]) -> None:
    """Refuse a file that would be read and written, or written twice.

    >>> target = Option("-o, --output FILE", "Write there.", file="written")
    >>> require_apart([Argument("GOLD", "Gold."), target], {"gold": "a", "output": "./a"})
    Traceback (most recent call last):
    finegrain.errors.UsageError: ./a: this file is read, so nothing is written there. Name another \
one
    """
    files: dict[str, list[Any]] = {"": [], "read": [], "written": []}
    for one in declared:
        files[one.file].append(given.get(one.name))
    read = {_place(path) for value in files["read"] for path in _paths(value)}
    written = set[object]()
    for path in (path for value in files["written"] for path in _arguments(value)):
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
