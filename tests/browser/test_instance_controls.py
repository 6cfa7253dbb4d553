"""The controls above the instances: slices and buckets, and what is said of the list."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import finegrain as fg
from finegrain.analyses.reports.report import Report
from finegrain.analyses.trust.slices import Slices
from tests.browser.conftest import Opened

Open = Callable[..., Opened]
SLICE, BUCKET = "#instances [name=slice]", "#instances [name=bucket]"
TEXTS = "all => all.map(one => one.textContent)"


def _asked(opened: Opened) -> list[Any]:
    """The selections in the address, all of which hold."""
    told = opened.page.evaluate(
        "new URLSearchParams(location.hash.split('?')[1] ?? '').get('where')"
    )
    where = json.loads(told or '["and"]')
    return where[1:] if where[0] == "and" else [where]


def test_a_slice_is_chosen_and_stands_in_the_address(
    open_page: Open, spans_page: Path, spans_report: Report
) -> None:
    searched = [one for one in spans_report.results.values() if isinstance(one, Slices)]
    found = [finding for one in searched for finding in one.findings]
    opened = open_page(spans_page, "#instances?label=PER&verdict.0=wrong")  # as saved before
    wrong = ["=", ["correct", spans_report.systems[0]], "no"]
    options = opened.page.eval_on_selector_all(f"{SLICE} option", TEXTS)
    names = [one for one in options if not one.startswith("all but ")]
    assert len(names) == len({one.slice.name for one in found}) + 1 > 1
    assert [f"all but {name}" for name in names[1:]] == options[len(names) :]
    for place, name in enumerate(names[1:]):
        opened.page.select_option(SLICE, label=name)
        opened.wait(f"document.querySelector('{SLICE}').value === '{place}'")
        asked = _asked(opened)
        asked.remove(wrong)  # it takes the place of labels and buckets only
        asked.remove(["!=", "gold", None])
        assert {one[1] if isinstance(one[1], str) else one[1][0] for one in asked} <= {
            "label", "bucket",
        }  # fmt: skip
        opened.go(f"instances?where={quote(json.dumps(['and', ['!=', 'gold', None], *asked]))}")
        sizes = {one.n for one in found if one.slice.name.replace("_", " ") == name}
        assert opened.count() in sizes
        opened.go("instances?label=PER&verdict.0=wrong")
    opened.page.select_option(SLICE, label=names[1])
    opened.wait(f"document.querySelector('{SLICE}').value === '0'")
    opened.page.reload()
    opened.wait("document.documentElement.dataset.ready !== undefined")
    assert opened.page.input_value(SLICE) == "0"
    opened.page.select_option(SLICE, label="any")
    opened.wait(f"document.querySelector('{SLICE}').value === ''")
    assert _asked(opened) == [wrong]
    assert opened.complaints == []


def test_the_rest_of_a_slice_is_chosen_and_said(
    open_page: Open, spans_page: Path, spans_report: Report
) -> None:
    searched = [one for one in spans_report.results.values() if isinstance(one, Slices)]
    first = next(finding for one in searched for finding in one.findings)
    opened = open_page(spans_page)
    opened.page.select_option(SLICE, label=f"all but {first.slice.name.replace('_', ' ')}")
    opened.wait("location.hash.includes('not')")
    assert opened.count() == spans_report.table.n_gold - first.n
    chips = opened.page.eval_on_selector_all(".chips li", TEXTS)
    assert f"not ({first.slice.name.replace('_', ' ')})×" in chips
    opened.page.reload()
    opened.wait("document.documentElement.dataset.ready !== undefined")
    chosen = opened.page.eval_on_selector(SLICE, "one => one.selectedOptions[0].textContent")
    assert chosen.startswith("all but ")
    opened.page.select_option(SLICE, label="any")
    opened.wait("!location.hash.includes('not')")
    assert opened.complaints == []


def test_without_slices_there_is_no_control(open_page: Open, nested_page: Path) -> None:
    opened = open_page(nested_page)
    assert opened.page.locator(SLICE).count() == 0


def test_buckets_of_other_attributes_stay(open_page: Open, spans_page: Path) -> None:
    opened = open_page(spans_page, "#instances?bucket.entity_length=0")
    for value in ("sentence_length=1", "sentence_length=2"):
        opened.page.select_option(BUCKET, value)
        opened.wait(f"document.querySelector('{BUCKET}').value === '{value}'")
    assert _asked(opened) == [
        ["=", ["bucket", "entity_length"], "0"], ["=", ["bucket", "sentence_length"], "2"],
    ]  # fmt: skip
    assert opened.page.input_value(BUCKET) == "sentence_length=2"
    opened.page.select_option(BUCKET, "")
    opened.wait("!location.hash.includes('bucket')")


def test_one_unit_is_no_units(open_page: Open, tmp_path: Path) -> None:
    gold = fg.Corpus.of([["Ann", "left"]], tags=[["B-PER", "O"]])
    other = fg.Corpus.of([["Ann", "left"]], tags=[["O", "O"]])
    path = tmp_path / "one.html"
    fg.report(fg.align(gold, {"a": gold, "b": other})).save(str(path))
    opened = open_page(path)
    assert opened.page.inner_text("#instances .count").startswith("1 span ")
    opened.go("instances?label=PER")
    assert opened.page.inner_text("#instances .count").startswith("1 of 1 span ")
    assert "accuracy of 1 span" in opened.page.inner_text("#pair")
    assert "1 spans" not in opened.page.inner_text("#differences, #instances")


def test_an_item_takes_one_line(open_page: Open, tmp_path: Path) -> None:
    """Of a 0/1 table there is nothing to draw: who is wrong and who is right is said."""
    rows = [[1, 1, 1]] * 30 + [[1, 1, 0]] * 12 + [[1, 0, 0]] * 10 + [[0, 0, 0]] * 8
    names = [f"question {at}" for at in range(60)]
    path = tmp_path / "items.html"
    fg.report(fg.from_matrix(rows, systems=["a", "b", "c"], units=names)).save(str(path))
    opened = open_page(path)
    assert opened.complaints == []
    units = opened.page.locator("#instances .unit")
    assert units.count() == 20
    heights = opened.page.eval_on_selector_all(
        "#instances .unit", "all => all.map(one => one.getBoundingClientRect().height)"
    )
    assert max(heights) < 40
    told = " ".join(units.nth(8).inner_text().split())
    assert told == "#43 question 42 bin 1: 1 of 3 right wrong b B, c right a A link"
    assert not opened.page.locator("#instances form [name=label]").count()
    outcomes = opened.page.locator("#instances form [name=outcome] option").all_inner_texts()
    assert outcomes == ["any", "right", "wrong"]
    changes = opened.page.locator("#instances form [name=change] option").all_inner_texts()
    assert changes == ["any", "corrections", "new errors", "disagreements"]
