"""Scores for units that are alike: by length, by how often training shows them, by any attribute.

A unit that is not gold stands in the bucket of its own words and its own label, so a bucket's
recall is that of its gold units and its precision that of its predicted units (Fu, Liu and Neubig
2020). A hit is the same unit on both sides and stands in one bucket.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.spans import align
>>> text = [["Ada", "saw", "New", "York"], ["Bob", "ran"]]
>>> gold = Corpus.of(text, tags=[["B-PER", "O", "B-LOC", "I-LOC"], ["B-PER", "O"]])
>>> system = Corpus.of(text, tags=[["B-PER", "O", "B-LOC", "O"], ["B-PER", "O"]])
>>> found = buckets(align(gold, {"s": system}), "entity_length").to_json()["entity_length"]
>>> found["names"], found["gold_sizes"], found["systems"]["s"]["predicted_sizes"]
(['XS', 'S'], [2, 1], [3, 0])
>>> found["systems"]["s"]["f1"]                  # 2 * 2 / (2 + 3), and New York was not found
[0.8, 0.0]

For fair scores, an error that was charged to a gold unit stands in that unit's bucket. Where every
unit has an answer (tags), a unit stands in the bucket of its gold label, and accuracy is the share
of its units that are right. Counts of all buckets add up to those of the corpus.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from finegrain.analyses.explain.bucket_counts import Divisions, bucket_counts
from finegrain.analyses.explain.bucket_listings import as_json, as_records, bucket_listing
from finegrain.analyses.explain.bucket_scores import BucketScores
from finegrain.analyses.explain.bucket_selection import selections
from finegrain.analyses.interval_cells import interval_notes
from finegrain.analyses.listing import Listing
from finegrain.analyses.restricting import restrict, within
from finegrain.analyses.result import Printed
from finegrain.analyses.signature import signature
from finegrain.attributes import ATTRIBUTES
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.bucketing import Bucketing, Strategy, by_strategy
from finegrain.attributes.choosing import Wanted, chosen, of_items
from finegrain.attributes.presets import preset as preset_named
from finegrain.attributes.training import Reading, learnt_from
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.metrics.choosing import chosen_for
from finegrain.metrics.chosen_units import fitting, of_chosen
from finegrain.metrics.metric import Metric
from finegrain.resampling.intervals import Drawing
from finegrain.resampling.sampling import sampling_of
from finegrain.table import OutcomeTable, Task

Pair = tuple[Wanted, Wanted]


class Choices(Reading, total=False):
    """What can be said of buckets without intervals, and how training data are read."""

    metric: str | Metric | None
    buckets: int | None
    bucketing: Mapping[str, Bucketing] | None
    strategy: Strategy | None
    preset: str | None
    fold_case: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Buckets(Printed):
    """Scores by attribute, in the order they were asked for.

    ``where``: by attribute, the selections of its buckets, ``None`` where there is none.
    """

    task: Task
    systems: tuple[str, ...]
    attributes: tuple[BucketScores, ...]
    signature: str
    notes: tuple[str, ...]
    where: Mapping[str, tuple[str | None, ...]]

    def __getitem__(self, attribute: str) -> BucketScores:
        """The buckets of an attribute by its name; crossed ones are called ``one+other``."""
        for found in self.attributes:
            if found.name == attribute:
                return found
        raise UsageError.unknown("attribute", attribute, [one.name for one in self.attributes])

    def to_json(self) -> dict[str, Any]:
        return {
            one.name: {**as_json(one, self.systems), "where": list(self.where[one.name])}
            for one in self.attributes
        }

    def listings(self) -> tuple[Listing, ...]:
        return tuple(bucket_listing(one, self.systems) for one in self.attributes)

    def records(self) -> Listing:
        return as_records(self.attributes, self.systems)


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
    where: str = "",
    intervals: int = 0,
    confidence: float = 0.95,
    seed: int = 1,
    **learning: Unpack[Reading],
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
    where: only the units that this holds for, as in ``score``
    intervals: resamples for intervals of scores, 1000 as a rule; 0 for none
    confidence: of the intervals
    seed: the same seed, files and version of numpy give the same intervals
    learning: how the training data are read: ``scheme``, ``policy``, ``layer``, ``rules``
    """
    table = restrict(table, where)
    names, left_out = _by(table, by, train)
    attributes = chosen(table, names, preset_named(preset))
    flat = [each for one in attributes for each in (one if isinstance(one, tuple) else (one,))]
    needed = any(one.needs_training for one in flat)
    training = learnt_from(train, table, needed=needed, fold_case=fold_case, **learning)
    metrics, drawing = _metrics(table, metric), Drawing(intervals, confidence, seed)
    divisions = Divisions(_bucketing(flat, bucketing or {}, strategy), buckets)
    found = bucket_counts(
        table, attributes, metrics, training=training, divisions=divisions, drawing=drawing
    )
    said = {"metric": metrics[0].name, "by": ",".join(one.name for one in found)}
    said |= _said(preset, strategy, buckets, fold_case=fold_case)
    said |= {} if training is None else {"train": str(training.n_units)}
    if drawing.resamples:
        said |= {**sampling_of(table).said(), **drawing.said()}
    learnt = () if training is None else training.notes
    notes = (*table.notes, *learnt, *_notes(found, sampling_of(table).kind), *left_out)
    asked = {one.name: _among(where, one, table) for one in found}
    return Buckets(table.task, table.systems, found, signature(table, **said), notes, asked)


def _among(where: str, found: BucketScores, table: OutcomeTable) -> tuple[str | None, ...]:
    """The selections of buckets, among the units that the analysis is about."""
    every = selections(found.attributes, found.divisions, table)
    return tuple(None if one is None else within(where, one) for one in every)


def _by(
    table: OutcomeTable, by: Wanted | Sequence[Wanted | Pair] | None, train: Corpus | None
) -> tuple[Sequence[Wanted | Pair], tuple[str, ...]]:
    """What was asked for, or the attributes of the task; and what is left out of those."""
    if isinstance(by, str | Attribute):
        return [by], ()
    if by is not None:
        return list(by), ()
    names = tuple(dict.fromkeys((*table.task.attributes, *of_items(table))))
    if not table.corpus.n_tokens:  # items without a text
        names = tuple(one for one in names if not _of_texts(one))
    if not names:
        raise UsageError(f"say by which attributes the units of {table.task} fall into buckets")
    learnt = [name for name in names if name in ATTRIBUTES and ATTRIBUTES[name].needs_training]
    if train is not None or not learnt:
        return names, ()
    kept = [name for name in names if name not in learnt]
    return kept, (f"without training data there is no {', '.join(learnt)}",)


def _of_texts(name: str) -> bool:
    return name in ATTRIBUTES and "texts" in ATTRIBUTES[name].needs


def _bucketing(
    attributes: Sequence[Attribute], given: Mapping[str, Bucketing], strategy: Strategy | None
) -> dict[str, Bucketing]:
    """Of attributes by name, where it is not their own."""
    names = [one.name for one in attributes]
    for name in given:
        if name not in names:
            raise UsageError.unknown("attribute", name, names)
    if strategy is None:
        return dict(given)
    told = {one.name: by_strategy(one.default_bucketing, strategy) for one in attributes}
    return {**told, **given}


def _metrics(table: OutcomeTable, metric: str | Metric | None) -> list[Metric]:
    """The metric itself, then precision, recall and F1 of its family."""
    main = fitting(table, chosen_for(table, metric or table.task.unit_metric()))
    shorts = ("f1", "precision", "recall")
    known = table.task.all_metrics().values()
    family = [one for one in known if main.family and one.family == main.family]
    others = (one for one in family if one.short in shorts and one.name != main.name)
    return [main, *(of_chosen(one, table) for one in others)]


def _said(
    preset: str | None, strategy: str | None, buckets: int | None, *, fold_case: bool
) -> dict[str, str]:
    """What the signature says of the choices."""
    said = {"preset": preset, "strategy": strategy, "case": None if fold_case else "kept"}
    said["buckets"] = None if buckets is None else str(buckets)
    return {name: value for name, value in said.items() if value is not None}


def _notes(found: Sequence[BucketScores], sample: str) -> list[str]:
    """What is undefined, and why; what must be known of intervals."""
    drawn = [one.intervals.ends for one in found if one.intervals is not None]
    missing = any(np.isnan(ends).any() for ends in drawn)
    notes = interval_notes(sample, missing=missing) if drawn else []
    if any(np.isnan(one.main()).any() for one in found):
        notes.append("n/a in a bucket: it holds no unit that the score could be computed from")
    unordered = [one for one in found if len(one.divisions) > 1 or not one.divisions[0].ordered]
    if unordered:
        notes.append("Spearman n/a: categories, and crossed attributes, have no order")
    if any(np.isnan(one.spearman()).any() for one in found if one not in unordered):
        notes.append("Spearman n/a: fewer than two buckets, or the same score in all of them")
    return notes
