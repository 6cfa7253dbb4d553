"""Behavioural tests as one HTML file that opens from disk and loads nothing.

>>> from finegrain.analyses.trust.behaviour import behaviour
>>> from finegrain.behaviour import Answer, BehaviourSuite, cases_of
>>> suite = BehaviourSuite.of({"name": "tiny", "labels": ["neg", "pos"], "tests": [
...     {"name": "not good", "capability": "negation", "kind": "mft", "number": 10,
...      "template": "It is not {positive}.", "expect": "neg"}]})
>>> cases = cases_of(suite)
>>> answers = {case.inputs[0].id: Answer("pos") for case in cases}
>>> "<h1>1 system on tiny</h1>" in behaviour_as_html(behaviour(suite, cases, {"fool": answers}))
True
"""

from __future__ import annotations

from finegrain.analyses.trust.behaviour import Behaviour
from finegrain.sizes import sized
from finegrain.version import __version__
from finegrain.views.charts.palette import variables
from finegrain.views.html import shell
from finegrain.views.html.behaviour_sections import sections_of_behaviour
from finegrain.views.html.downloads import files
from finegrain.views.html.sections.section import counted


def behaviour_as_html(found: Behaviour) -> str:
    """The whole page."""
    title = f"{sized(len(found.systems), 'system')} on {found.suite}"
    tests = len({one.test for one in found.tests})
    return shell.written(
        shell.Page(
            title,
            [
                counted(tests, "test"),
                counted(found.n_cases, "case"),
                counted(found.n_inputs, "input"),
            ],
            sections_of_behaviour(found),
            target="rates",
            start="suite.js",
            data={
                "finegrain": __version__,
                "title": title,
                "signature": found.signature,
                "colours": variables(),
                "downloads": {"behaviour": files(found, command="finegrain behave")},
                "charts": {},
            },
        )
    )
