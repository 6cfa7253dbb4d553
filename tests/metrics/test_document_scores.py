"""F-beta, support-weighted and per-document scores, worked by hand and against scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.corpus import Corpus, Spans
from finegrain.metrics.label_counts import f1, f_beta


def _corpus(documents: list[int] | None, *rows: tuple[int, int, int, str]) -> Corpus:
    return Corpus(
        "made",
        np.array([0, 9, 18, 27]),
        spans=Spans.of(rows),
        documents=None if documents is None else np.array(documents),
    )


GOLD = ((0, 0, 1, "A"), (0, 2, 3, "A"), (1, 0, 1, "B"), (1, 2, 4, "A"))
MADE = ((0, 0, 1, "A"), (0, 5, 6, "B"), (1, 0, 1, "B"), (1, 2, 4, "A"))


def test_document_macro_by_hand() -> None:
    """Document 0: TP 1, FP 1, FN 1, F1 1/2. Document 1: F1 1. Document 2 is empty."""
    table = fg.align(_corpus([0, 1, 2], *GOLD), {"s": _corpus([0, 1, 2], *MADE)})
    scores = fg.score(table)
    assert scores.value("traditional_document_macro_f1", "s") == 0.75
    assert scores.to_json()["s"]["overall"]["fair"]["document_macro_f1"] == 0.75


def test_a_document_with_predictions_only_counts_as_zero_for_that_system() -> None:
    """`s`: (1/2 + 1 + 0) / 3; `t` says nothing in document 2: (1/2 + 1) / 2."""
    systems = {"s": _corpus(None, *MADE, (2, 0, 1, "A")), "t": _corpus(None, *MADE)}
    scores = fg.score(fg.align(_corpus([0, 1, 2], *GOLD), systems))
    assert scores.value("traditional_document_macro_f1", "s") == 0.5
    assert scores.value("traditional_document_macro_f1", "t") == 0.75


def test_document_macro_is_null_with_one_reason_without_documents() -> None:
    scores = fg.score(fg.align(_corpus(None, *GOLD), {"s": _corpus(None, *MADE)}))
    assert scores.to_json()["s"]["overall"]["weighted"]["document_macro_f1"] is None
    assert scores.notes == (
        "document_macro_f1 is undefined: the gold corpus has no document boundaries",
    )


def test_weighted_by_hand() -> None:
    """A: TP 2, FN 1: F1 4/5, gold 3. B: TP 1, FP 1: F1 2/3, gold 1. (3 * 4/5 + 2/3) / 4."""
    scores = fg.score(fg.align(_corpus(None, *GOLD), {"s": _corpus(None, *MADE)}))
    assert scores.value("traditional_weighted_f1", "s") == pytest.approx((12 / 5 + 2 / 3) / 4)


def test_document_macro_accuracy_by_hand() -> None:
    """Documents of 1 and 3 tokens: accuracies 0 and 2/3."""
    text = [["a"], ["b", "c", "d"]]
    gold = Corpus.of(text, documents=[0, 1], tags=[["N"], ["N", "V", "V"]])
    made = Corpus.of(text, tags=[["V"], ["N", "V", "N"]])
    scores = fg.score(fg.align(gold, {"s": made}))
    assert scores.value("document_macro_accuracy", "s") == pytest.approx(1 / 3)


def test_f_beta_is_in_every_family_and_in_the_signature() -> None:
    """Traditional: TP 3, FP 1, FN 1 gives 3/4 for any beta; A: TP 2, FN 1, F2 = 10/(10 + 4)."""
    scores = fg.score(fg.align(_corpus(None, *GOLD), {"s": _corpus(None, *MADE)}), beta=2)
    found = scores.to_json()["s"]
    assert found["overall"]["traditional"]["f_beta"] == 0.75
    assert found["labels"]["A"]["traditional"]["f_beta"] == pytest.approx(10 / 14)
    assert all("f_beta" in family for family in found["overall"].values())
    assert "|beta:2|" in scores.signature
    with pytest.raises(fg.UsageError, match="unknown metric 'traditional_f_beta'"):
        fg.score(fg.align(_corpus(None, *GOLD), {"s": _corpus(None)}), "traditional_f_beta")


pairs = st.lists(
    st.tuples(st.sampled_from("NVAX"), st.sampled_from("NVAX")), min_size=1, max_size=30
)


@given(pairs, st.sampled_from([0.25, 0.5, 1, 2, 3.5]))
@settings(max_examples=50, deadline=None)
def test_f_beta_of_tags_is_that_of_scikit_learn(listed: list[Any], beta: float) -> None:
    from sklearn.metrics import fbeta_score

    gold, answer = ([list(column)] for column in zip(*listed, strict=True))
    text = [[str(at) for at in range(len(listed))]]
    table = fg.align(Corpus.of(text, tags=gold), {"s": Corpus.of(text, tags=answer)}, task="tags")
    scores = fg.score(table, beta=beta)
    theirs = fbeta_score(gold[0], answer[0], beta=beta, average=None, zero_division=0)
    ours = [scores.value("f_beta", "s", label=label) for label in table.labels]
    assert ours == pytest.approx(list(theirs))
    assert scores.value("macro_f_beta", "s") == pytest.approx(np.mean(theirs))


def test_f_beta_of_tags_is_shown_for_every_label() -> None:
    text, tags = [["a", "b", "c"]], [["N", "V", "V"]]
    gold, made = Corpus.of(text, tags=tags), Corpus.of(text, tags=[["N", "N", "V"]])
    scores = fg.score(fg.align(gold, {"s": made}, task="tags"), beta=2)
    shown = {column.name for table in scores.listings() for column in table.columns}
    assert {"F-beta", "macro F-beta"} <= shown


def test_f_one_is_f1() -> None:
    counts = np.array([[30.0, 0, 10, 40, 30], [0, 3, 0, 0, 3], [0, 0, 0, 0, 0]])
    assert np.array_equal(f_beta(1)(counts), f1(counts), equal_nan=True)


@pytest.mark.parametrize("beta", [0, -1, float("nan"), float("inf")])
def test_beta_must_be_positive(beta: float) -> None:
    with pytest.raises(fg.UsageError, match="beta must be a number above 0"):
        f_beta(beta)
