"""The confusion matrix of a page: its numbers are those of the command, and lead to their units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

import finegrain as fg
from finegrain.alignment.dependencies import NO_WORD
from finegrain.corpus import Corpus, Spans
from finegrain.table import OutcomeTable
from tests.alignment.test_dependencies import GOLD, parsed
from tests.browser.conftest import Opened

Open = Callable[..., Opened]

# rows of texts, the first of them heads
CELLS = """() => [...document.querySelectorAll("#confusion table tr")].map(
    row => [...row.cells].map(cell => cell.textContent))"""


def _expected(table: OutcomeTable, system: int) -> list[list[str]]:
    """What the command counts, labels by the number of gold units; without empty ones."""
    counts = fg.confusion(table).counts[system]
    frequent = np.bincount(table.label[table.is_gold], minlength=table.n_labels)
    order = [*np.argsort(-frequent, kind="stable").tolist(), table.n_labels]
    heads, rows = (*table.labels, "missed"), (*table.labels, "invented")
    golds = [one for one in order if counts[one].any() or one == table.n_labels]
    answers = [one for one in order if counts[:, one].any() or one == table.n_labels]
    cells = [
        [rows[gold], *(f"{counts[gold, one]:,}" if counts[gold, one] else "·" for one in answers)]
        for gold in golds
    ]
    cells[-1][-1] = ""  # neither gold nor answered
    return [["", *(heads[one] for one in answers)], *cells]


def _check(opened: Opened, table: OutcomeTable) -> None:
    for system in range(table.n_systems):
        opened.go(f"errors?confusion={system}")
        opened.wait(f"document.querySelector('#confusion select').value === '{system}'")
        assert opened.page.evaluate(CELLS) == _expected(table, system)
        links = opened.promised("#confusion td a")
        assert sum(links.values()) == fg.confusion(table).counts[system].sum()
        assert opened.broken(links) == []
    assert opened.complaints == []


def _saved(table: OutcomeTable, folder: Path) -> Path:
    path = folder / "report.html"
    fg.report(table, instances=len(table)).save(str(path))
    return path


def test_cells_of_all_systems_lead_to_their_counts(open_page: Open, tmp_path: Path) -> None:
    """Also where a second span is charged to a gold span that another one answers."""
    play = fg.simulate(tokens=6_000, seed=1)
    table = fg.align(play.gold, play.systems)
    charged = table.is_outcome("LE", "LBE", "BES", "BEL", "BEO") & ~table.is_gold[:, None]
    assert charged.any()
    _check(open_page(_saved(table, tmp_path)), table)


LABELS = ("_", "constructor", "toString", "__proto__", "missed", "\\_", "A>B", "a,b&c=d#%41+ é")


def test_labels_may_have_any_name(open_page: Open, tmp_path: Path) -> None:
    """Names that mean no label, that every object knows, that mean something in an address.

    Of every label one span is missed, one taken for the next label, one cut short, one invented.
    """
    text = [["a", "b", "c", "d", "e", "f", "g", "h", "i"]] * len(LABELS)

    def corpus(*spans: tuple[int, int, int, str]) -> Corpus:
        return replace(Corpus.of(text), spans=Spans.of(spans))

    following = (*LABELS[1:], LABELS[0])
    gold = [
        span
        for at, one in enumerate(LABELS)
        for span in ((at, 0, 1, one), (at, 2, 3, one), (at, 4, 6, one))
    ]
    answers = [
        span
        for at, (one, other) in enumerate(zip(LABELS, following, strict=True))
        for span in ((at, 2, 3, other), (at, 4, 5, one), (at, 7, 8, one))
    ]
    table = fg.align(corpus(*gold), {"__proto__": corpus(*answers)}, task="spans")
    assert fg.confusion(table).counts.sum() == 4 * len(LABELS)
    opened = open_page(_saved(table, tmp_path))
    _check(opened, table)
    assert opened.page.locator("#confusion .table .note").count() == 0  # no label is hidden


def test_of_many_labels_those_with_most_errors_are_shown(open_page: Open, tmp_path: Path) -> None:
    """Of 23 labels L22 is taken twice for L21; the others are right but for L0 to L17, missed."""
    names = [f"L{place}" for place in range(23)]
    text = [["a", "b"]] * 23
    gold = Spans.of(
        [(at, token, token + 1, one) for at, one in enumerate(names) for token in (0, 1)]
    )
    answer = Spans.of([
        (at, token, token + 1, "L21" if one == "L22" else one)
        for at, one in enumerate(names) for token in (0, 1) if at >= 18 or token
    ])  # fmt: skip
    plain = Corpus.of(text)
    table = fg.align(replace(plain, spans=gold), {"s": replace(plain, spans=answer)}, task="spans")
    opened = open_page(_saved(table, tmp_path))
    heads, *rows = opened.page.evaluate(CELLS)
    assert {row[0] for row in rows} == {*names[:18], "L22", "invented"}  # L21 is never wrong
    assert heads == ["", "L21", "missed"]  # and the only wrong answer
    told = opened.page.inner_text("#confusion .table .note")
    assert told == "The 20 labels with most confusions; 3 more are in the JSON."


def test_labels_that_are_never_gold_have_no_row(open_page: Open, tmp_path: Path) -> None:
    """Two words that a parser has in one: what it answers there is no gold relation."""
    merged = parsed(*GOLD[:2], "3 olddogs dog NOUN 2 obj", "4 . . PUNCT 2 punct")
    table = fg.align(parsed(*GOLD), {"merged": merged, "same": parsed(*GOLD)}, task="dependencies")
    assert NO_WORD in table.labels
    opened = open_page(_saved(table, tmp_path))
    opened.go("errors?confusion=0")
    heads, *rows = opened.page.evaluate(CELLS)
    assert heads == ["", "nsubj", "punct", "root", NO_WORD]
    assert [row[0] for row in rows] == ["amod", "nsubj", "obj", "punct", "root"]
    assert rows[0] == ["amod", "·", "·", "·", "1"]
