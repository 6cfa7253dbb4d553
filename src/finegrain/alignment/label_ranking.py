"""How well the scores of systems rank the gold labels of items.

>>> scores = np.array([[0.9, 0.5, 0.1]])
>>> ranking_precision(scores, np.array([0]), np.array([1])).tolist()      # second of its item
[0.5]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.item_labels import LabelSets
from finegrain.alignment.item_tables import Met
from finegrain.corpus.label_rules import LabelRules
from finegrain.table import OutcomeTable
from finegrain.table.scale import PROPORTION, Value

LRAP = "lrap"
"""Of ``table.values``: how well the scores of a system rank the gold labels of the item."""
_CELLS = 1 << 22  # of comparisons of scores in memory at once


def ranked(
    table: OutcomeTable, met: Met, read: Sequence[LabelSets], schema: Sequence[str],
    rules: LabelRules,
) -> Value | None:  # fmt: skip
    """By unit, the ranking precision of its item; nan for systems without scores."""
    if not any(own.scores for own in read):
        return None
    found = np.full((len(table), len(read)), np.nan)
    gold = np.flatnonzero(table.is_gold)
    for system, own in enumerate(read):
        if not own.scores:
            continue
        scores = {rules.name(name): column for name, column in own.scores.items()}
        every = (*schema, *sorted(name for name in scores if name not in schema))
        places = {name: place for place, name in enumerate(every)}
        matrix = np.full((met.gold.n_sentences, len(every)), -np.inf)
        rows = met.rows[:, system]
        for name, column in scores.items():
            given = np.append(np.nan_to_num(column, nan=-np.inf), -np.inf)  # the last serves -1
            matrix[:, places[name]] = given[rows]
        label = np.array([places.get(name, -1) for name in table.labels])[table.label[gold]]
        inside = label >= 0
        lrap = ranking_precision(matrix, table.sentence[gold][inside], label[inside])
        found[:, system] = np.where(rows >= 0, lrap, np.nan)[table.sentence]
    return Value(PROPORTION, found)


def ranking_precision(
    scores: NDArray[np.float64], item: NDArray[np.integer], label: NDArray[np.integer]
) -> NDArray[np.float64]:
    r"""``[item]`` the label ranking average precision of each (Tsoumakas et al. 2010).

    .. math:: \frac{1}{|G_i|} \sum_{l \in G_i}
       \frac{|\{k \in G_i : s_{ik} \ge s_{il}\}|}{|\{k : s_{ik} \ge s_{il}\}|}

    where G are the gold labels of an item and s the scores of labels; a label without a score is
    below all others. 1 for items without gold labels, as scikit-learn has it.

    >>> scores = np.array([[0.9, 0.5, 0.1], [0.2, 0.5, 0.1]])
    >>> ranking_precision(scores, np.array([0, 0, 1]), np.array([0, 2, 0])).round(4).tolist()
    [0.8333, 0.5]
    """
    size, width = scores.shape
    is_gold = np.zeros((size, width), bool)
    is_gold[item, label] = True
    precision = np.empty(len(item))
    step = max(1, _CELLS // max(1, width))
    for begin in range(0, len(item), step):
        rows, codes = item[begin : begin + step], label[begin : begin + step]
        above = scores[rows] >= scores[rows, codes][:, None]
        precision[begin : begin + step] = (above & is_gold[rows]).sum(1) / above.sum(1)
    number = np.bincount(item, minlength=size)
    total = np.bincount(item, precision, minlength=size)
    return np.where(number > 0, total / np.maximum(number, 1), 1.0)


def unscored(met: Met, read: Sequence[LabelSets]) -> tuple[str, ...]:
    """A note on systems whose scores are not those of all labels."""
    notes = []
    for name, own in zip(met.names, read, strict=True):
        if own.scores and any(np.isnan(column).any() for column in own.scores.values()):
            notes.append(f"{name}: labels of an item that have no score are ranked last (lrap)")
    return tuple(notes)
