"""Likely errors of the gold standard with the same words: one line that leads to all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import finegrain as fg
from finegrain.corpus import Corpus
from tests.browser.conftest import Opened

Open = Callable[..., Opened]


def test_a_line_leads_to_all_units_with_its_words(open_page: Open, tmp_path: Path) -> None:
    """Gold has a street in three spellings and a town; no system has any of them."""
    words = [[street, "in", "Rom"] for street in ("Straße", "STRASSE", "strasse")]
    gold = Corpus.of(words, tags=[["B-LOC", "O", "O"]] * 2 + [["B-LOC", "O", "B-LOC"]])
    none = Corpus.of(words, tags=[["O"] * 3] * 3)
    path = tmp_path / "streets.html"
    fg.report(fg.align(gold, {"one": none, "two": none})).save(str(path))
    opened = open_page(path)
    lines = opened.page.locator("table[data-table=triage] tbody tr")
    told = [one.split() for one in lines.all_inner_texts()]
    assert told == [["Rom", "LOC", "nothing", "2", "1"], ["Straße", "LOC", "nothing", "2", "3"]]
    links = opened.promised("table[data-table=triage] a")
    assert sorted(links.values()) == [1, 3]
    assert opened.broken(links) == []
    assert opened.complaints == []
