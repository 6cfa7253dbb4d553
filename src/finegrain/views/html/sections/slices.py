"""Slices that matter, with the units that a system gets wrong in them."""

from __future__ import annotations

from finegrain.analyses.interval_cells import bracketed
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.p_values import written_level
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.slice_evidence import (
    behind_effect,
    in_words,
    whole_of,
    wrong_inside,
    wrong_outside,
)
from finegrain.analyses.trust.slice_finding import Finding, Search
from finegrain.analyses.trust.slice_listings import in_words as measure_words
from finegrain.analyses.trust.slices import Slices
from finegrain.sizes import sized
from finegrain.views.html.listing_table import Look, Table, table_of
from finegrain.views.html.sections.section import Context
from finegrain.views.html.wording import signed

_MOST = 10


def slices_of(report: Report, name: str) -> list[Context]:
    """One table for the search of a result; one that could not be made says why."""
    found = report.results.get(name)
    if not isinstance(found, Slices):
        return []
    if not found.searches:
        why = next((note for note in found.notes if note.startswith("nothing is tested")), "")
        return [{"name": name, "why": why, "table": None, "systems": found.systems}]
    return [_section(report, name, found, search) for search in found.searches]


def _section(report: Report, name: str, found: Slices, search: Search) -> Context:
    return {
        "name": name,
        "why": "",
        "systems": search.systems,
        "measure": measure_words(found.settings.measure),
        "graded": found.settings.graded,
        "better": "higher" if found.settings.scale.higher else "lower",
        "candidates": f"{sized(search.candidates, 'slice')} {_were(search.candidates)}",
        "none": _none(search.candidates),
        "table": _table(report, name, found, search) if search.findings else None,
        "more": max(0, len(search.findings) - _MOST),
        "level": written_level(1 - found.settings.level),
    }


def _table(report: Report, name: str, found: Slices, search: Search) -> Table:
    pair, scale = len(search.systems) == 2, found.settings.scale
    values = search.systems if pair else (measure_words(found.settings.measure), "rest")
    columns = (
        Column("slice"), Column("gold", "count"),
        *(Column(one, "score", scale=scale) for one in values),
        Column("effect", "change", scale=scale), Column("p", "p"),
    )  # fmt: skip
    rows = tuple(_row(report, one) for one in search.findings[:_MOST])
    look = Look(systems=search.systems if pair else (), style="fit slices", digits=1,
                styles={4: "effect"})  # fmt: skip
    return table_of(name, Listing("", columns, rows), look)


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _none(candidates: int) -> str:
    """That a search found nothing, in a sentence.

    >>> _none(0)
    'No slice has enough units to be tested'
    >>> _none(1), _none(230)
    ('The one slice does not differ beyond chance', 'None of 230 slices differs beyond chance')
    """
    if candidates == 0:
        return "No slice has enough units to be tested"
    if candidates == 1:
        return "The one slice does not differ beyond chance"
    return f"None of {sized(candidates, 'slice')} differs beyond chance"


def _row(report: Report, one: Finding) -> tuple[Cell, ...]:
    table, name = report.table, in_words(one.slice)
    whole, effect = whole_of(table, one), behind_effect(table, one)
    rest = [Linked(one.rest, wrong_outside(table, one))] if len(one.systems) == 1 else []
    return (
        Linked(name, None, name),
        Linked(whole.count, whole),
        *map(Linked, one.values, wrong_inside(table, one)),
        *rest,
        Linked(one.effect, effect, beside=_ends(one)),
        Linked(one.p, effect),
    )


def _ends(one: Finding) -> str:
    """The interval of an effect, of points with one digit."""
    if one.scale.shown == "percent":
        return f"[{signed(one.low, 1)}, {signed(one.high, 1)}]"
    return bracketed(one.low, one.high, signed="+", scale=one.scale)
