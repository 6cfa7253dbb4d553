"""Rules that say when a system does not pass: ``negation.mft fails > 5 %``.

>>> parse("negation.mft fails > 5 %")
Rule(text='negation.mft fails > 5 %', group='negation.mft', operator='>', limit=0.05, share=True)
>>> parse("fairness fails > 0").share
False
>>> parse("negation.mft > 5")
Traceback (most recent call last):
finegrain.errors.UsageError: the rule 'negation.mft > 5' is not CAPABILITY[.KIND] fails > N [%]

``any`` stands for every capability and kind, each by itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.analyses.trust.behaviour import Rate

_RULE = re.compile(
    r"\s*(?P<group>.+?)\s+fails?\s*(?P<operator>>=?)\s*(?P<limit>\d+(?:\.\d+)?)\s*(?P<share>%?)\s*\Z"
)


class Rule(NamedTuple):
    """More than ``limit`` cases fail, or more than such a ``share`` of them."""

    text: str
    group: str
    operator: str
    limit: float
    share: bool


class Checked(NamedTuple):
    """A rule for one system, and the number that it is held against."""

    rule: str
    system: str
    group: str
    value: float
    failed: bool

    def to_json(self) -> dict[str, Any]:
        return self._asdict()


def parse(text: str) -> Rule:
    """Read a rule."""
    found = _RULE.match(text)
    if found is None:
        raise UsageError(f"the rule {text!r} is not CAPABILITY[.KIND] fails > N [%]")
    limit, share = float(found["limit"]), bool(found["share"])
    if share and limit > 100:
        raise UsageError(f"the rule {text!r}: more than 100 % cannot fail")
    return Rule(text, found["group"], found["operator"], limit / 100 if share else limit, share)


def check_rules(rules: Sequence[str], rates: Sequence[Rate]) -> tuple[Checked, ...]:
    """All rules for all systems; a rule about nothing is an error."""
    found = []
    for rule in map(parse, rules):
        own = [one for one in rates if _is_about(rule, one)]
        if not own:
            known = dict.fromkeys(
                name for one in rates for name in (one.capability, f"{one.capability}.{one.kind}")
            )
            raise UsageError.unknown("capability", rule.group, ["any", *known])
        for one in own:
            value = one.value if rule.share else float(one.failed)
            beyond = (
                value > rule.limit + 1e-12 if rule.operator == ">" else value >= rule.limit - 1e-12
            )
            group = f"{one.capability}.{one.kind}"
            found.append(Checked(rule.text, one.system, group, value, beyond))
    return tuple(found)


def _is_about(rule: Rule, rate: Rate) -> bool:
    return rule.group in ("any", rate.capability, f"{rate.capability}.{rate.kind}")
