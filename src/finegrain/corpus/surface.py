"""Tokens of the text and the words they are made of: ``don't`` is one token and two words.

>>> from finegrain.corpus import Spans
>>> corpus = Corpus.of([["I", "do", "n't"]])
>>> joined = replace(corpus, multiword=Spans.of([(0, 1, 3, "don't")]))
>>> tokens = surface(joined)
>>> tokens.corpus.sentence(0), tokens.first_word.tolist()
(['I', "don't"], [0, 1])
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.document import Corpus
from finegrain.corpus.texts import PADDING, IntArray, Texts


class Surface(NamedTuple):
    """The tokens as a corpus of their own, and ``[token]`` the first word of each."""

    corpus: Corpus
    first_word: IntArray


def first_words(corpus: Corpus) -> NDArray[np.int64]:
    """``[token]`` the first word of every token of the text."""
    if corpus.multiword is None:
        return np.arange(corpus.n_tokens)
    begins = np.ones(corpus.n_tokens, bool)
    first, end = _ranges(corpus)
    for begin, past in zip((first + 1).tolist(), end.tolist(), strict=True):
        begins[begin:past] = False
    return np.flatnonzero(begins)


def _ranges(corpus: Corpus) -> tuple[IntArray, IntArray]:
    """Where multi-word tokens begin and end in the words of the corpus."""
    spans = corpus.multiword
    if spans is None:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    start = corpus.offsets[spans.sentence]
    return start + spans.begin, start + spans.end


def surface(corpus: Corpus) -> Surface:
    """The tokens of the text."""
    first_word = first_words(corpus)
    spans, words = corpus.multiword, corpus.tokens
    if spans is None or words is None:
        return Surface(corpus, first_word)
    forms = [name.encode() for name in spans.labels]
    lengths = np.array([len(form) for form in forms], np.int64)
    text = words.buffer[: len(words.buffer) - PADDING]
    starts = len(text) + np.cumsum(lengths) - lengths
    buffer = text + b"".join(forms) + bytes(PADDING)
    own_start, own_length = words.starts.astype(np.int64), words.lengths.astype(np.int64)
    first, _ = _ranges(corpus)
    own_start[first], own_length[first] = starts[spans.label], lengths[spans.label]
    tokens = Texts(bytearray(buffer), own_start[first_word], own_length[first_word])
    offsets = np.searchsorted(first_word, corpus.offsets)
    plain = replace(
        corpus, offsets=offsets, tokens=tokens, layers={}, spans=None, further=None, multiword=None,
        begins=None,
    )  # fmt: skip
    return Surface(plain, first_word)


def in_multiword(corpus: Corpus) -> NDArray[np.bool_]:
    """``[word]`` whether a word is part of a multi-word token."""
    inside = np.zeros(corpus.n_tokens, bool)
    first, end = _ranges(corpus)
    for begin, past in zip(first.tolist(), end.tolist(), strict=True):
        inside[begin:past] = True
    return inside
