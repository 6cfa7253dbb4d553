r"""Bradley and Terry's model: how strong systems are, from which of two wins.

Two systems, the first wins 3 of 4 comparisons: its chance is 3/4, and the log odds are log 3.

>>> strengths(np.array([[0.0, 3.0], [1.0, 0.0]])).round(4).tolist()           # +- log(3) / 2
[0.5493, -0.5493]

A tie counts as half a win for either. Strengths are finite if and only if systems cannot be divided
into two groups of which one never wins against the other (Ford 1957).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_STEPS, _LONGEST, _CLOSE = 100, 2.0, 1e-10  # of Newton's method


def strengths(wins: Floats) -> Floats:
    r"""Strengths :math:`\theta` of systems, in natural log odds; their mean is 0.

    .. math:: P(i \text{ wins against } j) = \frac{1}{1 + e^{-(\theta_i - \theta_j)}}

    ``wins`` ``[..., i, j]``: how often i wins against j, a tie being half a win of each. The
    strengths ``[..., system]`` are those that make the judgements most likely (Bradley and Terry
    1952), found by Newton's method; undefined (nan) where that has no maximum, as for a system that
    always wins.

    >>> strengths(np.array([[0.0, 2.0], [0.0, 0.0]])).tolist()
    [nan, nan]
    """
    given = np.asarray(wins, np.float64)
    flat = given.reshape(-1, *given.shape[-2:])
    systems = flat.shape[-1]
    found = np.full(flat.shape[:-1], np.nan)
    finite = have_maximum(flat)
    found[finite] = _newton(flat[finite])
    return found.reshape(*given.shape[:-2], systems)


def _newton(wins: Floats) -> Floats:
    """Steps of up to 2 towards the maximum of the likelihood, for all draws at once."""
    total = wins + np.swapaxes(wins, 1, 2)
    won = wins.sum(axis=2)
    theta = np.zeros(won.shape)
    left = np.arange(len(wins))
    for _ in range(_STEPS):
        apart = theta[left][:, :, None] - theta[left][:, None, :]
        chance = 1 / (1 + np.exp(-apart))
        slope = won[left] - (total[left] * chance).sum(axis=2)
        bend = total[left] * chance * (1 - chance)
        curve = np.eye(wins.shape[1]) * bend.sum(axis=2)[:, :, None] - bend + 1.0
        step = np.linalg.solve(curve, slope[..., None])[..., 0]
        longest = np.abs(step).max(axis=1, keepdims=True, initial=0.0)
        theta[left] += step * np.minimum(1.0, _LONGEST / np.maximum(longest, _LONGEST))
        left = left[longest[:, 0] > _CLOSE]
        if not len(left):
            break
    theta[left] = np.nan
    centred: Floats = theta - theta.mean(axis=1, keepdims=True)
    return centred


def have_maximum(wins: Floats) -> NDArray[np.bool_]:
    """``[draw]`` whether every system can be reached from every other one by wins and ties."""
    reached = reachable(wins)
    every: NDArray[np.bool_] = np.logical_and.reduce(reached, axis=(1, 2))
    return every


def reachable(edges: Floats) -> NDArray[np.bool_]:
    """``[draw, i, j]`` whether a chain of positive edges leads from i to j."""
    size = edges.shape[-1]
    found = (edges > 0) | np.eye(size, dtype=bool)
    for _ in range(max(1, int(np.ceil(np.log2(max(2, size)))))):
        found = (found.astype(np.float32) @ found.astype(np.float32)) > 0
    return found


def groups(wins: Floats) -> list[list[int]]:
    """Systems that comparisons connect, in groups; more than one group is not identified.

    >>> groups(np.array([[0, 1, 0.0], [0, 0, 0], [0, 0, 0]]))
    [[0, 1], [2]]
    """
    connected = reachable((wins + wins.T)[None])[0]
    found: dict[bytes, list[int]] = {}
    for place, row in enumerate(connected):
        found.setdefault(row.tobytes(), []).append(place)
    return list(found.values())


def pairwise_wins(scores: Floats) -> Floats:
    """``[part, i, j]`` 1 where i has the higher score of a part, 0.5 for a tie; else 0.

    >>> pairwise_wins(np.array([[4.0, 2.0, np.nan]]))[0].tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    one, other = scores[:, :, None], scores[:, None, :]
    wins: Floats = (one > other) + 0.5 * (one == other)
    wins[:, np.arange(scores.shape[1]), np.arange(scores.shape[1])] = 0.0
    return wins
