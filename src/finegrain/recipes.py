"""Which metrics belong to which task: the only module that knows.

>>> [metric.name for metric in metrics_for("tags")][:2]
['accuracy', 'sentence_accuracy']
"""

from __future__ import annotations

from finegrain.metrics.metric import Metric
from finegrain.metrics.span_scores import WEIGHTS, Focus, Weights, span_metrics
from finegrain.metrics.tag_scores import TAG_METRICS

DEFAULT_WEIGHTS = WEIGHTS["ortmann-weighted"]


def metrics_for(
    task: str, *, weights: Weights = DEFAULT_WEIGHTS, focus: Focus = "target"
) -> tuple[Metric, ...]:
    """The metrics that ``score`` computes by default."""
    return span_metrics(weights, focus) if task == "spans" else TAG_METRICS
