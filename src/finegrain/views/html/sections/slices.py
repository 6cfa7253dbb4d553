"""Slices that matter, with the units that a system gets wrong in them."""

from __future__ import annotations

from finegrain.analyses.p_values import written_level, written_p
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.weak_slices import (
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
from finegrain.table.scale import Scale
from finegrain.views.html.sections.section import Context
from finegrain.views.html.wording import points, signed

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
        "measure": measure_words(found.settings.measure),
        "graded": found.settings.graded,
        "better": "higher" if found.settings.scale.higher else "lower",
        "candidates": f"{sized(search.candidates, 'slice')} {_were(search.candidates)}",
        "none": _none(search.candidates),
        "rows": [_row(report, one) for one in search.findings[:_MOST]],
        "more": max(0, len(search.findings) - _MOST),
        "level": written_level(1 - found.settings.level),
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
    pair = len(one.systems) > 1
    values = zip(one.values, wrong_inside(report.table, one), strict=True)
    return {
        "name": in_words(one.slice),
        "whole": whole_of(report.table, one),
        "values": [(_score(one.scale, score), behind) for score, behind in values],
        "rest": None if pair else (_score(one.scale, one.rest), wrong_outside(report.table, one)),
        "effect": (_change(one.scale, one.effect), behind_effect(report.table, one)),
        "ends": [_change(one.scale, end) for end in (one.low, one.high)],
        "p": written_p(one.p),
    }


def _score(scale: Scale, value: float) -> str:
    if scale.shown == "percent":
        return points(value, 1)
    return scale.written(value).replace("-", "−")


def _change(scale: Scale, value: float) -> str:
    if scale.shown == "percent":
        return signed(value, 1)
    return scale.written(value, signed="+").replace("-", "−")
