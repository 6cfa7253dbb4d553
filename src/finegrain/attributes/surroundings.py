"""Where a unit stands and what else its words are: sentence, rarity, ambiguity, label.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> [table.text(row) for row in range(len(table)) if table.is_gold[row]][:3]
['Ada Lovelace', 'Charles Babbage', 'London']
>>> units = Units(table)
>>> sentence_length(units)[table.is_gold][:3].tolist(), hapax(units)[table.is_gold][:3].tolist()
([8.0, 8.0, 8.0], [1.0, 1.0, 0.0])
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.attributes.units import Units
from finegrain.corpus import Coded


def sentence_length(units: Units) -> NDArray[np.float64]:
    """Tokens of the sentence that the unit is in."""
    lengths = np.diff(units.table.corpus.offsets)
    return lengths[units.table.sentence].astype(np.float64)


def hapax(units: Units) -> NDArray[np.float64]:
    """1 if the words of the unit, case folded, occur only once in the text, else 0.

    All of the text counts, whether annotated or not; nan for a corpus without text.
    """
    found = units.surfaces
    if found is None:
        return np.full(len(units), np.nan)
    once = np.append(found.occurrences <= 1, False)  # the last place serves -1
    return once[found.codes].astype(np.float64)


def ambiguity(units: Units) -> NDArray[np.float64]:
    """How many labels the gold units with these words, case folded, have.

    0 for words that are never a gold unit; nan for a corpus without text.
    """
    found = units.surfaces
    if found is None:
        return np.full(len(units), np.nan)
    table = units.table
    gold = table.is_gold & (found.codes >= 0)
    pairs = np.unique(found.codes[gold] * max(table.n_labels, 1) + table.label[gold])
    labels = np.bincount(pairs // max(table.n_labels, 1), minlength=len(found))
    return np.append(labels, 0)[found.codes].astype(np.float64)


def label(units: Units) -> Coded:
    """The label of the unit itself: of gold units the gold label."""
    return Coded(units.table.label, units.table.labels)
