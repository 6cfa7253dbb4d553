"""The units that conditions of ``finegrain.analyses.evidence`` hold for, of a whole table.

>>> import finegrain as fg
>>> from finegrain.analyses.reports.embedded_units import embedded_units
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> search = UnitSearch.of(embedded_units(table, most=len(table)))
>>> [table.text(row) for row in search.rows((("label", "LOC"), ("verdict.0", "wrong")))]
['London Bridge']
>>> selection(table, "verdict.0", "wrong")
'correct[short]=no'

Where a selection of ``show --where`` says the same, the condition is that selection. Everything is
decided on columns.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from unicodedata import normalize
from urllib.parse import parse_qsl

import numpy as np

from finegrain.analyses.evidence import KEYS, names_in
from finegrain.analyses.reports.embedded_units import EmbeddedUnits, of_rows
from finegrain.analyses.reports.graded_units import better, extent, hardness, worse_than
from finegrain.analyses.scores.confusion import Events, events
from finegrain.analyses.selection import selected
from finegrain.analyses.selection.evaluation import Mask
from finegrain.analyses.selection.expressions import (
    Comparison,
    Expression,
    Field,
    Literal,
    Membership,
    written,
)
from finegrain.attributes.surfaces import Surfaces, surfaces
from finegrain.corpus import Corpus, IntArray
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.table.unit_text import join
from finegrain.table.verdicts import answered, costs, right
from finegrain.table.verdicts import value as value_of

Condition = tuple[str, str]
_LIMIT = re.compile(r"[+-]?\d{1,20}(\.\d{0,20})?(e[+-]?\d{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class UnitSearch:
    """All units of a table, and what they are searched by.

    ``order``: those that are listed, hardest first, that is gold units by bin, then what is not
    gold, by how many systems agree on it; graded ones by their mean value. ``sentences``:
    ``[sentence]`` as they are searched, that is as ``told`` shows them, composed and in small
    letters; empty ones without a text.
    """

    units: EmbeddedUnits
    order: IntArray
    surfaces: Surfaces | None
    sentences: tuple[str, ...]
    told: Callable[[str], str]

    @classmethod
    def of(cls, units: EmbeddedUnits, told: Callable[[str], str] = str) -> UnitSearch:
        """A search of units that are all those of their table.

        ``told``: how text is shown to those who search in it.
        """
        if len(units.chosen) != units.found:
            raise ValueError("a search needs all units of the table")
        last = units.table.n_systems + 1
        hard = np.where(units.bins >= 0, units.bins, 2 * last - units.agree)
        if units.table.task.value:
            hard = hardness(units.table)
        order = units.chosen[np.argsort(hard[units.chosen], kind="stable")]
        sentences = _sentences(units.table.corpus, told)
        return cls(units, order, surfaces(units.table), sentences, told)

    @property
    def table(self) -> OutcomeTable:
        return self.units.table

    def holding(self, conditions: Sequence[Condition]) -> Mask:
        """``[row]`` whether all conditions hold, listed or not."""
        every = np.ones(len(self.table), bool)
        return reduce(operator.and_, (self._holding(*one) for one in conditions), every)

    def rows(self, conditions: Sequence[Condition]) -> IntArray:
        """The units that all conditions hold for, hardest first."""
        found = self.order[self.holding(conditions)[self.order]]
        by = extent(self.table, conditions)
        return found if by is None else found[np.argsort(by[found], kind="stable")]

    def some(self, rows: IntArray) -> EmbeddedUnits:
        """Some units, in the given order, with what is drawn around them."""
        return of_rows(self.units, rows)

    def _holding(self, key: str, value: str) -> Mask:
        said = selection(self.table, key, value)
        if said is not None:
            return selected(self.table, said)
        name, _, of = key.partition(".")
        if name in _OF_A_PAIR:
            one, other = _systems(self.table, key, 2)
            return _OF_A_PAIR[name](self.table, one, other, value)
        if name in _OF_A_SYSTEM:
            (system,) = _systems(self.table, key, 1)
            return _OF_A_SYSTEM[name](self, value, system)
        if name not in _LOOKED_UP or bool(of) != (name == "bucket"):
            raise UsageError.unknown("condition", key, KEYS)
        return _LOOKED_UP[name](self, value, of)


def _sentences(corpus: Corpus, told: Callable[[str], str]) -> tuple[str, ...]:
    if corpus.tokens is None:
        return ("",) * corpus.n_sentences
    joined = join(corpus.tokens, np.arange(corpus.n_tokens), np.diff(corpus.offsets))
    data, ends = joined.data.tobytes(), joined.ends.tolist()
    pairs = zip([0, *ends][:-1], ends, strict=True)
    return tuple(_searched(data[begin:end].decode(), told) for begin, end in pairs)


def _searched(text: str, told: Callable[[str], str]) -> str:
    """Text in which others are looked for: é is one letter, however it was written."""
    return normalize("NFC", told(text)).lower()


def selection(table: OutcomeTable, key: str, value: str) -> str | None:
    """The selection of ``show --where`` that a condition is; ``None`` where there is none."""
    name = key.split(".", 1)[0]
    if name == "where":
        return value
    if name not in _SELECTIONS:
        return None
    taken, said = _SELECTIONS[name]
    of = [table.systems[place] for place in _systems(table, key, taken)]
    if name in ("label", "answer"):
        _label(table, value)
    return written(said(value, of))


def _systems(table: OutcomeTable, key: str, taken: int) -> list[int]:
    """The systems that a condition names, which are so many."""
    name, *places = key.split(".")
    if len(places) != taken:
        raise UsageError(f"the condition {name} names {taken} systems, not {len(places)}: {key}")
    for place in places:
        if not (place.isdecimal() and place.isascii() and int(place) < table.n_systems):
            raise UsageError(f"there is no system {place}: systems are 0 to {table.n_systems - 1}")
    return [int(place) for place in places]


def _label(table: OutcomeTable, name: str) -> int:
    """The code of a label."""
    if name not in table.labels:
        raise UsageError.unknown("label", name, table.labels)
    return table.labels.index(name)


def _is(field: Field, value: str | None) -> Expression:
    return Comparison(field, "=", Literal(value))


def _is_not(field: Field, value: str | None) -> Expression:
    return Comparison(field, "!=", Literal(value))


def _one_of(kind: str, value: str, known: tuple[str, str]) -> bool:
    """Whether a value is the first of two."""
    if value not in known:
        raise UsageError.unknown(kind, value, known)
    return value == known[0]


def _unit(value: str, _: list[str]) -> Expression:
    gold = _one_of("unit", value, ("gold", "not-gold"))
    return (_is_not if gold else _is)(Field("gold"), None)


def _outcome(value: str, of: list[str]) -> Expression:
    return Membership(Field("outcome", of[0]), tuple(map(Literal, value.split(","))))


def _answered(value: str, of: list[str]) -> Expression:
    given = _one_of("value of answered", value, ("yes", "no"))
    return (_is_not if given else _is)(Field("answer", of[0]), None)


def _verdict(value: str, of: list[str]) -> Expression:
    right = _one_of("verdict", value, ("right", "wrong"))  # right: also what is not charged
    return (_is_not if right else _is)(Field("correct", of[0]), "no")


def _change(value: str, of: list[str]) -> Expression:
    if value == "any":
        return _is(Field("changed", of[0], other=of[1]), "yes")
    return _is(Field("change", of[0], other=of[1]), value)


# condition: how many systems it names, and the selection that it is
_SELECTIONS: dict[str, tuple[int, Callable[[str, list[str]], Expression]]] = {
    "unit": (0, _unit),
    "label": (0, lambda value, _: _is(Field("label"), value)),
    "outcome": (1, _outcome),
    "answer": (1, lambda value, of: _is(Field("answer", of[0]), value)),
    "answered": (1, _answered),
    "verdict": (1, _verdict),
    "has": (1, lambda value, of: _is(Field("produced", of[0]), value)),
    "change": (2, _change),
}


def _mistaken(
    table: OutcomeTable, system: int, label: str, side: Callable[[Events], IntArray]
) -> Mask:
    """The errors of a system that have a label on one side, as ``confusion`` counts them."""
    code, counted = _label(table, label), events(table, system)
    found = np.zeros(len(table), bool)
    found[counted.rows] = side(counted) == code
    return found & ~right(table)[:, system]


def _costs(search: UnitSearch, value: str, system: int) -> Mask:
    wanted = _one_of("value of costs", value, ("yes", "no"))
    return np.asarray(costs(search.table)[:, system] == wanted)


def _about(table: OutcomeTable, value: str, system: int) -> Mask:
    code = _label(table, value)
    return np.asarray((table.label == code) | (answered(table)[:, system] == code))


def _valued(table: OutcomeTable, said: str, system: int) -> Mask:
    wanted = _one_of("value of valued", said, ("yes", "no"))
    return np.asarray(~np.isnan(value_of(table).matrix[:, system]) == wanted)


def _other_than(table: OutcomeTable, value: str, system: int) -> Mask:
    codes = [-1, *(_label(table, name) for name in names_in(value))]
    return ~np.isin(answered(table)[:, system], codes)


_OF_A_SYSTEM: dict[str, Callable[[UnitSearch, str, int], Mask]] = {
    "mistaken": lambda search, value, system: _mistaken(
        search.table, system, value, lambda one: one.gold
    ),
    "mistaken_for": lambda search, value, system: _mistaken(
        search.table, system, value, lambda one: one.answer
    ),
    "other_than": lambda search, value, system: _other_than(search.table, value, system),
    "costs": _costs,
    "about": lambda search, value, system: _about(search.table, value, system),
    "lowers": lambda search, value, system: search.units.lowered.rows(value, system),
    "valued": lambda search, value, system: _valued(search.table, value, system),
    "worse_than": lambda search, value, system: worse_than(search.table, system, _limit(value)),
}


_OF_A_PAIR: dict[str, Callable[[OutcomeTable, int, int, str], Mask]] = {"gain": better}


def _limit(value: str) -> float:
    """A number as it may stand in an address."""
    if _LIMIT.fullmatch(value) is None:
        raise UsageError(f"{value!r} is not a number")
    return float(value)


def _number(value: str) -> int:
    if not (value.isdecimal() and value.isascii() and len(value) < 16):
        raise UsageError(f"{value!r} is not a number")
    return int(value)


def _between(codes: IntArray, value: str) -> Mask:
    """Codes in a range such as ``3`` or ``1-11``."""
    low, dash, high = value.partition("-")
    least = _number(low)
    most = _number(high) if dash else least
    if most < least:
        raise UsageError(f"{value!r} is not a range: its end is before its beginning")
    found: Mask = (codes >= least) & (codes <= most)
    return found


def _in_bucket(search: UnitSearch, value: str, attribute: str) -> Mask:
    columns, masks, place = search.units.columns, search.units.masks, _number(value)
    if attribute not in (*columns, *masks):
        raise UsageError.unknown("attribute", attribute, (*columns, *masks))
    several = attribute in masks  # of which bits are the buckets of a unit
    codes = masks[attribute] if several else columns[attribute]
    most = int(codes.max(initial=0 if several else -1))
    last = most.bit_length() - 1 if several else most
    if place > last:
        raise UsageError(f"there is no bucket {place} of {attribute}: they are 0 to {last}")
    return np.asarray(codes >> place & 1 == 1 if several else codes == place)


def _not_all(search: UnitSearch, value: str, _: str) -> Mask:
    conditions = parse_qsl(value, keep_blank_values=True)
    if not conditions or any(key == "not" for key, _ in conditions):
        raise UsageError(f"not takes other conditions, such as label=PER, not {value!r}")
    return ~search.holding(conditions)


def _has_words(search: UnitSearch, value: str, _: str) -> Mask:
    code = search.surfaces.find(value.casefold()) if search.surfaces else -1
    if search.surfaces is None or code < 0:
        return np.zeros(len(search.table), bool)
    return np.asarray(search.surfaces.codes == code)


def _in_sentence(search: UnitSearch, value: str, _: str) -> Mask:
    wanted = _searched(value, search.told)
    has = np.array([wanted in one for one in search.sentences], bool)
    return np.asarray(has[search.table.sentence])


def _of_row(search: UnitSearch, value: str, _: str) -> Mask:
    return np.asarray(np.arange(1, len(search.table) + 1) == _number(value))


_LOOKED_UP: dict[str, Callable[[UnitSearch, str, str], Mask]] = {
    "bin": lambda search, value, _: _between(search.units.bins, value),
    "agree": lambda search, value, _: _between(search.units.agree, value),
    "bucket": _in_bucket,
    "not": _not_all,
    "word": _has_words,
    "text": _in_sentence,
    "row": _of_row,
}
