"""What must be known to read scores: labels that are left out, numbers that are undefined."""

from __future__ import annotations

import pytest

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.corpus.label_rules import LabelRules

TEXT = [["a", "b", "c"]]


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (LabelRules(exclude=frozenset(["D"])), True),  # c is no unit, and its N is no false one
        (LabelRules(only=frozenset(["N"])), True),
        (LabelRules(exclude=frozenset(["X"])), False),  # only the system has it: all count
        (LabelRules(only=frozenset(["Z"])), False),  # nothing counts
        (LabelRules(rename={"D": "N"}), False),
    ],
)
def test_precision_without_some_gold_labels_may_be_too_high(rules: LabelRules, told: bool) -> None:
    gold, system = (Corpus.of(TEXT, tags=[tags.split()]) for tags in ("N V D", "N X N"))
    scores = fg.score(fg.align(gold, {"s": system}, task="tags", rules=rules))
    assert any("may be too high" in note for note in scores.notes) == told
    assert not any("may be too high" in note for note in fg.score(
        fg.align(gold, {"s": system}, task="tags", rules=rules), "accuracy"
    ).notes), "accuracy counts no answers"  # fmt: skip
