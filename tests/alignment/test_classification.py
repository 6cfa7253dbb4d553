"""Items meet by ids or by order; missing answers are never guessed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import finegrain as fg
from finegrain.corpus.label_rules import LabelRules
from finegrain.errors import AlignmentError, InputError, UsageError
from finegrain.formats.delimited import read
from finegrain.formats.source import source_of
from finegrain.table import OutcomeTable

GOLD = "id,label,domain\na,x,news\nb,y,news\nc,x,talk\n"


def _align(gold: str, *systems: str, **options: str) -> OutcomeTable:
    corpora = {f"s{at}": read(source_of(f"s{at}", one.encode())) for at, one in enumerate(systems)}
    return fg.align(
        read(source_of("gold", gold.encode())), corpora, task="classification", **options
    )


def _names(table: OutcomeTable, system: int = 0) -> list[str]:
    return [table.outcomes.names[code] for code in table.outcome[:, system]]


def test_items_meet_by_ids_in_any_order() -> None:
    table = _align(GOLD, "id,label\nc,x\na,x\nb,x\n")
    assert _names(table) == ["CORRECT", "WRONG", "CORRECT"]
    assert table.columns["domain"].tolist() == ["news", "news", "talk"]
    assert "label" not in table.columns


def test_items_without_ids_meet_by_order_which_is_said() -> None:
    table = _align("x\ny\nx\n", "x\nx\nx\n")
    assert _names(table) == ["CORRECT", "WRONG", "CORRECT"]
    assert "gold and systems have no ids: items are matched by their order" in table.notes
    with pytest.raises(AlignmentError, match="2 items where gold has 3, and no ids"):
        _align("x\ny\nx\n", "x\nx\n")
    with pytest.raises(AlignmentError, match="items have no ids here, but they have in gold"):
        _align(GOLD, "x\nx\nx\n")


def test_a_missing_answer_is_an_error_unless_the_user_decides() -> None:
    some = "id,label\na,x\nc,y\n"
    with pytest.raises(AlignmentError, match=r"1 of 3 items have no answer: 'b'. Add them, or say"):
        _align(GOLD, some)
    wrong = _align(GOLD, some, missing="wrong")
    assert _names(wrong) == ["CORRECT", "UNANSWERED", "WRONG"]
    assert fg.score(wrong, "accuracy", intervals=0).value("accuracy", "s0") == pytest.approx(1 / 3)
    skip = _align(GOLD, some, "id,label\na,x\nb,y\nc,x\n", missing="skip")
    assert len(skip) == 2
    assert any("1 of 3 items is left out for all systems" in note for note in skip.notes)
    assert skip.settings["missing"] == "skip"
    with pytest.raises(UsageError, match="missing"):
        _align(GOLD, some, missing="guess")
    with pytest.raises(InputError, match="s0:3: no answer"):
        _align(GOLD, "id,label\na,x\nb,\nc,x\n")


@pytest.mark.parametrize(
    ("system", "what"),
    [
        ("id,label\na,x\nb,y\nd,x\n", "s0:4: the item 'd' is not in the gold file"),
        ("id,label\na,x\nb,y\nb,y\n", "s0:4: the id 'b' is on line 3, too"),
        ("id,label\na,x\n,y\nc,x\n", "s0:3: this item has no id"),
        ("id,domain\na,x\nb,y\nc,x\n", "items have no answer: no column"),
    ],
)
def test_wrong_items_are_told_with_their_line(system: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        _align(GOLD, system)


def test_items_without_a_gold_label_are_no_units() -> None:
    table = _align("id,label\na,x\nb,\nc,y\n", "id,label\na,x\nb,y\nc,y\n")
    assert len(table) == 2
    with pytest.raises(InputError, match="gold: no item has a gold label"):
        _align("id,label\na,\nb,\n", "id,label\na,x\nb,y\n")


def test_probabilities_give_the_answer_where_there_is_none() -> None:
    table = _align(GOLD, "id,prob_x,prob_y\na,.9,.1\nb,.7,.3\nc,.5,.5\n")
    assert _names(table) == ["CORRECT", "WRONG", "CORRECT"]  # of equals, the first
    assert table.details["probability"].shape == (3, 1, 2)
    with pytest.raises(InputError, match=r"s0:2: the probabilities sum to 0.8"):
        _align(GOLD, "id,prob_x,prob_y\na,.7,.1\nb,.7,.3\nc,.5,.5\n")
    with pytest.raises(InputError, match=r"s0:4: a probability is below 0"):
        _align(GOLD, "id,prob_x,prob_y\na,.9,.1\nb,.7,.3\nc,1.5,-.5\n")


def test_probabilities_that_are_no_numbers_are_not_left_out() -> None:
    """One cell would make attributes of two columns, and every score of probabilities go."""
    with pytest.raises(InputError, match=r"s0:3: 'O\.7' in the column 'prob_x' is not a number"):
        _align(GOLD, "id,label,prob_x,prob_y\na,x,.9,.1\nb,x,O.7,O.3\nc,x,.5,.5\n")
    table = _align(GOLD, "id,label,prob_of\na,x,low\nb,x,\nc,x,high\n")  # a column of words
    assert not table.details


def test_answers_that_are_not_the_most_probable_label_are_counted() -> None:
    table = _align(GOLD, "id,label,prob_x,prob_y\na,y,.9,.1\nb,y,.2,.8\nc,y,.5,.5\n")
    (note,) = (note for note in table.notes if "probable" in note)
    assert note.startswith("s0: 1 answer is not the most probable label of the item")
    assert not any("probable" in note for note in _align(GOLD, "a,y\nb,y\nc,y\n").notes)


def test_labels_can_be_renamed_and_left_out() -> None:
    rules = LabelRules(rename={"X": "x"}, exclude=frozenset("y"))
    corpus = read(source_of("s", b"id,label\na,X\nb,y\nc,x\n"))
    table = fg.align(read(source_of("gold", GOLD.encode())), {"s": corpus}, rules=rules)
    assert _names(table) == ["CORRECT", "CORRECT"]


def test_two_columns_from_the_command_line(tmp_path: Path, run: object) -> None:
    (tmp_path / "gold.csv").write_text("id,label\na,x\nb,y\nc,x\n")
    (tmp_path / "a.csv").write_text("a,x\nb,x\nc,x\n")
    done = run("score", str(tmp_path / "gold.csv"), str(tmp_path / "a.csv"), "--format", "json")  # type: ignore[operator]
    assert done.returncode == 0, done.stderr
    overall = json.loads(done.stdout)["result"]["a"]["overall"]
    assert overall["accuracy"] == pytest.approx(2 / 3)
    assert np.isclose(overall["balanced_accuracy"], 0.5)


def test_answers_beside_the_gold_label_are_no_attribute() -> None:
    # one file serves as gold and as a system: a slice by its own answers would be wrong by making
    both = "id,gold,answer,domain\na,x,y,news\nb,y,y,news\nc,x,x,talk\n"
    table = _align(both, both, both.replace("a,x,y", "a,x,x"))
    assert list(table.columns) == ["domain"]
    assert any("holds answers, too (answer)" in note for note in table.notes)
    assert list(_align(both, "id,label\na,x\nb,y\nc,x\n").columns) == ["answer", "domain"]
