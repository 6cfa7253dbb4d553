"""Names and labels come from files: what would be invisible or turn the text is written out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.testing import small_corpora
from tests.browser.conftest import Opened

Open = Callable[..., Opened]
TURNED = "\u202e"  # right-to-left override

# texts and what is read out or pops up, with the raw character in them; not what scripts work on
RAW = """raw => {
  const found = [];
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ALL);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE && node.data.includes(raw)
        && !["SCRIPT", "STYLE"].includes(node.parentNode.tagName)) {
      found.push(`${node.parentNode.outerHTML.slice(0, 200)}`);
    }
    for (const { name, value } of node.attributes ?? []) {
      if (!["href", "value", "id"].includes(name) && value.includes(raw)) {
        found.push(`${node.tagName} ${name}=${value.slice(0, 200)}`);
      }
    }
  }
  return found;
}"""


def _opened(open_page: Open, path: Path, table: fg.OutcomeTable) -> Opened:
    fg.report(table, title=f"a{TURNED}b").save(str(path))
    opened = open_page(path)
    for figure in opened.page.query_selector_all("figure[data-chart]"):
        figure.scroll_into_view_if_needed()  # which draws it
    assert opened.complaints == []
    return opened


@pytest.fixture
def spans() -> fg.OutcomeTable:
    text = [["Ann", "met", "Bob", "in", "Rome"]] * 8

    def tagged(first: str, last: str) -> Corpus:
        return Corpus.of(text, tags=[[first, "O", "B-PER", "O", last]] * 8)

    bad = f"B-x{TURNED}y"
    gold = tagged("B-PER", bad)
    return fg.align(gold, {f"s{TURNED}t": tagged(bad, "O"), "plain": tagged("B-PER", bad)})


def test_names_and_labels_of_spans(open_page: Open, tmp_path: Path, spans: fg.OutcomeTable) -> None:
    opened = _opened(open_page, tmp_path / "spans.html", spans)
    assert opened.page.evaluate(RAW, TURNED) == []
    for part in (
        "#pair",
        "#confusion",
        ".units",
        "#instances [name=label]",
        "#instances [name=system]",
    ):
        assert "\\u202e" in opened.page.inner_text(part), part
    label = f"x{TURNED}y"
    opened.page.select_option("#instances [name=label]", label)  # its value is the true name
    opened.wait("location.hash.includes('label')")
    assert opened.count() == 16  # eight that are gold, eight that are not
    assert "x\\u202ey" in opened.page.inner_text("#instances .chips")
    opened.go(f"instances?label=z{TURNED}")
    assert opened.page.evaluate(RAW, TURNED) == []
    opened.go("differences?a=1&b=0")
    assert opened.broken(opened.promised("#pair a")) == []
    assert opened.page.evaluate(RAW, TURNED) == []


@pytest.mark.parametrize("task", ["dependencies", "coreference", "tags"])
def test_names_of_systems(open_page: Open, tmp_path: Path, task: str) -> None:
    gold, systems = small_corpora(task)
    named = {f"{name}{TURNED}!": one for name, one in systems.items()}
    table = fg.align(gold, named, task=task)
    opened = _opened(open_page, tmp_path / f"{task}.html", table)
    assert opened.page.evaluate(RAW, TURNED) == []
    assert "\\u202e!" in opened.page.inner_text(".units")
