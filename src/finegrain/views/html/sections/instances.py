"""Instances: the list of units that every number leads to; the scripts of the page fill it."""

from __future__ import annotations

from finegrain.analyses.reports.facts import unit_word
from finegrain.analyses.reports.report import Report
from finegrain.views.html.sections.section import Context


def context(report: Report) -> Context | None:
    """What the controls are called."""
    return {
        "task": report.task,
        "unit": unit_word(report.task),
        "several": len(report.systems) > 1,
        "labels": report.table.n_labels > 1,
        "buckets": bool(report.units.columns),
        "inventions": not report.table.inventory.always_answered,
        "found": report.units.found,
        "embedded": len(report.units.chosen),
    }
