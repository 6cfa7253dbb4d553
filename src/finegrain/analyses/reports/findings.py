"""What matters, in five to ten sentences: written from results by rules, always in the same order.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=5_000, seed=1)
>>> report = fg.report(fg.align(play.gold, play.systems))
>>> print(report.findings[0].text)                     # doctest: +ELLIPSIS
uniform has ... F1, ... above neural; this test set cannot tell them apart (p = 1.000)...

Every rule looks at results only and says nothing where its condition does not hold: too few units
(fewer than 50), or no difference worth a sentence. What is told is either a claim, which a test
stands behind (``claims``), or a description of what was counted, which claims nothing. Where that
leaves fewer than five sentences, further rules describe the systems until there are five.
"""

from __future__ import annotations

from finegrain.analyses.reports.answer_findings import baseline, reliability, usage
from finegrain.analyses.reports.error_findings import kinds, near_misses, sentences, words
from finegrain.analyses.reports.facts import Facts, Rule
from finegrain.analyses.reports.finding import Finding
from finegrain.analyses.reports.graded_findings import far_off
from finegrain.analyses.reports.graded_findings import together as graded_together
from finegrain.analyses.reports.pair_findings import (
    alike,
    coincidence,
    exchange,
    resolution,
    rival,
)
from finegrain.analyses.reports.ranking_findings import last, leaders, spread
from finegrain.analyses.reports.system_findings import confusions
from finegrain.analyses.reports.unit_findings import (
    all_or_none,
    alone,
    alone_wrong,
    invented_by_all,
    together,
)
from finegrain.analyses.reports.weakness_findings import no_weakness, profiles, weaknesses

MOST = 10
FEWEST = 5  # below it further rules are asked, one after the other
CLAIMING: tuple[Rule, ...] = (leaders, last, weaknesses, profiles, spread)
RULES: tuple[Rule, ...] = (
    leaders, last, weaknesses, profiles, no_weakness, confusions, all_or_none, together, alone,
    invented_by_all,
)  # fmt: skip
FURTHER: tuple[Rule, ...] = (
    kinds, alike, alone_wrong, exchange, sentences, baseline, usage, words, near_misses,
    reliability, spread, coincidence, resolution, rival,
)  # fmt: skip
# of units with values, for whom most others, which tell of errors, have nothing to say
GRADED: tuple[Rule, ...] = (leaders, last, weaknesses, no_weakness, far_off, graded_together)
GRADED_FURTHER: tuple[Rule, ...] = (spread,)


def findings(facts: Facts, *, most: int = MOST) -> tuple[Finding, ...]:
    """The sentences that matter; graded units have rules of their own."""
    graded = bool(facts.table.task.value)
    rules, further = (GRADED, GRADED_FURTHER) if graded else (RULES, FURTHER)
    found = [finding for rule in rules for finding in rule(facts)]
    for rule in further:
        if not found or len(found) >= FEWEST:
            break
        told = {one.subject.units for one in found} - {""}
        new = [one for one in rule(facts) if one.subject.units not in told]
        found += new[: FEWEST - len(found)]
    return tuple(found[:most])


def claims(facts: Facts) -> tuple[Finding, ...]:
    """Of all sentences those that a test stands behind."""
    rules = CLAIMING if len(facts.order) > 1 else (weaknesses,)
    every = (finding for rule in rules for finding in rule(facts))
    return tuple(one for one in every if one.kind == "tested")
