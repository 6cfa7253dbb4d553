"""Items in clusters: who is with its class, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import finegrain as fg
from finegrain.corpus.label_rules import LabelRules
from finegrain.errors import AlignmentError, InputError, UsageError
from finegrain.formats.delimited import read
from finegrain.formats.source import source_of
from finegrain.table import OutcomeTable

GOLD = "id,label\n1,a\n2,a\n3,b\n4,b\n5,c\n"


def _align(system: str, gold: str = GOLD, **options: Any) -> OutcomeTable:
    made = read(source_of("s.csv", system.encode()))
    return fg.align(
        read(source_of("gold.csv", gold.encode())), {"s": made}, task="clustering", **options
    )


def _outcomes(table: OutcomeTable) -> list[str]:
    return [table.outcomes.names[code] for code in table.outcome[:, 0]]


def test_the_majority_of_a_cluster_is_with_its_class() -> None:
    table = _align("id,cluster\n1,x\n2,x\n3,x\n4,y\n5,y\n")
    # x: a a b; y: b c, of which b is first
    assert _outcomes(table) == ["MAJORITY", "MAJORITY", "MINORITY", "MAJORITY", "MINORITY"]
    assert table.columns["cluster of s"].tolist() == ["x", "x", "x", "y", "y"]


def test_numbers_are_names_of_clusters() -> None:
    assert _outcomes(_align("id,label\n1,0\n2,0\n3,-1\n4,-1\n5,7\n")) == ["MAJORITY"] * 5


def test_names_of_clusters_mean_nothing() -> None:
    one = fg.score(_align("id,label\n1,a\n2,a\n3,b\n4,c\n5,c\n")).to_json()["s"]
    two = fg.score(_align("id,label\n1,q\n2,q\n3,a\n4,b\n5,b\n")).to_json()["s"]
    assert one == two


def test_items_without_a_cluster_are_an_error_or_left_out() -> None:
    system = "id,cluster\n1,x\n2,x\n3,x\n4,\n5,y\n"
    with pytest.raises(InputError, match=r"s.csv:5: no cluster"):
        _align(system)
    with pytest.raises(UsageError, match="skip"):
        _align(system, missing="wrong")
    assert len(_align(system, missing="skip")) == 4
    with pytest.raises(AlignmentError, match="1 of 5 items"):
        _align("id,cluster\n1,x\n2,x\n3,x\n4,y\n")
    assert len(_align("id,cluster\n1,x\n2,x\n3,x\n4,y\n", missing="skip")) == 4


def test_classes_can_be_renamed_and_left_out() -> None:
    rules = LabelRules(rename={"c": "b"}, exclude=frozenset("a"))
    table = _align("id,cluster\n1,x\n2,x\n3,x\n4,y\n5,y\n", rules=rules)
    assert len(table) == 3
    assert _outcomes(table) == ["MAJORITY"] * 3


def test_items_without_a_class_are_left_out_and_counted() -> None:
    table = _align("id,cluster\n1,x\n2,x\n3,x\n4,y\n5,y\n", GOLD.replace("5,c", "5,"))
    assert len(table) == 4
    assert "1 of 5 items have no class" in table.notes


def test_the_study_lists_clusters_by_size() -> None:
    found = fg.study(_align("id,cluster\n1,x\n2,x\n3,x\n4,y\n5,y\n"), "majority").to_json()
    assert found["clusters"]["s"][0] == {
        "cluster": "x", "size": 3, "majority": "a", "in_majority": 2, "share": 2 / 3, "next": "b",
        "in_next": 1,
    }  # fmt: skip
