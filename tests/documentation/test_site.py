"""The site builds strictly, needs nothing from elsewhere, and has a place for everything."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import pytest

import finegrain as fg
from finegrain.cli.commands import COMMANDS
from finegrain.formats import FORMATS
from finegrain.metrics import METRICS
from finegrain.metrics.metric import Metric
from finegrain.tasks import TASKS
from tests.documentation import reference
from tests.documentation.console import ROOT
from tests.documentation.reference import anchor, citation, every_metric

MADE = reference.pages()
UPDATE = "make docs, or python -m tests.documentation.reference, writes it"


def build(root: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Build strictly; whoever asks for the network gets a refused connection.

    Not with --quiet: it takes away the warnings that strictness counts.
    """
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9")
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)],
        cwd=root, env={**os.environ, **nowhere, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT, folder)
    assert done.returncode == 0, done.stderr + done.stdout
    return folder


class Element(NamedTuple):
    """A start tag."""

    tag: str
    attributes: dict[str, str]


class Elements(HTMLParser):
    """Collects the start tags of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[Element] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep it."""
        self.found.append(Element(tag, {name: value or "" for name, value in attrs}))


def loaded(element: Element) -> list[str]:
    """Addresses that a browser fetches by itself; links that a reader may follow are none."""
    if element.tag == "a":
        return []
    names = ("src", "srcset", "href", "data", "poster", "style")
    return [element.attributes[name] for name in names if name in element.attributes]


def is_elsewhere(address: str) -> bool:
    """The address leads out of the site.

    >>> [is_elsewhere(one) for one in ("https://a.b", "//a.b/c.js", "../a.js", "url(http://a.b)")]
    [True, True, False, True]
    """
    return bool(re.search(r"(^|url\(\s*['\"]?|,\s*)(https?:)?//", address.strip(), re.IGNORECASE))


@cache
def elements_of(page: Path) -> list[Element]:
    """The start tags of a page."""
    return Elements(page.read_text(encoding="utf-8")).found


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > len(MADE)
    for page in pages:
        for element in elements_of(page):
            assert not [one for one in loaded(element) if is_elsewhere(one)], (page.name, element)


def test_style_sheets_load_nothing_from_elsewhere(site: Path) -> None:
    sheets = sorted(site.rglob("*.css"))
    assert sheets
    for sheet in sheets:
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"url\(\s*['\"]?(https?:)?//", text, re.IGNORECASE), sheet.name
        assert not re.search(r"@import[^;]*//", text, re.IGNORECASE), sheet.name


def test_nothing_that_a_page_loads_is_missing(site: Path) -> None:
    for page in sorted(site.rglob("*.html")):
        if page.name == "404.html":  # served from any depth: its addresses begin at the root
            continue
        for element in elements_of(page):
            if element.tag in ("script", "link", "img") and element.attributes.get("rel") not in (
                "next", "prev", "canonical",
            ):  # fmt: skip
                for address in (element.attributes.get(name) for name in ("src", "href")):
                    if address and not address.startswith("data:"):
                        assert (page.parent / address).is_file(), (page.name, address)


def test_equations_are_drawn_by_the_browser(site: Path) -> None:
    html = (site / "reference" / "metrics" / "fair_f1.html").read_text(encoding="utf-8")
    assert html.count(' display="block">') == MADE["metrics/fair_f1.md"].count("```math") > 0
    assert "<mfrac>" in html
    assert r"\frac" not in html


def test_a_bar_in_the_code_of_a_table_is_shown_as_it_is(site: Path) -> None:
    html = (site / "reference" / "command_line.html").read_text(encoding="utf-8")
    assert "<code>auto|yes|no</code>" in html
    assert r"\|" not in html


def test_a_broken_link_stops_the_build(tmp_path: Path) -> None:
    """A site of one page, with the settings of ours."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# One\n\n[away](nowhere.md)\n", encoding="utf-8")
    settings = f"INHERIT: {ROOT / 'mkdocs.yml'}\nnav: [index.md]\nhooks: []\n"
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode != 0
    said = done.stderr + done.stdout
    assert "'nowhere.md', but the target is not found" in said
    assert "Aborted with 1 warnings in strict mode" in said


@pytest.mark.parametrize("name", sorted(MADE))
def test_committed_pages_are_what_the_code_says(name: str) -> None:
    committed = reference.FOLDER / name
    assert committed.exists(), UPDATE
    assert committed.read_text(encoding="utf-8") == MADE[name], UPDATE


def _places(page: str) -> set[str]:
    """Headings of a made page, as places that can be linked to."""
    return {anchor(title) for title in re.findall(r"^##+ (.+)$", MADE[page], re.MULTILINE)}


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("python.md", set(fg.__all__) - {"__version__"}),
        ("command_line.md", {name for names in COMMANDS.values() for name in names}),
    ],
)
def test_everything_has_its_place(page: str, names: set[str]) -> None:
    assert names
    assert {anchor(name) for name in names} <= _places(page)


@pytest.mark.parametrize(
    ("folder", "names"),
    [
        ("formats", set(FORMATS)),
        ("tasks", set(TASKS)),
        ("metrics", {reference.page_of(metric) for metric in every_metric()}),
    ],
)
def test_everything_has_its_own_page(folder: str, names: set[str]) -> None:
    assert names
    assert {f"{folder}/{name}.md" for name in names} <= set(MADE)
    assert all(f"]({name}.md)" in MADE[f"{folder}/index.md"] for name in names)
    kept = {page.stem for page in (reference.FOLDER / folder).glob("*.md")}
    assert kept == names | {"index"}, "a page of something that is no more"


def test_every_registered_metric_is_on_the_page() -> None:
    assert set(METRICS) <= {metric.name for metric in every_metric()}


@pytest.mark.parametrize("metric", every_metric(), ids=str)
def test_a_metric_has_equation_citation_and_example(metric: Metric) -> None:
    definition = MADE[f"metrics/{anchor(metric.name)}.md"].split("\n## ")[0]
    assert "```math" in definition, "its docstring needs `.. math::`"
    assert "\n>>> " in definition, "its docstring needs a doctest"
    assert "(../literature.md#" in citation(metric.reference), (
        f"cite it in full in src/finegrain/views/literature.md: {metric.reference}"
    )


@pytest.mark.parametrize(
    "page", [*(f"formats/{name}.md" for name in FORMATS), *(f"tasks/{name}.md" for name in TASKS)]
)
def test_a_format_or_task_has_an_example(page: str) -> None:
    assert "\n>>> " in MADE[page], "its module's docstring needs a doctest"


@pytest.mark.parametrize("page", sorted(MADE))
def test_examples_on_the_page_run_as_they_stand(page: str) -> None:
    """Copied from the page into a new session, with the imports shown."""
    fences = re.findall(r"^```pycon\n(.*?)^```$", MADE[page], re.MULTILINE | re.DOTALL)
    examples = "\n".join(fences)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    test = doctest.DocTestParser().get_doctest(examples, {"__name__": "page"}, page, page, 0)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=flags).run(test, out=report.append)
    assert not report, "".join(report)
