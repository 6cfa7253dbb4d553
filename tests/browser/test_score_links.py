"""Clicks on scores, intervals, bars and units of a pair list exactly as many units as they say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.analyses.selection.lowered_scores import lowered_scores
from tests.alignment.test_dependencies import GOLD, parsed
from tests.browser.conftest import Opened, promised
from tests.views.test_score_links import hostile_tags

Open = Callable[..., Opened]


def _saved(table: fg.OutcomeTable, folder: Path) -> Path:
    path = folder / "report.html"
    fg.report(table).save(str(path))
    return path


def test_a_click_on_a_score_of_trees_lists_the_words_that_lower_it(
    open_page: Open, tmp_path: Path
) -> None:
    play = fg.simulate_trees(tokens=1_500, seed=1)
    table = fg.align(play.gold, play.systems, task="dependencies")
    lowered = lowered_scores(table)
    opened = open_page(_saved(table, tmp_path))
    for name in ("las", "clas", "upos"):
        opened.page.click(f"#scores td a[href*='%22{table.systems[1]}%22,%22{name}%22']")
        assert opened.count() == lowered.count(name, 1) > 0
    assert "lowers UPOS" in opened.page.inner_text("#instances .chips")
    assert opened.broken(opened.promised("a.n, #pair a")) == []
    assert opened.complaints == []


def test_words_of_another_tokenisation_are_listed_too(open_page: Open, tmp_path: Path) -> None:
    merged = parsed(*GOLD[:2], "3 olddogs dog NOUN 2 obj", "4 . . PUNCT 2 punct")
    table = fg.align(parsed(*GOLD), {"merged": merged, "same": parsed(*GOLD)}, task="dependencies")
    opened = open_page(_saved(table, tmp_path))
    opened.go("instances?lowers.0=words")
    assert opened.count() == 2  # old, dogs
    assert opened.broken(opened.promised("a.n, #pair a")) == []


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("lowers.0=las", "Unknown score"),
        ("other_than.0=B", "Unknown label"),
        ("other_than.0=%25E0%25A4", "Unknown label"),
        ("other_than.9=A", "Unknown system"),
    ],
)
def test_mistakes_in_addresses_are_told(
    open_page: Open, tmp_path: Path, asked: str, told: str
) -> None:
    opened = open_page(_saved(fg.align(*hostile_tags(), task="tags"), tmp_path))
    opened.go(f"instances?{asked}")
    assert told in opened.page.inner_text("#instances .count")


def test_the_other_wrong_answers_are_listed_whatever_labels_are_called(
    open_page: Open, tmp_path: Path
) -> None:
    opened = open_page(_saved(fg.align(*hostile_tags(), task="tags"), tmp_path))
    data: dict[str, Any] = json.loads(opened.page.text_content("#data"))
    values = data["charts"]["errors"]["data"]["values"]
    others = promised(one["href"] for one in values if one["type"].endswith("others"))
    assert len(others) == 2
    assert opened.broken(others) == []
    assert opened.broken(opened.promised("a.n")) == []
    assert opened.complaints == []


def test_intervals_bars_and_units_of_a_pair_lead_to_units(
    open_page: Open, spans_page: Path
) -> None:
    opened = open_page(spans_page)
    opened.go("differences?a=0&b=3")
    for part in (".interval a", "th a", "td.room a"):
        links = opened.promised(f"#pair {part}")
        assert links
        assert opened.broken(links) == []
    assert opened.violations() == []


def test_shares_of_the_matrix_of_pairs_lead_to_what_differs(
    open_page: Open, spans_page: Path
) -> None:
    """And another pair can be chosen while these units are listed."""
    opened = open_page(spans_page)
    links = opened.promised("#differences .pairs td.heat a")
    assert len(links) == 4 * 3 / 2
    assert opened.broken(links) == []
    opened.go("instances?change.0.1=any")
    chosen = opened.page.locator("#pair select")
    assert [chosen.nth(place).input_value() for place in (0, 1)] == ["0", "1"]
    chosen.nth(1).select_option("3")
    opened.wait("location.hash.includes('b=3')")
    assert [chosen.nth(place).input_value() for place in (0, 1)] == ["0", "3"]
    assert "change.0.1" not in opened.page.evaluate("location.hash")
