"""The verb that scores.

>>> import finegrain as fg
>>> simulated = fg.simulate(tokens=2_000, seed=1)
>>> table = fg.align(simulated.gold, simulated.systems)
>>> table.task.name, table.systems == tuple(simulated.systems)
('spans', True)
"""

from __future__ import annotations

from collections.abc import Sequence

from finegrain.analyses.scores.score import Scores
from finegrain.analyses.scores.score import score as _score
from finegrain.errors import UsageError
from finegrain.metrics.choosing import chosen as chosen_metric
from finegrain.metrics.metric import Metric
from finegrain.metrics.options import DEFAULT_WEIGHTS, OVERLAP, Focus, MetricOptions
from finegrain.metrics.span_scores import Weights, weights_by
from finegrain.table import OutcomeTable


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
        wanted = [chosen_metric(table.task, one, options) for one in given]
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
