"""Errors: kinds of mistakes of every system, and which label is taken for which."""

from __future__ import annotations

from finegrain.analyses.reports.facts import unit_word
from finegrain.analyses.reports.report import Report
from finegrain.analyses.scores.error_types import ErrorTypes
from finegrain.analyses.scores.score import Scores
from finegrain.views.charts.error_bars import NAMES
from finegrain.views.html.payload import SAID
from finegrain.views.html.sections.section import Context


def context(report: Report) -> Context | None:
    """Nothing for a task without labels."""
    errors = report.results.get("errors")
    if not isinstance(errors, ErrorTypes):
        return None
    spans, by_label = set(NAMES) <= set(errors.types), errors.types == errors.labels
    return {
        "spans": spans,
        "kinds": list(NAMES.items()) if spans else [],
        "rows": _rows(report, errors) if spans else [],
        "types": [] if spans or by_label else _types(report, errors),
        "typed": [] if spans or by_label else _typed(report, errors),
        "confusions": _confusions(report, errors) if by_label else [],
        "order": [(place, report.systems[place]) for place in report.order],
        "confused": "confusion" in report.results and len(errors.labels) > 1,
        "heads": "head" in report.table.details,
        "task": report.task,
        "unit": unit_word(report.task),
    }


def _types(report: Report, errors: ErrorTypes) -> list[tuple[str, str, str]]:
    """Kinds of errors with what they are called and what they mean."""
    inventory = report.table.inventory
    meanings = dict(zip(inventory.names, inventory.meanings, strict=True))
    return [(one, said(one), meanings.get(one, "")) for one in errors.types[1:]]


def said(kind: str) -> str:
    """What a kind of outcome is called.

    >>> said("FN"), said("NO_WORD")
    ('missed', 'no word')
    """
    return SAID.get(kind, kind.lower().replace("_", " "))


def _typed(report: Report, errors: ErrorTypes) -> list[Context]:
    """Counts of every kind by system."""
    counts = errors.counts.sum(axis=0)
    return [
        {
            "place": place,
            "name": report.systems[place],
            "total": int(counts[place, 1:].sum()),
            "kinds": dict(zip(errors.types[1:], counts[place, 1:].tolist(), strict=True)),
        }
        for place in report.order
    ]


def _rows(report: Report, errors: ErrorTypes) -> list[Context]:
    """Fair counts by kind beside the traditional ones."""
    scores = report.results["score"]
    if not isinstance(scores, Scores):
        return []
    counts = errors.counts.sum(axis=0)
    gold, predicted = int(errors.gold.sum()), scores.predicted.sum(axis=0)
    found = []
    for place in report.order:
        kinds = {kind: int(counts[place, errors.types.index(kind)]) for kind in NAMES}
        right = int(counts[place, 0])
        found.append(
            {
                "place": place,
                "name": report.systems[place],
                "kinds": kinds,
                "total": sum(kinds.values()),
                "missed": gold - right,
                "invented": int(predicted[place]) - right,
            }
        )
    return found


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
