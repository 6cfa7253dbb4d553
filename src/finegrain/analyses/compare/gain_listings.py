"""The tables of gains: how many units are won and lost, by how much, and the largest of them."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten
from typing import TYPE_CHECKING

from finegrain.analyses.compare.gains import Gains, UnitGain
from finegrain.analyses.interval_cells import bracketed, interval_heading
from finegrain.analyses.listing import Cell, Column, Listing

_TEXT = 60  # characters of a unit


if TYPE_CHECKING:
    from finegrain.analyses.compare.difference_intervals import PairIntervals


def headline(found: Gains, units: str) -> str:
    """The gains in a sentence; ``units`` is what they are called."""
    one, other = found.systems
    if not found.changed:
        return f"{one} and {other} have the same {found.value} on all {found.units:,} {units}"
    return (
        f"{other} is better on {found.wins:,} and worse on {found.losses:,} of {found.units:,} "
        f"{units}, with {found.ties:,} ties: {told_move(found)}"
    )


def told_move(found: Gains) -> str:
    """From which mean to which."""
    one, other = (found.scale.written(mean) for mean in (found.one, found.other))
    gain = found.scale.written(found.gain, signed="+")
    return f"mean {found.value} {one} -> {other}, gain {gain}"


def listings(found: Gains, intervals: PairIntervals | None, units: str) -> Iterator[Listing]:
    """Wins and losses, then the units with the largest gains and losses."""
    yield _overview(found, intervals, units)
    for what, largest in (("gains", found.largest_gains), ("losses", found.largest_losses)):
        if largest:
            yield _largest(found, f"Largest {what} of {found.systems[1]}", largest)


def _overview(found: Gains, intervals: PairIntervals | None, units: str) -> Listing:
    one, other = found.systems
    counts = {
        f"{other} is better": found.wins,
        f"{one} is better": found.losses,
        "ties": found.ties,
    }
    rows: list[tuple[Cell, ...]] = [
        (name, count, ratio_of(count, found.units)) for name, count in counts.items()
    ]
    ends = ""
    if intervals is not None:
        bounds = bracketed(*intervals.ends("gain"), signed="+", scale=found.scale)
        ends = bounds and f"; {interval_heading(intervals.confidence)} interval of it: {bounds}"
    good = "higher" if found.scale.higher else "lower"
    footer = (("not compared", sum(found.undefined), None),) if any(found.undefined) else ()
    return Listing(
        headline(found, units),
        (Column(found.value), Column("n", "count"), Column(f"% of {units}", "score")),
        tuple(rows),
        f"{found.value}: {good} is better; gain: the mean over {units} that both have{ends}",
        footer,
    )


def ratio_of(count: int, units: int) -> float:
    """A share of units; nan without any."""
    return count / units if units else float("nan")


def _largest(found: Gains, title: str, largest: tuple[UnitGain, ...]) -> Listing:
    lines = any(unit.line is not None for unit in largest)
    columns = (
        Column("unit"),
        *(Column(name, "score", scale=found.scale) for name in found.systems),
        Column("gain", "change", scale=found.scale),
        *([Column("line", "count")] if lines else []),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            shorten(unit.text, _TEXT), unit.one, unit.other, unit.gain,
            *([unit.line] if lines else []),
        )
        for unit in largest
    )  # fmt: skip
    return Listing(title, columns, rows)


def records(found: Gains) -> dict[str, Cell]:
    """Measures and their numbers."""
    return {
        "units": found.units, "wins": found.wins, "losses": found.losses, "ties": found.ties,
        "undefined": sum(found.undefined), "a": found.one, "b": found.other, "gain": found.gain,
    }  # fmt: skip
