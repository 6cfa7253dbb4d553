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
MANGLED = {  # what stands in the address: what is said of it, and its chip
    "outcome.99=FN": ("Unknown system “99”. Known: ", "outcome[99] = FN"),
    "outcome.0=NO": ("Unknown outcome “NO”. Known: TP, LE,", None),
    "constructor=1": ("Unknown field “constructor”. Known: gold, label,", "constructor = 1"),
    "__proto__=1": ("Unknown field “__proto__”. Known: gold, label,", "__proto__ = 1"),
    "verdict.0=maybe": ("Unknown correct “maybe”. Known: no, yes", None),
    "has.0=": ("Unknown produced “”. Known: no, yes", None),
    "label=NO": ("Unknown label “NO”. Known: DATE, LOC,", "label = NO"),
    "answer.0=NO": ("Unknown label “NO”. Known: DATE, LOC,", None),
    "mistaken.0=__proto__": ("Unknown label “__proto__”. Known: DATE, LOC,", None),
    "mistaken_for.7=PER": ("Unknown system “7”", "mistaken_for[7] = PER"),
    "change.0.1=constructor": ("Unknown change “constructor”. Known: correction,", None),
    "bin=few": ("“few” is not a number", None),
    "costs.0=maybe": ("Unknown hurts “maybe”. Known: no, yes", None),
    "lowers.0=mlas": ("Unknown score “mlas”. There are none here", None),
    "bucket.entity_length=99": ("Unknown bucket “99”. Known: 0, 1, 2, 3", None),
    "row=1e9x": ("“1e9x” is not a number", "row = 1e9x"),
    "bucket.toString=1": ("Unknown attribute “toString”. Known: entity_length,", None),
    "not=label=NO": ("Unknown label “NO”. Known: DATE, LOC,", '["not",["=","label","NO"]]'),
    "where=gold": ("Only an explorer reads a selection that is written as text", "where gold"),
    "where=[1": ("Only an explorer reads", "where [1"),
    "where=[1]": ("Not a selection: [1]", "[1]"),
    'where=["and",["holds","hurts"]]': ("Not a selection", '["and",["holds","hurts"]]'),
    'where=["=","gold",{}]': ("Not a selection", "gold = [object Object]"),
    'where=["~","gold","x"]': ("Only an explorer knows ~", "gold ~ x"),
    'where=["holds","label"]': ("“label” is not yes or no", "label"),
    'where=["<","label","x"]': ("< is for numbers, and “label” is not one", "label < x"),
    'where=["=",["gain","x"],"0"]': ("Unknown system “x”", "gain[x] = 0"),
}


def test_a_mangled_address_is_told_what_is_wrong_with_it(open_page: Open, spans_page: Path) -> None:
    opened = open_page(spans_page)
    for mangled, (told, chip) in MANGLED.items():
        opened.go(f"instances?{mangled}")
        opened.settle()
        assert told in opened.page.inner_text(".count"), mangled
        assert opened.page.locator(".unit").count() == 0
        if chip is not None:
            chips = opened.page.eval_on_selector_all(".chips li", ALL_TEXTS)
            assert chips[0] == f"{chip}×", mangled
    opened.go("instances?word=NO")  # well-formed, but there is none
    assert opened.count() == 0
    assert opened.complaints == []
