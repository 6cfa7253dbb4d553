"""Pairs of two sides with the largest gain; among equal gains, those that come first.

``best_pairs`` leaves open which of several equally good pairings is taken. Here the pairs have a
rank: of all pairings with the largest gain the one is taken that has the first pair, of these the
one that has the second, and so on. All of it is computed in whole numbers, so that ties are ties.

>>> from fractions import Fraction
>>> half, whole = Fraction(1, 2), Fraction(1)
>>> ranked_pairs([(0, 0, half), (0, 1, half)])                 # a tie: the first pair
[0]
>>> ranked_pairs([(0, 0, half), (0, 1, whole), (1, 1, half)])  # 1 at best: with pair 0, too
[0, 2]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from finegrain.alignment.assignment import best_pairs

_MANY = 40  # so many rivals on one side: their ties are left to the assignment

Pair = tuple[int, int, Fraction]


def ranked_pairs(pairs: Sequence[Pair]) -> list[int]:
    """The places of the pairs to take, of pairs ``(one, other, gain)`` in the order of their rank.

    Nothing is taken twice, and no pair without a gain.
    """
    taken: list[int] = []
    for group in _groups(pairs):
        rivals = max(len({pairs[at][side] for at in group}) for side in (0, 1))
        if len(group) == 1:
            taken += group
        elif rivals > _MANY:
            columns = np.array([pairs[at][:2] for at in group], np.int64).T
            gain = np.array([float(pairs[at][2]) for at in group])
            found = best_pairs(columns[0], columns[1], gain, np.zeros(len(group), np.int64))
            taken += (at for at, chosen in zip(group, found.tolist(), strict=True) if chosen)
        else:
            taken += _first_of_best([pairs[at] for at in group], group)
    return sorted(taken)


def _groups(pairs: Sequence[Pair]) -> Iterator[list[int]]:
    """Places of pairs that have to do with each other, directly or through others."""
    of_one: dict[int, list[int]] = {}
    of_other: dict[int, list[int]] = {}
    for at, (one, other, _) in enumerate(pairs):
        of_one.setdefault(one, []).append(at)
        of_other.setdefault(other, []).append(at)
    while of_one:
        group: list[int] = []
        waiting = [next(iter(of_one))]
        while waiting:
            here = of_one.pop(waiting.pop(), [])
            group += here
            near = {at for pair in here for at in of_other.pop(pairs[pair][1], [])}
            waiting += {pairs[at][0] for at in near}
        yield sorted(group)


def _first_of_best(pairs: Sequence[Pair], places: Sequence[int]) -> list[int]:
    """Of one group: a place in the ranking is worth more than all later places together."""
    scale = lcm(*(gain.denominator for _, _, gain in pairs))
    size = len(pairs)
    worth = {
        (one, other): (int(gain * scale) << size) + (1 << (size - 1 - rank))
        for rank, (one, other, gain) in enumerate(pairs)
    }
    rows = sorted({one for one, _ in worth})
    columns = sorted({other for _, other in worth})
    matrix = [[worth.get((one, other), 0) for other in columns] for one in rows]
    chosen = {(rows[row], columns[column]) for row, column in enumerate(_assigned(matrix))
              if column < len(columns)}  # fmt: skip
    return [at for at, pair in zip(places, pairs, strict=True) if pair[:2] in chosen]


def _assigned(worth: Sequence[Sequence[int]]) -> list[int]:
    """``[row]`` its column in the assignment of the largest worth; beyond the last for none.

    The Hungarian method in whole numbers: rows come one after the other, and make room along the
    path that costs least. A row may also have one of as many columns that are worth nothing.
    """
    n, m = len(worth), len(worth[0])
    costs = [[-one for one in row] + [0] * n for row in worth]
    of_row, of_column = [0] * n, [0] * (m + n)
    owner = [-1] * (m + n)
    for row in range(n):
        column, path = _make_room(row, costs, of_row, of_column, owner)
        while column >= 0:
            before = path[column]
            owner[column] = owner[before] if before >= 0 else row
            column = before
    found = [m] * n
    for column, row in enumerate(owner):
        if row >= 0:
            found[row] = column
    return found


def _make_room(
    row: int,
    costs: Sequence[Sequence[int]],
    of_row: list[int],
    of_column: list[int],
    owner: Sequence[int],
) -> tuple[int, list[int]]:
    """A free column for a row, and the column before each one on the way to it.

    ``of_row`` and ``of_column`` are the dual variables: no cost is less than their sum.
    """
    free = set(range(len(owner)))
    path = [-1] * len(owner)
    slack: dict[int, int] = {}
    done: list[int] = []
    column, current = -1, row
    while True:
        for at in free:
            left = costs[current][at] - of_row[current] - of_column[at]
            if at not in slack or left < slack[at]:
                slack[at], path[at] = left, column
        column = min(free, key=lambda at: (slack[at], at))
        step = slack[column]
        of_row[row] += step
        for at in done:
            of_row[owner[at]] += step
            of_column[at] -= step
        for at in free:
            slack[at] -= step
        free.remove(column)
        done.append(column)
        if owner[column] < 0:
            return column, path
        current = owner[column]
