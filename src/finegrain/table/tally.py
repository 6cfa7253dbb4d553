"""Counting outcomes: the one place where rows become numbers.

>>> import numpy as np
>>> outcome = np.array([[0, 1], [0, 0], [1, 1]], np.uint8)      # 3 units, 2 systems
>>> group = np.array([0, 1, 1])                                  # say, their labels
>>> tally(outcome, group, groups=2, outcomes=2).tolist()         # [group, system, outcome]
[[[1, 0], [0, 1]], [[1, 1], [1, 1]]]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray


def tally(
    outcome: NDArray[np.uint8], group: IntArray, *, groups: int, outcomes: int
) -> NDArray[np.int64]:
    """Count outcomes per group and system, ``[group, system, outcome]``.

    ``group`` is ``[unit]`` or, where a unit's group depends on the system, ``[unit, system]``;
    units with a negative group are left out.
    """
    systems = outcome.shape[1]
    counts = np.empty((groups, systems, outcomes), np.int64)
    for system in range(systems):
        of_system = group if group.ndim == 1 else group[:, system]
        key = of_system.astype(np.int64) * outcomes + outcome[:, system]
        key = key[of_system >= 0]
        counts[:, system] = np.bincount(key, minlength=groups * outcomes).reshape(groups, outcomes)
    return counts
