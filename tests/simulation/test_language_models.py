"""Planted weaknesses of language models and of splitters are found where they strike."""

from __future__ import annotations

import numpy as np
import pytest

import finegrain as fg
from finegrain.errors import UsageError
from finegrain.formats import log_probabilities, plain_text
from finegrain.simulation import (
    LANGUAGE_MODEL_WEAKNESSES,
    SPLITTER_WEAKNESSES,
    simulate_language_models,
    simulate_splitters,
)
from finegrain.tasks import TASKS


@pytest.mark.parametrize("name", [one for one in LANGUAGE_MODEL_WEAKNESSES if one != "pieces"])
def test_a_weakness_costs_bits(name: str) -> None:
    made = simulate_language_models(tokens=2000, systems={"weak": [name], "even": []}, noise=0.0)
    table = TASKS["perplexity"].align(made.gold, made.systems)
    surprisal = table.values["surprisal"].matrix
    struck = surprisal[:, 0] > 1.05 * surprisal[:, 1]
    assert struck.any()
    assert made.planted["weak"] == (LANGUAGE_MODEL_WEAKNESSES[name],)
    if name == "long-documents":
        assert table.columns["document_position"][struck].min() == 101


def test_other_tokens_change_nothing_for_words() -> None:
    made = simulate_language_models(tokens=500, systems={"a": [], "b": ["pieces"]}, noise=0.0)
    table = TASKS["perplexity"].align(made.gold, made.systems)
    matrix = table.values["surprisal"].matrix
    assert np.allclose(matrix[:, 0], matrix[:, 1], atol=1e-3)
    assert "own_tokens" in table.details


def test_the_same_seed_gives_the_same_files() -> None:
    one, two = (simulate_language_models(tokens=300, seed=3) for _ in range(2))
    assert plain_text.write(one.gold) == plain_text.write(two.gold)
    for name, model in one.systems.items():
        assert log_probabilities.write(model) == log_probabilities.write(two.systems[name])


@pytest.mark.parametrize("name", SPLITTER_WEAKNESSES)
def test_a_splitter_with_a_weakness_is_worse(name: str) -> None:
    made = simulate_splitters(tokens=3000, systems={"weak": [name], "even": []}, noise=0.0)
    found = fg.score(TASKS["segmentation"].align(made.gold, made.systems))
    assert found.value("boundary_f1", "even") == 1.0
    assert found.value("boundary_f1", "weak") < 0.99
    assert found.value("window_diff", "weak") > 0.0


def test_unknown_weaknesses_are_refused() -> None:
    for simulate in (simulate_language_models, simulate_splitters):
        with pytest.raises(UsageError, match="unknown weakness 'deaf'"):
            simulate(tokens=100, systems={"a": ["deaf"]})
