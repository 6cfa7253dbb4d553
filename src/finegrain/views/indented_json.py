r"""JSON with a line for every value: what ``json.dumps(..., indent=1)`` writes, much faster.

The standard library writes indented JSON by generators within generators, one for every level; the
files of a page of many systems and labels hold millions of values. Here what holds plain values
only, such as a row of a matrix, is written at once.

>>> print(indented({"f1": 0.5, "systems": ["crf", None], "notes": []}))
{
 "f1": 0.5,
 "systems": [
  "crf",
  null
 ],
 "notes": []
}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from json.encoder import encode_basestring
from math import isfinite
from typing import Any

_PLAIN = frozenset((str, int, float, bool, type(None)))


def indented(value: Any, line: str = "\n") -> str:
    """The text of a value; ``line`` begins lines at its level. Numbers must be finite."""
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, float) and isfinite(value):
        return float.__repr__(value)
    if not value or not isinstance(value, dict | list | tuple):
        return json.dumps(value, allow_nan=False)
    below = f"{line} "
    begin, end = "{}" if isinstance(value, dict) else "[]"
    if _is_plain(value):
        inside = _plain(below)(value)[1:-1]
    elif isinstance(value, dict):
        items = [f"{encode_basestring(key)}: {indented(one, below)}" for key, one in value.items()]
        inside = f",{below}".join(items)
    else:
        inside = f",{below}".join([indented(one, below) for one in value])
    return f"{begin}{below}{inside}{line}{end}"


def _is_plain(value: Any) -> bool:
    """Whether there is nothing in a list or dictionary that has something in it."""
    if not isinstance(value, dict):
        return _PLAIN.issuperset(map(type, value))
    return _PLAIN.issuperset(map(type, value.values())) and {str}.issuperset(map(type, value))


@cache
def _plain(below: str) -> Callable[[Any], str]:
    """What writes a list or dictionary of plain values with a line for each."""
    separators = (f",{below}", ": ")
    return json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=separators).encode


def in_parts(value: Any, line: str = "\n", *, levels: int = 3) -> Iterator[str]:
    """The same text in parts, each written when it is asked for; ``levels`` are taken apart.

    >>> list(in_parts({"systems": ["crf"], "f1": 0.5}))
    ['{\\n "systems": ', '[\\n  ', '"crf"', '\\n ]', ',\\n "f1": ', '0.5', '\\n}']
    """
    if not (levels and value and isinstance(value, dict | list | tuple)):
        yield indented(value, line)
        return
    named = isinstance(value, dict)
    items = value.items() if isinstance(value, dict) else (("", one) for one in value)
    below, separator = f"{line} ", "{" if named else "["
    for key, one in items:
        yield f"{separator}{below}{encode_basestring(key)}: " if named else f"{separator}{below}"
        yield from in_parts(one, below, levels=levels - 1)
        separator = ","
    yield f"{line}}}" if named else f"{line}]"
