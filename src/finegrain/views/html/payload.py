"""What the scripts of a page work on: figures, units, and results as files that commands write.

Two results are drawn by scripts and stand in the page as such, in ``results``, without what is not
shown: of confusions the zeros, of differences labels and all but the commonest changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from finegrain.analyses.reports.embedded_buckets import divided
from finegrain.analyses.reports.facts import metric_words, unit_word
from finegrain.analyses.reports.report import Report
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import NOT_CHARGED, right
from finegrain.version import __version__
from finegrain.views.charts import charts_of
from finegrain.views.charts.chart import CONFIG
from finegrain.views.charts.error_bars import NAMES
from finegrain.views.charts.palette import variables
from finegrain.views.html.downloads import files
from finegrain.views.html.unit_data import unit_data

SAID = {
    **NAMES, "TP": "correct", "CORRECT": "correct", "WRONG": "wrong",
    "USED": "counted with a gold span", "ABSENT": "not there", "WL": "wrong link",
    "LABEL": "wrong relation", "HEAD": "wrong head", "BOTH": "both wrong", "NO_WORD": "no word",
}  # fmt: skip
SHORT = {"precision": "P", "recall": "R", "f1": "F1"}
_MOST_CHANGES = 10  # of a kind and pair; comparison.js shows no more
_OF_PAIR = (
    "a", "b", "units", "changed", "score", "accuracy", "intervals",
    "corrections", "new_errors", "changed_errors",
)  # fmt: skip
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
        "errors": np.count_nonzero(~right(table), axis=0).tolist(),
        "buckets": _buckets(report),
        "colours": {**variables(), "#ffffff": "var(--paper)"},
        "results": _drawn(report),
        "findings": [finding.to_json() for finding in report.findings],
        "downloads": {
            name: files(one, command="finegrain report") for name, one in report.results.items()
        },
        "charts": {name: {**one.spec, "config": CONFIG} for name, one in charts.items()},
        "units": unit_data(report.units) if units_at is None else {"found": report.units.found},
        "units_at": units_at,
    }


def _drawn(report: Report) -> dict[str, Any]:
    """The results that scripts draw, as their commands print them but for what is not shown."""
    found: dict[str, Any] = {}
    if "confusion" in report.results:
        found["confusion"] = {
            system: {
                gold: {answer: count for answer, count in answers.items() if count}
                for gold, answers in counts.items()
            }
            for system, counts in report.results["confusion"].to_json().items()
        }
    if "differences" in report.results:
        pairs = report.results["differences"].to_json()["pairs"]
        found["differences"] = {"pairs": {name: _commonest(pair) for name, pair in pairs.items()}}
    return found


def _commonest(pair: dict[str, Any]) -> dict[str, Any]:
    """What is shown of a pair: of each kind of change the most frequent ones."""
    shown = {key: pair[key] for key in _OF_PAIR if key in pair}
    for kind in ("corrections", "new_errors", "changed_errors"):
        most = sorted(shown[kind]["pairs"], key=lambda change: -change["count"])[:_MOST_CHANGES]
        shown[kind] = {**shown[kind], "pairs": most}
    return shown


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
