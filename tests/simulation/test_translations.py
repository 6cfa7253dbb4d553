"""Planted habits of translators are found again."""

from __future__ import annotations

import pytest

import finegrain as fg
from finegrain.errors import UsageError
from finegrain.simulation import TRANSLATION_WEAKNESSES, simulate_translations
from finegrain.simulation.translations import foreign
from finegrain.table import OutcomeTable


def _table(*weaknesses: str) -> OutcomeTable:
    made = simulate_translations(tokens=4000, systems={"weak": weaknesses, "even": []})
    return fg.align(made.gold, made.systems, task="generation")


@pytest.mark.parametrize(
    ("habit", "outcome", "share"),
    [("copies-source", "COPIED", 0.1), ("repeats", "LOOP", 0.1), ("short", "SHORT", 0.125),
     ("empty", "EMPTY", 0.05)],
)  # fmt: skip
def test_planted_faults_are_outcomes(habit: str, outcome: str, share: float) -> None:
    table = _table(habit)
    weak, even = table.is_outcome(outcome).mean(axis=0).tolist()
    assert share / 2 < weak < 1.5 * share
    assert even == 0


@pytest.mark.parametrize(
    ("habit", "metric"), [("drops-numbers", "numbers_kept"), ("drops-names", "names_kept")]
)
def test_planted_losses_are_found(habit: str, metric: str) -> None:
    found = fg.score(_table(habit), metric)
    assert found.value(metric, "even") == 1
    assert found.value(metric, "weak") < 0.7


@pytest.mark.parametrize("domain", ["history", "trade", "travel"])
def test_planted_domains_are_the_worst(domain: str) -> None:
    table = _table(f"domain={domain}")
    scores = {
        name: fg.score(table, "chrf", where=f"domain={name}").value("chrf", "weak")
        for name in ("history", "trade", "travel")
    }
    assert min(scores, key=lambda name: scores[name]) == domain


def test_an_unknown_habit_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown weakness 'shorts'"):
        simulate_translations(tokens=100, systems={"a": ["shorts"]})
    assert len(TRANSLATION_WEAKNESSES) == 9


def test_the_source_language_keeps_names_and_numbers() -> None:
    assert foreign("In 1843 Ada Brandt sold 3,5 mills.").split()[1:4] == ["1843", "Ada", "Brandt"]
