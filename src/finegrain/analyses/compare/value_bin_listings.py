"""The tables of bins of graded units: what each system reaches in each of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from finegrain.analyses.compare.value_bins import ValueBins
from finegrain.analyses.interval_cells import (
    SIDE_BY_SIDE,
    interval_title,
    with_interval,
)
from finegrain.analyses.intervals import Intervals
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.table.scale import Floats

if TYPE_CHECKING:
    from finegrain.analyses.compare.difficulty import Difficulty


def listings(found: Difficulty, graded: ValueBins) -> Iterator[Listing]:
    """Means by system and bin, then the same with intervals."""
    units, scale = found.task.words.units, graded.scale
    columns = (
        Column("system"),
        *(
            Column(name, "score", "max", "hardest to easiest", worst=True, scale=scale)
            for name in graded.names
        ),
        Column("all", "score", "max", worst=True, scale=scale),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *row.tolist(), float(graded.overall[at]))
        for at, (name, row) in enumerate(zip(found.systems, graded.means, strict=True))
    )
    sizes = [f"{size:,}" for size in (*graded.sizes.tolist(), int(graded.sizes.sum()))]
    good = "higher" if scale.higher else "lower"
    yield Listing(
        f"Mean {graded.value} by how hard {units} are",
        columns,
        rows,
        f"{graded.value}: {good} is better; bins are quarters of {units} by the mean over systems",
        ((units, *sizes),),
    )
    if graded.intervals is not None and len(found.systems) <= SIDE_BY_SIDE:
        yield _with_intervals(found.systems, graded, graded.intervals)


def _with_intervals(
    systems: tuple[str, ...], graded: ValueBins, intervals: Intervals[str, Floats]
) -> Listing:
    cells = [[*graded.names, "all"]]
    for at, ends in enumerate(intervals.ends("means").tolist()):
        means = (*graded.means[at].tolist(), float(graded.overall[at]))
        cells.append(
            [
                with_interval(one, *both, scale=graded.scale)
                for one, both in zip(means, ends, strict=True)
            ]
        )
    title = interval_title(intervals.confidence, intervals.samples, intervals.sample)
    columns = (Column(graded.value), *map(Column, systems))
    return Listing(title, columns, tuple(zip(*cells, strict=True)))


def records(found: Difficulty, graded: ValueBins) -> Listing:
    """One line per system and bin: the range of the bin, its units, the mean."""
    columns = [
        Column("system"), Column("bin", "count"), Column("from", "number"), Column("to", "number"),
        Column("units", "count"), Column("mean", "number"),
    ]  # fmt: skip
    ends = graded.intervals
    rows: list[tuple[Cell, ...]] = [
        (
            name, at, *graded.ranges[at].tolist(), int(graded.sizes[at]),
            float(graded.means[system, at]),
            *(() if ends is None else ends.ends("means")[system, at].tolist()),
        )
        for system, name in enumerate(found.systems)
        for at in range(len(graded.sizes))
    ]  # fmt: skip
    columns += [] if ends is None else [Column("low", "number"), Column("high", "number")]
    return Listing("difficulty", tuple(columns), tuple(rows))
