"""A task that only these tests know, with units that are not answered, in scores and errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import finegrain as fg
from finegrain.analyses.units.instances import pair
from finegrain.table import Outcome, Outcomes, OutcomeTable, Task
from finegrain.table.task import Words
from tests.texts import TEXTS, table_of

GOLD = ["a", "a", "a", "b", "b", "c"]
ANSWERS = ["a", "b", None, "b", None, "c"]


def table() -> OutcomeTable:
    return table_of(GOLD, {"some": ANSWERS, "good": GOLD})


def test_scores_have_the_words_of_the_task() -> None:
    text = str(fg.score(table()))
    assert text.startswith("6 texts\n")
    assert "sentence" not in text.splitlines()[0]


def test_errors_are_answers_and_what_has_none() -> None:
    errors = fg.error_types(table(), examples=1)
    assert errors.types == ("a", "b", "c", "MUTE")
    assert errors.to_json()["some"]["counts"] == {"a": 1, "b": 2, "c": 1, "MUTE": 2}
    assert errors.to_json()["some"]["labels"]["a"] == {"a": 1, "b": 1, "MUTE": 1}
    listing = errors.listings()[0]
    assert listing.title == "some: 3 errors in 6 texts"
    assert ("a", "MUTE", 1, 1 / 3) in listing.rows
    assert {one.outcome for one in errors.examples} == {"OFF", "MUTE"}
    mute = next(one for one in errors.examples if one.outcome == "MUTE")
    assert mute.answer is None
    assert "MUTE" in str(errors)


def test_a_label_that_is_called_like_the_outcome_is_told_apart() -> None:
    found = table_of(["MUTE", "a", "a"], {"s": ["a", None, "a"]})
    counts = fg.error_types(found).to_json()["s"]["labels"]
    assert counts == {"MUTE": {"a": 1}, "a": {"a": 1, "\\MUTE": 1}}
    assert "\\MUTE" in fg.confusion(found).listings()[0].columns[1].name


def test_confusion_has_a_column_for_them() -> None:
    found = fg.confusion(table())
    listing = found.listings()[0]
    assert [column.name for column in listing.columns] == ["gold \\ answer", "a", "b", "c", "MUTE"]
    assert listing.rows == (("a", 1, 1, 0, 1), ("b", 0, 1, 0, 1), ("c", 0, 0, 1, 0))
    assert found.to_json()["some"]["b"] == {"a": 0, "b": 1, "c": 0, "_": 1}
    assert len(found.records().rows) == 2 * 3 * 4


def test_units_and_selections_know_them() -> None:
    found = table()
    assert pair(found, 2, 0).answer is None
    for where in ("answer[some]=none", "outcome[some]=MUTE"):
        shown = fg.show(found, where)
        assert [unit.text for unit in shown.units()] == ["text2", "text4"]
        assert not shown.notes
    assert fg.select(found, "correct[some]=no").sentence.tolist() == [1, 2, 4]


def test_a_task_without_metrics_has_accuracy() -> None:
    scores = fg.score(
        replace(table(), task=replace(TEXTS, metrics=Task("", "", "", TEXTS.outcomes).metrics))
    )
    assert scores.to_json()["some"]["overall"] == {"accuracy": 0.5}
    assert "accuracy" in str(scores)


LINKS = Task(
    "links",
    "units that are found",
    "every link",
    Outcomes(
        (
            Outcome("HIT", "right", "found", role="right", right=True),
            Outcome("SWAP", "wrong label", "another label", produced="extra"),
            Outcome("GONE", "missed", "missed", produced="never"),
            Outcome("MADE", "invented", "invented"),
            Outcome("TAKEN", "taken", "counted elsewhere", right=True, charged=False),
            Outcome("AWAY", "away", "not there", right=True, charged=False, produced="never",
                    absent=True),
        )
    ),
    Words("link", "links", "gold link"),
    answers="unit",
)  # fmt: skip


def links() -> OutcomeTable:
    """Two gold links, of which one has another label; a third one is invented."""
    found = table_of(["x", "y", "z", "x"], {"s": ["x"] * 4}, LINKS)
    return replace(
        found,
        is_gold=np.array([True, True, False, False]),
        outcome=np.array([[0], [1], [4], [3]], np.uint8),
        answer=np.array([[-1], [2], [1], [-1]], np.int32),
    )


def test_a_task_whose_systems_find_units() -> None:
    """No outcome has a name that is built in; of three links that are found one is right."""
    scores = fg.score(links())
    assert scores.to_json()["s"]["counts"] == {
        "HIT": 1, "SWAP": 1, "GONE": 0, "MADE": 1, "gold": 2, "predicted": 3
    }  # fmt: skip
    assert str(scores).startswith("2 gold links in 4 sentences\nsystem  predicted  accuracy")
    errors = fg.error_types(links())
    assert errors.to_json()["s"]["labels"]["y"] == {"HIT": 0, "SWAP": 1, "GONE": 0, "MADE": 0}
    confusion = fg.confusion(links()).to_json()["s"]
    assert confusion["y"]["z"] == confusion["_"]["x"] == 1
    assert [unit.text for unit in fg.show(links(), "correct=no").units()] == ["text1", "text3"]
