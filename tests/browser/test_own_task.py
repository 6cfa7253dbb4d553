"""The page of a task that only tests know: drawn, listed and compared by what the task says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import finegrain as fg
from tests.browser.conftest import Opened
from tests.views.topics import topics

Open = Callable[..., Opened]
NOT_ANSWERED = "[%22=%22,[%22answer%22,%22shy%22],null]"


@pytest.fixture(scope="module", params=["item", "tokens"])
def topics_page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / f"{request.param}.html"
    fg.report(topics(request.param), title="Topics").save(str(path))
    return path


def test_numbers_lead_to_as_many_units_as_they_say(open_page: Open, topics_page: Path) -> None:
    opened = open_page(topics_page)
    assert opened.count() == 300
    assert "300 items" in opened.page.inner_text("#instances .told")
    links = opened.promised(
        "#errors a.n, #differences a.n, #scores a.n, #confusion td a, #findings a.n"
    )
    assert any(NOT_ANSWERED in one for one in links)
    assert opened.broken(links) == []
    assert opened.complaints == []


def test_what_is_not_answered_has_a_column_and_a_name(open_page: Open, topics_page: Path) -> None:
    """shy, the second system, does not answer 60 items, 20 of each topic."""
    opened = open_page(topics_page, "#confusion?confusion=1")
    table = opened.page.locator("#confusion table")
    heads = [one.strip() for one in table.locator("thead th").all_inner_texts()]
    assert heads[-1] == "not answered"
    rows = table.locator("tbody tr")
    assert rows.count() == 3
    assert [rows.nth(at).locator("td").last.inner_text() for at in range(3)] == ["20"] * 3
    for section in ("#errors", "#differences", "#instances"):
        assert "undefined" not in opened.page.inner_text(section)
    opened.go("instances?answered.1=no")
    assert opened.count() == 60
    assert "shy does not answer" in opened.page.inner_text("#instances .chips")
    first = opened.page.locator(".unit").first.inner_text()
    assert "not answered" in first
    assert "sentence" not in first
    opened.go("instances?answered.1=perhaps")
    assert "Unknown label “perhaps”" in opened.page.inner_text("#instances .count")
    assert opened.complaints == []


def test_pairs_name_what_is_not_answered(open_page: Open, topics_page: Path) -> None:
    opened = open_page(topics_page, "#differences?a=0&b=1")
    changes = opened.page.inner_text("#pair")
    assert "new errors" in changes
    assert "changed errors" in changes
    links = opened.promised("#pair table.detail a")
    assert any(NOT_ANSWERED in one for one in links)
    assert opened.broken(links) == []
