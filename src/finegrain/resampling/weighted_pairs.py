"""Two systems by rows, where a metric does not add up.

As ``paired``: samples in which both systems have the same rows each are alike. An exchange gives a
sample's rows of one system to the other.

>>> from finegrain.metrics.ranked import area
>>> from finegrain.metrics.weighing import Weighing
>>> label = np.array([1.0, 1.0, 0.0, 0.0])
>>> def system(*scores):
...     return Observed.of_rows(np.stack([np.array(scores), label], axis=1), [np.arange(4)], [4])
>>> pair = observed_pair(system(0.9, 0.1, 0.5, 0.2), system(0.9, 0.8, 0.5, 0.2))
>>> pair.differing, pair.difference(Weighing(area))                # from 2 of 4 pairs to all
(1, 0.5)
>>> sorted(pair.swapped_every_way(Weighing(area)).tolist())
[-0.5, 0.5]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.metric import Score
from finegrain.resampling.drawing import bootstrap
from finegrain.resampling.paired import precedes
from finegrain.resampling.swapping import every_swap, swaps
from finegrain.resampling.weighted import Observed

Floats = NDArray[np.float64]
_Moved = Callable[[NDArray[np.int64]], Iterator[NDArray[np.float32]]]


class ObservedPair(NamedTuple):
    """Two systems side by side; ``turned``: the second one stands first."""

    joint: Observed
    turned: bool

    @property
    def differing(self) -> int:
        return int(self.joint.counts[self.joint.unlike()].sum())

    @property
    def pooled(self) -> bool:
        return self.joint.pooled

    def difference(self, score: Score) -> float:
        return float(self._second_less_first(score(self.joint.total())))

    def without_each(self, score: Score) -> None:
        """Rows have no sums to leave one out of."""

    def bootstrapped(self, score: Score, *, resamples: int, seed: int) -> Floats:
        drawn = bootstrap(self.joint, resamples=resamples, seed=seed)
        return self._second_less_first(score(drawn))

    def swapped(self, score: Score, *, resamples: int, seed: int) -> Floats:
        return self._moved(
            score, lambda counts: swaps(counts, resamples=resamples, seed=seed), resamples
        )

    def swapped_every_way(self, score: Score) -> Floats:
        return self._moved(score, _every_way, 2**self.differing)

    def _moved(self, score: Score, drawn: _Moved, resamples: int) -> Floats:
        """The difference after swaps of the samples that differ."""
        unlike = np.flatnonzero(self.joint.unlike())
        counts = self.joint.counts[unlike]

        def blocks() -> Iterator[NDArray[np.float32]]:
            for block in drawn(counts):
                moved = np.zeros((len(block), self.joint.size), np.float32)
                moved[:, unlike] = block
                yield moved

        one, other = (
            score(self.joint.exchanged(blocks, resamples, turned=turned))
            for turned in (False, True)
        )
        return one - other if self.turned else other - one

    def _second_less_first(self, values: Floats) -> Floats:
        changes: Floats = values[..., 1] - values[..., 0]
        return -changes if self.turned else changes


def _every_way(counts: NDArray[np.int64]) -> Iterator[NDArray[np.float32]]:
    """``[exchange, kind]`` of all exchanges, in how many samples of a kind."""
    lanes = every_swap(counts)
    starts = np.cumsum(counts) - counts
    for block in lanes.blocks:
        yield np.add.reduceat(block, starts, axis=1) if len(starts) else block


def observed_pair(one: Observed, other: Observed) -> ObservedPair:
    """Two systems on the same samples."""
    turned = precedes(other, one)
    left, right = (other, one) if turned else (one, other)
    return ObservedPair(left.together([right]), turned)
