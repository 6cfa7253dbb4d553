"""Figures: functions from a result to a Vega-Lite specification, one file per kind.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> figure = chart_of(fg.error_types(fg.align(*small_corpora("spans"))))
>>> figure
<Chart: Errors by type and system>
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from finegrain.analyses.compare.bin_features import BinFeatures
from finegrain.analyses.compare.difference_matrix import Differences
from finegrain.analyses.compare.difficulty import Difficulty
from finegrain.analyses.compare.oracle import Oracle
from finegrain.analyses.compare.word_bins import WordBins
from finegrain.analyses.explain.buckets import Buckets
from finegrain.analyses.explain.diagnosis import Diagnosis
from finegrain.analyses.explain.many_data_sets import ManyDataSets
from finegrain.analyses.reports.report import Report
from finegrain.analyses.scores.confusion import Confusion
from finegrain.analyses.scores.error_types import ErrorTypes
from finegrain.analyses.studies.content import Study
from finegrain.analyses.trust.significance import Significance
from finegrain.errors import UsageError
from finegrain.table.verdicts import right, right_or_wrong
from finegrain.views.charts.chart import Chart, Spec
from finegrain.views.charts.curves import bucket_curves, coverage_curve, feature_curves
from finegrain.views.charts.diagnosis_bars import diagnosis_bars
from finegrain.views.charts.difficulty_map import difficulty_map
from finegrain.views.charts.error_bars import error_bars
from finegrain.views.charts.matrices import confusion_matrix, difference_matrix
from finegrain.views.charts.plots import plot_spec, study_spec
from finegrain.views.charts.score_intervals import score_intervals
from finegrain.views.charts.suite_figures import attribute_profiles, cost_plots, improvement_map
from finegrain.views.charts.word_bubbles import word_bubbles

_BY_TYPE: dict[type, Callable[[Any], Spec | None]] = {
    Significance: score_intervals,
    ErrorTypes: error_bars,
    Confusion: confusion_matrix,
    Differences: difference_matrix,
    Difficulty: difficulty_map,
    BinFeatures: feature_curves,
    WordBins: word_bubbles,
    Oracle: coverage_curve,
    Diagnosis: diagnosis_bars,
    ManyDataSets: attribute_profiles,
    Study: study_spec,
    Buckets: lambda result: bucket_curves(result, tuple(range(len(result.systems)))),
}


def chart_of(result: object) -> Chart:
    """The figure of a result; results without one are refused."""
    draw = next((_BY_TYPE[one] for one in type(result).__mro__ if one in _BY_TYPE), None)
    spec = draw(result) if draw is not None else None
    if spec is None:
        known = ", ".join(sorted(one.__name__ for one in _BY_TYPE))
        raise UsageError(f"there is no figure for {type(result).__name__}; there are for: {known}")
    return Chart(spec)


def charts_of(report: Report, names: Collection[str] | None = None) -> dict[str, Chart]:
    """The figures of a report by name; systems stand in the order of their scores.

    ``names``: those that are wanted; default: all.
    """
    found: dict[str, Spec | None] = {}
    results: dict[str, Any] = dict(report.results)

    def wanted(name: str, result: str = "") -> bool:
        return (result or name) in results and (names is None or name in names)

    if wanted("scores", "significance"):
        fair = results["score"].overall.get("fair_f1")
        found["scores"] = score_intervals(results["significance"], report.order, fair)
    if wanted("errors"):
        found["errors"] = _errors(report, results)
    if wanted("confusion"):
        found["confusion"] = confusion_matrix(results["confusion"], report.order[0])
    if wanted("differences"):
        found["differences"] = difference_matrix(results["differences"])
    if wanted("difficulty"):
        below = results.get("invented") if report.table.task.open else None
        found["difficulty"] = difficulty_map(
            results["difficulty"], below, report.order, units=_units(report)
        )
    if wanted("features"):
        found["features"] = feature_curves(results["features"])
    if wanted("words"):
        found["words"] = word_bubbles(results["words"])
    if wanted("oracle"):
        found["oracle"] = coverage_curve(results["oracle"], units=_units(report))
    if wanted("buckets"):
        found["buckets"] = bucket_curves(results["buckets"], report.order)
    if wanted("diagnosis", "diagnose"):
        found["diagnosis"] = diagnosis_bars(results["diagnose"], report.order)
    for name, result in results.items():
        if isinstance(result, Study):
            plots = enumerate(result.plots, 1)
            found.update({f"{name}-{place}": plot_spec(plot) for place, plot in plots})
    return {name: Chart(spec) for name, spec in found.items() if spec is not None}


def _errors(report: Report, results: dict[str, Any]) -> Spec | None:
    """The errors by kind; none where units are graded and all of them are answered."""
    if not right_or_wrong(report.table) and right(report.table).all():
        return None
    near = report.task.outcomes.near
    predicted = results["score"].predicted.sum(axis=0) if near else None
    return error_bars(results["errors"], report.order, predicted)


def _units(report: Report) -> str:
    """What figures call the units that systems are right or wrong about."""
    words = report.task.words
    return "gold units" if words.context else words.units


def charts_of_suite(found: ManyDataSets) -> dict[str, Chart]:
    """The figures of many data sets by name, one for each pair that is compared."""
    specs = {"attributes": attribute_profiles(found)}
    specs |= {f"costs-{place}": plot_spec(one) for place, one in enumerate(cost_plots(found), 1)}
    for place, pair in enumerate(found.improvements, 1):
        specs[f"improvement-{place}"] = improvement_map(found, pair)
    return {name: Chart(spec) for name, spec in specs.items() if spec is not None}
