"""Planted weaknesses of models that judge minimal pairs are found where they strike."""

from __future__ import annotations

import numpy as np
import pytest

import finegrain as fg
from finegrain.errors import UsageError
from finegrain.formats import delimited
from finegrain.simulation import MINIMAL_PAIR_WEAKNESSES, simulate_minimal_pairs
from finegrain.tasks import TASKS


def _table(weaknesses: list[str], noise: float = 0.0) -> fg.OutcomeTable:
    systems = {"weak": weaknesses, "even": []}
    made = simulate_minimal_pairs(tokens=3000, systems=systems, noise=noise)
    return TASKS["minimal_pairs"].align(made.gold, made.systems, missing="wrong")


@pytest.mark.parametrize("name", MINIMAL_PAIR_WEAKNESSES)
def test_a_weakness_costs_accuracy(name: str) -> None:
    scores = fg.score(_table([name]))
    assert scores.value("accuracy", "even") == 1.0
    assert scores.value("accuracy", "weak") < 0.98


def test_attractors_strike_where_the_nearest_noun_has_the_other_number() -> None:
    table = _table(["attractors"])
    wrong = table.values["margin"].matrix[:, 0] < 0
    kinds = np.array(list(table.corpus.fields["phenomenon"]))
    assert set(kinds[wrong]) == {
        "agreement across a phrase", "agreement across a clause", "reflexive"
    }  # fmt: skip


def test_noise_is_the_share_of_errors_without_a_weakness() -> None:
    accuracy = fg.score(_table([], noise=0.2)).value("accuracy", "even")
    assert abs(accuracy - 0.8) < 0.06  # about 480 pairs: three standard errors are 0.055


def test_sentences_of_a_pair_differ_by_one_word() -> None:
    gold = simulate_minimal_pairs(tokens=500).gold
    pairs = zip(gold.fields["sentence_good"], gold.fields["sentence_bad"], strict=True)
    for good, bad in pairs:
        words = zip(str(good).split(), str(bad).split(), strict=True)
        assert sum(one != other for one, other in words) == 1


def test_the_same_seed_gives_the_same_files() -> None:
    one, two = (simulate_minimal_pairs(tokens=300, seed=3) for _ in range(2))
    assert delimited.write(one.gold) == delimited.write(two.gold)
    for name, model in one.systems.items():
        assert delimited.write(model) == delimited.write(two.systems[name])


def test_unknown_weaknesses_are_refused() -> None:
    with pytest.raises(UsageError, match="unknown weakness 'deaf'"):
        simulate_minimal_pairs(tokens=100, systems={"a": ["deaf"]})
