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

from finegrain.analyses.explain.many_data_sets import ManyDataSets
from finegrain.sizes import sized
from finegrain.views.charts import charts_of_suite
from finegrain.views.html.result_page import About, page_of_result
from finegrain.views.html.sections.section import counted
from finegrain.views.html.suite_sections import sections_of_suite


def suite_as_html(found: ManyDataSets) -> str:
    """The whole page."""
    title = f"{sized(len(found.systems), 'system')} on {sized(len(found.data_sets), 'data set')}"
    runs = sum(len(one.by_run.systems) for one in found.data_sets)
    facts = [
        counted(sum(one.sentences for one in found.data_sets), "sentence"),
        counted(sum(one.units for one in found.data_sets), "gold unit"),
        counted(runs, "output"),
        counted(len(found.attributes), "attribute"),
    ]
    about, sections = About(title, facts, target="scores"), sections_of_suite(found)
    charts = charts_of_suite(found)
    return page_of_result(found, about, sections, name="suite", command="suite", charts=charts)
