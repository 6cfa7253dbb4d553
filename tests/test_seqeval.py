"""The functions of seqeval give what seqeval gives."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import seqeval.metrics as peer
from hypothesis import assume, given
from hypothesis import strategies as st
from seqeval import scheme as schemes

from finegrain import seqeval as ours
from finegrain.errors import UsageError
from tests.test_lists import sentences, sides

TAGS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
PAIRS = sentences(TAGS).filter(lambda pairs: any(a != "O" for row in pairs for a, _ in row))
AVERAGES = (None, "micro", "macro", "weighted")
SCORES = ("precision_score", "recall_score", "f1_score")


def quietly(function: Any, *sides: Any, **how: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*sides, **how)


@given(PAIRS, st.sampled_from(("warn", 0, 1)), st.sampled_from((None, "strict")))
def test_scores_are_those_of_seqeval(pairs: Any, instead: Any, mode: str | None) -> None:
    gold, answers = sides(pairs)
    how: dict[str, Any] = {"zero_division": instead, "mode": mode}
    if mode:
        how["scheme"] = schemes.IOB2
        assume(any(schemes.Entities(side, schemes.IOB2).unique_tags for side in (gold, answers)))
    for name in SCORES:
        for average in AVERAGES:
            wanted = quietly(getattr(peer, name), gold, answers, average=average, **how)
            found = quietly(getattr(ours, name), gold, answers, average=average, **how)
            assert found == pytest.approx(wanted, abs=1e-12), (name, average)
    wanted = quietly(peer.classification_report, gold, answers, output_dict=True, **how)
    found = quietly(ours.classification_report, gold, answers, output_dict=True, **how)
    assert list(found) == list(wanted)
    for name, row in wanted.items():
        assert found[name] == pytest.approx(row, abs=1e-12), name
    texts = (quietly(one.classification_report, gold, answers, digits=4, **how)
             for one in (peer, ours))  # fmt: skip
    assert len(set(texts)) == 1
    assert ours.accuracy_score(gold, answers) == peer.accuracy_score(gold, answers)


@given(PAIRS)
def test_tags_with_their_prefix_behind(pairs: Any) -> None:
    gold, answers = sides(pairs)
    turned = [[["-".join(tag.split("-")[::-1]) for tag in row] for row in side]
              for side in (gold, answers)]  # fmt: skip
    wanted = quietly(peer.f1_score, *turned, suffix=True)
    assert quietly(ours.f1_score, *turned, suffix=True) == pytest.approx(wanted)


def test_compute_has_the_names_of_the_metric_of_evaluate() -> None:
    found = ours.compute(predictions=[["B-PER", "O"]], references=[["B-PER", "B-PER"]])
    assert found == {
        "PER": {"precision": 1.0, "recall": 0.5, "f1": pytest.approx(2 / 3), "number": 2},
        "overall_precision": 1.0, "overall_recall": 0.5, "overall_f1": pytest.approx(2 / 3),
        "overall_accuracy": 0.5,
    }  # fmt: skip


def test_undefined_scores_warn_unless_their_value_is_said() -> None:
    sides = [["B-PER", "O"]], [["O", "O"]]
    with pytest.warns(UserWarning, match="undefined and set to 0"):
        assert ours.precision_score(*sides) == 0
    assert ours.precision_score(*sides, zero_division=1) == 1
    assert np.array_equal(ours.precision_score(*sides, average=None, zero_division=0), [0])


@pytest.mark.parametrize(
    ("how", "what"),
    [
        ({"average": "samples"}, "unknown average 'samples'"),
        ({"mode": "loose"}, "unknown mode 'loose'"),
        ({"mode": "strict", "scheme": "IOB7"}, "unknown scheme 'iob7'"),
        ({"zero_division": 2}, "unknown zero_division '2'"),
        ({"sample_weight": [1.0]}, "sentences are not weighted"),
    ],
)
def test_what_is_not_known_is_refused(how: dict[str, Any], what: str) -> None:
    with pytest.raises(UsageError, match=what):
        ours.f1_score([["B-PER"]], [["B-PER"]], **how)
