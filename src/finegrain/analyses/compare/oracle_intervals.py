"""How far an oracle, and its gain over the best system, could be off.

>>> from finegrain.analyses.compare.oracle import oracle
>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> gold = Corpus.of([["a", "b"]] * 20, tags=[["N", "V"]] * 20)
>>> one = Corpus.of([["a", "b"]] * 20, tags=[["N", "V"]] * 10 + [["N", "N"]] * 10)
>>> two = Corpus.of([["a", "b"]] * 20, tags=[["V", "N"]] * 12 + [["N", "V"]] * 8)
>>> found = oracle(align(gold, {"one": one, "two": two}), intervals=1000)
>>> found.bound().oracle, round(found.bound().gain, 2)           # 38 and 30 of 40
(0.95, 0.2)
>>> found.intervals.of("accuracy").gain.round(2).tolist()
[0.08, 0.3]

The best system is the one that is best on all the data, and stays the same in every resample: the
interval says how far the gain over this system is known, not how sure it is to be the best
(``finegrain significance``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.intervals import Intervals, listed
from finegrain.metrics.metric import Score
from finegrain.resampling.distinct import distinct
from finegrain.resampling.intervals import Drawing, drawn
from finegrain.resampling.sampling import Sampling, sampling_of
from finegrain.table import OutcomeTable


class Everyone(NamedTuple):
    """Systems, vote and oracle, ``[unit, who]``; ``produced`` where not all units are gold."""

    right: NDArray[np.bool_]
    produced: NDArray[np.bool_] | None


class BoundEnds(NamedTuple):
    """Intervals ``(low, high)`` of an oracle and of its gain; nan where there is none."""

    oracle: NDArray[np.float64]
    gain: NDArray[np.float64]

    def to_json(self) -> dict[str, Any]:
        return {name: listed(ends) for name, ends in self._asdict().items()}


class OracleIntervals(Intervals[tuple[str, str | None], BoundEnds]):
    """Intervals by measure and label, ``None`` for all labels."""

    __slots__ = ()

    def of(self, measure: str, label: str | None = None) -> BoundEnds:
        """The intervals of one measure, of all labels or of one."""
        return self.found[measure, label]

    def to_json(self, measures: Sequence[str], labels: tuple[str, ...]) -> dict[str, Any]:
        """``overall`` and ``labels`` by the first measure, and F1 if it is another."""
        first, *others = measures
        told = {"confidence": self.confidence, **self._bounds(first, labels)}
        return told | ({"f1": self._bounds("f1", labels)} if "f1" in others else {})

    def _bounds(self, measure: str, labels: tuple[str, ...]) -> dict[str, Any]:
        return {
            "overall": self.of(measure).to_json(),
            "labels": {label: self.of(measure, label).to_json() for label in labels},
        }


def oracle_intervals(
    table: OutcomeTable,
    everyone: Everyone,
    best: Mapping[tuple[str, str | None], int],
    scores: Mapping[str, Score],
    drawing: Drawing,
) -> OracleIntervals:
    """Intervals by measure and label; ``best``: the place of the system that is best by them."""
    sampling = sampling_of(table)
    ends: dict[tuple[str, str | None], BoundEnds] = {}
    for (measure, label), place in best.items():
        rows: NDArray[np.int64] | slice = slice(None)
        if label is not None:
            rows = np.flatnonzero(table.label == table.labels.index(label))
        counts = _counts(table, everyone, sampling, rows, place)
        resampled = drawn(distinct(counts), drawing)
        ends[measure, label] = BoundEnds(*resampled.ends(gaining(scores[measure])))
    return OracleIntervals.of_drawn(sampling, drawing, ends)


def gaining(score: Score) -> Score:
    """``[..., (oracle, gain)]`` of sums ``[..., (best, oracle), count]``."""

    def gaining(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        values = score(sums)
        return np.stack([values[..., 1], values[..., 1] - values[..., 0]], axis=-1)

    return gaining


def _counts(
    table: OutcomeTable,
    everyone: Everyone,
    sampling: Sampling,
    rows: NDArray[np.int64] | slice,
    best: int,
) -> NDArray[np.float64]:
    """``[sample, (best, oracle), (TP, FP, FN, gold, predicted)]`` of some rows."""
    codes, size = sampling.samples.codes[rows], sampling.samples.size
    is_gold = table.is_gold[rows]

    def count(which: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(codes[which], minlength=size)

    gold = count(is_gold)
    found = np.empty((size, 2, 5))
    for side, who in enumerate((best, -1)):
        hits = count(everyone.right[rows, who] & is_gold)
        made = gold if everyone.produced is None else count(everyone.produced[rows, who])
        found[:, side] = np.stack([hits, made - hits, gold - hits, gold, made], axis=-1)
    return found
