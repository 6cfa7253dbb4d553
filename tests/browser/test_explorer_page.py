"""The page of the explorer in a browser, answered by the real command."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.analyses.reports.report import Report
from finegrain.corpus import Corpus
from tests.browser.conftest import Opened, watch
from tests.browser.test_report_page import HOSTILE
from tests.conftest import ROOT

pytest.importorskip("starlette", reason="needs the extra explore")
pytest.importorskip("uvicorn", reason="needs the extra explore")

Open = Callable[[str], Opened]
IDLE = "!document.querySelector('#instances .units').hasAttribute('aria-busy')"


@contextmanager
def exploring(
    folder: Path, gold: Corpus, systems: dict[str, Corpus], *options: str
) -> Iterator[str]:
    """Write corpora and run the command on them: its address; Ctrl-C ends it."""
    for name, corpus in {"gold": gold, **systems}.items():
        fg.write(corpus, str(folder / f"{name}.conll"))
    files = [f"{name}.conll" for name in ("gold", *systems)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"}
    with subprocess.Popen(
        [sys.executable, "-m", "finegrain", "explore", *files, *options, "--no-browser", "-q"],
        cwd=folder, env=environment, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


@pytest.fixture
def open_explorer(browser: Any) -> Iterator[Open]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})

    def opened(address: str) -> Opened:
        found = Opened(context.new_page())
        watch(found, address)
        found.page.goto(address)
        found.page.wait_for_selector("html[data-ready]", state="attached")
        return found

    yield opened
    context.close()


@pytest.fixture(scope="module")
def play() -> Any:
    return fg.simulate(tokens=3_000, seed=1)


@pytest.fixture(scope="module")
def address(browser: Any, play: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The explorer of simulated data; without a browser there is nothing to ask it with."""
    with exploring(tmp_path_factory.mktemp("explorer"), play.gold, play.systems) as found:
        yield found


def _count(opened: Opened) -> int:
    opened.page.wait_for_timeout(20)
    opened.wait(IDLE)
    return opened.count()


def test_every_number_leads_to_exactly_so_many_units(
    open_explorer: Open, address: str, spans_report: Report
) -> None:
    """Numbers, cells and marks, asked of the server; the count of all is that of the table."""
    opened = open_explorer(address)
    assert _count(opened) == len(spans_report.table)
    links = opened.promised("a.n, #confusion td a, #pair a")
    assert len(links) > 80
    assert opened.broken(links) == []
    assert opened.complaints == []


def test_the_state_survives_and_pages_turn(open_explorer: Open, address: str, play: Any) -> None:
    opened = open_explorer(address)
    counts = fg.difficulty(fg.align(play.gold, play.systems)).to_json()["counts"]
    cell = opened.page.locator("figure[data-chart=difficulty] path[aria-label^='bin: 2; system']")
    cell.first.scroll_into_view_if_needed()
    system = re.search(r"system: ([^;]+)", cell.first.get_attribute("aria-label"))
    box = cell.first.bounding_box()
    opened.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    opened.wait("location.hash.includes('systems_correct')")
    assert system is not None
    expected = counts[system[1].strip()][2]
    assert _count(opened) == expected
    opened.page.reload()
    opened.page.wait_for_selector("html[data-ready]", state="attached")
    assert _count(opened) == expected
    opened.go("instances?unit=gold")
    opened.wait(IDLE)
    first = opened.page.inner_text("#instances .unit .id >> nth=0")
    opened.page.click("text=next 20")
    opened.wait("location.hash.includes('page=2')")
    assert _count(opened) > 20
    assert opened.page.inner_text("#instances .unit .id >> nth=0") != first
    assert "21 to 40 of" in opened.page.inner_text(".pager")
    assert opened.complaints == []


def test_selections_are_understood_and_mistakes_told(
    open_explorer: Open, address: str, play: Any
) -> None:
    opened = open_explorer(address)
    table = fg.align(play.gold, play.systems)
    where = "gold=ORG and correct[crf]=no"
    opened.page.fill("input[name=where]", where)
    opened.page.press("input[name=where]", "Enter")
    opened.wait("location.hash.includes('where=')")
    assert _count(opened) == fg.show(table, where).found > 0
    with opened.page.expect_download() as waiting:
        opened.page.click("#instances [data-act=csv]")
    assert waiting.value.suggested_filename == "units.csv"
    lines = Path(waiting.value.path()).read_text().splitlines()
    assert len(lines) == 1 + fg.show(table, where).found
    assert opened.complaints == []
    opened.page.fill("input[name=where]", "golt=ORG")
    opened.page.press("input[name=where]", "Enter")
    opened.wait("document.querySelector('.count').textContent.includes('unknown field')")
    assert opened.page.locator(".unit").count() == 0


def test_hostile_text_is_only_text(open_explorer: Open, tmp_path: Path) -> None:
    text = [HOSTILE[:2] + HOSTILE[3:4], ["<b>plain</b>"]]
    tags = [["B-<script>window.hacked=1</script>", "O", "B-PER"], ["O"]]
    gold = Corpus.of(text, tags=tags)
    wrong = Corpus.of(text, tags=[["O", "O", "B-PER"], ["B-PER"]])
    title = "<script>hacked=1</script>"
    with exploring(tmp_path, gold, {"wrong": wrong, "same": gold}, "--title", title) as found:
        opened = open_explorer(found)
        assert opened.page.evaluate("window.hacked") is None
        assert opened.page.inner_text("h1") == title
        shown = opened.page.inner_text(".units")
        assert "</script><script>window.hacked=1</script>" in shown
        assert "a\\u202eb" in shown
        assert opened.page.locator(".units script, .units img, .units b").count() == 0
        opened.page.fill("input[name=text]", "<B>PLAIN")
        opened.wait("location.hash.includes('context_text')")
        assert _count(opened) == 1
        opened.go("instances?label=%3Cscript%3Ewindow.hacked%3D1%3C%2Fscript%3E")
        assert _count(opened) == 1
        assert opened.complaints == []
