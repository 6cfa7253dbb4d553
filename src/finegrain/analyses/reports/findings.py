"""What matters, in five to ten sentences: written from results by rules, always in the same order.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=5_000, seed=1)
>>> report = fg.report(fg.align(play.gold, play.systems))
>>> print(report.findings[0].text)                     # doctest: +ELLIPSIS
uniform leads with ... F1, ... above neural...

Every rule looks at results only and says nothing where its condition does not hold: too few units
(fewer than 50), or no difference worth a sentence. The thresholds stand with the rules. Where that
leaves fewer than five sentences, further rules describe the systems until there are five.
"""

from __future__ import annotations

from finegrain.analyses.reports.answer_findings import baseline, reliability, usage
from finegrain.analyses.reports.error_findings import (
    kinds,
    labels,
    near_misses,
    sentences,
    words,
)
from finegrain.analyses.reports.facts import Facts, Rule
from finegrain.analyses.reports.finding import Finding
from finegrain.analyses.reports.graded_findings import (
    far_off,
    graded_slices,
    no_graded_slice,
    pair_slices,
    worst_bucket,
)
from finegrain.analyses.reports.graded_findings import together as graded_together
from finegrain.analyses.reports.pair_findings import (
    alike,
    coincidence,
    exchange,
    resolution,
    rival,
)
from finegrain.analyses.reports.ranking_findings import last, leaders, spread
from finegrain.analyses.reports.system_findings import confusions, profiles, weaknesses
from finegrain.analyses.reports.unit_findings import (
    all_or_none,
    alone,
    alone_wrong,
    hardest,
    invented_by_all,
    together,
)
from finegrain.analyses.reports.weak_slices import no_weak_slice, weak_slices

MOST = 10
FEWEST = 5  # below it further rules are asked, one after the other
RULES: tuple[Rule, ...] = (
    leaders, last, weak_slices, weaknesses, confusions, profiles, hardest, all_or_none, together,
    alone, invented_by_all,
)  # fmt: skip
FURTHER: tuple[Rule, ...] = (
    kinds, labels, alike, alone_wrong, exchange, sentences, baseline, usage, words,
    near_misses, reliability, no_weak_slice, spread, coincidence, resolution, rival,
)  # fmt: skip
# of units with values, for whom most others, which tell of errors, have nothing to say
GRADED: tuple[Rule, ...] = (
    leaders, graded_slices, pair_slices, worst_bucket, far_off, graded_together
)  # fmt: skip
GRADED_FURTHER: tuple[Rule, ...] = (no_graded_slice, spread)


def findings(facts: Facts, *, most: int = MOST) -> tuple[Finding, ...]:
    """The sentences that matter; graded units have rules of their own."""
    graded = bool(facts.table.task.value)
    rules, further = (GRADED, GRADED_FURTHER) if graded else (RULES, FURTHER)
    found = _without_repeats([finding for rule in rules for finding in rule(facts)])
    for rule in further:
        if not found or len(found) >= FEWEST:
            break
        told = {one.about[-1] for one in found if one.about}
        new = [one for one in rule(facts) if not one.about or one.about[-1] not in told]
        found += new[: FEWEST - len(found)]
    return tuple(found[:most])


def _without_repeats(found: list[Finding]) -> list[Finding]:
    """A system or a group of units of which more is told elsewhere is not told again."""
    told = {rule: {one.about for one in found if one.rule == rule} for rule in _CLOSER}
    groups = {name for about in told["weakness"] for name in about}
    return [
        one
        for one in found
        if not (one.rule == "last" and one.about in told["profile"])
        and not (one.rule == "weakness" and one.about in told["confusion"] | told["slice"])
        and not (one.rule == "worst_bucket" and one.about in told["slice"])
        and not (one.rule == "hardest" and groups & set(one.about))
    ]


# rules that tell more of a thing than others
_CLOSER = ("profile", "confusion", "slice", "weakness")
