"""Errors: kinds of mistakes of every system, and which label is taken for which."""

from __future__ import annotations

from collections.abc import Mapping

from finegrain.analyses.reports.report import Report
from finegrain.analyses.scores.error_types import ErrorTypes
from finegrain.analyses.scores.score import Scores
from finegrain.views.charts.error_bars import Piece, pieces, traditional
from finegrain.views.html.sections.section import Context


def context(report: Report) -> Context | None:
    """Nothing for a task without labels."""
    errors = report.results.get("errors")
    if not isinstance(errors, ErrorTypes):
        return None
    plain, every = _traditional(report, errors), pieces(errors)
    return {
        "kinds": [piece.said for piece in every],
        "traditional": [piece.said for piece in plain],
        "rows": _rows(report, plain, every),
        "meanings": [] if errors.by_answer or report.task.detects else _meanings(report, errors),
        "confusions": _confusions(report, errors) if errors.by_answer else [],
        "order": [(place, report.systems[place]) for place in report.order],
        "confused": "confusion" in report.results and len(errors.labels) > 1,
        "heads": "head" in report.table.details,
        "task": report.task.name,
        "unit": report.task.words.units,
    }


def _meanings(report: Report, errors: ErrorTypes) -> list[tuple[str, str]]:
    """What kinds of errors are called and what they mean."""
    known = report.task.outcomes
    return [(known[one].wording, known[one].meaning) for one in errors.types[1:]]


def _rows(report: Report, plain: tuple[Piece, ...], every: tuple[Piece, ...]) -> list[Context]:
    """Counts of every kind by system, with the conditions on the units behind each."""
    return [
        {
            "place": place,
            "name": report.systems[place],
            "total": sum(piece.counts[place] for piece in every),
            "traditional": _cells(plain, place),
            "kinds": _cells(every, place),
        }
        for place in report.order
    ]


def _cells(every: tuple[Piece, ...], place: int) -> list[tuple[int, Mapping[str, str | int]]]:
    return [(piece.counts[place], piece.behind[place]) for piece in every]


def _traditional(report: Report, errors: ErrorTypes) -> tuple[Piece, ...]:
    """What traditional scores count, where a wrong boundary counts twice; of spans only."""
    scores = report.results["score"]
    if report.task.name != "spans" or not isinstance(scores, Scores):
        return ()
    return traditional(errors, scores.predicted.sum(axis=0))


def _confusions(report: Report, errors: ErrorTypes, most: int = 12) -> list[Context]:
    """The most frequent confusions of labels over all systems, with the count of each."""
    counts = errors.counts.copy()
    for code in range(len(errors.labels)):
        counts[code, :, code] = 0
    total = counts.sum(axis=1)
    order = (-total).argsort(axis=None, kind="stable")[:most]
    found = []
    for place in order.tolist():
        gold, answer = divmod(place, len(errors.labels))
        if total[gold, answer]:
            cells = [(int(counts[gold, system, answer]), system) for system in report.order]
            names = {"gold": errors.labels[gold], "answer": errors.labels[answer]}
            found.append({**names, "cells": cells})
    return found
