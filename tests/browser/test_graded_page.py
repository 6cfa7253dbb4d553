"""The page of graded units: who is better on which, what is hard, and no word of errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.formats.items import read
from finegrain.formats.source import source_of
from tests.browser.conftest import Opened
from tests.plugin_tasks.postedits import POSTEDITS, example

Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def graded_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Edits of 180 segments, fewer are better; ``terse`` has none for nine of them."""
    path = tmp_path_factory.mktemp("page") / "judged.html"
    texts = example()
    corpora = {
        name: read(source_of(f"{name}.jsonl", text.encode())) for name, text in texts.items()
    }
    gold = corpora.pop("gold")
    fg.report(POSTEDITS.align(gold, corpora), title="Edits").save(str(path))
    return path


def test_numbers_lead_to_as_many_units_as_they_say(open_page: Open, graded_page: Path) -> None:
    opened = open_page(graded_page)
    links = opened.promised(
        "#findings a.n, #scores a.n, #difficulty a.n, #oracle a.n, #attributes a.n"
    )
    for key in ("gain", "[%22edits%22,", "mean_edits", "%22row%22"):
        assert any(key in one for one in links), key
    assert opened.broken(links) == []
    assert opened.complaints == []


def test_a_pair_tells_wins_losses_and_the_gain(open_page: Open, graded_page: Path) -> None:
    opened = open_page(graded_page, "#differences?a=1&b=2")
    told = opened.page.inner_text("#pair")
    for word in (
        "B is better",
        "A is better",
        "ties",
        "gain of B",
        "lower is better",
        "9 segments",
    ):
        assert word in told, word
    assert "correction" not in told
    links = opened.promised("#pair a.n")
    assert opened.broken(links) == []
    rows = opened.page.locator("#pair [data-pair=gains] > tr")
    counts = [rows.nth(at).locator("td a").first.inner_text() for at in range(3)]
    assert sum(map(int, counts)) == 171  # of 180, without the nine
    opened.go("differences?a=2&b=1")
    assert rows.nth(1).locator("td a").first.inner_text() == counts[0]
    assert opened.complaints == []


def test_units_are_listed_by_what_is_asked_for(open_page: Open, graded_page: Path) -> None:
    opened = open_page(graded_page, "#instances?worse_than.0=1")
    values = opened.page.evaluate("""() => {
      const { units } = JSON.parse(document.getElementById("data").textContent);
      const shown = [...document.querySelectorAll(".units .unit")].map((one) => one.textContent);
      return [units.values[0].filter((value) => value > 1).length, shown.length];
    }""")
    assert opened.count() == values[0]
    assert "edits of smooth above 1" in opened.page.inner_text("#instances .chips")
    assert opened.page.locator("#instances select[name=outcome]").count() == 0
    opened.page.select_option("#instances select[name=change]", "worse")
    opened.wait("location.hash.includes('gain')")
    assert "is worse than" in opened.page.inner_text("#instances .chips")
    opened.go("instances?worse_than.0=many")
    assert "is not a number" in opened.page.inner_text("#instances .count")
    assert opened.complaints == []


@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_is_wider_than_the_page(open_page: Open, graded_page: Path, width: int) -> None:
    opened = open_page(graded_page)
    opened.page.set_viewport_size({"width": width, "height": 900})
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    assert opened.page.locator("#errors").count() == 1  # the nine that nobody judged
    assert opened.complaints == []
