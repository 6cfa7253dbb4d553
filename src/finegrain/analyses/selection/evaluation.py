"""Which units a selection holds for, for all units at once.

A condition on words is decided once per distinct word and then looked up, so that a regular
expression runs over the vocabulary and not over the corpus.

>>> from finegrain.analyses.selection.parsing import parse
>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> gold = Corpus.of([["time", "flies"]], tags=[["NOUN", "VERB"]])
>>> flat = Corpus.of([["time", "flies"]], tags=[["NOUN", "NOUN"]])
>>> evaluate(parse("answer[flat]!=VERB and not correct[flat]"), align(gold, {"flat": flat}))
array([False,  True])
"""

from __future__ import annotations

import operator
import re
import warnings
from collections.abc import Callable
from functools import lru_cache, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.selection.columns import Numbers, ValueColumn, Words
from finegrain.analyses.selection.expressions import (
    And,
    Comparison,
    Expression,
    Field,
    Holds,
    Literal,
    Membership,
    Not,
    Or,
    conditions,
)
from finegrain.analyses.selection.fields import NO_BUCKETS, Buckets, column_of
from finegrain.analyses.selection.parsing import Misfit
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.visible import searched

LONGEST_PATTERN = 500  # characters of a regular expression
_SECONDS = 1.0  # for one text
_NUMBER = re.compile(r"[+-]?(inf|(\d+\.?\d*|\.\d+)(e[+-]?\d+)?)", re.ASCII | re.IGNORECASE)
_KEPT = 2  # columns whose texts are kept as they are searched
Mask = NDArray[np.bool_]
_NUMERIC: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_TRUTH = {"true": "yes", "false": "no"}


def evaluate(expression: Expression, table: OutcomeTable, buckets: Buckets = NO_BUCKETS) -> Mask:
    """``[unit]`` true where the expression holds; ``buckets``: those that only a report knows."""
    match expression:
        case Not(part):
            return ~evaluate(part, table, buckets)
        case And(parts):
            return reduce(operator.and_, [evaluate(part, table, buckets) for part in parts])
        case Or(parts):
            return reduce(operator.or_, [evaluate(part, table, buckets) for part in parts])
        case Holds(field):
            column = column_of(table, field, buckets)
            found = _holds(field, column)
        case Membership(field, values):
            column = column_of(table, field, buckets)
            found = reduce(operator.or_, [_equal(field, column, value) for value in values])
        case Comparison():
            column = column_of(table, expression.field, buckets)
            found = _compare(expression, column, table, buckets)
    return _of_units(found, column, len(table))


def _of_units(found: Mask, column: ValueColumn, size: int) -> Mask:
    """``[unit]`` whether it is found for some system, and for some part."""
    some: Mask = found if found.ndim == 1 else np.asarray(found.any(axis=1))
    if column.parent is None:
        return some
    held: Mask = np.bincount(column.parent[some], minlength=size) > 0
    return held


def unknown_labels(expression: Expression, table: OutcomeTable) -> list[str]:
    """Labels that a selection asks for and no unit has."""
    asked: list[Literal] = []
    for one in conditions(expression):
        if isinstance(one, Holds) or one.field.name not in ("gold", "label", "answer"):
            continue
        if isinstance(one, Membership):
            asked += one.values
        elif one.operator in ("=", "!=") and isinstance(one.value, Literal):
            asked.append(one.value)
    texts = dict.fromkeys(value.text for value in asked if value.text is not None)
    return [text for text in texts if text not in table.labels]


def _holds(field: Field, column: ValueColumn) -> Mask:
    if isinstance(column, Words) and column.is_truth:
        return _is(column, "yes")
    raise Misfit(
        field.at,
        f"{field.name!r} is not yes or no: compare it with something, as in {field.name}=...",
    )


def _compare(one: Comparison, left: ValueColumn, table: OutcomeTable, buckets: Buckets) -> Mask:
    if isinstance(one.value, Field):
        return _compare_fields(one, left, column_of(table, one.value, buckets))
    if one.operator == "=":
        return _equal(one.field, left, one.value)
    if one.operator == "!=":
        return ~_equal(one.field, left, one.value)
    if one.operator == "~":
        if isinstance(left, Numbers):
            raise Misfit(one.at, f"~ is for words, and {one.field.name!r} is a number")
        return _matching(left, one.value)
    if one.operator == "contains":
        return _containing(one, left, one.value)
    if isinstance(left, Words):
        raise Misfit(one.at, f"{one.operator} is for numbers, and {one.field.name!r} is not one")
    if one.value.text is None:
        raise Misfit(one.value.at, f"nothing is {one.operator} none; write = none or != none")
    found: Mask = _NUMERIC[one.operator](left.values, _number(one.field, one.value))
    return found  # comparing with nan is false


def _equal(field: Field, column: ValueColumn, value: Literal) -> Mask:
    if isinstance(column, Numbers):
        if value.text is None:
            return np.isnan(column.values)
        return np.asarray(column.values == _number(field, value))
    if value.text is None:
        return np.asarray(column.codes == -1)
    text = _TRUTH.get(value.text, value.text) if column.is_truth else value.text
    if column.closed and text not in column.names:
        raise Misfit(value.at, str(UsageError.unknown(field.name, text, column.names)))
    return _is(column, text)


def _is(column: Words, text: str) -> Mask:
    if text not in column.names:
        return np.zeros(column.codes.shape, bool)
    return np.asarray(column.codes == column.names.index(text))


def _number(field: Field, value: Literal) -> float:
    if value.text is None or _NUMBER.fullmatch(value.text) is None:
        raise Misfit(value.at, f"{field.name!r} is a number, and {value.text!r} is not")
    return float(value.text)


def _matching(column: Words, value: Literal) -> Mask:
    pattern = _pattern(value)
    try:
        found = [pattern.search(name, timeout=_SECONDS) is not None for name in column.names]
    except TimeoutError:
        what = "a regular expression with too many ways to match, as in (x|xx)+"
        raise Misfit(value.at, what) from None
    return np.array([*found, False])[column.codes]  # the last place serves -1


def _containing(one: Comparison, column: ValueColumn, value: Literal) -> Mask:
    """Where a text is found, in any case and however it is composed."""
    if isinstance(column, Numbers):
        raise Misfit(one.at, f"contains is for words, and {one.field.name!r} is a number")
    if value.text is None:
        raise Misfit(value.at, 'nothing contains none; write = none, or "none"')
    wanted = searched(value.text)
    found = [wanted in text for text in _searched(column.names)]
    return np.array([*found, False])[column.codes]  # the last place serves -1


@lru_cache(_KEPT)
def _searched(names: tuple[str, ...]) -> tuple[str, ...]:
    """Texts as others are looked for in them; a reader looks in the same texts again."""
    return tuple(map(searched, names))


def _pattern(value: Literal) -> Any:
    """A compiled pattern of ``regex``, which knows a time limit where ``re`` never comes back."""
    import regex  # type: ignore[import-untyped]  # noqa: PLC0415 - slow to import

    if value.text is None:
        raise Misfit(value.at, 'none is no regular expression; write = none, or "none"')
    if len(value.text) > LONGEST_PATTERN:
        what = f"a regular expression has at most {LONGEST_PATTERN} characters"
        raise Misfit(value.at, f"{what}, not {len(value.text)}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python may one day understand otherwise
            return regex.compile(value.text)
    except (regex.error, OverflowError, RecursionError) as error:
        raise Misfit(value.at, f"not a regular expression: {error}") from None


def _compare_fields(one: Comparison, left: ValueColumn, right: ValueColumn) -> Mask:
    if one.operator not in ("=", "!="):
        raise Misfit(one.at, f"{one.operator} takes a value; two fields compare with = and !=")
    if left.parent is not right.parent:
        raise Misfit(one.at, "parts compare with values, and with columns of the same parts")
    if isinstance(left, Numbers) or isinstance(right, Numbers):
        if not (isinstance(left, Numbers) and isinstance(right, Numbers)):
            raise Misfit(one.at, "a number and a word are never equal")
        mine, other = _beside(left.values, right.values)
        same: Mask = (mine == other) | (np.isnan(mine) & np.isnan(other))
    else:
        code = {name: number for number, name in enumerate(left.names)}
        recode = np.array([*(code.get(name, -2) for name in right.names), -1])
        mine, other = _beside(left.codes, recode[right.codes])
        same = mine == other
    return same if one.operator == "=" else ~same


def _beside(one: NDArray[Any], two: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Two columns in shapes that compare unit by unit, and system by system."""
    if one.ndim == two.ndim:
        return one, two
    return (one[:, None], two) if one.ndim == 1 else (one, two[:, None])
