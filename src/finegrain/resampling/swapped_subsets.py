r"""In which subsets of units two systems differ, beyond chance.

Outputs are exchanged in each cluster (document, else sentence) with probability 1/2, all subsets at
once. Of subset k, with hits h and size s of both systems in cluster d, and their common rate r,

.. math:: X_{dk} = (h'_{dk} - r_k s'_{dk}) - (h_{dk} - r_k s_{dk}) \qquad T_k = \sum_d X_{dk}

Over gold units sizes are equal and X is the difference of hits, so this tests recall; over the
predictions of each it tests precision. An exchange turns the sign of X. T is studentised by the
larger of two variances: that of exchanging single units, and the one that the clusters show.

>>> right = np.repeat([[True, True], [True, False], [False, True]], [60, 40, 8], axis=0)
>>> every = Subsets(np.zeros((108, 1), np.int32), 1)
>>> found = swapped(Outputs(right, np.ones_like(right)), every, np.arange(108))
>>> found.effect.round(3).tolist(), (found.p <= 0.001).tolist()          # (68 - 100) / 108
([-0.296], [True])
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.resampling.against_rest import RESAMPLES, Family
from finegrain.resampling.distinct import Pair, distinct, paired
from finegrain.resampling.drawing import swap
from finegrain.resampling.intervals import LEVEL, SEED
from finegrain.resampling.max_t import critical, step_down
from finegrain.resampling.subsets import Cells, Floats, Subsets, cells_of

_ZERO = 1e-9
_SHARE = 0.25  # of the squares of single items that variance is at least


class Outputs(NamedTuple):
    """``[item, 2]`` whether each system is right about an item, and whether the item is its."""

    hits: NDArray[np.bool_]
    sizes: NDArray[np.bool_]


class _Scores(NamedTuple):
    """X of cells, what it would be for an effect of 1, and ``[subset]``: rates of both systems.

    ``correction`` is n / (n - 1) for n clusters, ``least`` the sum of squares of single items.
    """

    cells: Cells
    change: Floats
    expected: Floats
    rates: Floats
    correction: Floats
    least: Floats


def _scores(outputs: Outputs, subsets: Subsets, cluster: IntArray) -> _Scores:
    cells = cells_of(subsets, cluster)
    hits, sizes = (
        np.stack([cells.weigh(part[:, system].astype(float)) for system in (0, 1)], axis=1)
        for part in outputs
    )
    all_hits, all_sizes = (
        np.stack([cells.sums(part[:, system]) for system in (0, 1)], axis=1)
        for part in (hits, sizes)
    )
    both = all_sizes.sum(axis=1)
    rate = np.divide(all_hits.sum(axis=1), both, out=np.zeros(len(both)), where=both > 0)
    change = np.diff(hits, axis=1)[:, 0] - rate[cells.subset] * np.diff(sizes, axis=1)[:, 0]
    change[np.abs(change) < _ZERO] = 0.0
    hit, size = (np.diff(part.astype(float), axis=1)[:, 0] for part in outputs)
    squares = [cells.sums(cells.weigh(one)) for one in (hit * hit, hit * size, size * size)]
    least = squares[0] - 2 * rate * squares[1] + rate**2 * squares[2]
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = all_hits / all_sizes
        turned = (all_sizes[:, ::-1] / both[:, None])[cells.subset]
    clusters = np.maximum(cells.sums(np.ones(len(change))), 2)
    expected = (sizes * turned).sum(axis=1)
    return _Scores(cells, change, expected, rates, clusters / (clusters - 1), least)


def swapped(
    outputs: Outputs,
    subsets: Subsets,
    cluster: IntArray,
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Family:
    """Compare the second system with the first in every subset of items."""
    found = _scores(outputs, subsets, cluster)
    sums = np.concatenate(
        [found.cells.sums(found.change), found.cells.sums(found.change * found.expected)]
    )
    drawn = swap(_as_pair(found, subsets.size), resamples=resamples, seed=seed)
    studentised = _studentised(found, drawn.other - drawn.one).value.astype(np.float32)
    threshold = critical(studentised, level=level)
    seen = _studentised(found, sums)
    effect = found.rates[:, 1] - found.rates[:, 0]
    error = threshold * seen.spread / found.cells.sums(found.expected)
    p = step_down(seen.value, studentised)
    return Family(effect, effect - error, effect + error, p, seen.value, threshold)


def _as_pair(found: _Scores, size: int) -> Pair:
    """X and X times its weight ``[cluster, 2 x subset]``, to be exchanged with nothing."""
    differ = found.change != 0
    used, row = np.unique(found.cells.cluster[differ], return_inverse=True)
    dense = np.zeros((max(1, len(used)), 2 * size))
    dense[row, found.cells.subset[differ]] = found.change[differ]
    dense[row, size + found.cells.subset[differ]] = (found.change * found.expected)[differ]
    return paired(distinct(np.zeros_like(dense)), distinct(dense))


class _Studentised(NamedTuple):
    """``[..., subset]``: the size of T in standard errors, and the standard error."""

    value: Floats
    spread: Floats


def _studentised(found: _Scores, sums: Floats) -> _Studentised:
    """From the sums ``[..., 2 x subset]`` of X and of X times its weight."""
    total, weighed = np.split(sums, 2, axis=-1)
    add = found.cells.sums
    squares, weights = add(found.change * found.change), add(found.expected * found.expected)
    effect = total / np.maximum(add(found.expected), _ZERO)
    shown = (squares - 2 * effect * weighed + effect**2 * weights) * found.correction
    single = np.maximum(found.least - np.abs(effect * total), _SHARE * found.least)
    spread = np.sqrt(np.maximum(single, shown))
    return _Studentised(np.abs(total) / np.where(found.least > _ZERO, spread, np.inf), spread)


def given_other(
    outputs: Outputs, one: NDArray[np.bool_], other: NDArray[np.bool_], cluster: IntArray
) -> float:
    """The studentised effect of a subset, given that of another one; memberships are ``[item]``.

    What the second subset lets expect for the items that both have is taken away. Where the first
    is nearly all of the second, the few items between them may not differ at all by chance, so
    items of the second have at least the variance that they have on average.
    """
    size = outputs.sizes.sum(axis=1)
    common = float(size[one & other].sum() / max(1, size[other].sum()))
    mine, theirs = _changes(outputs, one), _changes(outputs, other)
    left = mine - common * theirs
    _, codes = np.unique(cluster, return_inverse=True)
    weights = np.bincount(codes, np.abs(one - common * other) * size)
    telling = max(2, int(np.count_nonzero(weights)))
    sums = np.bincount(codes, left)
    total = float(sums.sum())
    residual = sums - total / max(float(weights.sum()), _ZERO) * weights
    shown = float(residual @ residual) * telling / (telling - 1)
    squares = float(left @ left)
    single = squares - total**2 / max(float(weights.sum()), _ZERO)
    weighed = float((one[other] - common) ** 2 @ size[other])
    beyond = _scatter(left[~other], float(size[one & ~other].sum()))
    pooled = (
        _scatter(theirs, float(size[other].sum())) / max(1, size[other].sum()) * weighed + beyond
    )
    variance = max(single, _SHARE * squares, shown, pooled)
    return total / variance**0.5 if variance > _ZERO else 0.0


def _scatter(values: Floats, weight: float) -> float:
    """The sum of squares around the mean of items of this weight."""
    return float(values @ values) - float(values.sum()) ** 2 / max(weight, _ZERO)


def _changes(outputs: Outputs, members: NDArray[np.bool_]) -> Floats:
    """``[item]`` how much more the second system is right about a member than the first."""
    hits, sizes = outputs.hits[members], outputs.sizes[members]
    rate = hits.sum() / max(1, sizes.sum())
    found = np.zeros(len(members))
    found[members] = np.diff(hits - rate * sizes, axis=1)[:, 0]
    return found
