"""Errors: kinds of mistakes of every system, and which label is taken for which."""

from __future__ import annotations

from collections.abc import Mapping

from finegrain.analyses.reports.error_kinds import ErrorKinds, error_kinds
from finegrain.analyses.reports.report import Report
from finegrain.analyses.scores.error_types import ErrorTypes
from finegrain.analyses.scores.score import Scores
from finegrain.table.verdicts import right, right_or_wrong
from finegrain.views.charts.error_bars import Piece, pieces, traditional
from finegrain.views.html.sections.section import Context
from finegrain.views.html.wording import a, first_upper


def context(report: Report) -> Context | None:
    """Nothing for a task without labels, or if units are graded and all are answered."""
    errors = report.results.get("errors")
    if not isinstance(errors, ErrorTypes):
        return None
    if not right_or_wrong(report.table) and right(report.table).all():
        return None
    plain, every, kinds = _traditional(report, errors), pieces(errors), error_kinds(errors)
    return {
        "lead": report.task.counting or _lead(report, kinds),
        "by_answer": kinds.by_answer,
        "kinds": [piece.said for piece in every],
        "traditional": [piece.said for piece in plain],
        "rows": _rows(report, plain, every),
        "meanings": [] if kinds.by_answer or plain else _meanings(kinds),
        "confusions": _confusions(report, errors) if kinds.by_answer else [],
        "order": [(place, report.systems[place]) for place in report.order],
        "confused": "confusion" in report.results and len(errors.labels) > 1,
        "diagonal": _diagonal(report),
        "unit": report.task.words.units,
    }


def _lead(report: Report, kinds: ErrorKinds) -> str:
    """How errors are counted."""
    if not kinds.by_answer:
        return "Every error is counted once, by its kind."
    words, silent = report.task.words, [one.said for one in kinds.every if one.answer is None]
    what = "has one kind of error, a wrong label"
    if silent:
        what = f"has a wrong label or is {' or '.join(silent)}"
    told = f"what {words.units} are taken for tells errors apart."
    return f"{first_upper(a(words.unit))} {what}: {told}"


def _diagonal(report: Report) -> str:
    """What the diagonal of the table of labels holds."""
    words = report.task.words
    if report.task.answers == "unit":  # its cells are errors
        return f"The framed diagonal holds boundary errors; correct {words.units} are not entered."
    if words.also:
        right = f"{words.units} with the right {words.label}"
        return f"The diagonal holds {right}, whatever their {words.also}."
    return "The diagonal holds what is right."


def _meanings(kinds: ErrorKinds) -> list[tuple[str, str]]:
    """What kinds of errors are called and what they mean."""
    return [(one.said, one.outcomes[0].meaning) for one in kinds.every]


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
    """What traditional scores count, where a near miss counts twice."""
    scores = report.results["score"]
    if not report.task.outcomes.near or not isinstance(scores, Scores):
        return ()
    return traditional(errors, scores.predicted.sum(axis=0))


def _confusions(report: Report, errors: ErrorTypes, most: int = 12) -> list[Context]:
    """The most frequent confusions of labels over all systems, with the count of each."""
    counts = errors.counts[..., : len(errors.labels)].copy()
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
