"""Simulated vectors: what is planted is what an analysis finds."""

from __future__ import annotations

import numpy as np
import pytest

import finegrain as fg
from finegrain.corpus.vectors import vectors_of
from finegrain.errors import UsageError
from finegrain.formats import by_name
from finegrain.formats.source import source_of
from finegrain.simulation import VECTOR_WEAKNESSES, simulate_vectors


def test_a_seed_makes_the_same_vectors() -> None:
    one, two, other = (simulate_vectors(tokens=2000, seed=seed) for seed in (1, 1, 2))
    write = by_name("vectors").write
    assert write(one.gold) == write(two.gold) != write(other.gold)
    assert write(one.systems["encoder"]) == write(two.systems["encoder"])


def test_files_hold_what_was_made() -> None:
    made = simulate_vectors(tokens=2000)
    vectors = by_name("vectors")
    for corpus in (made.gold, *made.systems.values()):
        again = vectors.read(source_of("again", vectors.write(corpus).encode()))
        assert {name: one.tolist() for name, one in vectors_of(again).items()} == {
            name: one.tolist() for name, one in vectors_of(corpus).items()
        }


def test_training_words_are_others() -> None:
    made = simulate_vectors(tokens=4000)
    gold, train = (set(one.fields["lemma"].slice(0, one.n_sentences))
                   for one in (made.gold, made.train))  # fmt: skip
    assert train
    assert not gold & train


@pytest.mark.parametrize("name", [one for one in VECTOR_WEAKNESSES if one != "static"])
def test_a_weakness_lowers_what_it_is_about(name: str) -> None:
    systems = {"weak": [name, "static"], "even": ["static"]}
    made = simulate_vectors(tokens=8000, systems=systems)
    assert made.planted["even"] == ("has a single layer",)
    found = fg.rsa(made.gold, made.systems, intervals=0).data["systems"]
    assert found["weak"]["rsa"] < found["even"]["rsa"]


def test_scattered_words_are_those_of_their_kind() -> None:
    made = simulate_vectors(tokens=8000, systems={"weak": ["kind=tool", "static"]})
    table = fg.align(made.gold, made.systems, task="representations")
    error = table.values["rank_error"].matrix[:, 0]
    kind = table.columns["kind"]
    assert error[kind == "tool"].mean() > 2 * error[kind == "animal"].mean()


def test_number_is_known_in_the_third_layer_only_of_who_knows_it() -> None:
    """Along the axis between the means of singular and plural words, in standard deviations."""
    made = simulate_vectors(tokens=16_000, systems={"knows": [], "blind": ["number"]})
    plural = np.array(made.gold.fields["number"].slice(0, 160)) == "plural"

    def apart(name: str, layer: int) -> float:
        vectors = made.systems[name].fields[f"layer{layer}"]
        means = vectors[plural].mean(axis=0) - vectors[~plural].mean(axis=0)
        along = vectors @ means / np.linalg.norm(means)
        return float((along[plural].mean() - along[~plural].mean()) / along.std())

    assert apart("knows", 2) > 1.5
    assert apart("knows", 0) < 1.0
    assert max(apart("blind", layer) for layer in range(6)) < 1.0


def test_unknown_weaknesses_are_named() -> None:
    with pytest.raises(UsageError, match="Did you mean 'number'"):
        simulate_vectors(tokens=1000, systems={"a": ["numbers"]})
