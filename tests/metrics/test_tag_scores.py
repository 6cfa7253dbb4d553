"""Tags: hand-worked scores, and scikit-learn's definitions on generated corpora."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import finegrain as fg
from finegrain.corpus import Corpus

TEXT = [["time", "flies", "fast"], ["yes"], ["fruit", "flies"]]
GOLD = [["NOUN", "VERB", "ADV"], ["INTJ"], ["NOUN", "NOUN"]]
MADE = [["NOUN", "VERB", "ADJ"], ["INTJ"], ["NOUN", "VERB"]]


def test_scores_by_hand() -> None:
    """4 of 6 tokens, 1 of 3 sentences.

    F1: NOUN 2*2/(2*2+0+1) = .8, VERB 2/(2+1+0) = 2/3, ADV 0, INTJ 1, ADJ (only answered) 0.
    Macro over 5 labels: (.8 + .6667 + 0 + 1 + 0) / 5; weighted by gold 3, 1, 1, 1.
    """
    gold = Corpus.of(TEXT, documents=[0, 0, 1], tags=GOLD)
    scores = fg.score(fg.align(gold, {"s": Corpus.of(TEXT, tags=MADE)}))
    assert scores.value("accuracy", "s") == pytest.approx(4 / 6)
    assert scores.value("sentence_accuracy", "s") == pytest.approx(1 / 3)
    assert scores.value("f1", "s", label="NOUN") == pytest.approx(0.8)
    assert scores.value("macro_f1", "s") == pytest.approx((0.8 + 2 / 3 + 1) / 5)
    assert scores.value("support_weighted_f1", "s") == pytest.approx((3 * 0.8 + 2 / 3 + 1) / 6)
    assert scores.notes == ("labels that only systems use: ADJ",)


def test_json_has_the_published_shape() -> None:
    gold = Corpus.of(TEXT, tags=GOLD)
    result = fg.score(fg.align(gold, {"s": Corpus.of(TEXT, tags=MADE)})).to_json()["s"]
    assert set(result["overall"]) == {
        "accuracy", "sentence_accuracy", "micro_f1", "macro_f1", "weighted_f1",
        "document_macro_accuracy",
    }  # fmt: skip
    assert result["labels"]["VERB"] == {"precision": 0.5, "recall": 1.0, "f1": 2 / 3, "support": 1}
    assert result["labels"]["ADJ"]["recall"] is None


tags = st.lists(
    st.tuples(st.sampled_from("NVAX"), st.sampled_from("NVAX")), min_size=1, max_size=30
)


@given(tags)
@settings(max_examples=100, deadline=None)
def test_equal_to_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import accuracy_score, f1_score

    gold, answer = ([list(column)] for column in zip(*pairs, strict=True))
    text = [[str(at) for at in range(len(pairs))]]
    table = fg.align(Corpus.of(text, tags=gold), {"s": Corpus.of(text, tags=answer)}, task="tags")
    scores = fg.score(table)
    assert scores.value("accuracy", "s") == pytest.approx(accuracy_score(gold[0], answer[0]))
    for average in ("micro", "macro", "weighted"):
        theirs = f1_score(gold[0], answer[0], average=average, zero_division=0)
        name = "support_weighted_f1" if average == "weighted" else f"{average}_f1"
        assert scores.value(name, "s") == pytest.approx(theirs)
