"""Different tokenisations, documents by id, and rules for labels, worked by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.corpus.characters import place
from finegrain.corpus.label_rules import LabelRules
from finegrain.table import OutcomeTable

GOLD = Corpus.of([["Ada", "Lovelace", "'s", "London"]], tags=[["B-PER", "I-PER", "O", "B-LOC"]])


def _outcomes(table: OutcomeTable) -> list[tuple[str, str]]:
    names = table.outcomes.names
    return [(table.text(row), names[table.outcome[row, 0]]) for row in range(len(table))]


def test_another_tokenisation_of_the_same_spans_is_right() -> None:
    """The system splits Love|lace and joins 's|London; its spans cover the same characters."""
    system = Corpus.of(
        [["Ada", "Love", "lace", "'s", "London"]],
        tags=[["B-PER", "I-PER", "I-PER", "O", "B-LOC"]],
    )
    table = fg.align(GOLD, {"s": system}, text="characters")
    assert _outcomes(table) == [("Ada Lovelace", "TP"), ("London", "TP")]
    assert table.settings["text"] == "characters"


def test_without_asking_other_tokens_are_an_error() -> None:
    system = Corpus.of([["Ada", "Love", "lace", "'s", "London"]], tags=[["O"] * 5])
    with pytest.raises(fg.AlignmentError, match="'Love' where the gold has 'Lovelace'"):
        fg.align(GOLD, {"s": system})


def test_a_span_that_does_not_fit_the_gold_tokens_is_kept_and_counted() -> None:
    """`Love` ends inside `Lovelace`: too short; `'sLondon` begins before London: too long."""
    system = Corpus.of(
        [["Ada", "Love", "lace", "'sLondon"]], tags=[["B-PER", "I-PER", "O", "B-LOC"]]
    )
    table = fg.align(GOLD, {"s": system}, text="characters")
    assert _outcomes(table) == [
        ("Ada Love", "USED"), ("Ada Lovelace", "BES"), ("'s London", "USED"), ("London", "BEL"),
    ]  # fmt: skip
    assert "s: spans that do not fit the gold tokens: 1" in table.notes


def test_equal_pieces_of_tokens_are_equal_and_others_are_not() -> None:
    """Gold marks `Love` inside the token; one system has it, the other the whole token."""
    text = Corpus.of([["Ada", "Lovelace"]])
    gold = replace(text, spans=place(text, [3], [7], ["X"]))
    right = replace(text, spans=place(text, [3], [7], ["X"]))
    whole = replace(text, spans=place(text, [3], [11], ["X"]))
    other = replace(text, spans=place(text, [7], [11], ["X"]))
    table = fg.align(gold, {"right": right, "whole": whole, "other": other})
    counts = {name: values["counts"] for name, values in fg.score(table).to_json().items()}
    assert counts["right"]["TP"] == 1
    assert counts["whole"]["BEL"] == 1
    assert (counts["other"]["FN"], counts["other"]["FP"]) == (1, 1)  # Love and lace do not overlap


def test_text_that_differs_in_characters_is_refused_with_both_sides() -> None:
    system = Corpus.of([["Ada", "Lovelance", "'s", "London"]], tags=[["O"] * 4])
    with pytest.raises(fg.AlignmentError, match=r"at character 10 .*Ada Lovelance 's London"):
        fg.align(GOLD, {"s": system}, text="characters")


def test_running_text_is_compared_by_characters_of_itself() -> None:
    text = Corpus.of([["Ada", "Lovelace's", "London"]])
    system = replace(text, spans=place(text, [0], [11], ["PER"]), running_text=True)
    table = fg.align(GOLD, {"s": system})
    assert ("Ada Lovelace", "TP") in _outcomes(table)


def _documents(ids: tuple[str, ...], *sentences: str) -> Corpus:
    made = Corpus.of(
        [sentence.split() for sentence in sentences],
        documents=range(len(sentences)),
        tags=[["B-X"] + ["O"] * (len(sentence.split()) - 1) for sentence in sentences],
    )
    return replace(made, document_ids=ids)


def test_documents_are_matched_by_id() -> None:
    gold = _documents(("one", "two"), "a b", "c")
    system = _documents(("two", "one"), "c", "a b")
    assert fg.score(fg.align(gold, {"s": system})).value("traditional_f1", "s") == 1


def test_missing_and_extra_documents_are_named() -> None:
    gold = _documents(("one", "two"), "a b", "c")
    with pytest.raises(
        fg.AlignmentError, match=r"missing, such as 'two'.*not in the gold, such as 'six'"
    ):
        fg.align(gold, {"s": _documents(("one", "six"), "a b", "c")})


def test_labels_are_renamed_before_alignment() -> None:
    system = Corpus.of(
        [["Ada", "Lovelace", "'s", "London"]], tags=[["B-PERSON", "I-PERSON", "O", "B-GPE"]]
    )
    rules = LabelRules(rename={"PERSON": "PER", "GPE": "LOC"})
    table = fg.align(GOLD, {"s": system}, rules=rules)
    assert fg.score(table).value("traditional_f1", "s") == 1
    assert table.settings["map"] == "GPE=LOC+PERSON=PER"


def test_labels_left_out_count_on_neither_side() -> None:
    system = Corpus.of([["Ada", "Lovelace", "'s", "London"]], tags=[["O", "O", "O", "B-LOC"]])
    only = fg.align(GOLD, {"s": system}, rules=LabelRules(only=frozenset({"LOC"})))
    assert fg.score(only).to_json()["s"]["counts"]["gold"] == 1
    without = fg.align(GOLD, {"s": system}, rules=LabelRules(exclude=frozenset({"LOC"})))
    assert without.labels == ("PER",)


def test_a_label_that_occurs_nowhere_is_noted() -> None:
    table = fg.align(GOLD, {"s": GOLD}, rules=LabelRules(exclude=frozenset({"LOCATION"})))
    assert "the label 'LOCATION' occurs nowhere" in table.notes


def test_rules_for_tags() -> None:
    """Both proper-noun tags become one; punctuation is left out: 2 of 2 units right."""
    text = [["Ada", "Lovelace", "."]]
    gold = Corpus.of(text, tags=[["NNP", "NNPS", "."]])
    system = Corpus.of(text, tags=[["NNPS", "NNP", "NN"]])
    rules = LabelRules(rename={"NNPS": "NNP"}, exclude=frozenset({"."}))
    table = fg.align(gold, {"s": system}, task="tags", rules=rules)
    assert len(table) == 2
    assert fg.score(table).value("accuracy", "s") == 1
