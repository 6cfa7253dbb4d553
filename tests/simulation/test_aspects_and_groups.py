"""Planted weaknesses of systems with label sets and clusters are found."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import finegrain as fg
from finegrain.errors import UsageError
from finegrain.formats import items
from finegrain.simulation import (
    ASPECT_WEAKNESSES,
    GROUP_WEAKNESSES,
    simulate_aspects,
    simulate_groups,
)


@pytest.mark.parametrize("make", [simulate_aspects, simulate_groups])
def test_the_same_seed_gives_the_same_items(make: Callable[..., fg.Simulation]) -> None:
    one, two = (items.write(make(tokens=300, seed=3).gold) for _ in range(2))
    assert one == two
    assert one != items.write(make(tokens=300, seed=4).gold)


@pytest.mark.parametrize("name", ASPECT_WEAKNESSES)
def test_a_weakness_lowers_the_f1_of_labels(name: str) -> None:
    made = simulate_aspects(tokens=4000, systems={"weak": [name], "even": []}, noise=0.05)
    table = fg.align(made.gold, made.systems, task="multilabel", missing="wrong")
    scores = fg.score(table, "micro_f1")
    assert scores.value("micro_f1", "weak") < scores.value("micro_f1", "even") - 0.01
    assert made.planted["weak"] == (ASPECT_WEAKNESSES[name],)


@pytest.mark.parametrize("name", [one for one in GROUP_WEAKNESSES if one != "silent"])
def test_a_weakness_lowers_the_agreement_of_clusters(name: str) -> None:
    made = simulate_groups(tokens=4000, systems={"weak": [name], "even": []}, noise=0.05)
    scores = fg.score(fg.align(made.gold, made.systems, task="clustering"), "ari")
    assert scores.value("ari", "weak") < scores.value("ari", "even") - 0.02


def test_items_that_are_left_out_are_missing() -> None:
    made = simulate_groups(tokens=4000, systems={"weak": ["silent"]})
    assert made.systems["weak"].n_sentences < made.gold.n_sentences


def test_slices_find_the_planted_guests() -> None:
    made = simulate_aspects(tokens=6000, systems={"weak": ["guests=families"], "even": []})
    table = fg.align(made.gold, made.systems, task="multilabel")
    found = fg.slices(table, "weak", resamples=500)
    assert "guests families" in str(found)


def test_a_system_without_noise_has_the_topics_as_clusters() -> None:
    made = simulate_groups(tokens=500, systems={"perfect": []}, noise=0.0)
    table = fg.align(made.gold, made.systems, task="clustering")
    assert fg.score(table, "ari").value("ari", "perfect") == 1.0


def test_an_unknown_weakness_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown weakness 'law'"):
        simulate_aspects(tokens=100, systems={"a": ["law"]})
