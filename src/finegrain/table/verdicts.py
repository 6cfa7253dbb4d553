"""Right or wrong, the same or changed: what every comparison asks of the table.

A system is right about a gold unit if its outcome is the correct one of the task. It is right about
any other unit if it did not invent it, or is charged elsewhere for it (ABSENT, USED).

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> text = [["a", "b", "c"]]
>>> table = align(
...     Corpus.of(text, tags=[["N", "V", "N"]]),
...     {"one": Corpus.of(text, tags=[["N", "N", "V"]]),
...      "two": Corpus.of(text, tags=[["N", "V", "D"]])},
... )
>>> right(table).T.tolist()
[[True, False, False], [True, True, False]]
>>> changed(table, 0, 1).tolist()
[False, True, True]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.table.outcome_table import OutcomeTable

NOT_CHARGED = ("ABSENT", "USED")  # outcomes of units that are not gold and cost a system nothing


def right(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[unit, system]`` whether the system is right about the unit."""
    verdict: NDArray[np.bool_] = _good(table)[table.outcome]
    return verdict


def produced(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[unit, system]`` whether the unit is in the system's output.

    For spans, exactly this span; where every unit has an answer (tags), always.
    """
    if "ABSENT" not in table.inventory.names:
        return np.ones(table.outcome.shape, bool)
    return np.where(
        table.is_gold[:, None],
        table.outcome == table.inventory.code(table.inventory.correct),
        table.outcome != table.inventory.code("ABSENT"),
    )


def of_pair(table: OutcomeTable, one: int, other: int) -> NDArray[np.bool_]:
    """``[unit]`` the units two systems are compared on, whatever other systems there are.

    Gold units, and those that one of the two is charged with.
    """
    verdict = _good(table)
    both: NDArray[np.bool_] = verdict[table.outcome[:, one]] & verdict[table.outcome[:, other]]
    return table.is_gold | ~both


def changed(table: OutcomeTable, one: int, other: int) -> NDArray[np.bool_]:
    """``[unit]`` whether two systems answer differently: another label, other boundaries.

    A unit that is not gold changes if only one of the two is charged with it.
    """
    verdict = _good(table)
    first, second = verdict[table.outcome[:, one]], verdict[table.outcome[:, other]]
    other_answer = table.answer[:, one] != table.answer[:, other]
    return (first != second) | (table.is_gold & ~first & other_answer)


def _good(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[outcome code]`` whether an outcome is right."""
    names = table.inventory.names
    return np.array([name == table.inventory.correct or name in NOT_CHARGED for name in names])


def answered(table: OutcomeTable) -> NDArray[np.int32]:
    """``[unit, system]`` the label that a system gives the unit; -1 where it has none."""
    if "ABSENT" not in table.inventory.names:
        return table.answer
    label = np.append(table.label, -1).astype(np.int32)  # the last place serves -1
    own = np.where(produced(table), table.label[:, None], -1)
    partner = label[table.answer]
    return np.where(table.is_gold[:, None] & (own < 0), partner, own).astype(np.int32)
