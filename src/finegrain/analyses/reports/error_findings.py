"""Rules for findings about the errors of one system: of which kinds, at what, and where they stand.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=5_000, seed=1)
>>> report = fg.report(fg.align(play.gold, {"crf": play.systems["crf"]}))
>>> for one in report.findings:
...     if one.rule == "kinds":
...         print(one.text)                                      # doctest: +ELLIPSIS
Of the 102 errors of crf, 32 are wrong labels (31 %), 28 spans that are too short (...

They are told of the best system, where fewer than five sentences are told by other rules.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from finegrain.analyses.evidence import GOLD, is_wrong, outcomes, with_words
from finegrain.analyses.reports.error_kinds import error_kinds
from finegrain.analyses.reports.facts import ENOUGH, Facts
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
    points,
    share,
    shortened,
    strong,
)
from finegrain.analyses.reports.ranking_findings import KIND
from finegrain.analyses.reports.share_intervals import Mask
from finegrain.attributes.surfaces import Surfaces, surfaces
from finegrain.corpus import IntArray
from finegrain.table.verdicts import right

SOME = 10  # errors, for a sentence about them
OFTEN = 5  # errors about the same words
_TOLD = 3  # kinds or words in a sentence


def kinds(facts: Facts) -> Iterator[Finding]:
    """The commonest kinds of errors: each a tenth or more of them."""
    if "errors" not in facts.results:
        return
    system = facts.order[0]
    found = error_kinds(facts.results["errors"])
    counts, every = found.counts[system], facts.errors(system)
    largest = np.argsort(-counts, kind="stable")[:_TOLD].tolist()
    told = [kind for kind in largest if counts[kind] >= max(1, KIND * every.count)]
    if every.count < SOME or not told or not found.several:
        return
    name, bars = facts.name(system), []
    parts = [Part("Of the "), number(every), Part(" errors of "), strong(name), Part(",")]
    for place, kind in enumerate(told):
        one, said = found.errors(kind, system), found[kind].phrase
        link = Part(f"{one.count:,} {'' if place else 'are '}{said} (")
        of = share(one.count, every.count, None)
        parts.append(Part(" " if not place else " and " if kind == told[-1] else ", "))
        parts += leading(one, link, *of, Part(")"))
        width = one.count / int(counts[told[0]])
        bars.append(Bar(said, width, f"{one.count:,}", subject=True, evidence=one))
    strip = Strip(captioned(f"errors of {name}", every), tuple(bars))
    subject = Subject((name,))
    yield Finding("kinds", (*parts, Part(".")), "errors", every.count, strip, None, subject)


def sentences(facts: Facts) -> Iterator[Finding]:
    """In how many of the sentences a system makes its errors; not where units stand in none."""
    table, system, contexts = facts.table, facts.order[0], facts.table.task.words.contexts
    wrong = ~right(table)[:, system]
    first = _first_of(table.sentence, table.is_gold | wrong)
    bad = np.isin(table.sentence, table.sentence[wrong]) & first
    n, some = int(np.count_nonzero(first)), int(np.count_nonzero(bad))
    errors = facts.errors(system)
    one_each, spoilt = n >= table.n_gold, some == n
    if not contexts or errors.count < SOME or n < ENOUGH or one_each or spoilt:
        return
    ends = facts.share(bad, first)
    every = not table.task.open  # then all of them have units
    where = contexts if every else f"{contexts} with {facts.units}"
    told = (
        Part(f"{errors.count:,} errors in {some:,} of {n:,} {where} ("),
        *share(some, n, ends),
        Part(")"),
    )
    name = facts.name(system)
    all_right = Part(f" and has all {facts.units} right in the others.")
    parts = (strong(name), Part(" makes its "), *leading(errors, *told), all_right)
    bars = (Bar("with errors", some / n, percent(some, n), subject=True, evidence=errors),)
    strip = Strip(captioned(f"share of {contexts}; errors", errors), bars)
    yield Finding("sentences", parts, "errors", errors.count, strip, ends)


def _first_of(codes: IntArray, rows: Mask) -> Mask:
    """``[unit]`` whether a code stands there for the first time, of some rows."""
    found = np.zeros(len(codes), bool)
    some = np.flatnonzero(rows)
    found[some[np.unique(codes[some], return_index=True)[1]]] = True
    return found


def words(facts: Facts) -> Iterator[Finding]:
    """Words that a system is wrong about twice as often as about all, and five times or more."""
    known = surfaces(facts.table)
    if known is None:
        return
    system, gold = facts.order[0], facts.table.is_gold & (known.codes >= 0)
    wrong = gold & ~right(facts.table)[:, system]
    told = _often_wrong(known, gold, wrong)
    if not told:
        return
    parts = [strong(facts.name(system)), Part(" is wrong about ")]
    bars, sizes = [], []
    for place, (code, word) in enumerate(told.items()):
        there = known.codes == code
        held = facts.behind(gold & there, GOLD, with_words(word))
        lost = facts.behind(wrong & there, held.where, is_wrong(facts.name(system)))
        sizes.append(held.count)
        parts += [Part(" and " if place == len(told) - 1 else ", ")] if place else []
        parts += [number(lost), Part(" of "), number(held), Part(" ")]
        parts.append(Part(shortened(word), "quoted"))
        bars.append(Bar(shortened(word), lost.count / held.count, percent(lost.count, held.count),
                        subject=True, evidence=lost))  # fmt: skip
    every = facts.wrong(system)
    overall = percent(every.count, facts.table.n_gold)
    parts += [Part("; of all units about "), *leading(every, Part(overall)), Part(".")]
    bars.append(Bar("all", every.count / facts.table.n_gold, overall, evidence=every))
    strip = Strip(captioned("wrong", facts.gold()), tuple(bars))
    subject = Subject((facts.name(system),), next(iter(told.values())))
    yield Finding("words", tuple(parts), "instances", sizes[0], strip, None, subject)


def _often_wrong(known: Surfaces, gold: Mask, wrong: Mask) -> dict[int, str]:
    """The words that are wrong most often beyond what they would be if all were alike."""
    sizes, lost = (np.bincount(known.codes[rows], minlength=len(known)) for rows in (gold, wrong))
    rate = np.count_nonzero(wrong) / max(1, int(np.count_nonzero(gold)))
    some = np.flatnonzero((lost >= OFTEN) & (lost >= 2 * rate * sizes))
    names = {code: known.name(code) for code in some.tolist()}
    order = sorted(names, key=lambda code: (rate * sizes[code] - lost[code], names[code]))
    findable = [code for code in order[:50] if known.find(names[code]) == code]
    return {code: names[code] for code in findable[:_TOLD]}


def near_misses(facts: Facts) -> Iterator[Finding]:
    """Errors at the place of a gold span, which fair scores count once: a tenth of all or more."""
    scores = facts.results["score"]
    kinds = [one.name for one in facts.table.outcomes.near]
    if "errors" not in facts.results or "fair_f1" not in scores.overall or not kinds:
        return
    system = facts.order[0]
    name, every = facts.name(system), facts.errors(system)
    rows = facts.table.is_outcome(*kinds)[:, system]
    near = facts.behind(rows, outcomes(name, kinds))
    if near.count < max(SOME, KIND * every.count):
        return
    ends = facts.share(rows, ~right(facts.table)[:, system])
    fair, own = scores.value("fair_f1", name), scores.interval("fair_f1", name)
    told = (
        f"are near misses, {facts.units} with wrong boundaries or a wrong label. "
        "Fair scores count each"
    )
    parts = [
        number(near),
        Part(" of the "),
        number(every),
        Part(" errors of "),
        strong(name),
        Part(" ("),
        *leading(near, *share(near.count, every.count, ends)),
        Part(f") {told} once: "),
        *leading(every, Part(points(fair)), *interval(None if np.isnan(own[0]) else own)),
        Part(" fair F1."),
    ]
    bars = (
        Bar("fair F1", fair, points(fair), subject=True, evidence=every),
        Bar("F1", facts.score(system), points(facts.score(system)), evidence=every),
    )
    strip = Strip(captioned("", facts.gold()), bars)
    yield Finding("near_misses", tuple(parts), "scores", every.count, strip, ends)
