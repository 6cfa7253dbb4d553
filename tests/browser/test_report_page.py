"""The page of a report in a browser: it opens from disk, and every number leads to its units."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.analyses.reports.report import Report
from finegrain.corpus import Corpus
from tests.browser.conftest import Opened, promised

Open = Callable[..., Opened]
PAGES = ("spans_page", "tags_page", "trees_page", "chains_page", "nested_page")
LINKS = {"spans_page": 100, "tags_page": 60}  # at least so many numbers; 20 on small pages


def test_it_opens_from_disk_with_the_network_cut(open_page: Open, spans_page: Path) -> None:
    opened = open_page(spans_page)
    assert opened.complaints == []
    titles = opened.page.eval_on_selector_all("h2", "all => all.map(one => one.id)")
    assert titles == [
        f"{name}-title"
        for name in ("findings", "scores", "errors", "differences", "difficulty", "oracle",
                     "attributes", "instances", "method")
    ]  # fmt: skip
    drawn = opened.page.eval_on_selector_all("figure svg.marks", "all => all.length")
    assert drawn == opened.page.eval_on_selector_all("figure[data-chart]", "all => all.length") > 4


@pytest.mark.parametrize("which", PAGES)
def test_every_number_leads_to_exactly_so_many_units(
    open_page: Open, which: str, request: pytest.FixtureRequest
) -> None:
    opened = open_page(request.getfixturevalue(which))
    links = opened.promised("a.n")
    assert len(links) > LINKS.get(which, 20)
    assert opened.broken(links) == []
    assert opened.complaints == []


@pytest.mark.parametrize("which", PAGES)
def test_every_mark_of_a_figure_and_cell_of_a_matrix_does(
    open_page: Open, which: str, request: pytest.FixtureRequest
) -> None:
    opened = open_page(request.getfixturevalue(which))
    data = json.loads(opened.page.text_content("#data"))

    def hrefs(value: Any) -> list[str]:
        if isinstance(value, dict):
            own = [value["href"]] if isinstance(value.get("href"), str) else []
            return own + [one for inner in value.values() for one in hrefs(inner)]
        return [one for inner in value for one in hrefs(inner)] if isinstance(value, list) else []

    marks = promised(hrefs(data["charts"]))
    assert len(marks) > LINKS.get(which, 20) / 4
    assert opened.broken(marks | opened.promised("#confusion td a, #pair a")) == []


def test_the_other_pairs_of_systems_do_too(open_page: Open, spans_page: Path) -> None:
    """Both directions of every pair: corrections of one are new errors of the other."""
    opened = open_page(spans_page)
    for one, other in ((0, 3), (3, 0), (1, 2), (2, 1)):
        opened.go(f"differences?a={one}&b={other}")
        assert opened.broken(opened.promised("#pair a")) == []


# the tables of the chosen pair as rows of texts
PAIR = """() => Object.fromEntries([...document.querySelectorAll("#pair table")].map(one => [
  one.dataset.pair,
  [...one.querySelectorAll("tr")].map(row => [...row.cells].map(cell => cell.textContent))]))"""


def test_the_chosen_pair_has_the_numbers_of_the_command(
    open_page: Open, spans_page: Path, spans_report: Report
) -> None:
    """In both directions: the other way round, differences change their signs."""
    opened = open_page(spans_page)
    for a, b in ((0, 3), (3, 0)):
        opened.go(f"differences?a={a}&b={b}")
        names = (spans_report.systems[a], spans_report.systems[b])
        found = fg.difference(spans_report.table, *names, intervals=1_000).to_json()
        ends = found["intervals"]
        told = opened.page.evaluate(PAIR)
        assert told["scores"][1:] == [
            [name, _points(found[key]["a"]), _points(found[key]["b"]),
             _signed(found[key]["delta"], 2),
             f"[{', '.join(_signed(end, 1) for end in ends[key])}]"]
            for key, name in (("score", "traditional F1"),
                              ("accuracy", f"accuracy of {found['units']:,} spans"))
        ]  # fmt: skip
        kinds = ("corrections", "new_errors", "changed_errors")
        assert told["changes"][1:] == [
            [name, f"{count:,}", f"{_points(count / found['units'], 1)} %",
             f"[{', '.join(_points(end, 1) for end in ends[key])}]", ""]
            for key, name, count in (
                *((kind, kind.replace("_", " "), found[kind]["count"]) for kind in kinds),
                ("diff", "disagreements", found["changed"]),
            )
        ]  # fmt: skip


def _points(value: float, digits: int = 2) -> str:
    return f"{100 * value:.{digits}f}"


def _signed(value: float, digits: int) -> str:
    return f"{100 * value:+.{digits}f}".replace("-", "−")


def test_clicking_a_cell_of_the_heat_map_filters_to_its_count(
    open_page: Open, spans_page: Path, spans_report: Report
) -> None:
    opened = open_page(spans_page)
    counts = spans_report.results["difficulty"].to_json()["counts"]
    best = spans_report.systems[spans_report.order[0]]
    cell = opened.page.locator(
        f"figure[data-chart=difficulty] path[aria-label^='bin: 2; system: {best}']"
    )
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    opened.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    opened.wait("location.hash.includes('systems_correct')")
    assert opened.count() == counts[best][2]


def test_the_address_holds_the_state(open_page: Open, spans_page: Path) -> None:
    opened = open_page(spans_page)
    everything = opened.count()
    opened.page.locator("#errors summary").click()
    link = opened.page.locator("#errors details a.n").first
    expected = int(link.inner_text().replace(",", ""))
    link.click()
    opened.wait("location.hash.startsWith('#instances')")
    assert opened.count() == expected
    opened.page.reload()
    opened.page.wait_for_selector("html[data-ready]", state="attached")
    assert opened.count() == expected
    opened.page.go_back()
    opened.wait(f"document.getElementById('count').textContent !== '{expected}'")
    assert opened.count() == everything


def test_controls_and_chips_filter(open_page: Open, spans_page: Path) -> None:
    opened = open_page(spans_page)
    opened.page.select_option("select[name=label]", "ORG")
    opened.wait("location.hash.includes('[%22=%22,%22label%22,%22ORG%22]')")
    narrowed = opened.count()
    opened.page.select_option("select[name=outcome]", "wrong")
    opened.wait("location.hash.includes('correct')")
    assert 0 < opened.count() < narrowed
    opened.page.locator(".chips button[aria-label*='label ORG']").click()
    opened.wait("!location.hash.includes('label')")
    opened.wait("document.querySelectorAll('.chips li').length === 1")


def test_search_looks_into_sentences(
    open_page: Open, spans_page: Path, spans_report: Report
) -> None:
    opened = open_page(spans_page)
    table = spans_report.table
    word = table.corpus.sentence(int(table.sentence[0]))[0]
    opened.page.fill("input[name=text]", word.upper())
    opened.wait("location.hash.includes('context_text')")
    expected = sum(
        word.lower() in " ".join(table.corpus.sentence(int(sentence))).lower()
        for sentence in table.sentence
    )
    assert opened.count() == expected > 0


def test_an_empty_selection_says_so(open_page: Open, spans_page: Path) -> None:
    opened = open_page(spans_page, "#instances?label=ORG&bin=0&text=no%20such%20text")
    assert opened.count() == 0
    assert "No unit fits" in opened.page.inner_text(".count")


def test_units_and_tables_are_taken_along(open_page: Open, spans_page: Path) -> None:
    opened = open_page(spans_page, "#instances?bin=1")
    with opened.page.expect_download() as waiting:
        opened.page.click("#instances [data-act=csv]")
    rows = list(csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text())))
    assert len(rows) == opened.count()
    with opened.page.expect_download() as waiting:
        opened.page.click("#instances [data-act=json]")
    assert len(json.loads(Path(waiting.value.path()).read_text())) == len(rows)
    with opened.page.expect_download() as waiting:
        opened.page.click("[data-download='score.json']")
    document = json.loads(Path(waiting.value.path()).read_text())
    assert document.keys() >= {"finegrain", "signature", "result", "notes"}
    assert document["signature"].startswith("task:spans|")
    with opened.page.expect_download() as waiting:
        opened.page.click("[data-download='score.tex']")
    assert "\\toprule" in Path(waiting.value.path()).read_text()
    with opened.page.expect_download() as waiting:
        opened.page.click("figure[data-chart=errors] [data-act=svg]")
    assert Path(waiting.value.path()).read_text().startswith("<svg")
    assert opened.complaints == []


def test_it_can_be_used_with_the_keyboard(open_page: Open, spans_page: Path) -> None:
    opened = open_page(spans_page)
    link = opened.page.locator("#findings a.n").first
    link.focus()
    outline = link.evaluate("one => getComputedStyle(one).outlineStyle")
    opened.page.keyboard.press("Enter")
    opened.wait("location.hash.startsWith('#instances')")
    assert opened.count() == int(link.get_attribute("data-n"))
    assert outline in ("solid", "auto")


@pytest.mark.parametrize("width", [400, 720, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(
    open_page: Open, spans_page: Path, width: int, scheme: str
) -> None:
    opened = open_page(spans_page, width=width, scheme=scheme)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    assert opened.complaints == []


def test_print_has_no_controls_and_cuts_nothing(open_page: Open, spans_page: Path) -> None:
    """On a sheet of A4, 688 pixels wide: figures and tables end where the page does."""
    opened = open_page(spans_page, scheme="dark")
    opened.page.emulate_media(media="print")
    opened.page.set_viewport_size({"width": 688, "height": 900})
    controls = "nav, .acts, .filters, .pager, .unit .links, summary"
    shown = "all => all.filter(one => one.checkVisibility()).length"
    assert opened.page.eval_on_selector_all(controls, shown) == 0
    wide = """all => all.filter(one => one.getBoundingClientRect().right > 689)
      .map(one => one.dataset.table ?? "figure")"""
    assert opened.page.eval_on_selector_all(".canvas svg, section table", wide) == []
    assert opened.page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == (
        "rgb(255, 255, 255)"
    )
    chosen = opened.page.locator("#pair select").first
    assert chosen.is_visible()  # it names the system


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(open_page: Open, spans_page: Path, scheme: str) -> None:
    """axe-core finds nothing: names, roles, contrast."""
    opened = open_page(spans_page, "#instances?bin=1", scheme=scheme)
    assert opened.violations() == []


# where the gold bars and the brackets of a system stand, and whether two of one row overlap
DRAWN = """() => {
  const box = (one) => {
    const { left, right, bottom } = one.getBoundingClientRect();
    return { left, right, bottom, row: one.style.gridRow, text: one.textContent, title: one.title };
  };
  const tokens = document.querySelector(".unit .tokens");
  return {
    gold: [...tokens.querySelectorAll(".gold")].map(box),
    system: [...tokens.querySelectorAll(".bracket")].map(box),
    words: [...tokens.querySelectorAll(".word")].map(box),
    gaps: [...tokens.querySelectorAll(".gap")].map(box),
  };
}"""


def test_nested_spans_have_levels_of_their_own(open_page: Open, nested_page: Path) -> None:
    """PER holds ORG, which holds BANK and LOC: three levels, the outermost on top."""
    opened = open_page(nested_page, "#instances?label=ORG&unit=gold")
    assert opened.count() == 1
    drawn = opened.page.evaluate(DRAWN)
    for kind in ("gold", "system"):
        for one in drawn[kind]:
            for other in drawn[kind]:
                apart = one["right"] <= other["left"] or other["right"] <= one["left"]
                assert one is other or apart or one["row"] != other["row"]
    levels = {one["text"]: one["bottom"] for one in drawn["gold"] if one["text"] != "BODY"}
    assert levels["PER"] < levels["ORG"] < levels["BANK"] == levels["LOC"]
    assert levels["LOC"] < min(one["bottom"] for one in drawn["words"])
    assert len({one["row"] for one in drawn["system"]}) >= 4  # two levels or more of each system


def test_the_parts_of_a_span_with_a_gap_are_joined(open_page: Open, nested_page: Path) -> None:
    """``left ... lung`` in gold and in the output of the system that has it."""
    opened = open_page(nested_page, "#instances?row=6")
    drawn = opened.page.evaluate(DRAWN)
    words = {one["text"]: one for one in drawn["words"]}
    assert len(drawn["gaps"]) == 2
    for gap in drawn["gaps"]:
        assert abs(gap["left"] - words["and"]["left"]) < 6
        assert abs(gap["right"] - words["right"]["right"]) < 6


HOSTILE = [
    "</script><script>window.hacked=1</script>", "<img/src=x/onerror=window.hacked=1>",
    "\"'`&amp;${1}", "a\u202eb", "a\u0000b\u001b[31m".replace("\u0000", "\u0001"),
    "\u0915\u094d\u200d\u0937", "x" * 10_000, "\u05e9\u05dc\u05d5\u05dd", "e\u0301\u0327",
    "\U0001f469\u200d\U0001f680", "]]>--!>", "\u2028\u2029", "{{7*7}}", "=cmd()",
]  # fmt: skip


def test_hostile_text_is_only_text(open_page: Open, tmp_path: Path) -> None:
    """Words, labels and names of systems from files never become markup or code."""
    bad = '"><script>window.hacked=1</script>'
    text = [HOSTILE, list(reversed(HOSTILE)), ["plain"]]
    tags = [["O"] * len(HOSTILE), ["O"] * len(HOSTILE), ["O"]]
    tags[0][0], tags[0][1], tags[1][3] = f"B-{bad}", f"I-{bad}", "B-PER"
    gold = Corpus.of(text, tags=tags)
    wrong = [list(tags[0]), ["B-PER", *tags[1][1:]], ["B-PER"]]
    wrong[0][1] = "O"
    table = fg.align(gold, {bad: Corpus.of(text, tags=wrong), "same": gold})
    path = tmp_path / "hostile.html"
    fg.report(table, title=bad).save(str(path))
    opened = open_page(path)
    assert opened.complaints == []
    assert opened.page.evaluate("window.hacked") is None
    assert opened.page.inner_text("h1") == bad
    whole = "all => all.forEach(one => one.click())"
    opened.page.eval_on_selector_all(".unit .links button", whole)
    shown = opened.page.inner_text(".units")
    assert "</script><script>window.hacked=1</script>" in shown
    assert "a\\u202eb" in shown
    assert "(10,000 characters)" in shown
    assert "\u05e9\u05dc\u05d5\u05dd" in shown
    assert opened.page.locator(".units script, .units img").count() == 0


def test_one_system_and_a_table_of_zeros_and_ones_have_pages(
    open_page: Open, tmp_path: Path
) -> None:
    play = fg.simulate(tokens=1_000, seed=3, systems={"only": ()})
    for name, table in {
        "one": fg.align(play.gold, play.systems),
        "matrix": fg.from_matrix([[1, 0], [1, 1], [0, 0]] * 10, systems=["a", "b"]),
    }.items():
        path = tmp_path / f"{name}.html"
        fg.report(table).save(str(path))
        opened = open_page(path)
        assert opened.complaints == []
        assert opened.broken(opened.promised("a.n")) == []


def test_nested_spans_are_drawn_on_levels(open_page: Open, tmp_path: Path) -> None:
    text = [["University", "of", "Trento", "hospital"]]
    gold = Corpus.of(text, tags=[["B-ORG", "I-ORG", "I-ORG", "O"]])
    inner = Corpus.of(text, tags=[["B-ORG", "I-ORG", "I-ORG", "I-ORG"]])
    path = tmp_path / "levels.html"
    fg.report(fg.align(gold, {"a": inner, "b": gold})).save(str(path))
    opened = open_page(path)
    assert opened.page.locator(".unit .gold.current").first.inner_text() == "ORG"
    assert opened.page.locator(".unit .bracket.dashed").count() >= 1


def test_a_page_that_cannot_hold_all_units_says_so(open_page: Open, tmp_path: Path) -> None:
    play = fg.simulate(tokens=3_000, seed=1)
    path = tmp_path / "cut.html"
    fg.report(fg.align(play.gold, play.systems), instances=100).save(str(path))
    opened = open_page(path)
    assert opened.count() == 100
    said = opened.page.inner_text("#instances .count")
    assert re.match(r"100 spans in this page, chosen from \d{3} so that there are some", said)
    of_errors = [
        one
        for one, n in opened.promised("a.n").items()
        if n and "outcome" in one and "change" not in one
    ]
    assert len(of_errors) >= 20
    filled = opened.follow([(one, 0) for one in of_errors])
    assert len(filled) == len(
        of_errors
    )  # none has 0: there are units behind every number of errors


def test_a_page_that_is_too_small_for_a_number_says_so(open_page: Open, tmp_path: Path) -> None:
    play = fg.simulate(tokens=3_000, seed=1)
    path = tmp_path / "small.html"
    fg.report(fg.align(play.gold, play.systems), instances=5).save(str(path))
    opened = open_page(path)
    empty = [
        one for one, n in opened.promised("a.n").items() if n and opened.follow([(one, 0)]) == []
    ]
    assert empty
    opened.go("findings")
    opened.go(empty[0])
    assert opened.count() == 0
    said = opened.page.inner_text("#instances .count")
    assert "too small to hold any of them: make it with more --instances" in said
    assert "No unit fits" not in said
