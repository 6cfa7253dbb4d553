"""What the scripts of a page work on: results as their commands print them, figures, units."""

from __future__ import annotations

from typing import Any

import numpy as np

from finegrain.analyses.reports.embedded_buckets import divided
from finegrain.analyses.reports.facts import metric_words, unit_word
from finegrain.analyses.reports.report import Report
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import NOT_CHARGED
from finegrain.version import __version__
from finegrain.views.charts import charts_of
from finegrain.views.charts.chart import CONFIG
from finegrain.views.charts.error_bars import NAMES
from finegrain.views.charts.palette import variables
from finegrain.views.html.embedding import packed
from finegrain.views.html.unit_data import unit_data
from finegrain.views.text_formats import as_csv, as_latex, as_markdown

SAID = {
    **NAMES, "TP": "correct", "CORRECT": "correct", "WRONG": "wrong",
    "USED": "counted with a gold span", "ABSENT": "not there", "WL": "wrong link",
    "LABEL": "wrong relation", "HEAD": "wrong head", "BOTH": "both wrong", "NO_WORD": "no word",
}  # fmt: skip
SHORT = {"precision": "P", "recall": "R", "f1": "F1"}
IN_PAGE = ("scores", "errors", "difficulty", "features", "words", "oracle", "buckets", "diagnosis")


def payload(report: Report, *, units_at: str | None = None) -> dict[str, Any]:
    """The JSON object of a page; without units where ``units_at`` says who has them."""
    table = report.table
    charts = {name: one for name, one in charts_of(report).items() if name in IN_PAGE}
    return {
        "finegrain": __version__,
        "title": report.title,
        "signature": report.signature,
        "task": table.task,
        "unit": unit_word(table.task),
        "metric": metric_words(report.metric),
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
            name: {
                "csv": packed(as_csv(one)),
                "tex": packed(as_latex(one)),
                "md": packed(as_markdown(one)),
            }
            for name, one in report.results.items()
        },
        "charts": {name: {**one.spec, "config": CONFIG} for name, one in charts.items()},
        "units": unit_data(report.units) if units_at is None else {"found": report.units.found},
        "units_at": units_at,
    }


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
    return {name: list(one.ranges) for name, one in divided(report.results).items()}
