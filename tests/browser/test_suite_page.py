"""The page of a suite in a browser: it opens from disk, draws its figures and gives its files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.analyses.explain.many_data_sets import ManyDataSets
from tests.browser.conftest import Opened

Open = Callable[..., Opened]
SECTIONS = ["findings", "scores", "attributes", "improvement", "method"]
HOSTILE = '"><img src=x onerror=window.hacked=1></script><script>window.hacked=1</script>'


@pytest.fixture(scope="module")
def found() -> ManyDataSets:
    tables, train = {}, {}
    for seed, name in enumerate(("news", "chat", "medical records", "law"), 1):
        made = fg.simulate(tokens=1_500, seed=seed)
        tables[name], train[name] = fg.align(made.gold, made.systems), made.train
    by = ["entity_length", "sentence_length", "entity_frequency", "label"]
    return fg.Suite.of(tables, train=train, by=by, baseline="baseline").run(intervals=100)


@pytest.fixture(scope="module")
def suite_page(found: ManyDataSets, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("suite") / "suite.html"
    found.save(str(path))
    return path


def test_it_opens_from_disk_with_the_network_cut(open_page: Open, suite_page: Path) -> None:
    opened = open_page(suite_page)
    assert opened.complaints == []
    assert opened.page.eval_on_selector_all("section", "all => all.map(one => one.id)") == SECTIONS
    drawn = opened.page.eval_on_selector_all("figure svg.marks", "all => all.length")
    assert drawn == opened.page.locator("figure[data-chart]").count() == 4  # profiles, 3 pairs


def test_every_cell_of_a_map_is_drawn(
    open_page: Open, suite_page: Path, found: ManyDataSets
) -> None:
    """Of the first pair: the changes of the result, rounded, in its text marks."""
    opened = open_page(suite_page)
    texts = opened.page.eval_on_selector_all(
        "figure[data-chart=improvement-1] .mark-text.role-mark text",
        "all => all.map(one => one.textContent)",
    )
    attributes = found.to_json()["improvements"][0]["attributes"]
    changes = [
        f"{100 * value:+z.0f}".replace("-", "−")
        for buckets in attributes.values()
        for one in buckets
        for value in one["relative"].values()
        if value is not None
    ]
    assert sorted(texts) == sorted(changes)


def test_the_line_above_a_figure_says_what_is_under_the_pointer(
    open_page: Open, suite_page: Path
) -> None:
    opened = open_page(suite_page)
    figure = opened.page.locator("figure[data-chart=improvement-1]")
    cell = figure.locator(".mark-rect.role-mark path").first
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    opened.page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    opened.wait("document.querySelector('[data-chart=improvement-1] .readout').textContent !== ''")
    assert "news, entity length XS: " in figure.locator(".readout").inner_text()


def test_files_are_taken_along(open_page: Open, suite_page: Path, found: ManyDataSets) -> None:
    opened = open_page(suite_page)
    taken = {}
    for suffix in ("csv", "tex", "md", "json"):
        with opened.page.expect_download() as waiting:
            opened.page.locator(f"#scores [data-download='suite.{suffix}']").first.click()
        assert waiting.value.suggested_filename == f"suite.{suffix}"
        taken[suffix] = Path(waiting.value.path()).read_text()
    assert json.loads(taken["json"])["result"] == found.to_json()
    records = found.records()
    assert len(list(csv.reader(io.StringIO(taken["csv"])))) == len(records.rows) + 1
    assert "\\toprule" in taken["tex"]
    assert "**Model-wise measures**" in taken["md"]
    with opened.page.expect_download() as waiting:
        opened.page.click("figure[data-chart=attributes] [data-act=svg]")
    assert Path(waiting.value.path()).read_text().startswith("<svg")
    assert opened.complaints == []


def test_sections_are_reached_by_address_menu_and_keyboard(
    open_page: Open, suite_page: Path
) -> None:
    opened = open_page(suite_page, "#improvement")
    top = "document.getElementById('{}').getBoundingClientRect().top"
    assert abs(opened.page.evaluate(top.format("improvement"))) < 100
    link = opened.page.locator(".findings .go").first
    link.focus()
    assert link.evaluate("one => getComputedStyle(one).outlineStyle") in ("solid", "auto")
    opened.page.keyboard.press("Enter")
    opened.wait("location.hash === '#scores'")
    opened.wait(f"Math.abs({top.format('scores')}) < 100")
    summary = opened.page.locator("#attributes summary").first
    summary.focus()
    opened.page.keyboard.press("Enter")
    opened.wait("document.querySelector('#attributes details').open")
    assert opened.page.locator("[data-table=attribute_wise]").is_visible()


@pytest.mark.parametrize("width", [400, 720, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(
    open_page: Open, suite_page: Path, width: int, scheme: str
) -> None:
    opened = open_page(suite_page, width=width, scheme=scheme)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    wide = """all => all.filter(one => one.scrollWidth > one.clientWidth + 1)
      .map(one => one.closest("figure").dataset.chart)"""
    assert opened.page.eval_on_selector_all(".canvas", wide) == []
    assert opened.complaints == []


def test_an_interval_is_one_line_on_a_narrow_screen(open_page: Open, suite_page: Path) -> None:
    opened = open_page(suite_page, width=400)
    cells = opened.page.locator("[data-table=average_changes] td").filter(has_text="[")
    assert cells.count() == 6  # of three systems, that of the mean and that of a further data set
    broken = """all => all.filter(one => {
      const words = document.createRange();
      words.selectNodeContents(one);
      return words.getClientRects().length > 1;
    }).map(one => one.textContent)"""
    assert cells.evaluate_all(broken) == []
    assert "-" not in "".join(cells.all_inner_texts())  # a true minus


def test_print_has_no_controls_and_cuts_no_figure(open_page: Open, suite_page: Path) -> None:
    opened = open_page(suite_page, scheme="dark")
    opened.page.emulate_media(media="print")
    opened.page.set_viewport_size({"width": 688, "height": 900})
    shown = "all => all.filter(one => one.checkVisibility()).length"
    assert opened.page.eval_on_selector_all("nav, .acts, summary", shown) == 0
    wide = "all => all.filter(one => one.getBoundingClientRect().right > 689).length"
    assert opened.page.eval_on_selector_all(".canvas svg, table.scores", wide) == 0
    assert opened.page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == (
        "rgb(255, 255, 255)"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(open_page: Open, suite_page: Path, scheme: str) -> None:
    """axe-core finds nothing: names, roles, contrast."""
    opened = open_page(suite_page, scheme=scheme)
    opened.page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
    assert opened.violations() == []


def test_hostile_names_are_only_text(open_page: Open, tmp_path: Path) -> None:
    """Names of data sets and systems never become markup or code, in tables and figures."""
    made = fg.simulate(tokens=1_000, seed=1, systems={"a": (), "b": ("long-entities",)})
    systems = {HOSTILE: made.systems["a"], "a\u202eb": made.systems["b"]}
    tables = {name: fg.align(made.gold, systems) for name in (HOSTILE, "{{7*7}}", "x" * 300)}
    by = ["entity_length", "sentence_length"]
    path = tmp_path / "hostile.html"
    fg.Suite.of(tables, by=by, baseline="a\u202eb").run().save(str(path))
    opened = open_page(path)
    assert opened.complaints == []
    assert opened.page.evaluate("window.hacked") is None
    assert opened.page.locator("main img, main script").count() == 0
    names = opened.page.locator("[data-table=averages] th[scope=row]").all_inner_texts()
    assert sorted(names) == sorted([HOSTILE, "a\\u202eb"])
    assert opened.page.locator("figure svg.marks").count() == 2
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 1280
