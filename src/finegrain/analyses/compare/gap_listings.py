"""Graded units that systems are far off on, as a table and as JSON: gaps beside values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from finegrain.analyses.compare.gaps import Gaps
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.table.verdicts import value as value_of

if TYPE_CHECKING:
    from finegrain.analyses.compare.triage import Triage

_VALUES = 6  # systems whose values stand side by side


def values_of(found: Triage, row: int) -> dict[str, float | None]:
    """The values of all systems for a unit."""
    values = value_of(found.table).matrix[row].tolist()
    return {name: number(own) for name, own in zip(found.systems, values, strict=True)}


def unit_json(found: Triage, graded: Gaps) -> Iterator[dict[str, Any]]:
    """Of every unit its gap and the values of systems."""
    for row, gap in zip(found.rows.tolist(), graded.gap.tolist(), strict=False):
        yield {"gap": gap, "values": values_of(found, row)}


def listing(found: Triage, graded: Gaps) -> Listing:
    """The units with their gaps."""
    scale, value = value_of(found.table).scale, found.task.value
    few = found.systems if len(found.systems) <= _VALUES else ()
    columns = (
        Column("gap", "score", scale=scale),
        *(Column(name, "score", scale=scale) for name in few),
        Column("before", "count"), Column("unit"), Column("after"), Column("line", "count"),
    )  # fmt: skip
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (told["gap"], *(told["values"][name] for name in few), *unit.context, unit.line or "")
        for unit, told in zip(found.units(), unit_json(found, graded), strict=True)
    )
    who = "all" if found.at_least == len(found.systems) else f"{found.at_least} or more"
    units = f"{found.found:,} {found.task.words.of(found.found)}"
    first = f"; the first {len(rows):,}" if len(rows) < found.found else ""
    goal = "the best value" if scale.best is not None else "the mean of the best system"
    return Listing(
        f"{units} on which {who} systems are far off{first}",
        columns,
        rows,
        f"gap: how far {who} systems are at least from {goal} of {value}, "
        f"{scale.written(graded.goal)}",
    )


def records(found: Triage, graded: Gaps) -> Listing:
    """One row per unit: where it is, its gap, the value of every system."""
    columns = (
        *map(Column, ("document", "sentence", "line", "text")), Column("gap", "number"),
        *(Column(f"value[{name}]", "number") for name in found.systems), Column("words"),
    )  # fmt: skip
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            unit.document, unit.sentence, unit.line, unit.text, told["gap"],
            *told["values"].values(), " ".join(unit.words),
        )
        for unit, told in zip(found.units(), unit_json(found, graded), strict=True)
    )  # fmt: skip
    return Listing("triage", columns, rows)
