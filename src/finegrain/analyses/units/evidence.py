"""The units behind a number, as conditions that a reader's list of units can be filtered by.

>>> behind = Evidence.of(240, {"unit": "gold", "outcome.0": "FN"})
>>> behind.fragment
'instances?unit=gold&outcome.0=FN&n=240'

Systems are told by their places, everything else by name:

==================  =================================================================
condition           units
==================  =================================================================
``unit``            ``gold`` or ``invented`` (not gold)
``label``           whose label it is, in the gold standard or in a system's output
``outcome.S``       with one of these outcomes of system S, joined by commas
``answer.S``        that system S gives this label
``mistaken.S``      that are errors of system S about this gold label
``mistaken_for.S``  that are errors of system S with this answer
``verdict.S``       that system S is ``right`` or ``wrong`` about
``has.S``           that are in the output of system S, ``yes`` or ``no``
``bin``             gold, and solved by so many systems: ``3`` or ``1-11``
``agree``           not gold, and in the output of so many systems
``change.A.B``      that B changes: ``correction``, ``new_error``, ``changed_error`` or ``any``
``bucket.NAME``     in the bucket of this number by an attribute, counted from 0
``word``            with exactly these words, in any case
``text``            whose sentence has this text, in any case
``row``             the one with this number in the table, from 1
``where``           that a selection of ``show --where`` holds for; only an explorer knows it
==================  =================================================================

Both labels of an error are those of a cell of ``confusion``. They are not those of ``label`` and
``answer``: a second span in a place where gold has one is an error about the label of the gold one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from finegrain.errors import UsageError

KEYS = (
    "unit", "label", "outcome", "answer", "mistaken", "mistaken_for", "verdict", "has", "bin",
    "agree", "change", "bucket", "word", "text", "row", "where",
)  # fmt: skip


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
