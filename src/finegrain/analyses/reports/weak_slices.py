"""Slices in sentences: what they hold in words, conditions on their units, what is told of them.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=6_000, seed=1)
>>> found = fg.slices(fg.align(play.gold, play.systems), "crf", by=["entity_length"])
>>> first = found.findings[0].slice
>>> first.name, in_words(first), conditions(first)        # planted: it cuts or misses long entities
('entity_length 4 to 12', 'entity length 4 to 12', {'unit': 'gold', 'bucket.entity_length': 3})
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from finegrain.analyses.evidence import Evidence, all_of
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
from finegrain.analyses.reports.graded_units import beyond
from finegrain.analyses.reports.share_intervals import Mask
from finegrain.analyses.reports.weak_spots import ENOUGH
from finegrain.analyses.selection import selected
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


def conditions(one: Slice) -> dict[str, str | int]:
    """Conditions on the gold units of a slice."""
    found: dict[str, str | int] = {"unit": "gold"}
    for part in one.parts:
        if part.attribute.name == "label":
            found["label"] = part.bucket.name
        else:
            found[f"bucket.{part.attribute.name}"] = part.place
    return found


def conditions_of_rest(one: Slice) -> dict[str, str | int]:
    """Conditions on the gold units that are not in a slice."""
    inside = conditions(one)
    return {"unit": inside.pop("unit"), "not": all_of(inside)}


def whole_of(table: OutcomeTable, one: Found) -> Evidence:
    """The gold units of a slice that were tested: graded ones have a value."""
    return Evidence.of(one.n, {**conditions(one.slice), **_valued(table, one)})


def _valued(table: OutcomeTable, one: Found) -> dict[str, str | int]:
    """That systems have a value, where some units have none."""
    places = map(table.system, one.systems if one.graded else ())
    return {
        f"valued.{place}": "yes"
        for place in places
        if np.isnan(value(table).matrix[:, place]).any()
    }


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
        held = whole_of(table, one).conditions
        return tuple(
            beyond(table, place, limit, dict(held), _members(table, one))
            for place, limit in zip(places, limits, strict=True)
        )
    return tuple(
        Evidence.of(
            round(one.n * (1 - value)), {**conditions(one.slice), f"verdict.{place}": "wrong"}
        )
        for place, value in zip(places, one.values, strict=True)
    )


def wrong_outside(table: OutcomeTable, one: Found) -> Evidence:
    """What one system is wrong about elsewhere."""
    (inside,), (name,) = wrong_inside(table, one), one.systems
    system = table.system(name)
    if one.graded:
        rest = {**conditions_of_rest(one.slice), **_valued(table, one)}
        return beyond(table, system, one.rest, rest, table.is_gold & ~_members(table, one))
    wrong = int(np.count_nonzero(table.is_gold & ~right(table)[:, system]))
    rest = {**conditions_of_rest(one.slice), f"verdict.{system}": "wrong"}
    return Evidence.of(wrong - inside.count, rest)


def behind_effect(table: OutcomeTable, one: Found) -> Evidence:
    """What a system is wrong about in a slice, or what two systems answer differently there."""
    if len(one.systems) == 1:
        return wrong_inside(table, one)[0]
    first, second = map(table.system, one.systems)
    there = {**conditions(one.slice), f"change.{first}.{second}": "any"}
    if one.graded:
        there = {**conditions(one.slice), f"gain.{first}.{second}": "any"}
    return Evidence.of(one.changed, there)


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
    solved = facts.behind(gold & good, {"unit": "gold", f"verdict.{system}": "right"})
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
    whole = Evidence.of(one.n, conditions(one.slice))
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
    gold, inside = facts.table.is_gold, rows_of(facts, one.slice)
    verdicts = right(facts.table)[:, others]
    here, rest = (float(verdicts[rows].mean()) for rows in (gold & inside, gold & ~inside))
    whole = Evidence.of(one.n, conditions(one.slice))
    elsewhere = Evidence.of(facts.table.n_gold - one.n, conditions_of_rest(one.slice))
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
    inside = np.ones(len(facts.table), bool)
    for part in one.parts:
        if part.attribute.name == "label":
            inside &= facts.table.label == facts.table.labels.index(part.bucket.name)
        else:
            inside &= facts.codes[part.attribute.name] == part.place
    return inside
