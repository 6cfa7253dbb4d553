"""Reports of trees and chains, and figures of a diagnosis: nothing is empty without a reason."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.explain.diagnosis import Diagnosis
from finegrain.analyses.reports.embedded_units import embedded_units
from finegrain.analyses.reports.error_kinds import error_kinds
from finegrain.analyses.reports.facts import Facts, metric_words
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.attributes.choosing import of_items
from finegrain.corpus import Clusters, Corpus
from finegrain.table import OutcomeTable
from finegrain.tasks import TASKS
from finegrain.testing import small_corpora
from finegrain.views.charts import chart_of
from finegrain.views.charts.diagnosis_bars import diagnosis_bars
from finegrain.views.html.sections.instances import _where
from tests.views.page_tables import tables_of


def _table(task: str) -> OutcomeTable:
    return fg.align(*small_corpora(task), task=task)


@pytest.fixture(scope="module", params=["dependencies", "coreference"])
def structured(request: pytest.FixtureRequest) -> Report:
    return fg.report(_table(request.param))


def test_kinds_of_errors_are_those_of_the_command(structured: Report) -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
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


def test_what_the_diagonal_of_a_table_of_labels_holds_is_said() -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    assert "Gold label against answered label" not in as_html(fg.report(_table("coreference")))
    trees = as_html(fg.report(_table("dependencies")))
    assert "the right relation, whatever their head" in trees


ADA, EVE, SHE = (0, 0, 1), (0, 2, 3), (1, 0, 1)


def _chains(**chains: list[tuple[int, int, int]]) -> Corpus:
    text = [["Ada", "met", "Eve", "."], ["She", "slept", "."]]
    rows = [(*mention, name) for name, mentions in chains.items() for mention in mentions]
    here = [0, 0]
    return replace(Corpus.of(text, documents=here), clusters=Clusters.of(rows, documents=here))


def test_wrong_links_to_one_antecedent_are_likely_errors_of_the_gold_standard() -> None:
    """Two of three systems take her for Eve, gold for Ada: one mention to look at again, row 3."""
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    gold, eve = _chains(ada=[ADA, SHE], eve=[EVE]), _chains(ada=[ADA], eve=[EVE, SHE])
    table = fg.align(gold, {"one": eve, "two": eve, "three": gold}, task="coreference")
    report = fg.report(table)
    assert report.results["triage"].to_json() == fg.triage(table, limit=20).to_json()
    page = as_html(report)
    assert tables_of(page).rows["triage"] == [["She", "mention → Ada", "mention → Eve", "2", "1"]]
    row = "where=[%22=%22,%22row%22,%223%22]"
    assert f'<a class="n" href="#instances?{row}&amp;n=1" data-n="1">She</a>' in page
    alone = fg.align(gold, {"one": eve, "two": gold, "three": gold}, task="coreference")
    assert "No unit has one answer of 2 or more systems that is not gold." in as_html(
        fg.report(alone)
    )


def test_scores_of_parts_are_compared_with_scores_of_the_same_metric() -> None:
    """The CoNLL F1 is about whole documents: buckets have ARCS, their overall scores too."""
    report = fg.report(_table("coreference"))
    facts = Facts(report.table, report.results, report.metric, report.order)
    assert (facts.scored, facts.scored_units, facts.units) == ("CoNLL F1", "ARCS F1", "mentions")
    buckets = fg.buckets(report.table, "entity_length", metric="arcs_f1")
    arcs = fg.score(report.table, "arcs_f1")
    assert buckets.attributes[0].overall.tolist() == arcs.overall["arcs_f1"].tolist()


def test_scores_of_labels_are_called_what_they_are() -> None:
    """Accuracy is about all labels: a label of tokens has an F1."""
    page = as_page("tags")
    assert "<h3>F1 by label</h3>" in page
    assert "Accuracy by label" not in page
    assert "<h3>Traditional F1 by label</h3>" in as_page("spans")


def test_mentions_are_counted_with_an_antecedent() -> None:
    table = _table("coreference")
    assert f"<b>{table.n_gold}</b> gold mentions with an antecedent" in as_page("coreference")


def as_page(task: str) -> str:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    return as_html(fg.report(_table(task)))


def test_metrics_as_papers_write_them() -> None:
    tasks = ("spans", "dependencies", "coreference", "tags")
    metrics = [one for task in tasks for one in TASKS[task].metrics(None)]
    known = {one.name: metric_words(one) for one in metrics}
    assert known["las"] == "LAS"
    assert known["uas_precision"] == "UAS precision"
    assert known["b_cubed_f1"] == "B³ F1"
    assert known["traditional_f1"] == "traditional F1"
    assert known["sentence_accuracy"] == "sentence accuracy"


def test_no_attribute_makes_slices_twice() -> None:
    for task in ("spans", "tags", "dependencies", "coreference"):
        names = TASKS[task].slice_attributes()
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
    pytest.importorskip("vl_convert", reason="needs the extra report")
    shown = chart_of(fg.difficulty(_table("spans")))._repr_mimebundle_()
    assert shown["image/svg+xml"].startswith("<svg")
    assert "application/vnd.vegalite.v5+json" in shown
    assert chart_of(fg.difficulty(_table("spans")))._repr_html_().startswith("<svg")


def _tagged(wrong: int, answer: str) -> Corpus:
    """Forty sentences of a noun and two verbs; so many of the nouns are given another tag."""
    tags = [[answer if at < wrong else "N", "V", "V"] for at in range(40)]
    return Corpus.of([["a", "b", "c"]] * 40, tags=tags)


def test_the_last_system_of_tags_is_told_with_what_it_answers_wrongly() -> None:
    """It is wrong about 36 of 120 tokens, all tagged X: accuracy 84 / 120 = 70 %.

    The others are wrong about 2 (98.33 %); X is all that it gets wrong, and the others never say it
    more often than twice, so that the kind of errors is told instead of the place.
    """
    systems = {"good": _tagged(2, "X"), "fine": _tagged(2, "X"), "bad": _tagged(36, "X")}
    told = fg.report(fg.align(_tagged(0, "X"), systems, task="tags")).findings
    by_rule = {one.rule: one.text for one in told}
    assert by_rule["profile"].startswith(
        "bad makes more tokens wrongly tagged X than each of the others (2): 36, 100 % of its "
        "errors, 34 ["
    )
    fewer = {**systems, "bad": _tagged(20, "X")}  # fewer than 30 of a kind are no profile
    told = fg.report(fg.align(_tagged(0, "X"), fewer, task="tags")).findings
    by_rule = {one.rule: one.text for one in told}
    assert "profile" not in by_rule
    assert by_rule["last"].startswith("bad stands apart at 83.33 accuracy, 15.00 [")
    assert by_rule["last"].endswith(
        "] below good (p < .001); 20 of its 20 errors are tokens wrongly tagged X."
    )


def test_kinds_of_errors_of_trees_are_told() -> None:
    """Forty words hang on the wrong head in one of three outputs, in the others two."""
    words = ["a", "b", "c"]

    def parsed(wrong: int) -> Corpus:
        heads = [["2", "0", "1" if at < wrong else "2"] for at in range(60)]
        return Corpus.of([words] * 60, head=heads, deprel=[["det", "root", "obj"]] * 60)

    systems = {"good": parsed(2), "fine": parsed(2), "bad": parsed(40)}
    told = fg.report(fg.align(parsed(0), systems, task="dependencies")).findings
    (profile,) = [one.text for one in told if one.rule == "profile"]
    assert profile.startswith(
        "bad makes more wrong heads than each of the others (2): 40, 100 % of its errors, 38 ["
    )


@pytest.mark.parametrize("task", ["spans", "tags", "dependencies", "coreference"])
def test_there_are_as_many_units_behind_a_kind_of_errors_as_it_counts(task: str) -> None:
    """And all kinds together are all that a system is wrong about."""
    table = _table(task)
    kinds = error_kinds(fg.error_types(table))
    search = UnitSearch.of(embedded_units(table, most=len(table)))
    for system in range(table.n_systems):
        found = [len(search.rows([kind.behind(table.systems[system])])) for kind in kinds.every]
        assert found == kinds.counts[system].tolist()
        assert sum(found) == len(search.rows([f"correct[{table.systems[system]}]=no"])) > 0


def test_one_system_has_its_interval() -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    play = fg.simulate(tokens=2_000, seed=3, systems={"only": ()})
    table = fg.align(play.gold, play.systems)
    low, high = fg.score(table, intervals=1_000).interval("traditional_f1", "only")
    page = tables_of(as_html(fg.report(table)))
    assert page.rows["scores"][0][4] == f"[{100 * low:.1f}, {100 * high:.1f}]"


def test_a_page_of_items_speaks_of_items_that_are_right_or_wrong() -> None:
    """A 0/1 table has no sentences, labels or answers to speak of."""
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    rows = [[1, 1, 1]] * 30 + [[1, 1, 0]] * 12 + [[1, 0, 0]] * 10 + [[0, 0, 0]] * 8
    page = as_html(fg.report(fg.from_matrix(rows, systems=["a", "b", "c"])))
    shown = re.sub(r"<script.*?</script>|<style.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL)
    shown = " ".join(shown.split())
    assert "60 items 3 systems 1 Findings" in shown
    assert "18 items that 2 or more systems get wrong" in shown
    for word in ("sentence", "label", "gold", "in one way", "one wrong way"):
        assert word not in shown.lower(), word
    assert "of resampled items," in shown


def test_names_of_items_are_no_sentences() -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    table = fg.from_matrix([[1, 0]] * 9, systems=["a", "b"], units=[f"q{at}" for at in range(9)])
    assert "<span><b>9</b> items</span>" in as_html(fg.report(table))


def test_notes_of_the_table_are_not_repeated_below_studies() -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    table = _table("regression")
    table = replace(table, notes=(*table.notes, "mine: one of a kind"))
    assert as_html(fg.report(table)).count("ne of a kind") == 1


def test_metrics_keep_the_case_of_their_names() -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    assert "Pearson of every system" in as_html(fg.report(_table("regression")))
    ranking = as_html(fg.report(_table("ranking")))
    assert "nDCG@10 of every system" in ranking
    assert "NDCG" not in ranking
    assert "B³ F1 of every system" in as_html(fg.report(_table("clustering")))


def test_hard_items_have_attributes_of_items() -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    for name in ("classification", "multilabel", "qa", "clustering"):
        found = fg.report(_table(name)).results
        assert "words" not in found
        assert "sentence_length" not in found["features"].to_json()["features"]


def test_graded_units_have_the_definitions_of_graded_units() -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    page = as_html(fg.report(_table("regression")))
    assert "Better, worse, tie" in page
    for other in ("Correction, new error", "Words across bins", "counts as solved"):
        assert other not in page


def test_suspects_are_cut_with_a_sign() -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    text = "word " * 40
    table = fg.from_items(
        ["x", "y"], {"a": ["y", "y"], "b": ["y", "x"]}, fields={"text": [text, "z"]}
    )
    assert f"{text[:119]}…" in as_html(fg.report(table))


def test_where_nothing_is_wrong_there_is_no_section_of_errors() -> None:
    """A figure without bars has no height, and the table of confusions no row."""
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    gold = list("abab") * 10
    page = as_html(fg.report(fg.from_items(gold, {"perfect": gold})))
    assert 'id="errors"' not in page
    assert 'id="scores"' in page
    assert 'id="errors"' in as_html(fg.report(fg.from_items(gold, {"one": ["b", *gold[1:]]})))


def test_no_axis_of_scores_goes_beyond_100_per_cent() -> None:
    gold = list("abab") * 10
    found = fg.buckets(fg.from_items(gold, {"perfect": gold}), by="label")
    spec = chart_of(found).spec
    (domain,) = re.findall(r'"domain": \[(\d+), (\d+)\], "zero"', json.dumps(spec))
    assert domain == ("90", "100")


def test_questions_that_systems_answer_in_different_ways_are_not_said_to_agree() -> None:
    """Graded units are listed for being far off, whatever was answered."""
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    made = fg.simulate_questions(tokens=800)
    page = as_html(fg.report(fg.align(made.gold, made.systems)))
    assert "questions that 3 or more systems get wrong" in page
    assert "answer in one way" not in page.partition("<script")[0]


def test_what_is_answered_is_no_attribute_unless_it_is_named() -> None:
    """Soft labels are the gold answer, and clusters those of systems: units are right by them."""
    clusters = fg.from_items(list("aabb") * 5, {"k": list("1122") * 5}, task="clustering")
    assert not any(name.startswith("cluster of") for name in of_items(clusters))
    chances = {f"probabilities.{one}": [0.9, 0.4] * 10 for one in "a"}
    chances["probabilities.b"] = [0.1, 0.6] * 10
    soft = fg.from_items(list("ab") * 10, {"s": list("ab") * 10}, fields=chances)
    assert of_items(soft) == ("gold_entropy",)
    assert fg.buckets(soft, by="probabilities.a").attributes


@pytest.mark.parametrize("task", ["spans", "classification", "clustering", "ranking", "ratings"])
def test_the_example_of_a_selection_holds_for_the_task(task: str) -> None:
    table = _table(task)
    assert len(table.select(_where(fg.report(table)))) > 0
