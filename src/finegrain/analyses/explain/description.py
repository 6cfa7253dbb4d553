"""A data set without any system: how large, of what, how long, how new, how consistent.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=4_000, seed=1)
>>> found = fg.describe(play.gold, train=play.train).to_json()
>>> found["sizes"]["sentences"], found["labels"]["PER"]["gold"]
(207, 86)
>>> found["overlap"]["sentences"]["in_training"], found["overlap"]["units"]["unseen"]
(8, 246)

zeta is the mean of an attribute over gold units, as in Fu, Liu and Neubig (2020): that of
sentence_length is weighted by units, and the mean over sentences stands beside the lengths of
sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.task_options import fitting
from finegrain.analyses.explain import description_listings
from finegrain.analyses.explain.bucket_scores import BucketScores
from finegrain.analyses.explain.buckets import Buckets, Pair, buckets
from finegrain.analyses.explain.inconsistency import Inconsistencies, inconsistent_labels
from finegrain.analyses.explain.training_overlap import TrainingOverlap, training_overlap
from finegrain.analyses.listing import Listing
from finegrain.analyses.result import Printed
from finegrain.analyses.signature import signature
from finegrain.attributes.choosing import Wanted
from finegrain.attributes.training import Reading, TrainingData, learnt_from
from finegrain.corpus import LAYER, Corpus
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable, Task
from finegrain.table.verdicts import require_answers
from finegrain.tasks import align, by_name, guess

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The gold or the training data: sizes, and how long sentences and units are.

    ``documents`` is 0 without document boundaries; ``words`` are different ones, as written, 0 for
    a corpus without text. ``sentence_lengths`` and ``unit_lengths`` ``[length]`` count sentences
    and units by number of tokens, the gaps of units included. ``labels`` ``[label]`` are units by
    label; the training data have one more, for labels that are not in the gold. They have no units
    where their labels cannot be looked up.
    """

    documents: int
    sentences: int
    tokens: int
    words: int
    units: int
    sentence_lengths: Counts
    unit_lengths: Counts
    labels: Counts


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Description(Printed):
    """What there is to say of a data set; ``train`` and ``overlap`` only as far as it is known.

    ``profile`` are the attributes, with their buckets and no system.
    """

    task: Task
    labels: tuple[str, ...]
    gold: Side
    train: Side | None
    profile: tuple[BucketScores, ...]
    overlap: TrainingOverlap | None
    inconsistencies: Inconsistencies | None
    signature: str
    notes: tuple[str, ...]

    @property
    def systems(self) -> tuple[str, ...]:
        """None."""
        return ()

    def to_json(self) -> dict[str, Any]:
        return description_listings.to_json(self)

    def listings(self) -> tuple[Listing, ...]:
        return description_listings.listings(self)

    def records(self) -> Listing:
        return description_listings.records(self)


def describe(
    gold: Corpus | OutcomeTable,
    by: Wanted | Sequence[Wanted | Pair] | None = None,
    *,
    train: Corpus | None = None,
    task: str | Task | None = None,
    fold_case: bool = True,
    context: int = 1,
    examples: int = 10,
    **reading: Unpack[Reading],
) -> Description:
    """Describe a data set without any system.

    Sizes, the profile of attributes (zeta), labels, lengths, what of it the training data show, and
    labels that contradict each other.

    Parameters
    ----------
    gold: the data set, or a table, whose gold units are described
    by: attributes, as in ``buckets``; default: those of the task
    train: training data
    task: its name, or the task itself; found out if not given
    fold_case: whether words that differ in case only are the same where units are looked up;
        sentences and contexts are always compared as written
    context: number of words on either side that must be the same where labels are compared
    examples: number of inconsistent contexts, the most frequent first
    reading: how annotation is read: ``scheme``, ``policy``, ``layer``, ``rules``
    """
    if context < 0 or examples < 0:
        raise UsageError("context and examples are numbers from 0")
    table = gold if isinstance(gold, OutcomeTable) else _gold_units(gold, task, **reading)
    table = _without_systems(table)
    if not table.task.has:
        require_answers(table)
    profile = buckets(table, by, train=train, fold_case=fold_case, **reading)
    training = learnt_from(train, table, needed=True, fold_case=fold_case, **reading)
    return _description(table, profile, training, context=context, examples=examples)


def _gold_units(gold: Corpus, task: str | Task | None, **reading: Unpack[Reading]) -> OutcomeTable:
    if not isinstance(gold, Corpus):
        return align(gold, {})  # which says what it takes
    named = by_name(task) if isinstance(task, str) else task
    chosen = named or guess(gold, layer=reading.get("layer", LAYER))
    return align(gold, {}, task=chosen, **fitting(chosen, reading))


def _without_systems(table: OutcomeTable) -> OutcomeTable:
    """What stands in the gold annotation, alone."""
    annotated = table.task.annotated
    return table.only([]).where(table.is_gold if annotated is None else annotated(table))


def _description(
    table: OutcomeTable,
    profile: Buckets,
    training: TrainingData | None,
    *,
    context: int,
    examples: int,
) -> Description:
    # what is undefined without systems needs no reason
    notes = [note for note in profile.notes if not note.startswith(("Spearman n/a", "n/a in"))]
    if table.corpus.tokens is None:
        notes.append("no text: overlap and consistency of labels cannot be computed")
    return Description(
        table.task,
        table.labels,
        _gold_side(table),
        None if training is None else _training_side(training, table.n_labels),
        profile.attributes,
        training_overlap(table, training),
        inconsistent_labels(table, _labelled(training), width=context, examples=examples),
        signature(table, **_told(profile, training, context)),
        (*notes, *_suspicions(table, _labelled(training))),
    )


def _labelled(training: TrainingData | None) -> TrainingData | None:
    """The training data as far as they have labels."""
    return None if training is None or not training.labelled else training


def _told(profile: Buckets, training: TrainingData | None, context: int) -> dict[str, str]:
    """What the signature says of the choices."""
    told = {"by": ",".join(one.name for one in profile.attributes), "context": str(context)}
    if training is not None:
        told |= {"train": str(training.n_units), "case": "folded" if training.fold_case else "kept"}
    return told


def _gold_side(table: OutcomeTable) -> Side:
    gold = table.is_gold
    lengths = (table.end - table.begin)[gold]
    return _side(table.corpus, lengths, table.label[gold], table.n_labels)


def _training_side(training: TrainingData, n_labels: int) -> Side:
    spans = training.spans
    if spans is None:
        label = training.tokens.label
        return _side(training.corpus, np.ones(len(label), np.int64), label, n_labels + 1)
    return _side(training.corpus, spans.end - spans.begin, spans.label, n_labels + 1)


def _side(corpus: Corpus, lengths: NDArray[Any], label: NDArray[Any], n_labels: int) -> Side:
    return Side(
        corpus.n_documents,
        corpus.n_sentences,
        corpus.n_tokens,
        0 if corpus.tokens is None else len(corpus.tokens.coded().names),
        len(label),
        np.bincount(np.diff(corpus.offsets)),
        np.bincount(lengths) if len(lengths) else np.zeros(1, np.int64),
        np.bincount(label, minlength=n_labels),
    )


def _suspicions(table: OutcomeTable, training: TrainingData | None) -> list[str]:
    """What is likely a mistake."""
    if training is None:
        return []
    return [
        f"the gold label {name} is not in the training data"
        for code, name in enumerate(table.labels)
        if (table.label[table.is_gold] == code).any() and not _has(training, code)
    ]


def _has(training: TrainingData, code: int) -> bool:
    labels = training.tokens.label if training.spans is None else training.spans.label
    return bool((labels == code).any())
