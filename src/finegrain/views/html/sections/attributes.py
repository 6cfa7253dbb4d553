"""Attributes: scores in buckets of units that are alike, and how much they vary with each."""

from __future__ import annotations

import numpy as np

from finegrain.analyses.buckets import Buckets
from finegrain.analyses.report import Report
from finegrain.views.html.payload import metric_name, unit_word
from finegrain.views.html.sections.section import Context

_SHOWN = 4  # systems in the table


def context(report: Report) -> Context | None:
    """Nothing without attributes that fit the task."""
    found = report.results.get("buckets")
    if not isinstance(found, Buckets) or not found.attributes:
        return None
    shown = report.order[:_SHOWN]
    rows = []
    for one in found.attributes:
        if len(one.divisions) > 1 or not one.gold.any():
            continue
        spearman, std, values = one.spearman(), one.std(), one.main()
        buckets = one.divisions[0].buckets
        rows.append(
            {
                "name": one.name,
                "said": one.name.replace("_", " "),
                "summary": one.attributes[0].summary,
                "linked": one.name in report.units.columns,
                "trend": [float(spearman[place]) for place in shown],
                "spread": [float(std[place]) for place in shown],
                "buckets": [
                    {
                        "at": at,
                        "range": bucket.range(),
                        "n": int(one.gold[at]),
                        "few": bool(one.few[at]),
                        "cells": [
                            (float(values[at, place]), int(one.gold[at] - one.correct[at, place]),
                             place)
                            for place in report.order
                        ],
                    }
                    for at, bucket in enumerate(buckets)
                    if one.gold[at]
                ],
            }
        )  # fmt: skip
    best_two = [(rank, report.systems[place]) for rank, place in enumerate(report.order[:2])]
    return {
        "rows": rows,
        "shown": [report.systems[place] for place in shown],
        "order": [report.systems[place] for place in report.order],
        "more": max(0, len(report.order) - _SHOWN),
        "in_colour": best_two,
        "metric": metric_name(report.metric),
        "unit": unit_word(report.table),
        "notes": [note for note in found.notes if "training data" in note],
        "nan": np.nan,
    }
