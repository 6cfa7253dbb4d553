"""Scores: every system with its interval and group, then label by label."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.evidence import Evidence
from finegrain.analyses.interval_cells import SENTENCES_RESAMPLED
from finegrain.analyses.reports.facts import family_words, metric_words
from finegrain.analyses.reports.graded_units import below_mean, gained
from finegrain.analyses.reports.report import Report
from finegrain.analyses.scores.score import Scores
from finegrain.analyses.trust.significance import Significance
from finegrain.analyses.units.shortfall import behind_label, short_of_label
from finegrain.metrics.metric import Metric
from finegrain.table.verdicts import changed, labels_in_use, right, right_or_wrong, solved
from finegrain.views.html.axis import Axis
from finegrain.views.html.payload import SHORT
from finegrain.views.html.sections.section import Context
from finegrain.views.html.wording import points

_MOST_LABELS = 30
_MOST_ABREAST = 3  # families of metrics that are shown with precision, recall and F1
_MOST_FAMILIES = 8
_TOLD = ("precision", "recall", "f1")
_NAMED = 2  # kinds of errors that have room above a column


def context(report: Report) -> Context | None:
    """Scores with intervals, those of the test where one was made."""
    scores = report.results["score"]
    if not isinstance(scores, Scores):
        return None
    tested = report.results.get("significance")
    tested = tested if isinstance(tested, Significance) else None
    groups = _columns(report, scores)
    ends = _ends(report, scores, tested)
    axis, errors = _axis(report, scores, ends), _errors(report)
    charged = any(one.count for one in errors)
    return {
        "groups": [(family, len(metrics)) for family, metrics in groups],
        "columns": [
            (metric, _head(metric, name)) for name, metrics in groups for metric in metrics
        ],
        "rows": [
            {
                **_row(report, scores, axis, rank, place, ends[place]),
                "errors": errors[place],
                "behind": _behind(report, scores, place, errors[place]),
                "group": tested.groups[place] if tested is not None else "",
                **(_apart(report, place) if tested is not None else {}),
            }
            for rank, place in enumerate(report.order, 1)
        ],
        "axis": axis,
        "metric": report.metric,
        "written": _written(report.metric),
        "metric_name": metric_words(report.metric),
        "label_metric": "F1" if _of_labels(report, scores) == "f1" else metric_words(report.metric),
        "errors_head": _errors_head(report, charged=charged),
        "tested": tested is not None,
        "cautions": [note for note in report.notes if note == SENTENCES_RESAMPLED],
        "blank": _shown_blank(report, groups),
        "level": _level(scores, tested),
        "labels": _labels(report, scores),
        "label_systems": [(rank, place) for rank, place in enumerate(report.order, 1)],
        "many": len(report.order) > 6,
        "fair": "fair_f1" in scores.by_label,
        "gold_units": report.task.words.gold_units,
        "more_labels": max(0, len(scores.labels) - _MOST_LABELS),
    }


def _written(metric: Metric) -> Callable[..., str]:
    """How the main metric is printed: in points, or as the number that it is."""
    if metric.scale.shown == "percent":
        return points
    return lambda value, _digits=2: metric.scale.written(float(value)).replace("-", "−")


def _columns(report: Report, scores: Scores) -> list[tuple[str, list[Metric]]]:
    """Metrics by family: precision, recall and F1 of two, or the F1 of many that some have."""
    families: dict[str, list[Metric]] = {}
    for metric in scores.overall_metrics():
        short = metric.short or metric.name
        if (metric.family and short not in _TOLD) or metric.name == report.metric.name:
            continue
        if metric.listed.detail > 2:
            continue
        families.setdefault(metric.family or metric.listed.table, []).append(metric)
    if len(families) <= _MOST_ABREAST:
        return list(families.items())[:2]  # spans: traditional, fair
    shown = [
        metric
        for metrics in families.values()
        for metric in metrics
        if metric.short == "f1" and _some(report, metric.name, scores.overall[metric.name])
    ]
    return [("F1", shown[:_MOST_FAMILIES])]


def _some(report: Report, name: str, values: NDArray[np.float64]) -> bool:
    """Whether any system has the score."""
    told = (_told(report, name, value, place) for place, value in enumerate(values.tolist()))
    return not all(map(math.isnan, told))


def _head(metric: Metric, group: str) -> str:
    """What a column is called in its group."""
    if group == "F1":
        return family_words(metric.family)
    return SHORT.get(metric.short or metric.name, metric.head)


def _shown_blank(report: Report, groups: list[tuple[str, list[Metric]]]) -> bool:
    """Whether a column of the table is empty for some system."""
    shown = {metric.name for _, metrics in groups for metric in metrics}
    return any(name in shown for name, _ in report.units.lowered.blank)


def _level(scores: Scores, tested: Significance | None) -> float | None:
    """The confidence of intervals, if there are any."""
    if tested is not None:
        return tested.settings.level
    return scores.intervals.confidence if scores.intervals else None


def _ends(report: Report, scores: Scores, tested: Significance | None) -> list[tuple[float, float]]:
    """``[system]`` ends of intervals; nan where there are none."""
    if tested is not None:
        return list(zip(tested.interval.low.tolist(), tested.interval.high.tolist(), strict=True))
    if scores.intervals is None:
        return [(math.nan, math.nan)] * len(report.systems)
    return [(float(low), float(high)) for low, high in scores.intervals.overall[report.metric.name]]


def _axis(report: Report, scores: Scores, ends: list[tuple[float, float]]) -> Axis:
    """An axis that holds all values and intervals."""
    values = [float(value) for value in scores.overall[report.metric.name]]
    fair = scores.overall.get("fair_f1")
    values += [] if fair is None else [float(value) for value in fair]
    values += [end for both in ends for end in both]
    return Axis.around(values, points=report.metric.scale.points)


def _row(
    report: Report,
    scores: Scores,
    axis: Axis,
    rank: int,
    place: int,
    ends: tuple[float, float],
) -> dict[str, Any]:
    value = float(scores.overall[report.metric.name][place])
    low, high = ends
    fair = scores.overall.get("fair_f1")
    return {
        "rank": rank,
        "place": place,
        "name": report.systems[place],
        "value": value,
        "low": low,
        "high": high,
        "line": None if axis.at(low) is None else (axis.at(low), axis.at(high)),
        "tick": axis.at(value),
        "circle": None if fair is None else axis.at(float(fair[place])),
        "cells": {
            name: _told(report, name, float(values[place]), place)
            for name, values in scores.overall.items()
        },
    }


def _errors_head(report: Report, *, charged: bool) -> str:
    """What the errors are called; graded units have few kinds, such as no answer, or none."""
    kinds = report.task.outcomes.errors
    if right_or_wrong(report.table) or (charged and len(kinds) > _NAMED):
        return "Errors"
    return " or ".join(one.wording for one in kinds) if charged else ""


def _errors(report: Report) -> list[Evidence]:
    """``[system]`` the errors of a system, each counted once."""
    wrong = np.count_nonzero(~right(report.table), axis=0).tolist()
    return [Evidence.of(n, {f"verdict.{place}": "wrong"}) for place, n in enumerate(wrong)]


def _behind(report: Report, scores: Scores, place: int, errors: Evidence) -> dict[str, Evidence]:
    """By metric, the units that keep a system from 100; graded ones, those worse than its mean.

    Precision is lost by what is not gold, recall by gold units, F1 and all fair counts by errors;
    scores of trees by the words that ``lowered_scores`` tells.
    """
    lowered, table = report.units.lowered, report.table
    if not right_or_wrong(table):
        return dict.fromkeys(scores.overall, below_mean(table, place))
    if lowered.names:
        return {
            name: Evidence.of(lowered.count(name, place), {f"lowers.{place}": name})
            for name in lowered.names
        }
    found = dict.fromkeys(scores.overall, errors)
    if "traditional_precision" not in scores.overall:
        return found
    found_gold = int((solved(table)[:, place] & table.is_gold).sum())
    not_gold = int(scores.predicted[:, place].sum()) - found_gold
    return {
        **found,
        "traditional_precision": Evidence.of(not_gold, {"unit": "not-gold", f"has.{place}": "yes"}),
        "traditional_recall": Evidence.of(
            table.n_gold - found_gold, {"unit": "gold", f"verdict.{place}": "wrong"}
        ),
    }


def _told(report: Report, name: str, value: float, place: int) -> float:
    """A score; undefined where there is nothing in the column that it is about."""
    return math.nan if (name, place) in report.units.lowered.blank else value


def _apart(report: Report, place: int) -> dict[str, Any]:
    """What a system answers otherwise than the best; the best itself, than the next one."""
    best, second, *_ = report.order
    one, other = (best, second) if place == best else (best, place)
    if report.task.value:
        rival = report.systems[second if place == best else best]
        return {"apart": gained(report.table, one, other, "any"), "other": rival}
    differing = int(np.count_nonzero(changed(report.table, one, other)))
    return {
        "apart": Evidence.of(differing, {f"change.{one}.{other}": "any"}),
        "other": report.systems[second if place == best else best],
    }


def _of_labels(report: Report, scores: Scores) -> str:
    """The metric that labels have: that of systems, or F1 where that is about all labels."""
    metric = report.metric.name
    if metric not in scores.by_label:
        metric = "f1" if "f1" in scores.by_label else ""
    return metric


def _labels(report: Report, scores: Scores) -> list[dict[str, Any]]:
    """The most frequent labels with the score of every system and what it gets wrong."""
    metric = _of_labels(report, scores)
    if not metric or len(scores.labels) < 2:
        return []
    found = []
    for rank, code in enumerate(labels_in_use(report.table)[:_MOST_LABELS]):
        gold = int(scores.support[code])
        short = np.count_nonzero(short_of_label(report.table, code), axis=0)
        cells = [
            (
                float(scores.by_label[metric][code, place]),
                behind_label(report.table, code, place, int(short[place])),
                place,
                _fair(scores, code, place),
            )
            for place in report.order
        ]
        fair = [one for *_, one in cells if one is not None]
        found.append(
            {
                "name": scores.labels[code],
                "colour": f"l{rank}" if rank < 6 else "lo",
                "gold": gold,
                "cells": cells,
                "best": _best([value for value, *_ in cells]),
                "best_fair": _best(fair),
                "few": gold < 50,
            }
        )
    return found


def _best(values: list[float]) -> float | None:
    """The largest value, if not all are the same."""
    known = {value for value in values if not math.isnan(value)}
    return max(known) if len(known) > 1 else None


def _fair(scores: Scores, code: int, place: int) -> float | None:
    """The fair F1 of a label; ``None`` where nothing is counted in that way."""
    found = scores.by_label.get("fair_f1")
    return None if found is None else float(found[code, place])
