"""Reading selections: a tokenizer, a recursive descent, and errors that point at the place.

>>> from finegrain.analyses.selection.expressions import written
>>> written(parse("not (gold = PER or length>=3) and text ~ '^[A-Z]'"))
'not (gold=PER or length>=3) and text~"^[A-Z]"'
>>> parse("gold=PER and")
Traceback (most recent call last):
finegrain.errors.UsageError: expected a field such as gold or outcome[system], found the end
  gold=PER and
              ^

The grammar, with lower-case keywords::

    selection  = conjunction {"or" conjunction}
    conjunction = negation {"and" negation}
    negation   = "not" negation | "(" selection ")" | condition
    condition  = field [operator value | ["not"] "in" "(" value {"," value} ")"]
    operator   = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "contains"
    field      = word ["[" word ["," word] "]"]
    value      = word | "none" | word "[" word ["," word] "]"
    word       = quoted string | anything without blanks, quotes, commas, brackets and operators
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple, cast

from finegrain.analyses.selection.expressions import (
    KEYWORDS,
    NOT_IN_WORDS,
    OPERATORS,
    And,
    Comparison,
    Expression,
    Field,
    Holds,
    Literal,
    Membership,
    Not,
    Operator,
    Or,
)
from finegrain.errors import UsageError

LONGEST = 100_000  # characters of a selection
DEEPEST = 50  # brackets and negations within each other
_TOKEN = re.compile(
    r"(?P<blank>\s+)"
    r"|(?P<quoted>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')"
    r"|(?P<operator>!=|<=|>=|[=<>~])"
    r"|(?P<mark>[()\[\],])"
    rf"|(?P<bare>[^{NOT_IN_WORDS}]+)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\([\"'\\nt])")
_ESCAPED = {"n": "\n", "t": "\t"}
_FIELD = "a field such as gold or outcome[system]"
_NAME = "a name, in quotes if it has blanks or signs"


class Misfit(Exception):
    """What is wrong at which place of a selection; becomes a ``UsageError`` with a caret."""

    def __init__(self, at: int, what: str) -> None:
        super().__init__(what)
        self.at = at
        self.what = what


def pointed(source: str, misfit: Misfit) -> UsageError:
    """The error with the selection below it and a caret below the place."""
    line = "".join(" " if char.isspace() else char for char in source)
    space = sum(_width(char) for char in line[: misfit.at])
    return UsageError(f"{misfit.what}\n  {line}\n  {' ' * space}^")


def _width(char: str) -> int:
    """Columns that a character takes on a terminal."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def parse(source: str) -> Expression:
    """Read a selection."""
    try:
        if len(source) > LONGEST:
            raise UsageError(f"a selection has at most {LONGEST:,} characters, not {len(source):,}")
        return _Parser(_tokens(source)).whole()
    except Misfit as misfit:
        raise pointed(source, misfit) from None


class _Token(NamedTuple):
    """``kind`` is quoted, bare, operator, mark or end; ``text`` is without quotes and escapes."""

    kind: str
    text: str
    at: int

    def is_a(self, *texts: str) -> bool:
        return self.kind not in ("quoted", "end") and self.text in texts

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else repr(self.text)


def _tokens(source: str) -> list[_Token]:
    tokens, at = [], 0
    while at < len(source):
        found = _TOKEN.match(source, at)
        if found is None:
            raise Misfit(at, _unreadable(source[at]))
        kind, text = str(found.lastgroup), found[0]
        if kind == "quoted":
            text = _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), text[1:-1])
        if kind != "blank":
            tokens.append(_Token(kind, text, at))
        at = found.end()
    return [*tokens, _Token("end", "", at)]


def _unreadable(char: str) -> str:
    if char == "!":
        return "a lone '!'; write != or not"
    return "the quote that opens here is not closed; write \\ before a quote that is meant itself"


class _Parser:
    """One method per rule of the grammar."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._place = 0
        self._depth = 0

    @property
    def _next(self) -> _Token:
        return self._tokens[self._place]

    def _take(self) -> _Token:
        token = self._next
        self._place += 1
        return token

    def _expect(self, mark: str) -> None:
        if not self._next.is_a(mark):
            raise Misfit(self._next.at, f"expected {mark!r}, found {self._next}")
        self._take()

    def whole(self) -> Expression:
        expression = self._selection()
        if self._next.kind != "end":
            raise Misfit(self._next.at, f"expected and, or or the end, found {self._next}")
        return expression

    def _selection(self) -> Expression:
        parts = [self._conjunction()]
        while self._next.is_a("or"):
            self._take()
            parts.append(self._conjunction())
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _conjunction(self) -> Expression:
        parts = [self._negation()]
        while self._next.is_a("and"):
            self._take()
            parts.append(self._negation())
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _negation(self) -> Expression:
        if not self._next.is_a("not", "("):
            return self._condition()
        opening = self._take()
        self._depth += 1
        if self._depth > DEEPEST:
            raise Misfit(opening.at, f"more than {DEEPEST} brackets and negations in each other")
        if opening.text == "not":
            expression: Expression = Not(self._negation())
        else:
            expression = self._selection()
            self._expect(")")
        self._depth -= 1
        return expression

    def _condition(self) -> Expression:
        field = self._field()
        following = self._next
        if following.kind == "operator" or following.is_a("contains"):
            operator = cast("Operator", self._take().text)
            return Comparison(field, operator, self._value(following), following.at)
        if following.is_a("in"):
            return self._membership(field)
        if following.is_a("not") and self._tokens[self._place + 1].is_a("in"):
            self._take()
            return Not(self._membership(field))
        if following.kind in ("quoted", "bare") and not following.is_a(*KEYWORDS):
            known = ", ".join(OPERATORS)
            raise Misfit(following.at, f"expected {known} or in, found {following}")
        return Holds(field)

    def _membership(self, field: Field) -> Membership:
        opening = self._take()
        self._expect("(")
        values = [self._literal(opening)]
        while self._next.is_a(","):
            values.append(self._literal(self._take()))
        self._expect(")")
        return Membership(field, tuple(values))

    def _field(self) -> Field:
        token = self._word(_FIELD)
        if not self._next.is_a("["):
            return Field(token.text, None, token.at)
        self._take()
        inner = self._word(_NAME)
        if not self._next.is_a(","):
            self._expect("]")
            return Field(token.text, inner.text, token.at, inner.at)
        self._take()
        other = self._word(_NAME)
        self._expect("]")
        return Field(token.text, inner.text, token.at, inner.at, other.text, other.at)

    def _value(self, after: _Token) -> Literal | Field:
        if self._next.kind in ("quoted", "bare") and self._tokens[self._place + 1].is_a("["):
            return self._field()
        return self._literal(after)

    def _literal(self, after: _Token) -> Literal:
        if self._next.is_a("none"):
            return Literal(None, self._take().at)
        quotes = ", in quotes if it has blanks or signs" if after.text == "~" else ""
        token = self._word(f"a value after {after.text!r}{quotes}")
        return Literal(token.text, token.at)

    def _word(self, expected: str) -> _Token:
        token = self._next
        if token.kind not in ("quoted", "bare"):
            raise Misfit(token.at, f"expected {expected}, found {token}")
        if token.is_a(*KEYWORDS):
            raise Misfit(
                token.at, f'expected {expected}, found {token}; write "{token.text}" for the word'
            )
        return self._take()
