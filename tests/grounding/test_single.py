"""Labels, options and short texts are found in what models write around them, or their lack is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.grounding import SINGLE, Schema, label_in, option_in, text_in
from tests.command_line import run_finegrain

LABELS = Schema.of(["positive", "negative", "neutral"])


@pytest.mark.parametrize(("answer", "kind", "label"), [
    ("positive", "exact", "positive"),
    ("Positive.", "normalised", "positive"),
    ("**POSITIVE**", "normalised", "positive"),
    ('{"label": "positive", "why": "not negative"}', "verbose", "positive"),
    ("The review is full of praise. Answer: positive", "verbose", "positive"),
    ("It is not negative.\n\nLabel: positive", "verbose", "positive"),
    ("First I thought the answer is negative. The answer is positive.", "verbose", "positive"),
    (r"So \boxed{neutral}", "verbose", "neutral"),
    ("<think>negative?</think>positive", "exact", "positive"),
    ("I would call this review positive overall.", "verbose", "positive"),
    ("This is not positive.", "out-of-schema", None),
    ("positive or negative", "several", None),
    ("I don't know.", "abstained", None),
    ("mixed", "out-of-schema", None),
    ("I'm sorry, but I can't help with that.", "refused", None),
    ("", "unparseable", None),
    ("It has many sides, as all great works do, and more could be said of it than fits here.",
     "unparseable", None),
])  # fmt: skip
def test_labels(answer: str, kind: str, label: str | None) -> None:
    assert label_in(answer, LABELS) == (kind, label)


@pytest.mark.parametrize(("answer", "kind", "letter"), [
    ("B", "exact", "B"),
    ("(b)", "normalised", "B"),
    ("B.", "normalised", "B"),
    ("B) The cat sat.", "normalised", "B"),
    ("The answer is (C).", "verbose", "C"),
    ("A is wrong because of the date. Answer: B", "verbose", "B"),
    (r"\boxed{D}", "verbose", "D"),
    ('{"answer": "C"}', "verbose", "C"),
    ("A cat is an animal, so I choose (B).", "verbose", "B"),
    ("Either (A) or (B).", "several", None),
    ("Cannot be determined.", "abstained", None),
    ("E", "out-of-schema", None),
])  # fmt: skip
def test_options(answer: str, kind: str, letter: str | None) -> None:
    assert option_in(answer, ["A", "B", "C", "D"]) == (kind, letter)


@pytest.mark.parametrize(("answer", "kind", "text"), [
    ("Ghent", "exact", "Ghent"),
    ("Ghent.", "normalised", "Ghent"),
    ("The answer is: Ghent", "verbose", "Ghent"),
    ('{"answer": "Ghent"}', "verbose", "Ghent"),
    ("It is not mentioned in the passage.", "abstained", None),
    ("I cannot assist with that.", "refused", None),
    ("", "unparseable", None),
])  # fmt: skip
def test_texts(answer: str, kind: str, text: str | None) -> None:
    assert text_in(answer) == (kind, text)


def test_labels_become_items_that_are_scored(tmp_path: Path) -> None:
    gold = [{"id": f"q{at}", "text": "so", "label": "pos" if at % 2 else "neg"} for at in range(6)]
    said = ["Answer: neg", "pos", "NEG", "I don't know.", "neg", "pos or neg"]
    lines = [{"id": f"q{at}", "answer": one, "cost": 0.5} for at, one in enumerate(said)]
    for name, rows in (("gold", gold), ("said", lines)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run_finegrain(
        "ground", "said.jsonl", "--text", "gold.jsonl", "--kind", "label", "--schema", "pos,neg",
        "-o", "model.jsonl", "--format", "json", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout)["result"]["runs"][""]
    assert run["classes"] == {**dict.fromkeys(SINGLE, 0), "exact": 2, "normalised": 1,
                              "verbose": 1, "abstained": 1, "several": 1}  # fmt: skip
    assert run["usage"]["cost"] == 3
    refused = run_finegrain("score", "gold.jsonl", "model.jsonl", cwd=tmp_path)
    assert refused.returncode == 3  # two items have no answer
    scored = run_finegrain(
        "score", "gold.jsonl", "model.jsonl", "--missing", "wrong", "--format", "csv", cwd=tmp_path
    )
    assert scored.returncode == 0, scored.stderr
    assert "0.6666" in scored.stdout


def test_labels_need_a_schema() -> None:
    with pytest.raises(fg.UsageError, match="--schema"):
        fg.ground(["pos"], ["so"], kind="label")
    with pytest.raises(fg.UsageError, match="unknown kind"):
        fg.ground(["pos"], ["so"], kind="mood")  # type: ignore[arg-type]
