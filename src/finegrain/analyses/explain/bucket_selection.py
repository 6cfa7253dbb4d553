"""The way from a bucket to its units: the selection that ``finegrain show`` finds them by.

>>> import finegrain as fg
>>> from finegrain.attributes import by_name
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> length = by_name("entity_length")
>>> division = length.default_bucketing.divide(length.values(table), table.is_gold)
>>> [selection([Part(length, division, place)]) for place in range(len(division))]
['entity_length=1', 'entity_length=2', 'not entity_length in (1, 2)']
>>> fg.show(table, "entity_length=2 and gold!=none").found
4

A selection finds the gold units of a bucket and the predicted ones, as scores count both; with
``and gold!=none`` the gold units alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from finegrain.analyses.selection.columns import SHARED
from finegrain.analyses.selection.expressions import (
    And,
    Comparison,
    Expression,
    Field,
    Literal,
    Membership,
    Not,
    written,
)
from finegrain.attributes import ATTRIBUTES
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.bucketing import Bucket, Division
from finegrain.table import OutcomeTable

GOLD, LABEL = Field("gold"), Field("label")


class Part(NamedTuple):
    """A bucket of an attribute, and the division that it belongs to."""

    attribute: Attribute
    division: Division
    place: int

    @property
    def bucket(self) -> Bucket:
        return self.division.buckets[self.place]

    @property
    def name(self) -> str:
        """``ORG``, ``entity_length 3 to 9``, ``novelty unseen``."""
        if self.attribute.name == "label":
            return self.bucket.name
        return f"{self.attribute.name} {self.bucket.range()}"


def selection(parts: Sequence[Part], label: Field = LABEL, layers: Collection[str] = ()) -> str:
    """The selection of the units that are in all of the buckets; empty without any.

    Parameters
    ----------
    label: the field that holds the label; with gold, only gold units are meant
    layers: columns of the gold file, of which the first token of a unit counts
    """
    found = [one for part in parts for one in _conditions(part, label, layers)]
    return written(And(tuple(found)) if len(found) > 1 else found[0]) if found else ""


def selections(
    attributes: Sequence[Attribute], divisions: Sequence[Division], table: OutcomeTable
) -> tuple[str | None, ...]:
    """``[bucket]`` the selections of all buckets of an attribute, or of two that are crossed.

    ``None`` where no selection asks for what was computed: an attribute of a preset, a plug-in.
    """
    places = product(*(range(len(division)) for division in divisions))
    if not all(_can_be_asked(one, table) for one in attributes):
        return tuple(None for _ in places)
    layers = [name for name in table.corpus.layers if name not in table.columns]
    crossed = [list(map(Part, attributes, divisions, at)) for at in places]
    return tuple(selection(parts, LABEL, layers) for parts in crossed)


def _can_be_asked(attribute: Attribute, table: OutcomeTable) -> bool:
    """Whether a selection that names an attribute means this one."""
    name = attribute.name
    if name in ATTRIBUTES:
        return attribute.compute is ATTRIBUTES[name].compute
    known = (*table.columns, *table.corpus.layers)
    finer = bool(attribute.inside)
    return finer or name == "document" or (name in known and name not in SHARED)


def _field(attribute: Attribute) -> Field:
    """``mean[documents.score,a]`` taken apart; the names in brackets may have any signs."""
    if not attribute.inside:
        return Field(attribute.name)
    name = attribute.name.removesuffix(f"[{','.join(attribute.inside)}]")
    of, other = (*attribute.inside, None)[:2]
    return Field(name, of, other=other)


def _conditions(part: Part, label: Field, layers: Collection[str]) -> Iterator[Expression]:
    bucket = part.bucket
    field = label if part.attribute.name == "label" else _field(part.attribute)
    if bucket.kind == "undefined":
        yield Comparison(field, "=", Literal(None))
    elif bucket.kind == "category":
        yield _category(field, bucket.name, layers)
    elif bucket.kind == "rest":
        yield Comparison(field, "!=", Literal(None))
        for one in part.division.buckets:
            if one.kind == "category":
                yield Not(_category(field, one.name, layers))
    elif bucket.value is not None and (label == GOLD or part.division.has_intervals):
        yield Comparison(field, "=", _number(bucket.value))
    elif bucket.value is not None:
        yield from _nearest(part.division.values, bucket.value, field)
    else:
        yield from _interval(part, field, of_gold=label == GOLD)


def _category(field: Field, value: str, layers: Collection[str]) -> Expression:
    if field.name in layers:
        return Comparison(field, "~", Literal(f"^{re.escape(value)}( |$)"))
    return Comparison(field, "=", Literal(value))


def _interval(part: Part, field: Field, *, of_gold: bool) -> Iterator[Expression]:
    bucket = part.bucket
    apart = [value for value in part.division.values if _inside(bucket, value)]
    above = bucket.above
    if of_gold and apart and max(apart) < bucket.least:
        above, apart = max(apart), []  # gold units have nothing in between
    if above is not None:
        yield Comparison(field, ">", _number(above))
    if bucket.up_to is not None:
        yield Comparison(field, "<=", _number(bucket.up_to))
    bounded = above is not None or bucket.up_to is not None
    if not bounded and (not apart or part.division.buckets[-1].kind == "undefined"):
        yield Comparison(field, "!=", Literal(None))
    if len(apart) == 1:
        yield Comparison(field, "!=", _number(apart[0]))
    elif apart:
        yield Not(Membership(field, tuple(map(_number, apart))))


def _nearest(values: Sequence[float], value: float, field: Field) -> Iterator[Expression]:
    """Where there are no intervals, predictions with another value are in the nearest bucket.

    >>> for value in (1.0, 2.0, 4.0):
    ...     print(" and ".join(map(written, _nearest([1.0, 2.0, 4.0], value, Field("length")))))
    length<=1.5
    length>1.5 and length<=3
    length>3
    """
    place = values.index(value)
    if place > 0:
        yield Comparison(field, ">", _number((values[place - 1] + value) / 2))
    if place < len(values) - 1:
        yield Comparison(field, "<=", _number((value + values[place + 1]) / 2))
    if len(values) == 1:
        yield Comparison(field, "!=", Literal(None))


def _number(value: float) -> Literal:
    return Literal(str(int(value)) if float(value).is_integer() else repr(float(value)))


def _inside(bucket: Bucket, value: float) -> bool:
    """Whether a value that has a bucket of its own lies between the borders of another one."""
    above = bucket.above is None or value > bucket.above
    return above and (bucket.up_to is None or value <= bucket.up_to)
