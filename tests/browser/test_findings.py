"""The small figures beside findings: their bars and marks lead to units, as numbers do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import finegrain as fg
from tests.browser.conftest import Opened

Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = (
        [[1, 1, 1]] * 30 + [[1, 1, 0]] * 12 + [[1, 0, 0]] * 10 + [[0, 1, 1]] * 5 + [[0, 0, 0]] * 3
    )
    path = tmp_path_factory.mktemp("findings") / "items.html"
    fg.report(fg.from_matrix(rows, systems=["best", "next", "last"])).save(str(path))
    return path


def test_marks_on_the_axis_lead_to_the_errors_of_their_systems(open_page: Open, page: Path) -> None:
    """best is wrong about 5 + 3 of 60, next about 10 + 3, last about 12 + 10 + 3."""
    opened = open_page(page)
    marks = opened.page.locator(".findings svg.points").first.locator("a")
    found = {}
    for place in range(marks.count()):
        name = marks.nth(place).get_attribute("aria-label")
        marks.nth(place).locator("rect").click()
        opened.wait("location.hash.startsWith('#instances?where=')")
        found[name.partition(":")[0]] = opened.count()
        opened.go("findings")
    assert found == {"best": 8, "next": 13, "last": 25}
    assert opened.complaints == []


def test_a_bar_leads_where_its_number_does(open_page: Open, page: Path) -> None:
    opened = open_page(page)
    rows = opened.page.locator(".findings .mini tr:has(a)")
    assert rows.count() > 5
    for place in range(rows.count()):
        said = int(rows.nth(place).locator("a").get_attribute("data-n"))
        rows.nth(place).locator("svg").click(force=True)
        opened.wait("location.hash.startsWith('#instances')")
        assert opened.count() == said
        opened.go("findings")


def test_the_figures_can_be_used_by_all(open_page: Open, page: Path) -> None:
    opened = open_page(page)
    assert opened.violations() == []
    mark = opened.page.locator(".findings svg.points a").first
    mark.focus()
    opened.page.keyboard.press("Enter")
    opened.wait("location.hash.startsWith('#instances')")
    assert opened.count() == int(mark.get_attribute("data-n"))
