"""Scores of label sets, worked by hand and against scikit-learn."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.alignment.label_ranking import ranking_precision
from finegrain.corpus import Texts
from finegrain.corpus.items import of_fields
from finegrain.table import OutcomeTable
from finegrain.table.samples import whole

LABELS = ("a", "b", "c", "d")
NAMES = ("micro_f1", "macro_f1", "samples_f1", "jaccard", "subset_accuracy", "hamming",
         "micro_precision", "micro_recall", "macro_precision", "macro_recall")  # fmt: skip
SETS = st.lists(st.frozensets(st.sampled_from(LABELS)), min_size=1, max_size=8)


def _corpus(name: str, sets: list[frozenset[str]]) -> fg.Corpus:
    ids = Texts.of(str(at) for at in range(len(sets)))
    cells = Texts.of("|".join(sorted(labels)) for labels in sets)
    return of_fields(name, {"id": ids, "labels": cells}, format="csv")


def _table(gold: list[frozenset[str]], *systems: list[frozenset[str]]) -> OutcomeTable:
    made = {f"s{at}": _corpus(f"s{at}", own) for at, own in enumerate(systems)}
    return fg.align(_corpus("gold", gold), made, task="multilabel", schema=",".join(LABELS))


def _scores(table: OutcomeTable, system: int = 0) -> dict[str, float]:
    metrics = table.task.all_metrics()
    return {
        name: float(metrics[name].score(metrics[name].statistics(table, whole(table)))[0, system])
        for name in (*NAMES, "support_weighted_f1")
    }


def test_worked_by_hand() -> None:
    gold = [frozenset("ab"), frozenset("a"), frozenset(), frozenset("c")]
    system = [frozenset("a"), frozenset("ab"), frozenset(), frozenset("d")]
    found = _scores(_table(gold, system))
    # item 1: TP 1, FN 1; item 2: TP 1, FP 1; item 3: nothing; item 4: FN 1, FP 1
    assert found["samples_f1"] == pytest.approx((2 / 3 + 2 / 3 + 0 + 0) / 4)
    assert found["jaccard"] == pytest.approx((1 / 2 + 1 / 2) / 4)
    assert found["subset_accuracy"] == pytest.approx(1 / 4)  # item 3
    assert found["hamming"] == pytest.approx(4 / 16)
    assert found["micro_f1"] == pytest.approx(4 / 8)  # TP 2, FP 2, FN 2
    assert found["macro_f1"] == pytest.approx(1 / 4)  # a: 1, b, c, d: 0


@settings(max_examples=500, deadline=None)
@given(SETS, st.data())
def test_as_scikit_learn(gold: list[frozenset[str]], data: st.DataObject) -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    size = len(gold)
    system = data.draw(st.lists(
        st.frozensets(st.sampled_from(LABELS)), min_size=size, max_size=size
    ))  # fmt: skip
    found = _scores(_table(gold, system))
    truth, answer = (
        np.array([[label in labels for label in LABELS] for labels in sets], int)
        for sets in (gold, system)
    )
    used = np.flatnonzero((truth | answer).any(axis=0)).tolist()  # macro: labels that occur
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = {
            "samples_f1": sklearn.f1_score(truth, answer, average="samples", zero_division=0),
            "jaccard": sklearn.jaccard_score(truth, answer, average="samples", zero_division=0),
            "subset_accuracy": sklearn.accuracy_score(truth, answer),
            "hamming": sklearn.hamming_loss(truth, answer),
        }
        for average in ("micro", "macro"):
            for name in ("precision", "recall", "f1"):
                score = getattr(sklearn, f"{name}_score")
                options = {"average": average, "zero_division": np.nan if average == "micro" else 0}
                kept = used if average == "macro" else list(range(len(LABELS)))
                expected[f"{average}_{name}"] = (
                    score(truth, answer, labels=kept, **options) if kept else np.nan
                )
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, nan_ok=True), name
    if truth.any():
        weighted = sklearn.f1_score(truth, answer, average="weighted", zero_division=0)
        assert found["support_weighted_f1"] == pytest.approx(weighted)


@settings(max_examples=500, deadline=None)
@given(SETS, st.randoms(use_true_random=False))
def test_ranking_precision_as_scikit_learn(gold: list[frozenset[str]], random: object) -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    numbers = [[random.randint(0, 3) for _ in LABELS] for _ in gold]  # type: ignore[attr-defined]
    scores = np.array(numbers, float)  # ties are frequent
    truth = np.array([[label in labels for label in LABELS] for labels in gold], int)
    found = ranking_precision(scores, *np.nonzero(truth))
    expected = sklearn.label_ranking_average_precision_score(truth, scores)
    assert found.mean() == pytest.approx(expected)


@given(SETS, SETS, SETS)
@settings(max_examples=100, deadline=None)
def test_adding_a_system_changes_no_score(
    gold: list[frozenset[str]], one: list[frozenset[str]], two: list[frozenset[str]]
) -> None:
    size = min(len(gold), len(one), len(two))
    gold, one, two = gold[:size], one[:size], two[:size]
    alone, both = _scores(_table(gold, one)), _scores(_table(gold, one, two))
    assert alone == pytest.approx(both, nan_ok=True)


def test_an_invented_label_changes_hamming_of_its_own_system_only() -> None:
    gold = _corpus("gold", [frozenset("a"), frozenset("b")])
    good = _corpus("good", [frozenset("a"), frozenset("a")])
    wild = _corpus("wild", [frozenset("a"), frozenset({"b", "x"})])
    table = fg.align(gold, {"good": good, "wild": wild}, task="multilabel")
    assert table.labels == ("a", "b", "x")
    assert _scores(table, 0)["hamming"] == pytest.approx(2 / 4)
    assert _scores(table, 1)["hamming"] == pytest.approx(1 / 5)  # 4 decisions, and x
