"""How hard every unit is: the number of systems that are right about it (Gianola et al. 2021).

Gold units fall into bins: bin 0 holds what no system solves, the last bin what all of them solve.

>>> import finegrain as fg
>>> table = fg.from_matrix([[1, 1], [1, 1], [1, 0], [0, 0]], systems=["crf", "gru"])
>>> found = difficulty(table)
>>> found.to_json()["sizes"], found.to_json()["counts"]
([1, 1, 2], {'crf': [0, 1, 2], 'gru': [0, 0, 2]})
>>> found.to_json()["shares"]["crf"]
[0.0, 1.0, 1.0]

A system's own answer helps to decide in which bin a unit falls. Leave-one-out bins go by the other
systems only: the two units that both solve, and the one that crf alone solves, for which crf is on
its own.

>>> found.leave_one_out().sizes.tolist(), found.leave_one_out().counts.tolist()
([[2, 2], [1, 3]], [[1, 2], [0, 2]])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.compare import difficulty_listings, value_bin_listings
from finegrain.analyses.compare.difficulty_intervals import BinIntervals, bin_intervals
from finegrain.analyses.compare.value_bins import (
    ValueBins,
    value_bins,
)
from finegrain.analyses.listing import Listing
from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Printed, number
from finegrain.analyses.signature import signature
from finegrain.errors import UsageError
from finegrain.metrics.metric import ratio
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable, Task
from finegrain.table.outside import within_spans
from finegrain.table.patterns import Solved, solved
from finegrain.table.verdicts import right, right_or_wrong

Level = Literal["unit", "token"]
LEVELS: tuple[Level, ...] = ("unit", "token")


class LeaveOneOut(NamedTuple):
    """Bins 0 .. systems - 1 of each system, by the others: both ``[system, bin]``."""

    sizes: NDArray[np.int64]
    counts: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Difficulty(Printed):
    """``sizes[label, bin]`` gold units, ``counts[label, system, bin]`` right ones among them.

    ``bins``: which bins tables show, those by all systems or those by all others; ``intervals``
    are there if they were asked for. ``graded`` has the bins of units that are only graded: nothing
    is right about them then.
    """

    task: Task
    systems: tuple[str, ...]
    labels: tuple[str, ...]
    level: Level
    sizes: NDArray[np.int64]
    counts: NDArray[np.int64]
    bins: Literal["all", "leave-one-out"]
    signature: str
    notes: tuple[str, ...]
    intervals: BinIntervals | None = None
    graded: ValueBins | None = None

    def shares(self) -> NDArray[np.float64]:
        """``[system, bin]`` share of the bin's units that a system is right about; nan if none."""
        return ratio(self.counts.sum(axis=0), self.sizes.sum(axis=0))

    def leave_one_out(self) -> LeaveOneOut:
        """What a system is right about is one bin easier with its answer than without it."""
        return leave_one_out(self.sizes.sum(axis=0), self.counts.sum(axis=0))

    def to_json(self) -> dict[str, Any]:
        if self.graded is not None:
            return {"level": self.level, **self.graded.to_json(self.systems)}
        own = self.leave_one_out()
        ends = {} if self.intervals is None else {"intervals": self.intervals.to_json(self.systems)}
        return {
            "level": self.level,
            **self._bins(self.sizes.sum(axis=0), self.counts.sum(axis=0)),
            "labels": {
                label: self._bins(self.sizes[code], self.counts[code])
                for code, label in enumerate(self.labels)
            },
            "leave_one_out": {
                "sizes": self._by_system(own.sizes),
                "counts": self._by_system(own.counts),
                "shares": self._by_system(ratio(own.counts, own.sizes)),
            },
            **ends,
        }

    def _bins(self, sizes: NDArray[np.int64], counts: NDArray[np.int64]) -> dict[str, Any]:
        totals = counts.sum(axis=1)
        recall = ratio(totals, np.full(len(totals), sizes.sum()))
        named = zip(self.systems, totals.tolist(), recall.tolist(), strict=True)
        by_name = {name: (total, share) for name, total, share in named}
        return {
            "units": int(sizes.sum()),
            "sizes": sizes.tolist(),
            "counts": self._by_system(counts),
            "shares": self._by_system(ratio(counts, np.broadcast_to(sizes, counts.shape))),
            "totals": {name: total for name, (total, _) in by_name.items()},
            "recall": {name: number(share) for name, (_, share) in by_name.items()},
        }

    def _by_system(self, values: NDArray[Any]) -> dict[str, list[Any]]:
        rows = values.tolist()
        return {
            name: [number(one) if isinstance(one, float) else one for one in row]
            for name, row in zip(self.systems, rows, strict=True)
        }

    def listings(self) -> tuple[Listing, ...]:
        if self.graded is None:
            return difficulty_listings.listings(self)
        return tuple(value_bin_listings.listings(self, self.graded))

    def records(self) -> Listing:
        if self.graded is None:
            return difficulty_listings.records(self)
        return value_bin_listings.records(self, self.graded)


def difficulty(
    table: OutcomeTable,
    *,
    level: Level = "unit",
    leave_one_out: bool = False,
    where: str = "",
    intervals: int = 0,
    confidence: float = 0.95,
    seed: int = 1,
) -> Difficulty:
    """Put gold units into bins by the number of systems that are right about them.

    Parameters
    ----------
    level: ``unit``, or ``token`` for the tokens of gold spans; the table must be one of tags then
    leave_one_out: show tables of leave-one-out bins; they are part of the JSON anyway
    where: only the units that this holds for, as in ``score``
    intervals: resamples for intervals of shares, 1000 as a rule; 0 for none
    confidence: of the intervals
    seed: the same seed, files and version of numpy give the same intervals
    """
    units = at_level(restrict(table, where), level)
    drawing = Drawing(intervals, confidence, seed)
    if not right_or_wrong(units):
        if leave_one_out:
            raise UsageError("leave-one-out bins need units that are right or wrong, not graded")
        return _graded(units, level, drawing)
    label = units.label
    first, last = (int(label.min()), int(label.max())) if len(label) else (0, -1)
    groups = last - first + 1
    if groups > 1:
        found = solved(units, label - np.asarray(first, label.dtype), groups=groups)
    else:
        found = solved(units)
    held: NDArray[np.bool_] = found.sizes.sum(axis=1) > 0
    labels = [
        name for name, some in zip(units.labels[first : last + 1], held, strict=False) if some
    ]
    found = Solved(found.sizes[held], found.counts[held])
    own = {"bins": "leave-one-out"} if leave_one_out else {}
    ends = bin_intervals(units, found, drawing) if intervals else None
    own |= {} if ends is None else ends.said
    return Difficulty(
        units.task,
        units.systems,
        tuple(labels),
        level,
        found.sizes,
        found.counts,
        "leave-one-out" if leave_one_out else "all",
        signature(units, **own),
        (*units.notes, *_undefined(found), *([] if ends is None else ends.notes())),
        ends,
    )


def _graded(table: OutcomeTable, level: Level, drawing: Drawing) -> Difficulty:
    """The difficulty of units that are only graded, by the mean of their values."""
    found = value_bins(table, drawing)
    codes, size = found.codes, len(found.sizes)
    rows = np.flatnonzero(codes >= 0)
    cells = np.bincount(table.label[rows] * size + codes[rows], minlength=table.n_labels * size)
    sizes = cells.reshape(table.n_labels, size)
    held = np.flatnonzero(sizes.any(axis=1))
    return Difficulty(
        table.task,
        table.systems,
        tuple(table.labels[code] for code in held.tolist()),
        level,
        sizes[held],
        np.zeros((len(held), table.n_systems, size), np.int64),
        "all",
        signature(table, **({} if found.intervals is None else found.intervals.said)),
        (*table.notes, *found.notes()),
        graded=found,
    )


BY_VERDICT = "how many systems are right about"


class Bins(NamedTuple):
    """``codes`` ``[unit]`` the bin of each unit, of ``size`` ones; ``by`` says what they go by."""

    codes: NDArray[np.int64]
    size: int
    by: str = BY_VERDICT


def bins_of(table: OutcomeTable) -> Bins:
    """The bins that hard units are described by."""
    if right_or_wrong(table):
        return Bins(bins(table), table.n_systems + 1)
    found = value_bins(table)
    return Bins(found.codes, len(found.sizes), f"the mean {found.value} of")


def bins(table: OutcomeTable) -> NDArray[np.int64]:
    """``[unit]`` the number of systems that are right about it; -1 for units that are not gold.

    Of units that are only graded, the place of their bin, the hardest first; -1 without a value.
    """
    if not right_or_wrong(table):
        return value_bins(table).codes
    number_right = np.empty(len(table), np.int64)
    for at in range(0, len(table), 1 << 18):
        rows = slice(at, at + (1 << 18))
        right(table, rows).sum(axis=1, out=number_right[rows])
    number_right[~table.is_gold] = -1
    return number_right


def leave_one_out(sizes: NDArray[np.int64], counts: NDArray[np.int64]) -> LeaveOneOut:
    """Bins by the other systems, from the bins ``[bin]`` and ``[system, bin]`` by all of them.

    >>> leave_one_out(np.array([1, 1, 2]), np.array([[0, 1, 2], [0, 0, 2]])).sizes.tolist()
    [[2, 2], [1, 3]]
    """
    easier = counts[:, 1:]  # with the system's own answer
    return LeaveOneOut((sizes - counts)[:, :-1] + easier, easier)


def at_level(table: OutcomeTable, level: Level) -> OutcomeTable:
    """The table itself, or the tokens of gold spans: the units must be tokens then."""
    if level not in LEVELS:
        raise UsageError.unknown("level", level, LEVELS)
    if level == "unit":
        return table
    if "tags" not in table.task.has:
        raise UsageError(
            f"the level token needs a table of tags, not of {table.task}: "
            "fg.align(gold, systems, task='tags'), or --level token with the files"
        )
    return within_spans(table)


def _undefined(found: Solved) -> list[str]:
    sizes = found.sizes.sum(axis=0)
    if not sizes.any():
        return ["there are no gold units, so shares and recall are undefined"]
    empty = np.flatnonzero(sizes == 0).tolist()
    if not empty:
        return []
    listed = ", ".join(map(str, empty))
    named = f"bin {listed} has" if len(empty) == 1 else f"bins {listed} have"
    return [f"{named} no units: shares are undefined there"]
