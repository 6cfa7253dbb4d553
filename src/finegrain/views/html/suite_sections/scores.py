"""Scores: averages with intervals, mean ranks with the critical difference, every data set."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from finegrain.analyses.explain import suite_listings
from finegrain.analyses.explain.many_data_sets import ManyDataSets, Ranks
from finegrain.analyses.interval_cells import with_interval
from finegrain.analyses.listing import Column, Listing
from finegrain.analyses.reports.facts import metric_words
from finegrain.views.html.axis import Axis, DrawnColumn, Mark, drawn_column
from finegrain.views.html.listing_table import Look, Table, table_of
from finegrain.views.html.sections.section import Context


def context(found: ManyDataSets) -> Context | None:
    """Systems from the best average to the worst; without averages by rank, or by name."""
    averaged, ranks = found.averaged(), found.ranks()
    worth = (-found.scale.quality(found.means()) if averaged else ranks.mean).tolist()
    known = not math.isnan(worth[0])
    order = sorted(
        range(len(found.systems)), key=lambda at: (worth[at] if known else 0, found.systems[at])
    )
    averages = list(_marks(found, order))
    drawn = not all(math.isnan(one.low) for one in averages)
    scores = suite_listings.scores(found).in_order([found.systems[place] for place in order])
    table = _summed_up(found, scores, known=known, drawn=drawn)
    ranked = None if np.isnan(ranks.mean).any() else _ranked(ranks, order)
    if ranked is not None:
        table = table.drawn(len(table.heads) - 1, ranked, "axis hide")
    if averaged:
        ends = (end for one in averages for end in one[:3])
        axis = Axis.around(ends, points=found.scale.points)
        table = table.drawn(3, drawn_column(axis, averages))
    return {
        "averages": table,
        "scores": table_of("scores", _by_data_set(found, scores)),
        "metric": metric_words(averaged[0].metric) if averaged else None,
        "some": len(averaged) < len(found.data_sets),
        "level": found.drawing.level if drawn else None,
        "told_apart": ranked is not None and not math.isnan(ranks.critical),
    }


def _summed_up(found: ManyDataSets, scores: Listing, *, known: bool, drawn: bool) -> Table:
    """What sums up the data sets, in the order of systems."""
    first = len(found.data_sets) + 1
    shown = [0, *range(first, len(scores.columns))]
    if found.drawing.resamples and not drawn:
        shown.remove(first + 1)
    listing = scores.part(shown)
    rows = ((rank if known else None, *row) for rank, row in enumerate(listing.rows, 1))
    columns = (Column("#", "count"), *listing.columns)
    styles = {0: "third", 2: "strong", len(columns) - 1: "letters"}
    look = Look(
        style="scores", styles=styles | ({3: "hide second interval"} if drawn else {}), named=1
    )
    return table_of("averages", replace(listing, columns=columns, rows=tuple(rows)), look)


def _by_data_set(found: ManyDataSets, scores: Listing) -> Listing:
    """Every data set, below its metric where there are several."""
    listing = scores.part(range(len(found.data_sets) + 1))
    if len(found.metrics) > 1:
        groups = ["", *(metric_words(one.metric) for one in found.data_sets)]
        columns = map(lambda column, group: replace(column, group=group), listing.columns, groups)
        listing = replace(listing, columns=tuple(columns))
    sizes = (f"{one.units:,}" for one in found.data_sets)
    return replace(listing, note="", footer=(("gold units", *sizes),))


def _marks(found: ManyDataSets, order: list[int]) -> Iterator[Mark]:
    """Averages with their intervals."""
    means = found.means().tolist()
    for place in order:
        one = found.average(place)
        ends = (math.nan, math.nan) if one is None else (one.low, one.high)
        told = with_interval(means[place], *ends, scale=found.scale)
        yield Mark(means[place], *ends, told=told)


def _ranked(ranks: Ranks, order: list[int]) -> DrawnColumn:
    """Half a critical difference on both sides: lines of systems that differ do not meet."""
    half = 0.0 if math.isnan(ranks.critical) else ranks.critical / 2
    low, high = float(ranks.mean.min()) - half, float(ranks.mean.max()) + half
    axis = Axis(min(low, 1.0) - 0.15, max(high, len(ranks.mean)) + 0.15)
    reach = ranks.critical / 2  # nan: no line
    marks = (
        Mark(rank, rank - reach, rank + reach, subject=False, told=f"mean rank {rank:.2f}")
        for rank in ranks.mean[order].tolist()
    )
    whole = range(1, len(order) + 1, 1 + len(order) // 7)
    return drawn_column(axis, marks, ticks=[(axis.at(rank) or 0.0, str(rank)) for rank in whole])
