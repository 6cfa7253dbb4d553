"""Rules for findings about single systems: who is weak at what, who errs how."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from finegrain.analyses.evidence import GOLD, NOT_GOLD, Evidence, hurts, is_wrong, produces
from finegrain.analyses.explain.bucket_scores import FEW
from finegrain.analyses.reports.error_kinds import ErrorKind, ErrorKinds, error_kinds
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
    share,
    strong,
)
from finegrain.analyses.reports.mistake import Mistake, mistakes
from finegrain.analyses.reports.ranking_findings import apart
from finegrain.analyses.reports.weak_spots import (
    ENOUGH,
    WeakSpot,
    weak_buckets,
    weak_labels,
    worth_telling,
)
from finegrain.analyses.units.shortfall import behind_label, short_of_label
from finegrain.table.verdicts import costs, right

_KINDS = 4  # of errors in a sentence


def weaknesses(facts: Facts) -> Iterator[Finding]:
    """Labels and buckets in which a system loses more than elsewhere, compared with the others.

    One sentence for a group of units, one for a system and kind of group, six in all, and the
    largest of every system before the second of any.
    """
    spots = weak_labels(facts.results["score"], facts.metric)
    if "buckets" in facts.results:
        spots += weak_buckets(facts.results["buckets"])
    for spot in worth_telling(spots, most=6):
        yield _weakness(facts, spot)


def _weakness(facts: Facts, spot: WeakSpot) -> Finding:
    own, others = points(spot.own), points(spot.others)
    scored = facts.scored if spot.kind == "label" else facts.scored_units
    what = label_words(spot.what) if spot.kind == "label" else spot.what
    name, whole = facts.name(spot.system), Evidence.of(spot.n, GOLD, spot.where)
    errors, reached = _errors_at(facts, spot, spot.system), whole
    reach = [Part("the others reach "), *leading(whole, Part(others)), Part(" on average")]
    if len(facts.order) == 2:
        reached = _errors_at(facts, spot, 1 - spot.system)
        reach = [Part(f"{facts.name(1 - spot.system)} reaches "), *leading(reached, Part(others))]
    parts = [
        strong(name),
        Part(f" is weak at {what}: "),
        *leading(errors, Part(own), *interval(spot.interval)),
        Part(f" {scored}, where "),
        *reach,
        Part(". "),
        *_wrong_at(spot, facts),
    ]
    bars = (
        Bar(facts.brief(spot.system), spot.own, own, subject=True, evidence=errors),
        Bar("others", spot.others, others, evidence=reached),
    )
    strip = Strip(captioned(f"{scored} at {what}", whole), bars)
    about = (name, what)
    return Finding("weakness", tuple(parts), spot.section, spot.n, strip, spot.interval, about)


def _errors_at(facts: Facts, spot: WeakSpot, system: int) -> Evidence:
    """What keeps the score of a system at a group of units from 100."""
    table = facts.table
    if spot.kind == "label":
        code = table.labels.index(spot.what)
        short = int(np.count_nonzero(short_of_label(table, code)[:, system]))
        return behind_label(table, code, system, short)
    there = facts.codes[spot.kind] == spot.bucket
    return facts.behind(there & costs(table)[:, system], spot.where, hurts(facts.name(system)))


def _wrong_at(spot: WeakSpot, facts: Facts) -> list[Part]:
    """What a system gets wrong at a group of units: gold ones, or twice as many of its answers."""
    whole, name = Evidence.of(spot.n, GOLD, spot.where), facts.name(spot.system)
    if spot.untrue < 2 * spot.wrong:
        wrong = Evidence.of(spot.wrong, GOLD, spot.where, is_wrong(name))
        return [
            Part("It is wrong about "),
            number(wrong),
            Part(" of "),
            number(whole),
            Part(f" such {facts.units} ("),
            *leading(wrong, Part(percent(spot.wrong, spot.n))),
            Part(")."),
        ]
    untrue = Evidence.of(spot.untrue, NOT_GOLD, spot.where, produces(name))
    answers = Evidence.of(spot.n - spot.wrong + spot.untrue, spot.where, produces(name))
    return [
        Part("Of its "),
        number(answers),
        Part(f" such {facts.units} "),
        number(untrue),
        Part(" are not gold ("),
        *leading(untrue, Part(percent(untrue.count, answers.count))),
        Part("); gold are "),
        number(whole),
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
    about = (name, label_words(found.label))
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
    excess[:, [_told_by_label(one) for one in kinds.every]] = 0
    if not excess.max(initial=0) > 0:
        return
    system = int(excess.sum(axis=1).argmax())
    largest = [int(kind) for kind in np.argsort(-excess[system], kind="stable")[:_KINDS]]
    yield _profile(facts, kinds, system, [one for one in largest if excess[system, one] > 0])


def _told_by_label(kind: ErrorKind) -> bool:
    """Whether these are right but for their label, of which ``confusions`` tells (spans)."""
    return any(one.role == "label" and one.produced == "extra" for one in kind.outcomes)


def _profile(facts: Facts, kinds: ErrorKinds, system: int, told: list[int]) -> Finding:
    """The kinds of errors that a system makes more often than others."""
    n, wrong = int(kinds.counts[system].sum()), ~right(facts.table)[:, system]
    found = apart(facts) if system == facts.order[-1] else None
    more = f"makes far more errors of {'one kind' if len(told) == 1 else 'some kinds'}: "
    parts = [strong(facts.name(system)), Part(f" {more}")]
    if found is not None:
        parts = [*found.parts, Part(f", and {more}")]
    intervals = [facts.share(kinds[kind].rows(facts.table, system), wrong) for kind in told]
    for place, (kind, ends) in enumerate(zip(told, intervals, strict=True)):
        errors = kinds.errors(kind, system)
        of = " of its errors" if not place else ""
        said = Part(f" {kinds[kind].phrase}, ")
        parts += [Part("; " if place else ""), *leading(errors, number(errors), said)]
        parts += [*leading(errors, *share(errors.count, n, ends)), Part(f"{of} ")]
        parts += _by_others(facts, kinds, kind, system)
    most = int(kinds.counts[system].max())
    bars = tuple(
        Bar(kinds[kind].phrase, one.count / most, f"{one.count:,}", subject=True, evidence=one)
        for kind in told
        for one in [kinds.errors(kind, system)]
    )
    strip = Strip(captioned(f"errors of {facts.name(system)}", facts.errors(system)), bars)
    about = (facts.name(system),)
    return Finding("profile", (*parts, Part(".")), "errors", n, strip, intervals[0], about)


def _by_others(facts: Facts, kinds: ErrorKinds, kind: int, system: int) -> list[Part]:
    """How many errors of a kind the others make: the fewest and the most."""
    others = [place for place in facts.order if place != system]
    others.sort(key=lambda place: int(kinds.counts[place, kind]))
    fewest, most = kinds.errors(kind, others[0]), kinds.errors(kind, others[-1])
    if len(others) == 1:
        return [Part(f"({facts.name(others[0])} "), number(fewest), Part(")")]
    if fewest.count == most.count:
        return [Part("(each of the others "), number(most), Part(")")]
    return [Part("(others "), number(fewest), Part(" to "), number(most), Part(")")]
