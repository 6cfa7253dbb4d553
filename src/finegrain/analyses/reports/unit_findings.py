"""Rules for findings about units: what is hard for all, solved by all, by one or by none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from finegrain.analyses.compare.invented import marked
from finegrain.analyses.reports.facts import Facts
from finegrain.analyses.reports.finding import (
    Bar,
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
from finegrain.analyses.reports.share_intervals import mean_interval
from finegrain.analyses.reports.weak_spots import hardest_bucket
from finegrain.analyses.units.evidence import Evidence
from finegrain.table.outside import outside
from finegrain.table.verdicts import right


def hardest(facts: Facts) -> Iterator[Finding]:
    """The group of units that all systems together do worst at, ten points below their mean."""
    found = facts.results.get("buckets")
    if found is None:
        return
    spot = hardest_bucket(found)
    if spot is None or not spot.overall - spot.mean >= 0.1:
        return
    scored, overall = facts.scored_units, points(spot.overall)
    who = [Part("All systems have")]
    if len(facts.order) == 1:
        who = [strong(facts.name(0)), Part(" has")]
    mean = " on average" if len(facts.order) > 1 else ""
    ends = None
    if spot.attribute in facts.codes:
        rows = facts.codes[spot.attribute] == spot.place
        metric = found[spot.attribute].metrics[0]
        ends = mean_interval(facts.table, rows, metric, facts.drawing)
    gold = counted(spot.n, {"unit": "gold", f"bucket.{spot.attribute}": spot.place})
    parts = [
        *who,
        Part(f" trouble with {spot.what}: {points(spot.mean)}"),
        *interval(ends),
        Part(f" {scored}{mean}, against {overall} overall; there are "),
        gold,
        Part(f" such {facts.units}."),
    ]
    bars = (
        Bar("here", spot.mean, points(spot.mean), subject=True, evidence=gold.evidence),
        Bar("overall", spot.overall, overall),
    )
    strip = Strip(f"{'mean ' if mean else ''}{scored}; n = {spot.n:,}", bars)
    yield Finding("hardest", tuple(parts), "attributes", spot.n, strip, ends, (spot.what,))


def all_or_none(facts: Facts) -> Iterator[Finding]:
    """Units that all systems solve, and units that none does."""
    found = facts.results.get("difficulty")
    if found is None or len(facts.order) < 2 or not found.sizes.sum():
        return
    sizes = found.sizes.sum(axis=0).tolist()
    total, top = sum(sizes), len(sizes) - 1
    if sizes[0] == total:
        return  # said at the start
    gold, solved = facts.table.is_gold, right(facts.table)
    solvers = np.count_nonzero(solved, axis=1)
    by_all, by_none = (facts.share(solvers == number, gold) for number in (top, 0))
    parts = [Part(f"No {facts.units_of(1)} is solved by all systems; ")]
    if sizes[-1]:
        parts = [
            Part("All systems are right about the same "),
            counted(sizes[-1], {"bin": top}),
            Part(f" {facts.units_of(sizes[-1])} ("),
            *share(sizes[-1], total, by_all),
            Part("); "),
        ]
    none = [Part("none is right about "), counted(sizes[0], {"bin": 0}), Part(" (")]
    none += [*share(sizes[0], total, by_none), Part(").")]
    parts += none if sizes[0] else [Part("each is solved by somebody.")]
    bars = (
        _bin("all", sizes[-1], total, top),
        _bin("some", sum(sizes[1:-1]), total, f"1-{top - 1}"),
        _bin("none", sizes[0], total, 0, subject=True),
    )
    strip = Strip(f"n = {total:,}", bars)
    yield Finding("all_or_none", tuple(parts), "difficulty", total, strip, by_none or by_all)


def _bin(name: str, count: int, total: int, which: int | str, *, subject: bool = False) -> Bar:
    """The units that so many systems are right about."""
    return Bar(name, count / total, f"{count:,}", subject, Evidence.of(count, {"bin": which}))


def together(facts: Facts) -> Iterator[Finding]:
    """What the systems cover together, and which of them helps most the one that solves most."""
    found = facts.results.get("oracle")
    if found is None or len(facts.order) < 2 or not found.greedy.solved[-1]:
        return
    bound = found.bound()
    systems, solved = found.greedy.order, found.greedy.solved
    total = int(found.units.sum())
    gold, correct = facts.table.is_gold, right(facts.table)
    some = np.any(correct, axis=1)
    gain = facts.share(some & ~correct[:, int(systems[0])], gold)
    parts = [
        Part("Together the systems solve "),
        counted(int(solved[-1]), {"bin": f"1-{len(facts.order)}"}),
        Part(" of "),
        facts.gold(),
        Part(f" {facts.units_of(total)} ("),
        *share(solved[-1], total, facts.share(some, gold)),
        Part("), "),
        *([Part(points(bound.gain)), *interval(gain), Part(" points")] if bound.gain else []),
        Part(" more than the one that solves most, " if bound.gain else "no more than "),
        strong(str(bound.best_system)),
        Part("." if bound.gain else " alone."),
    ]
    if len(systems) > 1 and solved[1] > solved[0]:
        first, second = int(systems[0]), int(systems[1])
        gained = int(solved[1] - solved[0])
        parts += [
            Part(" The best partner of "), strong(facts.name(first)), Part(" is "),
            strong(facts.name(second)), Part(", which adds "),
            counted(gained, {"unit": "gold", f"verdict.{first}": "wrong",
                             f"verdict.{second}": "right"}),
            Part("."),
        ]  # fmt: skip
    steps = {"one": 1, "two": 2, "all": len(solved)}
    if len(solved) == 2:
        del steps["two"]
    bars = tuple(
        Bar(
            name,
            solved[k - 1] / total,
            percent(solved[k - 1], total),
            k == len(solved),
            _unsolved(systems[:k], int(total - solved[k - 1])),
        )
        for name, k in steps.items()
    )
    yield Finding("together", tuple(parts), "oracle", total, Strip(f"n = {total:,}", bars), gain)


def _unsolved(systems: Sequence[int], count: int) -> Evidence:
    """The gold units that none of some systems solves."""
    wrong = {f"verdict.{place}": "wrong" for place in systems}
    return Evidence.of(count, {"unit": "gold", **wrong})


def alone(facts: Facts) -> Iterator[Finding]:
    """The systems that solve most of what nobody else solves."""
    found = facts.results.get("oracle")
    if found is None or len(facts.order) < 3:
        return
    unique = np.asarray(found.contributions.unique)
    top = [int(place) for place in np.argsort(-unique, kind="stable")[:2] if unique[place]]
    if not top or unique[top[0]] < 5:
        return
    gold, solved = facts.table.is_gold, right(facts.table)
    once, total = solved.sum(axis=1) == 1, facts.table.n_gold
    parts: list[Part] = []
    intervals = [facts.share(once & solved[:, place], gold) for place in top]
    for rank, (place, ends) in enumerate(zip(top, intervals, strict=True)):
        parts += [
            Part(", " if rank else ""),
            strong(facts.name(place)),
            Part(" " if rank else " alone solves "),
            counted(int(unique[place]), {"bin": 1, f"verdict.{place}": "right"}),
            Part(" (" if rank else f" {facts.units_of(int(unique[place]))} ("),
            *share(int(unique[place]), total, ends),
            Part(")" if rank else ") that nobody else does"),
        ]
    largest = int(unique.max())
    bars = tuple(
        Bar(
            facts.brief(place),
            unique[place] / largest,
            f"{int(unique[place]):,}",
            subject=True,
            evidence=Evidence.of(int(unique[place]), {"bin": 1, f"verdict.{place}": "right"}),
        )
        for place in top
    )
    strip = Strip(f"{int(unique.sum()):,} are solved by exactly one system", bars)
    yield Finding("alone", (*parts, Part(".")), "difficulty", total, strip, intervals[0])


def invented_by_all(facts: Facts) -> Iterator[Finding]:
    """What every system has and the gold standard has not."""
    found = facts.results.get("invented")
    if found is None or len(facts.order) < 3 or not found.sizes[-1]:
        return
    count, total, systems = int(found.sizes[-1]), int(found.sizes[1:].sum()), len(facts.order)
    told = [one for one in facts.results["triage"].units() if one.gold is None] if (
        "triage" in facts.results) else []  # fmt: skip
    words = list(dict.fromkeys(one.text for one in told if one.text and one.agree == systems))
    having = np.count_nonzero(marked(facts.table), axis=1)
    not_gold = ~(facts.table.is_gold & ~outside(facts.table)) & (having > 0)
    ends = facts.share(having == systems, not_gold)
    parts = [
        Part(f"All {systems} systems invent the same "),
        counted(count, {"agree": systems}),
        Part(f" {facts.units_of(count)} ("),
        *share(count, total, ends),
        Part(" of what any invents)"),
    ]
    if words:
        parts += [Part(", such as "), *listed(Part(_short(word), "quoted") for word in words[:3])]
    parts.append(Part(f": likely {'a gap' if count == 1 else 'gaps'} in the gold standard."))
    bars = (
        Bar(
            "by all",
            count / total,
            f"{count:,}",
            subject=True,
            evidence=Evidence.of(count, {"agree": systems}),
        ),
        Bar("by any", 1.0, f"{total:,}", evidence=Evidence.of(total, {"agree": f"1-{systems}"})),
    )
    strip = Strip(f"distinct inventions; n = {total:,}", bars)
    yield Finding("invented", tuple(parts), "difficulty", total, strip, ends)


def _short(word: str, most: int = 40) -> str:
    return word if len(word) <= most else f"{word[: most - 1]}…"
