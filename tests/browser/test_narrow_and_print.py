"""Narrow screens and paper: nothing sticks out, no word is cut, names can be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

import finegrain as fg
from finegrain.corpus import Corpus
from tests.browser.conftest import Opened

Open = Callable[..., Opened]

PAGES = ["spans_page", "tags_page", "trees_page", "chains_page", "nested_page", "long_page"]
NAMES = [f"transformer-large-crf-ensemble-seed{place}" for place in range(12)]
SHEET = {"width": 688, "height": 900}  # A4 without its margins

# sections, and what is drawn in them, that are wider than the window
STICKS_OUT = """width => [...document.querySelectorAll("section, section > *, .unit, .unit > *")]
  .filter(one => one.checkVisibility() && one.getBoundingClientRect().right > width + 1)
  .map(one => `${one.closest("section").id} ${one.className}`)"""

# drawings of which a part would have to be scrolled to, or is clipped
CUT = """all => all.filter(one => one.scrollWidth > one.clientWidth + 1)
  .map(one => `${one.scrollWidth} in ${one.clientWidth}: ${one.textContent.slice(0, 80)}`)"""

# names of which a part is hidden, or that run into what stands below them
CRAMPED = """all => all.filter(one => {
    const [box, cell] = [one.getBoundingClientRect(), one.parentElement.getBoundingClientRect()];
    return box.bottom > cell.bottom + 1 || one.scrollWidth > Math.ceil(box.width) + 1;
  }).map(one => one.textContent)"""

WORDS = "all => all.map(one => one.firstChild.textContent)"


@pytest.fixture(scope="module")
def long_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence of 160 different words, twelve systems with long names, long labels."""
    words = [[f"w{place}" + "ord" * (place % 7) for place in range(160)]]
    tags = [["O"] * 160]
    for begin in range(4, 150, 12):  # some spans are longer than a line of a narrow screen
        tags[0][begin : begin + 9] = ["B-CHEMICAL_COMPOUND"] + ["I-CHEMICAL_COMPOUND"] * 8
    systems = {}
    for place, name in enumerate(NAMES):
        row = list(tags[0])
        row[4 + place] = "B-ORGANISATION_OR_COMPANY"
        row[16] = row[28 + 12 * (place % 3)] = "O"
        systems[name] = Corpus.of(words, tags=[row])
    path = tmp_path_factory.mktemp("page") / "long.html"
    fg.report(fg.align(Corpus.of(words, tags=tags), systems), title="Long").save(str(path))
    return path


def _whole_sentences(opened: Opened) -> None:
    opened.page.eval_on_selector_all(
        ".unit .links button", "all => all.forEach(one => one.click())"
    )


def _print(opened: Opened) -> None:
    opened.page.emulate_media(media="print")
    opened.page.set_viewport_size(SHEET)
    opened.settle()  # the page hears of it when it is next drawn


@pytest.mark.parametrize("which", PAGES)
def test_a_narrow_page_sticks_out_nowhere_and_sentences_are_not_scrolled(
    open_page: Open, which: str, request: pytest.FixtureRequest
) -> None:
    opened = open_page(request.getfixturevalue(which), width=400)
    assert opened.page.evaluate("document.documentElement.scrollWidth") == 400
    assert opened.page.evaluate(STICKS_OUT, 400) == []
    _whole_sentences(opened)
    assert opened.page.eval_on_selector_all(".scroll", CUT) == []
    assert opened.complaints == []


@pytest.mark.parametrize("which", PAGES)
def test_paper_cuts_nothing(open_page: Open, which: str, request: pytest.FixtureRequest) -> None:
    opened = open_page(request.getfixturevalue(which))
    _whole_sentences(opened)
    _print(opened)
    assert opened.page.eval_on_selector_all(".scroll", CUT) == []
    assert opened.page.evaluate(STICKS_OUT, SHEET["width"]) == []
    assert opened.complaints == []


# how wide figures are that were drawn, and the size of their smallest type, in pixels of the sheet
DRAWN = """all => all.map(one => [Number(one.getAttribute("width")), Math.min(
  ...[...one.querySelectorAll("text")].filter(text => text.textContent).map(text => {
    const { a, b } = text.getScreenCTM(); // it may be turned
    return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
  }))])"""


def test_figures_are_drawn_anew_for_paper(open_page: Open, spans_page: Path) -> None:
    """Not those of the window made smaller: no type is below 8 pixels, 6 points."""
    opened = open_page(spans_page)
    figures = "figure[data-chart] .canvas > svg"
    on_screen = opened.page.eval_on_selector_all(figures, DRAWN)
    _print(opened)
    opened.page.wait_for_timeout(500)
    on_paper = opened.page.eval_on_selector_all(figures, DRAWN)
    assert len(on_paper) == len(on_screen) > 5
    assert max(width for width, _ in on_screen) > 1000
    assert max(width for width, _ in on_paper) <= 800
    assert min(size for _, size in on_paper) >= 8
    opened.page.emulate_media(media="screen")
    opened.page.set_viewport_size({"width": 1280, "height": 900})
    widths = "[...document.querySelectorAll('figure[data-chart] .canvas > svg')]"
    opened.wait(f"Math.max(...{widths}.map(one => Number(one.getAttribute('width')))) > 1000")
    assert opened.complaints == []


def test_the_page_is_laid_out_for_paper_before_sheets_are_counted(
    open_page: Open, spans_page: Path
) -> None:
    """What waited for a timer would come too late: the end of the page would be lost."""
    opened = open_page(spans_page)
    widths = opened.resolved(
        """async () => {
             dispatchEvent(new Event("beforeprint"));
             for (let turn = 0; turn < 2000; turn += 1) await null; // no task but promises
             return [...document.querySelectorAll("figure[data-chart] .canvas > svg")]
               .map(one => Number(one.getAttribute("width")));
           }"""
    )
    assert len(widths) > 5
    assert max(widths) <= 800


@pytest.mark.parametrize("width", [400, 800, 1280])
def test_names_of_systems_and_verdicts_are_read_in_full(
    open_page: Open, long_page: Path, width: int
) -> None:
    opened = open_page(long_page, width=width)
    chosen = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length"
    assert opened.page.eval_on_selector_all("#pair select, [name=system]", chosen) == 0
    opened.page.locator(".folded button").first.click()
    first = ".unit:first-child .name"
    assert sorted(set(opened.page.locator(f"{first} .who").all_inner_texts())) == sorted(NAMES)
    assert opened.page.eval_on_selector_all(f"{first} .who, {first} .what", CRAMPED) == []


def test_a_whole_sentence_stands_in_lines_with_every_word_once(
    open_page: Open, long_page: Path
) -> None:
    opened = open_page(long_page)
    some = opened.page.locator(".unit").first.locator(".word").count()
    _whole_sentences(opened)
    unit = opened.page.locator(".unit").first
    expected = [f"w{place}" + "ord" * (place % 7) for place in range(160)]
    assert some < len(expected)
    assert unit.locator(".word").evaluate_all(WORDS) == expected
    lines = unit.locator(".drawn").count()
    drawn = "document.querySelectorAll('.unit:first-child .drawn').length"
    opened.page.emulate_media(media="print")
    opened.wait(f"{drawn} > {lines}")  # a sheet is narrower than the window
    assert lines > 1
    assert opened.page.locator(".unit").first.locator(".word").evaluate_all(WORDS) == expected
    opened.page.emulate_media(media="screen")
    opened.wait(f"{drawn} === {lines}")


def test_lines_are_broken_anew_in_another_window(open_page: Open, long_page: Path) -> None:
    opened = open_page(long_page)
    _whole_sentences(opened)
    lines = opened.page.locator(".unit").first.locator(".drawn").count()
    opened.page.set_viewport_size({"width": 400, "height": 900})
    opened.wait(f"document.querySelectorAll('.unit:first-child .drawn').length > {lines}")
    assert opened.page.eval_on_selector_all(".scroll", CUT) == []


def test_the_unit_stands_in_one_line_if_it_can(open_page: Open, spans_page: Path) -> None:
    opened = open_page(spans_page, "#instances?bucket.entity_length=2", width=400)
    tops = opened.page.eval_on_selector_all(
        ".unit",
        """all => all.map(one => new Set([...one.querySelectorAll(".word.own")]
             .map(word => word.getBoundingClientRect().top)).size)""",
    )
    assert set(tops) == {1}


# the words in every part of a tree that are inside of it, and its labels that are not
TREE_PARTS = """all => all.map(tree => {
  const { left, right } = tree.getBoundingClientRect();
  const inside = one => {
    const box = one.getBoundingClientRect();
    return box.left >= left - 1 && box.right <= right + 1;
  };
  const found = name => [...tree.querySelectorAll(name)];
  return [found(".token:not(.copy)").filter(inside).map(one => one.textContent),
          found(".arc text").filter(one => !inside(one)).length];
})"""


@pytest.mark.parametrize("where", ["paper", 400, 1280])
def test_a_wide_tree_is_continued_below(
    open_page: Open, tmp_path: Path, where: Literal["paper"] | int
) -> None:
    """A chain of sixty words; every word is inside of exactly one of the parts, no label is cut."""
    words = [[f"{'long' * (place % 4)}word{place}" for place in range(60)]]
    heads = [["0", *map(str, range(1, 60))]]
    gold = Corpus.of(words, head=heads, deprel=[["root"] + ["dep"] * 59])
    other = Corpus.of(words, head=[["0", "1", *["2"] * 58]], deprel=[["root"] + ["dep"] * 59])
    path = tmp_path / "tree.html"
    fg.report(fg.align(gold, {"one": gold, "other": other}, task="dependencies")).save(str(path))
    opened = open_page(path, "#instances?row=7", width=1280 if where == "paper" else where)
    if where == "paper":
        _print(opened)
    parts = opened.page.eval_on_selector_all("svg.tree", TREE_PARTS)
    assert len(parts) > 2
    assert all(part for part, _ in parts)
    assert [word for part, _ in parts for word in part] == words[0]
    assert [cut for _, cut in parts] == [0] * len(parts)
    assert opened.page.eval_on_selector_all(".scroll", CUT) == []
    # the system with the same tree is named once, beside the unit; the other has arcs in all parts
    names = opened.page.locator(".unit .who").all_inner_texts()
    assert (names.count("one"), names.count("other")) == (1, len(parts))
    assert opened.complaints == []


def test_a_short_unit_beside_the_chosen_one_has_its_label_in_full(
    open_page: Open, tmp_path: Path
) -> None:
    words = [["ifosfamide", "(", "i", ")", "is", "a", "nitrogen", "mustard", "."]]
    gold = Corpus.of(words, tags=[["O", "O", "B-CHEM", "O", "O", "O", "B-CHEM", "O", "O"]])
    path = tmp_path / "short.html"
    fg.report(fg.align(gold, {"one": gold})).save(str(path))
    opened = open_page(path, "#instances?row=2", width=400)
    labels = opened.page.locator(".tokens .gold")
    cut = "all => all.map(one => getComputedStyle(one).overflowX)"
    assert labels.all_text_contents() == ["CHEM", "CHEM"]
    assert labels.evaluate_all(cut) == ["visible", "visible"]


@pytest.mark.parametrize("which", ["chains_page", "trees_page"])
def test_nothing_lies_on_the_names_of_a_drawing(
    open_page: Open, which: str, request: pytest.FixtureRequest
) -> None:
    """The marks of the unit in its document begin below the name of their row."""
    opened = open_page(request.getfixturevalue(which), width=400)
    overlaps = opened.page.eval_on_selector_all(
        ".drawn",
        """all => all.flatMap(drawn => {
             const boxes = name => [...drawn.querySelectorAll(name)];
             const names = boxes(".name").filter(one => one.textContent).map(one => {
               const text = document.createRange();
               text.selectNodeContents(one);
               return text.getBoundingClientRect();
             });
             const marks = boxes(".here, .arc text").map(one => one.getBoundingClientRect());
             return marks.filter(mark => names.some(name =>
               mark.left < name.right && name.left < mark.right &&
               mark.top < name.bottom - 3 && name.top < mark.bottom - 3)).map(mark => mark.top);
           })""",
    )
    assert overlaps == []
