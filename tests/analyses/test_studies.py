"""Studies: worked by hand, against scikit-learn, and every number leads to its units."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as peer
from sklearn.calibration import calibration_curve

import finegrain as fg
from finegrain.analyses.listing import Linked
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.analyses.studies import available
from finegrain.analyses.studies.content import Study
from finegrain.analyses.studies.correlations import williams
from finegrain.analyses.studies.curves import curve_of
from finegrain.analyses.studies.drawn_ends import ends as drawn_ends
from finegrain.metrics.choosing import chosen
from finegrain.metrics.metric import ratio
from finegrain.metrics.probability_scores import aurc
from finegrain.resampling.distinct import distinct
from finegrain.resampling.intervals import NO_INTERVALS, Drawing, drawn
from finegrain.table.samples import whole
from finegrain.tasks import TASKS
from finegrain.testing import small_corpora
from tests.command_line import run_finegrain

WITH_STUDIES = sorted(name for name, task in TASKS.items() if task.studies or task.value)
CHANCES = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.6, 0.4]]


def _reviews(items: int = 300, seed: int = 7) -> fg.OutcomeTable:
    """Two classifiers of three labels, one of which is too sure."""
    generator = np.random.default_rng(seed)
    gold = generator.integers(0, 3, items)
    names = np.array(["neg", "neutral", "pos"])
    chances = {}
    for name, sharp in (("mild", 1.0), ("bold", 4.0)):
        evidence = sharp * (generator.normal(size=(items, 3)) + 1.2 * np.eye(3)[gold])
        whole_mass = np.exp(evidence - evidence.max(axis=1, keepdims=True))
        chances[name] = whole_mass / whole_mass.sum(axis=1, keepdims=True)
    return fg.from_items(
        names[gold].tolist(),
        {name: names[one.argmax(axis=1)].tolist() for name, one in chances.items()},
        probabilities=chances, classes=names.tolist(), task="classification",
    )  # fmt: skip


def _two(positive: np.ndarray, scores: np.ndarray) -> fg.OutcomeTable:
    labels = np.where(positive, "yes", "no")
    return fg.from_items(
        labels.tolist(), {"mine": np.where(scores > 0.5, "yes", "no").tolist()},
        probabilities={"mine": np.stack([1 - scores, scores], axis=-1)}, classes=["no", "yes"],
        task="classification",
    )  # fmt: skip


def test_calibration_worked_by_hand() -> None:
    # top labels a .9 right, a .8 right, b .7 right, a .6 wrong: accuracy 3/4, mean p 3.0/4.
    # 15 bins: .9 -> 14th, .8 -> 12th, .7 -> 11th, .6 -> 9th, one item each, so
    # reliability = (.01 + .04 + .09 + .36) / 4 = .125; resolution = (3 * 1/16 + 9/16) / 4 = .1875;
    # uncertainty = 3/16 = .1875; Brier of the top label = .125, nothing within bins.
    table = fg.from_items(
        ["a", "a", "b", "b"], {"mine": ["a", "a", "b", "a"]}, classes=["a", "b"],
        probabilities={"mine": CHANCES},
    )  # fmt: skip
    mine = fg.study(table, "calibration", intervals=0).data["systems"]["mine"]
    assert mine["accuracy"] == 0.75
    assert mine["confidence"] == pytest.approx(0.75)
    assert mine["top_brier"] == pytest.approx(0.125)
    parts = [mine[name] for name in ("reliability", "resolution", "uncertainty", "within_bins")]
    assert parts == pytest.approx([0.125, 0.1875, 0.1875, 0.0])
    assert mine["confident_errors"] == 0


def test_the_parts_of_the_brier_score_add_up_and_ece_is_the_metric() -> None:
    table = _reviews()
    found = fg.study(table, "calibration", intervals=0)
    scores = fg.score(table)
    for name, one in found.data["systems"].items():
        total = one["reliability"] - one["resolution"] + one["uncertainty"] + one["within_bins"]
        assert total == pytest.approx(one["top_brier"])
        assert one["ece"] == pytest.approx(scores.value("ece", name))
        assert one["debiased_ece"] == pytest.approx(scores.value("debiased_ece", name))


def test_the_reliability_diagram_is_that_of_scikit_learn() -> None:
    table = _reviews()
    chances = table.details["probability"][:, 0]
    right = chances.argmax(axis=1) == table.label
    accuracy, confidence = calibration_curve(right, chances.max(axis=1), n_bins=15)
    rows = fg.study(table, "calibration", intervals=0).data["systems"]["mild"]
    diagram = [row for row in rows["reliability_diagram"] if row["n"]]
    assert [row["accuracy"] for row in diagram] == pytest.approx(accuracy.tolist())
    assert [row["confidence"] for row in diagram] == pytest.approx(confidence.tolist())


def test_a_bold_system_is_overconfident_and_its_interval_says_so() -> None:
    overview = fg.study(_reviews(), "calibration").tables[0]
    rows = {row[0]: row for row in overview.rows}
    heads = [column.name for column in overview.columns]
    bold = rows["bold"][heads.index("interval")]
    low, high = (float(end) for end in str(bold).strip("[]").split(", "))
    assert 0 < low < 100 * float(rows["bold"][heads.index("overconfident")]) < high  # type: ignore[arg-type]


@settings(max_examples=200)
@given(st.data())
def test_curves_are_those_of_scikit_learn(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, 40))
    scores = np.array(data.draw(st.lists(st.sampled_from([0.1, 0.25, 0.5, 0.75, 0.9]), min_size=size, max_size=size)))  # fmt: skip # noqa: E501
    positive = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    positive[:2] = [True, False]
    found = curve_of(scores, positive)
    fallout, recall, _ = peer.roc_curve(positive, scores, drop_intermediate=False)
    assert found.fallout.tolist() == pytest.approx(fallout[1:].tolist())
    assert found.recall.tolist() == pytest.approx(recall[1:].tolist())
    precision, recalled, _ = peer.precision_recall_curve(positive, scores)
    assert found.precision.tolist() == pytest.approx(precision[:-1][::-1].tolist())
    assert found.recall.tolist() == pytest.approx(recalled[:-1][::-1].tolist())


def test_curves_are_about_the_rarer_label_and_mark_own_answers() -> None:
    positive = np.array([True, True, False, False, False])
    scores = np.array([0.9, 0.4, 0.6, 0.2, 0.1])
    found = fg.study(_two(positive, scores), "curves", intervals=0)
    mine = found.data["systems"]["mine"]
    assert found.data["positive"] == "yes"
    # answers above .5: one right, one wrong, one missed
    assert mine["operating_point"] == pytest.approx(
        {"recall": 0.5, "precision": 0.5, "false_positive_rate": 1 / 3, "f1": 0.5}
    )
    # thresholds .9: F1 2/3, .6: 1/2, .4: 4/5, .2: 2/3, .1: 4/7
    assert (mine["best_threshold"], mine["best_f1"]) == (0.4, 0.8)
    assert mine["auc"] == pytest.approx(peer.roc_auc_score(positive, scores))


def test_several_labels_are_pooled_and_have_areas_of_their_own() -> None:
    table = _reviews()
    found = fg.study(table, "curves", intervals=0)
    chances = table.details["probability"][:, 0]
    truth = np.eye(3)[table.label]
    expected = peer.roc_auc_score(truth, chances, average="micro")
    assert found.data["positive"] is None
    assert found.data["systems"]["mild"]["auc"] == pytest.approx(expected)
    by_label = {row[0]: row[2] for row in found.tables[1].rows}
    for code, label in enumerate(table.labels):
        assert by_label[label] == pytest.approx(
            peer.roc_auc_score(truth[:, code], chances[:, code])
        )


def test_selective_accuracy_worked_by_hand() -> None:
    # by probability: .9 right, .8 right, .7 right, .6 wrong; risks 0, 0, 0, 1/4: area 1/16, which
    # is also the least that one error of four allows
    table = fg.from_items(
        ["a", "a", "b", "b"], {"mine": ["a", "a", "b", "a"]}, classes=["a", "b"],
        probabilities={"mine": CHANCES},
    )  # fmt: skip
    mine = fg.study(table, "selective", intervals=0).data["systems"]["mine"]
    assert mine["aurc"] == mine["least_aurc"] == 0.0625
    assert mine["accuracy_at"] == {"50": 1.0, "75": 1.0, "90": 1.0, "95": 1.0, "100": 0.75}
    assert fg.score(table, "aurc").value("aurc", "mine") == 0.0625


def test_selective_accuracy_does_not_depend_on_the_order_of_equally_sure_items() -> None:
    chances = [[0.9, 0.1], [0.8, 0.2], [0.8, 0.2], [0.8, 0.2]]
    for gold in (["a", "a", "a", "b"], ["a", "b", "a", "a"], ["a", "a", "b", "a"]):
        table = fg.from_items(
            gold, {"mine": list("aaaa")}, classes=["a", "b"], probabilities={"mine": chances}
        )
        found = fg.study(table, "selective", intervals=0).data["systems"]["mine"]["accuracy_at"]
        assert found["50"] == pytest.approx((1 + 2 / 3) / 2)  # one of three, two of which are right
        assert found["75"] == pytest.approx((1 + 4 / 3) / 3)
        assert found["100"] == 0.75


@settings(max_examples=100)
@given(st.lists(st.tuples(st.sampled_from([0.3, 0.5, 0.8]), st.booleans(), st.integers(0, 3)), min_size=1, max_size=12))  # fmt: skip # noqa: E501
def test_an_item_that_is_drawn_twice_counts_twice_in_aurc(
    rows: list[tuple[float, bool, int]],
) -> None:
    if not sum(weight for *_, weight in rows):
        return
    values = np.array([[top, wrong] for top, wrong, _ in rows], float)
    weights = np.array([weight for *_, weight in rows])
    repeated = np.repeat(values, weights, axis=0)
    assert aurc(values, weights[None].astype(float)) == pytest.approx(
        aurc(repeated, np.ones((1, len(repeated))))
    )


def test_top_k_accuracy_is_that_of_scikit_learn() -> None:
    table = _reviews()
    for k in (1, 2):
        expected = peer.top_k_accuracy_score(table.label, table.details["probability"][:, 1], k=k)
        assert fg.score(table, f"top@{k}").value(f"top@{k}", "bold") == pytest.approx(expected)
    metric = chosen(table.task, "top@3")
    assert metric.score(metric.statistics(table, whole(table)))[0].tolist() == [1.0, 1.0]
    assert fg.significance(table, "top@2").pairs[0].comparison.difference < 0.2
    with pytest.raises(fg.UsageError, match="top@0"):
        fg.score(table, "top@0")


def test_williams_worked_by_hand_and_undefined_without_enough_items() -> None:
    # |R| = 1 - .09 - .25 - .16 + .12 = .62; 2 * 99/97 * .62 + .45^2 * .7^3 = 1.3350;
    # t = .1 * sqrt(99 * 1.3 / 1.3350) = .982, 97 degrees of freedom
    found = williams(0.5, 0.4, 0.3, 100)
    assert (round(found.t, 3), found.df, round(found.p, 3)) == (0.982, 97, 0.329)
    assert williams(0.4, 0.5, 0.3, 100).t == -found.t
    assert math.isnan(williams(0.5, 0.4, 0.3, 3).p)
    assert [williams(0.5, 0.5, 1.0, n).df for n in (10, 3, 2)] == [7, 0, 0]  # undefined
    assert math.isnan(williams(0.5, 0.5, 1.0, 50).p)  # the same numbers


def test_williams_keeps_its_level_on_systems_that_are_equally_good() -> None:
    generator = np.random.default_rng(3)
    small = 0
    for _ in range(400):
        gold = generator.normal(size=60)
        systems = {name: (gold + generator.normal(size=60)).tolist() for name in ("a", "b")}
        rows = np.stack([gold, *map(np.array, systems.values())])
        matrix = np.corrcoef(rows)
        small += williams(matrix[0, 1], matrix[0, 2], matrix[1, 2], 60).p < 0.05
    assert 0.02 < small / 400 < 0.09  # 5 %, with a standard error of 1.1 points


def test_correlations_agree_with_the_paired_test() -> None:
    generator = np.random.default_rng(5)
    gold = generator.normal(size=200)
    near, far = (gold + noise * generator.normal(size=200) for noise in (0.4, 2.0))
    table = fg.from_items(gold.tolist(), {"near": near, "far": far}, task="regression")
    (pair,) = fg.study(table, "correlations").data["pairs"]
    assert pair["r_a"] == pytest.approx(np.corrcoef(gold, near)[0, 1])
    assert pair["t"] < 0
    assert pair["interval"][1] < 0
    assert pair["p_holm"] < 0.001 > pair["p_resampling_holm"] - 1e-9
    assert pair["df"] == 197


def test_residuals_worked_by_hand() -> None:
    # residuals 1, .5, 1, .5: mean .75, sd sqrt(4 * .0625 / 3) = .2887
    table = fg.from_items([1.0, 2.0, 3.0, 4.0], {"mine": [2.0, 2.5, 4.0, 4.5]}, task="regression")
    found = fg.study(table, "residuals", intervals=0)
    mine = found.data["systems"]["mine"]
    assert (mine["bias"], mine["n"]) == (0.75, 4)
    assert mine["sd"] == pytest.approx(0.288675)
    assert mine["limits"] == pytest.approx(
        [0.75 - 1.96 * 0.288675, 0.75 + 1.96 * 0.288675], rel=1e-4
    )
    scatter, bland_altman = found.plots
    assert scatter.series[0].y.tolist() == [2.0, 2.5, 4.0, 4.5]
    assert bland_altman.series[0].x.tolist() == [1.5, 2.25, 3.5, 4.25]
    assert [row[0] for row in found.tables[1].values] == ["+1.000", "+1.000", "+0.500", "+0.500"]


def test_items_without_a_prediction_are_in_no_residual() -> None:
    table = fg.from_items(
        [1.0, 2.0, 3.0], {"mine": [2.0, None, 5.0]}, task="regression", missing="wrong"
    )
    found = fg.study(table, "residuals", intervals=0)
    assert found.data["systems"]["mine"]["bias"] == 1.5
    assert len(found.plots[0].series[0].x) == 2


def test_values_rise_to_one() -> None:
    found = fg.study(fg.align(*small_corpora("regression"), task="regression"), "values")
    for series in found.plots[0].series:
        assert series.y[-1] == 1.0
        assert (np.diff(series.y) >= 0).all()


@pytest.mark.parametrize("name", WITH_STUDIES)
def test_every_number_of_a_study_leads_to_as_many_units(name: str) -> None:
    table = fg.align(*small_corpora(name), task=name)
    if name == "classification":
        table = _reviews()
    report = fg.report(table, instances=len(table))
    search = UnitSearch.of(report.units)
    studies = [one for one in report.results.values() if isinstance(one, Study)]
    assert studies
    for found in studies:
        cells = (cell for listing in found.tables for row in listing.rows for cell in row)
        behind = [one.evidence for one in cells if isinstance(one, Linked) and one.evidence]
        series = [one for plot in found.plots for one in plot.series]
        behind += [evidence for one in series for evidence in one.behind if evidence is not None]
        for evidence in behind:
            assert len(search.rows([evidence.where])) == evidence.count, evidence
        for column, codes in found.columns.items():
            assert codes.max(initial=-1) < len(found.ranges[column])


@pytest.mark.parametrize("name", WITH_STUDIES)
def test_studies_are_json_and_tables_and_figures(name: str) -> None:
    table = fg.align(*small_corpora(name), task=name)
    for which, make in available(table).items():
        if make(table, NO_INTERVALS) is None:
            continue
        found = fg.study(table, which)
        json.dumps(found.to_json(), allow_nan=False)
        assert found.to_json()["study"] == which
        assert str(found)
        assert found.records().columns
        if found.plots:
            assert found.chart().spec["description"]


def test_what_cannot_be_studied_is_refused() -> None:
    tags = fg.align(*small_corpora("tags"), task="tags")
    with pytest.raises(fg.UsageError, match="no studies"):
        fg.study(tags, "calibration")
    plain = fg.from_items(["a", "b"], {"mine": ["a", "a"]})
    with pytest.raises(fg.UsageError, match="does not have"):
        fg.study(plain, "calibration")
    with pytest.raises(fg.UsageError, match="calibration"):
        fg.study(plain, "calibraton")


def test_the_command_writes_a_study(tmp_path: Path) -> None:
    gold = tmp_path / "gold.csv"
    gold.write_text("id,score\n" + "".join(f"q{n},{n / 2}\n" for n in range(8)))
    mine = tmp_path / "mine.csv"
    mine.write_text("id,score\n" + "".join(f"q{n},{n / 2 + 0.25}\n" for n in range(8)))
    done = run_finegrain(
        "study", "gold.csv", "mine.csv", "--of", "residuals", "--format", "json", cwd=tmp_path
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["result"]["systems"]["mine"]["bias"] == 0.25
    wrong = run_finegrain("study", "gold.csv", "mine.csv", "--of", "residual", cwd=tmp_path)
    assert wrong.returncode == 2
    assert "residuals" in wrong.stderr


def test_bins_with_few_items_are_not_drawn_however_many_are_right() -> None:
    """Eight items at 0.95 of which two are right, four at 0.65 of which all are."""
    sure = [0.95] * 8 + [0.65] * 4
    right = [1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]
    chances = np.array([[one, 1 - one] if good else [1 - one, one]
                        for one, good in zip(sure, right, strict=True)])  # fmt: skip
    answers = ["x" if good else "y" for good in right]
    table = fg.from_items(["x"] * 12, {"s": answers}, probabilities={"s": chances}, classes="xy")
    found = fg.study(table, "calibration", intervals=0)
    plot = next(one for one in found.plots if one.title.startswith("Reliability"))
    (series,) = plot.series
    assert series.x.tolist() == pytest.approx([0.95])
    assert series.y.tolist() == [0.25]


def test_documents_without_units_are_drawn_too() -> None:
    """Twenty documents of one unit each, and ten that have none: thirty are drawn."""
    ids = [str(at) for at in range(30)]
    table = fg.from_matrix([[1]] * 30, systems=["s"], units=ids)
    apart = replace(table, corpus=replace(table.corpus, documents=np.arange(30, dtype=np.int32)))
    some = apart.where(np.arange(30) < 20)
    counts = np.column_stack([np.arange(20.0), np.arange(20) % 3])
    drawing = Drawing(200, 0.95, 1)

    def score(sums: Any) -> Any:
        return ratio(sums[..., 1], sums[..., 0])

    found = drawn_ends(some, counts, score, drawing)
    every = np.vstack([counts, np.zeros((10, 2))])
    assert found.tolist() == drawn(distinct(every), drawing).ends(score).tolist()
    assert found.tolist() != drawn(distinct(counts), drawing).ends(score).tolist()


def test_the_least_sure_items_stand_behind_their_points() -> None:
    """Twenty labels with 0.05 each are in the lowest of fifteen bins, with all their items."""
    labels = [f"l{at:02}" for at in range(20)]
    chances = np.full((8, 20), 0.05)
    table = fg.from_items(
        labels[:8], {"s": labels[:8]}, probabilities={"s": chances}, classes=labels,
        task="classification",
    )  # fmt: skip
    found = fg.study(table, "selective", intervals=0)
    (series,) = found.plots[0].series
    assert {one.count for one in series.behind} == {8}


def test_without_errors_there_is_no_list_of_them() -> None:
    table = fg.from_items(
        ["a", "b"], {"mine": ["a", "b"]}, classes=["a", "b"],
        probabilities={"mine": [[0.9, 0.1], [0.2, 0.8]]},
    )  # fmt: skip
    titles = [one.title for one in fg.study(table, "calibration", intervals=0).tables]
    assert "Most confident errors" not in titles


def test_units_of_a_curve_fall_into_twentieths_of_probability() -> None:
    """Of b, the rarer label: 1 and 0.97 are in the last of them, 0.5 begins the eleventh."""
    chances = [[0.0, 1.0], [0.5, 0.5], [0.03, 0.97], [1.0, 0.0]]
    table = fg.from_items(
        ["b", "a", "a", "a"], {"s": ["b", "a", "b", "a"]}, probabilities={"s": chances},
        classes=["a", "b"], task="classification",
    )  # fmt: skip
    found = fg.study(table, "curves", intervals=0)
    assert found.columns["probability of b by s"].tolist() == [19, 10, 19, 0]
    assert len(found.ranges["probability of b by s"]) == 20
