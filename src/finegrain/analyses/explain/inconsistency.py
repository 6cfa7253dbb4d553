"""The same words in the same context with different labels: who can learn what was not decided?

The context is a number of words on either side; the beginning and the end of a sentence count as
words. Words are compared as they are written.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.spans import align
>>> text = [["in", "Rome", "today"], ["in", "Rome", "today"], ["in", "Rome", "today"], ["Rome"]]
>>> tags = [["O", "B-LOC", "O"], ["O", "B-ORG", "O"], ["O", "O", "O"], ["B-LOC"]]
>>> found = inconsistent_labels(align(Corpus.of(text, tags=tags), {}), None)
>>> found.contexts, found.recurring, found.inconsistent
(2, 1, 1)
>>> [(one.label, one.gold) for one in found.examples[0].labels]       # (none): not annotated
[('LOC', 1), ('ORG', 1), ('(none)', 1)]

Limits: spans with gaps are passed over. A difference may be right: one word of context does not
decide every label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.attributes.training import TrainingData
from finegrain.corpus import Corpus, IntArray
from finegrain.corpus.phrases import Phrases, Trie, Vocabulary
from finegrain.table import OutcomeTable
from finegrain.table.unit_spans import unit_spans

NONE, ELSEWHERE = "(none)", "(label not in gold)"
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LabelCount:
    """How often a context has a label; ``sentence`` and ``line`` of its first place in the gold
    text, from 1; 0 where it has none, and where there is no file."""

    label: str
    gold: int
    train: int
    sentence: int
    line: int


@dataclass(frozen=True, slots=True)
class Context:
    """Words, the words before and behind them, and the labels they have there."""

    before: str
    words: str
    behind: str
    labels: tuple[LabelCount, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Inconsistencies:
    """How many contexts of units there are in the gold text, and how many contradict each other.

    ``recurring`` contexts occur twice or more, gold and training together; ``inconsistent`` ones
    have different labels, ``within_gold`` already in the gold text. ``units``: occurrences in the
    gold text of contexts that are inconsistent.
    """

    width: int
    contexts: int
    recurring: int
    inconsistent: int
    within_gold: int
    units: int
    examples: tuple[Context, ...]


class _Places(NamedTuple):
    """Annotated stretches of a corpus, without gaps: sentence, first token, end, code of label."""

    corpus: Corpus
    sentence: IntArray
    begin: IntArray
    end: IntArray
    label: IntArray


class _Text(NamedTuple):
    """A corpus with ``width`` boundaries around every sentence, and its annotated places.

    ``starts``: where the context of a place begins in ``words``; ``lengths``: of place and context.
    Every place is there once, with one label.
    """

    words: IntArray
    offsets: IntArray
    starts: IntArray
    lengths: IntArray
    label: IntArray

    def phrases(self) -> Phrases:
        return Phrases(self.words, self.starts, self.lengths)


class _Counted(NamedTuple):
    """``pairs``: state of a context times the number of labels, plus the label; ``counts``
    ``[pair, gold or training]``."""

    pairs: Counts
    counts: Counts


def inconsistent_labels(
    table: OutcomeTable, training: TrainingData | None, *, width: int = 1, examples: int = 10
) -> Inconsistencies | None:
    """Compare the labels of equal contexts; ``None`` for a corpus without text.

    Parameters
    ----------
    width: number of words on either side that are the context
    examples: number of contexts, the most frequent first
    """
    if table.corpus.tokens is None:
        return None
    names = [NONE, ELSEWHERE, *table.labels]
    vocabulary = Vocabulary()
    texts = _texts(_annotated(table, training), vocabulary, names, width)
    trie = Trie.of(_joined(texts))
    counted = _counted(texts, trie, len(names))
    state = counted.pairs // len(names)
    kinds = np.bincount(state, minlength=len(trie))
    in_gold = np.bincount(state[counted.counts[:, 0] > 0], minlength=len(trie))
    often = np.bincount(state, counted.counts.sum(axis=1), len(trie)).astype(np.int64)
    wrong = np.flatnonzero(kinds > 1)
    finder = _Finder(table.corpus, texts, trie, (*vocabulary.words, ""), width)
    found = [finder.context(one, counted, names) for one in _most(wrong, often, examples)]
    found.sort(key=lambda one: (-sum(each.gold + each.train for each in one.labels), one.words))
    return Inconsistencies(
        width,
        int((kinds > 0).sum()),
        int((often > 1).sum()),
        len(wrong),
        int((in_gold > 1).sum()),
        int(counted.counts[kinds[state] > 1, 0].sum()),
        tuple(found[:examples]),
    )


def _most(states: Counts, often: Counts, examples: int) -> list[int]:
    """The most frequent contexts, with those that are as frequent as the last of them."""
    if not examples or not len(states):
        return []
    least = np.sort(often[states])[-min(examples, len(states))]
    kept = states[often[states] >= least]
    order = np.argsort(-often[kept], kind="stable")[: 20 * examples]
    return [int(state) for state in kept[order]]


def _annotated(table: OutcomeTable, training: TrainingData | None) -> list[_Places]:
    """What is annotated in gold and, if there are any, in training data."""
    spans = unit_spans(table).take(np.flatnonzero(table.is_gold & (table.token_set == 0)))
    found = [_Places(table.corpus, spans.sentence, spans.begin, spans.end, spans.label + 2)]
    if training is None:
        return found
    corpus = training.corpus
    if training.spans is None:
        sentence = corpus.sentence_of_tokens()
        begin = np.arange(corpus.n_tokens) - corpus.offsets[sentence]
        places = _Places(corpus, sentence, begin, begin + 1, training.tokens.label)
    else:
        spans = training.spans.take(np.flatnonzero(training.spans.token_set == 0))
        places = _Places(corpus, spans.sentence, spans.begin, spans.end, spans.label)
    elsewhere = places.label >= table.n_labels
    return [*found, places._replace(label=np.where(elsewhere, 1, places.label + 2))]


def _texts(
    annotated: list[_Places], vocabulary: Vocabulary, names: list[str], width: int
) -> list[_Text]:
    """The corpora in one vocabulary; ``names`` grows by combinations of labels."""
    words = [_coded(places.corpus, vocabulary) for places in annotated]
    texts = []
    for places, coded in zip(annotated, words, strict=True):
        corpus = places.corpus
        around = 2 * width * np.arange(corpus.n_sentences + 1)
        offsets = corpus.offsets + around
        padded = np.full(int(offsets[-1]), len(vocabulary), np.int64)
        padded[np.arange(len(coded)) + around[corpus.sentence_of_tokens()] + width] = coded
        starts = (offsets[places.sentence] + places.begin).astype(np.int64)
        lengths = (places.end - places.begin + 2 * width).astype(np.int64)
        label = places.label.astype(np.int64)
        texts.append(_Text(padded, offsets, *_one_label_each(starts, lengths, label, names)))
    return texts


def _coded(corpus: Corpus, vocabulary: Vocabulary) -> IntArray:
    return np.zeros(0, np.int32) if corpus.tokens is None else vocabulary.codes(corpus.tokens)


def _one_label_each(
    starts: Counts, lengths: Counts, label: Counts, names: list[str]
) -> tuple[Counts, Counts, Counts]:
    """Every place once; one that has several labels has their combination."""
    order = np.lexsort((label, lengths, starts))
    starts, lengths, label = starts[order], lengths[order], label[order]
    new = np.ones(len(starts), bool)
    new[1:] = (np.diff(starts) != 0) | (np.diff(lengths) != 0)
    first = np.flatnonzero(new)
    kept = label[first]
    sizes = np.diff(np.append(first, len(starts)))
    for place in np.flatnonzero(sizes > 1).tolist():
        codes = dict.fromkeys(label[first[place] : first[place] + sizes[place]].tolist())
        name = "+".join(names[code] for code in codes)
        if name not in names:
            names.append(name)
        kept[place] = names.index(name)
    return starts[first], lengths[first], kept


def _joined(texts: Sequence[_Text]) -> Phrases:
    """The contexts of all texts."""
    shift = np.cumsum([0, *(len(text.words) for text in texts)])
    moved = [text.starts + by for text, by in zip(texts, shift[:-1], strict=True)]
    return Phrases(
        np.concatenate([text.words for text in texts]),
        np.concatenate(moved),
        np.concatenate([text.lengths for text in texts]),
    )


def _counted(texts: Sequence[_Text], trie: Trie, n_names: int) -> _Counted:
    """How often each context that the gold text has, has each label."""
    ends = np.zeros(len(trie), bool)
    for text in texts:
        ends[trie.find(text.phrases())] = True
    ends[0] = False
    pairs, counts = [], []
    for side, text in enumerate(texts):
        occurrences = trie.occurrences(text.words, text.offsets)
        if side == 0:
            ends &= occurrences > 0
        state = trie.find(text.phrases())
        kept = ends[state]
        keys, sizes = np.unique(state[kept] * n_names + text.label[kept], return_counts=True)
        bare = np.where(ends, occurrences - np.bincount(state, minlength=len(trie)), 0)
        without = np.flatnonzero(bare > 0)
        pairs += [keys, without * n_names]
        for amount in (sizes, bare[without]):
            column = np.zeros((len(amount), 2), np.int64)
            column[:, side] = amount
            counts.append(column)
    distinct, place = np.unique(np.concatenate(pairs), return_inverse=True)
    sums = np.zeros((len(distinct), 2), np.int64)
    np.add.at(sums, place, np.concatenate(counts))
    return _Counted(distinct, sums)


class _Finder:
    """Contexts for people: their words, and where they stand."""

    def __init__(
        self,
        corpus: Corpus,
        texts: Sequence[_Text],
        trie: Trie,
        words: tuple[str, ...],
        width: int,
    ) -> None:
        self._corpus, self._texts, self._words, self._width = corpus, texts, words, width
        self._states = [trie.find(text.phrases()) for text in texts]

    def context(self, state: int, counted: _Counted, names: list[str]) -> Context:
        """A context by its state."""
        codes = self._codes(state)
        inner = slice(self._width, len(codes) - self._width)
        first = self._first_places(state, codes)
        low, high = np.searchsorted(counted.pairs, [state * len(names), (state + 1) * len(names)])
        labels = [
            LabelCount(names[label], int(gold), int(train), *first.get(label, (0, 0)))
            for label, (gold, train) in zip(
                (counted.pairs[low:high] % len(names)).tolist(),
                counted.counts[low:high],
                strict=True,
            )
        ]
        labels.sort(key=lambda one: (-one.gold - one.train, one.label == NONE, one.label))
        return Context(
            self._text(codes[: inner.start]),
            self._text(codes[inner]),
            self._text(codes[inner.stop :]),
            tuple(labels),
        )

    def _text(self, codes: IntArray) -> str:
        return " ".join(filter(None, (self._words[code] for code in codes.tolist())))

    def _codes(self, state: int) -> IntArray:
        """The words that lead to a state."""
        side = next(side for side, states in enumerate(self._states) if (states == state).any())
        text, row = self._texts[side], int((self._states[side] == state).argmax())
        start = int(text.starts[row])
        return text.words[start : start + int(text.lengths[row])]

    def _first_places(self, state: int, codes: IntArray) -> dict[int, tuple[int, int]]:
        """Sentence and line, from 1, of the first place in the gold text, by label."""
        gold = self._texts[0]
        rows = np.flatnonzero(self._states[0] == state)
        label_at = dict(zip(gold.starts[rows].tolist(), gold.label[rows].tolist(), strict=True))
        starts = np.flatnonzero(gold.words[: len(gold.words) - len(codes) + 1] == codes[0])
        for depth, code in enumerate(codes.tolist()):
            starts = starts[gold.words[starts + depth] == code]
        found: dict[int, tuple[int, int]] = {}
        for start in starts.tolist():
            sentence = int(np.searchsorted(gold.offsets, start, side="right")) - 1
            if start + len(codes) > gold.offsets[sentence + 1]:
                continue
            label = label_at.get(start, 0)
            if label not in found:
                token = start - 2 * self._width * sentence
                found[label] = sentence + 1, self._corpus.line(token)
        return found
