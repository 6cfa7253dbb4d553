"""Figures in the page: names in full and apart, buckets and keys that are not cut, at any width."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

import finegrain as fg
from tests.browser.conftest import Opened

Open = Callable[..., Opened]

NAMES = (
    "enhanced-characterbert-from_general-128+node2vec",
    "characterbert-from_general-128",
    "fasttext gigaword",
)
PARTS = {  # no name may be broken elsewhere
    *("enhanced-", "characterbert-", "from_", "general-", "128+", "node2vec", "128"),
    *("fasttext", "gigaword"),
}

# labels of the rows, or of what stands below axes, as lists of lines with the box of each label
LABELS = """([chart, labelled]) => {
  const axes = [...document.querySelectorAll(`figure[data-chart=${chart}] [aria-label^="${labelled}-axis"]`)];
  return axes.map(axis => [...axis.querySelectorAll(".role-axis-label text")].map(text => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const lines = [...text.querySelectorAll("tspan")].map(line => line.textContent);
    return { lines: lines.length ? lines : [text.textContent], left, right, top, bottom };
  }));
}"""  # noqa: E501 - a script

# texts of keys that reach beyond their figure
BEYOND = """all => all.filter(text => text.getBoundingClientRect().right >
  text.closest("figure").getBoundingClientRect().right + 1).map(text => text.textContent)"""


@pytest.fixture(scope="module")
def named_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three systems with long names, and training data, so that there are rates of words."""
    play = fg.simulate(tokens=6_000, seed=1)
    systems = dict(zip(NAMES, list(play.systems.values())[:3], strict=True))
    path = tmp_path_factory.mktemp("page") / "named.html"
    fg.report(fg.align(play.gold, systems), train=play.train, title="Named").save(str(path))
    return path


def _parts(line: str) -> list[str]:
    for joined in "-_+":
        line = line.replace(joined, f"{joined} ")
    return line.split()


def test_bars_beside_names_of_several_lines_stay_thin(open_page: Open, named_page: Path) -> None:
    opened = open_page(named_page, width=400)
    tall = opened.page.eval_on_selector_all(
        "figure[data-chart=errors] .mark-rect path",
        "all => all.map(one => one.getBBox().height)",
    )
    assert tall
    assert 15 < min(tall) <= max(tall) <= 20  # 72 % of a row of 26 pixels


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("chart", ["errors", "difficulty"])
def test_names_of_rows_are_whole_and_apart(
    open_page: Open, named_page: Path, chart: str, width: int
) -> None:
    opened = open_page(named_page, width=width)
    axes = opened.page.evaluate(LABELS, [chart, "Y"])
    (labels, *_) = [axis for axis in axes if len(axis) == len(NAMES)]
    for one in labels:
        assert {part for line in one["lines"] for part in _parts(line)} <= PARTS
    told = {"".join(one["lines"]).replace(" ", "") for one in labels}
    assert told == {name.replace(" ", "") for name in NAMES}
    labels.sort(key=lambda one: one["top"])
    assert all(one["bottom"] <= other["top"] for one, other in pairwise(labels))
    assert (max(len(one["lines"]) for one in labels) > 1) == (width == 400)  # in one line if it can
    assert opened.complaints == []


@pytest.mark.parametrize("width", [400, 718, 860, 1280])
def test_what_buckets_hold_is_not_cut_and_stays_apart(
    open_page: Open, named_page: Path, width: int
) -> None:
    opened = open_page(named_page, width=width)
    axes = opened.page.evaluate(LABELS, ["buckets", "X"])
    assert len(axes) > 4
    for labels in axes:
        assert len(labels) > 1
        assert not any("…" in line for one in labels for line in one["lines"])
        sized = sorted(labels, key=lambda one: one["left"])
        assert all(one["right"] <= two["left"] for one, two in pairwise(sized))


@pytest.mark.parametrize("chart", ["diagnosis", "buckets", "errors"])
def test_a_key_stays_on_a_narrow_screen(open_page: Open, named_page: Path, chart: str) -> None:
    opened = open_page(named_page, width=400)
    texts = f"figure[data-chart={chart}] .role-legend-label text"
    assert opened.page.eval_on_selector_all(texts, BEYOND) == []
    told = opened.page.locator(texts).all_text_contents()
    assert told
    assert not any("…" in one for one in told)


# how far figures reach beyond their room
TOO_WIDE = """all => all.filter(one => one.scrollWidth > one.clientWidth)
  .map(one => `${one.closest("figure").dataset.chart}: ${one.scrollWidth - one.clientWidth}`)"""


@pytest.mark.parametrize("width", [400, 800, 1280])
def test_figures_keep_to_their_room(open_page: Open, named_page: Path, width: int) -> None:
    opened = open_page(named_page, width=width)
    assert opened.page.eval_on_selector_all(".canvas", TOO_WIDE) == []


def test_a_printed_figure_has_whole_names(tmp_path: Path) -> None:
    """Also of the systems of a matrix, which are numbered instead of named above it."""
    play = fg.simulate(tokens=2_000, seed=1)
    names = [f"{name}-fine-tuned-with-adapters" for name in NAMES]
    table = fg.align(play.gold, dict(zip(names, list(play.systems.values())[:3], strict=True)))
    for result in (fg.difficulty(table), fg.error_types(table), fg.differences(table)):
        path = tmp_path / "figure.svg"
        result.chart().save(str(path))
        drawn = path.read_text("utf-8")
        assert all(name in drawn for name in names)
        assert "…" not in drawn
