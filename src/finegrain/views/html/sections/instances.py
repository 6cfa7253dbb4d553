"""Instances: the list of units that every number leads to; the scripts of the page fill it."""

from __future__ import annotations

from finegrain.analyses.reports.report import Report
from finegrain.views.html.sections.section import Context
from finegrain.views.html.slice_data import slice_data


def context(report: Report) -> Context | None:
    """What the controls are called."""
    return {
        "task": report.task,
        "several": len(report.systems) > 1,
        "labels": report.table.n_labels > 1 and not report.table.corpus.holds_items,
        "holds_items": report.table.corpus.holds_items,
        "buckets": bool(report.units.columns or report.units.masks),
        "slices": bool(slice_data(report.results)),
        "predicted": report.table.task.open,
    }
