"""What scores of trees count, as in the CoNLL 2018 shared task: UAS, LAS, CLAS, MLAS, BLEX.

What is counted for each of them is how many words of the gold, of the system and of both (aligned)
there are, and on how many of those the system is right. Where both have the same words, precision,
recall and F1 are one number: the share of words that are right.

=========  =====================================================================================
tokens     tokens of the text with the same characters
sentences  sentences with the same characters
words      words that are aligned
upos, xpos, ufeats, lemmas   words with the same tag, universal features or lemma
alltags    words with the same UPOS, XPOS and universal features
uas        words with the right head
ls         words with the right relation
las        words with the right head and relation
clas       the same of content words only: those whose relation is a content relation
mlas       clas, with the same UPOS, features and functional children
blex       clas, with the same lemma
=========  =====================================================================================

>>> from finegrain.corpus import Corpus
>>> from finegrain.metrics.dependency_scores import DEPENDENCY_METRICS
>>> from finegrain.table.samples import whole
>>> from finegrain.tasks.dependencies import align
>>> text = [["she", "saw", "old", "dogs"]]
>>> gold = Corpus.of(text, head=[["2", "0", "4", "2"]], deprel=[["nsubj", "root", "amod", "obj"]])
>>> flat = Corpus.of(text, head=[["2", "0", "2", "2"]], deprel=[["nsubj", "root", "amod", "iobj"]])
>>> table = align(gold, {"flat": flat})
>>> {metric.name: float(metric.score(metric.statistics(table, whole(table)))[0, 0])
...  for metric in DEPENDENCY_METRICS if metric.name in ("words", "uas", "ls", "las")}
{'las': 0.5, 'uas': 0.75, 'ls': 0.75, 'words': 1.0}
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.dependencies import CONTENT, NO_WORD_CODE, begins
from finegrain.alignment.word_features import LAYERS
from finegrain.corpus.trees import base
from finegrain.metrics.label_statistics import Groups, LabelStatistics
from finegrain.metrics.metric import Statistics
from finegrain.table import OutcomeTable, tally
from finegrain.table.samples import Samples

CORRECT, GOLD, SYSTEM, ALIGNED = range(4)
SIZE = 4


class Counted(NamedTuple):
    """What goes into the counts, per gold word (and system): whether, or how many.

    correct: ``[word, system]``; gold: ``[word]``, or ``[word, system]`` where it is not counted for
    all; system: ``[word, system]`` words (tokens, sentences) of the system counted there; aligned:
    ``[word, system]``
    """

    correct: NDArray[Any]
    gold: NDArray[Any]
    system: NDArray[Any]
    aligned: NDArray[Any]


Count = Callable[[OutcomeTable], Counted]
_Right = Callable[[OutcomeTable], NDArray[np.bool_]]


def detail(table: OutcomeTable, name: str) -> NDArray[Any]:
    """``[word, system]``; 0 where the table lacks this detail."""
    return table.details.get(name, np.zeros(table.outcome.shape, np.uint8))


def aligned_words(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[word, system]`` whether the system has the word."""
    found: NDArray[np.bool_] = table.outcome != NO_WORD_CODE
    return found


def of_words(correct: _Right) -> Count:
    """Counts of all words."""

    def count(table: OutcomeTable) -> Counted:
        aligned = aligned_words(table)
        more = detail(table, "more")
        return Counted(correct(table), np.ones(len(table), bool), aligned + more, aligned)

    return count


def _with_layers(table: OutcomeTable, layers: tuple[str, ...]) -> list[int]:
    """The systems that have some layers, if the gold has them; tags serve as parts of speech."""
    known = {"upos" if name == "tags" else name for name in table.corpus.layers}
    if not known.issuperset(layers):
        return []
    lacks = table.details.get("lacks")
    bits = sum(LAYERS[name] for name in layers)
    return [
        system
        for system in range(table.n_systems)
        if lacks is None or not (lacks[:, system] & bits).any()
    ]


def of_content(correct: _Right) -> Count:
    """Counts of content words: of the gold by its relation, of the system by the system's."""

    def count(table: OutcomeTable) -> Counted:
        is_content = np.array([base(name) in CONTENT for name in table.labels] or [False])
        gold = is_content[table.label]
        aligned = aligned_words(table)
        answered = is_content[table.answer] & aligned
        return Counted(
            correct(table) & gold[:, None],
            gold,
            answered + detail(table, "content"),
            aligned & gold[:, None],
        )

    return count


def of_stretches(name: str, bit: int) -> Count:
    """Counts of tokens or sentences, at the word they begin with (or at one that stands for it)."""

    def count(table: OutcomeTable) -> Counted:
        none = np.zeros(table.outcome.shape, bool)
        if f"gold_{name}" in table.details:  # some words are left out
            gold = table.details[f"gold_{name}"].max(axis=1, initial=0)
            return Counted(table.details[f"same_{name}"], gold, detail(table, name), none)
        first = begins(table.corpus, name)[table.corpus.offsets[table.sentence] + table.begin]
        return Counted(same(bit)(table), first, detail(table, name), none)

    return count


def same(bits: int) -> _Right:
    """Whether the word has the same layers (as bits), by ``word_features``."""

    def right(table: OutcomeTable) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = (detail(table, "same") & bits) == bits
        return found

    return right


def outcome_is(*codes: int, bits: int = 0) -> _Right:
    """Whether the outcome of the word is one of these, and the layers are the same."""

    def right(table: OutcomeTable) -> NDArray[np.bool_]:
        found = np.isin(table.outcome, codes)
        return found & same(bits)(table) if bits else found

    return right


@dataclass(frozen=True, slots=True)
class Summing:
    """``[sample, system, (correct, gold, system, aligned)]``; 0 without the layers it is about."""

    count: Count
    layers: tuple[str, ...] = ()

    def __call__(self, table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
        sums = np.zeros((samples.size, table.n_systems, SIZE))
        systems = _with_layers(table, self.layers)
        if not systems:
            return sums
        for place, values in enumerate(self.count(table)):
            if values.ndim == 1:
                sums[:, systems, place] = summed(values, samples)[:, None]
                continue
            for system in systems:
                sums[:, system, place] = summed(values[:, system], samples)
        return sums

    def blank(self, table: OutcomeTable) -> NDArray[np.bool_]:
        """``[system]`` whether it, or the gold, has nothing in a layer that this is about.

        The counts are those of the official scorer all the same, to which nothing is an answer.
        """
        bits = sum(LAYERS[name] for name in self.layers)
        return np.asarray((detail(table, "blank") & bits).any(axis=0))

    def lowered_by(self, table: OutcomeTable) -> NDArray[np.bool_]:
        """``[word, system]`` whether gold or system have something there that is not right.

        These words keep F1 from 100, those where the gold has it recall, where the system has it
        precision.
        """
        correct, gold, system, _ = self.count(table)
        of_gold = gold if gold.ndim == 2 else gold[:, None]
        found: NDArray[np.bool_] = (of_gold > correct) | (system > correct)
        return found


def summed(values: NDArray[Any], samples: Samples) -> NDArray[np.float64]:
    """``[sample]`` sums over units."""
    if samples.size == 1:
        return np.array([values.sum()], np.float64)
    sums = np.bincount(samples.codes, weights=values, minlength=samples.size)
    return sums.astype(np.float64, copy=False)


def _relations(table: OutcomeTable, system: int) -> Groups:
    """Of the gold, of the system, and the one in whose place further words are counted."""
    last = np.full(len(table), table.n_labels - 1)
    return [table.label, np.where(_has_word(table, system), table.answer[:, system], last), last]


def _has_word(table: OutcomeTable, system: int) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = table.outcome[:, system] != NO_WORD_CODE
    return found


def _relation_count(
    table: OutcomeTable, system: int, groups: Groups, size: int
) -> NDArray[np.float64]:
    of_gold, of_answer, of_last = groups
    kinds = len(table.outcomes)
    found = tally(table.outcome[:, [system]], of_gold, groups=size, outcomes=kinds)[:, 0]
    gold, missing = found.sum(axis=-1), found[:, NO_WORD_CODE]
    given = of_answer[_has_word(table, system)] if missing.any() else of_answer
    answered = np.bincount(given, minlength=size)
    more = np.bincount(of_last, detail(table, "more")[:, system], size)
    right = found[:, table.outcomes.correct_code]
    return np.stack([right, gold, answered, gold - missing, more], axis=-1).astype(float)


relation_counts = LabelStatistics(_relations, _relation_count, (SIZE + 1,), by_outcome=False)
"""``[sample, system, relation, (correct, gold, system, aligned, more)]``.

``more`` are words that only the system has. They count for no relation, so they stand in the place
of the last one, whichever that is: only sums over all relations have a use for them.
"""


def all_words(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """``relation_counts`` -> ``[..., (correct, gold, system, aligned)]`` with further words.

    >>> all_words(np.array([3.0, 5, 4, 4, 2])).tolist()
    [3.0, 5.0, 6.0, 4.0]
    """
    found = counts[..., :SIZE].copy()
    found[..., SYSTEM] += counts[..., SIZE]
    return found


def sentence_counts(*right: int) -> Statistics:
    """``[sample, system, (right, all)]`` sentences; right if every word has one of the outcomes."""

    def statistics(table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
        present, first = np.unique(table.sentence, return_index=True)
        sample = Samples(samples.codes[first], samples.size)
        counts = np.zeros((samples.size, table.n_systems, 2))
        wrong = ~np.isin(table.outcome, right)
        for system in range(table.n_systems):
            faulty = np.zeros(table.corpus.n_sentences, bool)
            faulty[table.sentence[wrong[:, system]]] = True
            counts[:, system, 0] = summed(~faulty[present], sample)
            counts[:, system, 1] = summed(np.ones(len(present)), sample)
        return counts

    return statistics
