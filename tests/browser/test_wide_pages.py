"""Names, labels and words that need more room than there is, or are written in odd ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.corpus import Corpus
from tests.browser.conftest import Opened

Open = Callable[..., Opened]


LONG = "a-system-with-a-very-long-name-that-differs-from-others-at-its-end"


@pytest.fixture(scope="module")
def wide_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty systems with long names, labels wider than their words, a long document."""
    labels = [f"LABEL_WITH_A_LONG_NAME_{place}" for place in range(9)]
    words = [["a", "e\u0301te\u0301", "x\u200by", "d"] for _ in range(9)]
    tags = [[f"B-{label}", f"B-{labels[0]}", "O", f"B-{labels[1]}"] for label in labels]
    documents = [0] * len(words)
    gold = replace(Corpus.of(words, tags=tags, documents=documents), document_ids=("d" * 90,))
    systems = {}
    for system in range(20):
        wrong = [list(row) for row in tags]
        wrong[system % 9][0] = f"B-{labels[8 - system % 9]}"
        wrong[system % 4][1] = "O"
        systems[f"{LONG}-{system}"] = Corpus.of(words, tags=wrong, documents=documents)
    path = tmp_path_factory.mktemp("page") / "wide.html"
    fg.report(fg.align(gold, systems), title="Wide").save(str(path))
    return path


CUT = """all => all.filter(one => one.scrollWidth > one.clientWidth + 1 && one.checkVisibility())
  .map(one => one.textContent)"""


CUT_BELOW = """all => all.filter(one => one.scrollHeight > one.clientHeight + 1 ||
    getComputedStyle(one).overflowY === "hidden").map(one => one.textContent)"""


@pytest.mark.parametrize("width", [400, 1280])
def test_long_names_are_not_cut_and_widen_nothing(
    open_page: Open, wide_page: Path, width: int
) -> None:
    opened = open_page(wide_page, width=width)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    assert opened.page.eval_on_selector_all("tbody th:not(.text)", CUT) == []
    assert opened.page.eval_on_selector_all(".turned span", CUT_BELOW) == []
    drawn = opened.page.eval_on_selector_all(
        "figure[data-chart=errors] .role-axis-label text", "all => all.map(one => one.textContent)"
    )
    names = [one for one in drawn if "system" in one]
    assert len(set(names)) == 20  # also where they are drawn in two lines
    assert opened.complaints == []


def test_print_cuts_no_table_of_many_systems(open_page: Open, wide_page: Path) -> None:
    opened = open_page(wide_page)
    opened.page.emulate_media(media="print")
    opened.page.set_viewport_size({"width": 688, "height": 900})
    ends = opened.page.evaluate(
        "document.querySelector('table.labels').getBoundingClientRect().right"
    )
    assert ends < 689
    hidden = "all => all.filter(one => getComputedStyle(one).overflowX === 'hidden').length"
    assert opened.page.eval_on_selector_all(".wide", hidden) == 0
    names = "all => all.map(one => [one.scrollWidth, one.clientWidth])"
    for needed, there in opened.page.eval_on_selector_all("#pair select", names):
        assert needed <= there + 1


def test_gold_labels_do_not_run_into_each_other_and_answers_are_read(
    open_page: Open, wide_page: Path
) -> None:
    opened = open_page(wide_page, "#instances?bin=1-19")
    boxes = opened.page.eval_on_selector_all(
        ".unit:first-child .tokens .gold",
        """all => all.map(one => {
             const cut = getComputedStyle(one).overflowX === "hidden";
             const { left, right } = one.getBoundingClientRect();
             const text = document.createRange();
             text.selectNodeContents(one);
             return { left, end: cut ? right : Math.max(right, text.getBoundingClientRect().right),
                      own: one.classList.contains("current"),
                      whole: !cut || one.scrollWidth <= one.clientWidth + 1 };
           })""",
    )
    boxes.sort(key=lambda one: one["left"])
    for one, other in pairwise(boxes):
        assert one["end"] <= other["left"] + 1
    assert [one["whole"] for one in boxes if one["own"]] == [True]
    said = opened.page.eval_on_selector_all(
        ".name .answer", "all => all.map(one => one.getBoundingClientRect().width)"
    )
    assert said
    assert min(said) > 60


def test_search_finds_what_is_written_in_another_way(open_page: Open, wide_page: Path) -> None:
    """Accents composed or not; characters that the page writes out."""
    opened = open_page(wide_page)
    everything = opened.count()
    for wanted in ("\u00c9T\u00c9", "e\u0301te\u0301", "x\u200by", "x\\u200by"):
        opened.page.fill("input[name=text]", wanted)
        opened.wait("location.hash.includes('context_text')")
        assert opened.count() == everything > 0
        opened.go("instances")
        opened.page.fill("input[name=text]", "")


def test_a_page_of_some_units_does_not_say_all(open_page: Open, tmp_path: Path) -> None:
    play = fg.simulate(tokens=1_000, seed=3)
    path = tmp_path / "some.html"
    fg.report(fg.align(play.gold, play.systems), instances=10).save(str(path))
    opened = open_page(path)
    assert "chosen from" in opened.page.inner_text(".count")
    assert "all of them" not in opened.page.inner_text(".count")
