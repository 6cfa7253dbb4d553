"""What the scripts of a page work on: results as their commands print them, figures, units."""

from __future__ import annotations

from typing import Any

import numpy as np

from finegrain.analyses.buckets import Buckets
from finegrain.analyses.report import Report
from finegrain.metrics.metric import Metric
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import NOT_CHARGED
from finegrain.version import __version__
from finegrain.views.charts import charts_of
from finegrain.views.charts.chart import CONFIG
from finegrain.views.charts.error_bars import NAMES
from finegrain.views.charts.palette import variables
from finegrain.views.html.unit_data import unit_data
from finegrain.views.text_formats import as_csv, as_latex, as_markdown

SAID = {
    **NAMES, "TP": "correct", "CORRECT": "correct", "WRONG": "wrong",
    "USED": "counted with a gold span", "ABSENT": "not there",
}  # fmt: skip
SHORT = {"precision": "P", "recall": "R", "f1": "F1"}
_UNITS = {"spans": "spans", "tags": "tokens", "items": "items", "dependencies": "words"}
IN_PAGE = ("scores", "errors", "difficulty", "features", "words", "oracle", "buckets")


def payload(report: Report) -> dict[str, Any]:
    """The JSON object of a page."""
    table = report.table
    charts = {name: one for name, one in charts_of(report).items() if name in IN_PAGE}
    return {
        "finegrain": __version__,
        "title": report.title,
        "signature": report.signature,
        "task": table.task,
        "unit": unit_word(table),
        "systems": list(table.systems),
        "order": list(report.order),
        "labels": list(table.labels),
        "label_order": label_order(table),
        "always_answered": table.inventory.always_answered,
        "outcomes": _outcomes(table),
        "buckets": _buckets(report),
        "colours": {**variables(), "#ffffff": "var(--paper)"},
        "results": {name: result.to_json() for name, result in report.results.items()},
        "findings": [finding.to_json() for finding in report.findings],
        "downloads": {
            name: {"csv": as_csv(one), "tex": as_latex(one), "md": as_markdown(one)}
            for name, one in report.results.items()
        },
        "charts": {name: {**one.spec, "config": CONFIG} for name, one in charts.items()},
        "units": unit_data(report.units),
    }


def metric_name(metric: Metric) -> str:
    """A metric in a sentence.

    >>> from finegrain.metrics import METRICS
    >>> metric_name(METRICS["traditional_f1"])
    'traditional F1'
    """
    short = metric.short or metric.name
    family = f"{metric.family} " if metric.family else ""
    return family + ("F1" if short == "f1" else short.replace("_", " "))


def unit_word(table: OutcomeTable) -> str:
    """What the units of a task are called in sentences."""
    return _UNITS.get(table.task, "units")


def label_order(table: OutcomeTable) -> list[int]:
    """Label codes by the number of gold units."""
    counts = np.bincount(table.label[table.is_gold], minlength=table.n_labels)
    order: list[int] = np.argsort(-counts, kind="stable").tolist()
    return order


def _outcomes(table: OutcomeTable) -> list[dict[str, Any]]:
    inventory = table.inventory
    return [
        {
            "name": name,
            "said": SAID.get(name, name.lower().replace("_", " ")),
            "meaning": meaning,
            "correct": name == inventory.correct,
            "right": name == inventory.correct or name in NOT_CHARGED,
            "asked": name not in NOT_CHARGED,
        }
        for name, meaning in zip(inventory.names, inventory.meanings, strict=True)
    ]


def _buckets(report: Report) -> dict[str, list[str]]:
    """What the buckets of attributes hold."""
    found = report.results.get("buckets")
    if not isinstance(found, Buckets):
        return {}
    return {
        one.name: [bucket.range() for bucket in one.divisions[0].buckets]
        for one in found.attributes
        if one.name in report.units.columns
    }
