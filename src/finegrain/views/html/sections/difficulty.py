"""Difficulty: units by how many systems are right about them, and what hard ones are like."""

from __future__ import annotations

import math

from finegrain.analyses.compare.bin_features import BinFeatures
from finegrain.analyses.compare.difficulty import Difficulty
from finegrain.analyses.compare.invented import Invented
from finegrain.analyses.compare.triage import Triage
from finegrain.analyses.compare.word_bins import WordBins
from finegrain.analyses.reports.report import Report
from finegrain.views.charts.curves import feature_curves
from finegrain.views.html.sections.section import Context
from finegrain.views.html.sections.suspects import grouped


def context(report: Report) -> Context | None:
    """Nothing for a single system, or where no unit is right or wrong."""
    found = report.results.get("difficulty")
    if not isinstance(found, Difficulty) or found.graded is not None:
        return None
    counts, sizes = found.counts.sum(axis=0), found.sizes.sum(axis=0)
    invented = report.results.get("invented")
    triage = report.results.get("triage")
    embedded = set(report.units.chosen.tolist())
    features, words = report.results.get("features"), report.results.get("words")
    return {
        "sizes": sizes.tolist(),
        "rows": [(place, report.systems[place], counts[place].tolist()) for place in report.order],
        "invented": invented.sizes.tolist() if isinstance(invented, Invented) else None,
        "features": isinstance(features, BinFeatures) and feature_curves(features) is not None,
        "means": _means(features) if isinstance(features, BinFeatures) else [],
        "words": _words(words) if isinstance(words, WordBins) else [],
        "room": 60 if isinstance(words, WordBins) else 120,  # characters of a suspect
        "suspects": grouped(triage, embedded) if isinstance(triage, Triage) else [],
        "suspected": triage.found if isinstance(triage, Triage) else 0,
        "at_least": triage.at_least if isinstance(triage, Triage) else 0,
        "gold": report.table.task.words.gold_units,
        "answers": report.task.answers != "none",
        "naming": report.task.words,
        "bars": report.table.task.open,
    }


def _means(found: BinFeatures) -> list[tuple[str, list[str]]]:
    """Attributes with their means by bin, as they are written."""
    return [
        (one.name.replace("_", " "), [_mean(value) for value in means.tolist()])
        for one, means in zip(found.numbers, found.means, strict=True)
    ]


def _mean(value: float) -> str:
    """Three digits.

    >>> _mean(0.06683), _mean(12345.6), _mean(float("nan"))
    ('0.0668', '12,346', '–')
    """
    if math.isnan(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _words(found: WordBins) -> list[tuple[str, list[int]]]:
    """Words with their mentions by bin."""
    return list(zip(found.words, found.counts.tolist(), strict=True))
