"""Simulated test sets whose truth is known, for the calibration study.

Documents have log-normal sizes. What share of its units a system gets right in a document is drawn
from a beta distribution (so hits are beta-binomial); two systems share part of it through a
Gaussian copula, and what they share within a document is drawn unit by unit. Names that are right
or wrong all through a document are units that come in bunches. Inventions are Poisson.

>>> one = World(documents=4, share=0.9).drawn(np.random.default_rng(1), systems=2)
>>> one.shape                                     # document, system, (TP, FP, FN, gold, predicted)
(4, 2, 5)
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_TRUTH = 100_000  # documents that stand for the population


class World(NamedTuple):
    """What documents and systems are like.

    Parameters
    ----------
    documents: how many a test set has
    share: of its units that a system gets right, by mean
    alike: correlation of two units of a document (intraclass), which makes documents differ
    spread: standard deviation of the logarithm of documents' sizes
    size: median number of units of a document
    shared: correlation of what two systems make of a document
    bunch: units that a name has in a document, all right or all wrong
    rare: share of documents in which errors are at all; elsewhere everything is right
    other: ``alike`` of every second system, if another
    lower: what every second system gets right less
    held: share of documents that have any unit, as of a rare label
    """

    documents: int
    share: float = 0.84
    alike: float = 0.1
    spread: float = 0.9
    size: float = 20.0
    shared: float = 0.6
    bunch: int = 1
    rare: float = 1.0
    other: float | None = None
    lower: float = 0.0
    held: float = 1.0

    def drawn(self, random: np.random.Generator, systems: int = 1) -> Floats:
        """``[document, system, (TP, FP, FN, gold, predicted)]`` of one test set."""
        n = self.documents
        names = np.maximum(
            1, np.rint(self.size / self.bunch * np.exp(random.normal(0, self.spread, n)))
        ).astype(np.int64)
        deviates = np.sqrt(self.shared) * random.normal(size=(n, 1)) + np.sqrt(
            1 - self.shared
        ) * random.normal(size=(n, systems))
        hard = random.random((n, 1)) < self.rare
        names = np.where(random.random(n) < self.held, names, 0)
        counts = np.empty((n, systems, 5))
        gold = names * self.bunch
        for place in range(systems):
            second = bool(place % 2)
            share = self.share - (self.lower if second else 0.0)
            alike = self.other if second and self.other is not None else self.alike
            within = 1 - (1 - share) / self.rare
            chance = np.where(hard[:, 0], _beta_quantile(deviates[:, place], within, alike), 1.0)
            hits = self.bunch * random.binomial(names, chance)
            invented = random.poisson((1 - chance) * gold * 0.8)
            counts[:, place] = np.stack(
                [hits, invented, gold - hits, gold, hits + invented], axis=-1
            )
        return counts

    def truth(self) -> tuple[float, float]:
        """F1 of the first and of the second system in the population."""
        return _truth(self._replace(documents=_TRUTH))

    def with_difference(self, points: float) -> World:
        """The same with a second system whose F1 is so many points of 100 lower."""
        low, high = 0.0, self.share
        for _ in range(30):
            middle = (low + high) / 2
            first, second = self._replace(lower=middle).truth()
            low, high = (middle, high) if first - second < points / 100 else (low, middle)
        return self._replace(lower=low)


@cache
def _truth(world: World) -> tuple[float, float]:
    sums = world.drawn(np.random.default_rng(0), 2).sum(axis=0)
    first, second = f1(sums).tolist()
    return first, second


@cache
def _grid(share: float, alike: float) -> tuple[Floats, Floats]:
    """Normal deviates, and the quantiles of the beta distribution at their probabilities."""
    from scipy.special import betaincinv, ndtr  # type: ignore[import-untyped]

    deviates = np.linspace(-6, 6, 2401)
    both = 1 / alike - 1
    return deviates, betaincinv(share * both, (1 - share) * both, ndtr(deviates))


def _beta_quantile(deviates: Floats, share: float, alike: float) -> Floats:
    if alike <= 0:
        return np.full(deviates.shape, share)
    found: Floats = np.interp(deviates, *_grid(share, alike))
    return found


def f1(counts: Floats) -> Floats:
    """2 TP / (2 TP + FP + FN)."""
    hits = 2 * counts[..., 0]
    found: Floats = hits / np.maximum(hits + counts[..., 1] + counts[..., 2], 1e-300)
    return found
