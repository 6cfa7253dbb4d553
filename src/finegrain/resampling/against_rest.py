r"""Which subsets of a system's units are worse than its other units, beyond chance.

Let e be 1 for an error. Outcomes are shuffled over units within *strata*: within documents where
there are documents, so that a hard document does not make its units a weakness; else over the whole
corpus. Of subset k, with :math:`n_{dk}` of the :math:`n_d` units of stratum d,

.. math:: T_k = \sum_d (e_{dk} - n_{dk}\,\bar e_d) \qquad W_k = \sum_d n_{dk}(n_d - n_{dk}) / n_d

so T / W is the error rate of the subset less that of the rest of the same documents (the risk
difference of Mantel and Haenszel), and without strata simply the difference of two rates.

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
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
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
_MANY = 1 << 14  # memberships of items in subsets: fewer are gone through in no time
Shuffle = Literal["within clusters", "everywhere"]
Progress = Callable[[Iterator[Drawn]], Iterable[Drawn]]


class Clusters(NamedTuple):
    """``codes`` ``[item]`` from 0 without gaps, and whether outcomes are shuffled within each."""

    codes: IntArray
    shuffle: Shuffle = "everywhere"


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """Tests of all subsets ``[subset]``: effect on the rate of right items, simultaneous ends.

    ``p`` is adjusted for all; ``value`` is studentised, and ``threshold`` what it must exceed.
    """

    effect: Floats
    low: Floats
    high: Floats
    p: Floats
    value: Floats
    threshold: float


def against_rest(
    wrong: NDArray[np.bool_],
    subsets: Subsets,
    clusters: Clusters,
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Family:
    """Whether a subset of items is worse than the rest of the items, for every subset."""
    placed = arranged(subsets, wrong.astype(np.int8), clusters.codes)
    wrong, subsets = wrong[placed.order], subsets.take(placed.order)
    if clusters.shuffle == "within clusters":
        data: _Data = _Within.of(wrong, subsets, placed.cluster)
        shuffled = within_clusters(wrong, placed.cluster)
    else:
        data = _Everywhere.of(wrong, subsets, placed.cluster)
        shuffled = everywhere(wrong)
    seen = _studentised(data, wrong)
    generator = np.random.default_rng(seed)
    observed = Observed.of(seen.value)
    shuffles = (_drawn(data, shuffled(generator), observed) for _ in range(resamples))
    drawn = np.stack(list((progress or iter)(shuffles)))
    above, below = critical(drawn, level=level), critical(-drawn, level=level)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = data.shared.weight
        effect, error = -seen.total / weight, seen.spread / weight
        low, high = effect - below * error, effect + above * error
    return Family(
        effect,
        low,
        high,
        step_down(seen.value, drawn),
        seen.value,
        above,
    )


_Shown = Callable[[slice], Floats]
"""Subsets -> ``[subset]`` the variance that the clusters show."""


class _Errors(NamedTuple):
    """Which items are wrong, and ``[subset]`` how many more than expected."""

    chosen: NDArray[np.bool_]
    items: IntArray
    total: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Shared:
    """What all shuffles share; ``weight``, ``expected`` and ``least`` are ``[subset]``.

    ``expected`` are errors, ``least`` is the variance of the shuffling.
    """

    cells: Cells
    kinds: Kinds
    weight: Floats
    expected: Floats
    least: Floats

    def errors(self, wrong: NDArray[np.bool_]) -> _Errors:
        items = np.flatnonzero(wrong)
        return _Errors(wrong, items, self.kinds.count(items) - self.expected)


@dataclass(frozen=True, slots=True, eq=False)
class _Within:
    """Shuffles within clusters; ``cell_expected`` and ``cell_weight`` are ``[cell]``."""

    shared: _Shared
    cell_expected: Floats
    cell_weight: Floats
    correction: Floats

    @classmethod
    def of(cls, wrong: NDArray[np.bool_], subsets: Subsets, cluster: IntArray) -> _Within:
        cells = cells_of(subsets, cluster)
        sizes = np.bincount(cluster).astype(float)
        inside, at = sizes[cells.cluster], (np.bincount(cluster, wrong) / sizes)[cells.cluster]
        weight, expected = cells.items * (inside - cells.items) / inside, cells.items * at
        least = cells.sums(weight * at * (1 - at) * inside / np.maximum(inside - 1, 1))
        telling = np.maximum(cells.sums((weight > 0).astype(float)), 2)
        shared = _Shared(cells, kinds_of(subsets), cells.sums(weight), cells.sums(expected), least)
        return cls(shared, expected, weight, telling / (telling - 1))

    def shown(self, errors: _Errors) -> _Shown:
        """The variance that the clusters show."""
        cells = self.shared.cells
        slopes = errors.total / np.maximum(self.shared.weight, 1e-12)

        def of_subsets(subsets: slice) -> Floats:
            part = cells.of(subsets)
            residual = cells.count(errors.chosen, part) - self.cell_expected[part]
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
    def of(cls, wrong: NDArray[np.bool_], subsets: Subsets, cluster: IntArray) -> _Everywhere:
        cells = cells_of(subsets, cluster)
        total, rate = len(wrong), int(wrong.sum()) / len(wrong)
        share = subsets.counts() / total
        weight = total * share * (1 - share)
        least = weight * rate * (1 - rate) * total / max(total - 1, 1)
        shared = _Shared(cells, kinds_of(subsets), weight, rate * cells.sums(cells.items), least)
        return cls(shared, cluster, np.bincount(cluster).astype(float), rate, share)

    def shown(self, errors: _Errors) -> _Shown:
        """The variance that the clusters show."""
        cells = self.shared.cells
        of_cluster = np.bincount(self.cluster[errors.items], minlength=len(self.sizes))
        whole = of_cluster - self.sizes * self.rate
        squares = float(np.square(whole).sum())

        def of_subsets(subsets: slice) -> Floats:
            part, share = cells.of(subsets), self.share[subsets]
            beyond = cells.count(errors.chosen, part) - self.rate * cells.items[part]
            crossed = cells.sums(beyond * whole[cells.cluster[part]], subsets)
            found = cells.sums(beyond * beyond, subsets) - 2 * share * crossed
            return found + share**2 * squares

        return of_subsets


_Data = _Within | _Everywhere


class _Studentised(NamedTuple):
    """``[subset]``: errors beyond expectation, their standard error, and the ratio of both."""

    total: Floats
    spread: Floats
    value: Floats


def _studentised(data: _Data, wrong: NDArray[np.bool_]) -> _Studentised:
    """From the items ``[item]`` that are wrong."""
    errors, least = data.shared.errors(wrong), data.shared.least
    spread = np.sqrt(np.maximum(least, data.shown(errors)(ALL)))
    value = np.divide(errors.total, spread, out=np.zeros(len(least)), where=least > 0)
    return _Studentised(errors.total, spread, value)


def _drawn(data: _Data, wrong: NDArray[np.bool_], observed: Observed) -> Drawn:
    """Studentised values of a shuffle; of many items, as exact as ``settled`` makes them.

    A standard error is at least that of the shuffling, so values are at least as near to 0 as they
    would be with that one, which needs no look at the clusters.
    """
    if len(data.shared.cells.members) < _MANY:
        return _studentised(data, wrong).value.astype(np.float32)
    errors, least = data.shared.errors(wrong), data.shared.least
    far = np.divide(errors.total, np.sqrt(least), out=np.zeros(len(least)), where=least > 0)
    shown = data.shown(errors)

    def exact(subset: int) -> float:
        variance = max(least[subset], shown(slice(subset, subset + 1))[0])
        return float(errors.total[subset] / math.sqrt(variance))

    return settled(Limits(np.minimum(far, 0), np.maximum(far, 0)), observed, exact)


def given_other(
    wrong: NDArray[np.bool_],
    one: NDArray[np.bool_],
    other: NDArray[np.bool_],
    clusters: Clusters,
) -> float:
    """The studentised effect of a subset on being right, given that of another: both ``[item]``.

    The part of the first membership that the second does not explain (by least squares within
    strata) takes the place of the membership.
    """
    cluster = clusters.codes
    within = clusters.shuffle == "within clusters"
    strata = cluster if within else np.zeros(len(wrong), np.int64)
    sizes = np.bincount(strata)

    def centred(values: NDArray[np.bool_]) -> Floats:
        return values - (np.bincount(strata, values) / sizes)[strata]

    own, known, error = centred(one), centred(other), centred(wrong)
    explained = float(known @ known)
    left = own - (float(own @ known) / explained * known if explained else 0.0)
    weight = float(left @ left)
    if weight < 1e-9:
        return 0.0
    total = float(left @ error)
    rates = np.bincount(strata, wrong) / sizes
    chance = (rates * (1 - rates) * sizes / np.maximum(sizes - 1, 1))[strata]
    residual = np.bincount(cluster, left * error - total / weight * left * left)
    telling = max(2, int(np.count_nonzero(np.bincount(cluster, left * left) > 1e-12)))
    shown = float(residual @ residual) * telling / (telling - 1)
    variance = max(float(chance @ (left * left)), shown)
    return -total / variance**0.5 if variance > 0 else 0.0
