"""How much of a sentence is annotated, and how deep a unit lies in other units.

>>> from dataclasses import replace
>>> from finegrain.attributes.units import Units
>>> from finegrain.corpus import Corpus, Spans
>>> from finegrain.tasks.spans import align
>>> text = Corpus.of([["Life", "in", "New", "York", "is", "fun", "."]])
>>> gold = replace(text, spans=Spans.of([(0, 2, 4, "LOC"), (0, 2, 3, "ADJ")]))
>>> table = align(gold, {"same": gold})
>>> [table.text(row) for row in range(2)]
['New', 'New York']
>>> units = Units(table)
>>> entity_density(units).round(2).tolist()       # 2 of 7 tokens: Fu et al. (2020), figure 3
[0.29, 0.29]
>>> nesting_depth(units).tolist()
[1.0, 0.0]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.attributes.learnt import of_sentences
from finegrain.attributes.units import Units
from finegrain.corpus.phrases import span_tokens
from finegrain.table.unit_spans import unit_spans


def entity_density(units: Units) -> NDArray[np.float64]:
    """Tokens in gold units / tokens of the sentence; tokens, as in the paper's figure 3.

    It comes from the gold annotation for predicted units too: 0 for a unit that was invented in a
    sentence without gold units.
    """
    table = units.table
    marked = np.zeros(table.corpus.n_tokens, bool)
    gold = unit_spans(table).take(np.flatnonzero(table.is_gold))
    marked[span_tokens(gold, table.corpus.offsets).tokens] = True
    return of_sentences(table, marked)


def nesting_depth(units: Units) -> NDArray[np.float64]:
    """How many gold units, longer than the unit, reach from before or at its begin to its end.

    0 for a unit that lies in no other; the gaps of discontinuous units are not looked at.
    """
    table = units.table
    depth = np.zeros(len(table))
    apart = table.sentence.astype(np.int64) * (int(table.end.max(initial=0)) + 1)
    begin, end = apart + table.begin, apart + table.end
    gold = np.flatnonzero(table.is_gold)
    gold = gold[np.lexsort((end[gold], begin[gold]))]
    if not len(gold):
        return depth
    reach = np.maximum.accumulate(end[gold])  # a unit that ends behind it lies in no gold unit
    left = np.arange(len(table))
    place = np.searchsorted(begin[gold], begin, side="right") - 1
    while len(left):
        on = place >= 0
        on[on] = reach[place[on]] >= end[left[on]]
        left, place = left[on], place[on]
        outer = gold[place]
        same = (begin[outer] == begin[left]) & (end[outer] == end[left])
        depth[left] += (end[outer] >= end[left]) & ~same
        place = place - 1
    return depth
