"""Counts that a task adds to the result of an analysis, by system: where wrong heads lead, say.

>>> found = FurtherCounts("heads", "Wrong heads", (
...     Counts("wrong", "wrong", np.array([3])),
...     Counts("moved", "moved by words", np.array([[1, 2]]), ("1", "2+")),
... ))
>>> found.to_json(0)
{'wrong': 3, 'moved': {'1': 1, '2+': 2}}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """One count ``[system]``, or several ``[system, name]`` with a name each.

    ``key`` is its name in JSON, ``heading`` in tables.
    """

    key: str
    heading: str
    values: NDArray[np.int64]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class FurtherCounts:
    """Counts side by side: a table with a row for each system, and an object ``key`` in JSON."""

    key: str
    title: str
    counts: tuple[Counts, ...]

    def to_json(self, system: int) -> dict[str, Any]:
        """The counts of one system."""
        return {one.key: _of_system(one, system) for one in self.counts}


def _of_system(one: Counts, system: int) -> int | dict[str, int]:
    if not one.names:
        return int(one.values[system])
    return dict(zip(one.names, one.values[system].tolist(), strict=True))
