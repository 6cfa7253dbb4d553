"""Positions in characters: how annotation moves from one tokenisation to another.

Two corpora of one text may differ in tokens and white space, but not in the other characters.
So every place is counted in characters that are not white space, from the beginning of its
document:

>>> from finegrain.corpus import Corpus
>>> gold = Corpus.of([["It", "'s", "Ada"]])
>>> token_characters(gold).tolist()          # where tokens begin, and where the last ends
[0, 2, 4, 7]

Spans of another tokenisation are put on the tokens of this one; what a span leaves out of its
first and last token is kept as ``begin_cut`` and ``end_cut``, never dropped:

>>> place(gold, [2], [7], ["X"]).begin.tolist()        # from 's to the end
[1]
>>> spans = place(gold, [3], [7], ["X"])               # half of 's
>>> spans.begin.tolist(), spans.begin_cut.tolist()
([1], [1])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.document import Corpus
from finegrain.corpus.spans import Spans
from finegrain.corpus.texts import Coded, IntArray


def token_characters(corpus: Corpus) -> NDArray[np.int64]:
    """``[token + 1]`` where each token begins, in characters that are not white space."""
    if corpus.tokens is None:
        raise ValueError("a corpus without text has no characters")
    coded = corpus.tokens.coded()  # each distinct word is looked at once
    size = np.array([visible_length(name) for name in coded.names] or [0], np.int64)
    return np.concatenate([[0], np.cumsum(size[coded.codes])])


def visible_length(text: str) -> int:
    """The number of characters that are not white space.

    >>> visible_length("New York")
    7
    """
    return sum(not char.isspace() for char in text)


class Location(NamedTuple):
    """Where stretches of text lie on tokens: ``[stretch]``; cuts are ``None`` if all fit."""

    sentence: IntArray
    begin: IntArray
    end: IntArray
    begin_cut: IntArray | None
    end_cut: IntArray | None
    base: NDArray[np.int64]  # where the sentence begins


def locate(corpus: Corpus, begin: IntArray, end: IntArray) -> Location:
    """Stretches given in visible characters of the whole corpus, on its tokens."""
    bounds = token_characters(corpus)
    first = np.searchsorted(bounds, begin, side="right") - 1
    past = np.searchsorted(bounds, end, side="left")
    sentence = np.searchsorted(corpus.offsets, first, side="right") - 1
    base = np.asarray(corpus.offsets[sentence], np.int64)
    begin_cut, end_cut = begin - bounds[first], bounds[past] - end
    fits = not (begin_cut.any() or end_cut.any())
    return Location(
        sentence.astype(np.int32),
        (first - base).astype(np.int32),
        (past - base).astype(np.int32),
        None if fits else begin_cut.astype(np.int32),
        None if fits else end_cut.astype(np.int32),
        base,
    )


def place(
    corpus: Corpus, begins: Sequence[int], ends: Sequence[int], labels: Sequence[str]
) -> Spans:
    """Labelled spans given in visible characters, as spans of the tokens of a corpus."""
    found = locate(corpus, np.asarray(begins, np.int64), np.asarray(ends, np.int64))
    coded = Coded.of(labels)
    return Spans(
        found.sentence,
        found.begin,
        found.end,
        coded.codes,
        coded.names,
        np.zeros(len(coded), np.int32),
        begin_cut=found.begin_cut,
        end_cut=found.end_cut,
    )


def characters_of(spans: Spans, corpus: Corpus) -> tuple[IntArray, IntArray]:
    """Where spans begin and end, in visible characters of the whole corpus."""
    bounds = token_characters(corpus)
    base = corpus.offsets[spans.sentence]
    begin_cut, end_cut = spans.cuts()
    return bounds[base + spans.begin] + begin_cut, bounds[base + spans.end] - end_cut


def same_characters(one: Corpus, two: Corpus) -> int | None:
    """``None`` if two corpora have the same visible characters, else the first that differs."""
    left, right = (visible_text(corpus) for corpus in (one, two))
    if left == right:
        return None
    shared = min(len(left), len(right))
    a = np.frombuffer(left[:shared].encode("utf-32-le"), np.uint32)
    b = np.frombuffer(right[:shared].encode("utf-32-le"), np.uint32)
    different = np.flatnonzero(a != b)
    return int(different[0]) if len(different) else shared


def visible_text(corpus: Corpus) -> str:
    """All characters of a corpus that are not white space, in one string."""
    if corpus.tokens is None:
        raise ValueError("a corpus without text has no characters")
    joined = "".join(corpus.tokens.slice(0, corpus.n_tokens))
    return "".join(joined.split())
