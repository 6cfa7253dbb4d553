"""Formats, tasks, metrics and attributes of other packages, by entry points.

A package that declares, say,

    [project.entry-points."finegrain.metrics"]
    my_metric = "my_package:MY_METRIC"

makes ``my_metric`` known to the library and the command line. Entry points are looked up only
when a name is not built in, and when things are listed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from finegrain.errors import UsageError

_PACKAGES = (".dist-info", ".egg-info")
_MARK = b"[finegrain."  # a section of plug-ins


class Late:
    """A function that is imported when it is first asked for.

    >>> Late("textwrap:dedent")("  so")
    'so'
    """

    def __init__(self, home: str) -> None:
        self._module, _, self._name = home.partition(":")

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """The function itself; ``inspect`` knows this name."""
        found: Callable[..., Any] = getattr(import_module(self._module), self._name)
        return found

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self.__wrapped__(*arguments, **options)


def find(kind: str, name: str, built_in: dict[str, Any]) -> Any:
    """The value called ``name`` among the built-in ones and the plug-ins of a kind."""
    if name in built_in:
        return built_in[name]
    found = plugins(kind)
    if name not in found:
        raise UsageError.unknown(kind.rstrip("s"), name, [*built_in, *found])
    return found[name].load()


def everything(kind: str, built_in: dict[str, Any]) -> dict[str, Any]:
    """Built-in values and plug-ins of a kind."""
    others = {name: one.load() for name, one in plugins(kind).items() if name not in built_in}
    return {**built_in, **others}


def plugins(kind: str) -> dict[str, Any]:
    """Entry points of a kind (formats, tasks, metrics, attributes), not yet loaded."""
    group = f"finegrain.{kind}"
    if not any(map(_may_declare, sys.path)):
        return {}
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and rarely needed

    return {point.name: point for point in entry_points(group=group)}


def _may_declare(folder: str) -> bool:
    """Whether a package of this folder may have plug-ins: a look at the files that say so."""
    try:
        packages = [one.path for one in os.scandir(folder or ".") if one.name.endswith(_PACKAGES)]
    except FileNotFoundError:
        return False
    except OSError:  # an archive, say
        return True
    return any(_MARK in _content(os.path.join(one, "entry_points.txt")) for one in packages)  # noqa: PTH118 - pathlib is slow


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return b""
