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
[0.07, 0.32]

Which system is best is not known either; the interval of the gain takes that into account
(``oracle_gain``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.compare.oracle_gain import oracle_gain
from finegrain.analyses.interval_cells import interval_notes
from finegrain.analyses.intervals import Intervals, listed
from finegrain.analyses.result import number
from finegrain.metrics.metric import Score
from finegrain.resampling.intervals import Drawing
from finegrain.resampling.sampling import Sampling, sampling_of
from finegrain.table import OutcomeTable


class Everyone(NamedTuple):
    """Systems, vote and oracle, ``[unit, who]``; ``produced`` where not all units are gold."""

    right: NDArray[np.bool_]
    produced: NDArray[np.bool_] | None


class BoundEnds(NamedTuple):
    """Intervals ``(low, high)`` of an oracle and of its gain; nan where there is none.

    ``held_out``: the gain over a system that was chosen on half of the samples, on the other half.
    """

    oracle: NDArray[np.float64]
    gain: NDArray[np.float64]
    held_out: float = math.nan

    def to_json(self) -> dict[str, Any]:
        ends = {"oracle": listed(self.oracle), "gain": listed(self.gain)}
        return {**ends, "gain_held_out": number(self.held_out)}


class OracleIntervals(Intervals[tuple[str, str | None], BoundEnds]):
    """Intervals by measure and label, ``None`` for all labels."""

    __slots__ = ()

    def of(self, measure: str, label: str | None = None) -> BoundEnds:
        """The intervals of one measure, of all labels or of one."""
        return self.found[measure, label]

    def notes(self) -> list[str]:
        """What must be known of them; a gain that is held out has no ends."""
        ends = (pair for one in self.found.values() for pair in (one.oracle, one.gain))
        return interval_notes(self.sample, missing=any(np.isnan(pair).any() for pair in ends))

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
    wanted: Sequence[tuple[str, str | None]],
    scores: Mapping[str, Score],
    drawing: Drawing,
) -> OracleIntervals:
    """Intervals of measures and labels that are wanted."""
    sampling = sampling_of(table)
    ends: dict[tuple[str, str | None], BoundEnds] = {}
    for measure, label in wanted:
        rows: NDArray[np.int64] | slice = slice(None)
        if label is not None:
            rows = np.flatnonzero(table.label == table.labels.index(label))
        counts = _counts(table, everyone, sampling, rows)
        ends[measure, label] = BoundEnds(*oracle_gain(counts, scores[measure], drawing))
    return OracleIntervals.of_drawn(sampling, drawing, ends)


def _counts(
    table: OutcomeTable,
    everyone: Everyone,
    sampling: Sampling,
    rows: NDArray[np.int64] | slice,
) -> NDArray[np.float64]:
    """``[sample, (systems ..., oracle), (TP, FP, FN, gold, predicted)]`` of some rows."""
    codes, size = sampling.samples.codes[rows], sampling.samples.size
    is_gold = table.is_gold[rows]

    def count(which: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(codes[which], minlength=size)

    gold = count(is_gold)
    whose = [*np.argsort(table.systems).tolist(), -1]  # so that their order does not matter
    found = np.empty((size, len(whose), 5))
    for side, who in enumerate(whose):
        hits = count(everyone.right[rows, who] & is_gold)
        made = gold if everyone.produced is None else count(everyone.produced[rows, who])
        found[:, side] = np.stack([hits, made - hits, gold - hits, gold, made], axis=-1)
    return found
