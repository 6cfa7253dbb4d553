"""Small corpora of every kind, and what it means that two values are the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from finegrain import Corpus, OutcomeTable, align
from finegrain.corpus import Spans, Texts

WORDS = st.text(alphabet="ab é語🙂\u0301\u05d0\t\n\"'\\", max_size=5)
HOSTILE = (
    "a",
    "A",
    "a_1",
    "x\ny",
    "x\\ny",
    "\x00",
    "é 語🙂",
    "q\"uo'te",
    "<b>",
    "_",
    "unit",
    ".",
)
LABELS = st.sampled_from(HOSTILE)
SYSTEM_NAMES = st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=3, unique=True)


def same(one: Any, other: Any) -> bool:
    """Equal in every field, type, shape and value."""
    if type(one) is not type(other):
        return isinstance(one, Mapping) and isinstance(other, Mapping) and dict(one) == dict(other)
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    if is_dataclass(one):
        return all(same(getattr(one, f.name), getattr(other, f.name)) for f in fields(one))
    if isinstance(one, Mapping):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


@st.composite
def tag_tables(draw: st.DrawFn) -> OutcomeTable:
    """Tags, with sentences that may be empty, and perhaps documents."""
    text = draw(st.lists(st.lists(WORDS, max_size=4), min_size=1, max_size=4))
    documents = draw(st.sampled_from([None, list(range(len(text)))]))

    def tagged() -> Corpus:
        tags = [draw(st.lists(LABELS, min_size=len(one), max_size=len(one))) for one in text]
        return Corpus.of(text, documents=documents, tags=tags)

    systems = {name: tagged() for name in draw(SYSTEM_NAMES)}
    return align(tagged(), systems, task="tags")


@st.composite
def span_tables(draw: st.DrawFn) -> OutcomeTable:
    """Spans that nest, cross and have gaps, on a corpus with or without text."""
    lengths = draw(st.lists(st.integers(0, 6), min_size=1, max_size=4))
    words = [draw(st.lists(WORDS, min_size=size, max_size=size)) for size in lengths]
    text = draw(st.sampled_from([Texts.of(word for one in words for word in one), None]))
    offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    places = [number for number, size in enumerate(lengths) if size]

    def span() -> tuple[int, int, int, str, tuple[int, ...]]:
        sentence = draw(st.sampled_from(places))
        some = st.sets(st.integers(0, lengths[sentence] - 1), min_size=1, max_size=4)
        tokens = tuple(sorted(draw(some)))
        return sentence, tokens[0], tokens[-1] + 1, draw(LABELS), tokens

    def annotated() -> Corpus:
        count = draw(st.integers(0, 5)) if places else 0
        return Corpus("memory", offsets, text, spans=Spans.of([span() for _ in range(count)]))

    systems = {name: annotated() for name in draw(SYSTEM_NAMES)}
    return align(annotated(), systems, task="spans")


TABLES = st.one_of(tag_tables(), span_tables())
