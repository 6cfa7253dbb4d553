"""Scores of clusters, worked by hand and against scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.metrics.clustering import CLUSTER_METRICS, FURTHER_CLUSTER_METRICS
from finegrain.metrics.weighing import Weighing

ITEMS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=25)


def _scores(pairs: Sequence[tuple[int, int]], weights: Sequence[float] = ()) -> dict[str, float]:
    rows = np.array(pairs, float)
    given_ = np.array([weights or np.ones(len(rows))], float)
    found = {}
    for metric in (*CLUSTER_METRICS, *FURTHER_CLUSTER_METRICS):
        assert isinstance(metric.score, Weighing)
        found[metric.name] = float(metric.score.weighted(rows, given_)[0])
    return found


def test_purity_of_three_clusters_with_majorities_of_5_4_and_3_of_17() -> None:
    gold = "xxxxxo oooox+ +++xx".replace(" ", "")
    clusters = "111111" + "222222" + "33333"
    table = fg.from_items(list(gold), {"k": [f"c{one}" for one in clusters]}, task="clustering")
    found = fg.score(table)
    assert found.value("purity", "k") == pytest.approx(12 / 17)  # 0.706
    # x: 5, 1, 2; o: 1, 4, 0; +: 0, 1, 3: 5 + 4 + 3 of 17 as well
    assert found.value("inverse_purity", "k") == pytest.approx(12 / 17)
    # pairs in both: 10 + 1 + 6 + 3 = 20, in clusters 15 + 15 + 10 = 40, in classes 28 + 10 + 6 = 44
    assert found.value("pairwise_f1", "k") == pytest.approx(2 * 20 / (40 + 44))
    assert float(np.mean(table.outcome[:, 0] == 0)) == pytest.approx(12 / 17)  # as purity


@settings(max_examples=500, deadline=None)
@given(ITEMS)
@example([(0, 0)])
@example([(0, 0), (0, 0), (0, 0)])  # one class, one cluster
@example([(0, 0), (1, 0), (2, 0)])  # one cluster
@example([(0, 0), (0, 1), (0, 2)])  # one class
@example([(0, 0), (1, 1), (2, 2)])  # all singletons
@example([(0, 0), (0, 1), (1, 2), (1, 3)])  # clusters are items
def test_as_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    classes, clusters = (list(one) for one in zip(*pairs, strict=True))
    expected = {
        "nmi": sklearn.normalized_mutual_info_score(classes, clusters),
        "ami": sklearn.adjusted_mutual_info_score(classes, clusters),
        "ari": sklearn.adjusted_rand_score(classes, clusters),
        "v_measure": sklearn.v_measure_score(classes, clusters),
        "homogeneity": sklearn.homogeneity_score(classes, clusters),
        "completeness": sklearn.completeness_score(classes, clusters),
    }
    table = sklearn.cluster.contingency_matrix(classes, clusters)
    expected["purity"] = table.max(axis=0).sum() / len(pairs)
    expected["inverse_purity"] = table.max(axis=1).sum() / len(pairs)
    found = _scores(pairs)
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-9), name


@settings(max_examples=500, deadline=None)
@given(ITEMS)
def test_b_cubed_and_pairs_as_defined(pairs: list[tuple[int, int]]) -> None:
    found = _scores(pairs)
    precision = recall = 0.0
    for one in pairs:
        both = sum(one == other for other in pairs)
        precision += both / sum(one[1] == other[1] for other in pairs)
        recall += both / sum(one[0] == other[0] for other in pairs)
    precision, recall = precision / len(pairs), recall / len(pairs)
    assert found["bcubed_precision"] == pytest.approx(precision)
    assert found["bcubed_recall"] == pytest.approx(recall)
    assert found["bcubed_f1"] == pytest.approx(2 * precision * recall / (precision + recall))
    together = [(one[0] == two[0], one[1] == two[1]) for one, two in combinations(pairs, 2)]
    both, either = sum(a and b for a, b in together), sum(a + b for a, b in together)
    expected = 2 * both / either if either else np.nan
    assert found["pairwise_f1"] == pytest.approx(expected, nan_ok=True)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 3)), min_size=1))
@settings(max_examples=100, deadline=None)
def test_an_item_of_weight_two_is_two_items(given_: list[tuple[int, int, int]]) -> None:
    repeated = [(one, two) for one, two, times in given_ for _ in range(times)]
    if not repeated:
        return
    weighed = _scores([row[:2] for row in given_], [float(row[2]) for row in given_])
    assert weighed == pytest.approx(_scores(repeated), nan_ok=True, abs=1e-9)


def test_nothing_is_undefined_but_for_want_of_items() -> None:
    found = _scores([(0, 0), (1, 1)], [0.0, 0.0])
    assert all(np.isnan(value) for value in found.values())


def test_many_clusters_have_a_note() -> None:
    gold = ["a", "a", "b", "b"]
    table = fg.from_items(gold, {"fine": list("1234"), "one": list("1111")}, task="clustering")
    assert [note for note in table.notes if "reward small clusters" in note] == [
        (
            "fine: 4 clusters for 4 items: purity, homogeneity and B-cubed precision reward small "
            "clusters; inverse purity and ARI do not"
        )
    ]


def test_clusterings_are_compared_by_bootstrap_as_clusters_cannot_be_exchanged() -> None:
    gold = ["a", "b", "c"] * 20
    table = fg.from_items(
        gold,
        {"same": gold, "none": [str(at % 7) for at in range(60)]},
        task="clustering",
    )
    found = fg.significance(table, "ari")
    assert found.test == "bootstrap"
    assert any("cannot be exchanged" in note for note in found.notes)
