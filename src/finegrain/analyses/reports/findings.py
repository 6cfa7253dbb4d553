"""What matters, in at most ten sentences: written from results by rules, always in the same order.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=5_000, seed=1)
>>> report = fg.report(fg.align(play.gold, play.systems))
>>> print(report.findings[0].text)                     # doctest: +ELLIPSIS
uniform leads with ... F1, ... above neural...

Every rule looks at results only and says nothing where its condition does not hold: too few units
(fewer than 50), or no difference worth a sentence. The thresholds stand with the rules.
"""

from __future__ import annotations

from finegrain.analyses.reports.facts import Facts, Rule
from finegrain.analyses.reports.finding import Finding
from finegrain.analyses.reports.system_findings import (
    confusions,
    last,
    leaders,
    profiles,
    weaknesses,
)
from finegrain.analyses.reports.unit_findings import (
    all_or_none,
    alone,
    hardest,
    invented_by_all,
    together,
)
from finegrain.analyses.reports.weak_slices import weak_slices

MOST = 10
FEWEST = 5  # below it slices are told, which else stand with the attributes
RULES: tuple[Rule, ...] = (
    leaders, last, weaknesses, confusions, profiles, hardest, all_or_none, together, alone,
    invented_by_all,
)  # fmt: skip


def findings(facts: Facts, *, most: int = MOST) -> tuple[Finding, ...]:
    """The sentences that matter."""
    found = _without_repeats([finding for rule in RULES for finding in rule(facts)])
    if len(found) < FEWEST:
        told = {one.about[-1] for one in found if one.about}
        found += [one for one in weak_slices(facts) if one.about[-1] not in told][
            : FEWEST - len(found)
        ]
    return tuple(found[:most])


def _without_repeats(found: list[Finding]) -> list[Finding]:
    """A system or a group of units of which more is told elsewhere is not told again."""
    told = {rule: {one.about for one in found if one.rule == rule} for rule in _CLOSER}
    groups = {name for about in told["weakness"] for name in about}
    return [
        one
        for one in found
        if not (one.rule == "last" and one.about in told["profile"])
        and not (one.rule == "weakness" and one.about in told["confusion"])
        and not (one.rule == "hardest" and groups & set(one.about))
    ]


_CLOSER = ("profile", "confusion", "weakness")  # rules that tell more of a thing than others
