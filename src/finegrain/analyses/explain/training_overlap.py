"""How much of a data set its training data show: sentences, words, and the surfaces of units.

>>> from finegrain.attributes.training import prepare
>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.spans import align
>>> gold = Corpus.of([["Ada", "ran"], ["Ada", "ran"], ["Bob", "sat"]],
...                  tags=[["B-PER", "O"], ["B-PER", "O"], ["B-PER", "O"]])
>>> train = Corpus.of([["Ada", "ran"], ["ada", "sat"]], tags=[["B-PER", "O"], ["B-PER", "O"]])
>>> table = align(gold, {})
>>> found = training_overlap(table, prepare(train, table))
>>> found.in_training, found.repeated                 # Ada ran, twice; its second time
(2, 1)
>>> found.units.tolist(), found.surfaces.tolist()     # seen, with other labels only, unseen
([2, 0, 1], [1, 0, 1])
>>> found.unknown_tokens, found.unknown_words         # Bob
(1, 1)

Sentences are compared as they are written; words and surfaces as the training data were prepared,
case folded by default. Short sentences are often the same by chance, so those of five tokens and
more are counted apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.explain.shared_sentences import shared_sentences
from finegrain.attributes.learnt import CLASSES, novelty_classes
from finegrain.attributes.surfaces import unit_words
from finegrain.attributes.training import TrainingData
from finegrain.corpus import Corpus, IntArray
from finegrain.corpus.phrases import Trie, Vocabulary
from finegrain.table import OutcomeTable

LONG = 5  # tokens of a sentence that is hardly the same by chance
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class TrainingOverlap:
    """Counts of gold sentences, tokens, words and units.

    ``in_training``: sentences that stand in the training data too; ``repeated``: those that stand
    in the gold text before; ``long_*``: the same of sentences of ``LONG`` tokens or more.
    ``units`` and ``surfaces`` (different words with a label) are counts by class of novelty.
    Without training data all that needs them is 0. ``labelled``: whether training data say which
    labels words have; without labels, units are seen or unseen.
    """

    long: int
    in_training: int
    long_in_training: int
    repeated: int
    long_repeated: int
    tokens: int
    unknown_tokens: int
    words: int
    unknown_words: int
    units: Counts
    surfaces: Counts
    labelled: bool


def training_overlap(table: OutcomeTable, training: TrainingData | None) -> TrainingOverlap | None:
    """What of the gold text and units training shows; ``None`` for a corpus without text."""
    gold = table.corpus
    if gold.tokens is None:
        return None
    long = np.diff(gold.offsets) >= LONG
    seen, again, *_ = shared_sentences(gold, None if training is None else training.corpus)
    unknown, words = _unknown(gold, training)
    units, surfaces = _novelty(table, training)
    return TrainingOverlap(
        int(long.sum()),
        int(seen.sum()),
        int((seen & long).sum()),
        int(again.sum()),
        int((again & long).sum()),
        gold.n_tokens,
        int(unknown.sum()),
        len(np.unique(words)),
        len(np.unique(words[unknown])),
        units,
        surfaces,
        training is None or training.labelled,
    )


def _unknown(gold: Corpus, training: TrainingData | None) -> tuple[NDArray[np.bool_], IntArray]:
    """``[token]`` whether training lacks it, and its number."""
    if training is not None:
        return training.unknown, training.words.gold
    codes = np.zeros(0, np.int64)
    if gold.tokens is not None:
        codes = Vocabulary(fold_case=True).codes(gold.tokens).astype(np.int64)
    return np.zeros(len(codes), bool), codes


def _novelty(table: OutcomeTable, training: TrainingData | None) -> tuple[Counts, Counts]:
    """Gold units, and different surfaces with a label, by class of novelty."""
    size = len(CLASSES)
    words = None if training is None else unit_words(table, fold_case=training.fold_case)
    if training is None or words is None:
        return np.zeros(size, np.int64), np.zeros(size, np.int64)
    classes = novelty_classes(training.counts(table))[table.is_gold]
    surface = Trie.of(words.units).find(words.units)[table.is_gold]
    pairs = surface * table.n_labels + table.label[table.is_gold]
    _, first = np.unique(pairs, return_index=True)
    return np.bincount(classes, minlength=size), np.bincount(classes[first], minlength=size)
