"""Rules for findings about graded units: weak slices, where two differ, what is far off for all.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> report = fg.report(fg.align(*small_corpora("regression"), task="regression"))
>>> [one.rule for one in report.findings][:1]
['leaders']

Slices are tested, with all others at once; the rest is description and says so: a bucket with the
worst mean is always found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from finegrain.analyses.compare.oracle import Oracle
from finegrain.analyses.evidence import GOLD, Evidence, in_bucket
from finegrain.analyses.p_values import told_p
from finegrain.analyses.reports.facts import Facts
from finegrain.analyses.reports.finding import (
    Bar,
    Ends,
    Finding,
    Part,
    Strip,
    captioned,
    interval,
    leading,
    listed,
    number,
    percent,
    strong,
)
from finegrain.analyses.reports.graded_units import beyond, worse_than, worse_than_limit
from finegrain.analyses.reports.weak_slices import (
    behind_effect,
    in_words,
    told_slices,
    whole_of,
    wrong_inside,
    wrong_outside,
)
from finegrain.analyses.reports.weak_spots import ENOUGH
from finegrain.analyses.selection.expressions import all_of
from finegrain.analyses.trust.slice_finding import Finding as Found
from finegrain.analyses.trust.slice_listings import in_words as measure_words
from finegrain.table.scale import Scale
from finegrain.table.verdicts import value

_QUARTER = 0.25


def value_words(facts: Facts) -> str:
    """``absolute error``."""
    return measure_words(facts.table.task.value)


def _scale(facts: Facts) -> Scale:
    return value(facts.table).scale


def _bars(scale: Scale, told: dict[str, tuple[float, Evidence]], subject: str) -> tuple[Bar, ...]:
    """Values side by side; the longest has the whole width."""
    most = max((abs(mean) for mean, _ in told.values()), default=0.0) or 1.0
    return tuple(
        Bar(name, abs(mean) / most, scale.written(mean), name == subject, evidence)
        for name, (mean, evidence) in told.items()
    )


def graded_slices(facts: Facts) -> Iterator[Finding]:
    """Slices on which the best system is worse than on the rest, more than chance explains."""
    for one in told_slices(facts):
        yield _weak(facts, one)


def _weak(facts: Facts, one: Found) -> Finding:
    (name,), (mean,), scale = one.systems, one.values, one.scale
    what, whole = in_words(one.slice), whole_of(facts.table, one)
    (worse,), elsewhere = wrong_inside(facts.table, one), wrong_outside(facts.table, one)
    ends = _ends(one)
    parts = (
        strong(name),
        Part(f" is weak at {what}: mean {value_words(facts)} "),
        *leading(worse, Part(scale.written(mean))),
        Part(" against "),
        *leading(elsewhere, Part(scale.written(one.rest))),
        Part(f" in the rest, a difference{_stratified(one)} of "),
        *leading(worse, Part(scale.written(one.effect, signed="+")), *_interval(ends, scale)),
        Part(" ("),
        *leading(worse, Part(told_p(one.p))),
        Part("). On "),
        number(worse),
        Part(" of "),
        number(whole),
        Part(f" such {facts.units_of(whole.count)} it is worse than the rest on average."),
    )
    told = {"here": (mean, worse), "rest": (one.rest, elsewhere)}
    strip = Strip(captioned(f"mean {value_words(facts)}", whole), _bars(scale, told, "here"))
    return Finding("slice", parts, "attributes", one.n, strip, ends, (name, what))


def _stratified(one: Found) -> str:
    """An effect within documents need not be the difference of both means."""
    apart = abs(one.values[0] - one.rest - one.effect)
    return " within documents" if apart > 1e-9 * max(1.0, abs(one.rest)) else ""


def _ends(one: Found) -> Ends | None:
    return None if np.isnan(one.low) else (one.low, one.high)


def _interval(ends: Ends | None, scale: Scale) -> list[Part]:
    return interval(ends, signed="+", scale=scale)


def pair_slices(facts: Facts) -> Iterator[Finding]:
    """Where the best two systems differ most, by a test of all slices at once."""
    searched = facts.results.get("pair_slices")
    every = searched.findings if searched else ()  # that of all units is told of the leaders
    found = [one for one in every if one.n >= ENOUGH and one.slice.parts]
    if not found:
        return
    one = max(found, key=lambda each: (abs(each.effect), each.n))
    scale, what, whole = one.scale, in_words(one.slice), whole_of(facts.table, one)
    better, worse = one.systems[::-1] if one.gained else one.systems
    means = dict(zip(one.systems, one.values, strict=True))
    behind, ends = behind_effect(facts.table, one), _ends(one)
    sides = dict(zip(one.systems, wrong_inside(facts.table, one), strict=True))
    gain = (one.low, one.high) if one.effect > 0 else (-one.high, -one.low)
    parts = (
        strong(better),
        Part(" is better than "),
        strong(worse),
        Part(f" at {what}: mean {value_words(facts)} "),
        *leading(sides[better], Part(scale.written(means[better]))),
        Part(" against "),
        *leading(sides[worse], Part(scale.written(means[worse]))),
        Part(", better by "),
        *leading(
            behind, Part(scale.written(abs(one.effect))), *interval(ends and gain, scale=scale)
        ),
        Part(" ("),
        *leading(behind, Part(told_p(one.p))),
        Part(") on "),
        number(whole),
        Part(f" {facts.units_of(whole.count)}."),
    )
    told = {name: (means[name], sides[name]) for name in (better, worse)}
    strip = Strip(captioned(f"mean {value_words(facts)}", whole), _bars(scale, told, better))
    yield Finding("pair_slice", parts, "attributes", one.n, strip, ends, (better, what))


def no_graded_slice(facts: Facts) -> Iterator[Finding]:
    """That the search found nothing, which is worth knowing too."""
    searched = facts.results.get("slices")
    if searched is None or len(searched.searches) != 1 or searched.findings:
        return
    (search,) = searched.searches
    (name,) = search.systems
    system = facts.table.system(name)
    mean = float(np.nanmean(value(facts.table).matrix[facts.table.is_gold, system]))
    if search.candidates < 2:
        return
    parts = (
        Part(f"In none of {search.candidates:,} slices is "),
        strong(name),
        Part(f" worse than in the rest by more than chance; its mean {value_words(facts)} is "),
        *leading(beyond(facts.table, system, mean), Part(_scale(facts).written(mean))),
        Part("."),
    )
    yield Finding("no_slice", parts, "attributes", facts.table.n_gold)


class _Bucket(NamedTuple):
    """The bucket of an attribute with the worst mean, and the mean of all units."""

    attribute: str
    place: int
    size: int
    mean: float
    overall: float


def worst_bucket(facts: Facts) -> Iterator[Finding]:
    """The bucket with the worst mean value of the best system: a description, nothing is tested."""
    system = facts.order[0]
    found, scale = _worst(facts, system), _scale(facts)
    buckets = facts.results.get("buckets")
    if found is None or buckets is None:
        return
    (scores,) = (one for one in buckets.attributes if one.name == found.attribute)
    held = scores.divisions[0].buckets[found.place].range()
    what = f"{found.attribute.replace('_', ' ')} {held}"
    there = all_of(GOLD, in_bucket(found.attribute, found.place))
    rows = facts.table.is_gold & (facts.codes[found.attribute] == found.place)
    whole = facts.behind(rows, there)
    worse = beyond(facts.table, system, found.overall, there, rows)
    every = beyond(facts.table, system, found.overall)
    parts = (
        Part("Of all buckets, "),
        strong(facts.name(system)),
        Part(f" has its worst mean {value_words(facts)} at {what}: "),
        *leading(worse, Part(scale.written(found.mean))),
        Part(", against "),
        *leading(every, Part(scale.written(found.overall))),
        Part(" overall (a description: some bucket is always the worst)."),
    )
    told = {"here": (found.mean, worse), "overall": (found.overall, every)}
    strip = Strip(captioned(f"mean {value_words(facts)}", whole), _bars(scale, told, "here"))
    about = (facts.name(system), what)
    yield Finding("worst_bucket", parts, "attributes", found.size, strip, None, about)


def _worst(facts: Facts, system: int) -> _Bucket | None:
    own = value(facts.table).matrix[:, system]
    known = facts.table.is_gold & ~np.isnan(own)
    buckets = facts.results.get("buckets")
    found: list[_Bucket] = []
    for one in buckets.attributes if buckets is not None else ():
        codes = facts.codes.get(one.name)
        if codes is None or len(one.divisions) > 1:
            continue
        rows = known & (codes >= 0)
        sizes = np.bincount(codes[rows])
        sums = np.bincount(codes[rows], own[rows])
        for place in np.flatnonzero((sizes >= ENOUGH) & (sizes < known.sum())).tolist():
            mean, size = float(sums[place] / sizes[place]), int(sizes[place])
            found.append(_Bucket(one.name, place, size, mean, float(own[known].mean())))
    sign = 1 if _scale(facts).higher else -1
    return min(found, key=lambda one: sign * one.mean, default=None)


def far_off(facts: Facts) -> Iterator[Finding]:
    """Units that are among the worst quarter of every system."""
    table, scale = facts.table, _scale(facts)
    matrix, gold = value(table).matrix, table.is_gold
    if len(facts.order) < 2 or table.n_gold < ENOUGH or np.isnan(matrix[gold]).all(axis=0).any():
        return
    share = _QUARTER if scale.higher else 1 - _QUARTER
    limits = {
        system: f"{np.nanquantile(matrix[gold, system], share):.4g}" for system in facts.order
    }
    rows = gold.copy()
    for system, limit in limits.items():
        rows &= worse_than(table, system, float(limit))
    beyond_limits = (
        worse_than_limit(table, facts.name(system), limit) for system, limit in limits.items()
    )
    all_of_them = facts.behind(rows, GOLD, *beyond_limits)
    if not all_of_them.count:
        return
    side = "below" if scale.higher else "above"
    told = [
        Part(f"{scale.written(float(limits[system]))} of {facts.name(system)}")
        for system in facts.order
    ]
    many = f"all {len(facts.order)} systems" if len(facts.order) > 2 else "both systems"
    are = "is" if all_of_them.count == 1 else "are"
    parts = (
        number(all_of_them),
        Part(" of "),
        number(facts.gold()),
        Part(f" {facts.units_of(table.n_gold)} ("),
        *leading(all_of_them, Part(percent(all_of_them.count, table.n_gold))),
        Part(f") {are} in the worst quarter of {many} ({value_words(facts)} {side} "),
        *listed(told),
        Part(")."),
    )
    yield Finding("far_off", parts, "difficulty", all_of_them.count)


def together(facts: Facts) -> Iterator[Finding]:
    """What choosing the best output for every unit would reach."""
    found = facts.results.get("oracle")
    graded = found.graded if isinstance(found, Oracle) else None
    if graded is None or not graded.units or not graded.gain > 0:
        return
    best = facts.table.system(graded.best_system)
    mean = graded.level(graded.greedy.sums[0])
    parts = (
        Part(f"Whoever chose the best system for every {facts.table.task.words.unit} would reach a "
             f"mean {value_words(facts)} of {graded.scale.written(graded.oracle)}, where "),
        strong(graded.best_system),
        Part(" alone reaches "),
        *leading(beyond(facts.table, best, mean), Part(graded.scale.written(mean))),
        Part("."),
    )  # fmt: skip
    yield Finding("oracle", parts, "oracle", graded.units)
