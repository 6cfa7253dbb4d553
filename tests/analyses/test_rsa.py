"""Representational similarity: worked examples, scipy as an oracle, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from scipy.stats import spearmanr

import finegrain as fg
from finegrain.analyses.studies.geometry import noise_ceiling
from finegrain.analyses.studies.matrices import of_table
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.vectors import of_vectors
from finegrain.errors import InputError, UsageError
from finegrain.testing import small_corpora


def _corpus(vectors: np.ndarray, ids: str = "", **columns: np.ndarray) -> Corpus:
    fields = {"id": Texts.of(ids.split() or [f"s{at}" for at in range(len(vectors))])}
    return of_vectors("given", {"vector": vectors, **columns}, fields)


def _random(size: int = 20, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    first = draw.normal(size=(size, 5))
    return first, first @ draw.normal(size=(5, 8)) + draw.normal(size=(size, 8))


def test_the_same_geometry_up_to_rotation_and_scale_has_rsa_1() -> None:
    vectors, _ = _random()
    turn, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(5, 5)))
    for distance in ("cosine", "euclidean"):
        found = fg.rsa(vectors, {"turned": 7 * vectors @ turn}, distance=distance)
        own = found.data["systems"]["turned"]
        assert own["rsa"] == 1.0
        assert own["cka"] == pytest.approx(1)
        assert own["cka_debiased"] == pytest.approx(1)
        assert own["neighbour_overlap"] == 1.0
        assert own["p"] == pytest.approx(1 / 1001)


@pytest.mark.parametrize("distance", ["cosine", "correlation", "euclidean"])
def test_rsa_is_scipys_correlation_of_its_distances(distance: str) -> None:
    one, other = _random()
    expected = spearmanr(pdist(one, distance), pdist(other, distance))[0]
    found = fg.rsa(one, {"model": other}, distance=distance, intervals=0)
    assert found.data["systems"]["model"]["rsa"] == pytest.approx(expected, abs=1e-12)
    table = fg.align(_corpus(one), {"model": _corpus(other)}, distance=distance)
    assert fg.score(table).value("rsa", "model") == pytest.approx(expected, abs=1e-12)


def test_a_table_and_the_vectors_have_the_same_study() -> None:
    one, other = _random()
    table = fg.align(_corpus(one), {"model": _corpus(other)})
    assert fg.study(table, "geometry").data == fg.rsa(one, {"model": other}).data


def test_rank_errors_worked_by_hand() -> None:
    """Distances 1, 3, 2 have ranks 1, 3, 2; of the model 5, 4, 1 ranks 3, 2, 1: off by 2, 1, 1."""
    gold = _corpus(np.array([[0.0], [1.0], [3.0]]), "a b c")
    model = _corpus(np.array([[0.0], [5.0], [4.0]]), "a b c")
    table = fg.align(gold, {"model": model}, distance="euclidean")
    assert table.columns["gold_distance"].tolist() == [1, 3, 2]
    assert table.values["rank_error"].matrix.T.tolist() == [[1.0, 0.5, 0.5]]
    assert fg.score(table).value("rank_error", "model") == pytest.approx(2 / 3)


def test_the_noise_ceiling_is_that_of_its_definition() -> None:
    """Nili et al. (2014): against the mean of all people, and of all others."""
    base, _ = _random()
    draw = np.random.default_rng(4)
    people = {f"p{at}": base + draw.normal(size=base.shape) for at in range(3)}
    gold = of_vectors("people", people)
    table = fg.align(gold, {"model": of_vectors("model", {"vector": base})})
    matrices = of_table(table)
    assert matrices is not None
    found = noise_ceiling(matrices)
    assert found is not None
    own = [pdist(one, "cosine") for one in people.values()]
    ranks = [one.argsort().argsort() for one in own]
    upper = [spearmanr(one, np.mean(ranks, axis=0))[0] for one in own]
    lower = [
        spearmanr(own[at], np.mean([ranks[other] for other in range(3) if other != at], axis=0))[0]
        for at in range(3)
    ]
    assert found.upper == pytest.approx(np.mean(upper), abs=1e-9)
    assert found.lower == pytest.approx(np.mean(lower), abs=1e-9)
    assert found.lower < found.upper
    data = fg.study(table, "geometry").data
    by_person = [spearmanr(one, pdist(base, "cosine"))[0] for one in own]
    assert data["systems"]["model"]["by_person"] == pytest.approx(np.mean(by_person), abs=1e-9)
    assert data["people"] == 3


def test_layers_are_systems_with_facets() -> None:
    one, other = _random()
    layers = of_vectors("bert.npz", {"low": other, "high": one})
    gold = of_vectors("gold", {"vector": one})
    table = fg.align(gold, {"bert": layers, "glove": of_vectors("glove", {"vector": other})})
    assert table.systems == ("bert@low", "bert@high", "glove")
    assert table.facets["model"] == ("bert", "bert", "glove")
    assert table.facets["layer"] == ("low", "high", "")
    found = fg.study(table, "layers")
    assert found.data["rsa"][0][2] == 1.0
    assert found.plots[0].title == "RSA with gold by layer"
    assert found.data["cka_debiased"][1][3] == pytest.approx(1)  # low and glove are the same


def test_gold_may_be_distances() -> None:
    one, other = _random(8)
    apart = np.sqrt(((one[:, None] - one) ** 2).sum(axis=-1))
    given = fg.rsa(apart, {"m": other}, gold_is="distances", distance="euclidean", intervals=0)
    same = fg.rsa(-apart, {"m": other}, gold_is="similarities", distance="euclidean", intervals=0)
    expected = fg.rsa(one, {"m": other}, distance="euclidean", intervals=0)
    for found in (given, same):
        assert found.data["systems"]["m"]["rsa"] == expected.data["systems"]["m"]["rsa"]
        assert found.data["systems"]["m"]["cka"] is None


def test_fields_of_stimuli_are_those_of_pairs() -> None:
    gold, systems = small_corpora("representations")
    table = fg.align(gold, systems)
    kinds = dict(zip(table.corpus.fields["id"].slice(0, 21), table.columns["kind"], strict=True))
    assert kinds["cat – dog"] == "animal"
    assert kinds["cat – pear"] == "animal – fruit"
    assert kinds["van – pear"] == "fruit – vehicle"
    found = fg.buckets(table, by=["kind"])
    assert "animal – vehicle" in str(found)


def test_stimuli_are_matched_by_id() -> None:
    one, other = _random(4)
    gold = _corpus(one, "a b c d")
    same = fg.align(gold, {"m": _corpus(other, "a b c d")})
    order = [2, 0, 3, 1]
    more = np.append(other[order], np.ones((1, 8)), axis=0)
    turned = fg.align(gold, {"m": _corpus(more, "c a d b x")})
    assert (turned.details["distance"] == same.details["distance"]).all()
    assert "m: 1 vector is not in given and left out" in turned.notes


def test_a_stimulus_that_a_system_lacks_is_an_error_or_left_out() -> None:
    one, other = _random(5)
    gold, less = _corpus(one, "a b c d e"), _corpus(other[:4], "a b c e")
    with pytest.raises(InputError, match="1 of 5 stimuli have no vector: 'd'"):
        fg.align(gold, {"m": less})
    table = fg.align(gold, {"m": less, "all": _corpus(other, "a b c d e")}, missing="skip")
    assert len(table) == 6
    assert "1 of 5 stimuli are left out (missing:skip)" in table.notes


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v: v[:3], "3 vectors where given has 5, and no ids"),
        (lambda v: v * 0, r"vector 1 is zero, which has no angle"),
        (lambda v: np.stack([v, v * np.nan]), "hold nan or infinity"),
        (lambda v: v[0], "array of numbers"),
    ],
)
def test_vectors_that_do_not_fit_say_why(change: object, message: str) -> None:
    one, _ = _random(5)
    with pytest.raises((InputError, UsageError), match=message):
        fg.rsa(of_vectors("given", {"vector": one}), {"m": change(one)})  # type: ignore[operator]


def test_constant_vectors_have_no_correlation() -> None:
    one, _ = _random(5)
    flat = one.copy()
    flat[2] = 4.0
    with pytest.raises(InputError, match="vector 3 has equal numbers only"):
        fg.rsa(one, {"m": flat}, distance="correlation")
    assert not math.isnan(fg.rsa(one, {"m": flat}).data["systems"]["m"]["rsa"])


def test_ids_that_stand_twice_are_refused() -> None:
    one, other = _random(4)
    with pytest.raises(InputError, match="two vectors are called 'a': numbers 1 and 3"):
        fg.align(_corpus(one, "a b a c"), {"m": _corpus(other, "a b c d")})
    gold = _corpus(one[:3], "a b c")
    with pytest.raises(InputError, match="two vectors are called 'b': numbers 2 and 4"):
        fg.align(gold, {"m": _corpus(other, "a b c b")})
    fg.align(gold, {"m": _corpus(np.append(other, other[:2], axis=0), "a b c x x y")})


def test_a_table_of_too_many_pairs_is_refused_with_a_way_out() -> None:
    one, other = _random(501)
    gold, model = _corpus(one), _corpus(other)
    with pytest.raises(InputError, match=r"501 stimuli have 125,250 pairs.*finegrain rsa"):
        fg.align(gold, {"m": model})
    table = fg.align(gold, {"m": model}, stimuli="30")
    assert len(table) == 435
    assert table.settings["stimuli"] == "30"
    assert "30 of 501 stimuli are drawn (seed 1)" in table.notes
    assert fg.rsa(gold, {"m": model}, intervals=0).data["pairs"] == 125_250


def test_pairs_of_selected_stimuli_only_have_no_geometry() -> None:
    table = fg.align(*small_corpora("representations"))
    with pytest.raises(UsageError, match="what this table does not have"):
        fg.study(table, "geometry", where="kind=animal or kind=vehicle")
    with pytest.raises(UsageError, match="use buckets, whose intervals draw stimuli"):
        fg.slices(table, "near")


def test_what_is_misspelt_names_what_is_known() -> None:
    one, other = _random(4)
    for options, message in (
        ({"distance": "cosin"}, "Did you mean 'cosine'"),
        ({"correlation": "kendal"}, "Known: spearman, pearson"),
        ({"gold_is": "distance"}, "Did you mean 'distances'"),
        ({"missing": "no"}, "Known: error, skip"),
    ):
        with pytest.raises(UsageError, match=message):
            fg.rsa(one, {"m": other}, **options)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="not symmetric"):
        fg.rsa(one @ np.ones((5, 4)), {"m": other}, gold_is="distances")
    with pytest.raises(InputError, match="no square: 4 x 5"):
        fg.rsa(one, {"m": other}, gold_is="distances")
