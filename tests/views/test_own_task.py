"""A report of a task that only this folder knows has its words, its errors and no empty figure."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

import finegrain as fg
from finegrain.analyses.reports.error_kinds import error_kinds
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.errors import UsageError
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Words
from finegrain.views.charts import charts_of
from finegrain.views.charts.error_bars import pieces
from tests.views.page_tables import tables_of
from tests.views.topics import TOPICS, topics

pytest.importorskip("vl_convert", reason="needs the extra report")
pytest.importorskip("jinja2", reason="needs the extra report")

from finegrain.views.html.page import as_html
from finegrain.views.html.payload import payload


@pytest.fixture(scope="module")
def report() -> Report:
    return fg.report(topics())


@pytest.fixture(scope="module")
def page(report: Report) -> str:
    return as_html(report)


def test_errors_are_wrong_answers_and_what_is_not_answered(report: Report) -> None:
    """keen: every tenth of 300, 10 for each topic. shy: 75 are every fourth, 15 of them wrong.

    dull: 240 art, of which 80 are; 60 war, of which 20 are.
    """
    errors: Any = report.results["errors"]
    kinds = error_kinds(errors)
    assert [one.said for one in kinds.every] == ["art", "law", "war", "not answered"]
    assert kinds.counts.tolist() == [[10, 10, 10, 0], [10, 10, 10, 60], [160, 0, 40, 0]]
    drawn = {piece.said: piece.counts for piece in pieces(errors)}
    assert drawn == {
        "art": (10, 10, 160), "war": (10, 10, 40), "not answered": (0, 60, 0), "law": (10, 10, 0),
    }  # fmt: skip
    assert len({piece.colour for piece in pieces(errors)}) == 4
    assert charts_of(report)["errors"].spec["data"]["values"]


def test_findings_have_the_words_of_the_task(report: Report) -> None:
    told = " ".join(finding.text for finding in report.findings)
    assert "300 items" in told
    assert "All systems are right about the same" in told
    assert not re.search(r"token|sentence|span|gold item|nan|\b100 % of its errors", told)


def test_kinds_of_errors_of_one_system_in_a_sentence() -> None:
    told = [one.text for one in fg.report(topics().only([1])).findings if one.rule == "kinds"]
    expected = (
        "Of the 90 errors of shy, 60 are items that are not answered (67 %), 10 items wrongly "
        "answered art (11 %) and 10 items wrongly answered law (11 %)."
    )
    assert [re.sub(r" \[[\d., ]+\]", "", one) for one in told] == [expected]


def test_the_page_has_the_words_of_the_task(page: str) -> None:
    bare = re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.DOTALL)
    facts = re.findall(r"<b>([\d,]+)</b> ([\w ]+)", bare.partition('class="facts"')[2])[:3]
    assert facts == [("300", "items"), ("3", "systems"), ("3", "labels")]
    assert "An item has a wrong label or is not answered" in bare
    assert "right about an item; bin 0 is hardest" in bare
    assert 'placeholder="text of the item"' in bare
    assert "sentences" not in bare
    assert "300 tokens" not in bare
    tables = tables_of(page)
    assert tables.rows["counts"] == [["items", "300", ""], ["items in this page", "300", ""]]
    assert tables.rows["answers"][1] == ["shy", "90", "10", "10", "60", "10"]


def test_what_is_not_answered_is_no_label(report: Report) -> None:
    """-1 is not a place from behind: shy gives no label to 60 items, none of them war."""
    search = UnitSearch.of(report.units)
    one, two, *_ = report.systems
    assert len(search.rows([f"answer[{two}]=none"])) == 60
    assert len(search.rows([f"answer[{two}]=none", f"outcome[{two}]=UNANSWERED"])) == 60
    assert len(search.rows([f"answer[{one}]=none"])) == 0
    given = [len(search.rows([f"answer[{two}]={label}"])) for label in ("art", "law", "war")]
    assert sum(given) == 300 - 60
    with pytest.raises(UsageError, match="unknown label 'maybe'"):
        search.rows([f"answer[{two}]=maybe"])


def test_the_page_gets_data_and_no_name_of_a_task(report: Report) -> None:
    found = payload(report)
    assert "task" not in found
    assert found["words"] == {
        "unit": "item", "units": "items", "gold_units": "items", "context": "", "label": "label",
        "also": "",
    }  # fmt: skip
    assert (found["drawing"], found["answers"], found["told_by"]) == ("item", "label", "answer")
    assert found["outcomes"][2]["said"] == "not answered"
    assert found["outcomes"][2]["produced"] == [False, False]


def test_a_text_is_not_needed() -> None:
    assert "300 items" in " ".join(one.text for one in fg.report(topics(text=False)).findings)


def test_a_drawing_that_there_is_not_is_told() -> None:
    with pytest.raises(UsageError, match="unknown drawing 'tree'"):
        as_html(fg.report(topics("tree")))


def test_kinds_of_errors_by_outcome_have_colours_of_their_own() -> None:
    """Two wrong outcomes: their names tell errors apart, and not the answers."""
    wrong = [Outcome(name, name.lower(), "wrong") for name in ("NEAR", "FAR")]
    outcomes = Outcomes((TOPICS.outcomes.every[0], *wrong))
    words = Words("query", "queries", "query", context="")
    table = topics()
    of_outcomes = replace(
        table, task=replace(TOPICS, outcomes=outcomes, words=words), answer=abs(table.answer)
    )
    errors = fg.error_types(of_outcomes)
    assert [(one.said, one.counts) for one in pieces(errors)] == [
        ("near", (30, 30, 200)), ("far", (0, 60, 0)),
    ]  # fmt: skip
    assert len({one.colour for one in pieces(errors)}) == 2
    assert [one.phrase for one in error_kinds(errors).every] == ["queries near", "queries far"]
    assert "300 queries" in fg.report(of_outcomes).findings[0].text
