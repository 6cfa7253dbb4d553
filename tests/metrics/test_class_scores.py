"""Scores of labels and probabilities: worked by hand, and equal to scikit-learn's."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from sklearn import metrics as theirs
from sklearn.preprocessing import label_binarize

import finegrain as fg
from finegrain.alignment.soft_labels import ENTROPY
from finegrain.corpus import Texts
from finegrain.corpus.columns import Column
from finegrain.corpus.items import of_fields
from finegrain.table import OutcomeTable

pytestmark = pytest.mark.filterwarnings("ignore")  # of scikit-learn, about undefined scores


def _table(gold: Sequence[str], *answers: Sequence[str], **chances: np.ndarray) -> OutcomeTable:
    """Systems s1, s2 ...; ``chances``: probabilities of the first, by label."""
    systems = {}
    for place, answer in enumerate(answers, 1):
        fields: dict[str, Column] = {"label": Texts.of(answer)}
        if place == 1:
            fields |= {f"probabilities.{name}": one for name, one in chances.items()}
        systems[f"s{place}"] = of_fields("system", fields)
    corpus = of_fields("gold", {"label": Texts.of(gold)}, format="csv")
    return fg.align(corpus, systems, task="classification")


def _overall(table: OutcomeTable, system: str = "s1") -> dict[str, float]:
    overall = fg.score(table, intervals=0).to_json()[system]["overall"]
    return {name: math.nan if value is None else value for name, value in overall.items()}


def test_systems_one_and_two_of_the_lecture() -> None:
    """100 documents, 40 of them relevant. I: TP 30, FP 0, FN 10, TN 60. II: TP 40, FP 50, TN 10."""
    gold = ["yes"] * 40 + ["no"] * 60
    one = ["yes"] * 30 + ["no"] * 70
    two = ["yes"] * 90 + ["no"] * 10
    result = fg.score(_table(gold, one, two), intervals=0).to_json()
    first, second = result["s1"], result["s2"]
    assert (first["overall"]["accuracy"], second["overall"]["accuracy"]) == (0.9, 0.5)
    assert (first["overall"]["error_rate"], second["overall"]["error_rate"]) == (
        pytest.approx(0.1), 0.5,
    )  # fmt: skip
    yes, other = first["labels"]["yes"], second["labels"]["yes"]
    assert (yes["precision"], yes["recall"]) == (1.0, 0.75)
    assert yes["f1"] == pytest.approx(0.857, abs=5e-4)
    assert other["precision"] == pytest.approx(0.444, abs=5e-4)
    assert (other["recall"], round(other["f1"], 3)) == (1.0, 0.615)


def test_kappa_by_hand() -> None:
    """Yes/yes 300, yes/no 20, no/yes 10, no/no 70: P(A) .925, P(E) .8 * .775 + .2 * .225 = .665."""
    gold = ["yes"] * 320 + ["no"] * 80
    answer = ["yes"] * 300 + ["no"] * 20 + ["yes"] * 10 + ["no"] * 70
    assert _overall(_table(gold, answer))["kappa"] == pytest.approx(0.26 / 0.335)


def test_kappa_is_undefined_and_mcc_0_with_one_label() -> None:
    overall = _overall(_table(["a", "a"], ["a", "a"]))
    assert math.isnan(overall["kappa"])
    assert overall["mcc"] == 0


def test_scores_of_labels_are_those_of_scikit_learn() -> None:
    draw = np.random.default_rng(1)
    for _ in range(500):
        size, labels = int(draw.integers(1, 40)), int(draw.integers(1, 6))
        gold = draw.integers(0, labels, size)
        answer = np.where(draw.random(size) < draw.random(), gold, draw.integers(0, 6, size))
        found = _overall(_table([f"l{one}" for one in gold], [f"l{one}" for one in answer]))
        averages = {
            f"{name}_f1": theirs.f1_score(gold, answer, average=name, zero_division=0)
            for name in ("micro", "macro", "weighted")
        }
        expected = {
            "accuracy": theirs.accuracy_score(gold, answer),
            "balanced_accuracy": theirs.balanced_accuracy_score(gold, answer),
            "mcc": theirs.matthews_corrcoef(gold, answer),
            "kappa": theirs.cohen_kappa_score(gold, answer),
            **averages,
        }
        for name, value in expected.items():
            assert found[name] == pytest.approx(value, abs=1e-9, nan_ok=True), name


def test_scores_by_label_are_those_of_scikit_learn() -> None:
    draw = np.random.default_rng(4)
    for _ in range(500):
        size, labels = int(draw.integers(1, 40)), int(draw.integers(1, 6))
        gold = draw.integers(0, labels, size)
        answer = np.where(draw.random(size) < draw.random(), gold, draw.integers(0, 6, size))
        table = _table([f"l{one}" for one in gold], [f"l{one}" for one in answer])
        found = fg.score(table).to_json()["s1"]["labels"]
        codes = [int(name[1:]) for name in found]
        assert codes == sorted({*gold.tolist(), *answer.tolist()})
        scores = theirs.precision_recall_fscore_support(
            gold, answer, labels=codes, zero_division=np.nan
        )
        for at, row in enumerate(found.values()):
            precision, recall, f1, support = (float(column[at]) for column in scores)
            assert row["support"] == support
            for name, value in (("precision", precision), ("recall", recall), ("f1", f1)):
                mine = math.nan if row[name] is None else row[name]
                assert mine == pytest.approx(value, abs=1e-12, nan_ok=True), name


def _ece(chances: np.ndarray, gold: np.ndarray, bins: int = 15) -> float:
    """Bin by bin."""
    top, right = chances.max(axis=1), chances.argmax(axis=1) == gold
    total = 0.0
    for place in range(bins):
        inside = (top > place / bins) & (top <= (place + 1) / bins)
        if inside.any():
            total += inside.mean() * abs(right[inside].mean() - top[inside].mean())
    return total


def test_scores_of_probabilities_are_those_of_scikit_learn() -> None:
    draw = np.random.default_rng(2)
    for _ in range(500):
        labels = int(draw.integers(2, 5))
        names = [f"l{code}" for code in range(labels)]
        gold = np.concatenate([np.arange(labels), draw.integers(0, labels, draw.integers(0, 30))])
        chances = draw.dirichlet(np.ones(labels), len(gold))
        if draw.random() < 0.5:  # ties
            chances = np.round(chances, 1)
            chances[:, 0] = 1 - chances[:, 1:].sum(axis=1)
            chances = np.abs(chances) / np.abs(chances).sum(axis=1, keepdims=True)
        answer = [names[code] for code in chances.argmax(axis=1)]
        table = _table(
            [names[code] for code in gold], answer,
            **{name: chances[:, code] for code, name in enumerate(names)},
        )  # fmt: skip
        found = _overall(table)
        hot = label_binarize(gold, classes=range(labels))
        hot = np.hstack([1 - hot, hot]) if labels == 2 else hot
        expected = {
            "log_loss": theirs.log_loss(gold, chances, labels=range(labels)),
            "brier": ((chances - hot) ** 2).sum(axis=1).mean(),
            "ece": _ece(chances, gold),
            "auc": np.mean([theirs.roc_auc_score(hot[:, c], chances[:, c]) for c in range(labels)]),
            "average_precision": theirs.average_precision_score(hot, chances, average="macro"),
        }
        for name, value in expected.items():
            assert found[name] == pytest.approx(value, abs=1e-9), name


def test_a_system_without_probabilities_has_none_of_their_scores() -> None:
    gold = ["a", "b", "a"]
    chances = {"a": np.array([0.9, 0.2, 0.6]), "b": np.array([0.1, 0.8, 0.4])}
    table = _table(gold, gold, ["a", "a", "b"], **chances)
    assert _overall(table)["log_loss"] == pytest.approx(-np.log([0.9, 0.8, 0.6]).mean())
    assert math.isnan(_overall(table, "s2")["log_loss"])
    assert "log_loss" not in _overall(_table(gold, gold))


def test_probabilities_of_labels_that_nobody_has_count() -> None:
    """b is neither gold nor an answer: (1 - .6)^2 + .3^2 + .1^2 = .26, twice; with c as gold .86.

    Another system that answers b changes nothing.
    """
    gold, answer = ["a", "a", "c"], ["a", "a", "a"]
    chances = {"a": np.full(3, 0.6), "b": np.full(3, 0.3), "c": np.full(3, 0.1)}
    alone = _overall(_table(gold, answer, **chances))
    assert alone["brier"] == pytest.approx((0.26 + 0.26 + 0.6**2 + 0.3**2 + 0.9**2) / 3)
    beside = _overall(_table(gold, answer, ["b", "b", "b"], **chances))
    assert {name: beside[name] for name in alone} == pytest.approx(alone, nan_ok=True)
    assert "b" not in str(fg.score(_table(gold, answer, **chances), intervals=0)).split()


def test_gold_probabilities_of_labels_that_nobody_has_count() -> None:
    """Of .5, .25 and .25 the entropy is 1.5 bits, though no item has the label of the last."""
    fields: dict[str, Column] = {"label": Texts.of(["a", "b"])}
    fields |= {f"probabilities.{name}": np.full(2, one) for name, one in
               (("a", 0.5), ("b", 0.25), ("c", 0.25))}  # fmt: skip
    gold = of_fields("gold", fields, format="csv")
    answer = of_fields("system", {"label": Texts.of(["a", "a"])})
    table = fg.align(gold, {"s": answer}, task="classification")
    assert table.columns[ENTROPY].tolist() == [1.5, 1.5]


def test_intervals_of_areas_come_from_the_one_engine() -> None:
    draw = np.random.default_rng(3)
    gold = draw.integers(0, 2, 300)
    score = np.clip(0.5 + 0.2 * (gold - 0.5) + draw.normal(0, 0.2, 300), 0.01, 0.99)
    answer = np.where(score > 0.5, "y", "n").tolist()
    table = _table(np.where(gold == 1, "y", "n").tolist(), answer, y=score, n=1 - score)
    scores = fg.score(table, ["auc", "ece"], intervals=200)
    low, high = scores.interval("auc", "s1")
    assert low < scores.value("auc", "s1") < high
    assert high - low < 0.2
