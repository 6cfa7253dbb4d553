"""Every item ends in one class, at the right place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finegrain.grounding import CLASSES, Place, Rules, Schema, place
from finegrain.grounding.folding import fold
from finegrain.grounding.meaning import same_meaning

pytest.importorskip("rapidfuzz", reason="needs the extra ground")
SCHEMA = Schema.of(["PER", "LOC", "DOSE"])
ADA = "Ada met Bob. Later Ada met Eve, and Ada slept."


def kinds(text: str, items: Any, **rules: Any) -> list[tuple[str, Any]]:
    """Classes and places of items."""
    answer = items if isinstance(items, str) else json.dumps(items, ensure_ascii=False)
    placed = place(Place(text), answer, Rules(SCHEMA, **rules))
    return [(one.kind, one.span) for one in placed.items]


def test_the_order_of_the_whole_answer_says_which_mention_is_meant() -> None:
    listed = [["Bob", "PER"], ["Ada", "PER"], ["Eve", "PER"]]
    assert kinds(ADA, listed) == [("exact", (8, 11)), ("exact", (19, 22)), ("exact", (27, 30))]
    # three mentions of three occurrences
    assert kinds(ADA, [["Ada", "PER"]] * 3) == [
        ("exact", (0, 3)), ("exact", (19, 22)), ("exact", (36, 39)),
    ]  # fmt: skip


def test_one_mention_of_several_occurrences_is_ambiguous_unless_the_order_decides() -> None:
    assert kinds(ADA, [["Ada", "PER"]]) == [("ambiguous", (0, 3))]
    # behind Eve there is one Ada only
    assert kinds(ADA, [["Eve", "PER"], ["Ada", "PER"]])[1] == ("exact", (36, 39))


def test_policies() -> None:
    listed = [["Ada", "PER"], ["Bob", "PER"]]
    assert kinds(ADA, listed, policy="first") == [("ambiguous", (0, 3)), ("exact", (8, 11))]
    assert kinds(ADA, listed, policy="unique") == [("undecided", None), ("exact", (8, 11))]
    everywhere = kinds(ADA, listed, policy="all")
    assert everywhere == [("exact", (0, 3)), ("exact", (19, 22)), ("exact", (36, 39)),
                          ("exact", (8, 11))]  # fmt: skip
    near = kinds(ADA, [["Eve", "PER"], ["Ada", "PER"]], policy="nearest")
    assert near[1] == ("ambiguous", (36, 39))


def test_a_mention_too_many_is_a_duplicate() -> None:
    assert kinds(ADA, [["Bob", "PER"]] * 2) == [("exact", (8, 11)), ("duplicate", None)]
    # with another label it is an item of its own
    assert kinds(ADA, [["Bob", "PER"], ["Bob", "LOC"]])[1] == ("exact", (8, 11))


def test_wrong_offsets_move_to_the_nearest_place() -> None:
    def item(start: int, end: int) -> list[dict[str, Any]]:
        return [{"text": "Ada", "type": "PER", "start": start, "end": end}]

    assert kinds(ADA, item(19, 22)) == [("exact", (19, 22))]
    assert kinds(ADA, item(21, 24)) == [("moved", (19, 22))]
    assert kinds(ADA, item(19, 21)) == [("moved", (19, 22))]  # the end is the last character
    assert kinds(ADA, item(900, 903)) == [("moved", (36, 39))]
    alone = [{"type": "PER", "start": 8, "end": 11}]
    assert kinds(ADA, alone) == [("exact", (8, 11))]
    assert kinds(ADA, [{"type": "PER", "start": 80, "end": 90}]) == [("hallucinated", None)]


@pytest.mark.parametrize(("text", "words", "kind"), [
    ("I met ADA.", "Ada", "normalised"),
    ("New\n  York", "new york", "normalised"),
    ("the “best” day", '"best"', "normalised"),
    ("Jean–Luc", "Jean-Luc", "normalised"),
    ("Zu\u0308rich", "Zürich", "normalised"),
    ("ﬁne", "fine", "normalised"),
    ("Straße", "STRASSE", "normalised"),
    ("in Washington today", "Washingtn", "fuzzy"),
    ("He met Adam.", "Ada", "hallucinated"),  # not inside of a word
    ("東京都に住む", "東京", "exact"),
])  # fmt: skip
def test_words_are_looked_for_exactly_then_folded_then_by_similarity(
    text: str, words: str, kind: str
) -> None:
    ((found, span),) = kinds(text, [[words, "PER"]])
    assert found == kind
    assert (span is None) == (kind == "hallucinated")


@pytest.mark.parametrize(("one", "two"), [
    ("a rise of 5 % in one year", "a rise of 6 % in one year"),
    ("he does smoke every day", "he does not smoke every day"),
    ("patients with fever", "patients without fever"),
    ("asymptomatic patients", "symptomatic patients"),
    ("hypertension was noted", "hypotension was noted"),
    ("two of the men left", "ten of the men left"),
    ("er ist kein Arzt hier", "er ist ein Arzt hier"),
    ("no hay ningún problema", "hay un problema"),
    ("version 1.2 of it", "version 1.3 of it"),
])  # fmt: skip
def test_digits_and_negations_must_match(one: str, two: str) -> None:
    assert not same_meaning(fold(one).text, fold(two).text)
    for text, words in ((one, two), (two, one)):
        assert kinds(f"They say: {text}.", [[words, "DOSE"]]) == [("hallucinated", None)]


def test_inline_tags_are_placed_by_what_stands_around_them() -> None:
    copy = "Ada met Bob. Later <PER>Ada</PER> met Eve, and Ada slept."
    assert kinds(ADA, copy) == [("exact", (19, 22))]
    other = "Here it is: Ada met Bob! Later <PER>Ada</PER> met Eve, and Ada slept."
    assert kinds(ADA, other) == [("exact", (19, 22))]
    rows = "Ada O\nmet O\nBob B-PER\n. O\nLater O\nAda B-PER\nmet O"
    assert kinds("Ada met Bob. Later Ada met", rows) == [("exact", (8, 11)), ("exact", (19, 22))]


def test_labels_are_those_of_the_schema() -> None:
    schema = Schema.of(["PER"], {"PERSON": "PER"})
    listed = '[["Later Ada", "person"], ["Bob", "per"], ["Eve", "CITY"]]'
    placed = place(Place(ADA), listed, Rules(schema))
    assert [(one.kind, one.label) for one in placed.items] == [
        ("exact", "PER"), ("exact", "PER"), ("out-of-schema", "CITY"),
    ]  # fmt: skip
    assert placed.relabelled == 2


def test_nested_items_keep_their_places() -> None:
    text = "The University of Ghent is in Ghent."
    listed = [["University of Ghent", "PER"], ["Ghent", "LOC"], ["Ghent", "LOC"]]
    assert kinds(text, listed) == [("exact", (4, 23)), ("exact", (18, 23)), ("exact", (30, 35))]


@given(st.text("ab Ä'’-\u0308\n", max_size=12), st.lists(st.text("ab Ä", max_size=4), max_size=6))
def test_every_item_has_one_class_and_grounded_ones_the_words(text: str, words: list[str]) -> None:
    placed = place(Place(text), json.dumps([[one, "PER"] for one in words]), Rules(SCHEMA))
    if placed.form == "json" and words:
        assert len(placed.items) == len(words)
    for one in placed.items:
        assert one.kind in CLASSES
        if one.kind in ("exact", "normalised") and one.span:
            found = fold(text[slice(*one.span)]).text
            assert found.strip() == fold(one.words).text.strip() or found in fold(one.words).text
    spans = [(one.span, one.label) for one in placed.items if one.span]
    assert len(spans) == len(set(spans))
