"""Answers as texts: normalised as in SQuAD, and compared with references word by word.

>>> normalised("The Denver Broncos!"), normalised("An  A")
('denver broncos', '')
>>> found = compared(["in Denver", "Denver"], ["Denver"], np.array([0, 1]), np.array([0, 0]))
>>> found.exact.tolist(), found.f1.round(3).tolist(), [KINDS[kind] for kind in found.kind]
([False, True], [0.667, 1.0], ['long', 'exact'])

Every distinct text is normalised once, and every distinct pair of texts is compared once. A bag of
words is a set of numbered words (the first ``of``, the second ``of``), so that what two bags share
is found by sorting.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray

Version = Literal["1.1", "2.0"]
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
KINDS = ("exact", "long", "short", "partial", "apart")
"""How an answer differs from a reference, the nearest kind first."""
EXACT, LONG, SHORT, PARTIAL, APART = range(len(KINDS))


def normalised(text: str) -> str:
    r"""A text in lower case, without ASCII punctuation and articles, its words apart by one blank.

    >>> normalised("Côte d'Azur, the\tcoast")
    'côte dazur coast'
    """
    bare = _ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION))
    return " ".join(bare.split())


class Compared(NamedTuple):
    """Of pairs of an answer and a reference: exact match, token F1 and code into ``KINDS``."""

    exact: NDArray[np.bool_]
    f1: NDArray[np.float64]
    kind: NDArray[np.int8]


class _Bags(NamedTuple):
    """Distinct normalised texts: their numbered words ``words[starts[i] : starts[i + 1]]``."""

    texts: list[str]
    words: NDArray[np.int64]
    starts: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.starts)


def coded(texts: Sequence[str]) -> tuple[NDArray[np.int32], list[str]]:
    """Codes of texts by what they are when normalised, and the normalised texts.

    >>> codes, distinct = coded(["The end", "end", "an end.", "start"])
    >>> codes.tolist(), distinct
    ([0, 0, 0, 1], ['end', 'start'])
    """
    number: dict[str, int] = {}
    known: dict[str, int] = {}
    codes = np.empty(len(texts), np.int32)
    for place, text in enumerate(texts):
        code = known.get(text)
        if code is None:
            code = known[text] = number.setdefault(normalised(text), len(number))
        codes[place] = code
    return codes, list(number)


def compared(
    answers: Sequence[str],
    references: Sequence[str],
    answer: IntArray,
    reference: IntArray,
    version: Version = "1.1",
) -> Compared:
    """Compare ``answers[answer[i]]`` with ``references[reference[i]]`` for every i."""
    codes, distinct = coded([*answers, *references])
    bags = _bags(distinct)
    mine, theirs = codes[answer], codes[len(answers) :][reference]
    keys = mine.astype(np.int64) * max(len(distinct), 1) + theirs
    pairs, place = np.unique(keys, return_inverse=True)
    left, right = np.divmod(pairs, max(len(distinct), 1))
    found = _of_distinct(bags, left, right, version)
    return Compared(*(column[place.reshape(-1)] for column in found))


def _bags(texts: list[str]) -> _Bags:
    number: dict[tuple[str, int], int] = {}
    words: list[int] = []
    starts = [0]
    for text in texts:
        seen: dict[str, int] = {}
        for word in text.split():
            copy = seen[word] = seen.get(word, -1) + 1
            words.append(number.setdefault((word, copy), len(number)))
        starts.append(len(words))
    return _Bags(texts, np.array(words, np.int64), np.array(starts, np.int64))


def _of_distinct(
    bags: _Bags, left: NDArray[np.int64], right: NDArray[np.int64], version: Version
) -> Compared:
    exact: NDArray[np.bool_] = left == right
    mine, theirs = bags.lengths[left], bags.lengths[right]
    shared = _shared(bags, left, right)
    some = shared > 0
    precision = np.where(some, shared / np.maximum(mine, 1), 1.0)
    recall = np.where(some, shared / np.maximum(theirs, 1), 1.0)
    f1 = np.where(some, (2 * precision * recall) / (precision + recall), 0.0)
    if version == "2.0":  # no words: right if and only if the reference has none, too
        f1 = np.where((mine == 0) | (theirs == 0), exact, f1)
    kind = np.where(exact, EXACT, np.where(some, PARTIAL, APART)).astype(np.int8)
    for code, outer, inner, all_of in ((LONG, left, right, theirs), (SHORT, right, left, mine)):
        for pair in np.flatnonzero((kind == PARTIAL) & (shared == all_of)).tolist():
            if f" {bags.texts[inner[pair]]} " in f" {bags.texts[outer[pair]]} ":
                kind[pair] = code
    return Compared(exact, f1, kind)


def _shared(bags: _Bags, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.int64]:
    """``[pair]`` how many words two bags share, as often as both have them."""
    size = int(bags.words.max(initial=-1)) + 1
    keys = np.concatenate([_keys(bags, left, size), _keys(bags, right, size)])
    keys.sort()
    twice = keys[1:][keys[1:] == keys[:-1]]
    return np.bincount(twice // max(size, 1), minlength=len(left))


def _keys(bags: _Bags, codes: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Numbered words of every pair's text, told apart by the pair."""
    lengths = bags.lengths[codes]
    pair = np.repeat(np.arange(len(codes)), lengths)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    words: NDArray[np.int64] = bags.words[bags.starts[codes][pair] + within]
    return pair * size + words
