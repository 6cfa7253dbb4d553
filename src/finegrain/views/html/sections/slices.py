"""Slices that matter, with the units that a system gets wrong in them."""

from __future__ import annotations

from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.weak_slices import conditions, in_words
from finegrain.analyses.trust.slice_finding import Finding, Search
from finegrain.analyses.trust.slice_listings import written_p
from finegrain.analyses.trust.slices import Slices
from finegrain.sizes import sized
from finegrain.views.html.sections.section import Context

_MOST = 10


def slices_of(report: Report, name: str) -> list[Context]:
    """One table for the search of a result; one that could not be made says why."""
    found = report.results.get(name)
    if not isinstance(found, Slices):
        return []
    if not found.searches:
        why = next((note for note in found.notes if note.startswith("nothing is tested")), "")
        return [{"name": name, "why": why, "rows": [], "systems": found.systems}]
    return [_table(report, name, found, search) for search in found.searches]


def _table(report: Report, name: str, found: Slices, search: Search) -> Context:
    return {
        "name": name,
        "why": "",
        "systems": search.systems,
        "places": [report.systems.index(one) for one in search.systems],
        "measure": found.settings.measure,
        "candidates": f"{sized(search.candidates, 'slice')} {_were(search.candidates)}",
        "none": _none(search.candidates),
        "rows": [_row(report, one) for one in search.findings[:_MOST]],
        "more": max(0, len(search.findings) - _MOST),
        "level": found.settings.level,
    }


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


def _row(report: Report, one: Finding) -> Context:
    return {
        "name": in_words(one.slice),
        "conditions": conditions(one.slice),
        "n": one.n,
        "values": [
            (value, round(one.n * (1 - value)), report.systems.index(system))
            for system, value in zip(one.systems, one.values, strict=True)
        ],
        "rest": one.rest,
        "effect": one.effect,
        "ends": (one.low, one.high),
        "p": written_p(one.p).removeprefix("= "),
    }
