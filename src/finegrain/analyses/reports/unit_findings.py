"""Rules for findings about units: solved by all, by one or by none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from finegrain.analyses.compare.oracle_gain import oracle_gain
from finegrain.analyses.evidence import (
    GOLD,
    Evidence,
    agreed_on_by,
    is_right,
    is_wrong,
    outcomes,
    solved_by,
)
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
    percent,
    points,
    proportion,
    share,
    shortened,
    strong,
)
from finegrain.analyses.reports.share_intervals import Mask
from finegrain.metrics.metric import ratio
from finegrain.resampling.sampling import sampling_of
from finegrain.sizes import plural
from finegrain.table.outside import inventing, marked, outside
from finegrain.table.verdicts import right

ALONE = 5  # units, for a sentence on what one system alone does


def all_or_none(facts: Facts) -> Iterator[Finding]:
    """Units that all systems solve, and units that none does."""
    found = facts.results.get("difficulty")
    if found is None or len(facts.order) < 2 or not found.sizes.sum():
        return
    sizes = found.sizes.sum(axis=0).tolist()
    total, top = sum(sizes), len(sizes) - 1
    if total in (sizes[0], sizes[top]):
        return  # said at the start
    gold, solved = facts.table.is_gold, right(facts.table)
    solvers = np.count_nonzero(solved, axis=1)
    by_all, by_none = (facts.share(solvers == size, gold) for size in (top, 0))
    every, none = (_bin(facts, solvers == size, size) for size in (top, 0))
    two = len(facts.order) == 2
    parts = [Part(f"No {facts.units_of(1)} is solved by {'both' if two else 'all'} systems")]
    if every.count:
        parts = [
            Part(f"{facts.all_systems()} are right about the same "),
            number(every),
            Part(f" {facts.units_of(every.count)} ("),
            *leading(every, *share(every.count, total, by_all)),
            Part(")"),
        ]
    if none.count:
        parts += [Part(f"; {'neither' if two else 'none'} is right about "), number(none)]
        parts += [Part(" (")]
        parts += [*leading(none, *share(none.count, total, by_none)), Part(")")]
    some = _bin(facts, (solvers > 0) & (solvers < top), 1, top - 1)
    bars = tuple(
        Bar(name, one.count / total, f"{one.count:,}", one is none, one)
        for name, one in {"all": every, "some": some, "none": none}.items()
    )
    strip = Strip(captioned("", facts.gold()), bars)
    yield Finding("all_or_none", (*parts, Part(".")), "difficulty", total, strip, by_none or by_all)


def _bin(facts: Facts, rows: Mask, least: int, most: int | None = None) -> Evidence:
    """The gold units that so many systems are right about."""
    return facts.behind(facts.table.is_gold & rows, solved_by(least, most))


def together(facts: Facts) -> Iterator[Finding]:
    """What the systems cover together, and which of them helps most the one that solves most."""
    found = facts.results.get("oracle")
    if found is None or len(facts.order) < 2 or not found.greedy.solved[-1]:
        return
    if right(facts.table)[facts.table.is_gold].all():
        return  # said at the start
    bound = found.bound()
    systems, solved = found.greedy.order, found.greedy.solved
    total = int(found.units.sum())
    gold, correct = facts.table.is_gold, right(facts.table)
    some = np.any(correct, axis=1)
    gain = _gain(facts)
    whole = _bin(facts, some, 1, len(facts.order))
    first = int(systems[0])
    more = int(solved[-1] - solved[0])
    gained = Evidence.of(more, solved_by(1, len(facts.order)), is_wrong(facts.name(first)))
    parts = [
        Part("Together the systems solve "),
        *proportion(whole, facts.gold(), facts.units_of(total), facts.share(some, gold)),
        Part(", no more than "),
        strong(str(bound.best_system)),
        Part(" alone."),
    ]
    if bound.gain:
        parts[-3:] = [
            Part("; "),
            strong(str(bound.best_system)),
            Part(" alone solves "),
            number(_solved(facts, first)),
            Part("."),
        ]
    if bound.gain and gain is not None:
        parts += [
            Part(" Over a system chosen on half of the "),
            Part(f"{plural(gain.kind)}, that is a gain of "),
            *leading(gained, Part(points(gain.value)), *interval(gain.ends)),
            Part(" points on the other half."),
        ]
    if len(systems) > 2 and solved[1] > solved[0]:
        parts += _partner(facts, first, int(systems[1]))
    steps = {"one": 1, "two": 2, "all": len(solved)}
    if len(solved) == 2:
        del steps["two"]
    bars = tuple(
        Bar(
            name,
            solved[k - 1] / total,
            percent(solved[k - 1], total),
            k == len(solved),
            _unsolved(map(facts.name, systems[:k]), int(total - solved[k - 1])),
        )
        for name, k in steps.items()
    )
    strip = Strip(captioned("", facts.gold()), bars)
    ends = None if gain is None else gain.ends
    yield Finding("together", tuple(parts), "oracle", total, strip, ends)


class _Gain(NamedTuple):
    """Of the oracle over a system that is chosen on half of the samples, on the other half."""

    kind: str
    value: float
    ends: Ends


def _gain(facts: Facts) -> _Gain | None:
    """Nothing where samples are too few, or units in several."""
    sampling, rows = sampling_of(facts.table), np.flatnonzero(facts.table.is_gold)
    if sampling.crossed:
        return None
    by_name = np.argsort(facts.table.systems)  # so that their order does not matter
    solved = right(facts.table)[rows][:, by_name].astype(float)
    who = np.column_stack([solved, solved.max(axis=1)])
    counts = sampling.sums(rows, np.stack([who, np.ones_like(who)], axis=-1))
    found = oracle_gain(counts, lambda sums: ratio(sums[..., 0], sums[..., 1]), facts.drawing)
    if np.isnan(found.ends).any() or np.isnan(found.held_out):
        return None
    low, high = found.ends.tolist()
    return _Gain(sampling.kind, found.held_out, (low, high))


def _solved(facts: Facts, system: int) -> Evidence:
    rows = facts.table.is_gold & right(facts.table)[:, system]
    return facts.behind(rows, GOLD, is_right(facts.name(system)))


def _partner(facts: Facts, first: int, second: int) -> list[Part]:
    """What the second system adds to the first."""
    correct = right(facts.table)
    adds = facts.behind(
        facts.table.is_gold & ~correct[:, first] & correct[:, second],
        GOLD, is_wrong(facts.name(first)), is_right(facts.name(second)),
    )  # fmt: skip
    names = strong(facts.name(first)), strong(facts.name(second))
    told = [Part(" The best partner of "), names[0], Part(" is "), names[1], Part(", which adds ")]
    return [*told, number(adds), Part(".")]


def _unsolved(systems: Iterable[str], count: int) -> Evidence:
    """The gold units that none of some systems solves."""
    return Evidence.of(count, GOLD, *map(is_wrong, systems))


def alone(facts: Facts) -> Iterator[Finding]:
    """The systems that solve most of what nobody else solves."""
    if "oracle" in facts.results:
        solved = right(facts.table)
        once = _Once(solved & (solved.sum(axis=1, keepdims=True) == 1), 1, "right")
        yield from _by_one(facts, once, "alone", "solves", "that nobody else does")


def alone_wrong(facts: Facts) -> Iterator[Finding]:
    """The systems that are wrong about most of what everybody else solves."""
    wrong = ~right(facts.table)
    others = len(facts.order) - 1
    once = _Once(wrong & (wrong.sum(axis=1, keepdims=True) == 1), others, "wrong")
    yield from _by_one(facts, once, "alone_wrong", "is wrong about", "that all others solve")


class _Once(NamedTuple):
    """``rows`` ``[unit, system]`` that one system only is right, or wrong, about."""

    rows: Mask
    bin: int
    verdict: str

    def of(self, facts: Facts, system: int) -> Evidence:
        verdict = (is_right if self.verdict == "right" else is_wrong)(facts.name(system))
        rows = facts.table.is_gold & self.rows[:, system]
        return facts.behind(rows, solved_by(self.bin), verdict)


def _by_one(facts: Facts, once: _Once, rule: str, verb: str, end: str) -> Iterator[Finding]:
    """Of the two systems with most such units, and five or more."""
    if len(facts.order) < 3:
        return
    every = [once.of(facts, place) for place in range(len(facts.order))]
    order = sorted(facts.order, key=lambda place: (-every[place].count, facts.name(place)))
    top = [place for place in order[:2] if every[place].count]
    if not top or every[top[0]].count < ALONE:
        return
    parts: list[Part] = []
    for rank, place in enumerate(top):
        one = every[place]
        told = f" {facts.units_of(one.count)} (" if not rank else " ("
        parts += [
            Part(", " if rank else ""),
            strong(facts.name(place)),
            Part(" " if rank else f" alone {verb} "),
            number(one),
            Part(told),
            *leading(one, *share(one.count, facts.table.n_gold, None)),
            Part(")" if rank else f") {end}"),
        ]
    bars = tuple(
        Bar(facts.brief(place), every[place].count / every[top[0]].count,
            f"{every[place].count:,}", subject=True, evidence=every[place])
        for place in top
    )  # fmt: skip
    strip = Strip(captioned("", facts.gold()), bars)
    n = facts.table.n_gold
    subject = Subject(tuple(map(facts.name, top)))
    yield Finding(rule, (*parts, Part(".")), "difficulty", n, strip, None, subject)


def invented_by_all(facts: Facts) -> Iterator[Finding]:
    """What every system has and the gold standard does not, and how much of it is invented."""
    found = facts.results.get("invented")
    if found is None or len(facts.order) < 3 or not found.sizes[-1]:
        return
    count, total, systems = int(found.sizes[-1]), int(found.sizes[1:].sum()), len(facts.order)
    told = [one for one in facts.results["triage"].units() if one.gold is None] if (
        "triage" in facts.results) else []  # fmt: skip
    of_texts = "texts" in facts.table.task.has  # whose units are their labels
    words = list(dict.fromkeys(
        f"{one.answer.label}: {one.text}" if of_texts and one.answer else one.text
        for one in told if one.text and one.agree == systems
    ))  # fmt: skip
    having = np.count_nonzero(marked(facts.table), axis=1)
    not_gold = ~(facts.table.is_gold & ~outside(facts.table)) & (having > 0)
    ends = facts.share(having == systems, not_gold)
    same = Evidence.of(count, agreed_on_by(systems))
    some = Evidence.of(total, agreed_on_by(1, systems))
    new = _invented_by_all(facts)
    some_words = listed(Part(shortened(word), "quoted") for word in words[:3])
    parts = [
        Part(f"All {systems} systems have the same "),
        number(same),
        Part(f" {facts.units_of(count)} that {'is' if count == 1 else 'are'} not gold ("),
        *leading(same, *share(count, total, ends)),
        Part(" of what any has)"),
        *([Part(", such as "), *some_words] if words else []),
        *_lacking(count, new),
    ]
    bars = (
        Bar("by all", count / total, f"{count:,}", subject=True, evidence=same),
        Bar("by any", 1.0, f"{total:,}", evidence=some),
    )
    strip = Strip(captioned(f"distinct {facts.units} that are not gold", some), bars)
    yield Finding("invented", tuple(parts), "difficulty", total, strip, ends)


def _invented_by_all(facts: Facts) -> Evidence:
    """What all systems have that is matched with no gold unit."""
    new = [outcome.name for outcome in facts.table.outcomes if outcome.role == "invented"]
    each = [outcomes(name, new) for name in facts.table.systems if new]
    rows = np.logical_and.reduce(inventing(facts.table), axis=1)
    return facts.behind(rows, agreed_on_by(len(facts.order)), *each)


def _lacking(count: int, new: Evidence) -> list[Part]:
    """How many of the units that all systems have the gold standard may lack."""
    what = "it" if new.count == 1 else "them"
    if new.count == count:
        return [Part(f". The gold standard may lack {what}.")]
    if not new.count:
        few = "a gold one" if count == 1 else "gold ones"
        return [Part(f". {'It overlaps' if count == 1 else 'All overlap'} {few}.")]
    verb = "is matched with no gold one" if new.count == 1 else "are matched with no gold ones"
    return [Part(". Of these "), number(new), Part(f" {verb}: the gold standard may lack {what}.")]
