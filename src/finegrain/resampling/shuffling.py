"""Shuffles of losses: of which items are wrong, or of how bad they are.

Numbers are put into a random order. Of what is only right or wrong, every choice of as many items
is equally likely, which needs fewer random numbers:

=================  ================================================================================
everywhere         each item is taken with a chance that is a little too low; what is missing is
                   drawn item by item. However many the first step takes, every set of so many items
                   is equally likely, and so is every set after the second step
within clusters    by sorting random numbers; where there are many items, those of clusters with few
                   wrong ones by Floyd's method (Bentley and Floyd 1987), all clusters at once
=================  ================================================================================

>>> wrong = np.array([True, False, False, True, False, False, False])
>>> shuffle = everywhere(wrong)
>>> np.flatnonzero(shuffle(np.random.default_rng(1))).tolist()
[0, 1]
>>> within = within_clusters(wrong, np.array([0, 0, 0, 1, 1, 1, 1]))         # one in each cluster
>>> np.flatnonzero(within(np.random.default_rng(1))).tolist()
[2, 4]
>>> seconds = within_clusters(np.array([1.0, 2.0, 3.0, 10.0, 20.0]), np.array([0, 0, 0, 1, 1]))
>>> seconds(np.random.default_rng(1)).tolist()
[3.0, 1.0, 2.0, 20.0, 10.0]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.resampling.chances import random_bits

Losses = NDArray[np.bool_] | NDArray[np.float64]
Shuffled = Callable[[np.random.Generator], Losses]
"""A generator -> ``[item]`` whether it is wrong after a shuffle, or how bad it is."""


class _Round(NamedTuple):
    """``[cluster]`` where clusters begin, and the last of their items that can be drawn.

    ``draws`` says which of the numbers of a shuffle are drawn for them.
    """

    start: IntArray
    last: IntArray
    draws: slice


_FEW = 32  # wrong items of a cluster that are drawn one by one
_SORTED = 1 << 12  # items that are sorted faster than they are drawn
_BITS = np.dtype("<u2")
_VALUES = 1 << 16


def everywhere(losses: Losses) -> Shuffled:
    """Any of all items can be wrong, or have any of the losses."""
    if losses.dtype != bool:
        return lambda generator: generator.permutation(losses)
    wrong = losses
    size, errors = len(wrong), int(wrong.sum())
    rare = min(errors, size - errors)  # of what is rarer, wrong or right
    edge = math.floor(max(0.0, rare - 3 * math.sqrt(rare)) / max(1, size) * _VALUES)

    def shuffled(generator: np.random.Generator) -> NDArray[np.bool_]:
        chosen: NDArray[np.bool_] = random_bits(generator, (1, size), _BITS)[0] < edge
        _reach(generator, chosen, rare)
        return chosen if rare == errors else ~chosen

    return shuffled


def _reach(generator: np.random.Generator, chosen: NDArray[np.bool_], wanted: int) -> None:
    """Take items, or give them back, until so many are chosen."""
    missing = wanted - int(np.count_nonzero(chosen))
    if missing < 0:
        taken = np.flatnonzero(chosen)
        chosen[generator.permutation(taken)[missing:]] = False
    while missing > 0:
        drawn = generator.integers(0, len(chosen), missing)
        new = np.unique(drawn[~chosen[drawn]])  # one that is drawn again counts once
        chosen[new] = True
        missing -= len(new)


def within_clusters(losses: Losses, cluster: IntArray) -> Shuffled:
    """Each cluster keeps its losses; items stand in the order of clusters, from 0."""
    if losses.dtype != bool:
        return lambda generator: losses[np.argsort(cluster + generator.random(len(losses)))]
    wrong = losses
    sizes = np.bincount(cluster)
    errors = np.bincount(cluster, wrong, len(sizes)).astype(np.int64)
    rare = np.minimum(errors, sizes - errors)
    starts = np.cumsum(sizes) - sizes
    turned = np.flatnonzero((errors > rare)[cluster])
    few_of_many = _FEW if len(wrong) > _SORTED else 0
    few = np.flatnonzero((rare > 0) & (rare <= few_of_many))
    few = few[np.argsort(-rare[few], kind="stable")]
    rounds, until = _rounds(starts[few], sizes[few], rare[few])
    sorted_items = np.flatnonzero((rare > few_of_many)[cluster])
    code = cluster[sorted_items]
    first = np.arange(len(code)) - np.searchsorted(code, code) < rare[code]

    def shuffled(generator: np.random.Generator) -> NDArray[np.bool_]:
        chosen = np.zeros(len(wrong), bool)
        numbers = generator.integers(0, until)  # of all rounds at once, which is faster
        for start, last, draws in rounds:
            drawn = start + numbers[draws]
            chosen[np.where(chosen[drawn], last, drawn)] = True
        if len(code):
            order = np.argsort(code + generator.random(len(code)))
            chosen[sorted_items[order[first]]] = True
        chosen[turned] ^= True
        return chosen

    return shuffled


def _rounds(
    starts: IntArray, sizes: IntArray, rare: IntArray
) -> tuple[list[_Round], NDArray[np.int64]]:
    """One round for each item that clusters have drawn, those with most of them first.

    With ``[number]`` what is above the numbers that are drawn for all rounds.
    """
    rounds, untils, at = [], [np.zeros(0, np.int64)], 0
    for number in range(1, int(rare.max(initial=0)) + 1):
        some = slice(0, int(np.count_nonzero(rare >= number)))
        until = (sizes - rare)[some] + number
        rounds.append(_Round(starts[some], starts[some] + until - 1, slice(at, at + len(until))))
        untils.append(until)
        at += len(until)
    return rounds, np.concatenate(untils)
