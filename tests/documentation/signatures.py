"""How functions and classes are called, in the words of their source.

>>> from finegrain.formats import read
>>> print(signature(read, "fg.read"))
fg.read(
    path: FilePath,
    *,
    format: str | Format | None = None,
    strict: bool = False,
    **options: Any,
) -> Corpus
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
from collections.abc import Callable, Iterator
from textwrap import dedent
from typing import Any, NamedTuple

WIDTH = 92


class Member(NamedTuple):
    """A public method or property of a class."""

    name: str
    call: str
    docstring: str


def signature(function: Callable[..., Any], name: str) -> str:
    """The call with annotations and defaults as they are written; wrapped if it is long."""
    node = _definition(function)
    return _call(name, list(_arguments(node.args)), node)


def reading_call(read: Callable[..., Any], format_name: str) -> str:
    """How ``fg.read`` is called for a format, with the options of the format's own reader.

    >>> from finegrain.formats.span_lines import read
    >>> print(reading_call(read, "spans").splitlines()[0][:40])
    fg.read(
    """
    node = _definition(read)
    options = [part for part in list(_arguments(node.args))[1:] if part != "*"]
    return _call("fg.read", ["path: str", "*", f'format="{format_name}"', *options], node)


def _definition(function: Callable[..., Any]) -> ast.FunctionDef:
    node = ast.parse(dedent(inspect.getsource(function))).body[0]
    if not isinstance(node, ast.FunctionDef):
        raise TypeError(f"{function} is not a function")
    return node


def _call(name: str, arguments: list[str], node: ast.FunctionDef) -> str:
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    parts = [part for part in arguments if part not in ("self", "cls")]
    line = f"{name}({', '.join(parts)}){result}"
    if len(line) <= WIDTH:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){result}"


def members(class_: type) -> Iterator[Member]:
    """Public methods and properties that a class defines itself, in their order."""
    for name, value in vars(class_).items():
        if name.startswith("_"):
            continue
        if isinstance(value, property) and value.fget is not None:
            returned = inspect.signature(value.fget).return_annotation
            yield Member(name, f"{name}: {returned}", inspect.getdoc(value) or "")
        elif isinstance(value, classmethod | staticmethod):
            function = value.__func__
            call = signature(function, f"{class_.__name__}.{name}")
            yield Member(name, call, inspect.getdoc(function) or "")
        elif inspect.isfunction(value):
            yield Member(name, signature(value, name), inspect.getdoc(value) or "")


def fields(class_: type) -> list[tuple[str, str]]:
    """Names and types of the fields of a dataclass; none for other classes."""
    if not dataclasses.is_dataclass(class_):
        return []
    return [
        (field.name, str(field.type))
        for field in dataclasses.fields(class_)
        if not field.name.startswith("_")
    ]


def _arguments(arguments: ast.arguments) -> Iterator[str]:
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = len(positional) - len(arguments.defaults)
    defaults = [*[None] * missing, *arguments.defaults]
    for argument, default in zip(positional, defaults, strict=True):
        yield _argument(argument, default)
    if arguments.vararg:
        yield f"*{ast.unparse(arguments.vararg)}"
    elif arguments.kwonlyargs:
        yield "*"
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _argument(argument, default)
    if arguments.kwarg:
        yield f"**{ast.unparse(arguments.kwarg)}"


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    written = ast.unparse(argument)
    if default is None:
        return written
    return (
        f"{written} = {ast.unparse(default)}"
        if ":" in written
        else f"{written}={ast.unparse(default)}"
    )
