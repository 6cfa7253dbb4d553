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
from typing import Any

from finegrain.analyses.trust.gate import Gate
from finegrain.analyses.trust.gate import gate as _gate
from finegrain.analyses.trust.gate_rules import parse_rule
from finegrain.analyses.trust.slices import Measure, Settings, Slices
from finegrain.analyses.trust.slices import slices as _slices
from finegrain.api import metric_named, significance
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.choosing import Wanted, chosen
from finegrain.attributes.training import prepare
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.metrics.metric import Metric
from finegrain.resampling.against_rest import Progress
from finegrain.resampling.pairs import Comparison
from finegrain.table import OutcomeTable


def slices(
    table: OutcomeTable,
    of: str | tuple[str, str] | None = None,
    *,
    by: Sequence[Wanted] | None = None,
    measure: Measure = "recall",
    train: Corpus | None = None,
    fewest: int = 30,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 1,
    assume_independent: bool = False,
    fold_case: bool = True,
    progress: Progress | None = None,
    **learning: Any,
) -> Slices:
    """Slices on which a system is weak, or two systems differ, beyond chance.

    Parameters
    ----------
    of: a system, which is compared with its own rest; or a pair, the second of which is compared
        with the first; default: the pair where there are two systems, else every system
    by: attributes whose buckets, and those of pairs of them, are searched; default: those of the
        task, with the label
    measure: ``recall`` of gold units, or ``precision`` of predictions by their own attributes
    train: training data, for attributes that are learnt
    fewest: units that a slice has at least
    confidence: 1 less the chance of any false finding
    resamples, seed: of the shuffles or exchanges that all slices share
    assume_independent: sentences of a document do not depend on each other
    fold_case: whether words that differ in case only are the same
    progress: goes through the resamples as they are drawn, to show how far it is
    learning: how the training data are read: ``scheme``, ``policy``, ``layer``, ``rules``
    """
    if not isinstance(table, OutcomeTable):
        raise UsageError("slices takes an outcome table: fg.align(gold, systems)")
    attributes = _attributes(table, by, train)
    training = None
    if train is not None and any(one.needs_training for one in attributes):
        training = prepare(train, table, fold_case=fold_case, **learning)
    settings = Settings(measure, fewest, confidence, resamples, seed, assume_independent)
    return _slices(
        table,
        _compared(table, of),
        attributes,
        training=training,
        settings=settings,
        progress=progress,
    )


def _compared(
    table: OutcomeTable, of: str | tuple[str, str] | None
) -> Sequence[tuple[str] | tuple[str, str]]:
    if isinstance(of, str):
        return [(of,)]
    if of is not None:
        if len(of) != 2:
            raise UsageError(f"a pair has two systems, not {len(of)}")
        return [(of[0], of[1])]
    if table.n_systems == 2:
        return [(table.systems[0], table.systems[1])]
    return [(name,) for name in table.systems]


def _attributes(
    table: OutcomeTable, by: Sequence[Wanted] | None, train: Corpus | None
) -> Sequence[Attribute]:
    """What was asked for; of the attributes of the task, those that can be had."""
    if isinstance(by, str):
        raise UsageError(f"by is a list of names: [{by!r}]")
    if train is not None and not isinstance(train, Corpus):
        raise UsageError("train is a corpus: read the file with fg.read(path) first")
    found = chosen(table, table.task.slice_attributes() if by is None else by)
    single = [one for one in found if isinstance(one, Attribute)]
    if len(single) < len(found):
        raise UsageError("name attributes one by one: slices cross every two of them")
    if by is None and train is None:
        single = [one for one in single if not one.needs_training]
    if len({one.name for one in single}) < len(single):
        raise UsageError("an attribute is named twice")
    return single


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
