"""Phrases as numbers: equal sequences of words have equal codes, whatever corpus they stand in.

Words of all corpora share one vocabulary; the phrases of one corpus are the leaves of a trie whose
edges are one sorted array. Looking phrases up, or finding the longest one at every token, goes
word by word over all of them at once. A hash guesses where an edge is, and every guess is checked.

>>> from finegrain.corpus import Corpus, Spans
>>> train = Corpus.of([["in", "New", "York", "City"], ["New", "York"]])
>>> vocabulary = Vocabulary()
>>> words = vocabulary.codes(train.tokens)
>>> entities = Spans.of([(0, 1, 4, "LOC"), (1, 0, 2, "LOC")])
>>> known = phrases(entities, train, words, vocabulary=vocabulary)
>>> trie = Trie.of(known)
>>> trie.find(known).tolist()                     # "New York" is on the way to "New York City"
[3, 2]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.document import Corpus
from finegrain.corpus.spans import Spans
from finegrain.corpus.texts import IntArray, Texts
from finegrain.errors import InputError

_WORD_BITS = 32  # an edge is (state, word) in one 64-bit integer
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # spreads edges (Fibonacci hashing)


class Vocabulary:
    """Numbers for words, which grow with every text that is coded.

    With ``fold_case``, words that differ in upper and lower case only are one word (Unicode case
    folding, so that STRASSE is Straße).

    >>> folded = Vocabulary(fold_case=True)
    >>> folded.codes(Texts.of(["The", "the", "cat"])).tolist()
    [0, 0, 1]
    >>> folded.codes(Texts.of(["THE"])).tolist()
    [0]
    """

    def __init__(self, *, fold_case: bool = False) -> None:
        self._fold_case = fold_case
        self._number: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._number)

    @property
    def words(self) -> tuple[str, ...]:
        """The words by their numbers; folded, where case is folded."""
        return tuple(self._number)

    def code(self, word: str) -> int:
        """The number of a word, a new one if it is new."""
        known = word.casefold() if self._fold_case else word
        return self._number.setdefault(known, len(self._number))

    def codes(self, texts: Texts) -> IntArray:
        """``[token]`` the number of each word; only distinct words are looked at."""
        coded = texts.coded()
        number = np.array([self.code(name) for name in coded.names] or [0], np.int32)
        return number[coded.codes]


class SharedWords(NamedTuple):
    """Words of training and gold as numbers of one vocabulary; all of training are < ``known``."""

    train: IntArray
    gold: IntArray
    known: int
    vocabulary: Vocabulary


def shared_words(train: Corpus, gold: Corpus, *, fold_case: bool) -> SharedWords:
    """The words of two corpora in one vocabulary."""
    vocabulary = Vocabulary(fold_case=fold_case)
    learnt = vocabulary.codes(_text(train))
    known = len(vocabulary)
    return SharedWords(learnt, vocabulary.codes(_text(gold)), known, vocabulary)


def _text(corpus: Corpus) -> Texts:
    if corpus.tokens is None:
        raise InputError.at(
            corpus.source, 0, "has annotation only, but the words are needed",
            "Use a format with text for the gold and the training file.",
        )  # fmt: skip
    return corpus.tokens


class Phrases(NamedTuple):
    """Sequences of words: the i-th is ``words[starts[i] : starts[i] + lengths[i]]``."""

    words: IntArray
    starts: IntArray
    lengths: IntArray


def phrases(spans: Spans, corpus: Corpus, words: IntArray, *, vocabulary: Vocabulary) -> Phrases:
    """The words of spans; of a span that does not fit its tokens, only what it covers.

    ``words``: ``[token]`` the words of the corpus as numbers of ``vocabulary``
    """
    if corpus.tokens is None:
        raise ValueError("a corpus without text has no phrases")
    tokens, starts, lengths = span_tokens(spans, corpus.offsets)
    flat = words[tokens]
    begin_cut, end_cut = spans.cuts()
    for row in np.flatnonzero((begin_cut > 0) | (end_cut > 0)).tolist():
        first, last = int(starts[row]), int(starts[row] + lengths[row]) - 1
        cut, short = int(begin_cut[row]), int(end_cut[row])
        one = corpus.tokens[int(tokens[first])]
        if first == last:
            flat[first] = vocabulary.code(one[cut : len(one) - short])
            continue
        two = corpus.tokens[int(tokens[last])]
        flat[first] = vocabulary.code(one[cut:])
        flat[last] = vocabulary.code(two[: len(two) - short])
    return Phrases(flat, starts, lengths)


class SpanTokens(NamedTuple):
    """The tokens of all spans in one array, where each span begins in it, and its length."""

    tokens: IntArray
    starts: IntArray
    lengths: IntArray


def span_tokens(spans: Spans, offsets: IntArray) -> SpanTokens:
    """The places of all tokens of spans, in the text that ``offsets`` part into sentences."""
    listed = ((), *spans.token_sets)
    sizes = np.array([len(tokens) for tokens in listed])
    in_sets = np.array([token for tokens in listed for token in tokens] or [0], np.int64)
    set_start = np.cumsum(sizes) - sizes
    gaps = spans.token_set > 0
    lengths = np.where(gaps, sizes[spans.token_set], spans.end - spans.begin).astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    place = np.arange(int(lengths.sum())) - np.repeat(starts, lengths)
    tokens = np.repeat(offsets[spans.sentence] + spans.begin, lengths) + place
    if gaps.any():
        row = np.repeat(np.arange(len(spans)), lengths)
        inside = np.flatnonzero(gaps[row])
        row = row[inside]
        at = set_start[spans.token_set[row]] + place[inside]
        tokens[inside] = offsets[spans.sentence[row]] + in_sets[at]
    return SpanTokens(tokens, starts, lengths)


class Match(NamedTuple):
    """``[token]`` the length of the longest phrase that begins there (0 for none) and its state."""

    length: IntArray
    state: IntArray


class Trie:
    """Phrases word by word: from state s, word w leads to 1 + the place of edge (s, w).

    State 0 is the beginning and stands for "no such phrase" in answers. States are numbered level
    by level, so the edges of all levels make one sorted array.
    """

    __slots__ = ("_edges", "_guesses", "_shift")

    def __init__(self, edges: NDArray[np.int64]) -> None:
        self._edges = edges
        bits = max(10, (16 * len(edges)).bit_length())  # one place in 16 or fewer is taken
        self._shift = np.uint64(64 - bits)
        self._guesses = np.zeros(1 << bits, np.int32)  # 1 + the place of an edge; 0: surely none
        self._guesses[self._slots(edges)] = np.arange(1, len(edges) + 1)

    def _slots(self, edges: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where edges stand in ``_guesses``; others may stand there, too."""
        return ((edges.view(np.uint64) * _MULTIPLIER) >> self._shift).view(np.int64)

    @classmethod
    def of(cls, known: Phrases) -> Trie:
        """The trie of the given phrases."""
        levels: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
        size = 0
        rows = np.flatnonzero(known.lengths > 0)
        states = np.zeros(len(rows), np.int64)
        depth = 0
        while len(rows):
            edges = _edge(states, known.words[known.starts[rows] + depth])
            new, place = np.unique(edges, return_inverse=True)
            levels.append(new)
            states = place + size + 1
            size += len(new)
            depth += 1
            longer = known.lengths[rows] > depth
            rows, states = rows[longer], states[longer]
        return cls(np.concatenate(levels))

    def __len__(self) -> int:
        """The number of states, the beginning included."""
        return len(self._edges) + 1

    def _step(self, states: IntArray, words: IntArray) -> NDArray[np.int64]:
        """Where words lead from states; 0 where they lead nowhere."""
        if not len(self._edges):
            return np.zeros(len(states), np.int64)
        wanted = _edge(states, words)
        found = self._guesses[self._slots(wanted)].astype(np.int64)
        rows = np.flatnonzero(found)
        rows = rows[self._edges[found[rows] - 1] != wanted[rows]]  # a wrong guess: search
        wanted = wanted[rows]
        place = np.minimum(np.searchsorted(self._edges, wanted), len(self._edges) - 1)
        found[rows] = np.where(self._edges[place] == wanted, place + 1, 0)
        return found

    def find(self, wanted: Phrases) -> NDArray[np.int64]:
        """``[phrase]`` the state where each phrase ends; 0 if nothing begins like it."""
        found = np.zeros(len(wanted.starts), np.int64)
        rows = np.flatnonzero(wanted.lengths > 0)
        states = np.zeros(len(rows), np.int64)
        depth = 0
        while len(rows):
            states = self._step(states, wanted.words[wanted.starts[rows] + depth])
            depth += 1
            ends = wanted.lengths[rows] == depth
            found[rows[ends]] = states[ends]
            on = ~ends & (states > 0)
            rows, states = rows[on], states[on]
        return found

    def occurrences(self, words: IntArray, offsets: IntArray) -> NDArray[np.int64]:
        """``[state]`` how often a text has the words that lead there, within its sentences.

        Occurrences may overlap: "a a a" has "a a" twice.
        """
        counts = np.zeros(len(self), np.int64)
        known = self._edges[: np.searchsorted(self._edges, 1 << _WORD_BITS)]  # first words
        size = int(max(words.max(initial=0), known.max(initial=0))) + 1
        counts[1 : len(known) + 1] = np.bincount(words, minlength=size)[known]
        state = np.zeros(size, np.int64)  # where a word leads from the beginning
        state[known] = np.arange(1, len(known) + 1)
        longer = np.zeros(len(self), bool)
        longer[self._edges >> _WORD_BITS] = True
        longer[0] = False
        rows = np.flatnonzero(longer[state][words])
        states = state[words[rows]]
        ends = np.repeat(offsets[1:], np.diff(offsets))[rows]
        depth = 1
        while len(rows):
            on = longer[states] & (ends > rows + depth)
            rows, states, ends = rows[on], states[on], ends[on]
            states = self._step(states, words[rows + depth])
            on = states > 0
            rows, states, ends = rows[on], states[on], ends[on]
            counts += np.bincount(states, minlength=len(self))
            depth += 1
        return counts

    def longest(self, words: IntArray, offsets: IntArray, final: NDArray[np.bool_]) -> Match:
        """The longest phrase at every token, within its sentence.

        ``final``: ``[state]`` true where a phrase ends
        """
        lengths = np.diff(offsets)
        room = np.repeat(offsets[1:], lengths) - np.arange(len(words))  # tokens left to its end
        match = Match(np.zeros(len(words), np.int64), np.zeros(len(words), np.int64))
        rows = np.arange(len(words))
        states = np.zeros(len(words), np.int64)
        depth = 0
        while len(rows):
            states = self._step(states, words[rows + depth])
            depth += 1
            ends = final[states] & (states > 0)
            match.length[rows[ends]] = depth
            match.state[rows[ends]] = states[ends]
            on = (states > 0) & (room[rows] > depth)
            rows, states = rows[on], states[on]
        return match


def _edge(states: IntArray, words: IntArray) -> NDArray[np.int64]:
    return (states.astype(np.int64) << _WORD_BITS) | words
