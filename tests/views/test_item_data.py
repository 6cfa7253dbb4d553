"""What the page tells of items: texts, fields, values of graded units, parts."""

from __future__ import annotations

import json

import finegrain as fg
from finegrain.analyses.reports.embedded_units import embedded_units
from finegrain.formats.items import read
from finegrain.formats.source import source_of
from finegrain.views.html.item_data import LONGEST, MOST_PARTS, item_data
from tests.plugin_tasks.lookups import LOOKUPS
from tests.plugin_tasks.postedits import POSTEDITS


def _lines(*records: dict[str, object]) -> fg.Corpus:
    return read(source_of("f", "\n".join(map(json.dumps, records)).encode()))


def test_fields_are_told_with_what_is_invisible_written_out() -> None:
    gold = _lines(
        {"id": "a", "premise": "it\u202eis", "hypothesis": "x" * 3000, "label": "yes", "n": 2},
        {"id": "b", "premise": None, "hypothesis": "so", "label": "no", "n": 0.25},
    )
    table = fg.align(gold, {"s": _lines({"id": "a", "label": "no"}, {"id": "b", "label": "no"})})
    data = item_data(embedded_units(table))
    fields = dict(data["fields"])
    assert list(fields) == ["premise", "hypothesis", "n"]
    assert "\u202e" not in fields["premise"][0]
    assert fields["premise"][1] is None
    assert len(fields["hypothesis"][0]) == LONGEST + 2
    assert fields["n"] == ["2", "0.25"]
    assert data["names"] == ["a", "b"]


def test_values_of_graded_units_and_who_is_best() -> None:
    gold = _lines({"id": "a", "segment": 1}, {"id": "b", "segment": 2})
    one = _lines({"id": "a", "edits": 1.0}, {"id": "b", "edits": None})
    two = _lines({"id": "a", "edits": 3.0}, {"id": "b", "edits": 2.0})
    value = item_data(embedded_units(fg.align(gold, {"one": one, "two": two}, task=POSTEDITS)))[
        "value"
    ]
    assert value["name"] == "edits"
    assert value["written"] == [["1.000", None], ["3.000", "2.000"]]
    assert value["best"] == [[1, 0], [0, 1]]  # fewer edits are better


def test_parts_are_listed_and_the_others_counted() -> None:
    documents = [{"id": f"d{at}", "grade": int(at == 2)} for at in range(MOST_PARTS + 3)]
    ranked = [{"id": f"d{at}", "score": at / 10} for at in range(MOST_PARTS + 3)]
    gold = _lines({"id": "q", "title": "who", "passages": documents})
    table = fg.align(
        gold, {"s": _lines({"id": "q", "confidence": 1, "ranked": ranked})}, task=LOOKUPS
    )
    ((name, parts),) = item_data(embedded_units(table))["parts"]
    assert (name, parts["columns"], parts["more"]) == ("passages", ["id", "grade", "score s"], [3])
    assert parts["rows"][0][2] == ["d2", "1", "0.2"]
    assert len(parts["rows"][0]) == MOST_PARTS


def test_multiple_choice_has_its_context_and_options() -> None:
    gold = _lines(
        {"id": "a", "question": "", "context": "as calm as a storm", "options": ["calm", "not"],
         "label": "1"},
        {"id": "b", "question": "", "context": "as old as time", "options": ["old", "new"],
         "label": "0"},
    )  # fmt: skip
    mine = _lines({"id": "a", "label": "0"}, {"id": "b", "label": "0"})
    table = fg.align(gold, {"s": mine}, task="classification")
    data = item_data(embedded_units(table))
    assert table.text(0) == "as calm as a storm"  # an empty column is no text
    assert dict(data["fields"]) == {
        "context": ["as calm as a storm", "as old as time"], "question": [None, None],
    }  # fmt: skip
    ((name, parts),) = data["parts"]
    assert (name, parts["rows"][0]) == ("options", [["calm"], ["not"]])


def test_items_in_clusters_have_their_class() -> None:
    gold = _lines({"id": "a", "label": "sport"}, {"id": "b", "label": "news"})
    mine = _lines({"id": "a", "cluster": "c1"}, {"id": "b", "cluster": "c1"})
    data = item_data(embedded_units(fg.align(gold, {"s": mine}, task="clustering")))
    assert data["fields"][0] == ("class", ["sport", "news"])


def test_predictions_are_told_beside_their_errors() -> None:
    """A number that is 2 off may be too high or too low."""
    answers = {"ridge": [1.5, None], "far": [2.0, 4.0]}
    table = fg.from_items([1.0, 2.0], answers, task="regression", missing="wrong")
    found = item_data(embedded_units(table))
    assert found["answers"] == [["1.5", None], ["2", "4"]]
    assert dict(found["fields"])["gold_value"] == ["1", "2"]
    shown = fg.show(table).to_json()["units"][1]
    assert shown["gold"] == "2"
    answers = [one["answer"] for one in shown["systems"].values()]
    assert [one and one["label"] for one in answers] == [None, "4"]
