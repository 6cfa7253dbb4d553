"""What the page tells of a chosen pair: each number once, and the commonest changes in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.analyses.reports.report import Report
from tests.browser.conftest import Opened

Open = Callable[..., Opened]
ROWS = """name => [...document.querySelectorAll(`#pair [data-pair=${name}] tbody tr,
  #pair [data-pair=${name}] > tr`)].map(row => [...row.cells].map(cell => cell.textContent))"""
MIRRORED = {"correction": "new error", "new error": "correction", "changed error": "changed error"}


def _commonest(opened: Opened, one: int, other: int) -> list[list[str]]:
    opened.go(f"differences?a={one}&b={other}")
    found: list[list[str]] = opened.page.evaluate(ROWS, "commonest")
    return found


def test_changes_of_spans_have_their_labels(
    open_page: Open, spans_page: Path, spans_report: Report
) -> None:
    opened = open_page(spans_page)
    rows = _commonest(opened, 0, 3)
    names = (spans_report.systems[0], spans_report.systems[3])
    told = fg.difference(spans_report.table, *names).to_json()
    every = [(one["label"], move) for one in told["labels"] for move in one["changes"]]
    assert len(rows) == 10
    assert [int(row[4]) for row in rows] == sorted((m["count"] for _, m in every), reverse=True)[
        :10
    ]
    assert {row[1] for row in rows} <= set(spans_report.table.labels)
    further = opened.page.inner_text("#pair .note")
    assert further == f"{len(every) - 10} more are in the JSON"
    assert opened.broken(opened.promised("#pair [data-pair=commonest] a")) == []


def test_a_label_that_was_given_instead_is_told_and_asked_for(
    open_page: Open, tmp_path: Path
) -> None:
    """`a` calls two places organisations and one a person, which `b` corrects."""
    text = [["Rome", "and", "Oslo", "and", "Bonn", "and", "Kiev"]] * 3

    def tagged(*labels: str) -> fg.Corpus:
        tags = ["O"] * 7
        tags[::2] = [f"B-{label}" for label in labels]
        return fg.Corpus.of(text, tags=[tags] * 3)

    gold = tagged("LOC", "LOC", "LOC", "LOC")
    table = fg.align(gold, {"a": tagged("ORG", "ORG", "PER", "LOC"), "b": gold})
    path = tmp_path / "labels.html"
    fg.report(table).save(str(path))
    opened = open_page(path)
    assert _commonest(opened, 0, 1) == [
        ["correction", "LOC", "wrong label: ORG", "correct", "6"],
        ["correction", "LOC", "wrong label: PER", "correct", "3"],
    ]
    assert _commonest(opened, 1, 0) == [
        ["new error", "LOC", "correct", "wrong label: ORG", "6"],
        ["new error", "LOC", "correct", "wrong label: PER", "3"],
    ]
    links = opened.promised("#pair [data-pair=commonest] a")
    assert sorted(links.values()) == [3, 6]
    assert opened.broken(links) == []
    assert opened.page.locator("#pair .note").count() == 0  # there are no more


def test_kinds_of_changes_of_tags_are_told_in_words(open_page: Open, tags_page: Path) -> None:
    opened = open_page(tags_page)
    rows = _commonest(opened, 0, 1)
    assert {row[0] for row in rows} <= set(MIRRORED)
    for kind, gold, one, other, _ in rows:
        assert (gold == other, gold == one) == (kind == "correction", kind == "new error")
    turned = [[MIRRORED[kind], gold, other, one, n] for kind, gold, one, other, n in rows]
    assert _commonest(opened, 1, 0) == turned
    assert opened.broken(opened.promised("#pair [data-pair=commonest] a")) == []


@pytest.mark.parametrize("which", ["tags_page", "trees_page"])
def test_accuracy_stands_once_where_it_is_the_score(
    open_page: Open, which: str, request: pytest.FixtureRequest
) -> None:
    opened = open_page(request.getfixturevalue(which))
    opened.go("differences?a=0&b=1")
    rows = opened.page.evaluate(ROWS, "scores")
    assert len(rows) == 1
    assert rows[0][0].startswith("accuracy of ")


def test_changes_of_mentions_lead_to_their_units(open_page: Open, chains_page: Path) -> None:
    opened = open_page(chains_page)
    assert _commonest(opened, 0, 1) != []
    assert opened.broken(opened.promised("#pair [data-pair=commonest] a")) == []
