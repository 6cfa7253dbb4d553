"""How far bins could be off: their shares of all units, and what a system solves of each.

>>> import finegrain as fg
>>> table = fg.from_matrix([[1, 1]] * 30 + [[1, 0]] * 15 + [[0, 1]] * 5, systems=["crf", "gru"])
>>> found = fg.difficulty(table, intervals=1000)
>>> found.intervals.ends("bins").round(2).tolist()               # 0, 20 and 30 of 50 units
[[nan, nan], [0.27, 0.55], [0.45, 0.73]]
>>> found.intervals.ends("shares")[0].round(2).tolist()          # crf: 15 of 20, 30 of 30
[[nan, nan], [0.5, 0.9], [nan, nan]]

Documents are drawn, or sentences, or the units themselves where they stand alone. The bins are
those of the systems at hand: each system is drawn by itself, with the bins of its own units.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.intervals import Intervals, listed
from finegrain.metrics.metric import Score, ratio
from finegrain.resampling.distinct import Repeated, distinct
from finegrain.resampling.intervals import Drawing, drawn
from finegrain.resampling.sampling import counted, sampling_of
from finegrain.table import OutcomeTable
from finegrain.table.patterns import Solved
from finegrain.table.samples import Samples
from finegrain.table.scale import PROPORTION
from finegrain.table.verdicts import right


class BinIntervals(Intervals[str, NDArray[np.float64]]):
    """Ends by name.

    ``bins`` ``[bin]`` of shares of all units; ``shares`` ``[system, bin]`` of what a system solves
    of a bin, ``left_out`` the same of bins by the other systems; ``recall`` ``[system]``.
    """

    __slots__ = ()

    def expected(self) -> Iterable[NDArray[np.float64]]:
        """Shares of the first and last bin never have any."""
        return (self.ends("recall"),)

    def to_json(self, systems: Sequence[str]) -> dict[str, Any]:
        def by_system(name: str) -> dict[str, Any]:
            return dict(zip(systems, listed(self.ends(name)), strict=True))

        return {
            "confidence": self.confidence,
            "bins": listed(self.ends("bins")),
            "shares": by_system("shares"),
            "recall": by_system("recall"),
            "leave_one_out": {"shares": by_system("left_out")},
        }


def bin_intervals(table: OutcomeTable, found: Solved, drawing: Drawing) -> BinIntervals:
    """Intervals of the bins of a table; ``found``: its bins, all labels together."""
    sampling = sampling_of(table)
    alone = not table.task.words.context and table.corpus.documents is None
    given = _of_single_units(found) if alone else counted(table, bin_counts, sampling)
    *systems, every = given

    def ends_of(one: Repeated, *scores: Score) -> list[NDArray[np.float64]]:
        resampled = drawn(one, drawing)  # of one system at a time: it grows with the bins
        return [resampled.ends(score, PROPORTION) for score in scores]

    of_systems = [ends_of(one, _shares, _left_out, _recall) for one in systems]
    bins = found.sizes.shape[-1]
    shapes = {"shares": (bins, 2), "left_out": (bins - 1, 2), "recall": (2,)}
    ends = {
        name: np.array([own[place] for own in of_systems]).reshape(len(systems), *shape)
        for place, (name, shape) in enumerate(shapes.items())
    } | {"bins": ends_of(every, _of_all)[0]}
    return BinIntervals.of_drawn(sampling, drawing, ends)


def bin_counts(table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
    """``[sample, system, (all, right), bin]`` gold units; after the systems, units of any."""
    verdict = right(table)[table.is_gold]
    bins = table.n_systems + 1
    key = samples.codes[table.is_gold].astype(np.int64) * bins + verdict.sum(axis=1)
    shape, size = (samples.size, bins), samples.size * bins
    counts = np.zeros((samples.size, table.n_systems + 1, 2, bins))
    counts[:, :, 0] = np.bincount(key, minlength=size).reshape(shape)[:, None]
    for system, own in enumerate(verdict.T):
        counts[:, system, 1] = np.bincount(key[own], minlength=size).reshape(shape)
    return counts


def _of_single_units(found: Solved) -> Iterator[Repeated]:
    """The same where every sample is one unit: there are only as many kinds as bins."""
    sizes = found.sizes.sum(axis=0)
    bins = np.eye(len(sizes))
    none = np.zeros_like(bins)
    vectors = np.stack([np.concatenate([bins, bins]), np.concatenate([none, bins])], axis=1)
    for own in (*found.counts.sum(axis=0), np.zeros_like(sizes)):
        times = np.concatenate([sizes - own, own])
        kinds = distinct(vectors[times > 0])
        counts = np.bincount(kinds.codes, weights=times[times > 0], minlength=len(kinds.vectors))
        yield Repeated(kinds.vectors, counts.astype(np.int64))


def _shares(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is solved of each bin, of sums ``[..., (all, right), bin]``."""
    return ratio(sums[..., 1, :], sums[..., 0, :])


def _left_out(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is solved of each bin by the others: without its own answer a unit is one bin harder."""
    easier = sums[..., 1, 1:]
    return ratio(easier, (sums[..., 0, :] - sums[..., 1, :])[..., :-1] + easier)


def _recall(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return ratio(sums[..., 1, :].sum(axis=-1), sums[..., 0, :].sum(axis=-1))


def _of_all(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    sizes = sums[..., 0, :]
    return ratio(sizes, np.broadcast_to(sizes.sum(axis=-1, keepdims=True), sizes.shape))
