"""Bars of errors have the numbers of ``finegrain errors`` for every task."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import pytest

import finegrain as fg
from finegrain.analyses.evidence import Evidence, answers, other_answers, outcomes
from finegrain.analyses.reports.report import Report
from finegrain.analyses.selection.expressions import Comparison, Literal
from finegrain.analyses.selection.json_form import read
from finegrain.corpus import Corpus
from finegrain.testing import small_corpora
from finegrain.views.charts import chart_of, charts_of
from tests.views.page_tables import tables_of


def _values(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """What is drawn; of spans the fair half."""
    drawn = spec["hconcat"][1] if "hconcat" in spec else spec
    return list(drawn["data"]["values"])


def _tagged(*answers: str) -> Corpus:
    return Corpus.of([["word"] for _ in answers], tags=[[answer] for answer in answers])


def _taken_for(*answers: str) -> Report:
    """Tokens that are N and that a system gives these labels."""
    gold = _tagged(*("N" for _ in answers))
    return fg.report(fg.align(gold, {"a": _tagged(*answers)}, task="tags"))


def _outcome(href: str) -> tuple[str | None, Any]:
    """The system and the outcome that an address asks for."""
    where = read(dict(parse_qsl(href.partition("?")[2]))["where"])
    assert isinstance(where, Comparison)
    assert isinstance(where.value, Literal)
    assert where.field.name == "outcome"
    return where.field.of, where.value.text


@pytest.mark.parametrize("task", ["spans", "dependencies", "coreference"])
def test_every_kind_that_occurs_is_a_piece(task: str) -> None:
    report = fg.report(fg.align(*small_corpora(task), task=task))
    errors: Any = report.results["errors"]
    drawn = {
        _outcome(one["href"]): one["count"] for one in _values(charts_of(report)["errors"].spec)
    }
    told = {
        (name, kind): result["counts"][kind]
        for name, result in errors.to_json().items()
        for kind in errors.types[1:]
        if result["counts"][kind]
    }
    assert drawn == told


def test_up_to_seven_wrong_answers_have_pieces_of_their_own() -> None:
    spec = charts_of(_taken_for("N", "B", "A", "B", "C", "D", "E", "F", "G"))["errors"].spec
    assert [(one["type"], one["count"]) for one in _values(spec)] == [
        ("B", 2), ("A", 1), ("C", 1), ("D", 1), ("E", 1), ("F", 1), ("G", 1),
    ]  # fmt: skip
    assert _values(spec)[0]["told"] == "a, B: 2 of 8 errors"
    assert (
        _values(spec)[0]["href"]
        == Evidence.of(2, answers("a", "B"), outcomes("a", ["WRONG"])).fragment
    )


def test_more_wrong_answers_are_one_piece() -> None:
    """Six of eight, and two others, of one token each."""
    report = _taken_for("N", "A", "A", "B", "B", "C", "C", "D", "D", "E", "E", "F", "F", "G", "H")
    *six, others = _values(charts_of(report)["errors"].spec)
    assert [(one["type"], one["count"]) for one in six] == [(label, 2) for label in "ABCDEF"]
    assert (others["type"], others["count"]) == ("2 others", 2)
    asked = other_answers("a", "ABCDEF"), outcomes("a", ["WRONG"])
    assert others["href"] == Evidence.of(2, *asked).fragment


def test_the_numbers_of_wrong_answers_stand_below_their_figure() -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    report = fg.report(fg.align(*small_corpora("tags"), task="tags"))
    drawn = _values(charts_of(report)["errors"].spec)
    for name, total, *counts in tables_of(as_html(report)).rows["answers"]:
        mine = [one["count"] for one in drawn if one["system"] == name]
        assert [int(count) for count in counts if count != "0"] == mine
        assert sum(mine) == int(total) > 0


@pytest.mark.parametrize("task", ["spans", "tags", "dependencies", "coreference"])
def test_systems_without_errors_have_empty_bars(task: str) -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    gold, _ = small_corpora(task)
    spec = chart_of(fg.error_types(fg.align(gold, {"perfect": gold}, task=task)))
    assert _values(spec.spec) == []
    assert "perfect" in spec._repr_html_()


@pytest.mark.parametrize("task", ["tags", "dependencies", "coreference"])
def test_colours_of_pieces_differ(task: str) -> None:
    spec = chart_of(fg.error_types(fg.align(*small_corpora(task), task=task))).spec
    scale = spec["layer"][0]["encoding"]["color"]["scale"]
    assert len(set(scale["range"])) == len(scale["domain"]) > 2
