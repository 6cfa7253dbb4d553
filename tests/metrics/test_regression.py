"""Correlations and errors of numbers: by hand, against scipy and scikit-learn, on STS 2014."""

from __future__ import annotations

import json
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sklearn

import finegrain as fg
from finegrain.corpus import Texts
from finegrain.corpus.items import of_fields
from finegrain.metrics.kendall import tau
from finegrain.metrics.regression import REGRESSION_METRICS, concordance, pearson, r2
from finegrain.metrics.weighing import Floats
from finegrain.table import OutcomeTable
from finegrain.table.samples import whole

SETS = 500


def _table(gold: Floats, *systems: Floats) -> OutcomeTable:
    ids = Texts.of(f"i{at}" for at in range(len(gold)))
    corpora = [
        of_fields(f"s{at}", {"id": ids, "score": column})
        for at, column in enumerate((gold, *systems))
    ]
    names = {corpus.source: corpus for corpus in corpora[1:]}
    return fg.align(corpora[0], names, task="regression")


def _scores(table: OutcomeTable) -> dict[str, float]:
    return {
        metric.name: float(metric.score(metric.statistics(table, whole(table)))[0, 0])
        for metric in REGRESSION_METRICS
    }


def test_by_hand() -> None:
    # gold 1 2 3 4 (mean 2.5, squares 5), predictions 1 3 2 6 (mean 3, squares 14):
    # products -1.5 x -2 + -.5 x 0 + .5 x -1 + 1.5 x 3 = 7; r = 7 / sqrt(70)
    # ranks 1 3 2 4: rho = 1 - 6 x 2 / (4 x 15) = .8; 5 pairs in order, 1 is not: tau = 4 / 6
    # errors 0 1 -1 2: absolute 4, squared 6; R2 = 1 - 6 / 5
    # CCC = 2 x 7 / (5 + 14 + 4 x .25) = .7
    found = _scores(_table(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 6])))
    assert found == pytest.approx(
        {
            "pearson": 7 / math.sqrt(70), "spearman": 0.8, "kendall": 4 / 6, "mae": 1.0,
            "mse": 1.5, "rmse": math.sqrt(1.5), "r2": -0.2, "ccc": 0.7,
        }
    )  # fmt: skip


def _random_sets() -> list[tuple[Floats, Floats]]:
    """Pairs of columns: ties, constants, few items, large offsets."""
    draw = np.random.default_rng(18)
    found = []
    for _ in range(SETS):
        size = int(draw.choice([2, 3, 4, 10, 50]))
        kind = int(draw.integers(5))
        if kind == 0:
            columns = draw.normal(size=(2, size))
        elif kind == 1:
            columns = draw.integers(0, 4, size=(2, size)).astype(float)
        elif kind == 2:
            columns = draw.integers(0, 20, size=(2, size)) / 5 + 1000
        elif kind == 3:
            columns = np.stack([draw.normal(size=size), np.full(size, 0.1)])
            columns = columns[::-1] if draw.random() < 0.5 else columns
        else:
            gold = draw.normal(size=size) * 1e6
            columns = np.stack([gold, gold + draw.normal(size=size)])
        found.append((columns[0], columns[1]))
    return found


def test_against_scipy_and_scikit_learn() -> None:
    for gold, predicted in _random_sets():
        found = _scores(_table(gold, predicted))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of constant input
            expected = {
                "pearson": stats.pearsonr(gold, predicted).statistic,
                "spearman": stats.spearmanr(gold, predicted).statistic,
                "kendall": stats.kendalltau(gold, predicted).statistic,
                "mae": sklearn.mean_absolute_error(gold, predicted),
                "mse": sklearn.mean_squared_error(gold, predicted),
                "rmse": sklearn.root_mean_squared_error(gold, predicted),
                "r2": sklearn.r2_score(gold, predicted),
            }
        if np.ptp(gold) == 0:
            expected["r2"] = math.nan  # there scikit-learn has 0 or 1
        assert {name: found[name] for name in expected} == pytest.approx(
            expected, rel=1e-9, abs=1e-9, nan_ok=True
        ), (gold, predicted)


def test_concordance_is_what_its_definition_says() -> None:
    for gold, predicted in _random_sets():
        apart = (gold.mean() - predicted.mean()) ** 2
        shared = np.mean((gold - gold.mean()) * (predicted - predicted.mean()))
        expected = 2 * shared / (gold.var() + predicted.var() + apart)
        found = concordance(np.stack([predicted, gold], axis=1), np.ones((1, len(gold))))[0]
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_weights_are_repetitions() -> None:
    draw = np.random.default_rng(4)
    for gold, predicted in _random_sets()[:100]:
        rows = np.stack([predicted, gold], axis=1)
        weights = draw.integers(0, 3, size=(3, len(rows))).astype(float)
        for score in (pearson, r2, concordance, tau):
            found = score(rows, weights)
            for at, times in enumerate(weights.astype(int)):
                repeated = np.repeat(rows, times, axis=0)
                alone = math.nan
                if len(repeated):
                    alone = float(score(repeated, np.ones((1, len(repeated))))[0])
                assert found[at] == pytest.approx(alone, rel=1e-8, abs=1e-8, nan_ok=True)


def test_correlations_ignore_the_scale_of_predictions() -> None:
    draw = np.random.default_rng(2)
    gold = draw.normal(size=40)
    predicted = gold + draw.normal(size=40)
    one, other = (_scores(_table(gold, column)) for column in (predicted, 7 * predicted - 3))
    for name in ("pearson", "spearman", "kendall"):
        assert one[name] == pytest.approx(other[name])
    assert one["ccc"] > other["ccc"]


def test_other_systems_change_no_digit_and_the_order_of_items_hardly_any() -> None:
    draw = np.random.default_rng(5)
    gold = draw.normal(size=1000)
    one, two, three = gold + draw.normal(size=(3, 1000))
    expected = _scores(_table(gold, two))
    for others in ((two, one, three), (two, three, one)):
        assert _scores(_table(gold, *others)) == expected
    order = draw.permutation(1000)
    shuffled = _scores(_table(gold[order], two[order]))
    assert shuffled == pytest.approx(expected, rel=1e-12, abs=1e-13, nan_ok=True)
    for metric in ("mse", "pearson"):
        drawn, again = (
            fg.significance(_table(*columns), metric, resamples=100).pair("s1", "s2")
            for columns in ((gold, one, two), (gold[order], one[order], two[order]))
        )
        assert drawn[:4] == again[:4]  # difference, both ends, p


def test_a_constant_prediction_is_undefined_and_says_why() -> None:
    table = _table(np.array([1.0, 2, 3.5]), np.full(3, 0.1))
    found = fg.score(table, intervals=0)
    assert found.to_json()["s1"]["overall"]["pearson"] is None
    assert "all predictions are equal" in str(found)


def test_what_is_exchanged_has_one_scale() -> None:
    """A system and its double on another scale do not differ, and no exchange says otherwise."""
    draw = np.random.default_rng(5)
    gold = draw.normal(size=60)
    predicted = gold + draw.normal(size=60)
    table = _table(gold, predicted, 100 * predicted + 7)
    for metric in ("pearson", "spearman", "kendall"):
        compared = fg.significance(table, metric, resamples=200, intervals=200).pairs[0].comparison
        assert compared.difference == pytest.approx(0, abs=1e-12)
        assert compared.p == 1


def test_sts_2014_equals_the_reference(shared: Path) -> None:
    folder = shared / "data" / "regression" / "sts-2014"
    if not folder.is_dir():
        pytest.skip("no STS data")
    reference = json.loads((folder / "reference.json").read_text())["systems"]
    systems = {name: fg.read(str(folder / f"system-{name}.tsv")) for name in reference}
    table = fg.align(fg.read(str(folder / "gold.tsv.gz")), systems)
    assert table.task.name == "regression"
    assert len(table) == 3750
    found = fg.score(table, intervals=0).to_json()
    for name, expected in reference.items():
        overall = found[name]["overall"]
        assert overall["kendall"] == pytest.approx(expected["kendall_tau_b"], abs=1e-10)
        for metric in ("pearson", "spearman", "mse", "rmse", "mae", "r2"):
            assert overall[metric] == pytest.approx(expected[metric], abs=1e-10)
    by_domain = fg.buckets(table, ["domain"]).to_json()
    for name, expected in reference.items():
        for domain, value in expected["per_domain_pearson"].items():
            assert _bucket(by_domain, domain, name) == pytest.approx(value, abs=1e-10)


def _bucket(found: dict[str, Any], domain: str, system: str) -> float:
    buckets = found["domain"]
    value: float = buckets["systems"][system]["pearson"][buckets["names"].index(domain)]
    return value
