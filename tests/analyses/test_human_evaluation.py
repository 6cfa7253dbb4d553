"""Studies of ratings, validated metrics, crowds: values by hand, what is undefined, schema."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import finegrain as fg
from finegrain.formats.crowd_labels import CrowdLabels, read_labels
from finegrain.formats.delimited import read
from finegrain.formats.source import source_of
from finegrain.metrics.metric_validation import pairwise_accuracy
from finegrain.table import OutcomeTable
from finegrain.views.text_formats import as_json
from tests.schema import is_refused


def _table(text: str) -> OutcomeTable:
    lines = "\n".join(text.split())
    return fg.align(read(source_of("judged.csv", lines.encode())), {}, task="ratings")


def _crowd(text: str) -> CrowdLabels:
    return read_labels(source_of("labels.csv", "\n".join(text.split()).encode()))


def test_strengths_of_judgements_are_log_odds() -> None:
    # a wins 6, b wins 2: odds 3, strengths +- log(3) / 2
    table = _table("winner,loser " + "a,b " * 6 + "b,a " * 2)
    found = fg.study(table, "bradley_terry", intervals=200)
    assert found.data["systems"]["a"]["strength"] == pytest.approx(math.log(3) / 2)
    assert found.data["systems"]["a"]["wins"] == 6
    low, high = found.data["systems"]["a"]["interval"]
    assert low < math.log(3) / 2 < high
    strength, wins = found.tables
    assert [one.name for one in strength.columns][:2] == ["system", "strength"]
    assert [(one.name, one.kind) for one in wins.columns] == [
        ("system", "text"), ("a", "score"), ("b", "score"),
    ]  # fmt: skip
    assert wins.rows == (("a", None, 0.75), ("b", 0.25, None))


def test_systems_that_nothing_connects_are_named() -> None:
    table = _table("winner,loser a,b b,a c,d d,c")
    found = fg.study(table, "bradley_terry")
    assert found.data["systems"]["a"]["strength"] is None
    assert any("a, b; c, d" in note for note in found.notes)


def test_a_system_that_never_loses_has_no_strength() -> None:
    found = fg.study(_table("winner,loser a,b a,b a,c b,c c,b"), "bradley_terry")
    assert found.data["systems"]["b"]["strength"] is None
    assert any("a never loses" in note for note in found.notes)


def test_agreement_by_criterion_is_that_of_agreement() -> None:
    # the pairs of an item and a system are units: (1, 2), (3, 3), (5, 4), (2, 2)
    table = _table(
        "rater,item,system,score ann,q1,a,1 ben,q1,a,2 ann,q1,b,3 ben,q1,b,3 "
        "ann,q2,a,5 ben,q2,a,4 ann,q2,b,2 ben,q2,b,2"
    )
    own = fg.study(table, "criteria", intervals=0).data["criteria"]["rating"]
    rows = [[1, 2], [3, 3], [5, 4], [2, 2]]
    for scale in ("interval", "ordinal"):
        found = fg.agreement(fg.ratings(rows, annotators=["ann", "ben"]), scale=scale, intervals=0)  # type: ignore[arg-type]
        alpha = found.view("units").together[f"{scale}_alpha"].value
        assert own[f"alpha_{scale}"] == pytest.approx(float(alpha))


def test_severity_is_what_the_others_give_more() -> None:
    # ann gives 1 less than the mean of ben and cat on q1, and 3 less than ben on q2
    table = _table(
        "rater,item,system,score ann,q1,a,2 ben,q1,a,2 cat,q1,a,4 ann,q2,a,1 ben,q2,a,4 dan,q3,a,5"
    )
    found = fg.study(table, "raters", intervals=0).data["raters"]
    assert found["ann"]["severity"] == pytest.approx((1 + 3) / 2)
    assert found["dan"]["severity"] is None


def test_ties_of_people_need_a_threshold() -> None:
    # item 1: people tie a and b, and put both above c. item 2: a > b > c.
    people = np.array([[2.0, 2.0, 1.0], [3.0, 2.0, 1.0]])
    metric = np.array([[0.5, 0.52, 0.2], [0.9, 0.6, 0.55]])
    # epsilon 0: right are ac, bc; ab, ac, bc: 5 of 6. 0.02: 6 of 6 but the tie ab is right too.
    found = pairwise_accuracy(metric, people)
    assert found.epsilon == pytest.approx(0.02)
    assert found.share.tolist() == [1.0, 1.0]
    none = pairwise_accuracy(metric, people, epsilon=0.0)
    assert none.share == pytest.approx([2 / 3, 1.0])


@pytest.mark.parametrize("seed", range(30))
def test_the_threshold_is_the_best_of_all(seed: int) -> None:
    draw = np.random.default_rng(seed)
    people, metric = draw.integers(1, 4, (6, 4)).astype(float), draw.normal(size=(6, 4))
    people[draw.random(people.shape) < 0.2] = np.nan
    found = pairwise_accuracy(metric, people)
    one, two = np.triu_indices(4, 1)
    every = [0.0, *np.abs(metric[:, one] - metric[:, two]).ravel()]
    others = [np.nanmean(pairwise_accuracy(metric, people, epsilon=at).share) for at in every]
    assert np.nanmean(found.share) == pytest.approx(max(others))


def _judged(seed: int = 1) -> OutcomeTable:
    draw = np.random.default_rng(seed)
    rows = [
        f"r{rater},q{item},{system},{draw.integers(1, 6)}"
        for rater in range(2) for item in range(12) for system in "abcd"
    ]  # fmt: skip
    return _table(" ".join(["rater,item,system,score", *rows]))


def test_correlations_are_those_of_scipy() -> None:
    from scipy import stats  # type: ignore[import-untyped]

    table = _judged()
    people = table.values["rating"].matrix
    metric = people + np.random.default_rng(2).normal(size=people.shape)
    found = fg.validate(table, {"mine": metric}, intervals=0)
    theirs = {
        "pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau
    }  # fmt: skip
    for name, function in theirs.items():
        pooled = function(metric.ravel(), people.ravel()).statistic
        assert float(found.measure("mine", "pooled", name).value) == pytest.approx(pooled)
        grouped = [
            function(mine, own).statistic
            for mine, own in zip(metric, people, strict=True)
            if len(set(own)) > 1
        ]
        assert float(found.measure("mine", "grouped", name).value) == pytest.approx(
            np.mean(grouped)
        )
        system = function(metric.mean(axis=0), people.mean(axis=0)).statistic
        assert float(found.measure("mine", "system", name).value) == pytest.approx(system)


def test_a_metric_is_not_closer_than_itself_and_people_are_perfect() -> None:
    table = _judged()
    people = table.values["rating"].matrix
    found = fg.validate(table, {"one": people, "two": people * 2 + 1}, intervals=100, resamples=200)
    assert {test.p for test in found.tests} == {1.0}
    assert float(found.measure("one", "grouped", "accuracy").value) == 1.0
    assert not is_refused(json.loads(as_json(found, command="finegrain validate")))


def test_noise_is_further_from_people() -> None:
    table = _judged(3)
    people = table.values["rating"].matrix
    noise = np.random.default_rng(4).normal(size=people.shape)
    found = fg.validate(
        table, {"good": people + noise / 10, "bad": noise}, intervals=0, resamples=500
    )
    assert all(test.p < 0.05 and test.difference < 0 for test in found.tests)


def test_neither_the_unit_nor_the_origin_of_a_metric_changes_its_p() -> None:
    table = _judged(3)
    people = table.values["rating"].matrix
    noise = np.random.default_rng(4).normal(size=(2, *people.shape))
    good, bad = people + noise[0], people + noise[1] * 1.5
    plain, shifted, scaled = (
        [
            (test.p, test.difference)
            for test in fg.validate(table, given, intervals=0, resamples=300).tests
        ]
        for given in ({"good": good, "bad": other} for other in (bad, 40 + bad, 3 * bad - 1000))
    )
    assert any(0.01 < p < 1 for p, _ in plain)
    assert np.array(shifted) == pytest.approx(np.array(plain))
    assert np.array(scaled) == pytest.approx(np.array(plain))


def test_workers_are_compared_with_the_rest_and_with_gold() -> None:
    found = fg.crowd(
        _crowd(
            "worker,item,label,gold "
            "ann,1,x,x ben,1,x,x cat,1,y,x ann,2,y,y ben,2,y,y cat,2,y,y ann,3,x,y ben,3,y,y"
        ),
        intervals=0,
    )
    ann, _, cat = found.workers
    # the rest of ann: item 1 tied (x, y), 2 y, 3 y: 1 of 2; gold: x, y right, the third wrong
    assert (ann.rest.items, ann.rest.value) == (2, 0.5)
    assert (ann.gold.items, ann.gold.value) == (3, pytest.approx(2 / 3))
    assert (cat.labels, cat.rest.value) == (2, 0.5)
    # item 3 is tied: y is used 5 times, x 3 times
    assert [found.labels[code] for code in found.vote.tolist()] == ["x", "y", "y"]
    assert found.accuracy["vote"].value == 1.0
    assert found.disagreement == pytest.approx([1 / 3, 0, 1 / 2])
    assert found.entropy[2] == pytest.approx(1.0)
    assert not is_refused(json.loads(as_json(found, command="finegrain crowd")))


def test_by_vote_probabilities_are_shares() -> None:
    given = _crowd("worker,item,label ann,1,x ben,1,x cat,1,y")
    found = fg.crowd(given, method="vote", intervals=0)
    assert found.chances == pytest.approx(np.array([[2 / 3, 1 / 3]]))


def test_experts_have_a_column_where_they_gave_any_label() -> None:
    for rows, shown in (("ann,1,x,x ben,1,y,x", True), ("ann,1,x, ben,1,y,", False)):
        found = fg.crowd(_crowd("worker,item,label,gold " + rows), method="vote", intervals=0)
        records = found.records()
        assert ("expert" in [column.name for column in records.columns]) == shown
        assert len(records.rows[0]) == len(records.columns)


def test_studies_and_their_json() -> None:
    table = _judged()
    for name in ("criteria", "raters", "bradley_terry"):
        found = fg.study(table, name, intervals=100)
        json.dumps(found.to_json(), allow_nan=False)
        assert str(found)


def test_the_page_prints_ratings_as_numbers() -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    pytest.importorskip("jinja2", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    table = _table("rater,item,system,score ann,q1,a,4 ann,q1,b,2 ann,q2,a,3 ann,q2,b,1")
    page = as_html(fg.report(table))
    scores = page[page.index("Rating of every system") :].split("</table>")[0]
    assert "3.500" in scores
    assert "350.00" not in scores


def test_the_mean_gain_has_the_interval_of_the_rating_with_raters_drawn() -> None:
    made = fg.simulate_ratings(tokens=500)
    table = fg.align(made.gold, {}, task="ratings")
    found = fg.difference(table, *table.systems[:2], intervals=200).intervals
    assert found is not None
    assert found.ends("gain") == found.ends("score")


def test_the_share_of_better_items_is_for_other_raters_too() -> None:
    # r1 finds a better and r2 b on every other item, six people see no difference: whoever draws
    # r1 and r2 unequally often finds no ties. Items alone give .5 +- 1.96 sqrt(1 / 4 / 40) = .15
    rows = []
    for item in range(40):
        for rater in range(1, 9):
            gain = 0 if item % 2 else {1: 1, 2: -1}.get(rater, 0)
            rows += [f"r{rater},q{item},a,{3 + gain}", f"r{rater},q{item},b,{3 - item % 2}"]
    table = _table("rater,item,system,score " + " ".join(rows))
    found = fg.difference(table, "a", "b", intervals=300)
    assert found.intervals is not None
    assert found.gains is not None
    assert found.gains.changed == 20
    low, high = found.intervals.ends("diff")
    assert 0.25 < low < 0.5
    assert high == 1
