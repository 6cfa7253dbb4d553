"""Results that have a page of their own, and what writes it.

>>> import finegrain as fg
>>> page_of(fg.score(fg.from_matrix([[1, 1], [1, 0]])))
Traceback (most recent call last):
...
finegrain.errors.UsageError: there is no page for Scores; there are for: Behaviour, ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from finegrain.analyses.explain.many_data_sets import ManyDataSets
from finegrain.analyses.reports.report import Report
from finegrain.analyses.result import Result
from finegrain.analyses.trust.behaviour import Behaviour
from finegrain.analyses.trust.robustness import Robustness
from finegrain.errors import UsageError
from finegrain.views.html.behaviour_page import behaviour_as_html
from finegrain.views.html.page import as_html
from finegrain.views.html.robustness_page import robustness_as_html
from finegrain.views.html.suite_page import suite_as_html

_BY_TYPE: dict[type, Callable[[Any], str]] = {
    Report: as_html,
    ManyDataSets: suite_as_html,
    Robustness: robustness_as_html,
    Behaviour: behaviour_as_html,
}


def page_of(result: Result) -> str:
    """The page of a result; results without one are refused."""
    write = _BY_TYPE.get(type(result))
    if write is None:
        known = ", ".join(sorted(one.__name__ for one in _BY_TYPE))
        raise UsageError(f"there is no page for {type(result).__name__}; there are for: {known}")
    return write(result)
