"""Attributes: scores in buckets of units that are alike, what they come to, slices that matter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from finegrain.analyses.explain.bucket_scores import BucketScores
from finegrain.analyses.explain.buckets import Buckets
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.reports import facts
from finegrain.analyses.reports.facts import ENOUGH, metric_words
from finegrain.analyses.reports.report import Report
from finegrain.table.verdicts import right_or_wrong
from finegrain.views.html.listing_table import Look, Table, table_of
from finegrain.views.html.sections.diagnosis import diagnosis_of, held
from finegrain.views.html.sections.section import Context
from finegrain.views.html.sections.slices import slices_of
from finegrain.views.html.sections.variation import variation_of

BY_NAME = 4  # systems, up to which there is room for their names above columns


def context(report: Report) -> Context | None:
    """Nothing without attributes that fit the task."""
    found = report.results.get("buckets")
    if not isinstance(found, Buckets):
        return None
    attributes = [
        one
        for one in found.attributes
        if len(one.divisions) == 1 and np.count_nonzero(one.gold) > 1  # one bucket tells nothing
    ]
    if not attributes:
        return None
    systems = [report.systems[place] for place in report.order]
    few = len(systems) <= BY_NAME
    return {
        "buckets": _buckets(report, attributes, Look(systems=systems, numbered=not few, digits=1)),
        "variation": variation_of(report, attributes, by_name=few),
        "several": len(systems) > 2,
        "level": next(
            (round(100 * one.intervals.confidence) for one in attributes if one.intervals), 0
        ),
        "enough": ENOUGH,
        "by_name": few,
        "in_colour": list(enumerate(systems[:2])),
        "of_tokens": [one.name.replace("_", " ") for one in attributes if one.of_tokens],
        "metric": metric_words(attributes[0].metrics[0]),
        "unit": report.task.words.units,
        "gold_units": report.task.words.gold_units,
        "percent": attributes[0].scale.shown == "percent",
        "verdicts": right_or_wrong(report.table),
        "notes": [note for note in found.notes if "training data" in note],
        "diagnosis": diagnosis_of(report),
        "unsearched": facts.SLICED if report.table.n_gold > facts.SLICED else 0,
        "slices": [*slices_of(report, "slices"), *slices_of(report, "pair_slices")],
    }


def _buckets(report: Report, attributes: list[BucketScores], look: Look) -> Table:
    """The score of every system in the buckets of all attributes."""
    scale = attributes[0].scale
    columns = [Column("attribute"), Column("bucket"), Column("gold", "count")]
    columns += (Column(name, "score", scale=scale) for name in look.systems)
    rows: list[tuple[Cell, ...]] = []
    faded = []
    for one in attributes:
        values, name = one.main(), one.name.replace("_", " ")
        for at in np.flatnonzero(one.gold).tolist():
            if one.few[at]:
                faded.append(len(rows))
            cells = (
                Linked(float(values[at, place]), one.behind(at, place)) for place in report.order
            )
            bucket = one.divisions[0].buckets[at].range()
            rows.append((name, bucket, held(report, one, at, int(one.gold[at])), *cells))
            name = ""
    listing = Listing("", tuple(columns), tuple(rows))
    return table_of("buckets", listing, replace(look, faded=faded))
