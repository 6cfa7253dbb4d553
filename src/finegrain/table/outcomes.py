"""What a system can have done with a unit, and what that means.

>>> from finegrain.tasks import TASKS
>>> outcomes = TASKS["spans"].outcomes
>>> outcomes["BES"].wording, outcomes.correct.name, len(outcomes.errors)
('too short', 'TP', 7)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Produced = Literal["always", "extra", "never"]
Role = Literal[
    "right", "quiet", "missed", "invented", "short", "long", "crossing", "label", "both",
    "unanswered", "other",
]  # fmt: skip
_PRODUCED: dict[Produced, tuple[bool, bool]] = {
    "always": (True, True),
    "extra": (False, True),
    "never": (False, False),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a system can have done with a unit.

    Parameters
    ----------
    name: as in JSON, CSV and ``--where``: ``BES``
    wording: as figures and instances call it: ``too short``
    meaning: as a legend explains it
    phrase: several of them in a sentence: ``spans that are too short``; where answers are labels,
        with the one answered: ``tokens wrongly tagged {answer}``
    role: what kind of outcome it is: figures give it a colour by that; what systems have
        that is matched with nothing in gold is ``invented``
    right: the system is right about the unit
    charged: it counts; what is not charged is counted elsewhere, or not at all
    produced: whether the unit itself is then in the system's output: ``always``, ``never``, or only
        where it is not gold (``extra``), because a gold unit with this outcome is answered by
        another unit
    absent: the system has nothing there, and nothing is missing
    part_of: the name of a sum of several outcomes that counts tell, too: ``BE``
    """

    name: str
    wording: str
    meaning: str
    phrase: str = ""
    role: Role = "other"
    right: bool = False
    charged: bool = True
    produced: Produced = "always"
    absent: bool = False
    part_of: str = ""

    @property
    def quiet(self) -> bool:
        """Whether it counts nowhere, or elsewhere."""
        return self.right and not self.charged


@dataclass(frozen=True, slots=True)
class Outcomes:
    """All outcomes of a task; the code of one is its place. The right one that counts is unique."""

    every: tuple[Outcome, ...]

    def __len__(self) -> int:
        return len(self.every)

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self.every)

    def __getitem__(self, name: str) -> Outcome:
        return self.every[self.code(name)]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.every)

    @property
    def meanings(self) -> tuple[str, ...]:
        return tuple(one.meaning for one in self.every)

    @property
    def correct(self) -> Outcome:
        """The outcome of a unit that is solved."""
        return next(one for one in self.every if one.right and one.charged)

    @property
    def correct_code(self) -> int:
        return self.every.index(self.correct)

    @property
    def errors(self) -> tuple[Outcome, ...]:
        """What counts and is not right."""
        return tuple(one for one in self.every if one.charged and not one.right)

    @property
    def near(self) -> tuple[Outcome, ...]:
        """Errors about a gold unit that another unit answers: of spans, those that overlap it.

        Where there are any, an error has two sides: a gold unit that is not found, and one that is
        not gold. Traditional scores count both, fair ones the error.
        """
        return tuple(one for one in self.errors if one.produced == "extra")

    @property
    def counted(self) -> tuple[Outcome, ...]:
        """What counts: the right one and the errors, in their order."""
        return tuple(one for one in self.every if one.charged)

    @property
    def sums(self) -> dict[str, tuple[str, ...]]:
        """The names of sums, and of the outcomes that each adds up."""
        found: dict[str, tuple[str, ...]] = {}
        for one in self.every:
            if one.part_of:
                found[one.part_of] = (*found.get(one.part_of, ()), one.name)
        return found

    def code(self, name: str) -> int:
        """The code of an outcome."""
        return self.names.index(name)

    def codes(self, holds: Callable[[Outcome], bool]) -> NDArray[np.bool_]:
        """``[outcome]`` for which of them something holds."""
        return np.array([bool(holds(one)) for one in self.every], bool)

    @property
    def produced(self) -> NDArray[np.bool_]:
        """``[(gold, not gold), outcome]`` whether the unit is in the system's output."""
        return np.array([_PRODUCED[one.produced] for one in self.every], bool).T
