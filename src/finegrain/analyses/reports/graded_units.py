"""Graded units in a report: which are hardest, and selections of them by their values.

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
>>> gained(table, 0, 1, "worse").to_json()
{'count': 1, 'where': 'gain[old,new]<0'}
>>> beyond(table, 0, 1.5).count                                  # edits 4 and 2
2
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.evidence import GOLD, Evidence
from finegrain.analyses.selection.columns import Numbers
from finegrain.analyses.selection.evaluation import evaluate
from finegrain.analyses.selection.expressions import (
    And,
    Comparison,
    Expression,
    Field,
    Or,
    conditions,
)
from finegrain.analyses.selection.fields import column_of
from finegrain.corpus import IntArray
from finegrain.metrics.metric import ratio
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import value

Gain = Literal["better", "worse", "tied", "any"]
Mask = NDArray[np.bool_]


def hardness(table: OutcomeTable) -> IntArray:
    """``[unit]`` ranks by the mean value over systems, 0 for the worst; undefined ones last."""
    found = value(table)
    known = ~np.isnan(found.matrix)
    sums = np.where(known, found.matrix, 0.0).sum(axis=1)
    quality = found.scale.quality(ratio(sums, np.count_nonzero(known, axis=1)))
    return np.unique(np.nan_to_num(quality, nan=np.inf), return_inverse=True)[1]


def graded_by(table: OutcomeTable, system: str) -> Field:
    """The value of a system, as selections ask for it."""
    return Field(table.task.value, system)


def gain(table: OutcomeTable, one: str, other: str, which: Gain) -> Expression:
    """Units where the second system is better, worse, tied, or better or worse (any).

    Only units on which the two are compared and for which both have a value.
    """
    field, tie = Field("gain", one, other=other), value(table).scale.tie
    better = field.compared(">", _plain(tie))
    worse = field.compared("<", _plain(-tie))
    if which == "any":
        return Or((better, worse))
    if which == "tied":
        least, most = field.compared(">=", _plain(-tie)), field.compared("<=", _plain(tie))
        return field.equals("0") if not tie else And((least, most))
    return better if which == "better" else worse


def _plain(number: float) -> str:
    """A number that reads back as it is, a whole one without a point."""
    return str(int(number)) if number == int(number) else repr(number)


def better(table: OutcomeTable, one: int, other: int, which: Gain) -> Mask:
    """``[unit]`` what ``gain`` selects."""
    return evaluate(gain(table, table.systems[one], table.systems[other], which), table)


def gained(table: OutcomeTable, one: int, other: int, which: Gain) -> Evidence:
    """The units on which the second system is better, worse, tied, or differs."""
    where = gain(table, table.systems[one], table.systems[other], which)
    return Evidence.of(int(np.count_nonzero(evaluate(where, table))), where)


def worse_than_limit(table: OutcomeTable, system: str, limit: str) -> Expression:
    """Units whose value of a system is worse than a limit."""
    return graded_by(table, system).compared("<" if value(table).scale.higher else ">", limit)


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
    where: Expression | None = None,
    rows: Mask | None = None,
) -> Evidence:
    """The units whose value of a system is worse than a limit, to four digits.

    ``where`` selects them too; ``rows`` are the units ``[unit]`` of these.
    """
    told = f"{limit:.4g}"
    found = worse_than(table, system, float(told))
    found = found if rows is None else found & rows
    asked = worse_than_limit(table, table.systems[system], told)
    return Evidence.of(int(np.count_nonzero(found)), *([where] if where else []), asked)


def below_mean(table: OutcomeTable, system: int) -> Evidence:
    """The units whose value of a system is worse than its mean."""
    own = value(table).matrix[table.is_gold, system]
    known = own[~np.isnan(own)]
    if not len(known):
        return Evidence.of(0, GOLD, graded_by(table, table.systems[system]).differs(None))
    return beyond(table, system, float(known.mean()))


def extent(table: OutcomeTable, where: Expression) -> NDArray[np.float64] | None:
    """``[unit]`` what units are listed by, the smallest first; ``None``: by their hardness.

    Units that two systems are compared on by the size of the gain, those of one system by its
    value.
    """
    if not table.task.value:
        return None
    for condition in conditions(where):
        field, own = condition.field, value(table)
        if field.name == "gain":
            column = column_of(table, field)
            return -np.abs(np.nan_to_num(column.values)) if isinstance(column, Numbers) else None
        limited = isinstance(condition, Comparison) and condition.operator in ("<", ">")
        if field.name == table.task.value and field.of is not None and limited:
            quality = own.scale.quality(own.matrix[:, table.system(field.of)])
            return np.nan_to_num(quality, nan=np.inf)
    return None
