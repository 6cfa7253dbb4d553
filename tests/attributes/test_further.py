"""Shape, neighbours and nesting, worked by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings

import finegrain as fg
from finegrain.attributes import by_name
from finegrain.attributes.shape import word_shape
from finegrain.corpus import Corpus, Spans
from finegrain.corpus.label_rules import LabelRules
from tests.table.corpora import TABLES


def test_shapes_by_hand() -> None:
    """Repetitions are one; marks belong to letters; a dot and a blank are both -."""
    assert word_shape("McDonald's") == "XxXx-x"
    assert word_shape("e\u0301a") == "x"
    assert word_shape("٣٤") == "9"
    assert word_shape("") == ""


def test_previous_and_next_tags_where_labels_are_left_out() -> None:
    """Without NOUN, cat is not a unit: (none) beside the and sat."""
    gold = Corpus.of([["the", "cat", "sat"]], tags=[["DET", "NOUN", "VERB"]])
    rules = LabelRules(exclude=frozenset({"NOUN"}))
    table = fg.align(gold, {"same": gold}, task="tags", rules=rules)
    assert list(by_name("previous_tag").values(table)) == ["(begin)", "(none)"]
    assert list(by_name("next_tag").values(table)) == ["(none)", "(end)"]


def test_nesting_by_hand() -> None:
    """A 0-5 holds B 0-3, which holds C 1-2; D 0-5 is as long as A; E 4-7 crosses A."""
    text = Corpus.of([list("abcdefgh")])
    rows = [(0, 0, 5, "A"), (0, 0, 3, "B"), (0, 1, 2, "C"), (0, 0, 5, "D"), (0, 4, 7, "E")]
    gold = replace(text, spans=Spans.of(rows))
    table = fg.align(gold, {"same": gold})
    depth = by_name("nesting_depth").values(table)
    found = {table.labels[table.label[row]]: int(depth[row]) for row in range(len(table))}  # type: ignore[call-overload]
    assert found == {"A": 0, "B": 2, "C": 3, "D": 0, "E": 0}


@settings(max_examples=80, deadline=None)
@given(TABLES)
def test_nesting_is_what_comparing_all_pairs_finds(table: fg.OutcomeTable) -> None:
    if table.task.name != "spans":
        return
    gold = np.flatnonzero(table.is_gold).tolist()
    depth = by_name("nesting_depth").values(table)
    for row in range(len(table)):
        begin, end = table.begin[row], table.end[row]
        outer = [
            one
            for one in gold
            if table.sentence[one] == table.sentence[row]
            and table.begin[one] <= begin
            and table.end[one] >= end
            and (table.begin[one], table.end[one]) != (begin, end)
        ]
        assert depth[row] == len(outer)  # type: ignore[index]
