r"""Which subsets of a system's units are worse than its other units, beyond chance.

Every unit has a loss e: 1 for an error, or any number that is larger for a worse unit. A subset is
compared with the rest of the same documents, so that a hard document does not make its units a
weakness; without documents, with the rest of the corpus. With :math:`n_{dk}` of the :math:`n_d`
units of document d in subset k, and their sum of losses :math:`e_{dk}`, documents contribute

.. math:: x_{dk} = e_{dk} - n_{dk}\,\bar e_d \qquad w_{dk} = n_{dk}(n_d - n_{dk}) / n_d

so :math:`\sum x / \sum w` is the mean loss of the subset less that of the rest of the same
documents (of errors, the risk difference of Mantel and Haenszel). Without documents sentences
contribute what they do to the difference of the two means of the corpus, where subset k has the
share :math:`q_k` of all units:

.. math:: x_{sk} = e_{sk} - n_{sk}\,\bar e - q_k (e_s - n_s\,\bar e) \qquad
          w_{sk} = (1 - 2 q_k) n_{sk} + q_k^2 n_s

All subsets are tested together by turning the signs of whole documents or sentences
(``sign_flips``). Names are found or missed all through a text, and errors cluster in sentences: a
test that shuffles errors over units rejects two to three times too often then.

The test is one-sided: a subset that is better is no weakness, and what is better is as a rule the
rest of what is worse.

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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.resampling.intervals import LEVEL, SEED
from finegrain.resampling.sign_flips import MOST, RESAMPLES, Contributions, Family, flipped
from finegrain.resampling.subsets import Floats, Subsets, cells_of, ranked
from finegrain.table.samples import Samples

FEWEST = 6  # documents: fewer show nothing at 5 %, see ``intervals.too_few``
Losses = NDArray[np.bool_] | Floats


class Clusters(NamedTuple):
    """``codes`` ``[item]`` from 0 without gaps; whether a subset is compared within each."""

    codes: IntArray
    within: bool = False


def against_rest(
    losses: Losses,
    subsets: Subsets,
    clusters: Clusters,
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Family:
    """Whether a subset of items is worse than the rest of the items, for every subset.

    ``losses`` ``[item]``: whether an item is wrong, or how bad it is. Effects tell how much better
    the items of a subset are, so those of a weakness are negative.
    """
    unit = float(np.abs(losses).max(initial=0)) or 1.0
    marks = np.unique(losses, return_inverse=True)[1]
    turned = turned_together(subsets, marks, clusters.codes)
    given = contributions(losses[:, None] / unit, subsets, clusters, turned)
    return flipped(given, level=level, resamples=resamples, seed=seed).times(-unit)


def turned_together(subsets: Subsets, marks: IntArray, cluster: IntArray) -> Samples:
    """``[item]`` whose signs it turns with: those of its cluster, and of others where many are.

    Clusters are in an order that depends on nothing but what is in them, ``marks`` included.
    """
    codes = ranked(subsets, marks, cluster)[cluster] % MOST
    return Samples(codes, int(codes.max(initial=-1)) + 1)


def contributions(
    losses: Floats, subsets: Subsets, clusters: Clusters, together: Samples
) -> Contributions:
    """Of every column of losses ``[item, column]``; tests are ``[column x subset]``."""
    turned, samples = together
    strata = clusters.codes if clusters.within else np.zeros(len(losses), np.int64)
    sizes = np.bincount(strata).astype(float)
    share = subsets.counts() / max(1, len(losses))
    weighed = _weighed(subsets, strata, turned, samples)
    weight = weighed.sums if clusters.within else _of_sentences(subsets, turned, samples)
    moved = np.empty((samples, losses.shape[1], subsets.size))
    least = np.empty((losses.shape[1], subsets.size))
    for column, own in enumerate(losses.T.astype(float)):
        beyond = own - (np.bincount(strata, own) / sizes)[strata]
        moved[:, column] = _summed(subsets, turned, beyond, samples)
        if not clusters.within:
            moved[:, column] -= np.bincount(turned, beyond, samples)[:, None] * share
        least[column] = weighed.of(_variance(own, strata))
    tiled = np.tile(weight, (1, losses.shape[1]))
    return Contributions(moved.reshape(samples, -1), tiled, least.ravel())


def _summed(subsets: Subsets, turned: IntArray, values: Floats, samples: int) -> Floats:
    """``[sample, subset]`` sums of values ``[item]``."""
    found = np.zeros((samples, subsets.size + 1))
    for codes in subsets.codes:
        key = turned * np.int64(subsets.size + 1) + (codes + 1)
        found += np.bincount(key, values, found.size).reshape(found.shape)
    return found[:, 1:]


def _of_sentences(subsets: Subsets, turned: IntArray, samples: int) -> Floats:
    """``[sample, subset]`` what an effect of 1 would contribute where all is one stratum."""
    share = subsets.counts() / max(1, len(turned))
    inside = _summed(subsets, turned, np.ones(len(turned)), samples)
    every = np.bincount(turned, minlength=samples)[:, None]
    return np.asarray((1 - 2 * share) * inside + share**2 * every)


class _Weighed(NamedTuple):
    """``[cell]`` the weight of a subset in a stratum; ``sums`` ``[sample, subset]``."""

    subset: IntArray
    stratum: IntArray
    weight: Floats
    sums: Floats

    def of(self, variance: Floats) -> Floats:
        """``[subset]`` the variance of units that are independent, from that of strata."""
        size = self.sums.shape[1]
        weighed = self.weight * variance[self.stratum]
        return np.asarray(np.bincount(self.subset, weighed, size), np.float64)


def _weighed(subsets: Subsets, strata: IntArray, turned: IntArray, samples: int) -> _Weighed:
    sizes = np.bincount(strata).astype(float)
    with_others = np.zeros(len(sizes), np.int64)
    with_others[strata] = turned
    parts: list[tuple[IntArray, IntArray, Floats]] = []
    for which, own in subsets.apart():
        cells = cells_of(own, strata)
        inside = sizes[cells.cluster]
        weight = cells.items * (inside - cells.items) / inside
        parts.append((cells.subset + which.start, cells.cluster, weight))
    none = np.zeros(0, np.int64)
    subset, stratum = (np.concatenate([none, *(part[at] for part in parts)]) for at in (0, 1))
    weight = np.concatenate([np.zeros(0), *(part[2] for part in parts)])
    key = with_others[stratum] * subsets.size + subset
    sums = np.asarray(np.bincount(key, weight, samples * subsets.size), np.float64)
    return _Weighed(subset, stratum, weight, sums.reshape(samples, subsets.size))


def _variance(losses: Losses, strata: IntArray) -> Floats:
    """``[stratum]`` the variance of the losses of its items, by n - 1; 0 of a single one."""
    sizes = np.bincount(strata).astype(float)
    beyond = losses - (np.bincount(strata, losses) / sizes)[strata]
    return np.asarray(np.bincount(strata, beyond * beyond) / np.maximum(sizes - 1, 1))


def given_other(
    losses: Losses,
    one: NDArray[np.bool_],
    other: NDArray[np.bool_],
    clusters: Clusters,
) -> float:
    """The studentised effect of a subset, given that of another: both ``[item]``.

    The part of the first membership that the second does not explain (by least squares within
    documents) takes the place of the membership.
    """
    cluster = clusters.codes
    strata = cluster if clusters.within else np.zeros(len(losses), np.int64)
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
