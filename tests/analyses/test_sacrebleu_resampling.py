"""Intervals and paired tests from the one engine, beside those of sacrebleu on the same texts."""

from __future__ import annotations

import math

import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.significance import PairedTest

import finegrain as fg
from finegrain.simulation import simulate_translations
from finegrain.table import OutcomeTable
from tests.metrics.test_generation import lines

OURS = {"bleu": BLEU, "chrf": CHRF}


@pytest.fixture(scope="module")
def texts() -> tuple[list[str], dict[str, list[str]]]:
    made = simulate_translations(
        tokens=4000, systems={"short": ["short"], "even": ["drops-names"]}, noise=0.2
    )
    rows = made.gold.parts["references"]
    first: dict[int, str] = {}
    for parent, text in zip(rows.parent.tolist(), list(rows.fields["value"]), strict=True):
        first.setdefault(parent, text)
    return [*first.values()], {
        name: list(corpus.fields["output"]) for name, corpus in made.systems.items()
    }


@pytest.fixture(scope="module")
def table(texts: tuple[list[str], dict[str, list[str]]]) -> OutcomeTable:
    gold, systems = texts
    named = {name: lines(name, own) for name, own in systems.items()}
    return fg.align(lines("gold", gold), named, task="generation")


@pytest.mark.parametrize("metric", OURS)
def test_intervals(
    table: OutcomeTable, texts: tuple[list[str], dict[str, list[str]]], metric: str
) -> None:
    """Half of the 95 % interval, within three standard errors of 1,000 resamples."""
    gold, systems = texts
    found = fg.score(table, metric, intervals=1000)
    for name, own in systems.items():
        expected = OURS[metric]().corpus_score(own, [gold], n_bootstrap=1000)
        low, high = found.interval(metric, name)
        # the error of a tail quantile of a normal: sqrt(.025 x .975 / 1000) / .0584 = 0.084 sd;
        # of half the distance of two of them / sqrt(2), of the difference of two such x sqrt(2)
        error = float(0.084 * expected._ci / 1.96)
        assert (high - low) / 2 == pytest.approx(expected._ci, abs=3 * error)
        assert low < expected.score < high


def test_paired_tests(table: OutcomeTable, texts: tuple[list[str], dict[str, list[str]]]) -> None:
    gold, systems = texts
    given = [(name, own) for name, own in systems.items()]
    theirs = PairedTest(
        given, {name: of(references=[gold]) for name, of in OURS.items()}, None,
        test_type="ar", n_samples=2000,
    )()  # fmt: skip
    by_metric = {name.lower().replace("2", ""): results for name, results in theirs[1].items()}
    for metric in OURS:
        result = by_metric[metric][1]
        pair = fg.significance(table, metric, resamples=4000).pair(*systems)
        error = math.sqrt(max(result.p_value, 0.001) / 2000 + 1e-6)
        assert pair.p == pytest.approx(result.p_value, abs=4 * error)
