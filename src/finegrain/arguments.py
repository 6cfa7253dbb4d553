"""Arguments of public functions, checked against their annotations.

>>> import finegrain as fg
>>> fg.score("gold.conll")
Traceback (most recent call last):
finegrain.errors.UsageError: score: table takes an outcome table (fg.evaluate, fg.align or \
fg.from_lists makes one), not 'gold.conll' (str)

What an annotation leaves open (``Any``, the members of members) is left to the function.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sized
from difflib import get_close_matches
from functools import cache, wraps
from itertools import islice
from numbers import Integral, Real
from reprlib import Repr
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, Unpack, cast, get_args, get_origin, get_type_hints

from finegrain.errors import UsageError

Function = TypeVar("Function", bound=Callable[..., Any])

MEMBERS_CHECKED = 100
NUMBERS = {int: Integral, float: Real}
NAMES = {
    "Corpus": "a corpus (fg.read makes one from a file)",
    "CrowdLabels": "labels of workers (fg.read_crowd makes them from a file)",
    "NoneType": "None",
    "OutcomeTable": "an outcome table (fg.evaluate, fg.align or fg.from_lists makes one)",
    "PathLike": "a path",
    "Ratings": "labels of annotators (fg.ratings makes them)",
}

_short = Repr()
_short.maxstring = _short.maxother = 60


def checked(function: Function) -> Function:
    """The same function, which names a wrong argument instead of failing somewhere inside.

    >>> def repeat(word: str, times: int | None = None) -> str:
    ...     return word * (times or 2)
    >>> checked(repeat)("ab", 3)
    'ababab'
    >>> checked(repeat)("ab", times="3")
    Traceback (most recent call last):
    finegrain.errors.UsageError: repeat: times takes int or None, not '3' (str)
    >>> checked(repeat)("ab", time=3)
    Traceback (most recent call last):
    TypeError: repeat() got an unexpected keyword argument 'time'. Did you mean 'times'?
    """

    @cache
    def known() -> tuple[inspect.Signature, dict[str, Any], str]:
        signature = inspect.signature(function)
        types = get_type_hints(function)
        rest = next((p.name for p in signature.parameters.values() if p.kind is p.VAR_KEYWORD), "")
        if get_origin(types.get(rest)) is Unpack:
            types |= get_type_hints(*get_args(types.pop(rest)))
        return signature, types, rest

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        signature, types, rest = known()
        unknown = () if rest and rest in types else [name for name in kwargs if name not in types]
        if unknown:
            close = get_close_matches(unknown[0], types, n=1)
            raise TypeError(
                f"{function.__name__}() got an unexpected keyword argument {unknown[0]!r}"
                + (f". Did you mean {close[0]!r}?" if close else "")
            )
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise TypeError(f"{function.__name__}(): {error}") from None
        for name, value in {**given, **given.pop(rest, {})}.items():
            if name in types and not fits(value, types[name]):
                alone = f". Write [{value!r}]" if fits([value], types[name]) else ""
                raise UsageError(
                    f"{function.__name__}: {name} takes {described(types[name])}, "
                    f"not {_short.repr(value)} ({type(value).__name__}){alone}"
                )
        return function(*args, **kwargs)

    return cast("Function", called)


def fits(value: object, expected: Any) -> bool:
    """Whether a value is of an annotated type, as far as that can be seen at once.

    >>> fits(["a"], list[str]), fits("a", list[str]), fits([1], list[str]), fits(1, float)
    (True, False, False, True)
    """
    origin, members = get_origin(expected), get_args(expected)
    if origin in {Union, UnionType}:
        return any(fits(value, one) for one in members)
    if origin is None:
        known = expected is not Any and isinstance(expected, type)
        return not known or isinstance(value, NUMBERS.get(expected, expected))
    if origin is Literal:
        return isinstance(value, str)  # the function lists the names it knows
    if isinstance(origin, type) and issubclass(origin, Iterable):
        return _holds(value, origin, members)
    return isinstance(value, origin)


def _holds(value: object, origin: type, members: tuple[Any, ...]) -> bool:
    """Whether a value is such a collection, as far as its first members say.

    What a mapping holds is left to the function, which can name the key.
    """
    if issubclass(origin, Mapping):
        return isinstance(value, Mapping)
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        return isinstance(value, str) and members[:1] == (Any,)  # its characters are anything
    uniform = isinstance(value, Sized) and members[1:] in {(), (...,)}
    return not uniform or all(fits(member, members[0]) for member in islice(value, MEMBERS_CHECKED))


def described(expected: Any) -> str:
    """An annotated type in words.

    >>> described(int | list[str] | None), described(dict[str, float])
    ('int, list[str] or None', 'dict[str, float]')
    """
    origin, members = get_origin(expected), get_args(expected)
    if origin in {Union, UnionType}:
        *first, last = (described(one) for one in members)
        return f"{', '.join(first)} or {last}"
    if origin is Literal:
        return ", ".join(map(repr, members))
    name = getattr(origin or expected, "__name__", str(expected))
    if origin is None or name in NAMES:
        return NAMES.get(name, name)
    if origin is Callable:
        return "a function"
    return f"{name}[{', '.join(_plain(one) for one in members)}]"


def _plain(expected: Any) -> str:
    """The type of a member: only names, no explanation."""
    if get_origin(expected) in {Union, UnionType}:
        return " | ".join(_plain(one) for one in get_args(expected))
    return "None" if expected is NoneType else getattr(expected, "__name__", str(expected))
