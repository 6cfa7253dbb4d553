"""The page of the explorer in a browser, answered by the real command."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.analyses.reports.report import Report
from finegrain.corpus import Corpus
from tests.browser.conftest import Opened, watch
from tests.browser.test_report_page import HOSTILE, _number_links, _promised
from tests.conftest import ROOT

pytest.importorskip("starlette", reason="needs the extra explore")
pytest.importorskip("uvicorn", reason="needs the extra explore")

Explore = Callable[..., Opened]

# follow links and compare what is listed with what was promised, once the server has answered
FOLLOW = """async links => {
  const list = document.querySelector("#instances .units");
  const settled = () => new Promise(done => {
    const look = () => list.hasAttribute("aria-busy") ? setTimeout(look, 5) : done();
    setTimeout(look, 5);
  });
  const wrong = [];
  for (const [href, n] of links) {
    location.hash = "#" + href;
    await settled();
    const count = Number(document.getElementById("count")?.textContent.replaceAll(",", ""));
    if (count !== n) wrong.push(`${href}: ${count}, not ${n}`);
  }
  return wrong;
}"""
IDLE = "!document.querySelector('#instances .units').hasAttribute('aria-busy')"


@pytest.fixture
def explore(browser: Any, tmp_path: Path) -> Iterator[Explore]:
    """Write corpora, start the command on them and open its page."""
    running: list[Any] = []

    def opened(gold: Corpus, systems: dict[str, Corpus], *options: str) -> Opened:
        for name, corpus in {"gold": gold, **systems}.items():
            fg.write(corpus, str(tmp_path / f"{name}.conll"))
        files = [f"{name}.conll" for name in ("gold", *systems)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"}
        process = subprocess.Popen(
            [sys.executable, "-m", "finegrain", "explore", *files, *options, "--no-browser", "-q"],
            cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        running.append(process)
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        running.append(context)
        found = Opened(context.new_page())
        watch(found, address)
        found.page.goto(address)
        found.page.wait_for_selector("html[data-ready]", state="attached")
        return found

    yield opened
    for one in reversed(running):
        if isinstance(one, subprocess.Popen):
            one.send_signal(signal.SIGINT)
            assert one.wait(20) == 0
            assert one.stdout is not None
            one.stdout.close()
        else:
            one.close()


@pytest.fixture(scope="module")
def play() -> Any:
    return fg.simulate(tokens=3_000, seed=1)


def _count(opened: Opened) -> int:
    opened.page.evaluate("new Promise(done => setTimeout(done, 20))")
    opened.wait(IDLE)
    return opened.count()


def test_every_number_leads_to_exactly_so_many_units(
    explore: Explore, play: Any, spans_report: Report
) -> None:
    """Numbers, cells and marks, asked of the server; the count of all is that of the table."""
    opened = explore(play.gold, play.systems)
    assert _count(opened) == len(spans_report.table)
    cells = opened.page.eval_on_selector_all(
        "#confusion td a, #pair a", "links => links.map(one => one.hash.slice(1))"
    )
    links = [*_number_links(opened), *_promised(cells)]
    assert len(links) > 80
    assert opened.page.evaluate(FOLLOW, links) == []
    assert opened.complaints == []


def test_the_state_survives_and_pages_turn(explore: Explore, play: Any) -> None:
    opened = explore(play.gold, play.systems)
    counts = fg.difficulty(fg.align(play.gold, play.systems)).to_json()["counts"]
    cell = opened.page.locator("figure[data-chart=difficulty] path[aria-label^='bin: 2; system']")
    cell.first.scroll_into_view_if_needed()
    system = re.search(r"system: ([^;]+)", cell.first.get_attribute("aria-label"))
    box = cell.first.bounding_box()
    opened.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    opened.wait("location.hash.includes('bin=2')")
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


def test_selections_are_understood_and_mistakes_told(explore: Explore, play: Any) -> None:
    opened = explore(play.gold, play.systems)
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


def test_hostile_text_is_only_text(explore: Explore) -> None:
    text = [HOSTILE[:2] + HOSTILE[3:4], ["<b>plain</b>"]]
    tags = [["B-<script>window.hacked=1</script>", "O", "B-PER"], ["O"]]
    gold = Corpus.of(text, tags=tags)
    wrong = Corpus.of(text, tags=[["O", "O", "B-PER"], ["B-PER"]])
    opened = explore(gold, {"wrong": wrong, "same": gold}, "--title", "<script>hacked=1</script>")
    assert opened.page.evaluate("window.hacked") is None
    assert opened.page.inner_text("h1") == "<script>hacked=1</script>"
    shown = opened.page.inner_text(".units")
    assert "</script><script>window.hacked=1</script>" in shown
    assert "a\\u202eb" in shown
    assert opened.page.locator(".units script, .units img, .units b").count() == 0
    opened.page.fill("input[name=text]", "<B>PLAIN")
    opened.wait("location.hash.includes('text=')")
    assert _count(opened) == 1
    opened.go("instances?label=%3Cscript%3Ewindow.hacked%3D1%3C%2Fscript%3E")
    assert _count(opened) == 1
    assert opened.complaints == []
