"""Reports of trees and chains, and figures of a diagnosis: nothing is empty without a reason."""

from __future__ import annotations

import numpy as np
import pytest

import finegrain as fg
from finegrain import recipes
from finegrain.analyses.explain.diagnosis import Diagnosis
from finegrain.analyses.reports.embedded_units import embedded_units
from finegrain.analyses.reports.facts import Facts, metric_words
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.weak_spots import hardest_bucket
from finegrain.corpus import Corpus
from finegrain.table import OutcomeTable
from finegrain.testing import small_corpora
from finegrain.views.charts import chart_of
from finegrain.views.charts.diagnosis_bars import diagnosis_bars
from tests.views.page_tables import tables_of


def _table(task: str) -> OutcomeTable:
    return fg.align(*small_corpora(task), task=task)


@pytest.fixture(scope="module", params=["dependencies", "coreference"])
def structured(request: pytest.FixtureRequest) -> Report:
    return fg.report(_table(request.param))


def test_kinds_of_errors_are_those_of_the_command(structured: Report) -> None:
    pytest.importorskip("vl_convert")
    from finegrain.views.html.page import as_html

    found = tables_of(as_html(structured))
    errors = fg.error_types(structured.table).to_json()
    kinds = list(next(iter(errors.values()))["counts"])[1:]
    expected = [
        [name, *(f"{n:,}" for n in [sum(counts), *counts])]
        for name in (structured.systems[place] for place in structured.order)
        for counts in [[errors[name]["counts"][kind] for kind in kinds]]
    ]
    assert found.rows["errors"] == expected
    assert found.nameless == 0
    assert found.rows["buckets"]
    assert found.rows["definitions"]


def test_what_a_task_has_not_is_said_in_a_sentence() -> None:
    pytest.importorskip("vl_convert")
    from finegrain.views.html.page import as_html

    page = as_html(fg.report(_table("coreference")))
    assert "There is no list of likely errors of the gold standard: systems that link" in page
    assert "There is no table of labels" in page
    trees = as_html(fg.report(_table("dependencies")))
    assert "the right relation, whatever their head" in trees


def test_scores_of_parts_are_compared_with_scores_of_the_same_metric() -> None:
    """The CoNLL F1 is about whole documents: buckets have ARCS, their overall scores too."""
    report = fg.report(_table("coreference"))
    facts = Facts(report.table, report.results, report.metric, report.order)
    assert (facts.scored, facts.scored_units, facts.units) == ("CoNLL F1", "ARCS F1", "mentions")
    buckets = fg.buckets(report.table, "entity_length", metric="arcs_f1")
    arcs = fg.score(report.table, "arcs_f1")
    assert buckets.attributes[0].overall.tolist() == arcs.overall["arcs_f1"].tolist()
    spot = hardest_bucket(buckets)
    assert spot is None  # fewer than 50 mentions


def test_metrics_as_papers_write_them() -> None:
    tasks = ("spans", "dependencies", "coreference", "tags")
    metrics = [one for task in tasks for one in recipes.metrics_for(task)]
    known = {one.name: metric_words(one) for one in metrics}
    assert known["las"] == "LAS"
    assert known["uas_precision"] == "UAS precision"
    assert known["b_cubed_f1"] == "B³ F1"
    assert known["traditional_f1"] == "traditional F1"
    assert known["sentence_accuracy"] == "sentence accuracy"


def test_no_attribute_makes_slices_twice() -> None:
    for task in ("spans", "tags", "dependencies", "coreference"):
        names = recipes.slice_attributes_for(task)
        assert len(names) == len(set(names))


def test_bars_of_a_diagnosis_by_hand() -> None:
    """One word: a finds 2 of 2, b 1 of 2. Two words: a finds 0 of 2, b 2 of 2.

    F1 of a: 1 and 0, of b: 2 * 1 / (2 + 1) = 2/3 and 1. a less b: +1/3 at one word, -1 at two.
    """
    text = [["Ada", "saw", "New", "York"]] * 2
    both = ["B-PER", "O", "B-LOC", "I-LOC"]
    outputs = {
        "a": [["B-PER", "O", "O", "O"]] * 2,
        "b": [both, ["O", "O", "B-LOC", "I-LOC"]],
    }
    systems = {name: Corpus.of(text, tags=tags) for name, tags in outputs.items()}
    table = fg.align(Corpus.of(text, tags=[both] * 2), systems)
    spec = diagnosis_bars(fg.diagnose(table, "entity_length"))
    assert spec is not None
    left, right = (part["data"]["values"] for part in spec["hconcat"])
    assert [(one["system"], one["worst"], one["best"]) for one in left] == [
        ("a", 0.0, 100.0), ("b", 66.67, 100.0),
    ]  # fmt: skip
    assert [one["difference"] for one in right] == [33.33, -100.0]
    assert "n=2" in left[0]["href"]  # a gets both of two words wrong
    assert right[1]["told"] == "entity length 2: a -100.00 against b, n = 2"


def test_a_diagnosis_of_one_system_has_bars_too() -> None:
    gold, systems = small_corpora("spans")
    found = fg.diagnose(fg.align(gold, dict(list(systems.items())[:1])), "entity_length")
    assert isinstance(found, Diagnosis)
    assert "hconcat" not in chart_of(found).spec


def test_rows_that_are_asked_for_are_embedded_first() -> None:
    play = fg.simulate(tokens=3_000, seed=1)
    table = fg.align(play.gold, play.systems)
    asked = np.array([5, 17, 40])
    units = embedded_units(table, most=30, asked=asked)
    assert set(asked.tolist()) <= set(units.chosen.tolist())
    assert len(units.chosen) == 30


def test_notebooks_get_a_picture_besides_the_specification() -> None:
    pytest.importorskip("vl_convert")
    shown = chart_of(fg.difficulty(_table("spans")))._repr_mimebundle_()
    assert shown["image/svg+xml"].startswith("<svg")
    assert "application/vnd.vegalite.v5+json" in shown
