"""How many units were solved by how many systems, for any number of systems at once.

Which systems are right about a unit is a pattern of bits. Patterns are counted, and bins are read
off their counts, so that a unit is touched once, and not once for every system.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> text = [["a", "b", "c"]]
>>> table = align(
...     Corpus.of(text, tags=[["N", "V", "N"]]),
...     {"one": Corpus.of(text, tags=[["N", "N", "V"]]),
...      "two": Corpus.of(text, tags=[["N", "V", "D"]])},
... )
>>> found = solved(table)
>>> found.sizes.tolist()             # of group 0: c by no system, b by one, a by both
[[1, 1, 1]]
>>> found.counts.tolist()            # group, system, bin
[[[0, 0, 1], [0, 1, 1]]]
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.verdicts import right

_ROWS = 1 << 20  # units counted at once
_PIECE = 1 << 15  # units looked at at once, so that they stay in the cache
_CELLS = 1 << 20  # counters at once
_BITS = 20  # systems in one pattern, at most: with seven bits to shift they fit into four bytes


class Solved(NamedTuple):
    """``sizes``: ``[group, bin]`` gold units that so many systems are right about.

    ``counts``: ``[group, system, bin]`` those of them that the system is right about.
    """

    sizes: NDArray[np.int64]
    counts: NDArray[np.int64]


class _Run(NamedTuple):
    """Some systems side by side: the first of them, and how many."""

    first: int
    size: int


def solved(table: OutcomeTable, group: IntArray | None = None, *, groups: int = 1) -> Solved:
    """Count gold units by the number of systems that are right; ``group``: ``[unit]``, from 0."""
    systems = table.n_systems
    if not systems:
        members = table.is_gold if group is None else group[table.is_gold]
        by_group = [members.sum()] if group is None else np.bincount(members, minlength=groups)
        sizes = np.asarray(by_group, np.int64).reshape(groups, 1)
        return Solved(sizes, np.zeros((groups, 0, 1), np.int64))
    runs = _runs(systems, groups)
    tables = [np.zeros((groups, systems - run.size + 1, 1 << run.size), np.int64) for run in runs]
    for patterns, of_group in _blocks(table, group, runs):
        outside = _others(patterns, runs)
        for run, counted, codes, rest in zip(runs, tables, patterns, outside, strict=True):
            key = codes
            if rest is not None:
                key = key + (rest << run.size)
            if of_group is not None:
                key = key + of_group.astype(np.int64) * counted[0].size
            of_block = np.bincount(key, minlength=counted.size).reshape(counted.shape)
            np.add(counted, of_block, out=counted)
    parts = [_by_system(counted, run.size) for run, counted in zip(runs, tables, strict=True)]
    counts = np.zeros((groups, systems, systems + 1), np.int64)
    counts[..., 1:] = np.concatenate(parts, axis=1)
    bare = tables[0]
    for _ in range(runs[0].size):
        bare = _without(bare, "last")
    return Solved(bare[..., 0], counts)


def _runs(systems: int, groups: int) -> list[_Run]:
    """Runs of systems, as even and as few as the number of counters allows."""
    largest = 1
    for size in range(1, min(systems, _BITS) + 1):
        if groups * (systems - size + 1) << size <= _CELLS:
            largest = size
    number = -(-systems // largest)
    ends = [place * systems // number for place in range(number + 1)]
    return [_Run(first, end - first) for first, end in pairwise(ends)]


def _blocks(
    table: OutcomeTable, group: IntArray | None, runs: list[_Run]
) -> Iterator[tuple[list[IntArray], IntArray | None]]:
    """Patterns of every run, and groups, of gold units; many at a time, made of small pieces."""
    for at in range(0, len(table), _ROWS):
        pieces, of_groups = [], []
        end = min(at + _ROWS, len(table))
        for start in range(at, end, _PIECE):
            rows = slice(start, min(start + _PIECE, end))
            verdict, gold = right(table, rows), table.is_gold[rows]
            all_gold = bool(gold.all())
            pieces.append(_patterns(verdict if all_gold else verdict[gold], runs))
            if group is not None:
                of_groups.append(group[rows] if all_gold else group[rows][gold])
        patterns = [np.concatenate(of_run) for of_run in zip(*pieces, strict=True)]
        yield patterns, np.concatenate(of_groups) if of_groups else None


def _patterns(verdict: NDArray[np.bool_], runs: list[_Run]) -> list[IntArray]:
    """``[unit]`` for every run of systems: one bit per system, the first one lowest.

    The bits of all units stand in a row. Those of eight units fill whole bytes, so the bits of
    every eighth unit begin at the same place of a byte, and are loaded together.
    """
    units, systems = verdict.shape
    stride, eighths = systems, -(-units // 8)
    bits = np.zeros(eighths * stride + 4, np.uint8)  # four more, to load four bytes anywhere
    packed = np.packbits(np.ascontiguousarray(verdict).reshape(-1), bitorder="little")
    bits[: len(packed)] = packed
    found = []
    for run in runs:
        codes = np.empty((eighths, 8), np.int64)
        for place in range(8):
            byte, shift = divmod(place * systems + run.first, 8)
            word: NDArray[Any] = np.ndarray(
                (eighths,), np.dtype("<u4"), buffer=bits, offset=byte, strides=(stride,)
            )
            codes[:, place] = (word >> np.uint32(shift)) & np.uint32((1 << run.size) - 1)
        found.append(codes.reshape(-1)[:units])
    return found


def _others(patterns: list[IntArray], runs: list[_Run]) -> list[IntArray | None]:
    """``[unit]`` for every run: how many systems outside of it are right; ``None`` if none is."""
    if len(runs) == 1:
        return [None]
    ones = np.zeros(1, np.int64)
    for _ in range(max(run.size for run in runs)):
        ones = np.concatenate([ones, ones + 1])
    own = [ones.take(codes) for codes in patterns]
    every = np.sum(own, axis=0)
    return [every - one for one in own]


def _by_system(counted: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """``[group, system of the run, bin - 1]`` from ``[group, right outside, pattern]``.

    Half of the systems are taken out of the patterns, then the other half, and so on: what is left
    in the end is a pattern of one system.
    """
    if size == 1:
        return counted[:, None, :, 1]
    half = size // 2
    lower = upper = counted
    for _ in range(size - half):
        lower = _without(lower, "last")
    for _ in range(half):
        upper = _without(upper, "first")
    return np.concatenate([_by_system(lower, half), _by_system(upper, size - half)], axis=1)


def _without(counted: NDArray[np.int64], system: str) -> NDArray[np.int64]:
    """The same counts with the first or last system of the patterns outside of them."""
    groups, outside, patterns = counted.shape
    if system == "first":
        halves = counted.reshape(groups, outside, patterns // 2, 2)
        wrong, is_right = halves[..., 0], halves[..., 1]
    else:
        wrong, is_right = counted[..., : patterns // 2], counted[..., patterns // 2 :]
    result = np.zeros((groups, outside + 1, patterns // 2), np.int64)
    result[:, :-1] += wrong
    result[:, 1:] += is_right
    return result
