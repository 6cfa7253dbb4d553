"""The section on attributes: buckets of tokens, trends and slices lead to units, tables fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.analyses.explain.buckets import Buckets
from finegrain.analyses.reports.report import Report
from tests.browser.conftest import Opened

Open = Callable[..., Opened]


@dataclass(frozen=True)
class Saved:
    """A report and its page."""

    report: Report
    path: Path


@pytest.fixture(scope="module")
def weak(tmp_path_factory: pytest.TempPathFactory) -> Saved:
    """The best system has a weak slice, and the next one differs from it on another."""
    play = fg.simulate(tokens=6_000, seed=1)
    systems = {name: one for name, one in play.systems.items() if name != "uniform"}
    report = fg.report(fg.align(play.gold, systems), train=play.train, title="Weak")
    path = tmp_path_factory.mktemp("page") / "weak.html"
    report.save(str(path))
    return Saved(report, path)


@pytest.fixture(scope="module")
def twelve(tmp_path_factory: pytest.TempPathFactory) -> Path:
    weak = ("long-entities", "spurious", "rare-words", "too-short")
    systems = {f"system-{place}": [weak[place % 4]] for place in range(12)}
    play = fg.simulate(tokens=1_500, seed=1, systems=systems)
    path = tmp_path_factory.mktemp("page") / "twelve.html"
    fg.report(fg.align(play.gold, play.systems), train=play.train, title="Twelve").save(str(path))
    return path


def _click(opened: Opened, selector: str) -> None:
    """Follow the first link and see that as many units are listed as it says."""
    link = opened.page.locator(selector).first
    fragment, said = link.get_attribute("href"), int(link.get_attribute("data-n"))
    link.click()
    opened.wait("location.hash.startsWith('#instances')")
    assert opened.page.evaluate("location.hash").startswith(fragment), selector
    assert opened.count() == said > 0, selector


def test_numbers_are_clicked(open_page: Open, weak: Saved) -> None:
    opened = open_page(weak.path)
    for summary in opened.page.locator("#attributes summary").all():
        summary.click()
    slices = "table[data-table=slices] tbody"
    for selector in (
        "table[data-table=buckets] a[href*='[%22bucket%22,%22token_frequency%22],%221%22']",
        "table[data-table=diagnose] a[href*='%22bucket%22,%22token_consistency%22']",
        "table[data-table=variation] td:nth-child(2) a",
        "table[data-table=variation] td:nth-child(3) a",
        "table[data-table=variation] td:last-child a",
        f"{slices} td:nth-child(4) a",  # the rest
        f"{slices} td:nth-child(5) a",  # the effect
        f"{slices} td:last-child a",
        "table[data-table=pair_slices] a[href*='%22changed%22']",
    ):
        _click(opened, selector)
    assert opened.complaints == []


def test_every_number_of_the_section_leads_to_units(open_page: Open, weak: Saved) -> None:
    """But what a bucket holds, which is its name."""
    opened = open_page(weak.path)
    left = opened.page.eval_on_selector_all(
        "#attributes tbody td",
        """all => all.filter(one => /[0-9]/.test(one.textContent) && !one.querySelector("a.n"))
             .map(one => [one.closest("table").dataset.table, one.cellIndex])""",
    )
    assert {tuple(one) for one in left} == {("buckets", 1)}
    assert opened.broken(opened.promised("#attributes a.n")) == []
    interval = opened.page.locator("table[data-table=slices] a.n", has_text="[").first
    assert interval.inner_text().startswith("−")


def test_trends_say_what_they_lead_to(open_page: Open, weak: Saved) -> None:
    opened = open_page(weak.path)
    found = weak.report.results["buckets"]
    assert isinstance(found, Buckets)
    one, best = found["entity_length"], weak.report.order[0]
    worst = int(one.main()[:, best].argmin())
    behind = one.behind(worst, best)
    assert behind is not None
    link = opened.page.locator("table[data-table=variation] tbody tr:first-child td a").nth(2)
    held = one.divisions[0].buckets[worst].range()
    name = weak.report.systems[best]
    assert link.get_attribute("title") == (
        f"{behind.count} errors of {name} at entity length {held}, its worst bucket"
    )


def test_a_mark_of_a_bucket_of_tokens_is_clicked(open_page: Open, weak: Saved) -> None:
    opened = open_page(weak.path)
    marks = "figure[data-chart=buckets] .role-mark.mark-symbol >> nth=-1 >> path"
    mark = opened.page.locator(marks).first  # token consistency stands last
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    opened.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    opened.wait("location.hash.includes('token_consistency')")
    said = opened.page.evaluate("Number(new URLSearchParams(location.hash.split('?')[1]).get('n'))")
    assert opened.count() == said > 0


WIDE = """all => all.filter(one => one.scrollWidth > one.clientWidth + 1)
  .map(one => one.querySelector("table").dataset.table)"""


def test_the_tables_of_twelve_systems_fit(open_page: Open, twelve: Path) -> None:
    opened = open_page(twelve)
    for summary in opened.page.locator("#attributes summary").all():
        summary.click()
    assert opened.page.eval_on_selector_all("#attributes .wide", WIDE) == []


def test_the_names_of_attributes_stay_on_a_narrow_screen(open_page: Open, twelve: Path) -> None:
    opened = open_page(twelve, width=400)
    left = """one => {
      one.closest(".wide").scrollLeft = 300;
      return one.getBoundingClientRect().left - one.closest(".wide").getBoundingClientRect().left;
    }"""
    name = opened.page.locator("table[data-table=variation] tbody th").first
    assert abs(name.evaluate(left)) < 1
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 400
