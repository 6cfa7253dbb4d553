"""What stands in the address of a page, well-formed or not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from finegrain.analyses.reports.report import Report
from tests.browser.conftest import Opened

Open = Callable[..., Opened]


def test_the_chosen_confusion_matrix_stands_in_the_address(
    open_page: Open, spans_page: Path, spans_report: Report
) -> None:
    """It survives a reload, and a number that is followed."""
    opened = open_page(spans_page)
    last = spans_report.order[-1]
    opened.page.select_option("#confusion select", str(last))
    opened.wait(f"location.hash === '#confusion?confusion={last}'")
    opened.settle()  # the address changes before the table does
    shown = opened.page.inner_text("#confusion table")
    opened.page.reload()
    opened.page.wait_for_selector("html[data-ready]", state="attached")
    assert opened.page.input_value("#confusion select") == str(last)
    assert opened.page.inner_text("#confusion table") == shown
    opened.go("instances?bin=0&n=1")
    assert opened.page.evaluate("location.hash").endswith(f"confusion={last}")
    opened.go("errors?confusion=99")  # there is none: the best
    assert opened.page.input_value("#confusion select") == str(spans_report.order[0])
    assert opened.complaints == []


def test_the_back_button_undoes_a_choice(open_page: Open, spans_page: Path) -> None:
    opened = open_page(spans_page)
    chosen = "document.querySelector('#pair').innerText"
    first = opened.page.evaluate(chosen)
    opened.go("differences?a=0&b=3")
    second = opened.page.evaluate(chosen)
    assert second != first
    opened.go("instances?bin=0&n=1")
    assert opened.page.evaluate("location.hash").endswith("a=0&b=3")
    for before in (second, first):
        opened.page.go_back()
        opened.settle()
        assert opened.page.evaluate(chosen) == before
    assert opened.page.evaluate("location.hash") == ""
    opened.page.go_forward()
    opened.settle()
    assert opened.page.evaluate(chosen) == second


def test_the_keyboard_goes_on_from_the_list(open_page: Open, spans_page: Path) -> None:
    """Enter on a number leads to the list; the next stop is in it."""
    opened = open_page(spans_page)
    opened.page.locator("#scores a.n").first.press("Enter")
    opened.settle()
    assert opened.page.evaluate("document.activeElement.id") == "instances-title"
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("Boolean(document.activeElement.closest('#instances'))")


ALL_TEXTS = "all => all.map(one => one.textContent)"
MANGLED = {
    "outcome.99=FN": "There is no system 99: systems are 0 to 3",
    "outcome=FN": "The condition outcome names 1 systems, not 0: outcome",
    "outcome.0=NO": "Unknown outcome “NO”. Known: TP, LE,",
    "constructor=1": "Unknown condition “constructor”. Known: unit, label,",
    "__proto__=1": "Unknown condition “__proto__”. Known: unit, label,",
    "verdict.0=maybe": "Unknown verdict “maybe”. Known: right, wrong",
    "has.0=": "Unknown value of has “”. Known: yes, no",
    "label=NO": "Unknown label “NO”. Known: DATE, LOC,",
    "answer.0=NO": "Unknown label “NO”. Known: DATE, LOC,",
    "mistaken.0=__proto__": "Unknown label “__proto__”. Known: DATE, LOC,",
    "mistaken_for=PER": "The condition mistaken_for names 1 systems, not 0: mistaken_for",
    "change.0.1=constructor": "Unknown change “constructor”. Known: correction,",
    "change.0=any": "The condition change names 2 systems, not 1: change.0",
    "unit=silver": "Unknown unit “silver”. Known: gold, not-gold",
    "change.0.1=worse": "Unknown change “worse”. Known: correction,",
    "bin=few": "“few” is not a number",
    "bin=1-2-3": "“2-3” is not a number",
    "bin=5-2": "“5-2” is not a range: its end is before its beginning",
    "costs.0=maybe": "Unknown value of costs “maybe”. Known: yes, no",
    "about.0=NO": "Unknown label “NO”. Known: DATE, LOC,",
    "lowers.0=mlas": "Unknown score “mlas”. There are none here",
    "bucket.entity_length=99": "There is no bucket 99 of entity_length: they are 0 to 3",
    "row=1e9": "“1e9” is not a number",
    "bucket.toString=1": "Unknown attribute “toString”. Known: entity_length,",
    "not=": "not takes other conditions, such as label=PER, not “”",
    "not=label=NO": "Unknown label “NO”. Known: DATE, LOC,",
    "not=not=label=PER": "not takes other conditions, such as label=PER, not “not=label=PER”",
    "where=gold": "Only an explorer knows the condition where",
}


def test_a_mangled_address_is_told_what_is_wrong_with_it(open_page: Open, spans_page: Path) -> None:
    opened = open_page(spans_page)
    for mangled, told in MANGLED.items():
        opened.go(f"instances?{mangled}")
        opened.settle()
        assert opened.page.inner_text(".count").startswith(told)
        assert opened.page.locator(".unit").count() == 0
        if not mangled.startswith("where"):  # its chip says no more than it does itself
            key, _, value = mangled.partition("=")
            chips = opened.page.eval_on_selector_all(".chips li", ALL_TEXTS)
            assert chips == [f"{key} = {value}×"]
    opened.go("instances?word=NO")  # well-formed, but there is none
    assert opened.count() == 0
    assert opened.complaints == []
