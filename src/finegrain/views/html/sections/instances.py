"""Instances: the list of units that every number leads to; the scripts of the page fill it."""

from __future__ import annotations

import numpy as np

from finegrain.analyses.reports.report import Report
from finegrain.table.verdicts import labels_in_use, right_or_wrong, value
from finegrain.views.html.sections.section import Context
from finegrain.views.html.slice_data import slice_data


def context(report: Report) -> Context | None:
    """What the controls are called."""
    return {
        "drawing": report.task.drawing,
        "verdicts": right_or_wrong(report.table),
        "several": len(report.systems) > 1,
        "labels": len(labels_in_use(report.table)) > 1,
        "find": _find(report),
        "where": _where(report),
        "buckets": bool(report.units.columns or report.units.masks),
        "slices": bool(slice_data(report.results)),
        "predicted": report.table.task.open,
        "missed": [one.wording for one in report.task.outcomes.errors if one.produced == "never"],
    }


def _find(report: Report) -> str:
    """What a reader looks for texts in."""
    words, task = report.task.words, report.task
    if task.answers == "none" and not task.has & {"words", "texts"}:
        return f"name of the {words.unit}"
    return f"text of the {words.context or words.unit}"


def _where(report: Report) -> str:
    """A selection that can be typed on this page, of fields that its units have."""
    labels = [report.table.labels[code] for code in labels_in_use(report.table)]
    plain = next((one for one in labels if one.isidentifier()), "")
    if plain:
        return f"gold={plain}"
    if not report.task.value:
        return "text contains the"
    median = float(np.nanmedian(value(report.table).matrix[:, 0]))
    return f"{report.task.value}[{report.systems[0]}]<={median:.3g}"
