"""Scores of real classifiers, equal to those of scikit-learn 1.9.1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.corpus.label_rules import LabelRules
from finegrain.formats import recognise
from finegrain.formats.source import open_source
from finegrain.tasks import by_name

NAMES = {
    "accuracy": "accuracy", "balanced_accuracy": "balanced_accuracy", "macro_f1": "f1_macro",
    "micro_f1": "f1_micro", "weighted_f1": "f1_weighted", "kappa": "cohen_kappa", "mcc": "mcc",
}  # fmt: skip


def _read(path: Path, **options: Any) -> fg.Corpus:
    formats = by_name("classification").formats
    return fg.read(str(path), format=recognise(open_source(str(path)), formats), **options)


def _require_equal(result: dict[str, Any], expected: dict[str, Any]) -> None:
    for ours, theirs in NAMES.items():
        assert result["overall"][ours] == pytest.approx(expected[theirs], abs=1e-12), ours
    assert result["overall"]["error_rate"] == pytest.approx(1 - expected["accuracy"])
    for label, row in expected["per_label"].items():
        found = result["labels"][label]
        assert found["support"] == row["support"]
        assert found["f1"] == pytest.approx(row["f1-score"])
        assert found["recall"] == pytest.approx(row["recall"])
        assert (found["precision"] or 0.0) == pytest.approx(row["precision"])  # n/a is 0 there


def test_sst2_by_order(shared: Path) -> None:
    folder = shared / "data/classification/sst2"
    expected = json.loads((folder / "reference.json").read_text())
    systems = {name: _read(folder / f"sst2-{name}-output.txt") for name in expected["systems"]}
    table = fg.align(_read(folder / "sst2-dataset.tsv"), systems)
    assert table.task.name == "classification"
    assert any("matched by their order" in note for note in table.notes)
    result = fg.score(table).to_json()
    for name, one in expected["systems"].items():
        _require_equal(result[name], one)
    (pair,) = fg.significance(table, test="mcnemar").to_json()["pairs"]
    reference = expected["mcnemar cnn vs lstm"]
    assert pair["p"] == pytest.approx(reference["exact_p_two_sided"])


@pytest.mark.parametrize(("exclude", "accuracy"), [((), 0.8644), (("-",), 0.8799)])
def test_snli_with_and_without_items_that_have_no_consensus(
    shared: Path, exclude: tuple[str, ...], accuracy: float
) -> None:
    folder = shared / "data/classification/snli"
    gold = _read(folder / "snli-dataset.tsv.gz")
    assert [name for name in gold.fields if not name.startswith("@")] == ["text", "text2", "label"]
    rules = LabelRules(exclude=frozenset(exclude))
    table = fg.align(gold, {"roberta": _read(folder / "snli-roberta-output.txt")}, rules=rules)
    result = fg.score(table).to_json()["roberta"]
    assert result["overall"]["accuracy"] == pytest.approx(accuracy, abs=5e-5)
    if not exclude:
        expected = json.loads((folder / "reference.json").read_text())
        _require_equal(result, expected["systems"]["roberta"])


def test_fig_qa_from_json_arrays(shared: Path) -> None:
    folder = shared / "data/classification/fig_qa"
    expected = json.loads((folder / "reference.json").read_text())["systems"]
    gold = _read(folder / "fig_qa-dataset.json.gz", columns={"label": "answers.option_index"})
    systems = {
        name: _read(
            folder / f"fig_qa-{name}-output.json",
            columns={"label": "predicted_answers.option_index"},
        )
        for name in expected
    }
    result = fg.score(fg.align(gold, systems, task="classification")).to_json()
    for name, one in expected.items():
        _require_equal(result[name], one)


def test_xnli_with_gold_and_answer_in_one_file(shared: Path) -> None:
    folder = shared / "data/classification/xnli-en"
    expected = json.loads((folder / "reference.json").read_text())["systems"]
    files = {name: _read(folder / f"{name}.json.gz") for name in expected}
    result = fg.score(fg.align(files["mlpp"], files)).to_json()
    for name, one in expected.items():
        _require_equal(result[name], one)
