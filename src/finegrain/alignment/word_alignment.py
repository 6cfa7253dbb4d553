"""Which word of a system is which gold word, where both tokenise one text for themselves.

White space aside, both files must hold the same characters. Words are aligned as in the CoNLL 2018
shared task (Zeman et al. 2018): two words are the same if they cover the same characters; the words
of a multi-word token, which have no characters of their own, are aligned with the words of the
other file in the same stretch of text by the longest common subsequence of their forms, letter case
aside. All other words are aligned with none, and stay countable: each of them begins inside of some
gold word.

>>> from finegrain.corpus import Corpus
>>> gold = Corpus.of([["in", "New", "York", "now"]])
>>> system = Corpus.of([["in", "New", "Yo", "rk", "now"]])
>>> found = align_words(gold, system)
>>> found.to_system.tolist()                    # York has no word of the system
[0, 1, -1, 4]
>>> found.begins_in.tolist()                    # where the words of the system begin
[0, 1, 2, 2, 3]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.projection import texts_differ
from finegrain.corpus import Corpus, IntArray
from finegrain.corpus.characters import same_characters, token_characters
from finegrain.corpus.surface import first_words, in_multiword, surface

NONE = -1


class Alignment(NamedTuple):
    """How two tokenisations of one text lie on each other.

    to_system: ``[gold word]`` the same word of the system, -1 for none
    to_gold: ``[system word]`` the same gold word, -1 for none
    begins_in: ``[system word]`` the gold word in whose text it begins
    tokens, sentences: what is the same of the tokens and of the sentences
    same_words: both have the same words one by one
    unlike: if so, the words whose bytes from form to features differ; ``None`` if not compared
    """

    to_system: NDArray[np.int64]
    to_gold: NDArray[np.int64]
    begins_in: NDArray[np.int64]
    tokens: Stretches
    sentences: Stretches
    same_words: bool = False
    unlike: IntArray | None = None


class Stretches(NamedTuple):
    """Stretches of text, counted at the gold word they begin in.

    gold: ``[gold word]`` whether a stretch of the gold begins with it
    same: ``[gold word]`` whether the system has exactly that stretch, too
    system: ``[gold word]`` how many stretches of the system begin in it
    """

    gold: NDArray[np.bool_]
    same: NDArray[np.bool_]
    system: NDArray[np.unsignedinteger[Any]]


def align_words(gold: Corpus, system: Corpus) -> Alignment:
    """Align the words of a system with the gold words; the texts must be the same."""
    if gold.tokens is None or system.tokens is None:
        raise ValueError("a corpus without text has no words")
    if gold.n_tokens == system.n_tokens:
        unlike = _unlike(gold, system)
        ours, theirs = gold.tokens, system.tokens
        if unlike is not None:
            ours, theirs = ours.take(unlike), theirs.take(unlike)
        if ours.first_difference(theirs) is None:
            return _word_by_word(gold, system)._replace(unlike=unlike)
    one, two = _by_character(gold), _by_character(system)
    different = same_characters(one.text, two.text)
    if different is not None:
        raise texts_differ(one.text, two.text, different)
    pairs = _aligned(gold, system, one, two)
    at = np.searchsorted(one.bounds[:-1], two.begin, side="right") - 1
    return _alignment(one, two, pairs, begins_in=one.first_word[at.clip(0)])


def _unlike(gold: Corpus, system: Corpus) -> IntArray | None:
    """Words whose lines differ from form to features; ``None`` for words without such lines."""
    if gold.further is None or system.further is None:
        return None
    ours, theirs = (one.further.stretch("form", "feats") for one in (gold, system) if one.further)
    return np.flatnonzero(ours.differ(theirs))


def _word_by_word(gold: Corpus, system: Corpus) -> Alignment:
    """The alignment of two texts of the same words."""
    every = np.arange(gold.n_tokens)
    ours, theirs = first_words(gold), first_words(system)
    tokens = _same_stretches(gold.n_tokens, ours, theirs)
    sentences = _same_stretches(gold.n_tokens, gold.offsets[:-1], system.offsets[:-1])
    if tokens is None or sentences is None:
        one, two = _by_word(gold, ours), _by_word(system, theirs)
        found = _alignment(one, two, _Pairs(every, every), begins_in=every)
        return found._replace(same_words=True)
    return Alignment(every, every, every, tokens, sentences, same_words=True)


def _same_stretches(words: int, ours: IntArray, theirs: IntArray) -> Stretches | None:
    """Stretches that begin with the same words; ``None`` if they do not."""
    if not np.array_equal(ours, theirs):
        return None
    begins = np.zeros(words, bool)
    begins[ours] = True
    return Stretches(begins, begins, begins.view(np.uint8))


class _Text(NamedTuple):
    """Tokens and words of a file and where they lie, in words or in characters."""

    text: Corpus
    words: int
    first_word: IntArray  # [token]
    bounds: IntArray  # [token + 1] where tokens begin, and where the last ends
    sentence_tokens: IntArray  # [sentence + 1] their first tokens
    begin: IntArray  # [word] where its token begins
    end: IntArray  # [word] where its token ends


class _Pairs(NamedTuple):
    """Aligned words, ascending."""

    gold: IntArray
    system: IntArray


def _by_word(corpus: Corpus, first: IntArray) -> _Text:
    return _text(corpus, corpus, first, np.append(first, corpus.n_tokens))


def _by_character(corpus: Corpus) -> _Text:
    tokens = surface(corpus)
    return _text(corpus, tokens.corpus, tokens.first_word, token_characters(tokens.corpus))


def _text(corpus: Corpus, text: Corpus, first: IntArray, bounds: IntArray) -> _Text:
    words = np.diff(np.append(first, corpus.n_tokens))
    begin, end = np.repeat(bounds[:-1], words), np.repeat(bounds[1:], words)
    sentences = np.searchsorted(first, corpus.offsets)
    return _Text(text, corpus.n_tokens, first, bounds, sentences, begin, end)


def _alignment(one: _Text, two: _Text, pairs: _Pairs, *, begins_in: IntArray) -> Alignment:
    to_system = np.full(one.words, NONE, np.int64)
    to_gold = np.full(two.words, NONE, np.int64)
    to_system[pairs.gold], to_gold[pairs.system] = pairs.system, pairs.gold
    return Alignment(
        to_system,
        to_gold,
        np.asarray(begins_in, np.int64),
        _stretches(one, two, np.arange(len(one.bounds)), np.arange(len(two.bounds))),
        _stretches(one, two, one.sentence_tokens, two.sentence_tokens),
    )


def _stretches(one: _Text, two: _Text, ours: IntArray, theirs: IntArray) -> Stretches:
    """Stretches that begin with the given tokens, each of which ends where the next begins."""
    mine, other = one.bounds[ours], two.bounds[theirs]
    place = np.searchsorted(other[:-1], mine[:-1]).clip(0, len(other) - 2)
    same = (other[place] == mine[:-1]) & (other[place + 1] == mine[1:])
    words = one.first_word[ours[:-1]]
    gold, matched = np.zeros(one.words, bool), np.zeros(one.words, bool)
    gold[words] = True
    matched[words] = same
    token = (np.searchsorted(one.bounds[:-1], other[:-1], side="right") - 1).clip(0)
    system = np.bincount(one.first_word[token], minlength=one.words)
    return Stretches(gold, matched, system.astype(np.uint16))


def _aligned(gold: Corpus, system: Corpus, one: _Text, two: _Text) -> _Pairs:
    """Words with the same characters; what lies between them is walked through one by one."""
    plain_gold = np.flatnonzero(~in_multiword(gold))
    plain_system = np.flatnonzero(~in_multiword(system))
    key = one.begin[plain_gold] * (one.bounds[-1] + 1) + one.end[plain_gold]
    other = two.begin[plain_system] * (one.bounds[-1] + 1) + two.end[plain_system]
    _, mine, theirs = np.intersect1d(key, other, return_indices=True)
    found = _Pairs(plain_gold[mine], plain_system[theirs])
    walked = list(_between(gold, system, one, two, found))
    more = np.array(walked, np.int64).reshape(-1, 2)
    return _Pairs(
        np.sort(np.concatenate([found.gold, more[:, 0]])),
        np.sort(np.concatenate([found.system, more[:, 1]])),
    )


def _between(
    gold: Corpus, system: Corpus, one: _Text, two: _Text, found: _Pairs
) -> Iterator[tuple[int, int]]:
    """Pairs of words in stretches with multi-word tokens; the rest of a stretch is not aligned."""
    ours = np.concatenate([[-1], found.gold, [one.words]])
    theirs = np.concatenate([[-1], found.system, [two.words]])
    wide = np.flatnonzero((np.diff(ours) > 1) & (np.diff(theirs) > 1))
    joined_gold, joined_system = in_multiword(gold), in_multiword(system)
    for gap in wide.tolist():
        left = range(int(ours[gap]) + 1, int(ours[gap + 1]))
        right = range(int(theirs[gap]) + 1, int(theirs[gap + 1]))
        if (
            joined_gold[left.start : left.stop].any()
            or joined_system[right.start : right.stop].any()
        ):
            yield from _walk(
                _words(gold, one, joined_gold, left), _words(system, two, joined_system, right)
            )


class _Word(NamedTuple):
    number: int
    form: str
    begin: int
    end: int
    joined: bool  # part of a multi-word token


def _words(corpus: Corpus, text: _Text, joined: NDArray[np.bool_], rows: range) -> list[_Word]:
    if corpus.tokens is None:
        raise ValueError("a corpus without text has no words")
    part = slice(rows.start, rows.stop)
    return [
        _Word(row, corpus.tokens[row].lower(), int(begin), int(end), bool(inside))
        for row, begin, end, inside in zip(
            rows, text.begin[part], text.end[part], joined[part], strict=True
        )
    ]


def _walk(ours: list[_Word], theirs: list[_Word]) -> Iterator[tuple[int, int]]:
    """Go through two lists of words side by side, as the shared task's scorer does."""
    mine = other = 0
    while mine < len(ours) and other < len(theirs):
        one, two = ours[mine], theirs[other]
        if one.joined or two.joined:
            first = mine + (two.joined and not one.joined and one.begin < two.begin)
            second = other + (one.joined and not two.joined and two.begin < one.begin)
            end = one.end if one.joined else two.end
            mine, other = _stretch_end(ours, theirs, first, second, end)
            yield from _common(ours[first:mine], theirs[second:other])
        elif one.begin <= two.begin:  # never the same characters: those words are aligned already
            mine += 1
        else:
            other += 1


def _stretch_end(
    ours: list[_Word], theirs: list[_Word], mine: int, other: int, end: int
) -> tuple[int, int]:
    """Where a stretch ends that grows with every multi-word token that reaches into it."""
    while not (_beyond(ours, mine, end) and _beyond(theirs, other, end)):
        if mine < len(ours) and (other >= len(theirs) or ours[mine].begin <= theirs[other].begin):
            word = ours[mine]
            mine += 1
        else:
            word = theirs[other]
            other += 1
        if word.joined:
            end = max(end, word.end)
    return mine, other


def _beyond(words: list[_Word], place: int, end: int) -> bool:
    """Whether a word lies behind a stretch: a plain word that ends behind it does."""
    if place >= len(words):
        return True
    return words[place].begin >= end if words[place].joined else words[place].end > end


def _common(ours: list[_Word], theirs: list[_Word]) -> Iterator[tuple[int, int]]:
    """The longest common subsequence of forms."""
    lengths = [[0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    for one in reversed(range(len(ours))):
        for two in reversed(range(len(theirs))):
            equal = ours[one].form == theirs[two].form
            taken = 1 + lengths[one + 1][two + 1] if equal else 0
            lengths[one][two] = max(taken, lengths[one + 1][two], lengths[one][two + 1])
    one = two = 0
    while one < len(ours) and two < len(theirs):
        if ours[one].form == theirs[two].form:
            yield ours[one].number, theirs[two].number
            one, two = one + 1, two + 1
        elif lengths[one][two] == lengths[one + 1][two]:
            one += 1
        else:
            two += 1
