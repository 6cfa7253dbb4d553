"""Rules for findings about the order of systems: who leads, who is last, how far they are apart.

>>> import finegrain as fg
>>> table = fg.from_matrix([[1, 1]] * 30 + [[1, 0]] * 25 + [[0, 1]] * 5, systems=["crf", "gru"])
>>> print(fg.report(table).findings[0].text)                     # doctest: +ELLIPSIS
crf leads with 91.67 accuracy, 33.33 [...] above gru (p = .001). They disagree on 30 of 60 items...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from finegrain.analyses.compare.difference import Difference
from finegrain.analyses.compare.gains import Gains
from finegrain.analyses.evidence import NOT_GOLD, Evidence, produces
from finegrain.analyses.p_values import told_p
from finegrain.analyses.reports.claims import ALPHA, RANKING
from finegrain.analyses.reports.error_kinds import error_kinds
from finegrain.analyses.reports.facts import Facts
from finegrain.analyses.reports.finding import (
    Bar,
    Ends,
    Finding,
    Part,
    Strip,
    Subject,
    captioned,
    interval,
    leading,
    listed,
    number,
    points,
    share,
    strong,
)
from finegrain.analyses.reports.graded_units import gained
from finegrain.analyses.trust.slice_listings import in_words
from finegrain.resampling.power import half_width
from finegrain.sizes import plural, sized
from finegrain.table.verdicts import right

LEAST_GAP = 0.01  # a point between the last system and the next
_NAMED = 3  # systems that are named beside the best two
KIND = 0.1  # of the errors of a system: a kind that is told of


def leaders(facts: Facts) -> Iterator[Finding]:
    """The best system, its lead, whether that is more than chance, and where the two disagree."""
    n = facts.table.n_gold
    if not n or not facts.order or np.isnan(facts.score(facts.order[0])):
        return
    if len(facts.order) == 1 or np.isnan(facts.score(facts.order[1])):
        yield _only(facts, facts.order[0])
    elif not facts.score(facts.order[0]) and not right(facts.table)[facts.table.is_gold].any():
        told = Part(f" {facts.gold_units()}.")
        none = (Part("No system is right about any of "), number(facts.gold()), told)
        yield Finding("leaders", none, "scores", n)
    else:
        yield _two(facts, facts.order[0], facts.order[1])


def _only(facts: Facts, system: int) -> Finding:
    """What one system reaches, of spans with precision and recall."""
    n, scores, name = facts.table.n_gold, facts.results["score"], facts.name(system)
    ends = _ends(scores.interval(facts.metric.name, name))
    parts = [
        strong(name),
        Part(" reaches "),
        *facts.reached(system, ends),
        Part(f" {facts.scored} on "),
        number(facts.gold()),
        Part(f" {facts.gold_units()}"),
    ]
    reached = facts.score(system)
    wide = reached if facts.metric.scale.shown == "percent" else 1.0
    bars = [Bar(facts.scored, wide, facts.told(reached), subject=True,
                evidence=facts.lowering(system))]  # fmt: skip
    sides = _sides(facts, system) if facts.metric.name == "traditional_f1" else {}
    for place, (side, behind) in enumerate(sides.items()):
        value = scores.value(f"traditional_{side}", name)
        own = _ends(scores.interval(f"traditional_{side}", name))
        parts.append(Part(f" and {side} " if place else f", with {side} "))
        parts += leading(behind, Part(points(value)), *interval(own))
        bars.append(Bar(side, value, points(value), evidence=behind))
    strip = Strip(captioned("", facts.gold()), tuple(bars))
    return Finding("leader", (*parts, Part(".")), "scores", n, strip, ends, Subject((name,)))


def _sides(facts: Facts, system: int) -> dict[str, Evidence]:
    """What lowers precision and what lowers recall: answers that are not gold, and gold units."""
    scores, gold = facts.results["score"], facts.table.is_gold
    solved = int(np.count_nonzero(gold & right(facts.table)[:, system]))
    not_gold = int(scores.predicted[:, system].sum()) - solved
    untrue = Evidence.of(not_gold, NOT_GOLD, produces(facts.name(system)))
    return {"precision": untrue, "recall": facts.wrong(system)}


def _ends(ends: tuple[float, float]) -> Ends | None:
    return None if np.isnan(ends[0]) else ends


def _two(facts: Facts, first: int, second: int) -> Finding:
    """The best two."""
    best, next_best = facts.score(first), facts.score(second)
    tested, differing = pair_test(facts, first, second), facts.differing(first, second)
    ahead = leading(
        differing, Part(facts.told(facts.ahead(first, second))), *facts.interval(tested.ends)
    )
    parts = [strong(facts.name(first))]
    if best == next_best:
        equals = [facts.name(system) for system in facts.order if facts.score(system) == best]
        parts = [
            *listed(map(strong, equals)),
            Part(" both reach " if len(equals) == 2 else " all reach "),
            *facts.reached(first),
            Part(f" {facts.scored}. {facts.name(first)} and {facts.name(second)} "),
        ]
    elif tested.significant:
        parts += [
            Part(" leads with "),
            *facts.reached(first),
            Part(f" {facts.scored}, "),
            *ahead,
            Part(f" {facts.beyond} "),
            strong(facts.name(second)),
            *tested.parts,
            Part(". They "),
        ]
    else:
        parts += [
            Part(" has "),
            *facts.reached(first),
            Part(f" {facts.scored}, "),
            *ahead,
            Part(f" {facts.beyond} "),
            strong(facts.name(second)),
            *_not_apart(facts, first, tested),
            Part(". They "),
        ]
    parts += disagreement(facts, first, second)
    if best != next_best and not differing.count and facts.table.task.words.which:
        parts.append(Part(", and differ in others"))
    told = (*facts.reached(first), Part(" against "), *facts.reached(second))
    strip = _on_axis(facts, told, (first, second))
    n, p = facts.table.n_gold, tested.p if tested.significant and best != next_best else None
    subject = Subject((facts.name(first), facts.name(second)))
    return Finding("leaders", (*parts, Part(".")), "differences", n, strip, tested.ends, subject, p)


def _not_apart(facts: Facts, first: int, tested: PairTest) -> list[Part]:
    """That a test set cannot tell the best two apart, and which others it cannot tell from it."""
    if tested.significant is None:
        return list(tested.parts)
    further = [
        place for place in facts.order[2:] if pair_test(facts, first, place).significant is False
    ]
    told = [Part("; this test set cannot tell them apart"), *tested.parts]
    if not further:
        return told
    if len(further) > _NAMED:
        return [*told, Part(f", nor {facts.name(first)} from {len(further)} others")]
    names = [strong(facts.name(place)) for place in further]
    return [*told, Part(f", nor {facts.name(first)} from "), *listed(names)]


def disagreement(facts: Facts, one: int, other: int) -> list[Part]:
    """On how many units two systems disagree."""
    pair, differing = facts.pair(one, other), facts.differing(one, other)
    units = facts.units_of(pair.units)
    if pair.gains is not None:
        return _wins(facts, pair.gains, one, other)
    if not pair.changed:
        return [Part(f"answer all {units} {facts.table.task.words.which}".rstrip() + " alike")]
    told = (
        Part(f"{pair.changed:,} of {pair.units:,} {units} ("),
        *share(pair.changed, pair.units, disagreement_ends(pair)),
        Part(")"),
    )
    return [Part("disagree on "), *leading(differing, *told)]


def _wins(facts: Facts, found: Gains, one: int, other: int) -> list[Part]:
    """On how many graded units which of two systems is better."""
    units = facts.units_of(found.units)
    if not found.changed:
        return [Part(f"have the same {in_words(found.value)} on all {units}")]
    better = gained(facts.table, other, one, "better")
    worse = gained(facts.table, one, other, "better")
    return [
        Part("differ on "),
        number(facts.differing(one, other)),
        Part(f" of {found.units:,} {units}: {facts.name(one)} has the better "
             f"{in_words(found.value)} on "),
        number(better),
        Part(f", {facts.name(other)} on "),
        number(worse),
    ]  # fmt: skip


def disagreement_ends(pair: Difference) -> Ends | None:
    """The interval of the share of units that two systems answer differently."""
    return None if pair.intervals is None else _ends(pair.intervals.ends("diff"))


def _on_axis(facts: Facts, told: Iterable[Part], subject: tuple[int, ...]) -> Strip:
    """The scores of all systems on one axis."""
    bars = [
        Bar(facts.name(system), facts.score(system), facts.told(facts.score(system)),
            system in subject, facts.lowering(system))
        for system in facts.order
    ]  # fmt: skip
    caption = (*told, Part("; "), *captioned("", facts.gold()))
    return Strip(caption, tuple(bars), "axis", facts.metric.scale)


class PairTest(NamedTuple):
    """What the test says of two systems, in words; the interval of how far the first is ahead.

    ``p`` is corrected for all that the report claims, and the interval holds together with all
    others of the ranking. ``significant`` is ``None`` where there is no test, or too few samples
    for one. ``shown``: the difference that this test would find with a chance of 80 %.
    """

    parts: tuple[Part, ...] = ()
    ends: Ends | None = None
    significant: bool | None = None
    shown: float | None = None
    p: float | None = None


def pair_test(facts: Facts, one: int, other: int) -> PairTest:
    """What the test says of two systems; nothing without one."""
    tested = facts.results.get("significance")
    if tested is None:
        return PairTest()
    (pair,) = (each for each in tested.pairs if {each.first, each.second} == {one, other})
    if np.isnan(pair.adjusted):
        return PairTest((Part(f" (no test: too few {plural(tested.sampling[0])})"),))
    p, ends = RANKING.told(pair.adjusted), None
    if pair.comparison.spread.tells:
        ahead = facts.ahead(one, other)
        wide = half_width(
            pair.comparison.spread, level=1 - ALPHA * RANKING.share / len(tested.pairs)
        )
        limits = facts.metric.scale.range
        most = limits[1] - limits[0]
        ends = max(-most, ahead - wide), min(most, ahead + wide)
    parts = (Part(" ("), *leading(facts.differing(one, other), Part(told_p(p))), Part(")"))
    clear = RANKING.holds(pair.adjusted) and (ends is None or ends[0] > 0)
    return PairTest(parts, ends, clear, tested.detectable(pair), p)


class Apart(NamedTuple):
    """The beginning of a sentence on a system that is apart from the others, and the interval."""

    parts: list[Part]
    ends: Ends | None
    p: float | None


def apart(facts: Facts) -> Apart | None:
    """The last system, if it is a point or more, and not by chance, below the next."""
    if len(facts.order) < 3:
        return None
    worst, before = facts.order[-1], facts.order[-2]
    gap = facts.score(before) - facts.score(worst)
    tested = pair_test(facts, before, worst)
    if not gap >= LEAST_GAP or not tested.significant:
        return None
    parts = [
        strong(facts.name(worst)),
        Part(" stands apart at "),
        *facts.reached(worst),
        Part(f" {facts.scored}, "),
        *leading(facts.differing(before, worst), Part(points(gap)), *interval(tested.ends)),
        Part(f" below {facts.name(before)}"),
        *tested.parts,
    ]
    return Apart(parts, tested.ends, tested.p)


def last(facts: Facts) -> Iterator[Finding]:
    """A system that is apart from the others; its commonest error."""
    found = apart(facts)
    if found is None or "errors" not in facts.results:
        return
    worst = facts.order[-1]
    kinds = error_kinds(facts.results["errors"])
    counts = kinds.counts[worst]
    kind, parts = int(counts.argmax()), list(found.parts)
    described = kinds.several and not facts.table.task.value
    if described and counts[kind] >= KIND * counts.sum():
        parts += [
            Part("; "),
            number(kinds.errors(kind, worst)),
            Part(" of its "),
            number(facts.errors(worst)),
            Part(f" errors are {kinds[kind].phrase}"),
        ]
    strip = _on_axis(facts, facts.reached(worst), (worst,))
    subject, n = Subject((facts.name(worst),)), facts.table.n_gold
    yield Finding("last", (*parts, Part(".")), "errors", n, strip, found.ends, subject, found.p)


def _better_first(facts: Facts, one: int, other: int) -> tuple[int, int]:
    return (one, other) if facts.order.index(one) < facts.order.index(other) else (other, one)


def spread(facts: Facts) -> Iterator[Finding]:
    """How far the best and the last are apart, and which systems the test tells apart."""
    tested = facts.results.get("significance")
    if len(facts.order) < 3 or tested is None or apart(facts) is not None:
        return
    best, worst = facts.order[0], facts.order[-1]
    found = pair_test(facts, best, worst)
    gap = facts.ahead(best, worst)
    if found.ends is None or not gap > 0:
        return
    pairs = len(tested.pairs)
    apart_at_all = sum(
        bool(pair_test(facts, *_better_first(facts, pair.first, pair.second)).significant)
        for pair in tested.pairs
    )
    parts = [
        Part("From the highest score to the lowest, "),
        strong(facts.name(best)),
        Part(" to "),
        strong(facts.name(worst)),
        Part(", it is "),
        *leading(facts.differing(best, worst), Part(facts.told(gap)), *facts.interval(found.ends)),
        Part(f" {'points of' if facts.metric.scale.shown == 'percent' else 'in'} {facts.scored}"),
        *found.parts,
        Part(f"; this test set tells {apart_at_all} of {sized(pairs, 'pair')} apart."
             if apart_at_all else "; this test set cannot tell any two systems apart."),
    ]  # fmt: skip
    told = (*facts.reached(best), Part(" against "), *facts.reached(worst))
    strip = _on_axis(facts, told, (best, worst))
    subject = Subject((facts.name(best), facts.name(worst)))
    p = found.p if found.significant else None
    n = facts.table.n_gold
    yield Finding("spread", tuple(parts), "scores", n, strip, found.ends, subject, p)
