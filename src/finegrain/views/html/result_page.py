"""The page of one result: its sections, and the files that its command writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from finegrain.analyses.result import Result
from finegrain.version import __version__
from finegrain.views.charts.chart import CONFIG, Chart
from finegrain.views.charts.palette import variables
from finegrain.views.html import shell
from finegrain.views.html.downloads import files
from finegrain.views.html.sections.section import Filled


class About(NamedTuple):
    """The title of a page, the numbers below it, and the section that its first link leads to."""

    title: str
    facts: Sequence[tuple[int, str]]
    target: str


def page_of_result(
    found: Result,
    about: About,
    sections: Sequence[Filled],
    *,
    name: str,
    command: str,
    charts: Mapping[str, Chart] | None = None,
) -> str:
    """The whole page; its files go by ``name``."""
    figures = charts or {}
    data = {
        "finegrain": __version__,
        "title": about.title,
        "signature": found.signature,
        "colours": variables(),
        "downloads": {name: files(found, command=f"finegrain {command}")},
        "charts": {key: {**one.spec, "config": CONFIG} for key, one in figures.items()},
    }
    page = shell.Page(about.title, about.facts, sections, about.target, "suite.js", data)
    return shell.written(page)
