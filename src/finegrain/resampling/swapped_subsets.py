r"""In which subsets of units two systems differ, beyond chance.

Outputs are exchanged in each cluster (document, else sentence) with probability 1/2, all subsets at
once. Of subset k, with hits h and size s of both systems in cluster d, and their common rate r,

.. math:: X_{dk} = (h'_{dk} - r_k s'_{dk}) - (h_{dk} - r_k s_{dk}) \qquad T_k = \sum_d X_{dk}

Over gold units sizes are equal and X is the difference of hits, so this tests recall; over the
predictions of each it tests precision. Hits may be any numbers that are larger for a better output:
then rates are means. An exchange turns the sign of X. T is studentised by the
larger of two variances: that of exchanging single units, and the one that the clusters show.

>>> right = np.repeat([[True, True], [True, False], [False, True]], [60, 40, 8], axis=0)
>>> every = Subsets(np.zeros((1, 108), np.int32), 1)
>>> found = swapped(Outputs(right, np.ones_like(right)), every, np.arange(108))
>>> found.effect.round(3).tolist(), (found.p <= 0.001).tolist()          # (68 - 100) / 108
([-0.296], [True])
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.metrics.label_statistics import Cells as LabelCells
from finegrain.resampling.intervals import LEVEL, SEED
from finegrain.resampling.label_sums import weighted_sums
from finegrain.resampling.labelled import Size, distinct_cells
from finegrain.resampling.max_t import critical, step_down
from finegrain.resampling.sign_flips import RESAMPLES, Family
from finegrain.resampling.subsets import Floats, Subsets, cells_of
from finegrain.resampling.swapping import swaps

_ZERO = 1e-9
_SHARE = 0.25  # of the squares of single items that variance is at least


class Outputs(NamedTuple):
    """``[item, 2]`` whether each system is right about an item, and whether the item is its.

    ``hits`` may say how good an output is instead; they are 0 where an item is not the system's.
    """

    hits: NDArray[np.bool_] | Floats
    sizes: NDArray[np.bool_]

    def scaled(self) -> tuple[Outputs, float]:
        """Outputs whose hits differ by 1 at most, and what that is in the hits of these."""
        apart = 0.0
        if self.hits.dtype != bool:
            apart = float(np.abs(self.hits[:, 1] - self.hits[:, 0]).max(initial=0.0))
        return (Outputs(self.hits / apart, self.sizes), apart) if apart else (self, 1.0)


class _Scores(NamedTuple):
    """X of the cells that differ, what it would be for an effect of 1, and sums ``[subset]``.

    ``rates`` are ``[subset, 2]``; ``correction`` is n / (n - 1) for n clusters, ``least`` the sum
    of squares of single items; ``expected`` and the squares are sums over all cells.
    """

    subset: IntArray
    cluster: IntArray
    change: Floats
    weight: Floats
    rates: Floats
    correction: Floats
    least: Floats
    expected: Floats
    squared_changes: Floats
    squared_weights: Floats

    def totals(self) -> Floats:
        """``[2 x subset]`` sums of X, and of X times its weight."""
        size = len(self.least)
        values = (self.change, self.change * self.weight)
        return np.concatenate([np.bincount(self.subset, part, size) for part in values])


def _scores(outputs: Outputs, subsets: Subsets, cluster: IntArray) -> _Scores:
    """Grouping by grouping: all cells at once take ten times the memory."""
    parts = [_of_grouping(outputs, own, cluster, which.start) for which, own in subsets.apart()]
    return _Scores(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _of_grouping(outputs: Outputs, subsets: Subsets, cluster: IntArray, first: int) -> _Scores:
    cells = cells_of(subsets, cluster)
    hits, sizes = (
        [cells.weigh(part[:, system].astype(float)) for system in (0, 1)] for part in outputs
    )
    all_hits, all_sizes = (
        np.stack([cells.sums(of_system) for of_system in part], axis=1) for part in (hits, sizes)
    )
    both = all_sizes.sum(axis=1)
    rate = np.divide(all_hits.sum(axis=1), both, out=np.zeros(len(both)), where=both > 0)
    change = hits[1] - hits[0] - rate[cells.subset] * (sizes[1] - sizes[0])
    change[np.abs(change) < _ZERO] = 0.0
    hit, size = (part[:, 1].astype(float) - part[:, 0] for part in outputs)
    squares = [cells.sums(cells.weigh(one)) for one in (hit * hit, hit * size, size * size)]
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = all_hits / all_sizes
        turned = all_sizes[:, ::-1] / both[:, None]
    expected = sum(sizes[system] * turned[cells.subset, system] for system in (0, 1))
    clusters = np.maximum(np.diff(cells.starts), 2)
    differ = np.flatnonzero(change)
    return _Scores(
        cells.subset[differ] + first,
        cells.cluster[differ],
        change[differ],
        expected[differ],
        rates,
        clusters / (clusters - 1),
        squares[0] - 2 * rate * squares[1] + rate**2 * squares[2],
        cells.sums(expected),
        cells.sums(change * change),
        cells.sums(expected * expected),
    )


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
    outputs, unit = outputs.scaled()
    found = _scores(outputs, subsets, cluster)
    drawn = _exchanged(found, subsets.size, resamples=resamples, seed=seed)
    studentised = _studentised(found, drawn).value.astype(np.float32)
    threshold = critical(studentised, level=level)
    seen = _studentised(found, found.totals())
    effect = found.rates[:, 1] - found.rates[:, 0]
    error = seen.spread / found.expected
    wide = threshold * error
    p = step_down(seen.value, studentised)
    ends = effect - wide, effect + wide
    return Family(effect, *ends, p, seen.value, threshold, error).times(unit)


def _exchanged(found: _Scores, size: int, *, resamples: int, seed: int) -> Floats:
    """``[resample, 2 x subset]`` sums of X, and of X times its weight, after random exchanges.

    An exchange turns the signs of a cluster, so it does not matter which ones it had: clusters that
    differ in nothing but their signs are alike, and of each kind the number of exchanges is drawn.
    """
    order = np.lexsort((found.subset, found.cluster))
    used, row = np.unique(found.cluster[order], return_inverse=True)
    change = found.change[order]
    turned = change * np.sign(change[np.searchsorted(row, np.arange(len(used)))])[row]
    values = np.stack([turned, turned * found.weight[order]], axis=1)
    cells = LabelCells(row, found.subset[order], values)
    given = distinct_cells(cells, Size(len(used), size))

    def drawn() -> Iterator[NDArray[np.float32]]:
        return swaps(given.counts, resamples=resamples, seed=seed)

    sums = np.empty((resamples, 2, size))
    for subsets, moved in weighted_sums(given, drawn, resamples):
        sums[:, :, subsets] = np.swapaxes(moved, 1, 2)
    return (given.total().T - 2 * sums).reshape(resamples, 2 * size)


class _Studentised(NamedTuple):
    """``[..., subset]``: the size of T in standard errors, and the standard error."""

    value: Floats
    spread: Floats


def _studentised(found: _Scores, sums: Floats) -> _Studentised:
    """From the sums ``[..., 2 x subset]`` of X and of X times its weight."""
    total, weighed = np.split(sums, 2, axis=-1)
    effect = total / np.maximum(found.expected, _ZERO)
    shown = found.squared_changes - 2 * effect * weighed + effect**2 * found.squared_weights
    shown = shown * found.correction
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
    outputs, _ = outputs.scaled()
    size = outputs.sizes[:, 0].astype(np.int64) + outputs.sizes[:, 1]
    common = float(size[one & other].sum() / max(1, size[other].sum()))
    mine, theirs = _changes(outputs, one), _changes(outputs, other)
    left = mine - common * theirs
    weights = np.bincount(cluster, np.abs(one - common * other) * size)
    telling = max(2, int(np.count_nonzero(weights)))
    sums = np.bincount(cluster, left)
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
    """``[item]`` how much better the second system is about a member than the first."""
    places = np.flatnonzero(members)
    hits, sizes = outputs.hits[places], outputs.sizes[places]
    rate = float(hits.sum()) / max(1, int(np.count_nonzero(sizes)))
    more, larger = (part[:, 1].astype(float) - part[:, 0] for part in (hits, sizes))
    found = np.zeros(len(members))
    found[places] = more - rate * larger
    return found
