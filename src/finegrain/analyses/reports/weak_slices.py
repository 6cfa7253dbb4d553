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

from finegrain.analyses.reports.facts import Facts
from finegrain.analyses.reports.finding import (
    Bar,
    Finding,
    Part,
    Strip,
    counted,
    interval,
    percent,
    points,
    strong,
)
from finegrain.analyses.reports.weak_spots import ENOUGH
from finegrain.analyses.trust.slice_candidates import Slice
from finegrain.analyses.trust.slice_finding import Finding as Found
from finegrain.analyses.trust.slice_listings import written_p


def in_words(one: Slice) -> str:
    """The name of a slice with its attributes in words."""
    name = one.name
    for part in one.parts:
        if part.attribute.name != "label":
            said = f"{part.attribute.name.replace('_', ' ')} {part.bucket.range()}"
            name = name.replace(part.name, said)
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


def weak_slices(facts: Facts) -> Iterator[Finding]:
    """Slices on which the best system is weaker than on the rest, more than chance explains."""
    searched = facts.results.get("slices")
    if searched is None:
        return
    for one in searched.findings:
        if one.n >= ENOUGH and len(one.systems) == 1:
            yield _told(facts, one)


def _told(facts: Facts, one: Found) -> Finding:
    (name,), (value,) = one.systems, one.values
    system, what = facts.table.system(name), in_words(one.slice)
    wrong = round(one.n * (1 - value))
    wrong_there = counted(wrong, {**conditions(one.slice), f"verdict.{system}": "wrong"})
    ends = None if math.isnan(one.low) else (-one.high, -one.low)
    parts = (
        strong(name),
        Part(f" is weak at {what}: {one.measure} {points(value)}, {points(-one.effect)}"),
        *interval(ends),
        Part(f" below the rest (p {written_p(one.p)}). It is wrong about "),
        wrong_there,
        Part(f" of {one.n:,} such {facts.units} ({percent(wrong, one.n)})."),
    )
    bars = (
        Bar("here", value, points(value), subject=True, evidence=wrong_there.evidence),
        Bar("rest", one.rest, points(one.rest)),
    )
    strip = Strip(f"{one.measure}; n = {one.n:,}", bars)
    return Finding("slice", parts, "attributes", one.n, strip, ends, (name, what))
