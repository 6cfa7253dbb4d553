"""Scores of dependency trees, as in the CoNLL 2018 shared task: UAS, LAS, CLAS, MLAS, BLEX.

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

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.surface import first_words
from finegrain.corpus.trees import base
from finegrain.metrics.metric import Metric, Score, Statistics, ratio
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples
from finegrain.tasks.dependencies import CONTENT
from finegrain.tasks.word_features import CHILDREN, FEATS, LEMMA, SENTENCE, TOKEN, UPOS, XPOS

CORRECT, GOLD, SYSTEM, ALIGNED = range(4)
SIZE = 4
TASKS = ("dependencies",)
REFERENCE = "Zeman et al. (2018)"


def precision(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Share of the system's words (tokens, sentences) that are right.

    .. math:: P = \frac{\text{correct}}{\text{system}}

    Undefined (nan) if the system has none.

    >>> precision(np.array([3.0, 4, 5, 4]))           # correct, gold, system, aligned
    array(0.6)
    """
    return ratio(counts[..., CORRECT], counts[..., SYSTEM])


def recall(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Share of the gold words (tokens, sentences) that the system has right.

    .. math:: R = \frac{\text{correct}}{\text{gold}}

    Undefined (nan) if the gold has none.

    >>> recall(np.array([3.0, 4, 5, 4]))
    array(0.75)
    """
    return ratio(counts[..., CORRECT], counts[..., GOLD])


def f1(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Harmonic mean of precision and recall.

    .. math:: F_1 = \frac{2 \cdot \text{correct}}{\text{gold} + \text{system}}

    With the same words in both it is the share of words that are right. Undefined (nan) if neither
    gold nor system have any.

    >>> f1(np.array([3.0, 4, 6, 4]))
    array(0.6)
    """
    return ratio(2 * counts[..., CORRECT], counts[..., GOLD] + counts[..., SYSTEM])


def aligned_accuracy(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Share of the aligned gold words that are right: the score apart from tokenisation.

    .. math:: \frac{\text{correct}}{\text{aligned}}

    Undefined (nan) if no word is aligned.

    >>> aligned_accuracy(np.array([3.0, 5, 6, 4]))
    array(0.75)
    """
    return ratio(counts[..., CORRECT], counts[..., ALIGNED])


def whole_sentences(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Share of gold sentences in which every word is right.

    .. math:: \frac{|\{s : \text{every word of } s \text{ is right}\}|}{|\{s\}|}

    >>> whole_sentences(np.array([1.0, 4.0]))
    array(0.25)
    """
    return ratio(counts[..., 0], counts[..., 1])


class _Counted(NamedTuple):
    """What goes into the counts, per gold word (and system): whether, or how many.

    correct: ``[word, system]``; gold: ``[word]``; system: ``[word, system]`` words (tokens,
    sentences) of the system counted there; aligned: ``[word, system]``
    """

    correct: NDArray[Any]
    gold: NDArray[Any]
    system: NDArray[Any]
    aligned: NDArray[Any]


_Count = Callable[[OutcomeTable], _Counted]
_Right = Callable[[OutcomeTable], NDArray[np.bool_]]


def detail(table: OutcomeTable, name: str) -> NDArray[Any]:
    return table.details.get(name, np.zeros(table.outcome.shape, np.uint8))


def _aligned(table: OutcomeTable) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = table.outcome != table.inventory.code("NO_WORD")
    return found


def _words(correct: _Right, *layers: str) -> _Count:
    """Counts of all words; none at all if the gold has not the layers."""

    def count(table: OutcomeTable) -> _Counted:
        aligned = _aligned(table)
        more = detail(table, "more")
        if not _has(table, layers):
            return _nothing(table)
        return _Counted(correct(table), np.ones(len(table), bool), aligned + more, aligned)

    return count


def _has(table: OutcomeTable, layers: tuple[str, ...]) -> bool:
    """Whether the gold has some layers; tags serve as parts of speech."""
    known = {"upos" if name == "tags" else name for name in table.corpus.layers}
    return known.issuperset(layers)


def _nothing(table: OutcomeTable) -> _Counted:
    none = np.zeros(table.outcome.shape, bool)
    return _Counted(none, np.zeros(len(table), bool), none, none)


def _content(correct: _Right, *layers: str) -> _Count:
    """Counts of content words: of the gold by its relation, of the system by the system's."""

    def count(table: OutcomeTable) -> _Counted:
        if not _has(table, layers):
            return _nothing(table)
        is_content = np.array([base(name) in CONTENT for name in table.labels] or [False])
        gold = is_content[table.label]
        aligned = _aligned(table)
        answered = is_content[table.answer] & aligned
        return _Counted(
            correct(table) & gold[:, None],
            gold,
            answered + detail(table, "content"),
            aligned & gold[:, None],
        )

    return count


def _stretches(name: str, bit: int) -> _Count:
    """Counts of tokens or sentences, at the word they begin with."""

    def count(table: OutcomeTable) -> _Counted:
        first = np.zeros(table.corpus.n_tokens, bool)
        first[first_words(table.corpus) if name == "tokens" else table.corpus.offsets[:-1]] = True
        gold = first[table.corpus.offsets[table.sentence] + table.begin]
        same = _same(bit)(table)
        return _Counted(same, gold, detail(table, name), np.zeros_like(same))

    return count


def _same(bits: int) -> _Right:
    def same(table: OutcomeTable) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = (detail(table, "same") & bits) == bits
        return found

    return same


def _outcome(*names: str, bits: int = 0) -> _Right:
    def right(table: OutcomeTable) -> NDArray[np.bool_]:
        found = table.is_outcome(*names)
        return found & _same(bits)(table) if bits else found

    return right


def _statistics(count: _Count) -> Statistics:
    """``[sample, system, (correct, gold, system, aligned)]``."""

    def statistics(table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
        counted = count(table)
        sums = np.empty((samples.size, table.n_systems, SIZE))
        sums[..., GOLD] = summed(counted.gold, samples)[:, None]
        for place in (CORRECT, SYSTEM, ALIGNED):
            for system in range(table.n_systems):
                sums[:, system, place] = summed(counted[place][:, system], samples)
        return sums

    return statistics


def summed(values: NDArray[Any], samples: Samples) -> NDArray[np.float64]:
    """``[sample]`` sums over units."""
    if samples.size == 1:
        return np.array([values.sum()], np.float64)
    sums = np.bincount(samples.codes, weights=values, minlength=samples.size)
    return sums.astype(np.float64, copy=False)


def relation_counts(table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
    """``[sample, system, relation + 1, (correct, gold, system, aligned)]``.

    Words that only the system has count in the last place, whatever their relation.
    """
    labels, kinds = table.n_labels + 1, len(table.inventory)
    shape = (samples.size, labels, kinds)
    sums = np.zeros((samples.size, table.n_systems, labels, SIZE))
    place = samples.codes.astype(np.int64) * labels
    of_gold = (place + table.label) * kinds
    right, no_word = (table.inventory.code(one) for one in (table.inventory.correct, "NO_WORD"))
    for system in range(table.n_systems):
        outcome, answer = table.outcome[:, system], table.answer[:, system] + place
        found = np.bincount(of_gold + outcome, minlength=math.prod(shape)).reshape(shape)
        gold = found.sum(axis=-1)
        missing = found[..., no_word]
        given = answer[outcome != no_word] if missing.any() else answer
        sums[:, system, :, CORRECT] = found[..., right]
        sums[:, system, :, GOLD] = gold
        sums[:, system, :, SYSTEM] = np.bincount(given, minlength=gold.size).reshape(gold.shape)
        sums[:, system, :, ALIGNED] = gold - missing
        sums[:, system, -1, SYSTEM] = summed(detail(table, "more")[:, system], samples)
    return sums


def over_relations(score: Score) -> Score:
    """The score of the counts summed over relations."""

    def summed(counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return score(counts.sum(axis=-2))

    return summed


def by_relation(score: Score) -> Score:
    """The score of each relation."""

    def single(counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return score(counts[..., :-1, :])

    return single


def pooled(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same counts with all relations as one."""
    summed: NDArray[np.float64] = counts.sum(axis=-2, keepdims=True)
    return summed


def sentence_counts(*right: str) -> Statistics:
    """``[sample, system, (right, all)]`` sentences; right if every word has one of the outcomes."""

    def statistics(table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
        present, first = np.unique(table.sentence, return_index=True)
        sample = Samples(samples.codes[first], samples.size)
        counts = np.zeros((samples.size, table.n_systems, 2))
        wrong = ~table.is_outcome(*right)
        for system in range(table.n_systems):
            faulty = np.zeros(table.corpus.n_sentences, bool)
            faulty[table.sentence[wrong[:, system]]] = True
            counts[:, system, 0] = summed(~faulty[present], sample)
            counts[:, system, 1] = summed(np.ones(len(present)), sample)
        return counts

    return statistics


def family(name: str, what: str, statistics: Statistics, *, aligned: bool = True) -> list[Metric]:
    """F1 under the name of the family, precision, recall and, of words, aligned accuracy."""
    labelled = statistics is relation_counts
    scores: dict[str, tuple[Score, str]] = {
        "f1": (f1, "F1"),
        "precision": (precision, "precision"),
        "recall": (recall, "recall"),
    }
    if aligned:
        scores["aligned_accuracy"] = (aligned_accuracy, "accuracy on aligned words")
    return [
        Metric(
            name=name if short == "f1" else f"{name}_{short}",
            tasks=TASKS,
            statistics=statistics,
            score=over_relations(score) if labelled else score,
            summary=f"{said} of {what}",
            reference=REFERENCE,
            label_score=by_relation(score) if labelled else None,
            family=name,
            short=short,
            narrow=pooled if labelled else None,
        )
        for short, (score, said) in scores.items()
    ]


def _sentences(name: str, what: str, *right: str) -> Metric:
    return Metric(
        name, TASKS, sentence_counts(*right), whole_sentences,
        f"share of sentences in which every word has {what}", REFERENCE, short=name,
        whole_sentences=True,
    )  # fmt: skip


_ATTACHED, _LABELLED = ("CORRECT", "LABEL"), ("CORRECT", "HEAD")
_CONTENT = "content words with the right head and relation"
DEPENDENCY_METRICS: tuple[Metric, ...] = (
    *family("las", "words with the right head and relation", relation_counts),
    *family("uas", "words with the right head", _statistics(_words(_outcome(*_ATTACHED)))),
    *family("ls", "words with the right relation", _statistics(_words(_outcome(*_LABELLED)))),
    _sentences("sentence_las", "the right head and relation", "CORRECT"),
    _sentences("sentence_uas", "the right head", *_ATTACHED),
    _sentences("sentence_ls", "the right relation", *_LABELLED),
    *family("clas", _CONTENT, _statistics(_content(_outcome("CORRECT")))),
    *family(
        "mlas",
        f"{_CONTENT}, part of speech, features and functional children",
        _statistics(_content(_outcome("CORRECT", bits=UPOS | FEATS | CHILDREN), "upos", "feats")),
    ),
    *family(
        "blex",
        f"{_CONTENT}, and lemma",
        _statistics(_content(_outcome("CORRECT", bits=LEMMA), "lemma")),
    ),
    *family("upos", "words with the right UPOS", _statistics(_words(_same(UPOS), "upos"))),
    *family("xpos", "words with the right XPOS", _statistics(_words(_same(XPOS), "xpos"))),
    *family(
        "ufeats",
        "words with the right universal features",
        _statistics(_words(_same(FEATS), "feats")),
    ),
    *family(
        "alltags",
        "words with the right UPOS, XPOS and universal features",
        _statistics(_words(_same(UPOS | XPOS | FEATS), "upos", "xpos", "feats")),
    ),
    *family("lemmas", "words with the right lemma", _statistics(_words(_same(LEMMA), "lemma"))),
    *family("words", "words that are aligned", _statistics(_words(_aligned)), aligned=False),
    *family(
        "tokens",
        "tokens of the text with the same characters",
        _statistics(_stretches("tokens", TOKEN)),
        aligned=False,
    ),
    *family(
        "sentences",
        "sentences with the same characters",
        _statistics(_stretches("sentences", SENTENCE)),
        aligned=False,
    ),
)
