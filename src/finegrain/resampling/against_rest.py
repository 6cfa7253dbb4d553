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
>>> subsets = Subsets(label[:, None].astype(np.int32), 3)
>>> found = against_rest(wrong, subsets, Clusters(np.arange(900)))
>>> found.effect.round(2).tolist(), found.p.round(3).tolist()
([0.1, 0.12, -0.22], [1.0, 1.0, 0.0])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.resampling.intervals import LEVEL, SEED
from finegrain.resampling.max_t import critical, step_down
from finegrain.resampling.subsets import Cells, Floats, Subsets, arranged, cells_of

RESAMPLES = 2000
FEWEST = 6  # documents: fewer show nothing at 5 %, see ``intervals.too_few``
Shuffle = Literal["within clusters", "everywhere"]
Drawn = NDArray[np.float32]
Progress = Callable[[Iterator[Drawn]], Iterable[Drawn]]


class Clusters(NamedTuple):
    """``codes`` ``[item]``, and whether outcomes are shuffled within clusters only."""

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
    data = _prepare(
        wrong[placed.order],
        Subsets(subsets.codes[placed.order], subsets.size),
        Clusters(placed.cluster, clusters.shuffle),
    )
    seen = _studentised(data, np.flatnonzero(data.wrong))
    generator = np.random.default_rng(seed)
    shuffles = (
        _studentised(data, _shuffled(data, generator)).value.astype(np.float32)
        for _ in range(resamples)
    )
    drawn = np.stack(list((progress or iter)(shuffles)))
    above, below = critical(drawn, level=level), critical(-drawn, level=level)
    with np.errstate(divide="ignore", invalid="ignore"):
        effect, error = -seen.total / data.weight, seen.spread / data.weight
    return Family(
        effect,
        effect - below * error,
        effect + above * error,
        step_down(seen.value, drawn),
        seen.value,
        above,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Data:
    """What all shuffles share; ``expected`` and ``cell_weight`` are ``[cell]``."""

    wrong: NDArray[np.bool_]
    clusters: Clusters
    cells: Cells
    sizes: Floats
    rate: float
    share: Floats
    expected: Floats
    cell_weight: Floats
    weight: Floats
    least: Floats
    correction: Floats


def _prepare(wrong: NDArray[np.bool_], subsets: Subsets, clusters: Clusters) -> _Data:
    cells = cells_of(subsets, clusters.codes)
    sizes = np.bincount(clusters.codes).astype(float)
    total, errors = len(wrong), int(wrong.sum())
    share = subsets.counts() / total
    if clusters.shuffle == "within clusters":
        rates = np.bincount(clusters.codes, wrong) / sizes
        inside = sizes[cells.cluster]
        weight = cells.items * (inside - cells.items) / inside
        at = rates[cells.cluster]
        least = cells.sums(weight * at * (1 - at) * inside / np.maximum(inside - 1, 1))
        sums, expected = cells.sums(weight), cells.items * at
    else:
        rate = errors / total
        weight, expected = np.zeros(len(cells.subset)), cells.items * rate
        sums = total * share * (1 - share)
        least = sums * rate * (1 - rate) * total / max(total - 1, 1)
    telling = np.maximum(cells.sums((weight > 0).astype(float)), 2)
    return _Data(
        wrong, clusters, cells, sizes, errors / total, share, expected, weight, sums, least,
        telling / (telling - 1),
    )  # fmt: skip


def _shuffled(data: _Data, generator: np.random.Generator) -> IntArray:
    """The items that are wrong after a shuffle."""
    if data.clusters.shuffle == "everywhere":
        errors = int(data.wrong.sum())
        return generator.permutation(len(data.wrong))[:errors]
    order = np.argsort(data.clusters.codes + generator.random(len(data.wrong)))
    return np.flatnonzero(data.wrong[order])


class _Studentised(NamedTuple):
    """``[subset]``: errors beyond expectation, their standard error, and the ratio of both."""

    total: Floats
    spread: Floats
    value: Floats


def _studentised(data: _Data, wrong: IntArray) -> _Studentised:
    cells = data.cells
    beyond = cells.count(wrong) - data.expected
    total = cells.sums(beyond)
    if data.clusters.shuffle == "within clusters":
        slope = total / np.maximum(data.weight, 1e-12)
        residual = beyond - slope[cells.subset] * data.cell_weight
        shown = cells.sums(residual * residual) * data.correction
    else:
        of_cluster = np.bincount(data.clusters.codes[wrong], minlength=len(data.sizes))
        whole = of_cluster - data.sizes * data.rate
        crossed = cells.sums(beyond * whole[cells.cluster])
        shown = cells.sums(beyond * beyond) - 2 * data.share * crossed
        shown = shown + data.share**2 * float(whole @ whole)
    spread = np.sqrt(np.maximum(data.least, shown))
    value = np.divide(total, spread, out=np.zeros(len(total)), where=data.least > 0)
    return _Studentised(total, spread, value)


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
    if clusters.shuffle == "within clusters":
        _, strata = np.unique(clusters.codes, return_inverse=True)
    else:
        strata = np.zeros(len(wrong), np.int64)
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
    _, cluster = np.unique(clusters.codes, return_inverse=True)
    residual = np.bincount(cluster, left * error - total / weight * left * left)
    telling = max(2, int(np.count_nonzero(np.bincount(cluster, left * left) > 1e-12)))
    shown = float(residual @ residual) * telling / (telling - 1)
    variance = max(float(chance @ (left * left)), shown)
    return -total / variance**0.5 if variance > 0 else 0.0
