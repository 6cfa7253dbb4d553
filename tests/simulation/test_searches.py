"""Planted weaknesses of search systems are found, and nothing is where nothing was planted."""

from __future__ import annotations

import pytest

import finegrain as fg
from finegrain.errors import UsageError
from finegrain.formats import items
from finegrain.simulation import SEARCH_WEAKNESSES, simulate_searches


def test_the_same_seed_gives_the_same_searches() -> None:
    one, two = (items.write(simulate_searches(tokens=300, seed=3).gold) for _ in range(2))
    assert one == two
    assert one != items.write(simulate_searches(tokens=300, seed=4).gold)


@pytest.mark.parametrize("name", SEARCH_WEAKNESSES)
def test_a_weakness_lowers_the_score_where_it_strikes(name: str) -> None:
    made = simulate_searches(tokens=2000, systems={"weak": [name], "even": []}, noise=0.05)
    table = fg.align(made.gold, made.systems)
    scores = fg.score(table, "AP")
    assert scores.value("AP", "weak") < scores.value("AP", "even") - 0.01
    assert made.planted["weak"] == (SEARCH_WEAKNESSES[name],)


def test_slices_find_the_planted_domain() -> None:
    made = simulate_searches(tokens=3000, systems={"weak": ["domain=law"], "even": []})
    found = fg.slices(fg.align(made.gold, made.systems), "weak", resamples=500)
    assert "law" in str(found)


def test_an_unknown_weakness_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown weakness 'law'"):
        simulate_searches(tokens=100, systems={"a": ["law"]})
