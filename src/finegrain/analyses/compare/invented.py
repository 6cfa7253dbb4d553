"""What systems produce that is not gold, by how many systems produce it, and what they invent.

A unit is *not gold* if the gold standard does not have exactly it; it is *invented* if, besides,
it is matched with no gold unit: a span that counts as FP in fair counting, not one that is matched
with a gold span of another label or other boundaries. What one system invents is that system's
error; what all of them invent may be missing in the gold standard. For spans, a unit is produced by
every system that has exactly it (label and boundaries). For tags with a label ``O`` the units are
the gold-O tokens, and a system produces (and invents) one by answering anything but O.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = invented(fg.align(*small_corpora("spans")))
>>> found.sizes.tolist()                        # 8 spans of one system are not gold, 0 of both
[0, 8, 0]
>>> found.invented.tolist()                     # one of them is matched with no gold span
[0, 1, 0]
>>> found.by_system.tolist()
[[0, 3, 0], [0, 5, 0]]
>>> found.precision.round(2).tolist()           # how far to trust what one system, what both have
[nan, 0.33, 1.0]

Where every unit is gold and labels say nothing of the kind of ``O`` (items with a class, answers to
questions) there is nothing to invent: the task says so (``can_invent``), and the analysis refuses.

Precision of bin k = gold units / units, among those that exactly k systems produce. The precision
of a system in a bin is the same among those that it produces, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Printed, number
from finegrain.analyses.signature import signature
from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.metrics.metric import ratio
from finegrain.table import OutcomeTable, Task
from finegrain.table.outside import inventing, is_outside, marked, outside
from finegrain.table.verdicts import listed


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Invented(Printed):
    """Units by the number of systems that produce them, ``[bin]``, and of them each system's.

    ``sizes`` and ``by_system`` ``[system, bin]`` count what is not gold, ``invented`` and
    ``invented_by_system`` what of it is invented (by all that produce it); ``gold_sizes`` and
    ``gold_by_system`` what is gold. Bin 0 holds gold-O tokens that nobody marks (tags), no span,
    and mentions that only stand for gold ones with other boundaries.
    """

    task: Task
    systems: tuple[str, ...]
    sizes: NDArray[np.int64]
    by_system: NDArray[np.int64]
    invented: NDArray[np.int64]
    invented_by_system: NDArray[np.int64]
    gold_sizes: NDArray[np.int64]
    gold_by_system: NDArray[np.int64]
    signature: str
    notes: tuple[str, ...]

    @property
    def precision(self) -> NDArray[np.float64]:
        """``[bin]`` gold / all units that this many systems produce; undefined for bin 0."""
        produced_by_some = np.arange(len(self.sizes)) > 0
        total = np.where(produced_by_some, self.sizes + self.gold_sizes, 0)
        return ratio(self.gold_sizes, total)

    @property
    def precision_by_system(self) -> NDArray[np.float64]:
        """``[system, bin]`` the same among the units that the system produces."""
        return ratio(self.gold_by_system, self.by_system + self.gold_by_system)

    def to_json(self) -> dict[str, Any]:
        return {
            "sizes": self.sizes.tolist(),
            "invented": self.invented.tolist(),
            "gold_sizes": self.gold_sizes.tolist(),
            "precision": _numbers(self.precision),
            "counts": dict(zip(self.systems, self.by_system.tolist(), strict=True)),
            "system_invented": dict(
                zip(self.systems, self.invented_by_system.tolist(), strict=True)
            ),
            "system_precision": {
                name: _numbers(row)
                for name, row in zip(self.systems, self.precision_by_system, strict=True)
            },
        }

    def listings(self) -> tuple[Listing, ...]:
        bins = range(len(self.sizes))
        if not self.sizes[0]:
            bins = bins[1:]  # of spans there is none that nobody has
        heads = tuple(str(one) for one in bins)
        total = Column("all", "count")
        once, new = (
            f"({name})" if name in self.systems else name for name in ("distinct", "invented")
        )
        counts: tuple[tuple[Cell, ...], ...] = tuple(
            (name, *(int(row[one]) for one in bins), int(row[1:].sum()))
            for name, row in zip(self.systems, self.by_system, strict=True)
        )
        trust: tuple[tuple[Cell, ...], ...] = tuple(
            (name, *(float(row[one]) for one in bins if one))
            for name, row in zip(self.systems, self.precision_by_system, strict=True)
        )
        marked = tuple(Column(head, "score", group=_GROUP) for head in heads if head != "0")
        return (
            Listing(
                "Units that are not gold",
                (Column("system"), *(Column(head, "count", group=_GROUP) for head in heads), total),
                counts,
                f"{once}: each unit once; {new}: those that are matched with no gold unit. all: "
                "without those that nobody produces.",
                tuple(
                    (name, *(int(sizes[one]) for one in bins), int(sizes[1:].sum()))
                    for name, sizes in ((once, self.sizes), (new, self.invented))
                ),
            ),
            Listing(
                "Precision",
                (Column("system"), *marked),
                trust,
                "Gold units / units among those that n systems, and this one, produce.",
                ((once, *(float(self.precision[one]) for one in bins if one)),),
            ),
        )

    def records(self) -> Listing:
        columns = (
            Column("kind"), Column("system"), Column("bin", "count"), Column("not_gold", "count"),
            Column("invented", "count"), Column("gold", "count"), Column("precision", "score"),
        )  # fmt: skip
        named = zip(
            (("distinct", "distinct"), *(("system", name) for name in self.systems)),
            np.vstack([self.sizes, self.by_system]),
            np.vstack([self.invented, self.invented_by_system]),
            np.vstack([self.gold_sizes, self.gold_by_system]),
            np.vstack([self.precision, self.precision_by_system]),
            strict=True,
        )
        rows = tuple(
            (
                *who,
                place,
                int(wrong[place]),
                int(new[place]),
                int(good[place]),
                float(precision[place]),
            )
            for who, wrong, new, good, precision in named
            for place in range(len(self.sizes))
        )
        return Listing("invented", columns, rows)


def invented(table: OutcomeTable, *, where: str = "") -> Invented:
    """Count what systems produce and the gold standard does not have.

    ``where``: only the units that this holds for, as in ``score``.
    """
    require_inventions(table.task)
    table = restrict(table, where)
    notes = table.notes
    units = listed(table)
    if not is_outside(table).any() and not table.task.open:
        units[:] = False
        notes = (*notes, _NOTHING)
    marks = marked(table)
    gold = table.is_gold & ~outside(table) & units
    other = ~gold & units
    agreeing = marks.sum(axis=1, dtype=np.int64)
    new = inventing(table)
    by_all = other & (agreeing > 0) & (new == marks).all(axis=1)
    size = table.n_systems + 1
    return Invented(
        table.task,
        table.systems,
        np.bincount(agreeing[other], minlength=size),
        _by_system(marks, agreeing, other),
        np.bincount(agreeing[by_all], minlength=size),
        _by_system(new, agreeing, other),
        np.bincount(agreeing[gold], minlength=size),
        _by_system(marks, agreeing, gold),
        signature(table),
        notes,
    )


def require_inventions(task: Task) -> None:
    """Raise for a task whose systems cannot have what is not gold."""
    if not task.can_invent:
        units = task.words.units
        raise UsageError(
            f"nothing can be invented in the task {task}: its {units} are those of the gold "
            "standard; score, errors and triage say what systems get wrong"
        )


_GROUP = "by how many systems produce the unit"
_NOTHING = "every unit is gold: all have a gold label, and none of them is O"


def _by_system(
    marks: NDArray[np.bool_], agreeing: IntArray, rows: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """``[system, bin]`` the rows that each system produces."""
    counts = np.zeros((marks.shape[1], marks.shape[1] + 1), np.int64)
    for system in range(marks.shape[1]):
        mine = agreeing[rows & marks[:, system]]
        counts[system] = np.bincount(mine, minlength=counts.shape[1])
    return counts


def _numbers(values: NDArray[np.float64]) -> list[float | None]:
    return [number(value) for value in values]
