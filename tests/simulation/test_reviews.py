"""Planted weaknesses of classifiers are found, and nothing is where nothing was planted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import finegrain as fg
from finegrain.errors import UsageError
from finegrain.simulation import (
    GRADE_WEAKNESSES,
    REVIEW_WEAKNESSES,
    simulate_grades,
    simulate_reviews,
)
from tests.conftest import Run


def test_the_same_seed_gives_the_same_reviews() -> None:
    one, two = simulate_reviews(tokens=500, seed=3), simulate_reviews(tokens=500, seed=3)
    assert list(one.gold.fields["text"]) == list(two.gold.fields["text"])
    assert list(one.systems["lexicon"].fields["label"]) == list(
        two.systems["lexicon"].fields["label"]
    )


@pytest.mark.parametrize("name", REVIEW_WEAKNESSES)
def test_a_weakness_lowers_the_score_where_it_strikes(name: str) -> None:
    made = simulate_reviews(tokens=4000, systems={"weak": [name], "even": []}, noise=0.05)
    table = fg.align(made.gold, made.systems, missing="wrong")
    scores = fg.score(table, intervals=0)
    if name == "overconfident":
        assert scores.value("ece", "weak") > 0
        sure = table.details["probability"].max(axis=2).mean(axis=0)
        assert sure[0] > sure[1]
    else:
        assert scores.value("accuracy", "weak") < scores.value("accuracy", "even") - 0.01
    assert made.planted["weak"] == (REVIEW_WEAKNESSES[name],)


def test_slices_find_the_planted_domain() -> None:
    made = simulate_reviews(tokens=8000, systems={"weak": ["domain=food"], "even": []})
    found = fg.slices(fg.align(made.gold, made.systems), "weak", resamples=500)
    assert "food" in str(found)


def test_gold_labels_can_be_noisy() -> None:
    clean, noisy = (simulate_reviews(tokens=4000, label_noise=share) for share in (0.0, 0.1))
    labels = [np.array(list(one.gold.fields["label"])) for one in (clean, noisy)]
    assert 0.05 < (labels[0] != labels[1]).mean() < 0.15


def test_an_unknown_weakness_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown weakness 'negations'"):
        simulate_reviews(tokens=100, systems={"a": ["negations"]})


@pytest.mark.parametrize("name", GRADE_WEAKNESSES)
def test_weak_graders_are_worse_than_even_ones(name: str) -> None:
    made = simulate_grades(tokens=4000, systems={"weak": [name], "even": []}, noise=0.05)
    table = fg.align(made.gold, made.systems, task="regression", missing="wrong")
    scores = fg.score(table)
    if name != "silent":
        assert scores.value("mae", "weak") > scores.value("mae", "even") + 0.1
    assert made.planted["weak"] == (GRADE_WEAKNESSES[name],)


def test_probabilities_can_be_too_high_or_too_low() -> None:
    kinds = {"even": [], "high": ["overconfident"], "low": ["underconfident"]}
    made = simulate_reviews(tokens=8000, systems=kinds, noise=0.3)
    scores = fg.score(fg.align(made.gold, made.systems), "ece")
    for name in ("high", "low"):
        assert scores.value("ece", name) > scores.value("ece", "even") + 0.02


def test_label_noise_and_grades_from_the_command_line(run: Run, tmp_path: Path) -> None:
    noisy = run("simulate", "a", "--task", "classification", "--tokens", "2000", "--label-noise",
                "0.3", "--system", "s=")  # fmt: skip
    assert noisy.returncode == 0, noisy.stderr
    run("simulate", "b", "--task", "classification", "--tokens", "2000", "--system", "s=")
    one, two = ((tmp_path / name / "gold.csv").read_text() for name in "ab")
    assert one != two
    grades = run("simulate", "g", "--task", "regression", "--tokens", "2000")
    assert grades.returncode == 0, grades.stderr
    shown = run("score", "g/gold.csv", "g/lexicon.csv", "--train", "g/train.csv", "--baseline",
                "mean", "--no-intervals")  # fmt: skip
    assert "task regression (recognised)" in shown.stderr
    refused = run("simulate", "h", "--task", "coreference", "--label-noise", "0.1")
    assert "--label-noise is for classification" in refused.stderr
