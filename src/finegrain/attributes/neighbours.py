"""Where a unit stands in its sentence, and the gold labels before and behind it.

>>> from finegrain.attributes.units import Units
>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> gold = Corpus.of([["the", "cat", "sat"]], tags=[["DET", "NOUN", "VERB"]])
>>> units = Units(align(gold, {"same": gold}))
>>> position(units).tolist()
[1.0, 2.0, 3.0]
>>> list(previous_tag(units)), list(next_tag(units))
(['(begin)', 'DET', 'NOUN'], ['NOUN', 'VERB', '(end)'])
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.attributes.units import Units
from finegrain.corpus import Coded, IntArray
from finegrain.table import OutcomeTable

BEGIN, END, NONE = "(begin)", "(end)", "(none)"


def position(units: Units) -> NDArray[np.float64]:
    """The number of the unit's first token in its sentence, counted from 1."""
    return units.table.begin.astype(np.float64) + 1


def previous_tag(units: Units) -> Coded:
    """The gold label of the token before the unit; (begin) at the begin of its sentence.

    (none) for a token that is not a unit, because its label was left out.
    """
    return _label_at(units.table, units.table.begin.astype(np.int64) - 1)


def next_tag(units: Units) -> Coded:
    """The gold label of the token behind the unit; (end) at the end of its sentence.

    (none) for a token that is not a unit, because its label was left out.
    """
    return _label_at(units.table, units.table.end.astype(np.int64))


def _label_at(table: OutcomeTable, position: IntArray) -> Coded:
    """The gold label at a position of the unit's sentence."""
    offsets = table.corpus.offsets
    begin, end, none = range(table.n_labels, table.n_labels + 3)
    by_token = np.full(table.corpus.n_tokens + 1, none, np.int64)  # the last place serves ends
    gold = table.is_gold
    by_token[offsets[table.sentence[gold]] + table.begin[gold]] = table.label[gold]
    length = np.diff(offsets)[table.sentence]
    codes = by_token[offsets[table.sentence] + position]
    codes[position < 0] = begin
    codes[position >= length] = end
    return Coded(codes, (*table.labels, BEGIN, END, NONE))
