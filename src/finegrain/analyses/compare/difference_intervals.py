"""How far the difference of two systems could be off: shares of changes, and of scores.

>>> from finegrain.analyses.compare.difference import difference
>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> gold = Corpus.of([["a", "b"]] * 20, tags=[["N", "V"]] * 20)
>>> old = Corpus.of([["a", "b"]] * 20, tags=[["N", "V"]] * 10 + [["N", "N"]] * 10)
>>> new = Corpus.of([["a", "b"]] * 20, tags=[["V", "V"]] * 4 + [["N", "V"]] * 16)
>>> found = difference(align(gold, {"old": old, "new": new}), intervals=1000).intervals
>>> [[round(end, 2) for end in found.ends(kind)] for kind in ("correction", "new_error")]
[[0.15, 0.39], [0.04, 0.24]]
>>> [round(end, 2) for end in found.ends("accuracy")]              # of (10 - 4) / 40 = 0.15
[-0.05, 0.32]

Documents, or sentences where there are none, are drawn for each pair by itself, so that no other
system changes a digit; what one system gains in a document and loses in another is seen in the
interval of the score. The one of accuracy is that of the net change, (corrections - new errors) /
units; where accuracy is the score of the task, it is the one that ``significance`` shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.compare.changed_share import changed_share
from finegrain.analyses.compare.difference_counts import Stances, changed_units
from finegrain.analyses.compare.gains import sums_of_pair
from finegrain.analyses.interval_cells import bounds
from finegrain.analyses.intervals import Intervals
from finegrain.metrics.metric import Metric, Score, ratio
from finegrain.metrics.values import OfParts, mean
from finegrain.resampling.distinct import distinct
from finegrain.resampling.intervals import Drawing, drawn
from finegrain.resampling.paired import paired
from finegrain.resampling.pairs import System, shift
from finegrain.resampling.sampling import Sampling, compared, sampling_of
from finegrain.table import OutcomeTable
from finegrain.table.scale import PROPORTION
from finegrain.table.verdicts import CHANGES, right, right_or_wrong

_SHARES = (*CHANGES, "diff")


class Ends(NamedTuple):
    """Lower and upper end of an interval; nan where there is none."""

    low: float
    high: float


NOTHING_KNOWN: Mapping[tuple[int, int], Ends] = MappingProxyType({})


class PairIntervals(Intervals[str, Ends]):
    """Intervals of shares of units, and of the changes of scores.

    By a kind of change, ``diff``, ``accuracy``, ``gain`` and ``score``.
    """

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        kinds = {f"{kind}s": bounds(*self.found[kind]) for kind in CHANGES if kind in self.found}
        others = {name: bounds(*ends) for name, ends in self.found.items() if name not in CHANGES}
        return {"confidence": self.confidence, **kinds, **others}


@dataclass(frozen=True, slots=True, eq=False)
class Resampled:
    """What all pairs share: what is drawn, and the counts of the metric of every system.

    ``wrong`` is ``[system, sample]``, ``gold`` ``[sample]``: units. ``known`` are intervals of the
    metric that another analysis drew in the same way, by the places of two systems in the table.
    """

    drawing: Drawing
    sampling: Sampling
    metric: Metric | None
    counts: tuple[System, ...]
    wrong: NDArray[np.int64]
    gold: NDArray[np.int64]
    known: Mapping[tuple[int, int], Ends]

    def said(self) -> dict[str, str]:
        """What the signature says of it."""
        return {**self.sampling.said(), **self.drawing.said()}


def resampled(
    prepared: Stances,
    metric: Metric | None,
    drawing: Drawing,
    known: Mapping[tuple[int, int], Ends] = NOTHING_KNOWN,
) -> Resampled | None:
    """Prepare the systems of a table for intervals of any two of them, if there are to be any."""
    if not drawing.resamples:
        return None
    table = prepared.table
    sampling = sampling_of(table)
    counts: tuple[System, ...] = ()
    if metric is not None:
        counts = compared(table, metric, sampling)
    gold, wrong = np.zeros(0, np.int64), np.zeros((0, 0), np.int64)
    if right_or_wrong(table):
        codes, size = sampling.samples
        gold = np.bincount(codes[table.is_gold], minlength=size)
        errors = (codes[~own] for own in right(table).T)
        wrong = np.stack([np.bincount(own, minlength=size) for own in errors])
    return Resampled(drawing, sampling, metric, counts, wrong, gold, known)


def pair_intervals(
    prepared: Stances, places: tuple[int, int], names: tuple[str, str], shared: Resampled
) -> PairIntervals:
    """The intervals of the systems at two places of what was prepared."""
    table = prepared.table
    one, other = (table.system(name) for name in names)
    found = dict(
        _of_verdicts(prepared, places, (one, other), shared)
        if right_or_wrong(table)
        else [("diff", _changed_share(prepared, (one, other), shared))]
    )
    if table.task.value:
        found["gain"] = _gain(table, (one, other), shared)
    if shared.metric is not None:
        found["score"] = shared.known.get((one, other)) or _moved(
            shared.counts[one], shared.counts[other], shared.metric.score, shared
        )
    return PairIntervals.of_drawn(shared.sampling, shared.drawing, found)


def _gain(table: OutcomeTable, systems: tuple[int, int], shared: Resampled) -> Ends:
    """Of the mean gain; where raters are drawn too, that of the metric which is this mean."""
    metric = shared.metric
    if metric is None or not shared.sampling.inside or metric.value != table.task.value:
        return _moved(*sums_of_pair(table, systems, shared.sampling), mean, shared)
    one, other = (shared.counts[system] for system in systems)
    low, high = _moved(one, other, metric.score, shared)
    return Ends(low, high) if metric.scale.higher else Ends(-high, -low)


def _of_verdicts(
    prepared: Stances, places: tuple[int, int], systems: tuple[int, int], shared: Resampled
) -> Iterator[tuple[str, Ends]]:
    """Of kinds of changes, and of accuracy."""
    changes, units = _counted(prepared, places, shared)
    yield from zip(_SHARES, _shares(changes, units, shared), strict=True)
    one, other = (
        distinct(np.stack([units - shared.wrong[system], units], axis=1).astype(float))
        for system in systems
    )
    yield "accuracy", _moved(one, other, mean, shared)


def _changed_share(prepared: Stances, systems: tuple[int, int], shared: Resampled) -> Ends:
    """Of the share of graded units on which one of two systems is better."""
    table, metric = prepared.table, shared.metric
    of_parts = None if metric is None or metric.value != table.task.value else metric.statistics
    parts = of_parts if isinstance(of_parts, OfParts) else None
    return Ends(*changed_share(table, systems, shared.sampling, shared.drawing, parts))


def _moved(one: System, other: System, score: Score, shared: Resampled) -> Ends:
    """The interval of how far the second system's score is from the first's."""
    ends = shift(one, other, score, shared.drawing).interval
    return Ends(float(ends.low), float(ends.high))


def _shares(
    changes: list[NDArray[np.int64]], units: NDArray[np.int64], shared: Resampled
) -> Iterator[Ends]:
    """The intervals of the shares of changes, and of all changes.

    Which system stands first must not change a draw, so each has its own side: what only it is
    right about.
    """
    corrections, new_errors, changed_errors = changes
    sides = [
        distinct(np.stack([own, changed_errors, units], axis=1).astype(float))
        for own in (new_errors, corrections)
    ]
    pair = paired(*sides)
    first, second = (1, 0) if pair.turned else (0, 1)

    def shares(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        broken, fixed = sums[..., first, 0], sums[..., second, 0]
        changed, size = sums[..., 0, 1], sums[..., 0, 2]
        parts = (fixed, broken, changed, fixed + broken + changed)
        return ratio(np.stack(parts, axis=-1), np.broadcast_to(size[..., None], (*size.shape, 4)))

    yield from (
        Ends(*ends) for ends in drawn(pair.joint, shared.drawing).ends(shares, PROPORTION).tolist()
    )


def _counted(
    prepared: Stances, places: tuple[int, int], shared: Resampled
) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
    """Changes of each kind, and units of the pair, both ``[sample]``."""
    codes, size = shared.sampling.samples
    rows, kind = changed_units(prepared, *places)
    sample = codes[rows]
    changes = [np.bincount(sample[kind == code], minlength=size) for code in range(len(CHANGES))]
    charged = prepared.invented[places[0]] | prepared.invented[places[1]]
    invented = np.bincount(codes[prepared.not_gold[charged]], minlength=size)
    return changes, shared.gold + invented
