"""The verbs that judge: slices that matter, and a gate for a new version of a system.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=5_000, seed=1)
>>> table = fg.align(play.gold, play.systems)
>>> fg.slices(table, resamples=99).settings.measure
'recall'
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from finegrain.analyses.trust.gate import Gate
from finegrain.analyses.trust.gate import gate as _gate
from finegrain.analyses.trust.gate_rules import parse_rule
from finegrain.api import metric_named, significance
from finegrain.errors import UsageError
from finegrain.metrics.metric import Metric
from finegrain.resampling.pairs import Comparison
from finegrain.table import OutcomeTable


def gate(
    table: OutcomeTable,
    rules: Sequence[str],
    *,
    examples: int = 10,
    resamples: int = 10_000,
    seed: int = 1,
    assume_independent: bool = False,
) -> Gate:
    """Whether the second of two systems may take the place of the first.

    Parameters
    ----------
    rules: when it may not: ``new_errors[PER] > 5`` or ``fair.f1 drops 0.3 at p < .05``
    examples: so many units are shown of every rule that fails
    resamples, seed: of the randomisation test
    assume_independent: sentences of a document do not depend on each other
    """
    if not isinstance(table, OutcomeTable):
        raise UsageError("gate takes an outcome table: fg.align(gold, systems)")
    if isinstance(rules, str):
        raise UsageError(f"rules is a list: [{rules!r}]")
    known = table.task.all_metrics()

    def named(name: str) -> Metric:
        return _metric_of_rule(name, known)

    @cache
    def compare(metric: Metric) -> Comparison:
        tested = significance(
            table, metric, resamples=resamples, seed=seed, assume_independent=assume_independent
        )
        return tested.pair(*table.systems)

    return _gate(
        table,
        [parse_rule(rule) for rule in rules],
        metric_named=named,
        compare=compare,
        examples=examples,
        told={"resamples": str(resamples), "seed": str(seed)},
    )


def _metric_of_rule(name: str, known: dict[str, Metric]) -> Metric:
    """``fair.f1`` is the F1 of the family fair; everything else goes by its name."""
    family, dot, short = name.partition(".")
    if not dot:
        return metric_named(name, known)
    for one in known.values():
        if one.family == family and one.short == short:
            return one
    named = [f"{one.family}.{one.short}" for one in known.values() if one.family and one.short]
    plain = [one.name for one in known.values() if not (one.family and one.short)]
    raise UsageError.unknown("metric", name, dict.fromkeys([*named, *plain]))
