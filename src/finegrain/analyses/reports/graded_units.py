"""Graded units in a report: which are hardest, and conditions that ask for them by their values.

>>> import numpy as np
>>> from dataclasses import replace
>>> from finegrain.table.scale import Scale, Value
>>> from finegrain.tasks.items import from_matrix
>>> edits = np.array([[4.0, 1.0], [2.0, 2.0], [0.0, 8.0], [np.nan, 1.0]])
>>> table = from_matrix(np.ones_like(edits), systems=["old", "new"])
>>> graded = Value(Scale(higher=False, best=0.0, worst=None, shown="number"), edits)
>>> table = replace(table, task=replace(table.task, value="edits"), values={"edits": graded})
>>> hardness(table).tolist()                                     # means 2.5, 2, 4 and 1
[1, 2, 0, 3]
>>> better(table, 0, 1, "worse").tolist()
[False, False, True, False]
>>> gained(table, 0, 1, "worse")
Evidence(count=1, conditions=(('gain.0.1', 'worse'),))
>>> beyond(table, 0, 1.5).count                                  # edits 4 and 2
2
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.evidence import Evidence
from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.metrics.metric import ratio
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import gains, of_pair, value

GAINS = ("better", "worse", "tied", "any")
Mask = NDArray[np.bool_]


def hardness(table: OutcomeTable) -> IntArray:
    """``[unit]`` ranks by the mean value over systems, 0 for the worst; undefined ones last."""
    found = value(table)
    known = ~np.isnan(found.matrix)
    sums = np.where(known, found.matrix, 0.0).sum(axis=1)
    quality = found.scale.quality(ratio(sums, np.count_nonzero(known, axis=1)))
    return np.unique(np.nan_to_num(quality, nan=np.inf), return_inverse=True)[1]


def better(table: OutcomeTable, one: int, other: int, which: str) -> Mask:
    """``[unit]`` where the second system is better, worse, tied, or better or worse (any).

    Only units on which the two are compared and for which both have a value.
    """
    if which not in GAINS:
        raise UsageError.unknown("value of gain", which, GAINS)
    found = value(table)
    change = found.scale.change(found.matrix[:, one], found.matrix[:, other])
    holds = {"better": change > 0, "worse": change < 0, "tied": change == 0, "any": change != 0}
    defined: Mask = of_pair(table, one, other) & ~np.isnan(gains(table, one, other))
    chosen: Mask = holds[which] & defined
    return chosen


def gained(table: OutcomeTable, one: int, other: int, which: str) -> Evidence:
    """The units on which the second system is better, worse, tied, or differs."""
    count = int(np.count_nonzero(better(table, one, other, which)))
    return Evidence.of(count, {f"gain.{one}.{other}": which})


def worse_than(table: OutcomeTable, system: int, limit: float) -> Mask:
    """``[unit]`` where the value of a system is worse than a limit."""
    found = value(table)
    own, scale = found.matrix[:, system], found.scale
    worse: Mask = own < limit if scale.higher else own > limit
    return worse


def beyond(
    table: OutcomeTable,
    system: int,
    limit: float,
    conditions: Mapping[str, str | int] | None = None,
    rows: Mask | None = None,
) -> Evidence:
    """The units whose value of a system is worse than a limit, to four digits.

    ``conditions`` hold for them too; ``rows`` are the units ``[unit]`` of these.
    """
    told = f"{limit:.4g}"
    found = worse_than(table, system, float(told))
    found = found if rows is None else found & rows
    asked = {**(conditions or {}), f"worse_than.{system}": told}
    return Evidence.of(int(np.count_nonzero(found)), asked)


def below_mean(table: OutcomeTable, system: int) -> Evidence:
    """The units whose value of a system is worse than its mean."""
    own = value(table).matrix[table.is_gold, system]
    known = own[~np.isnan(own)]
    if not len(known):
        return Evidence.of(0, {"unit": "gold", f"valued.{system}": "yes"})
    return beyond(table, system, float(known.mean()))


def extent(
    table: OutcomeTable, conditions: Sequence[tuple[str, str]]
) -> NDArray[np.float64] | None:
    """``[unit]`` what units are listed by, the smallest first; ``None``: by their hardness.

    Units that two systems are compared on by the size of the gain, those of one system by its
    value.
    """
    if not table.task.value:
        return None
    for key, _ in conditions:
        name, *places = key.split(".")
        if name == "gain":
            one, other = map(int, places)
            return -np.abs(np.nan_to_num(gains(table, one, other)))
        if name == "worse_than":
            own = value(table).scale.quality(value(table).matrix[:, int(places[0])])
            return np.nan_to_num(own, nan=np.inf)
    return None
