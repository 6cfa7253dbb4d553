"""Simulated trees are trees, and parsers err where they should."""

from __future__ import annotations

import numpy as np
import pytest

import finegrain as fg
from finegrain.corpus.trees import faults, heads
from finegrain.errors import UsageError
from finegrain.simulation import TREE_WEAKNESSES, Simulation, simulate_trees


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    systems = {name: [name] for name in TREE_WEAKNESSES} | {"even": []}
    return simulate_trees(tokens=20_000, seed=3, systems=systems, noise=0.0, train_tokens=1_000)


def test_gold_and_all_outputs_are_valid_trees(simulation: Simulation) -> None:
    noisy = simulate_trees(tokens=20_000, noise=0.5, systems={"all": ["long-arcs", "coordination"]})
    for corpus in (simulation.gold, *simulation.systems.values(), *noisy.systems.values()):
        assert faults(corpus) == ()


def test_without_noise_and_weakness_the_output_is_the_gold(simulation: Simulation) -> None:
    table = fg.align(simulation.gold, {"even": simulation.systems["even"]})
    assert table.task.name == "dependencies"
    assert fg.score(table, "las").value("las", "even") == 1.0


def test_long_arcs_are_the_only_ones_that_are_wrong(simulation: Simulation) -> None:
    gold, system = heads(simulation.gold), heads(simulation.systems["long-arcs"])
    length = np.where(gold < 0, 0, np.abs(gold - np.arange(len(gold))))
    assert (length[gold != system] >= 6).all()
    share = (gold != system)[length >= 6].mean()
    assert 0.4 < share <= 0.55  # half, but for words that have nowhere to go


def test_a_weak_relation_is_mislabelled_and_no_other(simulation: Simulation) -> None:
    gold = np.array(list(simulation.gold.layers["deprel"]))
    answer = np.array(list(simulation.systems["relation=obl"].layers["deprel"]))
    assert set(gold[gold != answer]) == {"obl"}
    assert 0.4 < (gold != answer)[gold == "obl"].mean() < 0.6


def test_the_same_seed_gives_the_same_and_a_longer_text_begins_alike() -> None:
    short, again, long = (simulate_trees(tokens=size, seed=5) for size in (500, 500, 3000))
    size = short.gold.n_tokens
    for name in ("head", "deprel"):
        column = list(short.gold.layers[name])
        assert column == list(again.gold.layers[name]) == list(long.gold.layers[name])[:size]
        systems = [list(one.systems["graph"].layers[name]) for one in (short, again)]
        assert systems[0] == systems[1]


def test_buckets_find_the_planted_weakness() -> None:
    made = simulate_trees(tokens=20_000, systems={"near": ["long-arcs"], "even": []}, noise=0.02)
    table = fg.align(made.gold, made.systems)
    uas = {
        where: fg.score(fg.select(table, where), "uas").overall["uas"]  # near, even
        for where in ("arc_length>=6", "arc_length<6")
    }
    assert uas["arc_length>=6"][0] < 0.7
    assert uas["arc_length<6"][0] > 0.95
    assert abs(uas["arc_length>=6"][1] - uas["arc_length<6"][1]) < 0.02


def test_unknown_weaknesses_are_refused() -> None:
    with pytest.raises(UsageError, match="Did you mean 'long-arcs'"):
        simulate_trees(tokens=200, systems={"a": ["long-arc"]})
