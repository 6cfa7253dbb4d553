"""Where a word stands in its gold tree: how far away its head is, how deep, beside how many others.

After McDonald and Nivre (2007). All of them describe the gold tree, so that a bucket holds the same
words for every system.

>>> from finegrain.attributes.units import Units
>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.dependencies import align
>>> heads_of = [["2", "0", "4", "2"]]
>>> gold = Corpus.of(
...     [["she", "saw", "old", "dogs"]], head=heads_of, deprel=[["nsubj", "root", "amod", "obj"]]
... )
>>> units = Units(align(gold, {"same": gold}))
>>> arc_length(units).tolist(), list(arc_direction(units))
([1.0, 0.0, 1.0, 2.0], ['right', 'root', 'right', 'left'])
>>> root_distance(units).tolist(), siblings(units).tolist()
([2.0, 1.0, 3.0, 2.0], [1.0, 0.0, 0.0, 1.0])
>>> list(projectivity(units))
['projective', 'projective', 'projective', 'projective']
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.attributes.units import Units
from finegrain.corpus import LAYER, Coded
from finegrain.corpus.trees import ROOT, depths, heads, reach_root

DIRECTIONS = ("left", "right", "root")
NO_LAYER = "(none)"
_SHAPES = ("projective", "crossing")


class _Arcs(NamedTuple):
    """``word``: ``[unit]`` its token in the corpus; ``head``: ``[token]`` its head."""

    word: NDArray[np.int64]
    head: NDArray[np.int32]


def _arcs(units: Units) -> _Arcs:
    table = units.table
    word = table.corpus.offsets[table.sentence] + table.begin
    return _Arcs(np.asarray(word, np.int64), heads(table.corpus))


def arc_length(units: Units) -> NDArray[np.float64]:
    """How many words away the gold head is; 0 for the root."""
    word, head = _arcs(units)
    own = head[word]
    return np.where(own < 0, 0, np.abs(own - word)).astype(np.float64)


def arc_direction(units: Units) -> Coded:
    """Whether the gold head is to the left or to the right; ``root`` for the root."""
    word, head = _arcs(units)
    own = head[word]
    return Coded(np.where(own < 0, 2, (own > word).astype(np.int8)).astype(np.int8), DIRECTIONS)


def root_distance(units: Units) -> NDArray[np.float64]:
    """How many arcs lead from the artificial root to the word; nan in a cycle."""
    word, head = _arcs(units)
    depth = depths(head)[word].astype(np.float64)
    depth[depth == 0] = np.nan
    return depth


def tree_depth(units: Units) -> NDArray[np.float64]:
    """The largest distance to the root in the sentence."""
    corpus = units.table.corpus
    deepest = np.zeros(corpus.n_sentences)
    np.maximum.at(deepest, corpus.sentence_of_tokens(), depths(heads(corpus)))
    return deepest[units.table.sentence]


def siblings(units: Units) -> NDArray[np.float64]:
    """How many other words have the same gold head; 0 for the root."""
    word, head = _arcs(units)
    children = np.bincount(head[head >= 0], minlength=len(head))
    own = head[word]
    return np.where(own < 0, 0, children[own] - 1).astype(np.float64)


def projectivity(units: Units) -> Coded:
    """Whether all words between a word and its gold head descend from that head, or some do not."""
    word, head = _arcs(units)
    longest = int(np.diff(units.table.corpus.offsets).max(initial=0))
    return Coded(_crossing(head, longest)[word].astype(np.int8), _SHAPES)


def _crossing(head: NDArray[np.int32], longest: int) -> NDArray[np.bool_]:
    """``[token]`` whether a word between it and its head does not descend from that head.

    Only one whose own head lies outside of the stretch, or that is below a cycle, may not: these
    are followed upwards, in at most as many steps as the ``longest`` sentence has words.

    >>> _crossing(np.array([-1, 0, 4, 0, 0], np.int32), 5).tolist()    # the fourth is not below 4
    [False, False, True, False, False]
    """
    rows = np.flatnonzero(head >= 0)
    low, high = np.minimum(rows, head[rows]), np.maximum(rows, head[rows])
    rooted = reach_root(head)
    crossed = np.zeros(len(head), bool)
    step = 1
    while len(rows):
        inside = (low + step < high) & ~crossed[rows]
        rows, low, high = rows[inside], low[inside], high[inside]
        between = low + step
        other = head[between]
        doubtful = (other < low) | (other > high) | ~rooted[between]
        doubted = rows[doubtful]
        crossed[doubted] = ~_descend(head, between[doubtful], head[doubted], longest)
        step += 1
    return crossed


def _descend(
    head: NDArray[np.int32], word: NDArray[np.int64], above: NDArray[np.int32], most: int
) -> NDArray[np.bool_]:
    """``[row]`` whether the way up from a word comes to the word ``above``."""
    found = np.zeros(len(word), bool)
    rows, at = np.arange(len(word)), head[word]
    for _ in range(most):
        found[rows[at == above[rows]]] = True
        further = (at >= 0) & ~found[rows]
        rows, at = rows[further], head[at[further]]
        if not len(rows):
            break
    return found


def head_upos(units: Units) -> Coded:
    """The gold part of speech of the gold head; ``root`` for the root."""
    word, head = _arcs(units)
    layers = units.table.corpus.layers
    column = layers.get("upos", layers.get(LAYER))
    if column is None:
        return Coded(np.zeros(len(word), np.int8), (NO_LAYER,))
    own = head[word]
    codes = np.append(column.codes.astype(np.int64), len(column.names))  # the last serves ROOT
    return Coded(codes[np.where(own == ROOT, -1, own)], (*column.names, "root"))
