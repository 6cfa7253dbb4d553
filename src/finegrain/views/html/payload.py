"""What the scripts of a page work on: figures, units, and results as files that commands write.

Two results are drawn by scripts and stand in the page as such, in ``results``, without what is not
shown. Of confusions there are cells that are not 0, by system: codes of the gold label and of the
answer, the number of labels being the code of none. Of differences there is what ``pair_data`` has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.compare.difficulty import Difficulty
from finegrain.analyses.reports.claims import weak_slices
from finegrain.analyses.reports.embedded_buckets import SUSPECTED, SUSPICIONS, divided, value_name
from finegrain.analyses.reports.facts import metric_words
from finegrain.analyses.reports.report import Report
from finegrain.analyses.scores.confusion import Confusion
from finegrain.analyses.studies.content import Study
from finegrain.analyses.trust.slice_listings import in_words as measure_words
from finegrain.table import OutcomeTable, Task
from finegrain.table.verdicts import labels_in_use, named, right, right_or_wrong, value
from finegrain.version import __version__
from finegrain.views.charts import charts_of
from finegrain.views.charts.chart import CONFIG
from finegrain.views.charts.palette import variables
from finegrain.views.html.downloads import files
from finegrain.views.html.pair_data import pair_data
from finegrain.views.html.slice_data import slice_data
from finegrain.views.html.unit_data import unit_data

SHORT = {"precision": "P", "recall": "R", "f1": "F1"}
IN_PAGE = ("errors", "difficulty", "features", "words", "oracle", "buckets", "diagnosis")


def payload(report: Report, *, units_at: str | None = None) -> dict[str, Any]:
    """The JSON object of a page; without units where ``units_at`` says who has them."""
    table = report.table
    charts = charts_of(report, IN_PAGE)
    written_out = {name: one.to_json() for name, one in report.results.items()}
    return {
        "finegrain": __version__,
        "title": report.title,
        "signature": report.signature,
        "words": _words(table.task),
        "metric": metric_words(report.metric),
        "percent": report.metric.scale.shown == "percent",
        "systems": list(table.systems),
        "order": list(report.order),
        "labels": list(table.labels),
        "label_order": list(labels_in_use(table)),
        "drawing": table.task.drawing,
        "answers": table.task.answers,
        "beside": table.task.drawn_beside,
        "told_by": named(table).field,
        "graded": _graded(report),
        "verdicts": right_or_wrong(table),
        "outcomes": _outcomes(table),
        "lowered": [
            [name, metric_words(table.task.all_metrics()[name])]
            for name in report.units.lowered.names
        ],
        "errors": np.count_nonzero(~right(table), axis=0).tolist(),
        "buckets": _buckets(report),
        "slices": slice_data(report.results),
        "colours": {**variables(), "#ffffff": "var(--paper)"},
        "results": _drawn(report, written_out),
        "findings": [finding.to_json() for finding in report.findings],
        "downloads": {
            name: files(one, command="finegrain report", written_out=written_out[name])
            for name, one in report.results.items()
        },
        "charts": {name: {**one.spec, "config": CONFIG} for name, one in charts.items()},
        "units": unit_data(report.units) if units_at is None else {"found": report.units.found},
        "units_at": units_at,
    }


def _drawn(report: Report, written_out: Mapping[str, Any]) -> dict[str, Any]:
    """The results that scripts draw, as their commands print them but for what is not shown."""
    found: dict[str, Any] = {}
    confusion = report.results.get("confusion")
    if isinstance(confusion, Confusion):
        found["confusion"] = [_cells(counts) for counts in confusion.counts]
    if "differences" in report.results:
        pairs = written_out["differences"]["pairs"]
        found["differences"] = {name: pair_data(one, report.table) for name, one in pairs.items()}
    return found


def _graded(report: Report) -> dict[str, Any] | None:
    """How the value of graded units is read; ``bins``: what those of its mean hold, if any."""
    table, hard = report.table, report.results.get("difficulty")
    bins = hard.graded if isinstance(hard, Difficulty) else None
    if not table.task.value:
        return None
    scale = value(table).scale
    return {
        "field": table.task.value,
        "name": measure_words(table.task.value),
        "higher": scale.higher,
        "tie": scale.tie,
        "percent": scale.shown == "percent",
        "open": scale.best is None or scale.worst is None,
        "bins": [] if bins is None else list(bins.names),
    }


def _cells(counts: NDArray[np.int64]) -> dict[str, list[int]]:
    """The cells of a matrix that are not 0, as columns.

    >>> _cells(np.array([[0, 7], [2, 0]]))
    {'gold': [0, 1], 'answer': [1, 0], 'count': [7, 2]}
    """
    gold, answer = np.nonzero(counts)
    return {
        "gold": gold.tolist(),
        "answer": answer.tolist(),
        "count": counts[gold, answer].tolist(),
    }


def _words(task: Task) -> dict[str, str]:
    """What the page calls units, and what they stand in."""
    used = ("unit", "units", "gold_units", "context", "label", "also")
    return {name: getattr(task.words, name) for name in used}


def _outcomes(table: OutcomeTable) -> list[dict[str, Any]]:
    """``produced``: whether the unit is in the system's output, if it is gold, and if it is not.

    ``verdict``: what selections call ``correct``; ``hurts``: as ``produced``.
    """
    produced = table.outcomes.produced.T.tolist()
    open_ = table.task.open
    return [
        {
            "name": one.name,
            "said": one.wording,
            "meaning": one.meaning,
            "correct": one.right and one.charged,
            "right": one.right,
            "asked": one.charged,
            "role": one.role,
            "produced": produced[code],
            "verdict": ("yes" if one.right else "no") if one.charged else None,
            "hurts": [not one.right, produced[code][1] if open_ else not one.right],
        }
        for code, one in enumerate(table.outcomes)
    ]


def _buckets(report: Report) -> dict[str, list[str]]:
    """What the buckets of attributes hold."""
    found = {
        name: list(one.ranges)
        for name, one in divided(report.results, weak_slices(report.claims)).items()
    }
    for result in report.results.values():
        if isinstance(result, Study):
            found.update({name: list(ranges) for name, ranges in result.ranges.items()})
    hard = report.results.get("difficulty")
    if isinstance(hard, Difficulty) and hard.graded is not None:
        found[value_name(hard.graded)] = list(hard.graded.names)
    return {**found, **({SUSPECTED: list(SUSPICIONS)} if "triage" in report.results else {})}
