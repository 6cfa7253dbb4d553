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
from finegrain.views.html.behaviour_sections import sections_of_behaviour
from finegrain.views.html.result_page import About, page_of_result
from finegrain.views.html.sections.section import counted


def behaviour_as_html(found: Behaviour) -> str:
    """The whole page."""
    title = f"{sized(len(found.systems), 'system')} on {found.suite}"
    tests = len({one.test for one in found.tests})
    facts = [
        counted(tests, "test"),
        counted(found.n_cases, "case"),
        counted(found.n_inputs, "input"),
    ]
    about, sections = About(title, facts, target="rates"), sections_of_behaviour(found)
    return page_of_result(found, about, sections, name="behaviour", command="behave")
