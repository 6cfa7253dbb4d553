"""Attributes: scores in buckets of units that are alike, what they come to, slices that matter."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.explain.bucket_extremes import extremes
from finegrain.analyses.explain.bucket_scores import BucketScores
from finegrain.analyses.explain.buckets import Buckets
from finegrain.analyses.explain.diagnosis import Diagnosis
from finegrain.analyses.reports import facts
from finegrain.analyses.reports.facts import metric_words
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.weak_spots import ENOUGH
from finegrain.table.verdicts import right_or_wrong
from finegrain.views.charts.diagnosis_bars import comparison_of, diagnosis_bars
from finegrain.views.html.sections.section import Context
from finegrain.views.html.sections.slices import slices_of
from finegrain.views.html.sections.variation import variation_of
from finegrain.views.html.wording import points, signed


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
    best_two = [(rank, report.systems[place]) for rank, place in enumerate(report.order[:2])]
    return {
        "rows": [_row(report, one) for one in attributes],
        "order": [report.systems[place] for place in report.order],
        "level": next(
            (round(100 * one.intervals.confidence) for one in attributes if one.intervals), 0
        ),
        "enough": ENOUGH,
        "by_name": len(report.order) <= 4,
        "in_colour": best_two,
        "of_tokens": [one.name.replace("_", " ") for one in attributes if one.of_tokens],
        "metric": metric_words(attributes[0].metrics[0]),
        "unit": report.task.words.units,
        "gold_units": report.task.words.gold_units,
        "percent": attributes[0].scale.shown == "percent",
        "verdicts": right_or_wrong(report.table),
        "notes": [note for note in found.notes if "training data" in note],
        "diagnosis": _diagnosis(report),
        "unsearched": facts.SLICED if report.table.n_gold > facts.SLICED else 0,
        "slices": [*slices_of(report, "slices"), *slices_of(report, "pair_slices")],
    }


def _row(report: Report, one: BucketScores) -> Context:
    values = one.main()
    return {
        "name": one.name,
        "said": one.name.replace("_", " "),
        "summary": one.attributes[0].summary,
        **variation_of(report, one),
        "buckets": [
            {
                "range": bucket.range(),
                "n": int(one.gold[at]),
                **_gold(report, one, at),
                "few": bool(one.few[at]),
                "cells": [
                    (_score(one, float(values[at, place])), one.behind(at, place))
                    for place in report.order
                ],
            }
            for at, bucket in enumerate(one.divisions[0].buckets)
            if one.gold[at]
        ],
    }


def _score(one: BucketScores, value: float, *, change: bool = False) -> str:
    """A score of a bucket, or a difference of two: points, or as its scale writes it."""
    if one.scale.shown == "percent" or math.isnan(value):
        return signed(value, 1) if change else points(value, 1)
    return one.scale.written(value, signed="+" if change else "").replace("-", "−")


def _gold(report: Report, one: BucketScores, bucket: int) -> Context:
    """The gold units of a bucket, and what they are where it holds their tokens."""
    behind = one.held(bucket)
    if behind is None or not one.of_tokens:
        return {"gold": behind, "told": ""}
    units = f"{behind.count:,} {report.task.words.of(behind.count)}"
    return {"gold": behind, "told": f"{units} with such a token"}


def _diagnosis(report: Report) -> Context | None:
    """The best and the worst bucket of the best two systems; where the best is ahead, behind."""
    found = report.results.get("diagnose")
    if not isinstance(found, Diagnosis) or diagnosis_bars(found, report.order) is None:
        return None
    compared = comparison_of(found, report.order[0])
    rows = []
    for at, scores in enumerate(found.attributes):
        if len(scores.divisions) > 1 or np.count_nonzero(scores.gold) < 2:
            continue
        cells = []
        for place in report.order[:2]:
            values = scores.main()[:, place]
            cells += [_bucket(report, scores, end, values, place)
                      for end in scores.best_and_worst(values)]  # fmt: skip
        gaps = []
        if compared is not None:
            differences = compared.differences[at]
            gaps = [_bucket(report, scores, end, differences, compared.system, change=True)
                    for end in extremes(differences, scores.judged)]  # fmt: skip
        rows.append({"said": scores.name.replace("_", " "), "cells": cells, "gaps": gaps})
    against = None if compared is None else compared.against
    return {
        "rows": rows,
        "systems": [found.systems[place] for place in report.order[:2]],
        "compared": None if compared is None else found.systems[compared.system],
        "against": "the best of the others" if against is None else found.systems[against],
    }


def _bucket(
    report: Report,
    scores: BucketScores,
    place: int,
    values: NDArray[np.float64],
    system: int,
    *,
    change: bool = False,
) -> Context:
    """What a bucket holds, how many gold units, the value there and the errors of a system."""
    if place < 0:
        return {"range": "–", "n": 0, "value": "–", "errors": None}
    return {
        "range": scores.divisions[0].buckets[place].range(),
        "n": int(scores.gold[place]),
        "value": _score(scores, float(values[place]), change=change),
        **_gold(report, scores, place),
        "errors": scores.behind(place, system),
    }
