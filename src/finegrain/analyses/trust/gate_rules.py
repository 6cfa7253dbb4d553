"""Rules that a new version of a system must keep, in three forms.

>>> parse_rule("new_errors[PER] > 5")
CountRule(text='new_errors[PER] > 5', kind='new_error', label='PER', operator='>', limit=5)
>>> parse_rule("fair.f1 drops 0.3 at p < .05")
DropRule(text='fair.f1 drops 0.3 at p < .05', metric='fair.f1', points=0.3, p=0.05)
>>> parse_rule("fair.f1 not worse than 0.5")
MarginRule(text='fair.f1 not worse than 0.5', metric='fair.f1', points=0.5, level=0.05)
>>> parse_rule("new_error[PER] > 5")
Traceback (most recent call last):
finegrain.errors.UsageError: unknown count 'new_error'. Did you mean 'new_errors'? Known: ...
  new_error[PER] > 5
  ^

The grammar::

    rule   = count ["[" label "]"] (">" | ">=") whole number
           | metric "drops" points ["at" "p" ("<" | "<=") number]
           | metric "not" "worse" "than" points ["at" "p" ("<" | "<=") number]
    count  = "new_errors" | "changed_errors" | "worse"
    metric = name | family "." name
    label  = quoted string | anything without blanks, quotes and brackets

A rule says when the gate fails. ``new_errors[PER] > 5``: the new system is wrong about more than 5
units with this label that the old one is right about; ``worse > 5``: more than 5 units are worse,
which is what can be counted of units that are graded. ``drops 0.3``: the score gets worse by 0.3
points of 100 or more; with ``at p < .05``, only if a drop of 0.3 or less is refuted. ``not worse
than 0.5`` says what must be shown instead: it passes only if a drop of 0.5 or more is refuted, at p
< .05 unless another p is named. Of a score that is no proportion the number is the score's own, and
a score of which less is better drops when it rises.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from dataclasses import field as option
from typing import NamedTuple

from finegrain.analyses.selection.parsing import Misfit, pointed
from finegrain.errors import UsageError

COUNTS = {"new_errors": "new_error", "changed_errors": "changed_error", "worse": "worse"}
LONGEST = 1_000
POINTS = 100.0  # that a proportion can drop
_FORMS = (
    "write new_errors[LABEL] > N, METRIC drops POINTS [at p < P], or METRIC not worse than POINTS"
)
LEVEL = 0.05  # of tests whose rule names no p
_TOKEN = re.compile(
    r"(?P<blank>\s+)"
    r"|(?P<quoted>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')"
    r"|(?P<operator>[<>]=?)"
    r"|(?P<mark>[\[\]])"
    r"|(?P<word>[^\s\"'<>\[\]]+)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\([\"'\\])")


@dataclass(frozen=True, slots=True)
class CountRule:
    """More than ``limit`` changes of a kind (``>=``: so many), of one label or of all."""

    text: str
    kind: str
    label: str | None
    operator: str
    limit: int
    label_at: int = option(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DropRule:
    """A score that gets worse by so many points; with ``p``, only if its p is below that."""

    text: str
    metric: str
    points: float
    p: float | None
    metric_at: int = option(default=0, compare=False, repr=False)
    points_at: int = option(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MarginRule:
    """A score that must be shown to have got worse by less than so many points."""

    text: str
    metric: str
    points: float
    level: float = LEVEL
    metric_at: int = option(default=0, compare=False, repr=False)
    points_at: int = option(default=0, compare=False, repr=False)


Rule = CountRule | DropRule | MarginRule


def parse_rule(text: str) -> Rule:
    """Read a rule; what cannot be read is an error that points at the place."""
    if len(text) > LONGEST:
        raise UsageError(f"a rule has at most {LONGEST:,} characters, not {len(text):,}")
    try:
        return _Parser(text).whole()
    except Misfit as misfit:
        raise pointed(text, misfit) from None


def misplaced(rule: Rule, at: int, error: UsageError) -> UsageError:
    """An error about a name in a rule, with the place marked."""
    return pointed(rule.text, Misfit(at, str(error)))


def beyond(largest: float) -> str:
    """Why a number is refused."""
    return f"expected a number above 0 and up to {largest:g}"


class _Token(NamedTuple):
    kind: str
    text: str
    at: int

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else repr(self.text)


def _tokens(text: str) -> list[_Token]:
    tokens, at = [], 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise Misfit(at, "the quote that opens here is not closed")
        kind, said = str(found.lastgroup), found[0]
        if kind == "quoted":
            said = _ESCAPE.sub(r"\1", said[1:-1])
        if kind != "blank":
            tokens.append(_Token(kind, said, at))
        at = found.end()
    return [*tokens, _Token("end", "", at)]


class _Parser:
    """One method per rule of the grammar."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._place = 0

    def _next(self) -> _Token:
        return self._tokens[self._place]

    def _take(self, kind: str, expected: str, *texts: str) -> _Token:
        token = self._next()
        if token.kind != kind or (texts and token.text not in texts):
            raise Misfit(token.at, f"expected {expected}, found {token}; {_FORMS}")
        self._place += 1
        return token

    def whole(self) -> Rule:
        first = self._take("word", "a count such as new_errors, or a metric")
        rule: Rule
        if self._is_word("drops"):
            rule = self._drop(first)
        else:
            rule = self._margin(first) if self._is_word("not") else self._count(first)
        if self._next().kind != "end":
            raise Misfit(self._next().at, f"expected the end, found {self._next()}")
        return rule

    def _is_word(self, text: str) -> bool:
        return self._next().kind == "word" and self._next().text == text

    def _count(self, first: _Token) -> CountRule:
        following = self._next()
        if following.kind in ("word", "end") and first.text not in COUNTS:
            raise Misfit(following.at, f"expected drops, found {following}; {_FORMS}")
        if first.text not in COUNTS:
            raise Misfit(first.at, f"{UsageError.unknown('count', first.text, COUNTS)}; {_FORMS}")
        label, label_at = None, 0
        if following.text == "[" and following.kind == "mark":
            self._place += 1
            name = self._next()
            if name.kind not in ("word", "quoted"):
                raise Misfit(name.at, f"expected a label, found {name}")
            self._place += 1
            label, label_at = name.text, name.at
            self._take("mark", "']'", "]")
        operator = self._take("operator", "> or >=", ">", ">=").text
        limit = self._take("word", "a whole number")
        if not re.fullmatch(r"[0-9]+", limit.text):
            raise Misfit(limit.at, f"expected a whole number, found {limit}")
        kind = COUNTS[first.text]
        return CountRule(self._text, kind, label, operator, int(limit.text), label_at)

    def _drop(self, metric: _Token) -> DropRule:
        self._take("word", "drops", "drops")
        points_at = self._next().at
        points = self._number("the drop in points, such as 0.3", largest=POINTS, open_end=True)
        return DropRule(self._text, metric.text, points, self._p(), metric.at, points_at)

    def _margin(self, metric: _Token) -> MarginRule:
        for word in ("not", "worse", "than"):
            self._take("word", "not worse than", word)
        points_at = self._next().at
        points = self._number("points, such as 0.5", largest=POINTS, open_end=True)
        level = self._p() or LEVEL
        return MarginRule(self._text, metric.text, points, level, metric.at, points_at)

    def _p(self) -> float | None:
        """The p that a rule is held against, if it names one."""
        if self._next().kind == "end":
            return None
        self._take("word", "at p < .05, or the end", "at")
        self._take("word", "p, as in at p < .05", "p")
        self._take("operator", "<, as in at p < .05", "<", "<=")
        return self._number("a number, as in at p < .05", largest=1.0)

    def _number(self, expected: str, *, largest: float, open_end: bool = False) -> float:
        token = self._take("word", expected)
        if not re.fullmatch(r"[0-9]+(\.[0-9]*)?|\.[0-9]+", token.text):
            raise Misfit(token.at, f"expected {expected}, found {token}")
        value = float(token.text)
        if not 0 < value <= (math.inf if open_end else largest):
            raise Misfit(token.at, beyond(largest))
        return value
