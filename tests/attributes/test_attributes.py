"""Attributes: worked by hand, on odd units, and by the contract that plug-ins keep, too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

import finegrain as fg
from finegrain.attributes import ATTRIBUTES, BUILT_IN, by_name
from finegrain.attributes.surfaces import occurrences_of, surfaces
from finegrain.attributes.units import Units
from finegrain.corpus import Coded, Corpus, Spans, Texts
from finegrain.errors import UsageError
from finegrain.tasks import TASKS
from finegrain.testing import check_attribute, small_corpora
from tests.table.corpora import TABLES

TEXT = [["The", "IL-6", "level", "of", "ada", "rose"], ["ADA", "met", "Ada", "and", "ada", "rose"]]


def _values(table: fg.OutcomeTable, name: str) -> list[float]:
    values = by_name(name).values(table)
    assert isinstance(values, np.ndarray)
    return [round(float(value), 4) for value in values]


def _spans(text: list[list[str]], rows: Iterable[tuple[object, ...]]) -> fg.OutcomeTable:
    """A table whose units are the given gold spans, in the order of the text."""
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in text])])
    words = Texts.of(word for one in text for word in one)
    gold = Corpus("gold", offsets, words, spans=Spans.of(rows))  # type: ignore[arg-type]
    return fg.align(gold, {"same": gold})


def test_form_by_hand() -> None:
    """IL-6: 4 characters, 2 capitals, 1 hyphen, 1 digit; "IL-6 level": 9 characters, 2 tokens."""
    table = _spans(TEXT, [(0, 1, 2, "G"), (0, 1, 3, "G")])
    assert _values(table, "entity_length") == [1, 2]
    assert _values(table, "characters") == [4, 9]
    assert _values(table, "characters_per_token") == [4, 4.5]
    assert _values(table, "capital_share") == [0.5, round(2 / 9, 4)]
    assert _values(table, "punctuation_share") == [0.25, round(1 / 9, 4)]
    assert _values(table, "digit_share") == [0.25, round(1 / 9, 4)]
    assert _values(table, "sentence_length") == [6, 6]


def test_rarity_and_ambiguity_by_hand() -> None:
    """ada: 4 times in the text in three spellings, gold as PER twice and as ORG once.

    "ada rose" stands in the text twice, "met Ada" once.
    """
    table = _spans(TEXT, [(0, 4, 5, "PER"), (0, 4, 6, "PER"), (1, 0, 1, "ORG"), (1, 1, 3, "PER"),
                          (1, 2, 3, "PER")])  # fmt: skip
    assert [table.text(row) for row in range(5)] == ["ada", "ada rose", "ADA", "met Ada", "Ada"]
    assert _values(table, "hapax") == [0, 0, 0, 1, 0]
    assert _values(table, "ambiguity") == [2, 1, 2, 1, 2]
    assert occurrences_of(table, "Ada") == 4
    assert occurrences_of(table, "ada  ROSE") == 2
    assert occurrences_of(table, "nobody") == 0


def test_words_do_not_run_over_the_end_of_a_sentence() -> None:
    """ "rose ADA" stands across the boundary only; overlapping "a a" counts twice in "a a a"."""
    table = _spans([["a", "a", "a"], ["a", "b"]], [(0, 0, 2, "X")])
    assert occurrences_of(table, "a a") == 2
    assert occurrences_of(_spans(TEXT, [(0, 0, 1, "X")]), "rose ada") == 0


def test_units_that_only_systems_have_get_values_too() -> None:
    """Surfaces that are never gold have no gold label: ambiguity 0."""
    gold = Corpus.of([["Ada", "met", "Bob"]], tags=[["B-PER", "O", "O"]])
    system = Corpus.of([["Ada", "met", "Bob"]], tags=[["O", "O", "B-PER"]])
    table = fg.align(gold, {"system": system})
    assert table.is_gold.tolist() == [True, False]
    assert _values(table, "ambiguity") == [1, 0]
    assert _values(table, "hapax") == [1, 1]


def test_gaps_do_not_count() -> None:
    """Tokens 1 and 3 of "The IL-6 level of": IL-6 and of, 6 characters."""
    table = _spans(TEXT, [(0, 1, 4, "G", (1, 3))])
    assert _values(table, "entity_length") == [2]
    assert _values(table, "characters") == [6]


def test_characters_that_a_unit_leaves_out_do_not_count() -> None:
    """The span covers "il-6" of "anti-IL-6": 4 of its 9 characters, with 2 capitals."""
    text = [["anti-IL-6", "rose"]]
    offsets = np.array([0, 2])
    words = Texts.of(text[0])
    cut = Spans(np.zeros(1, np.int32), np.zeros(1, np.int32), np.ones(1, np.int32),
                np.zeros(1, np.int32), ("G",), np.zeros(1, np.int32), (),
                np.array([5], np.int32), np.zeros(1, np.int32))  # fmt: skip
    gold = Corpus("gold", offsets, words, spans=cut)
    table = fg.align(gold, {"same": gold})
    assert table.text(0) == "IL-6"
    assert _values(table, "characters") == [4]
    assert _values(table, "capital_share") == [0.5]


@pytest.mark.parametrize(
    ("word", "capital", "punctuation", "digit"),
    [
        ("हिन्दी", 0, 0, 0),  # vowel signs are neither letters nor punctuation
        ("٣٤", 0, 0, 1),  # Arabic-Indic digits
        ("€5", 0, 0.5, 0.5),  # symbols count with punctuation
        ("ǅ", 1, 0, 0),  # title case
        ("ß", 0, 0, 0),
        ("½", 0, 0, 0),  # a number, but no digit
        ("a\u00a0B", 0.5, 0, 0),  # white space is no character
    ],
)
def test_kinds_of_characters(word: str, capital: float, punctuation: float, digit: float) -> None:
    table = _spans([[word]], [(0, 0, 1, "X")])
    names = ("capital_share", "punctuation_share", "digit_share")
    assert [_values(table, name)[0] for name in names] == [capital, punctuation, digit]


def test_a_unit_without_characters_has_no_shares() -> None:
    table = _spans([["\u00a0", "x"]], [(0, 0, 1, "X")])
    assert np.isnan(by_name("digit_share").values(table)).all()  # type: ignore[arg-type]
    assert _values(table, "characters") == [0]


def test_without_text_only_what_needs_none_is_defined() -> None:
    spans = Spans.of([(0, 0, 2, "PER")])
    gold = Corpus("gold", np.array([0, 5]), spans=spans)
    table = fg.align(gold, {"same": gold})
    assert surfaces(table) is None
    undefined = {"characters", "characters_per_token", "capital_share", "punctuation_share",
                 "digit_share", "hapax", "ambiguity"}  # fmt: skip
    for name, one in ATTRIBUTES.items():
        if one.needs_training or not one.applies_to(TASKS["spans"]):
            continue
        values = one.values(table)
        if isinstance(values, np.ndarray):
            assert np.isnan(values).all() == (name in undefined)


def test_label_is_a_category() -> None:
    table = fg.align(*small_corpora("spans"))
    values = by_name("label").values(table)
    assert isinstance(values, Coded)
    assert list(values)[:2] == ["PER", "PER"]


@pytest.mark.parametrize(
    ("name", "task"),
    [
        (name, task)
        for name, one in ATTRIBUTES.items()
        for task in ("spans", "tags", "coreference")
        if one.applies_to(TASKS[task]) and not (task == "coreference" and one.needs_training)
    ],
)
def test_contract(name: str, task: str) -> None:
    gold, systems = small_corpora(task)
    train = next(iter(systems.values())) if ATTRIBUTES[name].needs_training else None
    check_attribute(ATTRIBUTES[name], gold, systems, task=task, training=train)


def test_no_two_attributes_have_one_name_and_each_is_explained() -> None:
    assert len(ATTRIBUTES) == len(BUILT_IN)
    for one in BUILT_IN:
        assert one.summary
        assert one.equation
        assert one.compute.__doc__


def test_an_attribute_that_looks_at_systems_is_caught() -> None:
    def solved(units: Units) -> NDArray[np.float64]:
        return np.count_nonzero(units.table.outcome == 0, axis=1).astype(np.float64)

    broken = replace(ATTRIBUTES["characters"], name="solved", compute=solved)
    with pytest.raises(AssertionError, match="other systems matter"):
        check_attribute(broken, *small_corpora("tags"), task="tags")


def test_an_attribute_of_the_wrong_kind_is_caught() -> None:
    broken = replace(ATTRIBUTES["characters"], kind="category")
    with pytest.raises(AssertionError, match="not of the kind"):
        check_attribute(broken, *small_corpora("tags"), task="tags")


def test_an_attribute_that_is_learnt_asks_for_training_data() -> None:
    learnt = replace(ATTRIBUTES["characters"], name="seen", needs_training=True)
    table = fg.align(*small_corpora("tags"))
    with pytest.raises(UsageError, match="'seen' is learnt: give training data"):
        learnt.values(table)
    assert len(learnt.values(table, training=table.corpus)) == len(table)


def test_unknown_names_are_told() -> None:
    with pytest.raises(UsageError, match=r"attribute 'hapaxes'.*hapax"):
        by_name("hapaxes")


@settings(max_examples=50, deadline=None)
@given(TABLES)
def test_values_of_hostile_tables_are_in_range(table: fg.OutcomeTable) -> None:
    units = Units(table)
    for one in BUILT_IN:
        if one.needs_training or not one.applies_to(table.task):
            continue
        values = one.of(units)
        assert len(values) == len(table)
        if isinstance(values, np.ndarray):
            defined = values[~np.isnan(values)]
            assert (defined >= 0).all()
            assert one.unit != "share" or (defined <= 1).all()


@settings(max_examples=50, deadline=None)
@given(TABLES)
def test_surfaces_are_what_a_dictionary_finds(table: fg.OutcomeTable) -> None:
    """Two units have one surface if and only if their words, case folded, are the same."""
    found = surfaces(table)
    corpus = table.corpus
    if found is None or corpus.tokens is None:
        return
    seen: dict[tuple[str, ...], int] = {}
    for row, code in enumerate(found.codes.tolist()):
        start = int(corpus.offsets[table.sentence[row]])
        tokens = [start + token for token in table.tokens(row)]
        words = tuple(corpus.tokens[token].casefold() for token in tokens)
        assert seen.setdefault(words, code) == code
    assert len(set(seen.values())) == len(seen)
