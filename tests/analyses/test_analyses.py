"""Error types, confusion and scores on small corpora, worked by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import finegrain as fg
from finegrain.corpus import Corpus, Spans
from finegrain.metrics import METRICS
from finegrain.testing import small_corpora


def _spans(*rows: tuple[int, int, int, str]) -> Corpus:
    return Corpus("spans", np.array([0, 20]), spans=Spans.of(rows))


def test_error_types_of_the_small_corpora() -> None:
    """`short`: ORG loses `Royal` (BES), LOC loses `London` (BES), PER on `She` is invented."""
    table = fg.align(*small_corpora("spans"))
    counts = fg.error_types(table).to_json()["short"]["counts"]
    assert counts["BES"] == 2
    assert counts["FP"] == 1
    assert counts["TP"] == 5  # of 7
    assert counts["FN"] == counts["LE"] == counts["LBE"] == 0


def test_tag_errors_are_pairs() -> None:
    table = fg.align(*small_corpora("tags"))
    errors = fg.error_types(table).to_json()["nouns"]["labels"]
    assert errors["PROPN"]["NOUN"] == 2
    assert errors["NOUN"] == {"NOUN": 1, "VERB": 1}


def test_examples_are_spread_over_the_corpus() -> None:
    text = [[f"w{at}"] for at in range(10)]
    gold = Corpus.of(text, tags=[["B-A"]] * 10)
    system = Corpus.of(text, tags=[["O"]] * 10)
    examples = fg.error_types(fg.align(gold, {"s": system}), examples=3).examples
    assert [example.sentence for example in examples] == [1, 5, 8]
    assert all(example.answer is None for example in examples)


def test_an_invented_span_is_an_example_without_gold() -> None:
    examples = fg.error_types(
        fg.align(_spans(), {"s": _spans((0, 2, 4, "A"))}, task="spans"), examples=1
    ).examples
    assert [(one.outcome, one.gold) for one in examples] == [("FP", None)]
    assert examples[0].answer is not None
    assert examples[0].answer.tokens == (2, 3)


def test_a_prediction_charged_to_an_answered_gold_span_shows_both() -> None:
    """Gold A 0-5 is answered by A 0-1 (BES); A 3-5 is charged to it as well."""
    table = fg.align(_spans((0, 0, 6, "A")), {"s": _spans((0, 0, 2, "A"), (0, 3, 6, "A"))})
    examples = fg.error_types(table, examples=5).examples
    assert [one.outcome for one in examples] == ["BES", "BES"]
    assert all(one.gold is not None and one.gold.tokens == tuple(range(6)) for one in examples)


def test_confusion_margins_are_missed_and_spurious() -> None:
    """LE A->B; FN of A; FP of C; the correct B is not entered."""
    gold = _spans((0, 0, 1, "A"), (0, 2, 3, "A"), (0, 4, 5, "B"))
    system = _spans((0, 0, 1, "B"), (0, 4, 5, "B"), (0, 8, 9, "C"))
    cells = fg.confusion(fg.align(gold, {"s": system})).to_json()["s"]
    found = {(row, column): n for row, line in cells.items() for column, n in line.items() if n}
    assert found == {("A", "B"): 1, ("A", "_"): 1, ("_", "C"): 1}


def test_all_o_gold_is_scored_with_a_note() -> None:
    text = [["a", "b"]]
    gold = Corpus.of(text, tags=[["O", "O"]])
    scores = fg.score(fg.align(gold, {"s": Corpus.of(text, tags=[["B-A", "O"]])}))
    assert "the gold standard has no spans" in scores.notes
    assert scores.value("traditional_f1", "s") == 0
    assert np.isnan(scores.value("traditional_recall", "s"))
    assert scores.to_json()["s"]["overall"]["traditional"]["recall"] is None


def test_signature_names_every_choice() -> None:
    table = fg.align(*small_corpora("spans"), scheme="iob2", policy="discard")
    line = fg.score(table, weights="LE = 1 FN", focus="system").signature
    assert line == (
        "task:spans|scheme:iob2|policy:discard|repairs:1|focus:system|weights:LE = 1 FN|"
        f"units:7|sentences:4|docs:2|systems:2|v:{fg.__version__}"
    )


def test_values_by_name_name_the_known_ones() -> None:
    scores = fg.score(fg.align(*small_corpora("tags")))
    with pytest.raises(fg.UsageError, match="Did you mean 'accuracy'"):
        scores.value("acuracy", "nouns")
    with pytest.raises(fg.UsageError, match="unknown system"):
        scores.value("accuracy", "verbs")
    with pytest.raises(fg.UsageError, match="unknown label"):
        scores.value("f1", "nouns", label="NON")


def test_a_metric_of_another_task_is_refused() -> None:
    with pytest.raises(
        fg.UsageError, match="'fair_f1' needs spans, which the task tags does not have"
    ):
        fg.score(fg.align(*small_corpora("tags")), "fair_f1")


def test_one_metric_or_my_own() -> None:
    table = fg.align(*small_corpora("spans"))
    assert set(fg.score(table, "fair_f1").overall) == {"fair_f1"}
    mine = replace(METRICS["fair_f1"], name="mine", family="", short="mine")
    assert fg.score(table, [mine]).value("mine", "short") == fg.score(table).value(
        "fair_f1", "short"
    )
