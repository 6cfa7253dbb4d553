"""What has no place in the text is an outcome beside those of spans, and changes no other one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import finegrain as fg
from finegrain.formats import jsonl
from finegrain.formats.source import source_of
from finegrain.table import OutcomeTable

TEXTS = {"d1": "Ada met Bob in Ghent.", "d2": "Eve slept.", "d3": "Oh! Ada."}
PER, LOC = "PER", "LOC"


def corpus(spans: dict[str, Any], unplaced: dict[str, Any] | None = None) -> fg.Corpus:
    """A corpus of the texts, whose spans are (begin, end, label[, class])."""
    lines = []
    for name, text in TEXTS.items():
        listed = [
            {"start": begin, "end": end, "label": label, **({"grounding": how[0]} if how else {})}
            for begin, end, label, *how in spans.get(name, [])
        ]
        record: dict[str, Any] = {"id": name, "text": text, "spans": listed}
        if unplaced is not None:
            record["unplaced"] = [
                dict(zip(("class", "label", "answer"), item, strict=True))
                for item in unplaced.get(name, [])
            ]
        lines.append(json.dumps(record))
    return jsonl.read(source_of("m", "\n".join(lines).encode() + b"\n"))


GOLD = corpus({"d1": [(0, 3, PER), (8, 11, PER), (15, 20, LOC)], "d2": [(0, 3, PER)],
               "d3": [(4, 7, PER)]})  # fmt: skip
# in the first text Ada is right, Ghent with the wrong label, Rome and a second Bath are not there;
# in the second text a refusal, in the third one a right answer
MODEL = corpus(
    {"d1": [(15, 20, PER, "fuzzy"), (0, 3, PER, "exact")], "d3": [(4, 7, PER, "moved")]},
    {"d1": [("hallucinated", LOC, "Rome"), ("duplicate", PER, "Ada"),
            ("out-of-schema", "CITY", "Bath")], "d2": [("refused", "", "I cannot.")]},
)  # fmt: skip


def outcomes(table: OutcomeTable, system: str) -> list[tuple[str, str]]:
    column = table.system(system)
    names = table.outcomes.names
    return [(table.text(row), names[table.outcome[row, column]]) for row in range(len(table))]


def test_every_item_has_its_outcome() -> None:
    table = fg.align(GOLD, {"m": MODEL})
    assert outcomes(table, "m") == [
        ("Ada", "TP"), ("Bob", "FN"), ("Ghent", "LE"), ("Ghent", "USED"),
        ("Bath [CITY]", "OOS"), ("Rome", "HAL"), ("Ada", "DUP"),
        ("Eve", "FN"), ("I cannot.", "REF"), ("Ada", "TP"),
    ]  # fmt: skip
    grounding = table.details["grounding"][:, 0].tolist()
    # a gold span that another span answers has that one's
    assert grounding == ["exact", None, "fuzzy", "fuzzy", *[None] * 5, "moved"]


@pytest.mark.parametrize(("unplaced", "precision"), [
    # TP 2 of predicted: Ada, Ghent, Ada; and if charged Rome, Ada again, Bath; never the refusal
    ("charged", 2 / 6), ("uncharged", 2 / 3),
])  # fmt: skip
def test_precision_is_charged_as_chosen_and_the_signature_says_so(
    unplaced: str, precision: float, tmp_path: Path
) -> None:
    table = fg.align(GOLD, {"m": MODEL}, unplaced=unplaced)
    score = fg.score(table)
    assert score.value("traditional_precision", "m") == pytest.approx(precision)
    assert score.value("traditional_recall", "m") == pytest.approx(2 / 5)
    # fair: LE is half a false positive and half a false negative
    charged = 3 if unplaced == "charged" else 0
    fair = 2 / (2 + 0.5 + charged)
    assert score.value("fair_precision", "m") == pytest.approx(fair)
    assert f"unplaced:{unplaced}" in score.signature
    counted = fg.error_types(table).to_json()
    assert "HAL" in json.dumps(counted)
    table.save(str(tmp_path / "t.parquet"))
    again = fg.load(str(tmp_path / "t.parquet"))
    assert fg.score(again).value("traditional_precision", "m") == pytest.approx(precision)


def test_other_systems_are_what_they_are_without_it() -> None:
    other = corpus({"d1": [(0, 3, PER), (8, 11, LOC)], "d2": [(0, 3, PER)]})
    alone = fg.align(GOLD, {"o": other})
    both = fg.align(GOLD, {"o": other, "m": MODEL})
    assert (alone.task.name, both.task.name) == ("spans", "extraction")
    for metric in ("traditional_f1", "fair_f1", "traditional_macro_f1"):
        assert fg.score(both).value(metric, "o") == fg.score(alone).value(metric, "o")
    seen = [pair for pair in outcomes(both, "o") if pair[1] != "ABSENT"]
    assert seen == [pair for pair in outcomes(alone, "o") if pair[1] != "ABSENT"]


def test_the_grounding_is_a_field_and_a_bucket() -> None:
    table = fg.align(GOLD, {"m": MODEL})
    shown = fg.show(table, where="grounding[m]=moved")
    assert len(shown.to_json()["units"]) == 1
    found = fg.buckets(table, by="grounding[m]", intervals=0)
    assert "fuzzy" in str(found)
    assert len(fg.show(table, where="outcome[m]=HAL").to_json()["units"]) == 1


def test_rules_for_labels_hold_for_items_without_a_place() -> None:
    from finegrain.corpus.label_rules import LabelRules

    table = fg.align(GOLD, {"m": MODEL}, rules=LabelRules(exclude=frozenset({LOC})))
    assert "Rome" not in [text for text, _ in outcomes(table, "m")]
    renamed = fg.align(GOLD, {"m": MODEL}, rules=LabelRules(rename={LOC: "PLACE"}))
    row = [text for text, _ in outcomes(renamed, "m")].index("Rome")
    assert renamed.labels[renamed.label[row]] == "PLACE"


def test_the_gold_tokens_may_be_others() -> None:
    words = [["Ada", "met", "Bob", "in", "Ghent", "."], ["Eve", "slept", "."],
             ["Oh", "!"], ["Ada", "."]]  # fmt: skip
    tags = [["B-PER", "O", "B-PER", "O", "B-LOC", "O"], ["B-PER", "O", "O"], ["O", "O"],
            ["B-PER", "O"]]  # fmt: skip
    gold = fg.Corpus.of(words, tags=tags)
    table = fg.align(gold, {"m": MODEL})
    found = outcomes(table, "m")
    assert ("I cannot.", "REF") in found
    row = found.index(("I cannot.", "REF"))
    assert table.sentence[row] == 1  # that of Eve
    assert found[-1] == ("Ada", "TP")


def test_two_systems_share_an_item_without_a_place() -> None:
    table = fg.align(GOLD, {"m": MODEL, "n": MODEL})
    assert len(table) == len(fg.align(GOLD, {"m": MODEL}))
    assert np.array_equal(table.outcome[:, 0], table.outcome[:, 1])
    assert fg.oracle(table).to_json()


def test_the_order_of_spans_in_a_file_is_irrelevant() -> None:
    turned = corpus(
        {"d1": [(0, 3, PER, "exact"), (15, 20, PER, "fuzzy")], "d3": [(4, 7, PER, "moved")]}, {}
    )
    one = fg.align(GOLD, {"m": turned}).details["grounding"][:, 0].tolist()
    assert [kind for kind in one if kind] == ["exact", "fuzzy", "fuzzy", "moved"]


def test_time_and_cost_of_answers_are_columns_and_systems_are_compared_by_them() -> None:
    record = {"spans": [{"start": 0, "end": 3, "label": PER, "grounding": "exact"}]}

    def model(costs: list[float], right: int) -> fg.Corpus:
        lines = [
            {"id": name, "text": text, "spans": record["spans"] if at < right else [],
             "unplaced": [], "usage": {"cost": cost}}
            for at, ((name, text), cost) in enumerate(zip(TEXTS.items(), costs, strict=True))
        ]  # fmt: skip
        return jsonl.read(source_of("m", "".join(f"{json.dumps(one)}\n" for one in lines).encode()))

    systems = {"cheap": model([1, 1, 1], 1), "dear": model([9, 6, 6], 1), "good": model([2] * 3, 2)}
    table = fg.align(GOLD, systems)
    assert table.details["cost"][table.sentence == 0, 1].tolist() == [9.0] * 3
    found = fg.study(table, "costs", intervals=0)
    assert found.data["systems"]["dear"]["cost"] == 7
    assert found.data["optimal"]["cost"] == ["cheap", "good"]
    with pytest.raises(fg.UsageError, match="needs answers with latency"):
        fg.study(fg.align(GOLD, {"m": MODEL}), "costs")


@pytest.mark.parametrize(("more", "message"), [
    ({"unplaced": [{"class": "lost", "label": "X", "answer": "a"}]}, "the class of an unplaced"),
    ({"unplaced": 7}, "unplaced is not a list"),
    ({"unplaced": [7]}, "an unplaced item is not an object"),
    ({"unplaced": [{"class": "refused", "label": 1}]}, "does not have its class"),
    ({"usage": 7}, "usage is not an object"),
    ({"usage": {"cost": "much"}}, "not numbers"),
    ({"spans": [{"start": 0, "end": 3, "label": "X", "grounding": 1}]}, "not a string"),
])  # fmt: skip
def test_bad_items_are_refused_with_their_line(more: dict[str, Any], message: str) -> None:
    lines = [{"text": "Oh!", "spans": []}, {"text": "Ada.", "spans": [], **more}]
    data = "".join(json.dumps(one) + "\n" for one in lines).encode()
    with pytest.raises(fg.InputError, match=f"m:2: .*{message}"):
        jsonl.read(source_of("m", data))
