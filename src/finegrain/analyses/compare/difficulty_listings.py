"""The tables of difficulty: what each system solves of each bin, and how hard each label is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.evidence import GOLD, Evidence, is_right, solved_by
from finegrain.analyses.interval_cells import SIDE_BY_SIDE, interval_title, with_interval
from finegrain.analyses.listing import Cell, Column, Kind, Linked, Listing
from finegrain.analyses.selection.expressions import Expression
from finegrain.metrics.metric import ratio
from finegrain.sizes import sized

if TYPE_CHECKING:
    from finegrain.analyses.compare.difficulty import Difficulty


def listings(found: Difficulty) -> tuple[Listing, ...]:
    """Counts and shares by system and bin, then the bins of labels."""
    if found.bins == "leave-one-out":
        return (*_leave_one_out(found), *_with_intervals(found))
    tables = [counts(found), _shares(found), *_with_intervals(found)]
    if len(found.labels) > 1:
        tables.append(_labels(found))
    return tuple(tables)


def _heading(systems: int) -> str:
    return f"right: n of {systems} systems"


def _bins(number: int, kind: Kind, group: str, *, shade: bool = False) -> tuple[Column, ...]:
    return tuple(
        Column(str(place), kind, "max", group, worst=True, shade=shade) for place in range(number)
    )


def counts(found: Difficulty) -> Listing:
    """How many units of every bin each system is right about; they lead to these."""
    sizes, solved = found.sizes.sum(axis=0), found.counts.sum(axis=0)
    columns = (
        Column("system"),
        *_bins(len(sizes), "count", _heading(len(found.systems))),
        Column("all", "count", "max", worst=True),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *_in_bins(row, is_right(name)))
        for name, row in zip(found.systems, solved, strict=True)
    )
    size, words = int(sizes.sum()), found.task.words
    return Listing(
        f"{sized(size, words.gold, words.which)} by the number of systems that are right",
        columns,
        rows,
        footer=((f"{words.gold}s", *_in_bins(sizes)),),
    )


def _in_bins(counts: NDArray[np.int64], *where: Expression) -> Iterator[Linked]:
    """Counts by bin and of all bins, and the units behind them."""
    for place, count in enumerate(counts.tolist()):
        yield Linked(count, Evidence.of(count, solved_by(place), *where))
    total = int(counts.sum())
    yield Linked(total, Evidence.of(total, GOLD, *where))


def _shares(found: Difficulty) -> Listing:
    sizes, totals = found.sizes.sum(axis=0), found.counts.sum(axis=(0, 2))
    heading = _heading(len(found.systems))
    columns = (
        Column("system"),
        *_bins(len(sizes), "percent", heading, shade=True),
        Column("recall", "score", "max", worst=True),
    )
    recall = ratio(totals, np.full(len(totals), sizes.sum()))
    rows = tuple(
        (name, *row.tolist(), float(recall[place]))
        for place, (name, row) in enumerate(zip(found.systems, found.shares(), strict=True))
    )
    return Listing("Share of each bin that a system is right about, in %", columns, rows)


def _with_intervals(found: Difficulty) -> list[Listing]:
    """What tables say of bins, with intervals: a row for every bin."""
    ends = found.intervals
    if ends is None:
        return []
    own, sizes = found.leave_one_out(), found.sizes.sum(axis=0)
    shares, of = found.shares(), ends.ends("shares")
    if found.bins == "leave-one-out":
        shares, of = ratio(own.counts, own.sizes), ends.ends("left_out")
    columns, cells = [Column("right")], [list(map(str, range(shares.shape[1])))]
    if found.bins == "all":
        columns.append(Column("of all"))
        whole = ratio(sizes, np.full(len(sizes), sizes.sum()))
        cells.append(_ranges(whole, ends.ends("bins")))
    if len(found.systems) <= SIDE_BY_SIDE:
        columns += map(Column, found.systems)
        cells += (_ranges(*both) for both in zip(shares, of, strict=True))
    told = interval_title(ends.confidence, ends.samples, ends.sample)
    if len(columns) == 1:
        return []
    rows = tuple(zip(*cells, strict=True))
    note = "of all: the share of all units that is in the bin; systems: the share they solve of it"
    return [Listing(told, tuple(columns), rows, note if found.bins == "all" else "")]


def _ranges(values: NDArray[np.float64], ends: NDArray[np.float64]) -> list[str]:
    return [
        with_interval(value, *both)
        for value, both in zip(values.tolist(), ends.tolist(), strict=True)
    ]


def _labels(found: Difficulty) -> Listing:
    """How the units of each label spread over the bins, the hardest label first."""
    bins = np.arange(found.sizes.shape[1])
    units = found.sizes.sum(axis=1)
    mean = ratio(found.sizes @ bins, units * len(found.systems))
    heading = _heading(len(found.systems))
    columns = (
        Column("label"),
        Column("gold", "count"),
        *(Column(str(place), "percent", group=heading, shade=True) for place in bins),
        Column("mean recall", "score"),
    )
    shares = ratio(found.sizes, np.broadcast_to(units[:, None], found.sizes.shape))
    order = np.argsort(mean, kind="stable").tolist()
    rows = tuple(
        (found.labels[code], int(units[code]), *shares[code].tolist(), float(mean[code]))
        for code in order
    )
    return Listing("Where the units of each label lie, in %, hardest label first", columns, rows)


def _leave_one_out(found: Difficulty) -> tuple[Listing, ...]:
    own = found.leave_one_out()
    heading = f"right: n of the other {max(len(found.systems) - 1, 0)} systems"
    number = own.sizes.shape[1]
    plain = tuple(Column(str(place), "count", group=heading) for place in range(number))
    sizes = Listing(
        "Units by the number of other systems that are right",
        (Column("system"), *plain, Column("all", "count")),
        _rows(found, own.sizes, own.sizes.sum(axis=1)),
    )
    shares = Listing(
        "Share of each of these bins that the system is right about, in %",
        (Column("system"), *_bins(number, "percent", heading, shade=True),
         Column("recall", "score", "max", worst=True)),
        _rows(found, ratio(own.counts, own.sizes),
              ratio(own.counts.sum(axis=1), own.sizes.sum(axis=1))),
    )  # fmt: skip
    return sizes, shares


def _rows(
    found: Difficulty, values: NDArray[np.generic], last: NDArray[np.generic]
) -> tuple[tuple[Cell, ...], ...]:
    return tuple(
        (name, *row.tolist(), end)
        for name, row, end in zip(found.systems, values, last.tolist(), strict=True)
    )


def records(found: Difficulty) -> Listing:
    """One line per system, label and bin; an empty label stands for all of them."""
    columns = [
        Column("system"), Column("bins"), Column("label"), Column("bin", "count"),
        Column("units", "count"), Column("right", "count"), Column("share", "score"),
    ]  # fmt: skip
    own, ends = found.leave_one_out(), found.intervals
    rows: list[tuple[Cell, ...]] = []
    for place, system in enumerate(found.systems):
        every = [("", found.sizes.sum(axis=0), found.counts[:, place].sum(axis=0))]
        every += [
            (label, found.sizes[code], found.counts[code, place])
            for code, label in enumerate(found.labels)
        ]
        for label, sizes, counts in every:
            of = _placed(
                None if label or ends is None else ends.ends("shares")[place], len(sizes), found
            )
            rows += _records(system, "all", label, sizes, counts, of)
        of = _placed(
            None if ends is None else ends.ends("left_out")[place], own.sizes.shape[1], found
        )
        rows += _records(system, "leave-one-out", "", own.sizes[place], own.counts[place], of)
    if ends is not None:
        columns += (Column("low", "score"), Column("high", "score"))
    return Listing("difficulty", tuple(columns), tuple(rows))


def _placed(
    ends: NDArray[np.float64] | None, bins: int, found: Difficulty
) -> list[tuple[Cell, ...]]:
    """For every bin the ends of its interval; no cells at all where there are no intervals."""
    if found.intervals is None:
        return [()] * bins
    return [(None, None)] * bins if ends is None else [tuple(both) for both in ends.tolist()]


def _records(
    system: str,
    bins: str,
    label: str,
    sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
    ends: list[tuple[Cell, ...]],
) -> list[tuple[Cell, ...]]:
    shares = ratio(counts, sizes).tolist()
    return [
        (system, bins, label, number, size, count, share, *both)
        for number, (size, count, share, both) in enumerate(
            zip(sizes.tolist(), counts.tolist(), shares, ends, strict=True)
        )
    ]
