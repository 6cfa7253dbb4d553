"""Positions in characters, and spans that move between tokenisations."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from finegrain.corpus import Corpus, Spans
from finegrain.corpus.characters import (
    characters_of,
    place,
    same_characters,
    token_characters,
    visible_text,
)

words = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=6
)
sentences = st.lists(st.lists(words, min_size=1, max_size=5), min_size=1, max_size=4)


@given(sentences)
@settings(max_examples=100, deadline=None)
def test_tokens_begin_where_the_characters_before_them_end(text: list[list[str]]) -> None:
    flat = [word for sentence in text for word in sentence]
    expected = np.cumsum([0, *map(len, flat)]).tolist()
    assert token_characters(Corpus.of(text)).tolist() == expected


@given(sentences, st.data())
@settings(max_examples=100, deadline=None)
def test_any_stretch_of_characters_can_be_placed_and_read_back(
    text: list[list[str]], data: st.DataObject
) -> None:
    corpus = Corpus.of(text)
    size = len(visible_text(corpus))
    begin = data.draw(st.integers(0, size - 1))
    end = data.draw(st.integers(begin + 1, size))
    spans = place(corpus, [begin], [end], ["X"])
    back = characters_of(spans, corpus)
    assert (int(back[0][0]), int(back[1][0])) == (begin, end)


def test_spans_that_fit_have_no_cuts() -> None:
    corpus = Corpus.of([["New", "York"], ["sleeps"]])
    spans = place(corpus, [0, 7], [7, 13], ["LOC", "X"])
    assert spans.begin_cut is None
    assert (spans.sentence.tolist(), spans.begin.tolist(), spans.end.tolist()) == (
        [0, 1],
        [0, 0],
        [2, 1],
    )
    assert spans.n_cut == 0


def test_a_span_over_a_sentence_boundary_belongs_to_its_beginning() -> None:
    spans = place(Corpus.of([["a", "b"], ["c", "d"]]), [1], [3], ["X"])
    assert (spans.sentence.tolist(), spans.begin.tolist(), spans.end.tolist()) == ([0], [1], [3])


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ([["It's"]], [["It", "'s"]], None),
        ([["a", "b"]], [["a"], ["b"]], None),
        ([["a b"]], [["ab"]], None),
        ([["abc"]], [["abd"]], 2),
        ([["abc"]], [["ab"]], 2),
        ([["𝒳y"]], [["𝒳z"]], 1),
    ],
)
def test_the_first_character_that_differs(
    one: list[list[str]], two: list[list[str]], expected: int | None
) -> None:
    assert same_characters(Corpus.of(one), Corpus.of(two)) == expected


def test_documents_can_be_put_in_another_order() -> None:
    corpus = Corpus.of(
        [["a"], ["b", "c"], ["d"]], documents=[0, 1, 1], tags=[["A"], ["B", "C"], ["D"]]
    )
    turned = corpus.with_documents([1, 0])
    assert [turned.sentence(at) for at in range(3)] == [["b", "c"], ["d"], ["a"]]
    assert list(turned.layers["tags"]) == ["B", "C", "D", "A"]
    assert turned.documents is not None
    assert turned.documents.tolist() == [0, 0, 1]


def test_spans_follow_their_sentences() -> None:
    spans = Spans.of([(0, 0, 1, "A"), (1, 1, 2, "B"), (2, 0, 1, "C")])
    moved = spans.in_sentences(np.array([2, 0, 1]))
    found = [(int(s), moved.labels[k]) for s, k in zip(moved.sentence, moved.label, strict=True)]
    assert found == [(0, "C"), (1, "A"), (2, "B")]
