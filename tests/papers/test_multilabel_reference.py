"""Scores of real label sets, equal to those of scikit-learn 1.9.1."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import finegrain as fg

NAMES = {
    "micro_f1": "f1_micro", "macro_f1": "f1_macro", "weighted_f1": "f1_weighted",
    "samples_f1": "f1_samples", "jaccard": "jaccard_samples", "hamming": "hamming_loss",
    "subset_accuracy": "subset_accuracy", "micro_precision": "precision_micro",
    "micro_recall": "recall_micro",
}  # fmt: skip


def test_goemotions(shared: Path) -> None:
    folder = shared / "data/multilabel/goemotions-original"
    expected = json.loads((folder / "reference.json").read_text())
    systems = {
        name: fg.read(str(folder / f"system-{name}.jsonl.gz")) for name in expected["systems"]
    }
    table = fg.align(fg.read(str(folder / "gold.jsonl.gz")), systems)
    assert table.task.name == "multilabel"
    assert set(table.labels) == set(expected["labels"])
    assert table.settings["schema"] == "28"
    result = fg.score(table).to_json()
    for name, one in expected["systems"].items():
        assert table.corpus.n_sentences == one["n"]
        for ours, theirs in NAMES.items():
            assert result[name]["overall"][ours] == pytest.approx(one[theirs], abs=1e-12), ours
        for label, row in one["per_label"].items():
            found = result[name]["labels"][label]
            assert found["support"] == row["support"]
            assert found["f1"] == pytest.approx(row["f1"])
            assert found["recall"] == pytest.approx(row["recall"])
            assert (found["precision"] or 0.0) == pytest.approx(row["precision"])  # n/a is 0 there
        predicted = table.outcome[:, table.system(name)]
        with_some = set(table.sentence[(predicted == 0) | (predicted == 2)].tolist())
        assert one["n"] - len(with_some) == one["empty_predictions"]
