"""Rules about scores: decided by the change of a score, and by one-sided tests of a margin.

A margin is tested, not the difference 0: ``drops 0.3 at p < .05`` fails if a drop of 0.3 or less is
refuted, ``not worse than 0.5`` passes if a drop of 0.5 or more is refuted and fails if one of 0.5
or less is. Exchanges test no margin but 0, so p comes from ``resampling.margins``. The p of a rule
may be shared by so many ``pushes``: however the versions depend on each other and on what the gate
said before, equal versions are then stopped once by mistake with that probability at most
(Bonferroni).
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np

from finegrain.analyses.p_values import told_p
from finegrain.analyses.trust.gate_rules import (
    POINTS,
    DropRule,
    MarginRule,
    beyond,
    misplaced,
)
from finegrain.errors import UsageError
from finegrain.metrics.choosing import chosen
from finegrain.metrics.metric import Metric, require_applicable
from finegrain.resampling import margins
from finegrain.resampling.pairs import Comparison
from finegrain.resampling.power import POWER
from finegrain.resampling.quantiles import student_quantile
from finegrain.resampling.skewed_t import Added
from finegrain.sizes import sized
from finegrain.table import OutcomeTable, Task

Result = Literal["passes", "FAILS", "undecided"]
ScoreRule = DropRule | MarginRule


class Decision(NamedTuple):
    """What comes of a rule about a score: ``value`` is its change, new less old."""

    result: Result
    reason: str
    value: float
    p: float


def metric_of(table: OutcomeTable, rule: ScoreRule) -> Metric:
    """The metric that a rule names."""
    try:
        metric = _metric_named(table.task, rule.metric)
        require_applicable(table, [metric])
    except UsageError as error:
        raise misplaced(rule, rule.metric_at, error) from None
    if metric.scale.shown == "percent" and rule.points > POINTS:
        raise misplaced(rule, rule.points_at, UsageError(beyond(POINTS)))
    return metric


def decided(
    rule: ScoreRule, metric: Metric, found: Comparison, *, sample: str, pushes: int
) -> Decision:
    """What comes of a rule; ``sample``: what was exchanged; ``pushes`` share its p."""
    if math.isnan(found.difference):
        return Decision("undecided", f"{metric.name} is undefined", found.difference, math.nan)
    reason = _moved(metric, found.difference)
    adds, margin = _for_better(margins.adding(found), metric), rule.points / metric.scale.points
    if isinstance(rule, DropRule):
        gained = float(metric.scale.quality(np.array(found.difference))) * metric.scale.points
        p = math.nan if rule.p is None else margins.lower(adds, margin)
        level = 1.0 if rule.p is None else rule.p / pushes
        if gained >= 0 and level < 1:
            return Decision("passes", reason, found.difference, p)
        return _dropped(reason, found, p, level, far=-gained >= rule.points - 1e-9)
    decision = _harmless(reason, found, adds, margin, rule.level / pushes)
    if decision.result != "undecided" or math.isnan(decision.p):
        return decision
    more = _would_decide(adds, margin, found.spread.samples, rule.level / pushes)
    told = "the change is too close to the margin for more text to decide"
    if more is not None:
        told = f"about {sized(more, sample)} would decide"
    return decision._replace(reason=f"{decision.reason}; {told}")


def _dropped(reason: str, found: Comparison, p: float, level: float, *, far: bool) -> Decision:
    """``drops POINTS``: fails if it drops so far, and if a lesser drop is refuted."""
    if level == 1.0:
        return Decision("FAILS" if far else "passes", reason, found.difference, p)
    if math.isnan(p) or math.isnan(found.p):
        if far:
            return _too_little(reason, found)
        return Decision("passes", reason, found.difference, math.nan)
    result: Result = "FAILS" if far and p < level else "passes"
    return Decision(result, f"{reason}, {told_p(p)}", found.difference, p)


def _harmless(reason: str, found: Comparison, adds: Added, margin: float, level: float) -> Decision:
    """``not worse than POINTS``: which side of the margin is refuted, if one is."""
    if not found.differing:
        return Decision("passes", f"{reason}: the outputs count alike", found.difference, 0.0)
    harmless, harmful = margins.not_lower(adds, margin), margins.lower(adds, margin)
    if math.isnan(found.p) or math.isnan(harmless):
        return _too_little(reason, found)
    if harmful < level:
        return Decision("FAILS", f"{reason}, {told_p(harmful)}", found.difference, harmful)
    result: Result = "passes" if harmless < level else "undecided"
    return Decision(result, f"{reason}, {told_p(harmless)}", found.difference, harmless)


def _too_little(reason: str, found: Comparison) -> Decision:
    said = f"{reason}, on too little text for a test"
    return Decision("undecided", said, found.difference, math.nan)


def _for_better(adds: Added, metric: Metric) -> Added:
    """What samples add to how much better the new output is."""
    return adds if metric.scale.higher else adds.mirrored()


def _would_decide(adds: Added, margin: float, samples: int, level: float) -> int | None:
    """How many samples decide with a chance of 80 %, if the change stays what it is.

    >>> adds = Added(difference=0.0, error=0.01, skewness=0.0, samples=50, effective=50.0)
    >>> _would_decide(adds, 0.01, 50, 0.05)                        # 50 x (1.68 + 0.85)^2
    320
    """
    far = abs(adds.difference + margin)
    if not far > margin / 100:
        return None
    errors = student_quantile(1 - level, adds.freedom) + student_quantile(POWER, adds.freedom)
    size = math.ceil(samples * (errors * adds.error / far) ** 2)
    return round(size, 2 - len(str(size)))


def _moved(metric: Metric, difference: float) -> str:
    """``f1 falls by 0.30 points``, ``mse (less is better) rises by 0.300``."""
    moved = "falls" if difference < 0 else "rises" if difference > 0 else "stays"
    name = metric.name if metric.scale.higher else f"{metric.name} (less is better)"
    points = " points" if metric.scale.shown == "percent" else ""
    far = metric.scale.written(abs(difference))
    return f"{name} {moved}" + (f" by {far}{points}" if difference else "")


def _metric_named(task: Task, name: str) -> Metric:
    """``fair.f1`` is the F1 of the family fair; everything else goes by its name."""
    family, dot, short = name.partition(".")
    if not dot:
        return chosen(task, name)
    known: dict[str, Metric] = task.all_metrics()
    for one in known.values():
        if one.family == family and one.short == short:
            return one
    named = [f"{one.family}.{one.short}" for one in known.values() if one.family and one.short]
    plain = [one.name for one in known.values() if not (one.family and one.short)]
    raise UsageError.unknown("metric", name, dict.fromkeys([*named, *plain]))
