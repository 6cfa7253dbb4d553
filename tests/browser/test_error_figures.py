"""Bars of errors in the page: a click leads to units, and no name of a system spoils a figure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import finegrain as fg
from tests.browser.conftest import Opened

Open = Callable[..., Opened]


@pytest.mark.parametrize("which", ["tags_page", "trees_page", "chains_page"])
def test_a_click_on_a_bar_lists_as_many_units_as_it_says(
    open_page: Open, which: str, request: pytest.FixtureRequest
) -> None:
    opened = open_page(request.getfixturevalue(which))
    bar = opened.page.locator("figure[data-chart=errors] .mark-rect path[aria-label]").first
    bar.evaluate("bar => bar.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = bar.bounding_box()
    opened.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    told = opened.page.inner_text("figure[data-chart=errors] .readout")
    opened.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    opened.wait("location.hash.startsWith('#instances?')")
    assert opened.count() == int(told.split(": ")[1].split(" of ")[0].replace(",", ""))
    assert opened.complaints == []


def test_systems_named_like_properties_of_objects_are_drawn(
    open_page: Open, tmp_path: Path
) -> None:
    play = fg.simulate(tokens=1_500, seed=1)
    names = ("constructor", "valueOf", "__proto__", "bad\udcff")
    systems = dict(zip(names, [*play.systems.values()] * 2, strict=False))
    path = tmp_path / "named.html"
    fg.report(fg.align(play.gold, systems)).save(str(path))
    opened = open_page(path)
    assert opened.complaints == []
    figures = opened.page.locator("figure[data-chart]").count()
    assert opened.page.locator("figure svg.marks").count() == figures > 4
    drawn = opened.page.text_content("figure[data-chart=errors] svg.marks")
    for name in ("constructor", "valueOf", "__proto__", "bad\\udcff"):
        assert name in drawn
