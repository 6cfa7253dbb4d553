"""Weights, focus, and what holds for span scores on any corpus."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import finegrain as fg
from finegrain.corpus import Corpus, Spans
from finegrain.metrics.span_scores import WEIGHTS, parse_weights, weights_by
from finegrain.tasks.spans import SPANS

LABELS = ("A", "B", "C")


def _corpus(rows: list[Any]) -> Corpus:
    return Corpus("generated", np.array([0, 12, 24]), spans=Spans.of(rows))


@st.composite
def _row(draw: st.DrawFn) -> Any:
    """A span in one of two sentences of 12 tokens: nested, crossing, equal, with gaps."""
    begin = draw(st.integers(0, 11))
    end = draw(st.integers(begin + 1, min(begin + 5, 12)))
    tokens = None
    if end - begin > 2 and draw(st.booleans()):
        tokens = (begin, *(t for t in range(begin + 1, end - 1) if draw(st.booleans())), end - 1)
    return (draw(st.integers(0, 1)), begin, end, draw(st.sampled_from(LABELS)), tokens)


corpora = st.lists(_row(), max_size=9).map(_corpus)


@given(corpora, corpora, st.sampled_from(["target", "system"]))
@settings(max_examples=300, deadline=None)
def test_overall_is_the_sum_over_labels(gold: Corpus, system: Corpus, focus: Any) -> None:
    result = fg.score(fg.align(gold, {"s": system}), focus=focus).to_json()["s"]
    for kind, count in result["counts"].items():
        assert count == sum(label["counts"][kind] for label in result["labels"].values())


@given(corpora, corpora)
@settings(max_examples=300, deadline=None)
def test_units_are_accounted_for(gold: Corpus, system: Corpus) -> None:
    """Gold rows are the gold spans; hits and other rows are the predicted spans."""
    table = fg.align(gold, {"s": system})
    counts = fg.score(table).to_json()["s"]["counts"]
    assert gold.spans is not None
    assert system.spans is not None
    assert counts["gold"] == len(gold.spans) == table.n_gold
    assert counts["predicted"] == len(system.spans)
    on_gold = table.outcome[table.is_gold, 0]
    assert not np.isin(on_gold, [SPANS.outcomes.code(x) for x in ("FP", "USED", "ABSENT")]).any()
    assert not table.is_outcome("TP", "FN", "LE")[~table.is_gold].any()


@given(corpora, corpora, corpora)
@settings(max_examples=200, deadline=None)
def test_adding_a_system_leaves_other_scores_unchanged(
    gold: Corpus, one: Corpus, two: Corpus
) -> None:
    alone = fg.score(fg.align(gold, {"one": one}))
    both = fg.score(fg.align(gold, {"two": two, "one": one}))
    for name in alone.overall:
        assert alone.value(name, "one") == pytest.approx(both.value(name, "one"), nan_ok=True)
    assert alone.to_json()["one"]["counts"] == both.to_json()["one"]["counts"]


@given(corpora, corpora)
@settings(max_examples=200, deadline=None)
def test_focus_changes_labels_but_not_the_sum(gold: Corpus, system: Corpus) -> None:
    table = fg.align(gold, {"s": system})
    target, answered = fg.score(table), fg.score(table, focus="system")
    assert target.to_json()["s"]["counts"] == answered.to_json()["s"]["counts"]
    assert target.value("fair_f1", "s") == pytest.approx(
        answered.value("fair_f1", "s"), nan_ok=True
    )


@given(corpora)
@settings(max_examples=100, deadline=None)
def test_perfect_output_is_perfect(gold: Corpus) -> None:
    scores = fg.score(fg.align(gold, {"s": gold}))
    assert gold.spans is not None
    for name in scores.overall:
        value = scores.value(name, "s")
        defined = len(gold.spans) and not name.endswith("document_macro_f1")
        assert value == 1 if defined else np.isnan(value)


@given(corpora, corpora)
@settings(max_examples=100, deadline=None)
def test_sentences_can_be_scored_apart_and_added(gold: Corpus, system: Corpus) -> None:
    table = fg.align(gold, {"s": system})
    whole = fg.score(table).to_json()["s"]["counts"]
    parts = [fg.score(table.where(table.sentence == at)).to_json()["s"]["counts"] for at in (0, 1)]
    assert whole == {kind: sum(part[kind] for part in parts) for kind in whole}


def test_formula_gives_the_named_weights() -> None:
    formula = (
        "LE = 0.5 FP + 0.5 FN, BES = 0.5 TP + 0.5 FN, BEL = 0.5 TP + 0.5 FP, "
        "BEO = 0.5 TP + 0.25 FP + 0.25 FN, LBE = 0.5 FP + 0.5 FN"
    )
    assert (parse_weights(formula).matrix == WEIGHTS["ortmann-weighted"].matrix).all()


@given(corpora, corpora)
@settings(max_examples=50, deadline=None)
def test_traditional_weights_are_the_traditional_scores(gold: Corpus, system: Corpus) -> None:
    scores = fg.score(fg.align(gold, {"s": system}), weights="traditional")
    for short in ("precision", "recall", "f1", "macro_f1"):
        weighted, plain = (
            scores.value(f"{one}_{short}", "s") for one in ("weighted", "traditional")
        )
        assert weighted == pytest.approx(plain, nan_ok=True)


def test_be_stands_for_all_boundary_errors_and_one_need_not_be_written() -> None:
    matrix = parse_weights("BE = FN + .5*FP").matrix
    for kind in ("BES", "BEL", "BEO"):
        assert matrix[SPANS.outcomes.code(kind)].tolist() == [0, 0.5, 1]
    assert matrix[SPANS.outcomes.code("LE")].tolist() == [0, 0, 0]
    assert matrix[SPANS.outcomes.code("TP")].tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("LE = half FP", "'half FP'"),
        ("XX = 1 FP", "outcomes: TP"),
        ("LE 0.5 FP", "not OUTCOME"),
        ("BE = 1 FP, BES = 1 FN", "BES is given twice"),
        ("LE = -1 FP", "'-1 FP'"),
    ],
)
def test_wrong_formulas_are_refused(formula: str, message: str) -> None:
    with pytest.raises(fg.UsageError, match=message):
        parse_weights(formula)


def test_unknown_weights_name_the_known_ones() -> None:
    with pytest.raises(fg.UsageError, match="ortmann-weighted"):
        weights_by("ortman")


GAPS = (0, 3, 9, "A", (3, 4, 6, 7, 8))
OTHER_GAPS = (0, 3, 9, "A", (3, 4, 5, 6, 8))
INSIDE = (0, 5, 7, "A")


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        # 3a: A 5-6 is too short; A 3-8 has the boundaries of the gold span, so 3c leaves it alone
        ([GAPS], [OTHER_GAPS, INSIDE], {"BES": 1, "FP": 1}),
        # the mirror: 3a gives A 5-6 the longer span, and 3b leaves A 3-8 alone
        ([OTHER_GAPS, INSIDE], [GAPS], {"BEL": 1, "FN": 1}),
        ([GAPS], [OTHER_GAPS], {"FN": 1, "FP": 1}),
    ],
)
def test_spans_with_one_label_and_the_same_boundaries_are_no_boundary_error(
    gold: list[Any], system: list[Any], expected: dict[str, int]
) -> None:
    table = fg.align(_corpus(gold), {"s": _corpus(system)})
    found = fg.score(table).to_json()["s"]["counts"]
    counts = {
        kind: count for kind, count in found.items() if kind in SPANS.outcomes.names and count
    }
    assert counts == expected


@given(corpora, corpora)
@settings(max_examples=100, deadline=None)
def test_the_two_spans_of_a_boundary_error_have_other_boundaries(
    gold: Corpus, system: Corpus
) -> None:
    table = fg.align(gold, {"s": system})
    rows = np.flatnonzero(table.is_outcome("BES", "BEL", "BEO", "LBE")[:, 0])
    answer = table.answer[rows, 0]
    assert (
        (table.begin[rows] != table.begin[answer]) | (table.end[rows] != table.end[answer])
    ).all()
