"""Rules for findings about single systems: who leads, who is weak at what, who errs how."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from finegrain.analyses.compare.difference import Difference
from finegrain.analyses.explain.bucket_scores import FEW
from finegrain.analyses.reports.error_kinds import error_kinds
from finegrain.analyses.reports.facts import Facts
from finegrain.analyses.reports.finding import (
    Bar,
    Ends,
    Finding,
    Part,
    Strip,
    counted,
    interval,
    listed,
    percent,
    points,
    share,
    strong,
)
from finegrain.analyses.reports.mistake import Mistake, mistakes
from finegrain.analyses.reports.weak_spots import (
    ENOUGH,
    WeakSpot,
    weak_buckets,
    weak_labels,
    worth_telling,
)
from finegrain.sizes import sized
from finegrain.table.verdicts import right

_KINDS = 4  # of errors in a sentence


def leaders(facts: Facts) -> Iterator[Finding]:
    """The best system, its lead, whether that is more than chance, and where the two disagree."""
    n = facts.table.n_gold
    if not n or not facts.order or np.isnan(facts.score(facts.order[0])):
        return
    first = facts.order[0]
    values = tuple(facts.score(system) for system in facts.order)
    if len(facts.order) == 1 or np.isnan(values[1]):
        low, high = facts.results["score"].interval(facts.metric.name, facts.name(first))
        ends = None if np.isnan(low) else (low, high)
        parts = [
            strong(facts.name(first)),
            Part(" reaches "),
            facts.reached(first),
            *interval(ends),
            Part(f" {facts.scored} on "),
            facts.gold(),
            Part(f" gold {facts.units_of(n)}."),
        ]
        yield Finding("leader", tuple(parts), "scores", n, interval=ends)
        return
    if not values[0]:
        none = (
            Part("No system is right about any of "),
            facts.gold(),
            Part(f" gold {facts.units_of(n)}."),
        )
        yield Finding("leaders", none, "scores", n)
        return
    second = facts.order[1]
    pair = facts.pair(first, second)
    gap = values[0] - values[1]
    tested, ends = _tested(facts, first, second)
    parts = [
        strong(facts.name(first)),
        Part(" leads with "),
        facts.reached(first),
        Part(f" {facts.scored}, {points(gap)}"),
        *interval(ends),
        Part(" above "),
        strong(facts.name(second)),
        Part(f"{tested}. They disagree on "),
    ]
    if not gap:
        best = [facts.name(system) for system in facts.order if facts.score(system) == values[0]]
        parts = [
            *listed(map(strong, best)),
            Part(" both reach " if len(best) == 2 else " all reach "),
            facts.reached(first),
            Part(f" {facts.scored}. {facts.name(first)} and {facts.name(second)} disagree on "),
        ]
    parts += [
        counted(pair.changed, {f"change.{first}.{second}": "any"}),
        Part(f" of {pair.units:,} {facts.units_of(pair.units)} ("),
        *share(pair.changed, pair.units, _known(pair)),
        Part(")."),
    ]
    told = f"{points(values[0])} against {points(values[1])}; n = {n:,}"
    strip = Strip(told, points=values, subject=(0, 1))
    yield Finding("leaders", tuple(parts), "differences", n, strip, ends)


def _known(pair: Difference) -> Ends | None:
    """The interval of the share of units that two systems answer differently."""
    if pair.intervals is None or np.isnan(pair.intervals.ends("diff").low):
        return None
    low, high = pair.intervals.ends("diff")
    return low, high


def _tested(facts: Facts, one: int, other: int) -> tuple[str, Ends | None]:
    """What the test says of two systems; nothing without one."""
    tested = facts.results.get("significance")
    if tested is None:
        return "", None
    for pair in tested.pairs:
        if {pair.first, pair.second} == {one, other}:
            low, high = pair.comparison.low, pair.comparison.high
            if pair.first == one:  # the gap is that of the first of the two over the second
                low, high = -high, -low
            if np.isnan(pair.adjusted):
                return "", None
            p = f"p = {pair.adjusted:.2g}" if pair.adjusted >= 0.001 else "p < .001"
            noise = "" if tested.significant(pair) else ", a difference within noise"
            span = None if np.isnan(low) else (float(low), float(high))
            if noise and span is not None and span[0] > 0:  # an interval is for one pair
                p += f", corrected for {sized(len(tested.pairs), 'pair')}"
            return f"{noise} ({p})", span
    return "", None


class _Apart(NamedTuple):
    """The beginning of a sentence on a system that is apart from the others, and the interval."""

    parts: list[Part]
    ends: Ends | None


def _apart(facts: Facts) -> _Apart | None:
    """The last system, if it is a point or more, and not by chance, below the next."""
    if len(facts.order) < 3:
        return None
    worst, before = facts.order[-1], facts.order[-2]
    gap = facts.score(before) - facts.score(worst)
    tested, ends = _tested(facts, before, worst)
    if not gap >= 0.01 or "within noise" in tested:
        return None
    parts = [
        strong(facts.name(worst)),
        Part(" stands apart at "),
        facts.reached(worst),
        Part(f" {facts.scored}, {points(gap)}"),
        *interval(ends),
        Part(f" below {facts.name(before)}"),
    ]
    return _Apart(parts, ends)


def last(facts: Facts) -> Iterator[Finding]:
    """A system that is apart from the others; its commonest error."""
    apart = _apart(facts)
    if apart is None or "errors" not in facts.results:
        return
    worst = facts.order[-1]
    kinds = error_kinds(facts.results["errors"])
    counts = kinds.counts[worst]
    kind = int(counts.argmax())
    parts = [
        *apart.parts,
        Part("; "),
        counted(int(counts[kind]), kinds.behind(kind, worst)),
        Part(" of its "),
        counted(int(counts.sum()), {f"verdict.{worst}": "wrong"}),
        Part(f" errors are {kinds.words[kind]}."),
    ]
    values = tuple(facts.score(system) for system in facts.order)
    strip = Strip(
        f"{points(values[-1])}; n = {facts.table.n_gold:,}",
        points=values,
        subject=(len(values) - 1,),
    )
    about = (facts.name(worst),)
    yield Finding("last", tuple(parts), "errors", facts.table.n_gold, strip, apart.ends, about)


def weaknesses(facts: Facts) -> Iterator[Finding]:
    """Labels and buckets in which a system loses more than elsewhere, compared with the others.

    One sentence for a group of units, one for a system and kind of group, six in all, and the
    largest of every system before the second of any.
    """
    spots = weak_labels(facts.results["score"], facts.metric)
    if "buckets" in facts.results:
        spots += weak_buckets(facts.results["buckets"])
    for spot in worth_telling(spots, most=6):
        own, others = points(spot.own), points(spot.others)
        scored = facts.scored if spot.kind == "label" else facts.scored_units
        name = facts.name(spot.system)
        reach = f"the others reach {others} on average"
        if len(facts.order) == 2:
            reach = f"{facts.name(1 - spot.system)} reaches {others}"
        behind = _wrong_at(spot, facts)
        parts = [
            strong(name),
            Part(f" is weak at {spot.what}: {own}"),
            *interval(spot.interval),
            Part(f" {scored}, where {reach}. "),
            *behind,
        ]
        bars = (
            Bar(facts.brief(spot.system), spot.own, own, subject=True, evidence=behind[1].evidence),
            Bar("others", spot.others, others),
        )
        strip = Strip(f"{scored} at {spot.what}; n = {spot.n:,}", bars)
        yield Finding(
            "weakness", tuple(parts), spot.section, spot.n, strip, spot.interval, (name, spot.what)
        )


def _wrong_at(spot: WeakSpot, facts: Facts) -> list[Part]:
    """What a system gets wrong at a group of units: gold ones, or twice as many of its answers."""
    if spot.untrue < 2 * spot.wrong:
        return [
            Part("It is wrong about "),
            counted(spot.wrong, {**spot.conditions, f"verdict.{spot.system}": "wrong"}),
            Part(" of "),
            counted(spot.n, spot.conditions),
            Part(f" such {facts.units} ({percent(spot.wrong, spot.n)})."),
        ]
    answers = spot.n - spot.wrong + spot.untrue
    conditions = {**spot.conditions, "unit": "invented", f"has.{spot.system}": "yes"}
    return [
        Part(f"Of its {answers:,} such {facts.units} "),
        counted(spot.untrue, conditions),
        Part(f" are not gold ({percent(spot.untrue, answers)}); gold are "),
        counted(spot.n, spot.conditions),
        Part("."),
    ]


def confusions(facts: Facts) -> Iterator[Finding]:
    """The pair of labels that is mistaken most: a tenth of the label, ten units or more.

    It is told of one system, or of all where each makes at least half as many of the mistake.
    """
    if "confusion" not in facts.results:
        return
    labels, order = facts.table.labels, list(facts.order)
    gold = facts.results["errors"].gold.astype(float)
    counts = mistakes(facts)  # of equals the better system
    enough = (gold[:, None] >= ENOUGH) & (counts >= 10)
    shares = np.divide(counts, gold[:, None], out=np.zeros(counts.shape), where=enough)
    if not shares.size or shares.max() < 0.1:
        return
    rank, one, other = (int(at) for at in np.unravel_index(int(shares.argmax()), shares.shape))
    found = Mistake(labels[one], labels[other], int(gold[one]),
                    tuple(counts[:, one, other].tolist()), rank)  # fmt: skip
    by_all = len(order) > 1 and 2 * min(found.counts) >= found.counts[rank]
    ends = found.interval(facts, rank)
    parts = found.of_all(facts, ends) if by_all else found.of_one(facts, ends)
    name = "" if by_all else facts.name(order[rank])
    strip = found.strip(facts, by_all=by_all)
    about = (name, found.label)
    yield Finding("confusion", tuple(parts), "errors", found.n, strip, ends, about)


def profiles(facts: Facts) -> Iterator[Finding]:
    """The system that makes some kinds of errors at least twice as often as the others do.

    A kind has a tenth of the system's errors or more.
    """
    if "errors" not in facts.results or len(facts.order) < 2:
        return
    kinds = error_kinds(facts.results["errors"])
    counts = kinds.counts.astype(float)
    others = (counts.sum(axis=0) - counts) / (len(counts) - 1)
    least = np.maximum(FEW, 0.1 * counts.sum(axis=1, keepdims=True))
    excess = np.where((counts >= least) & (counts >= 2 * others), counts - others, 0)
    if "LE" in kinds.names:
        excess[:, kinds.names.index("LE")] = 0  # told label by label
    if not excess.max(initial=0) > 0:
        return
    system = int(excess.sum(axis=1).argmax())
    largest = [int(kind) for kind in np.argsort(-excess[system], kind="stable")[:_KINDS]]
    told = [kind for kind in largest if excess[system, kind] > 0]
    n = int(counts[system].sum())
    wrong = ~right(facts.table)[:, system]
    apart = _apart(facts) if system == facts.order[-1] else None
    parts = [strong(facts.name(system)), Part(" makes far more errors of some kinds: ")]
    if apart is not None:
        parts = [*apart.parts, Part(", and makes far more errors of some kinds: ")]
    intervals = [facts.share(kinds.rows(facts.table, kind, system), wrong) for kind in told]
    for place, (kind, ends) in enumerate(zip(told, intervals, strict=True)):
        of = " of its errors" if not place else ""
        parts += [
            Part("; " if place else ""),
            counted(int(counts[system, kind]), kinds.behind(kind, system)),
            Part(f" {kinds.words[kind]}, "),
            *share(counts[system, kind], n, ends),
            Part(f"{of} (others {others[system, kind]:,.0f} on average)"),
        ]
    most = counts[system].max()
    bars = tuple(
        Bar(
            kinds.words[kind],
            counts[system, kind] / most,
            f"{int(counts[system, kind]):,}",
            subject=True,
            evidence=counted(int(counts[system, kind]), kinds.behind(kind, system)).evidence,
        )
        for kind in told
    )
    strip = Strip(f"errors of {facts.name(system)}; n = {n:,}", bars)
    about = (facts.name(system),)
    yield Finding("profile", (*parts, Part(".")), "errors", n, strip, intervals[0], about)
