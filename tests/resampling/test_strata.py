"""Means over data sets: their variances add up, whatever the order of data sets and systems."""

from __future__ import annotations

import math

import numpy as np
import pytest

import finegrain as fg
from finegrain.resampling.runs import Variance
from finegrain.resampling.strata import over_strata
from finegrain.resampling.tests import paired_t


def _tags(right: list[int], of: int) -> tuple[fg.Corpus, fg.Corpus]:
    """Sentences of ``of`` tokens, of which so many are right."""
    text = [["w"] * of for _ in right]
    gold = fg.Corpus.of(text, tags=[["N"] * of for _ in right])
    return gold, fg.Corpus.of(text, tags=[["N"] * n + ["V"] * (of - n) for n in right])


def _table(*systems: list[int], of: int = 10) -> fg.OutcomeTable:
    gold = _tags(systems[0], of)[0]
    return fg.align(gold, {f"s{n}": _tags(right, of)[1] for n, right in enumerate(systems)})


def _suite(tables: dict[str, fg.OutcomeTable], **options: str) -> fg.Suite:
    return fg.Suite.of(tables, by=["sentence_length"], metric="accuracy", **options)


GENERATOR = np.random.default_rng(7)
NEWS = [GENERATOR.binomial(10, share, 200).tolist() for share in (0.8, 0.85)]
CHAT = [GENERATOR.binomial(10, share, 50).tolist() for share in (0.6, 0.7)]
TABLES = {"news": _table(*NEWS), "chat": _table(*CHAT)}


def test_variances_are_added_by_hand() -> None:
    # mean (0.9 + 0.7 + 0.5) / 3 = 0.7; variance (9 + 9 + 18) / 9 = 4 in units of 1e-4; many
    # degrees of freedom: 0.7 -+ 1.96 * 0.02
    parts = [[Variance(9e-4, 10**6)], [Variance(4e-4, 10**6), Variance(5e-4, 10**6)]]
    found = over_strata([0.9, 0.7, 0.5], [*parts, [Variance(18e-4, 10**6)]])
    assert found.value == pytest.approx(0.7)
    assert (found.low, found.high) == pytest.approx((0.7 - 0.0392, 0.7 + 0.0392), abs=1e-5)


def test_a_single_data_set_is_a_paired_t_test_of_equal_sentences() -> None:
    # accuracy of sentences of one length is the mean of their accuracies
    found = _suite({"news": TABLES["news"]}, baseline="s0").run(intervals=20_000)
    change = found.average_change(found.improvements[0])
    assert change is not None
    one, other = (np.array(right) / 10 for right in NEWS)
    assert change.value == pytest.approx(float((other - one).mean()), abs=1e-12)
    error = float((other - one).std(ddof=1)) / math.sqrt(len(one))
    assert (change.high - change.low) / 2 == pytest.approx(1.972 * error, rel=0.03)
    assert change.p == pytest.approx(paired_t(one, other), rel=0.2)


def test_the_average_is_drawn_within_data_sets() -> None:
    """Against a plain bootstrap: each data set from its own sentences, then the mean of both."""
    found = _suite(TABLES).run(intervals=5_000)
    average = found.average(0)
    assert average is not None
    rng = np.random.default_rng(1)
    draws = [
        np.mean([rng.choice(right, len(right)).mean() / 10 for right in (NEWS[0], CHAT[0])])
        for _ in range(4_000)
    ]
    assert average.value == pytest.approx((np.mean(NEWS[0]) + np.mean(CHAT[0])) / 20)
    low, high = np.quantile(draws, [0.025, 0.975])
    assert (average.low, average.high) == pytest.approx((low, high), abs=0.003)


def test_order_is_irrelevant() -> None:
    turned = {
        name: fg.align(table.corpus, dict(reversed(list(_systems(name).items()))))
        for name, table in reversed(list(TABLES.items()))
    }
    first = _suite(TABLES, baseline="s0").run(intervals=200).to_json()
    second = _suite(turned, baseline="s0").run(intervals=200).to_json()
    for name in ("s0", "s1"):
        ends = (one["systems"][name]["interval"] for one in (first, second))
        assert next(ends) == pytest.approx(next(ends), abs=1e-12)
    ends = (one["improvements"][0]["average"]["interval"] for one in (first, second))
    assert next(ends) == pytest.approx(next(ends), abs=1e-12)


def _systems(name: str) -> dict[str, fg.Corpus]:
    rows = {"news": NEWS, "chat": CHAT}[name]
    return {f"s{n}": _tags(right, 10)[1] for n, right in enumerate(rows)}


def test_too_few_sentences_give_no_interval_and_say_so() -> None:
    found = _suite({**TABLES, "tiny": _table([9, 8], [7, 9])}).run(intervals=100)
    assert found.average(0) is None
    assert found.to_json()["systems"]["s0"]["interval"] is None
    assert any("tiny: no interval of averages: 2 sentences" in note for note in found.notes)


def test_without_intervals_nothing_is_said_of_them() -> None:
    found = _suite(TABLES, baseline="s0").run()
    assert "interval" not in found.to_json()["systems"]["s0"]
    assert "average" not in found.to_json()["improvements"][0]
    assert "intervals" not in found.signature
