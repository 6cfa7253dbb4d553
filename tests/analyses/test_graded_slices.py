"""Slices of graded units: by the mean value, whichever end is good; 0/1 values give recall."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.errors import UsageError
from finegrain.resampling.against_rest import Clusters, against_rest, given_other
from finegrain.resampling.subsets import Subsets
from finegrain.resampling.swapped_subsets import Outputs, swapped
from finegrain.table import OutcomeTable
from finegrain.table.scale import RIGHT_OR_WRONG, Floats, Scale
from finegrain.views.saving import render
from tests.analyses.test_graded_units import EDITS, _table
from tests.schema import require_schema

KINDS = np.array(["x", "y", "z"], object)
BY = ["kind", "topic"]


def _described(matrix: Floats, scale: Scale, *, per_document: int = 0, seed: int = 0) -> Any:
    """A graded table whose units have a kind and a topic, which say nothing of their values."""
    draw = np.random.default_rng(seed)
    table = _table(matrix, scale, per_document=per_document)
    table = table.with_column("kind", KINDS[draw.integers(0, 3, len(matrix))])
    return table.with_column("topic", KINDS[draw.integers(0, 2, len(matrix))])


def _one_subset(inside: Any) -> Subsets:
    return Subsets(np.where(inside, 0, -1).astype(np.int32)[None], 1)


# statistics


def test_the_effect_on_losses_by_hand() -> None:
    """Two documents: 3, 5 | 1, 2, 2 and 6 | 0, 2; means 4 and 5/3, 6 and 1.

    Weights 2 * 3 / 5 and 1 * 2 / 3: (6/5 * 7/3 + 2/3 * 5) / (6/5 + 2/3) = (92/15) / (28/15).
    """
    losses = np.array([3, 5, 1, 2, 2, 6, 0, 2], float)
    inside = np.array([1, 1, 0, 0, 0, 1, 0, 0], bool)
    documents = Clusters(np.repeat([0, 1], [5, 3]), within=True)
    found = against_rest(losses, _one_subset(inside), documents, resamples=9)
    assert found.effect[0] == pytest.approx(-92 / 28)
    alone = against_rest(losses, _one_subset(inside), Clusters(np.arange(8)), resamples=9)
    assert alone.effect[0] == pytest.approx(7 / 5 - 14 / 3)  # means of 3, 5, 6 and of the others


@pytest.mark.parametrize("within", [False, True])
def test_two_losses_are_errors_of_that_size(within: bool) -> None:
    draw = np.random.default_rng(1)
    wrong, inside = draw.random(200) < 0.3, draw.random(200) < 0.4
    clusters = Clusters(np.repeat(np.arange(20), 10), within)
    counted = against_rest(wrong, _one_subset(inside), clusters, resamples=99)
    scaled = against_rest(np.where(wrong, 7.0, 3.0), _one_subset(inside), clusters, resamples=99)
    assert scaled.p[0] == counted.p[0]
    assert scaled.value[0] == pytest.approx(counted.value[0])
    for one, other in ((scaled.effect, counted.effect), (scaled.low, counted.low)):
        assert one[0] == pytest.approx(4 * other[0])


@pytest.mark.parametrize("constant", [0.1, 1e9 + 0.1])
def test_what_is_the_same_within_every_document_is_no_weakness(constant: float) -> None:
    """Rounding leaves a variance of 1e-32 or so, which must not become a standard error."""
    document = np.repeat(np.arange(10), 7)
    losses = constant + 0.3 * document
    inside = np.random.default_rng(3).random(70) < 0.5
    clusters = Clusters(document, within=True)
    found = against_rest(losses, _one_subset(inside), clusters, resamples=99)
    assert (found.value[0], found.p[0]) == (0.0, 1.0)
    same = against_rest(np.full(70, constant), _one_subset(inside), clusters, resamples=99)
    assert (same.effect[0], same.p[0]) == (0.0, 1.0)


def test_what_a_larger_slice_explains_is_nothing_new_of_losses_either() -> None:
    draw = np.random.default_rng(1)
    larger = np.arange(2000) < 500
    smaller = larger & (draw.random(2000) < 0.4)
    losses = draw.exponential(np.where(larger, 2.0, 1.0))
    clusters = Clusters(np.arange(2000))
    assert abs(given_other(losses, smaller, larger, clusters)) < 2
    assert given_other(losses, larger, smaller, clusters) < -5


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 99), st.sampled_from([1e-7, 1e5]))
def test_the_unit_of_measurement_changes_no_test(seed: int, unit: float) -> None:
    draw = np.random.default_rng(seed)
    values, cluster = draw.exponential(1.0, (60, 2)), np.arange(60) // 2
    subsets = Subsets(draw.integers(0, 3, (1, 60)).astype(np.int32), 3)
    sizes = np.ones((60, 2), bool)
    one = swapped(Outputs(values, sizes), subsets, cluster, resamples=99)
    other = swapped(Outputs(values * unit, sizes), subsets, cluster, resamples=99)
    assert one.p.tolist() == other.p.tolist()
    assert other.effect == pytest.approx(one.effect * unit)
    assert other.low == pytest.approx(one.low * unit)
    single = against_rest(values[:, 0], subsets, Clusters(cluster), resamples=99)
    scaled = against_rest(values[:, 0] * unit, subsets, Clusters(cluster), resamples=99)
    assert scaled.p.tolist() == single.p.tolist()
    assert scaled.effect == pytest.approx(single.effect * unit)


# what is found


def _told(result: Any) -> list[Any]:
    return [
        (one.slice.name, one.n, one.values, one.rest, one.effect, one.low, one.high, one.p)
        for one in result.findings
    ]


@pytest.mark.parametrize("per_document", [0, 5])
@pytest.mark.parametrize("of", ["rough", ("rough", "fine")])
def test_binary_values_give_the_slices_of_recall(of: Any, per_document: int) -> None:
    draw = np.random.default_rng(4)
    table = _described(np.ones((600, 2)), RIGHT_OR_WRONG, per_document=per_document)
    weak = table.columns["kind"] == "y"
    right = draw.random((600, 2)) < np.where(weak, 0.5, 0.9)[:, None]
    right[:, 1] = draw.random(600) < 0.9
    table = _described(right.astype(float), RIGHT_OR_WRONG, per_document=per_document)
    graded = fg.slices(table, of, by=BY, resamples=199)
    counted = fg.slices(table, of, by=BY, resamples=199, measure="recall")
    assert graded.settings.measure == "quality"
    assert graded.findings
    assert repr(_told(graded)) == repr(_told(counted))
    assert [one.changed for one in graded.findings] == [one.changed for one in counted.findings]


def _weak(scale: Scale, *, per_document: int = 0, seed: int = 5) -> OutcomeTable:
    """Of kind y and topic x, ``fine`` needs two edits more; three units have none of it."""
    draw = np.random.default_rng(seed)
    table = _described(np.ones((900, 2)), scale, per_document=per_document, seed=seed)
    planted = (table.columns["kind"] == "y") & (table.columns["topic"] == "x")
    edits = draw.exponential(2.0, (900, 2))
    edits[:, 1] = np.where(planted, edits[:, 1] + 2, edits[:, 0] + draw.normal(0, 0.5, 900))
    edits[[3, 50, 700], 1] = math.nan
    matrix = -edits if scale.higher else edits
    return _described(matrix, scale, per_document=per_document, seed=seed)


OPEN = Scale(higher=True, best=None, worst=None, shown="number")


@pytest.mark.parametrize("per_document", [0, 9])
@pytest.mark.parametrize("scale", [EDITS, OPEN], ids=["lower", "higher"])
def test_a_planted_weakness_is_found_and_leads_to_its_units(
    scale: Scale, per_document: int
) -> None:
    table = _weak(scale, per_document=per_document)
    sign = 1 if scale.higher else -1
    for of in ("fine", ("rough", "fine")):
        found = fg.slices(table, of, by=BY, resamples=299)
        (one,) = found.findings
        assert one.slice.name == "kind y and topic x"
        assert sign * one.effect < -1.5
        assert one.low <= one.effect <= one.high
        assert sign * one.low < 0
        assert sign * one.high < 0
        assert not one.gained
        assert fg.show(table, one.where).found == one.n
        assert fg.difference(table, where=one.where).to_json()["gains"]["units"] == one.n
        assert any("3 texts left out" in note for note in found.notes)
        assert all(math.isnan(value) for value in one.f1)
        assert not any("F1" in note for note in found.notes)
    assert one.values[1] - one.values[0] == pytest.approx(one.effect)
    assert one.instances == f"{one.where} and gain[rough,fine]<0"
    gains = fg.difference(table, where=one.where).to_json()["gains"]
    assert fg.show(table, one.instances).found == gains["losses"]
    assert "fine loses to rough on kind y and topic x: quality " in one.sentence


def test_units_behind_a_weakness_are_worse_than_the_rest_on_average() -> None:
    table = _weak(EDITS)
    (one,) = fg.slices(table, "fine", by=BY, resamples=199).findings
    assert one.where == "kind=y and topic=x and quality[fine]!=none"
    assert one.instances == f"{one.where} and quality[fine]>{one.rest:.4g}"
    values = table.values["quality"].matrix[:, 1]
    inside = (table.columns["kind"] == "y") & (table.columns["topic"] == "x")
    expected = np.count_nonzero(inside & (values > float(f"{one.rest:.4g}")))
    assert fg.show(table, one.instances).found == expected
    assert one.values[0] == pytest.approx(np.nanmean(values[inside]))
    assert one.rest == pytest.approx(np.nanmean(values[~inside]))


@pytest.mark.parametrize("per_document", [0, 6])
def test_the_direction_of_a_scale_only_turns_the_signs(per_document: int) -> None:
    for of in ("fine", ("rough", "fine")):
        (lower,), (higher,) = (
            fg.slices(_weak(scale, per_document=per_document), of, by=BY, resamples=99).findings
            for scale in (EDITS, OPEN)
        )
        assert (lower.slice.name, lower.n, lower.p) == (higher.slice.name, higher.n, higher.p)
        assert (lower.effect, lower.low, lower.high) == (-higher.effect, -higher.high, -higher.low)


@pytest.mark.parametrize(
    ("of", "per_document"), [("fine", 0), ("fine", 10), (("rough", "fine"), 10)]
)
def test_without_a_weakness_hardly_anything_of_skewed_values_is_reported(
    of: Any, per_document: int
) -> None:
    """Documents differ in how hard they are; 6 of 60 is what 5 % give at most in 98 of 100 runs."""
    reported = 0
    for seed in range(60):
        draw = np.random.default_rng(seed)
        hard = np.repeat(draw.exponential(1.0, 40), 10) if per_document else np.ones(400)
        matrix = draw.exponential(1.0, (400, 2)) * hard[:, None]
        table = _described(matrix, EDITS, per_document=per_document, seed=seed)
        found = fg.slices(table, of, by=BY, resamples=99, fewest=20)
        reported += bool(found.findings)
    assert reported <= 6


def test_only_values_are_tested_where_nothing_is_right_or_wrong() -> None:
    with pytest.raises(UsageError, match="what can be tested is their quality, not recall"):
        fg.slices(_weak(EDITS), measure="recall")
    with pytest.raises(UsageError, match="unknown measure"):
        fg.slices(_weak(EDITS), measure="qualty")


@pytest.mark.parametrize("form", ["json", "csv", "latex", "markdown"])
def test_every_form_and_the_schema(form: str) -> None:
    for of in ("fine", ("rough", "fine")):
        found = fg.slices(_weak(EDITS), of, by=BY, resamples=99)
        text = render(found, form)
        assert text
        if form == "json":
            whole = json.loads(text)
            require_schema({**whole, "task": "items"}, "slices")
            told = whole["result"]
            assert (told["measure"], told["higher_is_better"]) == ("quality", False)
    assert "quality: lower is better" in str(found)
    assert "recall" not in str(found)


def test_values_and_gains_can_be_asked_for() -> None:
    table = _table([[4.0, 1.0], [2.0, 2.0], [0.0, 3.0], [math.nan, 1.0]], EDITS)
    for where, count in (
        ("quality[rough]>1", 2), ("quality>=3", 2), ("quality[rough]=none", 1), ("gain>0", 1),
        ("gain[rough,fine]<0", 1), ("gain[fine,rough]<0", 1), ("gain=none", 1), ("gain=0", 1),
    ):  # fmt: skip
        assert fg.show(table, where).found == count, where
    right = fg.from_matrix([[1, 0], [0, 1], [1, 1]], systems=["a", "b"])
    assert fg.show(right, "gain[a,b]>0").found == 1
    tied = replace(EDITS, tie=0.5)
    assert fg.show(_table([[1.0, 1.2], [1.0, 2.0]], tied), "gain<-0.5").found == 1
