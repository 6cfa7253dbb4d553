"""Intervals of a result: their ends by what they are of, what was drawn, and how.

>>> import finegrain as fg
>>> table = fg.from_matrix([[1, 1]] * 30 + [[1, 0]] * 15 + [[0, 0]] * 5, systems=["crf", "gru"])
>>> found = fg.difficulty(table, intervals=1000).intervals
>>> found.sample, found.samples, found.ends("recall").round(2).tolist()
('item', 50, [[0.77, 0.96], [0.45, 0.73]])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.interval_cells import bounds, interval_notes
from finegrain.metrics.metric import Score
from finegrain.resampling.distinct import Repeated
from finegrain.resampling.intervals import Drawing, drawn
from finegrain.resampling.sampling import Sampling

Key = TypeVar("Key")
Ends = TypeVar("Ends")


@dataclass(frozen=True, slots=True, eq=False)
class Intervals(Generic[Key, Ends]):
    """``found[key]`` ``[..., (low, high)]``; nan where there is none.

    ``sample``: what was drawn, of so many ``samples``; ``said``: what the signature says of it.
    """

    confidence: float
    sample: str
    samples: int
    said: Mapping[str, str]
    found: Mapping[Key, Ends]

    @classmethod
    def of_drawn(cls, sampling: Sampling, drawing: Drawing, found: Mapping[Key, Ends]) -> Self:
        """Those that were drawn in this way."""
        said = {**sampling.said(), **drawing.said()}
        return cls(drawing.level, sampling.kind, sampling.samples.size, said, found)

    def ends(self, key: Key) -> Ends:
        """The intervals of one thing."""
        return self.found[key]

    def expected(self) -> Iterable[Ends]:
        """Those that are there, unless there are too few samples."""
        return self.found.values()

    def notes(self) -> list[str]:
        """What must be known of them, and why there are none where there are none."""
        missing = any(bool(np.isnan(ends).any()) for ends in self.expected())  # type: ignore[call-overload]  # arrays
        return interval_notes(self.sample, missing=missing)


def ends_of(given: Iterable[Repeated], score: Score, drawing: Drawing) -> NDArray[np.float64]:
    """``[given, ..., (low, high)]`` the intervals of a score of what was counted."""
    return np.array([drawn(one, drawing).ends(score) for one in given])


def listed(ends: NDArray[np.float64]) -> list[Any]:
    """Intervals for JSON.

    >>> listed(np.array([[[0.1, 0.2], [float("nan")] * 2]]))
    [[[0.1, 0.2], None]]
    """
    return bounds(*ends.tolist()) if ends.ndim == 1 else [listed(one) for one in ends]  # type: ignore[return-value]  # of one
