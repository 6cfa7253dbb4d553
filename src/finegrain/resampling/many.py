"""Many systems: correct the p of all pairs, group what cannot be told apart, bound the ranks.

Of 66 pairs of twelve equal systems about three differ at p < .05. *Holm* keeps the probability of
any false difference below the level; *Benjamini-Hochberg* keeps the expected share of false ones
among the differences found.

>>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]                # 3 x .01, 2 x .03, 1 x .04
[0.03, 0.06, 0.06]
>>> [round(p, 3) for p in benjamini_hochberg([0.01, 0.04, 0.03])]  # 3/1 x .01, 3/3 x .04, 3/2 x .03
[0.03, 0.04, 0.04]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_LETTERS = "abcdefghijklmnopqrstuvwxyz"

Correction = Callable[[Sequence[float]], list[float]]


def holm(given: Sequence[float]) -> list[float]:
    """Adjusted p after Holm (1979); undefined ones stay undefined and do not count as tests."""
    known = sorted(_known(given))
    adjusted: dict[int, float] = {}
    largest = 0.0
    for rank, (p, place) in enumerate(known):
        largest = max(largest, min(1.0, (len(known) - rank) * p))
        adjusted[place] = largest
    return [adjusted.get(place, math.nan) for place in range(len(given))]


def benjamini_hochberg(given: Sequence[float]) -> list[float]:
    """Adjusted p after Benjamini and Hochberg (1995)."""
    known = sorted(_known(given))
    adjusted: dict[int, float] = {}
    smallest = math.inf  # the largest p stays as it is
    for rank, (p, place) in reversed(list(enumerate(known, start=1))):
        smallest = min(smallest, p * len(known) / rank)
        adjusted[place] = smallest
    return [adjusted.get(place, math.nan) for place in range(len(given))]


def _known(given: Sequence[float]) -> list[tuple[float, int]]:
    return [(p, place) for place, p in enumerate(given) if not math.isnan(p)]


CORRECTIONS: dict[str, Correction] = {
    "holm": holm,
    "benjamini-hochberg": benjamini_hochberg,
    "none": list,
}


def letters(order: Sequence[int], different: NDArray[np.bool_]) -> list[str]:
    """``[system]`` letters such that two systems share one if and only if they may be equal.

    ``order`` are the systems, best first; ``different`` is ``[system, system]``. Compact letter
    display by inserting and absorbing (Piepho 2004). A difference need not be transitive: b may be
    told apart neither from a nor from c although these two differ.

    >>> differ = np.zeros((3, 3), bool); differ[0, 2] = differ[2, 0] = True
    >>> letters([0, 1, 2], differ)
    ['a', 'ab', 'b']
    """
    rank = {system: place for place, system in enumerate(order)}
    groups = [frozenset(order)]
    for one, other in combinations(order, 2):
        if not different[one, other]:
            continue
        split: list[frozenset[int]] = []
        for group in groups:
            both = one in group and other in group
            split += [group - {one}, group - {other}] if both else [group]
        groups = _largest(split)
    groups.sort(key=lambda group: sorted(rank[system] for system in group))
    shown = [""] * len(order)
    for place, group in enumerate(groups):
        for system in group:
            shown[system] += _letter(place)
    return shown


def _largest(groups: list[frozenset[int]]) -> list[frozenset[int]]:
    """Without groups that are part of another."""
    kinds = list(dict.fromkeys(groups))
    return [one for one in kinds if not any(one < other for other in kinds)]


def _letter(place: int) -> str:
    more, rest = divmod(place, len(_LETTERS))
    return (_letter(more - 1) if more else "") + _LETTERS[rest]


class Ranks(NamedTuple):
    """``[system]`` the best and the worst rank that a system may have; 1 is the best."""

    best: NDArray[np.int64]
    worst: NDArray[np.int64]


def ranks(values: NDArray[np.float64], different: NDArray[np.bool_]) -> Ranks:
    """Which ranks agree with the pairwise tests: below all better systems, above all worse ones.

    Where the tests hold together, so do the intervals of all ranks (Mogstad, Romano, Shaikh and
    Wilhelm 2024). The ranks of bootstrap resamples promise less than they say: systems that are
    nearly equal hardly ever share their rank in a resample.

    >>> ranks(np.array([0.9, 0.8, 0.7]), np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool))
    Ranks(best=array([1, 1, 2]), worst=array([2, 3, 3]))
    """
    higher = values[:, None] > values[None, :]
    beaten_by = (different & higher).sum(axis=0)
    beats = (different & higher).sum(axis=1)
    return Ranks(1 + beaten_by, len(values) - beats)
