"""The wrong answer that most systems share, and how often gold has it at other places."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.attributes.surfaces import Surfaces
from finegrain.corpus import IntArray
from finegrain.table import OutcomeTable


def found_elsewhere(
    table: OutcomeTable, rows: IntArray, answers: IntArray, known: Surfaces | None
) -> NDArray[np.int64]:
    """``[row]`` how often the gold standard has, at other places, what systems answer here."""
    if known is None or not len(known):  # there is no text, or units have no words of it
        return np.full(len(rows), -1, np.int64)
    unit, label = _answered(table, rows, answers)
    size = max(table.n_labels, 1)
    gold = table.is_gold & (known.codes >= 0)
    pairs, counts = np.unique(known.codes[gold] * size + table.label[gold], return_counts=True)
    wanted = known.codes[unit] * size + label
    place = np.minimum(np.searchsorted(pairs, wanted), max(len(pairs) - 1, 0))
    if len(pairs):
        same = np.where(pairs[place] == wanted, counts[place], 0)
    else:
        same = np.zeros(len(rows), np.int64)
    mentions = np.bincount(known.codes[gold], minlength=len(known))
    free = np.maximum(known.occurrences - mentions, 0)[known.codes[unit]]
    found: NDArray[np.int64] = np.where(label < 0, free, same).astype(np.int64)
    return np.where(known.codes[unit] < 0, 0, found)


def _answered(
    table: OutcomeTable, rows: IntArray, answers: IntArray
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The row whose words an answer covers, and the label it gives them; -1 for no answer."""
    if not table.answers_are_rows:
        return rows.astype(np.int64), answers.astype(np.int64)
    not_gold = ~table.is_gold[rows]
    unit = np.where(answers < 0, rows, answers).astype(np.int64)
    return unit, np.where(~not_gold & (answers < 0), -1, table.label[unit])


def sharing(held: NDArray[np.int32], good: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """``[row, system]`` who holds the wrong answer that most systems hold.

    Of answers that equally many hold, one that says something before nothing, then the first in
    the order of the table: never the order of systems.
    """
    best = np.zeros(len(held), np.int64)
    answer = np.full(len(held), -1, np.int32)
    for system in range(held.shape[1]):
        mine = held[:, system]
        count = np.count_nonzero((held == mine[:, None]) & ~good, axis=1)
        count[good[:, system]] = 0
        earlier = mine.astype(np.uint32) < answer.astype(np.uint32)  # negative comes last
        better = (count > best) | ((count == best) & (count > 0) & earlier)
        best = np.where(better, count, best)
        answer = np.where(better, mine, answer)
    found: NDArray[np.bool_] = (held == answer[:, None]) & ~good
    return found
