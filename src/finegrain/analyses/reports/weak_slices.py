"""Slices in sentences: what they hold in words, the selection of their units, what is told of them.

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

import math
from collections.abc import Iterator

import numpy as np

from finegrain.analyses.evidence import (
    GOLD,
    Evidence,
    changes,
    has_label,
    in_bucket,
    is_right,
    is_wrong,
)
from finegrain.analyses.p_values import told_p
from finegrain.analyses.reports.facts import Facts
from finegrain.analyses.reports.finding import (
    Bar,
    Finding,
    Part,
    Strip,
    captioned,
    interval,
    label_words,
    leading,
    number,
    percent,
    points,
    proportion,
    strong,
)
from finegrain.analyses.reports.graded_units import beyond, gain, graded_by
from finegrain.analyses.reports.share_intervals import Mask
from finegrain.analyses.reports.weak_spots import ENOUGH
from finegrain.analyses.selection import selected
from finegrain.analyses.selection.expressions import Expression, Not, all_of
from finegrain.analyses.trust.slice_candidates import Slice
from finegrain.analyses.trust.slice_finding import Finding as Found
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import right, value

MOST = 2  # slices in sentences


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


def told_slices(facts: Facts) -> tuple[Found, ...]:
    """The slices that sentences tell of: large enough, and each by attributes of its own."""
    searched, told = facts.results.get("slices"), list[Found]()
    for one in () if searched is None else searched.findings:
        known = {name for other in told for name in other.slice.attributes}
        if one.n >= ENOUGH and len(one.systems) == 1 and not known & set(one.slice.attributes):
            told.append(one)
    return tuple(told[:MOST])


def weak_slices(facts: Facts) -> Iterator[Finding]:
    """Slices on which the best system is weaker than on the rest, more than chance explains."""
    for one in told_slices(facts):
        yield _told(facts, one)


def no_weak_slice(facts: Facts) -> Iterator[Finding]:
    """That the search found nothing, which is worth knowing too."""
    searched = facts.results.get("slices")
    if searched is None or len(searched.searches) != 1 or searched.findings:
        return
    search = searched.searches[0]
    (name,) = search.systems
    system, gold = facts.table.system(name), facts.table.is_gold
    good = right(facts.table)[:, system]
    solved = facts.behind(gold & good, GOLD, is_right(name))
    if search.candidates < 2 or not 0 < solved.count < facts.table.n_gold:
        return
    ends = facts.share(good, gold)
    parts = (
        Part(f"In none of {search.candidates:,} slices is "),
        strong(name),
        Part(" weaker than in the rest by more than chance; overall it is right about "),
        *proportion(solved, facts.gold(), facts.units, ends),
        Part("."),
    )
    wide = solved.count / facts.table.n_gold
    bars = (Bar("right", wide, percent(wide, 1), subject=True, evidence=solved),)
    strip = Strip(captioned("", facts.gold()), bars)
    yield Finding("no_slice", parts, "attributes", facts.table.n_gold, strip, ends)


def _told(facts: Facts, one: Found) -> Finding:
    (name,), (value,) = one.systems, one.values
    what = in_words(one.slice)
    (wrong,), elsewhere = wrong_inside(facts.table, one), wrong_outside(facts.table, one)
    ends = None if math.isnan(one.low) else (-one.high, -one.low)
    whole = Evidence.of(one.n, inside(one.slice))
    parts = (
        strong(name),
        Part(f" is weak at {what}: {one.measure} "),
        *leading(wrong, Part(points(value))),
        Part(", "),
        *leading(wrong, Part(points(-one.effect)), *interval(ends)),
        Part(" below the rest ("),
        *leading(wrong, Part(told_p(one.p))),
        Part("). It is wrong about "),
        number(wrong),
        Part(" of "),
        number(whole),
        Part(f" such {facts.units} ("),
        *leading(wrong, Part(percent(wrong.count, one.n))),
        Part(")."),
        *_of_others(facts, one),
    )
    bars = (
        Bar("here", value, points(value), subject=True, evidence=wrong),
        Bar("rest", one.rest, points(one.rest), evidence=elsewhere),
    )
    strip = Strip(captioned(one.measure, whole), bars)
    return Finding("slice", parts, "attributes", one.n, strip, ends, (name, what))


def _of_others(facts: Facts, one: Found) -> list[Part]:
    """What the other systems reach in a slice and in the rest, which tells whose weakness it is."""
    others = [place for place in facts.order if facts.name(place) not in one.systems]
    if not others:
        return []
    gold, members = facts.table.is_gold, rows_of(facts, one.slice)
    verdicts = right(facts.table)[:, others]
    here, rest = (float(verdicts[rows].mean()) for rows in (gold & members, gold & ~members))
    whole = Evidence.of(one.n, inside(one.slice))
    elsewhere = Evidence.of(facts.table.n_gold - one.n, outside(one.slice))
    who, mean = [Part(" The other systems reach ")], " on average"
    if len(others) == 1:
        who, mean = [Part(" "), strong(facts.name(others[0])), Part(" reaches ")], ""
    return [
        *who,
        *leading(whole, Part(points(here))),
        Part(" there, "),
        *leading(elsewhere, Part(points(rest))),
        Part(f" elsewhere{mean}."),
    ]


def rows_of(facts: Facts, one: Slice) -> Mask:
    """``[unit]`` whether it is in a slice."""
    members = np.ones(len(facts.table), bool)
    for part in one.parts:
        if part.attribute.name == "label":
            members &= facts.table.label == facts.table.labels.index(part.bucket.name)
        else:
            members &= facts.codes[part.attribute.name] == part.place
    return members
