"""The verbs that compare and score.

>>> import finegrain as fg
>>> simulated = fg.simulate(tokens=2_000, seed=1)
>>> table = fg.align(simulated.gold, simulated.systems)
>>> table.task.name, table.systems == tuple(simulated.systems)
('spans', True)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from finegrain import metrics
from finegrain.analyses.scores.score import Scores
from finegrain.analyses.scores.score import score as _score
from finegrain.errors import UsageError
from finegrain.metrics.metric import Metric
from finegrain.metrics.options import DEFAULT_WEIGHTS, OVERLAP, Focus, MetricOptions
from finegrain.metrics.span_scores import Weights, weights_by
from finegrain.plugins import everything
from finegrain.table import OutcomeTable

if TYPE_CHECKING:  # loaded when they are called, so that scores come sooner
    from finegrain.analyses.trust.seeds import Seeds
    from finegrain.analyses.trust.significance import Progress, Significance
    from finegrain.resampling.pairs import Test


def score(
    table: OutcomeTable,
    metric: str | Metric | Sequence[str | Metric] | None = None,
    *,
    weights: str | Weights = DEFAULT_WEIGHTS,
    focus: Focus = "target",
    beta: float | None = None,
    schemes: Sequence[str] = (),
    overlap: float = OVERLAP,
    by: str | None = None,
    where: str = "",
    intervals: int = 0,
    confidence: float = 0.95,
    seed: int = 1,
) -> Scores:
    """Score all systems, overall and per label.

    Parameters
    ----------
    metric: one or several metrics, by name or as values; default: all of the task
    weights: of the family ``weighted``, by name or as a formula (spans)
    focus: the label that an error in the label is charged to: ``target`` or ``system`` (spans)
    beta: adds F-beta, in which recall counts beta times as much as precision
    schemes: match schemes to count too, e.g. ``["strict", "type"]`` or ``["all"]`` (spans)
    overlap: the least overlap, common tokens / all tokens, of the scheme ``overlap``
    by: ``document`` or a layer of the gold corpus; scores for each of its values
    where: score only the units that this holds for, ``label=PER`` (as ``show --where``); they keep
        what they were matched with
    intervals: resamples for an interval of every score, 1000 as a rule; 0 for none
    confidence: of the intervals
    seed: the same seed, files and version of numpy give the same intervals
    """
    if not isinstance(table, OutcomeTable):
        raise UsageError(
            "score takes an outcome table: fg.align(gold, systems), or fg.from_lists(gold, answers)"
        )
    chosen = weights if isinstance(weights, Weights) else weights_by(weights)
    options = MetricOptions(chosen, focus, beta, overlap)
    if metric is None:
        wanted: Sequence[Metric] = table.task.metrics(options)
    else:
        given = [metric] if isinstance(metric, str | Metric) else metric
        known = table.task.all_metrics(options)
        wanted = [one if isinstance(one, Metric) else metric_named(one, known) for one in given]
    return _score(
        table,
        wanted,
        focus=focus,
        weights=chosen.name if chosen.name != "given" else chosen.formula,
        beta=beta,
        schemes=schemes,
        overlap=overlap,
        by=by,
        where=where,
        intervals=intervals,
        confidence=confidence,
        seed=seed,
    )


def significance(
    table: OutcomeTable,
    metric: str | Metric | None = None,
    *,
    test: Test = "randomisation",
    correction: str = "holm",
    assume_independent: bool = False,
    detect: float = 0.005,
    resamples: int = 10_000,
    intervals: int = 1_000,
    confidence: float = 0.95,
    seed: int = 1,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Significance:
    """Which systems differ by more than chance: all pairs, groups, possible ranks, power.

    Parameters
    ----------
    metric: by name or as a value; default: traditional F1 of spans, accuracy of tags
    test: ``randomisation``, ``bootstrap``, ``mcnemar``, ``sign``, ``wilcoxon`` or ``t``
    correction: of p for all pairs: ``holm``, ``benjamini-hochberg`` or ``none``
    assume_independent: sentences and units of a document do not depend on each other
    detect: the difference, e.g. 0.005, to tell power and a sufficient size for
    resamples, intervals: so many for p, and for intervals
    confidence: of intervals; a pair differs if its corrected p is at most 1 - confidence
    seed: the same seed, files and version of numpy give the same digits
    jobs: pairs that are compared at the same time
    progress: goes through the comparisons as they are made, to show how far it is
    """
    from finegrain.analyses.trust.significance import significance as compared  # noqa: PLC0415
    from finegrain.resampling.pairs import Settings  # noqa: PLC0415

    chosen = _beside(table, metric)
    if chosen is None:
        chosen = table.task.metrics(None)[0]
    return compared(
        table,
        chosen,
        settings=Settings(test, resamples, intervals, confidence, seed),
        correction=correction,
        assume_independent=assume_independent,
        detect=detect,
        jobs=jobs,
        progress=progress,
    )


def seeds(
    table: OutcomeTable,
    metric: str | Metric | None = None,
    *,
    correction: str = "holm",
    resamples: int = 1_000,
    confidence: float = 0.95,
    seed: int = 1,
) -> Seeds:
    """Systems with several runs: means, spread, intervals over seeds and items, differences.

    Parameters
    ----------
    table: its systems are called ``name@seed``; those with one name are runs of one system
    metric: by name or as a value; default: traditional F1 of spans, accuracy of tags
    correction: of p for all pairs: ``holm``, ``benjamini-hochberg`` or ``none``
    resamples: of documents, or of sentences where there are no documents
    confidence: of the intervals
    seed: of the resampling; the same seed, files and version of numpy give the same digits
    """
    from finegrain.analyses.trust.seeds import seeds as over_seeds  # noqa: PLC0415 - see above

    chosen = _beside(table, metric) or table.task.metrics(None)[0]
    drawing: dict[str, Any] = {"resamples": resamples, "confidence": confidence, "seed": seed}
    return over_seeds(table, chosen, correction=correction, **drawing)


def _beside(table: OutcomeTable, metric: str | Metric | None) -> Metric | None:
    """The score that is compared beside accuracy."""
    if not isinstance(table, OutcomeTable):
        raise UsageError("a comparison takes an outcome table: fg.align(gold, systems)")
    if metric is None or isinstance(metric, Metric):
        return metric or table.task.main_metric(table)
    return metric_named(metric, table.task.all_metrics())


def metric_named(name: str, of_task: dict[str, Metric]) -> Metric:
    """A metric of the task by its name, or by its short name where only one has it."""
    if name in of_task:
        return of_task[name]
    short = [one for one in of_task.values() if one.short == name]
    if len(short) > 1:
        raise UsageError(f"which {name!r}: {', '.join(one.name for one in short)}?")
    if short:
        return short[0]
    if name not in everything("metrics", metrics.METRICS):
        raise UsageError.unknown("metric", name, of_task)
    return metrics.by_name(name)
