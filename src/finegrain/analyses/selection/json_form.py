"""Selections as JSON: what links and filters of a page hold, and its scripts evaluate.

>>> as_json(read("gold=PER and not outcome[a] in (FN, none)"))
['and', ['=', 'gold', 'PER'], ['not', ['in', ['outcome', 'a'], 'FN', None]]]
>>> written(read('["and",["=","gold","PER"],["holds",["correct","a"]]]'))
'gold=PER and correct[a]'

=================================  ========================================================
form                               selection
=================================  ========================================================
``["and", A, B, ...]``, ``"or"``   all, or some, of two or more selections hold
``["not", A]``                     the selection does not hold
``[operator, field, value]``       a comparison; ``null`` is none, a list is another field
``["in", field, value, ...]``      a field is one of these
``["holds", field]``               a field that is yes or no, by itself
=================================  ========================================================

A field is its name, or a list of the name and what stands in brackets.
"""

from __future__ import annotations

import json
from typing import Any

from finegrain import strict_json
from finegrain.analyses.selection.expressions import (
    OPERATORS,
    And,
    Comparison,
    Expression,
    Field,
    Holds,
    Literal,
    Membership,
    Not,
    Or,
    written,
)
from finegrain.analyses.selection.parsing import DEEPEST, LONGEST, parse
from finegrain.errors import UsageError


def as_json(expression: Expression) -> list[Any]:
    """The JSON form of a selection."""
    match expression:
        case Not(part):
            return ["not", as_json(part)]
        case And(parts) | Or(parts):
            return ["and" if isinstance(expression, And) else "or", *map(as_json, parts)]
        case Holds(field):
            return ["holds", _field(field)]
        case Membership(field, values):
            return ["in", _field(field), *(value.text for value in values)]
        case Comparison(field, operator, value):
            other = _field(value) if isinstance(value, Field) else value.text
            return [operator, _field(field), other]


def compact(expression: Expression) -> str:
    """The JSON form as one short text, for an address.

    Bytes of file names that are no text, which an address cannot have, are escaped.
    """
    text = json.dumps(as_json(expression), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace").decode()


def as_text(source: str) -> str:
    """A selection in the text form, whichever form it is written in."""
    return written(read(source)) if _is_json(source) else source


def _is_json(source: str) -> bool:
    return source.lstrip().startswith("[")


def read(source: str) -> Expression:
    """A selection, whichever form it is written in."""
    if not _is_json(source):
        return parse(source)
    if len(source) > LONGEST:
        raise UsageError(f"a selection has at most {LONGEST:,} characters, not {len(source):,}")
    try:
        return from_json(strict_json.parse(source))
    except strict_json.BadJson as error:
        raise UsageError(f"not a selection: {error}") from None


def from_json(data: Any, depth: int = 0) -> Expression:
    """The selection that the JSON form says."""
    match data if depth <= 2 * DEEPEST else None:
        case ["not", part]:
            return Not(from_json(part, depth + 1))
        case ["and", _, _, *_]:
            return And(tuple(from_json(part, depth + 1) for part in data[1:]))
        case ["or", _, _, *_]:
            return Or(tuple(from_json(part, depth + 1) for part in data[1:]))
        case ["holds", field]:
            return Holds(_from_field(field))
        case ["in", field, _, *_]:
            return Membership(_from_field(field), tuple(map(_from_value, data[2:])))
        case [str(operator), field, value] if operator in OPERATORS:
            return Comparison(_from_field(field), operator, _from_side(value))
    raise _wrong("a selection", data)


def _field(field: Field) -> str | list[str]:
    inside = _inside(field)
    return [field.name, *inside] if inside else field.name


def _inside(field: Field) -> list[str]:
    return [name for name in (field.of, field.other) if name is not None]


def _from_field(data: Any) -> Field:
    match data:
        case str(name) | [str(name)]:
            return Field(name)
        case [str(name), str(of)]:
            return Field(name, of)
        case [str(name), str(of), str(other)]:
            return Field(name, of, other=other)
    raise _wrong("a field", data)


def _from_side(data: Any) -> Literal | Field:
    """The right side of a comparison: a field there has something in brackets."""
    if not isinstance(data, list):
        return _from_value(data)
    field = _from_field(data)
    if field.of is None:
        raise _wrong("a field with brackets", data)
    return field


def _from_value(data: Any) -> Literal:
    if data is None or isinstance(data, str):
        return Literal(data)
    if isinstance(data, int | float) and not isinstance(data, bool):
        return Literal(str(data))
    raise _wrong("a value", data)


def _wrong(expected: str, data: Any) -> UsageError:
    return UsageError(f"expected {expected} in its JSON form, found {json.dumps(data)[:80]}")
