"""What a search for slices is told, and what it finds.

>>> from finegrain.analyses.trust.slice_candidates import Slice
>>> whole = Slice(())
>>> Finding(("A", "B"), "recall", whole, 214, (0.9, 0.84), 0.0, -0.061, -0.098, -0.024, 0.012,
...         (0.9, 0.85), "", "").sentence
'B loses to A on all units: recall -6.1 [-9.8, -2.4], n = 214, p = .012'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from finegrain.analyses.trust import slice_listings
from finegrain.analyses.trust.slice_candidates import FEWEST, Slice
from finegrain.resampling.intervals import LEVEL, SEED
from finegrain.resampling.sign_flips import RESAMPLES
from finegrain.table.scale import PROPORTION, Scale

MEASURES = ("recall", "precision")


@dataclass(frozen=True, slots=True)
class Settings:
    """How slices are tested; ``level`` holds for all searches of a call together.

    ``measure`` is one of ``MEASURES`` or, with ``graded``, the value of units; ``scale`` is its.
    """

    measure: str = "recall"
    fewest: int = FEWEST
    level: float = LEVEL
    resamples: int = RESAMPLES
    seed: int = SEED
    assume_independent: bool = False
    scale: Scale = PROPORTION
    graded: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """A slice: its size, the measure there (of the rest too, for one system) and the effect.

    ``effect`` is the measure of one system there less that of the rest, or of the second of two
    systems less that of the first; where less is better (``scale``), a weakness is positive.
    ``where`` selects the units, ``instances`` those that the effect comes from.
    ``changed`` counts the units that two systems answer differently.
    """

    systems: tuple[str, ...]
    measure: str
    slice: Slice
    n: int
    values: tuple[float, ...]
    rest: float
    effect: float
    low: float
    high: float
    p: float
    f1: tuple[float, ...]
    where: str
    instances: str
    changed: int = 0
    scale: Scale = PROPORTION
    graded: bool = False

    @property
    def gained(self) -> bool:
        """Whether the slice is better than the rest, or the second system than the first."""
        return self.effect > 0 if self.scale.higher else self.effect < 0

    @property
    def sentence(self) -> str:
        """One sentence with number, interval, size and adjusted p."""
        return slice_listings.sentence(self)


class Search(NamedTuple):
    """What was searched for one system or one pair: candidates, how many differ, what is left."""

    systems: tuple[str, ...]
    candidates: int
    significant: int
    findings: tuple[Finding, ...]
