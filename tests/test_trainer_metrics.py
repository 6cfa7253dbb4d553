"""What a training loop logs: the numbers of the table, by short names."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import finegrain as fg
from finegrain.errors import UsageError

NAMES = {0: "O", 1: "B-PER", 2: "I-PER"}
LABELS = np.array([[-100, 1, 2, 0, -100], [1, 0, 0, -100, -100]])
ANSWERS = np.array([[0, 1, 0, 0, 2], [1, 0, 0, 0, 0]])  # one span too short, one right


def test_numbers_are_those_of_the_table() -> None:
    """Fair: 2 TP / (2 TP + BES) = 2 / 3."""
    found = fg.compute_metrics(NAMES)((np.eye(3)[ANSWERS], LABELS))
    assert found == {
        "precision": 0.5, "recall": 0.5, "f1": 0.5, "fair_f1": pytest.approx(2 / 3),
        "accuracy": pytest.approx(5 / 6),
    }  # fmt: skip
    table = fg.from_lists(LABELS, ANSWERS, names=NAMES)
    assert found["fair_f1"] == fg.score(table)["system"].fair_f1


def test_every_form_of_what_a_trainer_gives() -> None:
    compute = fg.compute_metrics({"O": 0, "B-PER": 1, "I-PER": 2})
    scores = np.eye(3)[ANSWERS]
    expected = compute((ANSWERS, LABELS))
    assert compute((scores, LABELS)) == expected
    assert compute(((scores, "hidden states"), LABELS)) == expected
    assert compute(SimpleNamespace(predictions=scores, label_ids=LABELS)) == expected
    assert fg.compute_metrics(["O", "B-PER", "I-PER"])((ANSWERS, LABELS)) == expected


def test_plain_tags_have_accuracy_and_a_mean_over_labels() -> None:
    """N: precision 2/3, recall 1; V: recall 0."""
    found = fg.compute_metrics(["N", "V"])(([[0, 0, 0]], [[0, 1, 0]]))
    assert found == {"accuracy": pytest.approx(2 / 3), "macro_f1": pytest.approx(0.4)}


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(UsageError, match=r"predictions \(2, 5\) do not fit labels \(1, 5\)"):
        fg.compute_metrics(NAMES)((ANSWERS, LABELS[:1]))


def test_all_numbers_by_one_name_each() -> None:
    table = fg.from_lists([["B-PER", "B-LOC"]], {"a": [["B-PER", "O"]], "b": [["B-PER", "B-LOC"]]})
    found = fg.score(table).flat()
    assert found["a/traditional_f1"] == fg.score(table)["a"].f1
    assert found["b/LOC/traditional_recall"] == 1
    assert np.isnan(found["a/LOC/traditional_precision"])
    counts = fg.error_types(table).flat()
    assert all(isinstance(value, int | float) for value in counts.values())
