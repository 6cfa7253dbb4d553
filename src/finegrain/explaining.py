"""The verbs that explain scores by attributes: buckets, bin_features.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> gold, systems = small_corpora("spans")
>>> table = fg.align(gold, systems)
>>> result = fg.buckets(table, "sentence_length", buckets=2)
>>> result["sentence_length"].divisions[0].edges
(8.0,)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from finegrain.analyses.explain.buckets import Buckets, Choices
from finegrain.analyses.explain.buckets import buckets as _buckets
from finegrain.api import metric_named
from finegrain.attributes import ATTRIBUTES
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.bucketing import Bucketing, Strategy, by_strategy
from finegrain.attributes.choosing import Wanted, chosen
from finegrain.attributes.presets import preset as preset_named
from finegrain.attributes.training import TrainingData, prepare
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.metrics.metric import Metric, require_applicable
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable

Pair = tuple[Wanted, Wanted]


def buckets(
    table: OutcomeTable,
    by: Wanted | Sequence[Wanted | Pair] | None = None,
    *,
    metric: str | Metric | None = None,
    train: Corpus | None = None,
    buckets: int | None = None,
    bucketing: Mapping[str, Bucketing] | None = None,
    strategy: Strategy | None = None,
    preset: str | None = None,
    fold_case: bool = True,
    intervals: int = 0,
    confidence: float = 0.95,
    seed: int = 1,
    **learning: Any,
) -> Buckets:
    """Score all systems in buckets of units that are alike.

    Parameters
    ----------
    by: attributes by name or as values; in a list, a pair of them is crossed, and in names
        ``one+other`` is; default: those of the task, for spans the eight of Fu, Liu and Neubig
        (2020)
    metric: what to score; default: traditional F1 for spans, accuracy for tags
    train: training data, for attributes that are learnt
    buckets: their number, in place of four
    bucketing: by the name of an attribute, in place of its own: ``EqualFrequency``,
        ``EqualWidth``, ``Edges`` or ``Categories`` of ``finegrain.attributes.bucketing``
    strategy: ``frequency`` or ``width`` for all numbers that ``bucketing`` does not name
    preset: ``interpreteval`` for the buckets of that program
    fold_case: whether words that differ in case only are the same
    intervals: resamples for intervals of scores, 1000 as a rule; 0 for none
    confidence: of the intervals
    seed: the same seed, files and version of numpy give the same intervals
    learning: how the training data are read: ``scheme``, ``policy``, ``layer``, ``rules``
    """
    if not isinstance(table, OutcomeTable):
        raise UsageError("buckets takes an outcome table: fg.align(gold, systems)")
    names, notes = _by(table, by, train)
    found = chosen(table, names, preset_named(preset))
    flat = [one for each in found for one in ((each,) if isinstance(each, Attribute) else each)]
    divided = dict(bucketing or {})
    _require_known(divided, flat)
    if strategy is not None:
        told = {one.name: by_strategy(one.default_bucketing, strategy) for one in flat}
        divided = {**told, **divided}
    result = _buckets(
        table,
        found,
        metrics=_metrics(table, metric),
        training=_training(table, flat, train, fold_case=fold_case, **learning),
        choices=Choices(divided, buckets, _told(preset, strategy, buckets, fold_case=fold_case)),
        drawing=Drawing(intervals, confidence, seed),
    )
    return result.with_notes(notes)


def _by(
    table: OutcomeTable, by: Wanted | Sequence[Wanted | Pair] | None, train: Corpus | None
) -> tuple[Sequence[Wanted | Pair], tuple[str, ...]]:
    """What was asked for, or the attributes of the task; and what is left out of those."""
    if isinstance(by, str | Attribute):
        return [by], ()
    if by is not None:
        return list(by), ()
    names = table.task.attributes
    if not names:
        raise UsageError(f"say by which attributes the units of {table.task} fall into buckets")
    learnt = [name for name in names if name in ATTRIBUTES and ATTRIBUTES[name].needs_training]
    if train is not None or not learnt:
        return names, ()
    kept = [name for name in names if name not in learnt]
    return kept, (f"without training data there is no {', '.join(learnt)}",)


def _require_known(bucketing: Mapping[str, Bucketing], attributes: Sequence[Attribute]) -> None:
    names = [one.name for one in attributes]
    for name in bucketing:
        if name not in names:
            raise UsageError.unknown("attribute", name, names)


def _metrics(table: OutcomeTable, metric: str | Metric | None) -> list[Metric]:
    """The metric itself, then precision, recall and F1 of its family."""
    of_task = table.task.all_metrics()
    known = of_task.values()
    if metric is None:
        main: Metric = of_task[table.task.unit_metric().name]
    elif isinstance(metric, Metric):
        main = metric
    else:
        main = metric_named(metric, of_task)
    require_applicable(table, [main])
    shorts = ("f1", "precision", "recall")
    family = [one for one in known if main.family and one.family == main.family]
    return [main, *(one for one in family if one.short in shorts and one.name != main.name)]


def _training(
    table: OutcomeTable,
    attributes: Sequence[Attribute],
    train: Corpus | None,
    *,
    fold_case: bool,
    **learning: Any,
) -> TrainingData | None:
    """The training data, if an attribute needs them."""
    if train is None or not any(one.needs_training for one in attributes):
        return None
    if not isinstance(train, Corpus):
        raise UsageError("train is a corpus: read the file with fg.read(path) first")
    return prepare(train, table, fold_case=fold_case, **learning)


def _told(
    preset: str | None, strategy: str | None, buckets: int | None, *, fold_case: bool
) -> dict[str, str]:
    """What the signature says of the choices."""
    told = {"preset": preset, "strategy": strategy, "case": None if fold_case else "kept"}
    told["buckets"] = None if buckets is None else str(buckets)
    return {name: value for name, value in told.items() if value is not None}
