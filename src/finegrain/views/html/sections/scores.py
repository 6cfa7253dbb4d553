"""Scores: every system with its interval and group, then label by label."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.evidence import (
    GOLD,
    NOT_GOLD,
    Evidence,
    changes,
    has_label,
    is_wrong,
    lowers,
    produces,
)
from finegrain.analyses.interval_cells import SENTENCES_RESAMPLED, bracketed
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.reports.facts import metric_words
from finegrain.analyses.reports.graded_units import below_mean, gained
from finegrain.analyses.reports.report import Report
from finegrain.analyses.scores.score import Scores
from finegrain.analyses.trust.significance import Significance
from finegrain.analyses.units.shortfall import behind_label, short_of_label
from finegrain.metrics.metric import Metric
from finegrain.sizes import sized
from finegrain.table.verdicts import changed, labels_in_use, right, right_or_wrong, solved
from finegrain.views.html.axis import Axis, Mark, drawn_column
from finegrain.views.html.listing_table import Look, Table, table_of
from finegrain.views.html.payload import SHORT
from finegrain.views.html.sections.section import Context
from finegrain.views.html.wording import first_upper, points

_MOST_LABELS = 30
_MOST_ABREAST = 3  # families of metrics that are shown with precision, recall and F1
_MOST_FAMILIES = 8
_TOLD = ("precision", "recall", "f1")
_NAMED = 2  # kinds of errors that have room above a column
_MOST_NAMED = 6  # systems, up to which their names stand above columns
_FEW = 50  # gold units, below which a score of a label says little
_COLOURS = 6


def context(report: Report) -> Context | None:
    """Scores with intervals, those of the test where one was made."""
    scores = report.results["score"]
    if not isinstance(scores, Scores):
        return None
    tested = report.results.get("significance")
    tested = tested if isinstance(tested, Significance) else None
    families = _columns(report, scores)
    many = len(report.order) > _MOST_NAMED
    return {
        "scores": _overview(report, scores, tested, families),
        "metric_name": metric_words(report.metric),
        "tested": tested is not None,
        "cautions": [note for note in report.notes if note == SENTENCES_RESAMPLED],
        "blank": _shown_blank(report, families),
        "level": _level(scores, tested),
        "fair": "fair_f1" in scores.overall,
        "labels": _by_label(report, scores, "labels", _of_labels(report, scores), many=many),
        "fair_labels": _by_label(report, scores, "fair_labels", "fair_f1", many=many),
        "many": many,
        "gold_units": report.task.words.gold_units,
        "more_labels": max(0, len(scores.labels) - _MOST_LABELS),
    }


def _overview(
    report: Report,
    scores: Scores,
    tested: Significance | None,
    families: list[tuple[str, list[Metric]]],
) -> Table:
    """A row for every system: its score with the interval drawn, other metrics, its errors."""
    main, ends, errors = report.metric, _ends(report, scores, tested), _errors(report)
    values, level = scores.overall[main.name].tolist(), _level(scores, tested)
    errors_head = _errors_head(report, charged=any(one.count for one in errors))
    columns = [Column("#", "count"), Column("System"), _column(main, metric_words(main))]
    styles = {0: "third", 2: "strong"}
    if level:
        styles[len(columns)] = "hide second interval"
        columns.append(Column("interval"))
    if tested is not None:
        styles[len(columns)] = "letters"
        columns.append(Column("Group"))
    further = [(family, metric) for family, metrics in families for metric in metrics]
    styles |= dict.fromkeys(range(len(columns), len(columns) + len(further)), "hide second")
    columns += (_column(metric, _head(metric, family), family) for family, metric in further)
    columns += [Column(first_upper(errors_head), "count")] if errors_head else []
    rows: list[tuple[Cell, ...]] = []
    for rank, place in enumerate(report.order, 1):
        behind = _behind(report, scores, place, errors[place])
        row: list[Cell] = [rank, report.systems[place]]
        row.append(Linked(values[place], behind.get(main.name)))
        if level:
            ends_of = _interval(main, *ends[place])
            row.append(Linked(ends_of, behind.get(main.name)) if ends_of else None)
        row += [] if tested is None else [_apart(report, tested, place)]
        for _, metric in further:
            value = _told(report, metric.name, float(scores.overall[metric.name][place]), place)
            leads = None if math.isnan(value) else behind.get(metric.name)
            row.append(Linked(value, leads))
        row += [Linked(errors[place].count, errors[place])] if errors_head else []
        rows.append(tuple(row))
    look = Look(style="scores", styles=styles, named=1)
    table = table_of("scores", Listing("", tuple(columns), tuple(rows)), look)
    fair = scores.overall.get("fair_f1", np.full(len(values), math.nan)).tolist()
    marked = [
        Mark(
            values[place], *ends[place], fair[place], told=_drawn(main, values[place], *ends[place])
        )
        for place in report.order
    ]
    return table.drawn(3, drawn_column(_axis(report, scores, ends), marked))


def _column(metric: Metric, name: str, family: str = "") -> Column:
    return Column(name, "score", group=family, scale=metric.scale)


def _interval(metric: Metric, low: float, high: float) -> str:
    """An interval of the main metric, of points with one digit."""
    if metric.scale.shown == "percent" and not math.isnan(low):
        return f"[{points(low, 1)}, {points(high, 1)}]"
    return bracketed(low, high, scale=metric.scale).replace("-", "−")


def _drawn(metric: Metric, value: float, low: float, high: float) -> str:
    """What is drawn, in words."""
    told, *ends = (metric.scale.written(one).replace("-", "−") for one in (value, low, high))
    return told if math.isnan(low) else f"{told}, interval {ends[0]} to {ends[1]}"


def _columns(report: Report, scores: Scores) -> list[tuple[str, list[Metric]]]:
    """Metrics by family: precision, recall and F1 of two, or the F1 of many that some have."""
    families: dict[str, list[Metric]] = {}
    for metric in scores.told_metrics():
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
        return metric.family_words
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


def _errors_head(report: Report, *, charged: bool) -> str:
    """What the errors are called; graded units have few kinds, such as no answer, or none."""
    kinds = report.task.outcomes.errors
    if right_or_wrong(report.table) or (charged and len(kinds) > _NAMED):
        return "Errors"
    return " or ".join(one.wording for one in kinds) if charged else ""


def _errors(report: Report) -> list[Evidence]:
    """``[system]`` the errors of a system, each counted once."""
    wrong = np.count_nonzero(~right(report.table), axis=0).tolist()
    names = report.table.systems
    return [Evidence.of(n, is_wrong(name)) for name, n in zip(names, wrong, strict=True)]


def _behind(report: Report, scores: Scores, place: int, errors: Evidence) -> dict[str, Evidence]:
    """By metric, the units that keep a system from 100; graded ones, those worse than its mean.

    Precision is lost by what is not gold, recall by gold units, F1 and all fair counts by errors;
    scores of trees by the words that ``lowered_scores`` tells.
    """
    lowered, table = report.units.lowered, report.table
    system = table.systems[place]
    if not right_or_wrong(table):
        return dict.fromkeys(scores.overall, below_mean(table, place))
    if lowered.names:
        return {
            name: Evidence.of(lowered.count(name, place), lowers(system, name))
            for name in lowered.names
        }
    found = dict.fromkeys(scores.overall, errors)
    if "traditional_precision" not in scores.overall:
        return found
    found_gold = int((solved(table)[:, place] & table.is_gold).sum())
    not_gold = int(scores.predicted[:, place].sum()) - found_gold
    return {
        **found,
        "traditional_precision": Evidence.of(not_gold, NOT_GOLD, produces(system)),
        "traditional_recall": Evidence.of(table.n_gold - found_gold, GOLD, is_wrong(system)),
    }


def _told(report: Report, name: str, value: float, place: int) -> float:
    """A score; undefined where there is nothing in the column that it is about."""
    return math.nan if (name, place) in report.units.lowered.blank else value


def _apart(report: Report, tested: Significance, place: int) -> Linked:
    """The group of a system, and what it answers otherwise than the best, or that than the next."""
    best, second, *_ = report.order
    one, other = (best, second) if place == best else (best, place)
    names = f"{report.systems[place]} {{}} {report.systems[second if place == best else best]}"
    if report.task.value:
        evidence = gained(report.table, one, other, "any")
        return Linked(tested.groups[place], evidence, f"where {names.format('or')} is better")
    differing = int(np.count_nonzero(changed(report.table, one, other)))
    evidence = Evidence.of(differing, changes(report.systems[one], report.systems[other]))
    return Linked(tested.groups[place], evidence, f"what {names.format('and')} answer differently")


def _of_labels(report: Report, scores: Scores) -> str:
    """The metric that labels have: that of systems, or F1 where that is about all labels."""
    metric = report.metric.name
    if metric not in scores.by_label:
        metric = "f1" if "f1" in scores.by_label else ""
    return metric


def _by_label(
    report: Report, scores: Scores, name: str, metric: str, *, many: bool
) -> Table | None:
    """The most frequent labels with the score of every system and what it gets wrong."""
    if metric not in scores.by_label or len(scores.labels) < 2:
        return None
    (scale,) = (one.scale for one in scores.metrics if one.name == metric)
    systems = [report.systems[place] for place in report.order]
    columns = [Column("Label"), Column("Gold", "count")]
    columns += (Column(system, "score", "row", scale=scale) for system in systems)
    rows: list[tuple[Cell, ...]] = []
    codes = labels_in_use(report.table)[:_MOST_LABELS]
    for code in codes:
        label, gold = scores.labels[code], int(scores.support[code])
        short = np.count_nonzero(short_of_label(report.table, code), axis=0).tolist()
        rows.append((
            label, Linked(gold, Evidence.of(gold, GOLD, has_label(label))),
            *(Linked(
                float(scores.by_label[metric][code, place]),
                behind_label(report.table, code, place, short[place]),
                f"{report.systems[place]}: {sized(short[place], 'error')}",
            ) for place in report.order),
        ))  # fmt: skip
    listing = Listing(f"{_of_metric(report, metric)} by label", tuple(columns), tuple(rows))
    look = Look(
        systems=systems,
        numbered=many,
        digits=1,
        style=f"labels fit{' dense' if many else ''}",
        faded=[at for at, code in enumerate(codes) if scores.support[code] < _FEW],
        keys=[f"l{rank}" if rank < _COLOURS else "lo" for rank in range(len(codes))],
    )
    return table_of(name, listing, look)


def _of_metric(report: Report, metric: str) -> str:
    """What a metric of labels is called."""
    named = {"f1": "F1", "fair_f1": "Fair F1"}
    return named.get(metric) or first_upper(metric_words(report.metric))
