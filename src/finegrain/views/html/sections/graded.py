"""Difficulty and oracle of units that are only graded, as tables that lead to units."""

from __future__ import annotations

from textwrap import shorten

from finegrain.analyses.compare import value_bin_listings
from finegrain.analyses.compare.difficulty import Difficulty
from finegrain.analyses.compare.oracle import Oracle
from finegrain.analyses.compare.triage import Triage
from finegrain.analyses.compare.value_bins import ValueBins
from finegrain.analyses.evidence import GOLD, Evidence, in_bucket, of_row
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.reports.embedded_buckets import value_name
from finegrain.analyses.reports.graded_units import beyond
from finegrain.analyses.reports.report import Report
from finegrain.analyses.trust.slice_listings import in_words as measure_words
from finegrain.table.verdicts import value
from finegrain.views.html.listing_table import table_of
from finegrain.views.html.sections.section import Context
from finegrain.views.html.wording import first_upper

TEMPLATE = "tables.html"
_MOST, _TEXT = 14, 60  # units, and characters of each


def difficulty_context(report: Report) -> Context | None:
    """Units by their mean value over systems, and those that all are far off on."""
    found = report.results.get("difficulty")
    if not isinstance(found, Difficulty) or found.graded is None or not len(found.graded.sizes):
        return None
    words, bins = report.task.words, found.graded
    good = "higher" if bins.scale.higher else "lower"
    return {
        "lead": f"{first_upper(words.units)} by the mean {measure_words(bins.value)} of all "
        f"systems, the hardest first ({good} is better), with the mean of every system there. "
        "Systems differ in what they find hard where a column is not in the order of their overall "
        "means.",
        "tables": [
            ("difficulty", table_of("difficulty", _bins(report, found, bins))),
            *(("triage", table_of("triage", one)) for one in _far_off(report)),
        ],
    }


def _bins(report: Report, found: Difficulty, bins: ValueBins) -> Listing:
    """The means of the command, by rank; those of a bin lead to its units."""
    means = next(value_bin_listings.listings(found, bins))
    sizes, name = bins.sizes.tolist(), value_name(bins)

    def behind(_: int, column: int) -> Evidence:
        place = column - 1
        return Evidence.of(sizes[place], GOLD, in_bucket(name, place))

    ranked = means.in_order([report.systems[place] for place in report.order])
    return ranked.leading(range(1, len(sizes) + 1), behind)


def _far_off(report: Report) -> list[Listing]:
    """Units with the largest gaps."""
    found = report.results.get("triage")
    if not isinstance(found, Triage) or found.gaps is None or not len(found.gaps.rows):
        return []
    table, scale = report.table, value(report.table).scale
    matrix = value(table).matrix
    rows: list[tuple[Cell, ...]] = []
    embedded = set(report.units.chosen.tolist())
    units = zip(found.gaps.rows[:_MOST].tolist(), found.gaps.gap.tolist(), strict=False)
    for row, gap in units:
        text = shorten(table.text(row), _TEXT, placeholder=" …")
        own = Evidence.of(1, of_row(row)) if row in embedded else None
        cells = (text, gap, *(float(matrix[row, one]) for one in report.order))
        rows.append(tuple(Linked(cell, own) for cell in cells))
    columns = (
        Column(report.task.words.unit), Column("gap", "score", scale=scale),
        *(Column(report.systems[one], "score", scale=scale) for one in report.order),
    )  # fmt: skip
    goal = scale.written(found.gaps.goal)
    note = f"Gap: how far {found.at_least} or more systems are from {goal}"
    if not report.task.holds_systems:
        note += "; a gold standard that is wrong looks like this, too"
    title = f"Check these {report.task.words.units}: the largest gaps"
    return [Listing(title, columns, tuple(rows), f"{note}.")]


def oracle_context(report: Report) -> Context | None:
    """What choosing the best output for every unit would reach, and who adds what."""
    found = report.results.get("oracle")
    if not isinstance(found, Oracle) or found.judged or found.graded is None:
        return None
    graded = found.graded
    if not graded.units:
        return None
    scale, said, words = graded.scale, measure_words(graded.value), report.task.words
    rows: list[tuple[Cell, ...]] = []
    before = None
    for system, total in zip(graded.greedy.order, graded.greedy.sums, strict=True):
        gain = None if before is None else graded.share(total - before)
        mean = float(graded.means[system])
        lost = graded.share(float(graded.lost[system]))
        leads = Linked(mean, beyond(report.table, system, mean))
        rows.append((graded.systems[system], leads, graded.level(total), gain, lost))
        before = total
    columns = (
        Column("next system"), Column(f"mean {said}", "score", scale=scale),
        Column("best so far", "score", scale=scale), Column("gain", "change", scale=scale),
        Column("lost without it", "score", scale=scale),
    )  # fmt: skip
    good = "higher" if scale.higher else "lower"
    note = f"{first_upper(said)}: {good} is better. {_left_out(report, graded.left_out)}".rstrip()
    listing = Listing("Order of adding", columns, tuple(rows), note)
    return {
        "lead": f"Whoever chose the best output for every {words.unit} would reach a mean {said} "
        f"of {scale.written(graded.oracle)}, {scale.written(graded.gain)} better than the best "
        f"system, {graded.best_system}. Starting from that one, each step adds the system that "
        "helps most; lost is what the oracle of all would lose without a system.",
        "tables": [("oracle", table_of("oracle", listing))],
    }


def _left_out(report: Report, number: int) -> str:
    if not number:
        return ""
    return f"{number:,} {report.task.words.of(number)} without a value are left out."
