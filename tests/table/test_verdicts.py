"""Right or wrong, changed or not: by hand, and by the slow definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.table.verdicts import (
    CHANGES,
    CHARGED,
    NO_ANSWER,
    RIGHT,
    answered,
    change,
    changed,
    named,
    of_pair,
    produced,
    right,
    stances,
)
from finegrain.testing import small_corpora

SPANS = fg.align(*small_corpora("spans"))
TAGS = fg.align(*small_corpora("tags"))
TEXT = [["a", "b", "c", "d"]]


def _spans(*tags: str) -> fg.OutcomeTable:
    """Gold and systems, one sentence each, as tags without their prefix: a letter is a span."""
    rows = [[tag if tag == "O" else f"B-{tag}" for tag in one] for one in tags]
    corpora = [Corpus.of(TEXT, tags=[row]) for row in rows]
    systems = {f"s{number}": corpus for number, corpus in enumerate(corpora[1:], 1)}
    return fg.align(corpora[0], systems, task="spans")


def test_absent_and_used_are_right_on_units_that_are_not_gold() -> None:
    """Gold P at a. s1 has P at a and L at c (invented); s2 has L at a (label error): USED there."""
    table = _spans("POOO", "POLO", "LOOO")
    told = {
        (int(table.begin[row]), table.labels[table.label[row]]): right(table)[row].tolist()
        for row in range(len(table))
    }
    assert told == {(0, "P"): [True, False], (0, "L"): [True, True], (2, "L"): [False, True]}


def test_units_of_a_pair_leave_out_what_only_a_third_system_invents() -> None:
    """s3 alone invents L at d, so s1 and s2 are compared on P at a and L at c."""
    table = _spans("POOO", "POLO", "LOOO", "POOL")
    units = of_pair(table, 0, 1)
    assert sorted(zip(table.begin[units].tolist(), table.is_gold[units].tolist(), strict=True)) == [
        (0, True),
        (2, False),
    ]


def test_two_wrong_answers_change_only_if_they_differ() -> None:
    """Tags: gold N; V and V are the same error, V and D are not."""
    text = [["a", "b"]]
    tags = {"one": ["V", "V"], "two": ["V", "D"]}
    table = fg.align(
        Corpus.of(text, tags=[["N", "N"]]),
        {name: Corpus.of(text, tags=[row]) for name, row in tags.items()},
    )
    assert changed(table, 0, 1).tolist() == [False, True]


def test_a_unit_that_both_invent_does_not_change() -> None:
    table = _spans("POOO", "POLO", "POLO")
    assert not changed(table, 0, 1).any()
    assert stances(table, [0]).tolist() == [[RIGHT, CHARGED]]


def test_answers_are_named_by_labels_or_by_outcomes() -> None:
    assert named(TAGS).names == (*TAGS.labels, NO_ANSWER)  # the last one serves -1
    assert (named(TAGS).codes == TAGS.answer).all()
    assert named(SPANS).names == SPANS.outcomes.names
    assert [named(table).field for table in (TAGS, SPANS)] == ["answer", "outcome"]


def test_produced_units_are_answered_with_their_label() -> None:
    has = produced(SPANS)
    assert (answered(SPANS)[has] == np.broadcast_to(SPANS.label[:, None], has.shape)[has]).all()


@pytest.mark.parametrize("table", [SPANS, TAGS], ids=["spans", "tags"])
def test_changes_follow_from_right_and_wrong(table: fg.OutcomeTable) -> None:
    kinds = change(*stances(table, [0, 1]))
    good = right(table)
    assert ((kinds == CHANGES.index("correction")) == (~good[:, 0] & good[:, 1])).all()
    assert ((kinds == CHANGES.index("new_error")) == (good[:, 0] & ~good[:, 1])).all()
    assert ((kinds >= 0) == changed(table, 0, 1)).all()


tag_rows = st.lists(st.sampled_from("OPL"), min_size=4, max_size=4).map("".join)


@settings(max_examples=50, deadline=None)
@given(st.lists(tag_rows, min_size=3, max_size=4))
def test_changed_is_what_its_definition_says(rows: list[str]) -> None:
    """Differently right, or both wrong about a gold unit with different answers."""
    table = _spans(*rows)
    good = right(table)
    slow = [
        good[row, 0] != good[row, 1]
        or (
            table.is_gold[row] and not good[row, 0] and table.answer[row, 0] != table.answer[row, 1]
        )
        for row in range(len(table))
    ]
    assert changed(table, 0, 1).tolist() == slow
    assert not (changed(table, 0, 1) & ~of_pair(table, 0, 1)).any()


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = stances(TAGS, [1, 0])
    monkeypatch.setattr("finegrain.table.verdicts._BLOCK", 3)
    assert (stances(TAGS, [1, 0]) == whole).all()
