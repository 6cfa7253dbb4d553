"""Slices as sentences, tables, tidy records and JSON."""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING, Any

from finegrain.analyses.explain.bucket_selection import Part
from finegrain.analyses.interval_cells import bounds, bracketed
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.p_values import told_p
from finegrain.analyses.result import number
from finegrain.table.scale import Scale

if TYPE_CHECKING:
    from finegrain.analyses.trust.slice_finding import Finding, Search
    from finegrain.analyses.trust.slices import Slices


_WRITTEN = {"f1": "F1", "chrf": "chrF"}


def sentence(found: Finding) -> str:
    """``B loses to A on ORG with entity_length 3 to 9: recall -6.1 [-9.8, -2.4], n = 214, ...``."""
    name = found.slice.name
    if len(found.systems) == 1:
        what = f"{found.systems[0]} is weak on {name}"
    else:
        first, second = found.systems
        verb = "gains on" if found.gained else "loses to"
        what = f"{second} {verb} {first} on {name}"
    effect, low, high = (_change(found.scale, one) for one in (found.effect, found.low, found.high))
    ends = f" [{low}, {high}]" if _has_ends(found) else ""
    size = f"n = {found.n:,}, {told_p(found.p)}"
    return f"{what}: {in_words(found.measure)} {effect}{ends}, {size}"


def in_words(measure: str) -> str:
    """A measure as a sentence names it: ``absolute error``, ``F1``."""
    return _WRITTEN.get(measure, measure.replace("_", " "))


def _change(scale: Scale, effect: float) -> str:
    """A difference in a sentence: points with one digit, numbers as their scale writes them."""
    if scale.shown == "percent":
        return f"{100 * effect:+z.1f}"
    return scale.written(effect, signed="+")


def _has_ends(found: Finding) -> bool:
    return bounds(found.low, found.high) is not None


def listings(result: Slices) -> tuple[Listing, ...]:
    """One table per search, with a sentence and a selection for every finding below it."""
    return tuple(
        listing
        for search in result.searches
        for listing in (_table(result, search), _sentences(search))
        if listing is not None
    )


def _title(result: Slices, search: Search) -> str:
    what = f"weak slices of {search.systems[0]}"
    if len(search.systems) == 2:
        what = f"slices on which {search.systems[1]} differs from {search.systems[0]}"
    measure = in_words(result.settings.measure)
    return f"{what}: {measure}, {search.candidates:,} slices tested"


def _table(result: Slices, search: Search) -> Listing:
    single = len(search.systems) == 1
    measure, scale = in_words(result.settings.measure), result.settings.scale
    values = [measure, "rest"] if single else [f"{measure} {name}" for name in search.systems]
    known = any(not math.isnan(value) for one in search.findings for value in one.f1)
    named = [Column("F1" if single else f"F1 {name}", "score") for name in search.systems]
    f1 = named if known else []
    columns = (
        Column("slice"), Column("n", "count"),
        *(Column(name, "score", scale=scale) for name in values),
        Column("effect", "change", scale=scale), Column("interval"), Column("p", "p"), *f1,
    )  # fmt: skip
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one.slice.name, one.n, *_values(one), one.effect,
            bracketed(one.low, one.high, signed="+", scale=scale), one.p,
            *(one.f1 if known else ()),
        )
        for one in search.findings
    )  # fmt: skip
    note = "" if rows else "No slice differs beyond chance."
    if rows and single:
        note = "effect: the slice less the rest of the same documents, or of the corpus without "
        note += "documents"
    elif rows:
        note = f"effect: {search.systems[1]} less {search.systems[0]}"
    if rows and not scale.higher:
        note += f"; {measure}: lower is better"
    note += "; F1 is shown, not tested." if known else "." if rows else ""
    return Listing(_title(result, search), columns, rows, note)


def _values(one: Finding) -> tuple[float, ...]:
    return (*one.values, one.rest) if len(one.systems) == 1 else one.values


def _sentences(search: Search) -> Listing | None:
    if not search.findings:
        return None
    rows = tuple(
        cells for one in search.findings for cells in ((one.sentence,), (f"  {_shown(one)}",))
    )
    return Listing("in words, and where to look", (Column("finding"),), rows)


def _shown(one: Finding) -> str:
    """How to see the units; attributes that are learnt need the training data again."""
    learnt = any(part.attribute.needs_training for part in one.slice.parts)
    return f"show {'--train FILE ' if learnt else ''}--where {shlex.quote(one.instances)}"


def records(result: Slices) -> Listing:
    """One row per finding."""
    scale = result.settings.scale
    columns = (
        Column("system"), Column("baseline"), Column("measure"), Column("slice"),
        Column("n", "count"), Column("value", "score", scale=scale),
        Column("compared_with", "score", scale=scale), Column("effect", "change", scale=scale),
        Column("low", "change", scale=scale), Column("high", "change", scale=scale),
        Column("p"), Column("f1", "score"), Column("where"), Column("instances"),
    )  # fmt: skip
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one.systems[-1], one.systems[0] if len(one.systems) == 2 else "", one.measure,
            one.slice.name, one.n, one.values[-1],
            one.rest if len(one.systems) == 1 else one.values[0],
            one.effect, one.low, one.high, one.p, one.f1[-1], one.where, one.instances,
        )
        for one in result.findings
    )  # fmt: skip
    return Listing("slices", columns, rows)


def to_json(result: Slices) -> dict[str, Any]:
    """Searches with their findings."""
    return {
        "measure": result.settings.measure,
        "higher_is_better": result.settings.scale.higher,
        "confidence": result.settings.level,
        "searches": [
            {
                "systems": list(search.systems),
                "candidates": search.candidates,
                "significant": search.significant,
                "findings": [_finding(one) for one in search.findings],
            }
            for search in result.searches
        ],
    }


def _finding(one: Finding) -> dict[str, Any]:
    return {
        "sentence": one.sentence,
        "slice": [_part(part) for part in one.slice.parts],
        "n": one.n,
        "values": dict(zip(one.systems, map(number, one.values), strict=True)),
        "rest": number(one.rest),
        "effect": number(one.effect),
        "interval": bounds(one.low, one.high),
        "p": one.p,
        "f1": dict(zip(one.systems, map(number, one.f1), strict=True)),
        "where": one.where,
        "instances": one.instances,
    }


def _part(part: Part) -> dict[str, Any]:
    bucket = part.bucket
    return {"attribute": part.attribute.name, "bucket": bucket.name, "range": bucket.range()}
