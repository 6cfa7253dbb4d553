"""Which metrics belong to which task: the only module that knows.

>>> [metric.name for metric in metrics_for("tags")][:2]
['accuracy', 'sentence_accuracy']
"""

from __future__ import annotations

from finegrain.metrics.match_schemes import OVERLAP, scheme_metrics
from finegrain.metrics.metric import Metric
from finegrain.metrics.span_scores import WEIGHTS, Focus, Weights, span_metrics
from finegrain.metrics.tag_scores import tag_metrics

DEFAULT_WEIGHTS = WEIGHTS["ortmann-weighted"]


def metrics_for(
    task: str,
    *,
    weights: Weights = DEFAULT_WEIGHTS,
    focus: Focus = "target",
    beta: float | None = None,
) -> tuple[Metric, ...]:
    """The metrics that ``score`` computes by default; with ``beta`` F-beta too."""
    return span_metrics(weights, focus, beta=beta) if task == "spans" else tag_metrics(beta=beta)


def further_metrics(task: str, *, overlap: float = OVERLAP) -> tuple[Metric, ...]:
    """Metrics that ``score`` computes only if they are named."""
    return scheme_metrics(overlap=overlap) if task == "spans" else ()
