"""Rules for claims about single systems and about all: weak at what, and with which errors.

Everything that they say was tested, all of it together (``trust.weaknesses``); a report that finds
nothing says so.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=20_000, seed=1, systems={"careful": [], "hasty": ["long-entities"]})
>>> for one in fg.report(fg.align(play.gold, play.systems)).findings:
...     if one.rule == "weakness":
...         print(one.kind, one.text)                            # doctest: +ELLIPSIS
tested hasty is weak at entity length 4 to 12: recall 33.49 there and 91... in the rest. The drop...
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from finegrain.analyses.evidence import Evidence, is_wrong
from finegrain.analyses.explain.bucket_selection import GOLD as GOLD_LABEL
from finegrain.analyses.p_values import told_p
from finegrain.analyses.reports.claims import WEAKNESSES
from finegrain.analyses.reports.error_kinds import ErrorKinds
from finegrain.analyses.reports.facts import Facts
from finegrain.analyses.reports.finding import (
    Bar,
    Finding,
    Part,
    Strip,
    Subject,
    captioned,
    interval,
    leading,
    number,
    percent,
    share,
    strong,
)
from finegrain.analyses.reports.graded_units import beyond
from finegrain.analyses.reports.share_intervals import Mask
from finegrain.analyses.reports.slice_evidence import in_words, inside, outside
from finegrain.analyses.trust.error_excess import Excess
from finegrain.analyses.trust.slice_listings import in_words as measure_words
from finegrain.analyses.trust.weaknesses import Weakness
from finegrain.sizes import plural
from finegrain.table.verdicts import right

MOST = 6  # sentences about weaknesses
_SHARED = 3  # of them about what systems share
_KINDS = 4  # of errors in a sentence
_MORE = 1.5  # times the mean of the others: a kind of error worth a sentence
_PART = 0.1  # of the errors of a system


def weaknesses(facts: Facts) -> Iterator[Finding]:
    """Where systems are weak: what they share first, then the surest weakness of every system."""
    found = facts.claims.weaknesses
    claims = () if found is None else found.weak
    order = sorted(claims, key=lambda one: (one.p, -one.effect))
    shared = [one for one in order if one.of == "shared"][:_SHARED]
    single = [one for one in order if one.of != "shared"]
    turn = {id(one): [other.systems for other in single[:at]].count(one.systems)
            for at, one in enumerate(single)}  # fmt: skip
    single.sort(key=lambda one: turn[id(one)])
    for one in [*shared, *single][:MOST]:
        yield _told(facts, one)


def _told(facts: Facts, one: Weakness) -> Finding:
    what, whole = in_words(one.slice), _whole(facts, one)
    p = WEAKNESSES.told(one.p)
    saying = {"own": _own, "shared": _shared, "beyond": _beyond}[one.of]
    subject = Subject(one.systems, what, _selection(facts, one))
    strip = Strip(captioned(_measure(facts), whole), _bars(facts, one))
    return Finding(
        "weakness", tuple(saying(facts, one, p)), "attributes", one.n, strip, _ends(one),
        subject, p,
    )  # fmt: skip


def _selection(facts: Facts, one: Weakness) -> str:
    """The units as ``--where`` has them."""
    said = one.slice.where(GOLD_LABEL, tuple(facts.table.corpus.layers))
    labelled = any(part.attribute.name == "label" for part in one.slice.parts)
    return said if labelled or not facts.table.task.open else f"gold!=none and {said}"


def _graded(facts: Facts) -> bool:
    return bool(facts.table.task.value)


def _measure(facts: Facts) -> str:
    """What the systems are measured by there."""
    if _graded(facts):
        return f"mean {measure_words(facts.table.task.value)}"
    return "recall" if facts.table.task.open else "accuracy"


def _reached(facts: Facts, one: Weakness, lost: float) -> str:
    """A measure, from what is lost per unit."""
    return one.scale.written(float(one.scale.quality(np.array(-lost))) if _graded(facts)
                             else 1 - lost)  # fmt: skip


def _ends(one: Weakness) -> tuple[float, float]:
    """Those of the drop, which is at most as large as measures can be apart."""
    widest = float(one.scale.range[1] - one.scale.range[0]) * (2 if one.of == "beyond" else 1)
    return max(-widest, one.low), min(widest, one.high)


def _inside(facts: Facts, one: Weakness) -> Mask:
    """``[unit]`` the gold units of a bucket."""
    rows = facts.table.is_gold.copy()
    for part in one.slice.parts:
        name = part.attribute.name
        if name == "label":
            rows &= facts.table.label == facts.table.labels.index(part.bucket.name)
        else:
            rows &= facts.codes[name] == part.place
    return rows


def _whole(facts: Facts, one: Weakness) -> Evidence:
    return facts.behind(_inside(facts, one), inside(one.slice))


def _wrong(facts: Facts, one: Weakness, system: int) -> Evidence:
    """What a system is wrong about there; of graded units, those that are worse than elsewhere."""
    asked, rows = inside(one.slice), _inside(facts, one)
    if _graded(facts):
        limit = float(one.scale.quality(np.array(-one.rest[system])))
        return beyond(facts.table, system, limit, asked, rows)
    wrong = rows & ~right(facts.table)[:, system]
    return facts.behind(wrong, asked, is_wrong(facts.name(system)))


def _rest(facts: Facts, one: Weakness) -> Evidence:
    """The other gold units."""
    return facts.behind(facts.table.is_gold & ~_inside(facts, one), outside(one.slice))


def _wrong_elsewhere(facts: Facts, one: Weakness, system: int) -> Evidence:
    """What a system is wrong about in the rest; of graded units, those below its mean there."""
    asked, rows = outside(one.slice), facts.table.is_gold & ~_inside(facts, one)
    if _graded(facts):
        limit = float(one.scale.quality(np.array(-one.rest[system])))
        return beyond(facts.table, system, limit, asked, rows)
    wrong = rows & ~right(facts.table)[:, system]
    return facts.behind(wrong, asked, is_wrong(facts.name(system)))


def _both(facts: Facts, one: Weakness, systems: Sequence[int]) -> Iterator[Part]:
    """``71.20 there and 85.30 in the rest``: of one system, or the mean of some."""
    here, rest = (float(values[list(systems)].mean()) for values in (one.here, one.rest))
    single = len(systems) == 1
    behind = _wrong(facts, one, systems[0]) if single else _whole(facts, one)
    others = _wrong_elsewhere(facts, one, systems[0]) if single else _rest(facts, one)
    yield from leading(behind, Part(_reached(facts, one, here)))
    yield Part(" there and ")
    yield from leading(others, Part(_reached(facts, one, rest)))
    yield Part(" in the rest")


def _drop(one: Weakness, behind: Evidence, p: float) -> list[Part]:
    """``12.30 [4.10, 20.50] points (p = .012)``."""
    unit = " points" if one.scale.shown == "percent" else ""
    told = Part(one.scale.written(one.effect))
    return [
        *leading(behind, told, *interval(_ends(one), scale=one.scale)),
        Part(f"{unit} ("),
        *leading(behind, Part(told_p(p))),
        Part(")"),
    ]


def _own(facts: Facts, one: Weakness, p: float) -> Iterator[Part]:
    system = facts.table.system(one.systems[0])
    wrong = _wrong(facts, one, system)
    yield strong(one.systems[0])
    yield Part(f" is weak at {in_words(one.slice)}: {_measure(facts)} ")
    yield from _both(facts, one, [system])
    yield Part(". The drop is estimated at ")
    yield from _drop(one, wrong, p)
    yield from _counted(facts, wrong, _whole(facts, one))
    yield from _of_others(facts, one, system)


def _counted(facts: Facts, wrong: Evidence, whole: Evidence) -> Iterator[Part]:
    said = "worse than in the rest on average on" if _graded(facts) else "wrong about"
    yield Part(f". It is {said} ")
    yield number(wrong)
    yield Part(" of ")
    yield number(whole)
    yield Part(f" such {facts.units_of(whole.count)} (")
    yield from leading(wrong, Part(percent(wrong.count, whole.count)))
    yield Part(").")


def _of_others(facts: Facts, one: Weakness, system: int) -> Iterator[Part]:
    """What the other systems reach there and elsewhere, which says whose weakness it is."""
    others = [place for place in facts.order if place != system]
    if not others:
        return
    if len(others) == 1:
        yield Part(" ")
        yield strong(facts.name(others[0]))
        yield Part(" has ")
    else:
        yield Part(" The other systems have ")
    yield from _both(facts, one, others)
    yield Part(" on average." if len(others) > 1 else ".")


def _shared(facts: Facts, one: Weakness, p: float) -> Iterator[Part]:
    whole, systems, every = _whole(facts, one), len(one.systems), len(facts.order)
    who = f"{systems} of {every} systems"
    if systems == every:
        who = facts.all_systems() if every == 2 else f"All {every} systems"
    yield Part(f"{who} are weak at {in_words(one.slice)}: {_measure(facts)} ")
    yield from _both(facts, one, facts.order)
    yield Part(f", on average{'' if systems == every else f' over all {every}'}. "
               "The drop is estimated at ")  # fmt: skip
    yield from _drop(one, whole, p)
    yield Part("; there are ")
    yield number(whole)
    yield Part(f" such {facts.units_of(whole.count)}.")


def _beyond(facts: Facts, one: Weakness, p: float) -> Iterator[Part]:
    system = facts.table.system(one.systems[0])
    yield strong(one.systems[0])
    yield Part(f" is weaker than the others at {in_words(one.slice)}: {_measure(facts)} ")
    yield from _both(facts, one, [system])
    yield Part(", the others ")
    yield from _both(facts, one, [place for place in facts.order if place != system])
    yield Part(" on average. Its drop is larger by an estimated ")
    yield from _drop(one, _wrong(facts, one, system), p)
    yield Part(".")


def _bars(facts: Facts, one: Weakness) -> tuple[Bar, ...]:
    """Here and in the rest; of what only one system is weak at, beside the others."""
    whole = _whole(facts, one)
    if one.of == "shared":
        told = {"here": (float(one.here.mean()), whole),
                "rest": (float(one.rest.mean()), _rest(facts, one))}  # fmt: skip
    else:
        system = facts.table.system(one.systems[0])
        wrong = _wrong(facts, one, system)
        told = {"here": (float(one.here[system]), wrong)}
        if one.of == "own":
            told["rest"] = (float(one.rest[system]), _wrong_elsewhere(facts, one, system))
        else:
            others = [place for place in facts.order if place != system]
            told["others"] = (float(one.here[others].mean()), whole)
    sizes = {name: abs(lost) if _graded(facts) else 1 - lost for name, (lost, _) in told.items()}
    most = max(sizes.values()) or 1.0 if _graded(facts) else 1.0
    return tuple(
        Bar(name, sizes[name] / most, _reached(facts, one, lost), name == "here", behind)
        for name, (lost, behind) in told.items()
    )


def profiles(facts: Facts) -> Iterator[Finding]:
    """Kinds of errors that a system makes more often than the others: one sentence a system.

    Tenths of the system's errors or more, and half as many again as the others make on average.
    """
    found, kinds = facts.claims.weaknesses, facts.claims.kinds
    if found is None or kinds is None:
        return
    for system in facts.order:
        name = facts.name(system)
        told = [one for one in found.more if one.system == name
                and _worth_telling(kinds, one.kind, system)]  # fmt: skip
        if told:
            yield _profile(facts, kinds, system, told[:_KINDS])


def _worth_telling(kinds: ErrorKinds, kind: int, system: int) -> bool:
    counts = kinds.counts[:, kind]
    others = (counts.sum() - counts[system]) / (len(counts) - 1)
    many = counts[system] >= _PART * kinds.counts[system].sum()
    return bool(many and counts[system] >= _MORE * others)


def _profile(facts: Facts, kinds: ErrorKinds, system: int, told: Sequence[Excess]) -> Finding:
    n = int(kinds.counts[system].sum())
    parts = [strong(facts.name(system)), Part(" makes more ")]
    for place, one in enumerate(told):
        errors = kinds.errors(one.kind, system)
        parts += [Part("; and more " if place else ""), Part(f"{kinds[one.kind].phrase} than ")]
        parts += _by_others(facts, kinds, one.kind, system)
        parts += [Part(": "), number(errors), Part(", "), *leading(errors, *share(
            errors.count, n, None)), Part(" of its errors, " if not place else ", ")]  # fmt: skip
        parts += leading(errors, Part(f"{one.effect:.0f} [{one.low:.0f}, {one.high:.0f}]"))
        parts += [Part(" above their mean (" if len(facts.order) > 2 else " more (")]
        parts += [*leading(errors, Part(told_p(WEAKNESSES.told(one.p)))), Part(")")]
    most = int(kinds.counts[system].max())
    bars = tuple(
        Bar(kinds[one.kind].phrase, errors.count / most, f"{errors.count:,}", subject=True,
            evidence=errors)
        for one in told
        for errors in [kinds.errors(one.kind, system)]
    )  # fmt: skip
    strip = Strip(captioned(f"errors of {facts.name(system)}", facts.errors(system)), bars)
    subject = Subject((facts.name(system),), ", ".join(kinds[one.kind].said for one in told))
    p = max(WEAKNESSES.told(one.p) for one in told)
    ends = told[0].low, told[0].high
    return Finding("profile", (*parts, Part(".")), "errors", n, strip, ends, subject, p)


def _by_others(facts: Facts, kinds: ErrorKinds, kind: int, system: int) -> list[Part]:
    """How many errors of a kind the others make: the fewest and the most."""
    others = [place for place in facts.order if place != system]
    others.sort(key=lambda place: int(kinds.counts[place, kind]))
    fewest, most = kinds.errors(kind, others[0]), kinds.errors(kind, others[-1])
    if len(others) == 1:
        return [strong(facts.name(others[0])), Part(" ("), number(most), Part(")")]
    if fewest.count == most.count:
        return [Part("each of the others ("), number(most), Part(")")]
    return [Part("the others ("), number(fewest), Part(" to "), number(most), Part(")")]


def no_weakness(facts: Facts) -> Iterator[Finding]:
    """That the search found nothing, which is worth knowing too."""
    found = facts.claims.weaknesses
    if found is None or found.weak or found.more or found.buckets < 2:
        return
    kind, n = found.sampling.kind, facts.table.n_gold
    samples = found.sampling.samples.size
    who = f"{facts.name(0)} is" if len(facts.order) == 1 else "any system is"
    parts = (
        Part(f"Searched for weaknesses were {found.buckets:,} groups of "),
        number(facts.gold()),
        Part(f" {facts.units}, by {found.tests:,} tests. There is none of which this test set, "
             f"of {samples:,} {plural(kind)}, shows that {who} worse there than in the rest."),
    )  # fmt: skip
    yield Finding("no_weakness", parts, "attributes", n)
