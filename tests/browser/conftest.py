"""A real browser with the network cut; tests skip, and say why, where there is none."""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.analyses.reports.report import Report
from finegrain.corpus import Corpus, Spans
from finegrain.testing import small_corpora

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
pytest.importorskip("vl_convert", reason="needs the extra report")
pytest.importorskip("jinja2", reason="needs the extra report")

AXE = Path(sys.prefix) / "npm/node_modules/axe-core/axe.min.js"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")

EACH = 6  # links of a kind that are followed; each costs as much as a click

SETTLED = """async () => new Promise(done => {
  const settled = () => document.querySelector("[aria-busy]") ? setTimeout(settled, 10)
    : requestAnimationFrame(() => requestAnimationFrame(done));
  setTimeout(settled, 60);
})"""

# keep a promise and what it comes to
KEPT = """(promise => {
  const kept = (window.kept = { promise, settled: false, value: null, error: null });
  promise
    .then(value => (kept.value = value), error => (kept.error = String(error)))
    .then(() => (kept.settled = true));
})"""

# follow links and compare the number of units listed with the number that was promised; nothing is
# laid out meanwhile, which takes most of the time and changes no number
FOLLOW = """async links => {
  const list = document.querySelector("#instances .units");
  const main = document.querySelector("main");
  const later = () => new Promise(done => setTimeout(done));
  const followed = async () => {
    await new Promise(done => addEventListener("hashchange", done, { once: true }));
    do await later(); while (list.hasAttribute("aria-busy"));
  };
  main.hidden = true;
  const wrong = [];
  for (const [href, n] of links) {
    if (location.hash === "#" + href) continue;
    const waiting = followed();
    location.hash = "#" + href;
    await waiting;
    const count = Number(document.getElementById("count")?.textContent.replaceAll(",", ""));
    if (count !== n) wrong.push(`${href}: ${count}, not ${n}`);
  }
  main.hidden = false;
  return wrong;
}"""


@dataclass
class Opened:
    """A page and what it complained about."""

    page: Any
    complaints: list[str] = field(default_factory=list)

    def count(self) -> int:
        self.settle()  # the address changes before the list does
        return int(self.page.inner_text("#count").replace(",", ""))

    def wait(self, expression: str, seconds: float = 10) -> None:
        """Until an expression holds; the page's policy forbids what the browser driver would do."""
        until = time.monotonic() + seconds
        while not self.page.evaluate(expression):
            assert time.monotonic() < until, f"never came true: {expression}"
            time.sleep(0.01)

    def resolved(self, function: str, argument: Any = None, seconds: float = 60) -> Any:
        """The value of an async function, run in the page.

        The page itself keeps the promise: Chromium may collect one that only the driver waits for.
        """
        self.page.evaluate(f"argument => {{ {KEPT}(({function})(argument)) }}", argument)
        self.wait("window.kept.settled", seconds)
        value, error = self.page.evaluate("[window.kept.value, window.kept.error]")
        assert error is None, error
        return value

    def settle(self) -> None:
        """Wait until the page lists and draws what its address says."""
        self.resolved(SETTLED)

    def promised(self, selector: str) -> dict[str, int]:
        """Where links lead, and to how many units."""
        return promised(
            self.page.eval_on_selector_all(selector, "all => all.map(one => one.hash.slice(1))")
        )

    def broken(self, links: dict[str, int]) -> list[str]:
        """Links that lead to more or fewer units than they promise, of some of every kind.

        tests/views/test_links.py follows all of them without a browser.
        """
        kinds: dict[str, list[str]] = {}
        for one in links:
            kinds.setdefault(re.sub(r"=[^&]*|\d", "", one), []).append(one)
        some = [one for kind in kinds.values() for one in kind[:: -(-len(kind) // EACH)]]
        return self.follow([(one, links[one]) for one in some])

    def follow(self, links: list[tuple[str, int]]) -> list[str]:
        """Links that lead to another number of units than is expected."""
        return list(self.resolved(FOLLOW, links))

    def violations(self) -> list[str]:
        """What axe-core finds wrong for readers with other eyes, ears and hands."""
        if not AXE.exists():
            pytest.skip("needs axe-core: make axe")
        self.page.evaluate(AXE.read_text("utf-8"))
        found = self.resolved("() => axe.run(document, { resultTypes: ['violations'] })")
        return [
            f"{one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes'][:3]]}"
            for one in found["violations"]
        ]

    def go(self, fragment: str) -> None:
        """Change what stands behind # and wait until the page has followed."""
        self.resolved(
            """async hash => new Promise(done => {
                 if (location.hash === hash) return done();
                 addEventListener("hashchange", () => setTimeout(done), { once: true });
                 location.hash = hash;
               })""",
            f"#{fragment}",
        )


def promised(fragments: Iterable[str]) -> dict[str, int]:
    """Fragments of addresses that say how many units they lead to."""
    return {one: int(one.rsplit("n=", 1)[1]) for one in fragments if "n=" in one}


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("needs Chromium: apt install chromium")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


def watch(found: Opened, *allowed: str) -> None:
    """Note what a page complains of, and what it asks for elsewhere than at these addresses."""
    found.page.on("console", lambda one: found.complaints.append(f"{one.type}: {one.text}"))
    found.page.on("pageerror", lambda one: found.complaints.append(f"error: {one}"))
    found.page.on(
        "request",
        lambda one: (
            None if one.url.startswith(allowed) else found.complaints.append(f"request: {one.url}")
        ),
    )


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Opened]]:
    """Open a file with the network cut; whatever is complained about or asked for is noted."""
    contexts = []

    def opened(path: Path, fragment: str = "", width: int = 1280, scheme: str = "light") -> Opened:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True
        )
        contexts.append(context)
        found = Opened(context.new_page())
        watch(found, "file:", "blob:")
        found.page.goto(f"{path.as_uri()}{fragment}")
        found.page.wait_for_selector("html[data-ready]", state="attached")
        return found

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def spans_report() -> Report:
    play = fg.simulate(tokens=3_000, seed=1)
    return fg.report(fg.align(play.gold, play.systems), train=play.train, title="Simulated")


@pytest.fixture(scope="session")
def spans_page(spans_report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    spans_report.save(str(path))
    return path


@pytest.fixture(scope="session")
def tags_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    play = fg.simulate(tokens=1_500, seed=2)
    table = fg.align(_pos(play.gold), {name: _pos(one) for name, one in play.systems.items()})
    path = tmp_path_factory.mktemp("page") / "tags.html"
    fg.report(table, title="Parts of speech").save(str(path))
    return path


@pytest.fixture(scope="session")
def trees_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _page_of("dependencies", tmp_path_factory)


@pytest.fixture(scope="session")
def chains_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _page_of("coreference", tmp_path_factory)


def _page_of(task: str, folders: pytest.TempPathFactory) -> Path:
    path = folders.mktemp("page") / f"{task}.html"
    table = fg.align(*small_corpora(task), task=task)
    fg.report(table, title=task).save(str(path))
    return path


TEXT = [[
    "The", "Royal", "Bank", "of", "Scotland", "chairman", "met", "left", "and", "right", "lung",
    "patients", ".",
]]  # fmt: skip


def _nested(*spans: tuple[Any, ...]) -> Corpus:
    return replace(Corpus.of(TEXT), spans=Spans.of(spans))


@pytest.fixture(scope="session")
def nested_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four levels of gold spans, one of them with a gap; a system that has them, one that errs."""
    body = (0, 7, 11, "BODY", (7, 10))
    inner = [(0, 0, 5, "ORG"), (0, 4, 5, "LOC"), body, (0, 9, 11, "BODY")]
    gold = _nested((0, 0, 6, "PER"), (0, 1, 3, "BANK"), *inner)
    systems = {
        "nested": _nested((0, 0, 6, "PER"), *inner),
        "flat": _nested((0, 1, 5, "ORG"), (0, 2, 5, "ORG"), (0, 7, 11, "BODY")),
    }
    path = tmp_path_factory.mktemp("page") / "nested.html"
    fg.report(fg.align(gold, systems, task="spans"), title="Nested").save(str(path))
    return path


def _pos(corpus: Corpus) -> Corpus:
    return replace(corpus, layers={"tags": corpus.layers["pos"]})
