"""Task `items`: a bare 0/1 table of who solved what (units x systems).

Nothing is known of an answer but whether it is right, so two wrong answers count as the same.

>>> from finegrain.corpus import Corpus
>>> items = Corpus.of([["q1"], ["q2"]], crf=[["1"], ["0"]], neural=[["1"], ["1"]])
>>> align(items, {}).outcome.tolist()
[[1, 1], [0, 1]]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from finegrain.plugins import Late
from finegrain.table import OutcomeTable
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Definition, Task, Words

ITEMS = Task(
    "items",
    "right or wrong and nothing more: a 0/1 table of units and systems",
    "every item",
    Outcomes((  # the codes are the cells of the table
        Outcome("WRONG", "wrong", "the item is not solved", "items that are not solved", "missed"),
        Outcome("CORRECT", "correct", "the item is solved", role="right", right=True),
    )),
    Words("item", "items", "item", context=""),
    answers="none",
    aligner=Late("finegrain.alignment.items:align"),
    recognise=Late("finegrain.alignment.items:holds_items"),
    contents=Late("finegrain.alignment.contents:items"),
    same_text=Late("finegrain.alignment.same_text:require_same_text"),
    metrics=Late("finegrain.metrics.tag_scores:item_metrics"),
    definitions=(Definition("Accuracy", "The share of items that are solved.", ""),),
    drawing="item",
    example=Late("finegrain.tasks.examples:items"),
)  # fmt: skip
align = ITEMS.align
_of_matrix = Late("finegrain.alignment.items:of_matrix")


def from_matrix(
    matrix: Any,
    *,
    systems: Sequence[str] | None = None,
    units: Sequence[str] | None = None,
) -> OutcomeTable:
    """A table of items from nested lists or an array ``[unit, system]`` of 0 and 1.

    >>> table = from_matrix([[1, 0], [1, 1], [0, 0]], systems=["crf", "neural"])
    >>> table.systems, [table.outcomes.names[code] for code in table.outcome[0]]
    (('crf', 'neural'), ['CORRECT', 'WRONG'])

    Parameters
    ----------
    matrix: 1 (or true) where the system is right, 0 where it is wrong
    systems: their names; s1, s2 and so on if not given
    units: names of the items, for ``show``
    """
    table: OutcomeTable = _of_matrix(ITEMS, matrix, systems=systems, units=units)
    return table
