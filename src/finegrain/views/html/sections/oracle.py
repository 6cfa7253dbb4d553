"""Oracle: what systems reach together, the order in which they help, what each adds by label."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from finegrain.analyses.compare.oracle import Oracle
from finegrain.analyses.compare.oracle_listings import HEADINGS, by_label
from finegrain.analyses.evidence import GOLD, Evidence, has_label, is_right, is_wrong, solved_by
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.reports.report import Report
from finegrain.analyses.selection.expressions import Expression, all_of
from finegrain.table.verdicts import right
from finegrain.views.html.axis import bars
from finegrain.views.html.listing_table import Look, Table, table_of
from finegrain.views.html.sections.section import Context
from finegrain.views.html.wording import a, gold_unit

_BESIDE = 6  # systems, up to which there is room beside the figure
_LABELS = 12
_BEST, _ORACLE, _GAIN = 3, 5, 6  # columns of the listing by label


def context(report: Report) -> Context | None:
    """Nothing for a single system, or where no unit is right or wrong."""
    found = report.results.get("oracle")
    if not isinstance(found, Oracle) or not found.units.sum() or not found.judged:
        return None
    total = int(found.units.sum())
    return {
        "steps": _steps(found, total),
        "gains": _gains(report, found),
        "short": len(found.systems) <= _BESIDE,
        "total": total,
        "unsolved": total - int(found.greedy.solved[-1]),
        "unit": report.task.words.units,
        "one": a(gold_unit(report.task.words)),
    }


def _steps(found: Oracle, total: int) -> Table:
    """Systems in the order in which they help most; what each solves that none before it does."""
    added = np.diff(found.greedy.solved, prepend=0).tolist()
    before: list[Expression] = [GOLD]
    rows: list[tuple[Cell, ...]] = []
    for at, (place, solved) in enumerate(zip(*found.greedy, strict=True)):
        name = found.systems[place]
        new = Evidence.of(added[at], *before, is_right(name))
        before.append(is_wrong(name))
        left = Evidence.of(int(total - solved), *before)
        alone = int(found.contributions.unique[place])
        rows.append((
            at + 1, name, Linked(new.count, new), Linked(solved / total, left),
            Linked(alone, Evidence.of(alone, solved_by(1), is_right(name))),
        ))  # fmt: skip
    columns = (
        Column("k", "count"), Column("next system"), Column("new", "count"),
        Column("solved, %", "score"), Column("alone", "count"),
    )  # fmt: skip
    look = Look(style="", styles={0: "third"}, named=1, digits=1)
    table = table_of("oracle", Listing("Order of adding", columns, tuple(rows)), look)
    widest = max(1, *added[1:])
    drawn = bars(
        (
            100 * new / widest if at else 100.0, "subject" if at else "pale",
            f"{row.cells[1].text}: {row.cells[2].text} new",
        )
        for at, (new, row) in enumerate(zip(added, table.rows, strict=True))
    )  # fmt: skip
    return table.drawn(3, drawn, "room")


def _gains(report: Report, found: Oracle) -> Table | None:
    """By label what the best system, all systems, and only the best are wrong about.

    Those labels first where the oracle gains most over the system that is best on all of them.
    """
    measure = found.measures[0]
    bounds = {
        label: (found.bound(label=label), units)
        for label, units in zip(found.labels, found.units.tolist(), strict=True)
        if units
    }
    if len(bounds) < 2:
        return None
    order = sorted(bounds, key=lambda one: -bounds[one][0].gain_over_leader * bounds[one][1])
    order = order[:_LABELS]
    table, solved = report.table, right(report.table)

    def behind(row: int, column: int) -> Evidence | None:
        label = order[row]
        (bound, units), gold = bounds[label], all_of(GOLD, has_label(label))
        of_label = solved[table.is_gold & (table.label == table.labels.index(label))]
        some = of_label.any(axis=1)
        if column == 1:
            return Evidence.of(units, gold)
        if column == _ORACLE:
            return Evidence.of(int((~some).sum()), gold, solved_by(0))
        if bound.best_system is None:
            return None
        best = found.systems.index(bound.best_system)
        lost, wrong = ~of_label[:, best], all_of(gold, is_wrong(bound.best_system))
        if column == _BEST:
            return Evidence.of(int(lost.sum()), wrong)
        return Evidence.of(int((some & lost).sum()), wrong, solved_by(1, len(found.systems)))

    listing = by_label(found, measure).in_order(order).leading((1, _BEST, _ORACLE, _GAIN), behind)
    listing = replace(listing, title=f"Gain in {HEADINGS[measure]} by label", note="")
    return table_of("gains", listing.part((0, 1, 2, _BEST, _ORACLE, _GAIN)), Look(digits=1))
