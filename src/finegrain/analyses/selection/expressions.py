"""Selections as values: what ``gold=PER and outcome[a]!=TP`` is once it has been read.

Writing a value and reading it again gives the same value.

>>> person = Comparison(Field("gold"), "=", Literal("PER"))
>>> written(And((person, Holds(Field("correct", "my system")))))
'gold=PER and correct["my system"]'
>>> written(Not(Membership(Field("text"), (Literal("a b"), Literal(None)))))
'not text in ("a b", none)'
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field as option
from typing import Literal as OneOf
from typing import TypeAlias, get_args

Operator = OneOf["=", "!=", "<", "<=", ">", ">=", "~", "contains"]
OPERATORS: tuple[Operator, ...] = get_args(Operator)
KEYWORDS = ("and", "or", "not", "in", "none")
NOT_IN_WORDS = r"\s\"'()\[\]=!<>~,"
_BARE = re.compile(f"[^{NOT_IN_WORDS}]+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


@dataclass(frozen=True, slots=True)
class Field:
    """A property of a unit; ``of`` is what stands in brackets: a system, a column, a layer.

    ``other`` is the second system in brackets, of properties that two systems have together.
    """

    name: str
    of: str | None = None
    at: int = option(default=0, compare=False)  # where it stands in the text, for errors
    of_at: int = option(default=0, compare=False)
    other: str | None = None
    other_at: int = option(default=0, compare=False)

    def equals(self, value: str | int | None) -> Comparison:
        """The condition that it is exactly this; ``None`` is ``none``."""
        return self.compared("=", value)

    def differs(self, value: str | int | None) -> Comparison:
        """The condition that it is anything else."""
        return self.compared("!=", value)

    def compared(self, operator: Operator, value: str | float | None) -> Comparison:
        """The condition that it compares so with a value."""
        return Comparison(self, operator, Literal(None if value is None else str(value)))

    def among(self, values: Iterable[str | None]) -> Condition:
        """The condition that it is one of these."""
        literals = tuple(map(Literal, values))
        one = len(literals) == 1
        return Comparison(self, "=", literals[0]) if one else Membership(self, literals)


@dataclass(frozen=True, slots=True)
class Literal:
    """A word or number as it was written; ``None`` is ``none``."""

    text: str | None
    at: int = option(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Comparison:
    """``field operator value``; a field on the right has something in brackets."""

    field: Field
    operator: Operator
    value: Literal | Field
    at: int = option(default=0, compare=False)  # of the operator


@dataclass(frozen=True, slots=True)
class Membership:
    """``field in (value, ...)``."""

    field: Field
    values: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Holds:
    """A field that is yes or no, by itself."""

    field: Field


@dataclass(frozen=True, slots=True)
class Not:
    """What the part does not select."""

    part: Expression


@dataclass(frozen=True, slots=True)
class And:
    """What all parts select; there are two or more."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """What some part selects; there are two or more."""

    parts: tuple[Expression, ...]


Condition: TypeAlias = Comparison | Membership | Holds
Expression: TypeAlias = Condition | Not | And | Or


def written(expression: Expression) -> str:
    """The expression as text that reads back as the same expression."""
    match expression:
        case Comparison(left, operator, value):
            sign = f" {operator} " if operator.isalpha() else operator
            return f"{_field(left)}{sign}{_value(value)}"
        case Membership(left, values):
            return f"{_field(left)} in ({', '.join(map(_value, values))})"
        case Holds(left):
            return _field(left)
        case Not(part):
            return f"not {_part(part)}"
        case And(parts):
            return " and ".join(map(_part, parts))
        case Or(parts):
            return " or ".join(map(_part, parts))


def all_of(first: Expression, *others: Expression) -> Expression:
    """What all of these select; conjunctions become one, and what is said twice is said once.

    >>> both = all_of(Holds(Field("correct", "a")), Holds(Field("correct", "b")))
    >>> written(all_of(both, Holds(Field("correct", "b")), Holds(Field("correct", "c"))))
    'correct[a] and correct[b] and correct[c]'
    """
    every = [part for expression in (first, *others) for part in conjuncts(expression)]
    parts = tuple(dict.fromkeys(every))
    return parts[0] if len(parts) == 1 else And(parts)


def conjuncts(expression: Expression) -> tuple[Expression, ...]:
    """The parts that must all hold: the expression itself, if it is no conjunction."""
    return expression.parts if isinstance(expression, And) else (expression,)


def conditions(expression: Expression) -> list[Condition]:
    """The conditions that an expression is made of, from left to right."""
    match expression:
        case Not(part):
            return conditions(part)
        case And(parts) | Or(parts):
            return [condition for part in parts for condition in conditions(part)]
        case condition:
            return [condition]


def _part(expression: Expression) -> str:
    text = written(expression)
    return f"({text})" if isinstance(expression, And | Or) else text


def _field(one: Field) -> str:
    inside = ",".join(_name(name) for name in (one.of, one.other) if name is not None)
    return _name(one.name) + (f"[{inside}]" if inside else "")


def _value(value: Literal | Field) -> str:
    if isinstance(value, Field):
        return _field(value)
    return "none" if value.text is None else _name(value.text)


def _name(text: str) -> str:
    """Bare where that can be read, else in quotes."""
    if _BARE.fullmatch(text) and text not in KEYWORDS:
        return text
    return '"' + "".join(_ESCAPES.get(char, char) for char in text) + '"'
