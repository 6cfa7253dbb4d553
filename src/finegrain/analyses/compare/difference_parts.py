"""What a difference is made of: changes, proportions that moved, answers that are shared.

>>> moved = Moved("accuracy", 0.5, 0.75)
>>> moved.delta, moved.to_json()
(0.25, {'a': 0.5, 'b': 0.75, 'delta': 0.25})
>>> Shared(one=3, other=5, both=2).share
0.5
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from finegrain.analyses.listing import Cell
from finegrain.analyses.result import number
from finegrain.table.scale import PROPORTION, Scale

if TYPE_CHECKING:
    from finegrain.analyses.units.show import Unit  # slow to load, and not needed for counts


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a kind: from which answer to which, on how many units, and two shares of that.

    ``gold`` is told for changed errors; ``units`` are examples, if any were asked for.
    """

    before: str
    after: str
    gold: str | None
    count: int
    share_of_class: float
    share_of_changes: float
    units: tuple[Unit, ...] = ()

    def to_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {"from": self.before, "to": self.after}
        if self.gold is not None:
            told["gold"] = self.gold
        told |= {
            "count": self.count,
            "share_of_class": self.share_of_class,
            "share_of_changes": self.share_of_changes,
        }
        if self.units:
            told["examples"] = [unit.to_json() for unit in self.units]
        return told


class Moved(NamedTuple):
    """A score of both systems, a proportion as a rule; nan where undefined."""

    name: str
    one: float
    other: float
    scale: Scale = PROPORTION

    @property
    def delta(self) -> float:
        return self.other - self.one

    @property
    def gain(self) -> float:
        """The same, but positive where the second is better."""
        return self.delta if self.scale.higher else self.one - self.other

    def cells(self) -> tuple[Cell, Cell, Cell]:
        """Both and the change, beside proportions: what is none is written already."""
        if self.scale.shown == "percent":
            return self.one, self.other, self.delta
        one, other = (self.scale.written(score) for score in (self.one, self.other))
        return one, other, self.scale.written(self.delta, signed="+")

    def to_json(self) -> dict[str, Any]:
        return {"a": number(self.one), "b": number(self.other), "delta": number(self.delta)}


class Given(NamedTuple):
    """The labels that two systems give a span; ``None`` where a system has none."""

    before: str | None
    after: str | None


class Transition(NamedTuple):
    """From an outcome to another: ``WL -> TP``; of spans, from which label to which."""

    before: str
    after: str
    times: int
    given: Given | None = None

    def to_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {"from": self.before, "to": self.after}
        if self.given is not None:
            told |= {"from_label": self.given.before, "to_label": self.given.after}
        return {**told, "count": self.times}


class LabelChange(NamedTuple):
    """A label: the units of the pair that have it, and the accuracy of both on them.

    ``transitions``, of spans and mentions: from which outcome to which, and how often.
    """

    label: str
    units: int
    accuracy: Moved
    transitions: tuple[Transition, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {"label": self.label, "units": self.units, **self.accuracy.to_json()}
        if self.transitions is not None:
            told["changes"] = [one.to_json() for one in self.transitions]
        return told


class Shared(NamedTuple):
    """Answers of a kind that each of two systems gives, and those that both give alike."""

    one: int
    other: int
    both: int

    @property
    def share(self) -> float:
        """Twice the shared answers by all: 1 if all are shared (Dice)."""
        return 2 * self.both / (self.one + self.other) if self.one + self.other else math.nan

    def to_json(self) -> dict[str, Any]:
        return {"a": self.one, "b": self.other, "both": self.both, "share": number(self.share)}
