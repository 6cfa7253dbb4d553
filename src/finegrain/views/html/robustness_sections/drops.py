"""Drops: a sentence for each that is beyond chance, and all of them on one axis by system."""

from __future__ import annotations

from finegrain.analyses.interval_cells import with_interval
from finegrain.analyses.reports.facts import metric_words
from finegrain.analyses.trust.robustness import Robustness
from finegrain.analyses.trust.robustness_listings import drops, sentences, worst_case
from finegrain.views.html.axis import Axis, Mark, drawn_column
from finegrain.views.html.listing_table import Look, Table, table_of
from finegrain.views.html.sections.section import Context


def context(found: Robustness) -> Context:
    """The drops of each system, and the worst case."""
    return {
        "sentences": sentences(found),
        "systems": [_drops(found, place) for place in range(len(found.systems))],
        "worst": table_of("worst case", worst_case(found), Look(words=_words(found))),
    }


def _drops(found: Robustness, place: int) -> Table:
    """The listing of a system with its changes drawn; those that hurt in colour."""
    name, scale = found.systems[place], found.metric.scale
    look = Look(words=_words(found), style="scores", styles={3: "second interval"})
    compared = [(drop.comparison, drop.hurts) for drop in found.of(name)]
    marks = [
        Mark(*ends, subject=hurts, told=with_interval(*ends, signed="+", scale=scale))
        for one, hurts in compared
        for ends in [(one.difference, one.low, one.high)]
    ]
    ends = (end for mark in marks for end in mark[:3])
    axis = Axis.around([0.0, *ends], points=scale.points)
    table = table_of(f"drops of {name}", drops(found, place), look)
    return table.drawn(3, drawn_column(axis, marks, zero=True), "axis hide")


def _words(found: Robustness) -> dict[str, str]:
    return {found.metric.name: metric_words(found.metric)}
