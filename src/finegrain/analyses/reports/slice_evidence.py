"""Slices in words, the selection of their units, and the units behind their numbers.

>>> import finegrain as fg
>>> from finegrain.analyses.selection.expressions import written
>>> play = fg.simulate(tokens=6_000, seed=1)
>>> found = fg.slices(fg.align(play.gold, play.systems), "crf", by=["entity_length"])
>>> first = found.findings[0].slice
>>> first.name, in_words(first)                        # planted: it cuts or misses long entities
('entity_length 4 to 12', 'entity length 4 to 12')
>>> written(inside(first))
'gold!=none and bucket[entity_length]=3'
"""

from __future__ import annotations

import numpy as np

from finegrain.analyses.evidence import (
    GOLD,
    Evidence,
    changes,
    has_label,
    in_bucket,
    is_wrong,
)
from finegrain.analyses.reports.finding import label_words
from finegrain.analyses.reports.graded_units import beyond, gain, graded_by
from finegrain.analyses.reports.share_intervals import Mask
from finegrain.analyses.selection.expressions import Expression, Not, all_of
from finegrain.analyses.selection.selecting import selected
from finegrain.analyses.trust.slice_candidates import Slice
from finegrain.analyses.trust.slice_finding import Finding as Found
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import right, value


def in_words(one: Slice) -> str:
    """The name of a slice with its attributes in words."""
    name = one.name
    for part in one.parts:  # a label stands first
        said = f"{part.attribute.name.replace('_', ' ')} {part.bucket.range()}"
        said = label_words(part.bucket.name) if part.attribute.name == "label" else said
        name = name.replace(part.name, said, 1)
    return name


def inside(one: Slice) -> Expression:
    """The selection of the gold units of a slice."""
    return all_of(GOLD, *_parts(one))


def outside(one: Slice) -> Expression:
    """The selection of the gold units that are not in a slice, which has some part."""
    return all_of(GOLD, Not(all_of(*_parts(one))))


def _parts(one: Slice) -> list[Expression]:
    return [
        has_label(part.bucket.name)
        if part.attribute.name == "label"
        else in_bucket(part.attribute.name, part.place)
        for part in one.parts
    ]


def whole_of(table: OutcomeTable, one: Found) -> Evidence:
    """The gold units of a slice that were tested: graded ones have a value."""
    return Evidence.of(one.n, inside(one.slice), *_valued(table, one))


def _valued(table: OutcomeTable, one: Found) -> list[Expression]:
    """That systems have a value, where some units have none."""
    return [
        graded_by(table, name).differs(None)
        for name in (one.systems if one.graded else ())
        if np.isnan(value(table).matrix[:, table.system(name)]).any()
    ]


def _members(table: OutcomeTable, one: Found) -> Mask:
    """``[unit]`` the units of a slice, which its selection finds."""
    return selected(table, one.where)


def wrong_inside(table: OutcomeTable, one: Found) -> tuple[Evidence, ...]:
    """What every system is wrong about in a slice.

    Of graded units, those that are worse than the rest on average; of a pair, than the slice.
    """
    places = [table.system(name) for name in one.systems]
    if one.graded:
        limits = one.values if len(places) > 1 else (one.rest,)
        held = whole_of(table, one).where
        return tuple(
            beyond(table, place, limit, held, _members(table, one))
            for place, limit in zip(places, limits, strict=True)
        )
    return tuple(
        Evidence.of(round(one.n * (1 - value)), inside(one.slice), is_wrong(name))
        for name, value in zip(one.systems, one.values, strict=True)
    )


def wrong_outside(table: OutcomeTable, one: Found) -> Evidence:
    """What one system is wrong about elsewhere."""
    (here,), (name,) = wrong_inside(table, one), one.systems
    system = table.system(name)
    if one.graded:
        rest = all_of(outside(one.slice), *_valued(table, one))
        return beyond(table, system, one.rest, rest, table.is_gold & ~_members(table, one))
    wrong = int(np.count_nonzero(table.is_gold & ~right(table)[:, system]))
    return Evidence.of(wrong - here.count, outside(one.slice), is_wrong(name))


def behind_effect(table: OutcomeTable, one: Found) -> Evidence:
    """What a system is wrong about in a slice, or what two systems answer differently there."""
    if len(one.systems) == 1:
        return wrong_inside(table, one)[0]
    first, second = one.systems
    differ = gain(table, first, second, "any") if one.graded else changes(first, second)
    return Evidence.of(one.changed, inside(one.slice), differ)
