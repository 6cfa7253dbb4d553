"""Metrics: one file per family, one line in ``METRICS``.

>>> METRICS["fair_f1"].reference
'Ortmann (2022)'
"""

from __future__ import annotations

from finegrain.metrics.coreference import COREFERENCE_METRICS, FURTHER_COREFERENCE_METRICS
from finegrain.metrics.dependency_scores import DEPENDENCY_METRICS
from finegrain.metrics.match_schemes import SCHEME_METRICS
from finegrain.metrics.metric import Metric
from finegrain.metrics.span_scores import SPAN_METRICS
from finegrain.metrics.tag_scores import TAG_METRICS
from finegrain.plugins import find

BUILT_IN = (
    *SPAN_METRICS,
    *SCHEME_METRICS,
    *TAG_METRICS,
    *DEPENDENCY_METRICS,
    *COREFERENCE_METRICS,
    *FURTHER_COREFERENCE_METRICS,
)
METRICS: dict[str, Metric] = {metric.name: metric for metric in BUILT_IN}


def by_name(name: str) -> Metric:
    """A metric by its name."""
    found: Metric = find("metrics", name, METRICS)
    return found
