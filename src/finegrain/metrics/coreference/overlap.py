r"""Mention overlap ratio: how many words of mentions the mentions of the other side have.

.. math:: R = \frac{\max_g \sum_k |k \cap g(k)|}{\sum_k |k|}, \quad
          P = \frac{\max_g \sum_k |k \cap g(k)|}{\sum_r |r|}

where k are the mentions of the key, r those of the response, |k| is a number of words, and g pairs
every mention with at most one of the other side. Empty nodes count as words. Žabokrtský et al.
(2022) call it MOR.

>>> from dataclasses import replace
>>> from finegrain.corpus import Clusters, Corpus
>>> from finegrain.table.samples import whole
>>> from finegrain.tasks.coreference import align
>>> text = Corpus.of([["the", "old", "man", "saw", "her"]], documents=[0])
>>> key, response = ([(0, 0, 3, "a"), (0, 4, 5, "b")], [(0, 1, 3, "a"), (0, 3, 5, "b")])
>>> corpora = [replace(text, clusters=Clusters.of(one, documents=[0])) for one in (key, response)]
>>> table = align(corpora[0], {"s": corpora[1]})
>>> overlap_counts(table, whole(table)).tolist()     # 2 + 1 of 4 words; of 4 words
[[[3.0, 4.0, 3.0, 4.0]]]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.assignment import best_pairs
from finegrain.alignment.coreference import chain_column
from finegrain.corpus import IntArray
from finegrain.corpus.tag_schemes import ramp
from finegrain.table import OutcomeTable
from finegrain.table.outcome_table import EMPTY_NODES
from finegrain.table.samples import Samples


def overlap_counts(table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
    """``[sample, system, (overlap, key words, overlap, response words)]``."""
    counts = np.zeros((samples.size, table.n_systems, 4))
    in_key = np.flatnonzero(table.columns["chain"] >= 0)
    sizes, words = _words(table)
    key = _sums(samples, in_key, sizes[in_key])
    for system, name in enumerate(table.systems):
        has = np.flatnonzero(table.columns[chain_column(name)] >= 0)
        one, other, shared = _overlaps(words, in_key, has)
        taken = best_pairs(one, other, shared, table.sentence[one])
        met = _sums(samples, one[taken], shared[taken])
        counts[:, system] = np.stack([met, key, met, _sums(samples, has, sizes[has])], axis=-1)
    return counts


def _sums(samples: Samples, rows: IntArray, values: NDArray[np.generic]) -> NDArray[np.float64]:
    return np.bincount(samples.codes[rows], weights=values, minlength=samples.size).astype(float)


def _words(table: OutcomeTable) -> tuple[IntArray, tuple[IntArray, IntArray]]:
    """How many words every row has; and row and word of all of them."""
    gaps = table.token_set
    members = np.array([token for tokens in table.token_sets for token in tokens], np.int64)
    lengths = np.array([0, *map(len, table.token_sets)], np.int64)
    sizes = np.where(gaps > 0, lengths[gaps], table.end - table.begin)
    row = np.repeat(np.arange(len(table)), sizes)
    within = ramp(sizes)
    word = table.begin[row] + within
    with_gaps = gaps[row] > 0
    first = (np.cumsum(lengths) - lengths)[gaps[row]]
    word[with_gaps] = members[(first + within)[with_gaps]]
    longest = int(table.end.max(initial=0)) + 1
    word = table.sentence[row].astype(np.int64) * longest + word
    more = _empty_nodes(table)
    row, word = np.append(row, more[0]), np.append(word, more[1])
    return np.bincount(row, minlength=len(table)), (row, word)


def _empty_nodes(table: OutcomeTable) -> tuple[IntArray, IntArray]:
    """Row and number of all empty nodes of mentions; numbers below 0, as they are not words."""
    rows: list[int] = []
    numbers: list[int] = []
    known: dict[tuple[int, str], int] = {}
    for row, written in enumerate(table.columns.get(EMPTY_NODES, ())):
        for node in written.split():
            rows.append(row)
            numbers.append(known.setdefault((int(table.sentence[row]), node), -1 - len(known)))
    return np.array(rows, np.int64), np.array(numbers, np.int64)


def _overlaps(
    words: tuple[IntArray, IntArray], ours: IntArray, theirs: IntArray
) -> tuple[IntArray, IntArray, NDArray[np.float64]]:
    """Pairs of rows that share words, and how many."""
    row, word = words
    size = max(int(rows.max(initial=-1)) for rows in (row, ours, theirs)) + 1
    mine, other = np.zeros(size, bool), np.zeros(size, bool)
    mine[ours], other[theirs] = True, True
    order = np.argsort(word, kind="stable")
    left, right = order[mine[row[order]]], order[other[row[order]]]
    begin = np.searchsorted(word[right], word[left], side="left")
    count = np.searchsorted(word[right], word[left], side="right") - begin
    one = np.repeat(row[left], count)
    two = row[right][np.repeat(begin, count) + ramp(count)]
    pairs, shared = np.unique(one * max(size, 1) + two, return_counts=True)
    first, second = np.divmod(pairs, max(size, 1))
    return first, second, shared.astype(float)
