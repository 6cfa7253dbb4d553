"""The units behind a number: how many they are, and the selection that lists them.

>>> behind = Evidence.of(240, GOLD, outcomes("crf", ["FN"]))
>>> behind.to_json()
{'count': 240, 'where': 'gold!=none and outcome[crf]=FN'}
>>> behind.fragment
'instances?where=[%22and%22,[%22!=%22,%22gold%22,null],[%22=%22,[%22outcome%22,%22crf%22],%22FN%22]]&n=240'

Selections that many numbers ask for have a name here. Systems are named, as ``--where`` names them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from finegrain.analyses.selection.expressions import (
    Comparison,
    Condition,
    Expression,
    Field,
    Holds,
    Not,
    all_of,
    written,
)
from finegrain.analyses.selection.json_form import compact

GOLD, NOT_GOLD = Field("gold").differs(None), Field("gold").equals(None)
_LEGIBLE = "[],:!="  # what may stand in the fragment of an address as it is


@dataclass(frozen=True, slots=True, repr=False)
class Evidence:
    """A selection, and the number of units that it holds for."""

    count: int
    where: Expression

    def __repr__(self) -> str:
        return f"Evidence({self.count}, {written(self.where)!r})"

    @classmethod
    def of(cls, count: int, first: Expression, *others: Expression) -> Evidence:
        """The units that all of these select."""
        return cls(count, all_of(first, *others))

    @property
    def fragment(self) -> str:
        """What stands behind # in the address of a page that shows these units."""
        return f"instances?where={quote(compact(self.where), safe=_LEGIBLE)}&n={self.count}"

    def to_json(self) -> dict[str, object]:
        return {"count": self.count, "where": written(self.where)}


def has_label(label: str) -> Comparison:
    """Units with a label, in the gold standard or in a system's output."""
    return Field("label").equals(label)


def is_right(system: str) -> Comparison:
    """Units that a system makes no error about; also what counts nowhere."""
    return Field("correct", system).differs("no")


def is_wrong(system: str) -> Comparison:
    """The errors of a system."""
    return Field("correct", system).equals("no")


def hurts(system: str) -> Holds:
    """What lowers precision or recall of a system."""
    return Holds(Field("hurts", system))


def produces(system: str) -> Holds:
    """Units that are in the output of a system."""
    return Holds(Field("produced", system))


def answers(system: str, label: str) -> Comparison:
    """Units that a system gives this label."""
    return Field("answer", system).equals(label)


def other_answers(system: str, labels: Iterable[str]) -> Not:
    """Units that a system gives a label that is none of these."""
    return Not(Field("answer", system).among([None, *labels]))


def outcomes(system: str, names: Iterable[str]) -> Condition:
    """Units with one of these outcomes of a system."""
    return Field("outcome", system).among(names)


def changes(one: str, other: str) -> Holds:
    """Units that two systems answer differently."""
    return Holds(Field("changed", one, other=other))


def lowers(system: str, score: str) -> Holds:
    """Words that keep this score of the trees of a system from 100."""
    return Holds(Field("lowers", system, other=score))


def in_bucket(attribute: str, number: int) -> Comparison:
    """Units in the bucket of this number by an attribute, counted from 0, as a report divides it.

    Of attributes of tokens, units with such a token.
    """
    return Field("bucket", attribute).equals(number)


def solved_by(least: int, most: int | None = None) -> Expression:
    """Gold units that so many systems are right about.

    >>> written(solved_by(0)), written(solved_by(1, 3))
    ('gold!=none and systems_correct=0', 'gold!=none and systems_correct>=1 and systems_correct<=3')
    """
    return all_of(GOLD, _between(Field("systems_correct"), least, most))


def agreed_on_by(least: int, most: int | None = None) -> Expression:
    """Units that are not gold and in the output of so many systems."""
    return _between(Field("systems_agreeing"), least, most)


def of_row(row: int) -> Comparison:
    """The unit of a row of the table, counted from 0."""
    return Field("row").equals(row + 1)


def with_words(words: str) -> Comparison:
    """Units with exactly these words, in any case."""
    return Field("folded_text").equals(words.casefold())


def _between(field: Field, least: int, most: int | None) -> Expression:
    if most is None or most == least:
        return field.equals(least)
    return all_of(field.compared(">=", least), field.compared("<=", most))
