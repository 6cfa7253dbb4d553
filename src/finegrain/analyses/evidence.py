"""The units behind a number, as conditions that a reader's list of units can be filtered by.

>>> behind = Evidence.of(240, {"unit": "gold", "outcome.0": "FN"})
>>> behind.fragment
'instances?unit=gold&outcome.0=FN&n=240'

Systems are told by their places, everything else by name:

==================  =================================================================
condition           units
==================  =================================================================
``unit``            ``gold`` or ``not-gold``
``label``           whose label it is, in the gold standard or in a system's output
``outcome.S``       with one of these outcomes of system S, joined by commas
``answer.S``        that system S gives this label
``answered.S``      that system S gives a label, ``yes`` or ``no``
``other_than.S``    that system S gives a label that is none of these, joined by commas
``mistaken.S``      that are errors of system S about this gold label
``mistaken_for.S``  that are errors of system S with this answer
``verdict.S``       that system S is ``right`` or ``wrong`` about
``costs.S``         that lower precision or recall of system S, ``yes`` or ``no``: gold ones that it
                    is wrong about, and what it has that is not gold
``about.S``         whose label it is, or that system S gives this label
``has.S``           that are in the output of system S, ``yes`` or ``no``
``lowers.S``        words that keep this score of the trees of system S from 100
``bin``             gold, and solved by so many systems: ``3`` or ``1-11``
``agree``           not gold, and in the output of so many systems
``change.A.B``      that B changes: ``correction``, ``new_error``, ``changed_error`` or ``any``
``gain.A.B``        graded, and B is ``better``, ``worse`` or ``tied``, or ``any``: one is better
``worse_than.S``    graded, and the value of system S is worse than this number
``valued.S``        graded, and system S has a value, ``yes`` or ``no``
``bucket.NAME``     in the bucket of this number by an attribute, counted from 0; of attributes
                    of tokens, with such a token
``not``             that not all of these conditions hold for: ``label=PER&bin=0``
``word``            with exactly these words, in any case
``text``            whose sentence has this text, in any case
``row``             the one with this number in the table, from 1
``where``           that a selection of ``show --where`` holds for; only an explorer knows it
==================  =================================================================

Both labels of an error are those of a cell of ``confusion``. They are not those of ``label`` and
``answer``: a second span in a place where gold has one is an error about the label of the gold one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlencode

from finegrain.errors import UsageError

KEYS = (
    "unit", "label", "outcome", "answer", "answered", "other_than", "mistaken", "mistaken_for",
    "verdict", "costs", "about",
    "has", "lowers", "bin", "agree", "change", "gain", "worse_than", "valued", "bucket",
    "not", "word", "text", "row", "where",
)  # fmt: skip


def any_of(names: Iterable[str]) -> str:
    """Names as one text, the value of ``other_than``; commas in them are written out.

    >>> any_of(["NOUN", "a,b"]), names_in("NOUN,a%2Cb")
    ('NOUN,a%2Cb', ['NOUN', 'a,b'])
    """
    return ",".join(quote(name, safe="") for name in names)


def names_in(value: str) -> list[str]:
    """The names that one text tells."""
    return [unquote(name) for name in value.split(",")]


def all_of(conditions: Mapping[str, str | int]) -> str:
    """Conditions as one text, the value of ``not``.

    >>> all_of({"label": "R&D", "bucket.entity_length": 3})
    'label=R%26D&bucket.entity_length=3'
    """
    return urlencode(conditions, quote_via=quote, safe=",")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Conditions, all of which hold, and the number of units that they hold for."""

    count: int
    conditions: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, count: int, conditions: Mapping[str, str | int]) -> Evidence:
        for key in conditions:
            if key.split(".", 1)[0] not in KEYS:
                raise UsageError.unknown("condition", key, KEYS)
        return cls(count, tuple((key, str(value)) for key, value in conditions.items()))

    @property
    def fragment(self) -> str:
        """What stands behind # in the address of a page that shows these units."""
        query = [*self.conditions, ("n", str(self.count))]
        return f"instances?{urlencode(query, quote_via=quote, safe=',')}"

    def to_json(self) -> dict[str, object]:
        return {"count": self.count, "conditions": dict(self.conditions)}
