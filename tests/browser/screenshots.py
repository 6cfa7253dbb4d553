"""The pictures of pages in docs/images: ``python -m tests.browser.screenshots``.

They are made from simulated data, of the page as it is; after a wanted change of its look, make
them anew and look at them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import finegrain as fg
from finegrain.analyses.explain.many_data_sets import ManyDataSets
from finegrain.analyses.reports.report import Report
from tests.browser.conftest import CHROMIUM, playwright
from tests.command_line import ROOT

IMAGES = ROOT / "docs" / "images"
SIDE = 32  # pixels beside the content
BOX = """([first, last]) => {
  const [one, other] = [first, last].map(
    place => [...document.querySelectorAll(place[0])][place[1]].getBoundingClientRect());
  return { top: one.top + scrollY, bottom: other.bottom + scrollY };
}"""


def _entities() -> Report:
    """The page of ``finegrain demo``."""
    made = fg.simulate(tokens=20_000, seed=1)
    table = fg.align(made.gold, made.systems)
    return fg.report(table, train=made.train, title="A simulated corpus")


def _trees() -> Report:
    made = fg.simulate_trees(tokens=6_000, train_tokens=100, seed=1)
    return fg.report(fg.align(made.gold, made.systems, task="dependencies"))


def _chains() -> Report:
    made = fg.simulate_chains(tokens=6_000, train_tokens=100, seed=1)
    return fg.report(fg.align(made.gold, made.systems, task="coreference"))


def _suite() -> ManyDataSets:
    tables, train = {}, {}
    for seed, name in enumerate(("news", "chat", "blogs", "medical", "wiki", "law"), 1):
        made = fg.simulate(tokens=4_000, seed=seed)
        tables[name], train[name] = fg.align(made.gold, made.systems), made.train
    return fg.Suite.of(tables, train=train, baseline="baseline").run(intervals=1_000)


@dataclass(frozen=True, slots=True)
class Picture:
    """From the top of one element to the bottom of another: selectors, and which of those."""

    name: str
    fragment: str
    first: tuple[str, int]
    last: tuple[str, int]
    of: str = "report"


PICTURES: dict[Callable[[], Report | ManyDataSets], tuple[Picture, ...]] = {
    _entities: (
        Picture("findings", "", ("nav", 0), (".findings li", 7)),
        Picture("differences", "", ("#differences h2", 0), ("#pair", 0)),
        Picture("attributes", "", ("#attributes h2", 0), ("#attributes figure", 1)),
        Picture("instances", "#instances?bin=1&outcome.1=BES", ("#instances h2", 0), (".unit", 2)),
    ),
    _trees: (
        Picture(
            "trees",
            "#instances?bin=0&bucket.sentence_length=0",
            ("#instances .key-lines", 0),
            (".unit", 1),
        ),
    ),
    _chains: (
        Picture("chains", "#instances?outcome.1=WL", ("#instances .key-lines", 0), (".unit", 1)),
    ),
    _suite: (Picture("page", "", ("nav", 0), ("#scores .note", 0), of="suite"),),
}


def take(browser: Any, page: Path, picture: Picture) -> None:
    """Open a page where the picture is to be seen, and write it."""
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    opened.goto(f"{page.as_uri()}{picture.fragment}")
    opened.wait_for_selector("html[data-ready]", state="attached")
    opened.evaluate("document.querySelector('nav').style.position = 'static'")
    box = opened.evaluate(BOX, [picture.first, picture.last])
    opened.screenshot(
        path=IMAGES / f"{picture.of}-{picture.name}.png",
        full_page=True,
        clip={
            "x": 80 - SIDE,
            "y": box["top"],
            "width": 1120 + 2 * SIDE,
            "height": box["bottom"] - box["top"],
        },
    )
    opened.close()


def main() -> None:
    """Make all pictures anew."""
    with playwright.sync_playwright() as running, tempfile.TemporaryDirectory() as folder:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for made, pictures in PICTURES.items():
            page = Path(folder) / f"{made.__name__}.html"
            made().save(str(page))
            for picture in pictures:
                take(browser, page, picture)
        browser.close()


if __name__ == "__main__":
    main()
