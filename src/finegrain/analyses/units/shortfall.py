"""The units that keep the score of a part of the units from 100: gold ones that a system is wrong
about, and answers like them that are not gold.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> loc = table.labels.index("LOC")
>>> [table.text(row) for row in short_of_label(table, loc)[:, 0].nonzero()[0]]
['London Bridge', 'Bridge']
>>> behind_label(table, loc, 0, 2).to_json()["where"]           # "Bridge" stands for the other one
'label=LOC and hurts[short]'

An answer that stands for a gold unit (USED) is not an error of its own, where each is counted once,
but it is not right either: precision loses it. Where every unit has an answer, as tags do, a label
loses the units that wrongly have it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.evidence import Evidence, answers, has_label, hurts, is_wrong
from finegrain.analyses.selection.expressions import Or
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import answered, costs


def short_of_label(table: OutcomeTable, code: int) -> NDArray[np.bool_]:
    """``[unit, system]`` what keeps the score of a label from 100."""
    whose = (table.label == code)[:, None]
    if not table.task.open:
        whose = whose | (answered(table) == code)
    found: NDArray[np.bool_] = whose & costs(table)
    return found


def behind_label(table: OutcomeTable, code: int, system: int, count: int) -> Evidence:
    """What ``short_of_label`` finds for a system."""
    label, name = table.labels[code], table.systems[system]
    if not table.task.open:
        given = Or((has_label(label), answers(name, label)))
        return Evidence.of(count, given, is_wrong(name))
    return Evidence.of(count, has_label(label), hurts(name))
