"""Many data sets as one HTML file that opens from disk and loads nothing.

A number of a suite is about whole data sets, so the page has no units; the page of a report has
those of one data set.

>>> import finegrain as fg
>>> plays = {name: fg.simulate(tokens=500, seed=seed) for seed, name in enumerate("ab")}
>>> tables = {name: fg.align(play.gold, play.systems) for name, play in plays.items()}
>>> page = suite_as_html(fg.Suite.of(tables, by="entity_length").run())
>>> "<h1>4 systems on 2 data sets</h1>" in page
True
"""

from __future__ import annotations

from typing import Any

from finegrain.analyses.explain.many_data_sets import ManyDataSets
from finegrain.sizes import sized
from finegrain.version import __version__
from finegrain.views.charts import charts_of_suite
from finegrain.views.charts.chart import CONFIG
from finegrain.views.charts.palette import variables
from finegrain.views.html import shell
from finegrain.views.html.downloads import files
from finegrain.views.html.sections.section import counted
from finegrain.views.html.suite_sections import sections_of_suite


def suite_as_html(found: ManyDataSets) -> str:
    """The whole page."""
    title = f"{sized(len(found.systems), 'system')} on {sized(len(found.data_sets), 'data set')}"
    return shell.written(
        shell.Page(
            title,
            _facts(found),
            sections_of_suite(found),
            target="scores",
            start="suite.js",
            data=_payload(found, title),
        )
    )


def _facts(found: ManyDataSets) -> list[tuple[int, str]]:
    runs = sum(len(one.by_run.systems) for one in found.data_sets)
    return [
        counted(sum(one.sentences for one in found.data_sets), "sentence"),
        counted(sum(one.units for one in found.data_sets), "gold unit"),
        counted(runs, "output"),
        counted(len(found.attributes), "attribute"),
    ]


def _payload(found: ManyDataSets, title: str) -> dict[str, Any]:
    """What the scripts of the page work on: figures, and the files that the command writes."""
    charts = charts_of_suite(found)
    return {
        "finegrain": __version__,
        "title": title,
        "signature": found.signature,
        "colours": variables(),
        "downloads": {"suite": files(found, command="finegrain suite")},
        "charts": {name: {**one.spec, "config": CONFIG} for name, one in charts.items()},
    }
