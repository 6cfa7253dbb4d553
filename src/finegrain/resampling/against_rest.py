r"""Which subsets of a system's units are worse than its other units, beyond chance.

Every unit has a loss e: 1 for an error, or any number that is larger for a worse unit. Losses are
shuffled over units within *strata*: within documents where there are documents, so that a hard
document does not make its units a weakness; else over the whole corpus. Of subset k, with
:math:`n_{dk}` of the :math:`n_d` units of stratum d and their sum of losses :math:`e_{dk}`,

.. math:: T_k = \sum_d (e_{dk} - n_{dk}\,\bar e_d) \qquad W_k = \sum_d n_{dk}(n_d - n_{dk}) / n_d

so T / W is the mean loss of the subset less that of the rest of the same documents (of errors, the
risk difference of Mantel and Haenszel), and without strata simply the difference of two means.

T is studentised by the larger of two variances: that of the shuffling, and the one that the
clusters (documents, else sentences) show. Names are found or missed all through a text, and then
the second one is right; a shuffle studentised so stays right for many clusters (Chung and Romano
2013).

The test is one-sided: a subset that is better is no weakness, and what is better is as a rule the
rest of what is worse. T is skewed where errors are rare, so the ends of intervals come from either
tail; each end holds for all subsets together.

>>> generator = np.random.default_rng(1)
>>> label = generator.integers(0, 3, 900)
>>> wrong = generator.random(900) < np.where(label == 2, 0.4, 0.2)
>>> subsets = Subsets(label[None].astype(np.int32), 3)
>>> found = against_rest(wrong, subsets, Clusters(np.arange(900)))
>>> found.effect.round(2).tolist(), found.p.round(3).tolist()
([0.1, 0.12, -0.22], [1.0, 1.0, 0.0])

Losses that are numbers:

>>> seconds = generator.exponential(np.where(label == 2, 2.0, 1.0))
>>> found = against_rest(seconds, subsets, Clusters(np.arange(900)))
>>> found.effect.round(1).tolist(), found.p.round(3).tolist()
([0.6, 0.5, -1.1], [1.0, 1.0, 0.0])
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.resampling.intervals import LEVEL, SEED
from finegrain.resampling.max_t import Drawn, Limits, Observed, critical, settled, step_down
from finegrain.resampling.shuffling import everywhere, within_clusters
from finegrain.resampling.subsets import (
    ALL,
    Cells,
    Floats,
    Kinds,
    Subsets,
    arranged,
    cells_of,
    kinds_of,
)

RESAMPLES = 2000
FEWEST = 6  # documents: fewer show nothing at 5 %, see ``intervals.too_few``
_NOISE = 1e-24  # of squares: a variance that is smaller comes from rounding
_MANY = 1 << 14  # memberships of items in subsets: fewer are gone through in no time
Losses = NDArray[np.bool_] | Floats
Shuffle = Literal["within clusters", "everywhere"]
Progress = Callable[[Iterator[Drawn]], Iterable[Drawn]]


class Clusters(NamedTuple):
    """``codes`` ``[item]`` from 0 without gaps, and whether outcomes are shuffled within each."""

    codes: IntArray
    shuffle: Shuffle = "everywhere"


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """Tests of all subsets ``[subset]``: how much better its items are, with simultaneous ends.

    ``p`` is adjusted for all; ``value`` is studentised, and ``threshold`` what it must exceed.
    """

    effect: Floats
    low: Floats
    high: Floats
    p: Floats
    value: Floats
    threshold: float

    def times(self, unit: float) -> Family:
        """The same where the effect is told in other units; a negative one turns its sign."""
        ends = self.low * unit, self.high * unit
        low, high = ends if unit > 0 else ends[::-1]
        return replace(self, effect=self.effect * unit, low=low, high=high)


def against_rest(
    losses: Losses,
    subsets: Subsets,
    clusters: Clusters,
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Family:
    """Whether a subset of items is worse than the rest of the items, for every subset.

    ``losses`` ``[item]``: whether an item is wrong, or how bad it is. If there are two losses only,
    the worse one is an error.
    """
    losses, unit = _as_errors(losses)
    _, marks = np.unique(losses, return_inverse=True)
    placed = arranged(subsets, marks, clusters.codes)
    losses, subsets = losses[placed.order], subsets.take(placed.order)
    if clusters.shuffle == "within clusters":
        data: _Data = _Within.of(losses, subsets, placed.cluster)
        shuffled = within_clusters(losses, placed.cluster)
    else:
        data = _Everywhere.of(losses, subsets, placed.cluster)
        shuffled = everywhere(losses)
    seen = _studentised(data, losses)
    generator = np.random.default_rng(seed)
    observed = Observed.of(seen.value)
    shuffles = (_drawn(data, shuffled(generator), observed) for _ in range(resamples))
    drawn = np.stack(list((progress or iter)(shuffles)))
    above, below = critical(drawn, level=level), critical(-drawn, level=level)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = data.shared.weight
        effect, error = -seen.total / weight, seen.spread / weight
        low, high = effect - below * error, effect + above * error
    p = step_down(seen.value, drawn)
    return Family(effect, low, high, p, seen.value, above).times(unit)


def _as_errors(losses: Losses) -> tuple[Losses, float]:
    """Losses of which there are but two as errors, and the loss of an error."""
    if losses.dtype == bool or not len(losses):
        return losses, 1.0
    least, most = losses.min(), losses.max()
    if not np.isin(losses, (least, most)).all():
        return losses, 1.0
    return losses > least, float(most - least) if most > least else 1.0


_Shown = Callable[[slice], Floats]
"""Subsets -> ``[subset]`` the variance that the clusters show."""


def _variance(losses: Losses, strata: IntArray) -> Floats:
    """``[stratum]`` the variance of the losses of its items, by n - 1; 0 of a single one."""
    sizes = np.bincount(strata).astype(float)
    means: Floats = np.bincount(strata, losses) / sizes
    if losses.dtype == bool:
        errors: Floats = means * (1 - means) * sizes / np.maximum(sizes - 1, 1)
        return errors
    found: Floats = np.bincount(strata, (losses - means[strata]) ** 2) / np.maximum(sizes - 1, 1)
    found[found < _NOISE * float((losses * losses).max(initial=0.0))] = 0.0
    return found


class _Beyond(NamedTuple):
    """Losses ``[item]``, and ``[subset]`` how much more there is than expected."""

    losses: Losses
    total: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Shared:
    """What all shuffles share; ``weight``, ``expected`` and ``least`` are ``[subset]``.

    ``expected`` are sums of losses, ``least`` is the variance of the shuffling.
    """

    cells: Cells
    kinds: Kinds
    weight: Floats
    expected: Floats
    least: Floats

    def beyond(self, losses: Losses) -> _Beyond:
        return _Beyond(losses, self.kinds.weigh(losses) - self.expected)


@dataclass(frozen=True, slots=True, eq=False)
class _Within:
    """Shuffles within clusters; ``cell_expected`` and ``cell_weight`` are ``[cell]``."""

    shared: _Shared
    cell_expected: Floats
    cell_weight: Floats
    correction: Floats

    @classmethod
    def of(cls, losses: Losses, subsets: Subsets, cluster: IntArray) -> _Within:
        cells = cells_of(subsets, cluster)
        sizes = np.bincount(cluster).astype(float)
        inside, at = sizes[cells.cluster], (np.bincount(cluster, losses) / sizes)[cells.cluster]
        weight, expected = cells.items * (inside - cells.items) / inside, cells.items * at
        least = cells.sums(weight * _variance(losses, cluster)[cells.cluster])
        telling = np.maximum(cells.sums((weight > 0).astype(float)), 2)
        shared = _Shared(cells, kinds_of(subsets), cells.sums(weight), cells.sums(expected), least)
        return cls(shared, expected, weight, telling / (telling - 1))

    def shown(self, beyond: _Beyond) -> _Shown:
        """The variance that the clusters show."""
        cells = self.shared.cells
        slopes = beyond.total / np.maximum(self.shared.weight, 1e-12)

        def of_subsets(subsets: slice) -> Floats:
            part = cells.of(subsets)
            residual = cells.count(beyond.losses, part) - self.cell_expected[part]
            residual -= slopes[cells.subset[part]] * self.cell_weight[part]
            return cells.sums(residual * residual, subsets) * self.correction[subsets]

        return of_subsets


@dataclass(frozen=True, slots=True, eq=False)
class _Everywhere:
    """Shuffles of all items; ``sizes`` is ``[cluster]``, ``share`` ``[subset]``."""

    shared: _Shared
    cluster: IntArray
    sizes: Floats
    rate: float
    share: Floats

    @classmethod
    def of(cls, losses: Losses, subsets: Subsets, cluster: IntArray) -> _Everywhere:
        cells = cells_of(subsets, cluster)
        total, rate = len(losses), float(losses.sum()) / len(losses)
        share = subsets.counts() / total
        weight = total * share * (1 - share)
        least = weight * _variance(losses, np.zeros(total, np.int64))
        shared = _Shared(cells, kinds_of(subsets), weight, rate * cells.sums(cells.items), least)
        return cls(shared, cluster, np.bincount(cluster).astype(float), rate, share)

    def shown(self, beyond: _Beyond) -> _Shown:
        """The variance that the clusters show."""
        cells = self.shared.cells
        whole = self._of_clusters(beyond.losses) - self.sizes * self.rate
        squares = float(np.square(whole).sum())

        def of_subsets(subsets: slice) -> Floats:
            part, share = cells.of(subsets), self.share[subsets]
            more = cells.count(beyond.losses, part) - self.rate * cells.items[part]
            crossed = cells.sums(more * whole[cells.cluster[part]], subsets)
            found = cells.sums(more * more, subsets) - 2 * share * crossed
            return found + share**2 * squares

        return of_subsets

    def _of_clusters(self, losses: Losses) -> IntArray | Floats:
        """``[cluster]`` sums of losses; errors are counted, which is faster."""
        if losses.dtype == bool:
            return np.bincount(self.cluster[np.flatnonzero(losses)], minlength=len(self.sizes))
        return np.bincount(self.cluster, losses, len(self.sizes))


_Data = _Within | _Everywhere


class _Studentised(NamedTuple):
    """``[subset]``: losses beyond expectation, their standard error, and the ratio of both."""

    total: Floats
    spread: Floats
    value: Floats


def _studentised(data: _Data, losses: Losses) -> _Studentised:
    """From losses ``[item]``."""
    beyond, least = data.shared.beyond(losses), data.shared.least
    spread = np.sqrt(np.maximum(least, data.shown(beyond)(ALL)))
    value = np.divide(beyond.total, spread, out=np.zeros(len(least)), where=least > 0)
    return _Studentised(beyond.total, spread, value)


def _drawn(data: _Data, losses: Losses, observed: Observed) -> Drawn:
    """Studentised values of a shuffle; of many items, as exact as ``settled`` makes them.

    A standard error is at least that of the shuffling, so values are at least as near to 0 as they
    would be with that one, which needs no look at the clusters.
    """
    if len(data.shared.cells.members) < _MANY:
        return _studentised(data, losses).value.astype(np.float32)
    beyond, least = data.shared.beyond(losses), data.shared.least
    far = np.divide(beyond.total, np.sqrt(least), out=np.zeros(len(least)), where=least > 0)
    shown = data.shown(beyond)

    def exact(subset: int) -> float:
        variance = max(least[subset], shown(slice(subset, subset + 1))[0])
        return float(beyond.total[subset] / math.sqrt(variance))

    return settled(Limits(np.minimum(far, 0), np.maximum(far, 0)), observed, exact)


def given_other(
    losses: Losses,
    one: NDArray[np.bool_],
    other: NDArray[np.bool_],
    clusters: Clusters,
) -> float:
    """The studentised effect of a subset, given that of another: both ``[item]``.

    The part of the first membership that the second does not explain (by least squares within
    strata) takes the place of the membership.
    """
    cluster = clusters.codes
    within = clusters.shuffle == "within clusters"
    strata = cluster if within else np.zeros(len(losses), np.int64)
    sizes = np.bincount(strata)

    def centred(values: Losses) -> Floats:
        return values - (np.bincount(strata, values) / sizes)[strata]

    own, known, error = centred(one), centred(other), centred(losses)
    explained = float(known @ known)
    left = own - (float(own @ known) / explained * known if explained else 0.0)
    weight = float(left @ left)
    if weight < 1e-9:
        return 0.0
    total = float(left @ error)
    chance = _variance(losses, strata)[strata]
    residual = np.bincount(cluster, left * error - total / weight * left * left)
    telling = max(2, int(np.count_nonzero(np.bincount(cluster, left * left) > 1e-12)))
    shown = float(residual @ residual) * telling / (telling - 1)
    variance = max(float(chance @ (left * left)), shown)
    return -total / variance**0.5 if variance > 0 else 0.0
