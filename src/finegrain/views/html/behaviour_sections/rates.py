"""Failure rates by capability and kind with rules, and by test, of each system on one axis."""

from __future__ import annotations

from finegrain.analyses.interval_cells import with_interval
from finegrain.analyses.trust.behaviour import Behaviour
from finegrain.analyses.trust.behaviour_listings import checks, matrix, ordered, tests_of
from finegrain.views.html.axis import Axis, Mark, drawn_column
from finegrain.views.html.listing_table import Look, Table, table_of
from finegrain.views.html.sections.section import Context


def context(found: Behaviour) -> Context:
    """The matrix of all systems, the tests of each, rules."""
    return {
        "matrix": table_of("capabilities", matrix(found)),
        "systems": [_tests(found, name) for name in found.systems],
        "rules": table_of("rules", checks(found)) if found.checks else None,
    }


def _tests(found: Behaviour, system: str) -> Table:
    """What fails most first, drawn."""
    rates = ordered(found, system)
    marks = [
        Mark(one.value, *one.ends, subject=one.failed > 0, told=with_interval(one.value, *one.ends))
        for one in rates
    ]
    axis = Axis.around([0.0, *(end for mark in marks for end in mark[:3])])
    look = Look(style="scores", styles={6: "second interval"})
    table = table_of(f"tests of {system}", tests_of(found, system), look)
    return table.drawn(6, drawn_column(axis, marks, zero=True), "axis hide")
