"""Metrics: one file per family, one line in ``built_in``.

>>> from finegrain.metrics import METRICS
>>> METRICS["fair_f1"].reference
'Ortmann (2022)'
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from finegrain.metrics.metric import Metric
from finegrain.plugins import find

if TYPE_CHECKING:
    METRICS: dict[str, Metric]


@cache
def built_in() -> tuple[Metric, ...]:
    """All metrics; their families are loaded only now, as few are needed at a time."""
    from finegrain.metrics.class_scores import CLASS_METRICS  # noqa: PLC0415
    from finegrain.metrics.clustering import (  # noqa: PLC0415
        CLUSTER_METRICS,
        FURTHER_CLUSTER_METRICS,
    )
    from finegrain.metrics.coreference import (  # noqa: PLC0415
        COREFERENCE_METRICS,
        FURTHER_COREFERENCE_METRICS,
    )
    from finegrain.metrics.dependency_scores import DEPENDENCY_METRICS  # noqa: PLC0415
    from finegrain.metrics.enhanced_scores import ENHANCED_METRICS  # noqa: PLC0415
    from finegrain.metrics.generation import (  # noqa: PLC0415
        FURTHER_GENERATION_METRICS,
        GENERATION_METRICS,
    )
    from finegrain.metrics.match_schemes import SCHEME_METRICS  # noqa: PLC0415
    from finegrain.metrics.multilabel import LABEL_SET_METRICS  # noqa: PLC0415
    from finegrain.metrics.perplexity import PERPLEXITY_METRICS  # noqa: PLC0415
    from finegrain.metrics.probability_scores import PROBABILITY_METRICS  # noqa: PLC0415
    from finegrain.metrics.qa import QA_METRICS  # noqa: PLC0415
    from finegrain.metrics.ranking import (  # noqa: PLC0415
        FURTHER_RANKING_METRICS,
        RANKING_METRICS,
    )
    from finegrain.metrics.ratings import RATING_METRICS  # noqa: PLC0415
    from finegrain.metrics.regression import REGRESSION_METRICS  # noqa: PLC0415
    from finegrain.metrics.repeated_answers import REPEAT_METRICS  # noqa: PLC0415
    from finegrain.metrics.rsa import FURTHER_RSA_METRICS, RSA_METRICS  # noqa: PLC0415
    from finegrain.metrics.segmentation import BOUNDARY_METRICS, SEGMENT_METRICS  # noqa: PLC0415
    from finegrain.metrics.soft_labels import SOFT_METRICS  # noqa: PLC0415
    from finegrain.metrics.span_scores import SPAN_METRICS  # noqa: PLC0415
    from finegrain.metrics.tag_scores import TAG_METRICS  # noqa: PLC0415

    return (
        *SPAN_METRICS,
        *SCHEME_METRICS,
        *TAG_METRICS,
        *CLASS_METRICS,
        *PROBABILITY_METRICS,
        *REPEAT_METRICS,
        *SOFT_METRICS,
        *REGRESSION_METRICS,
        *(metric for metric in QA_METRICS if metric.name != "f1"),  # a name that labels have
        *RATING_METRICS,
        *PERPLEXITY_METRICS,
        *RANKING_METRICS,
        *FURTHER_RANKING_METRICS,
        *GENERATION_METRICS,
        *FURTHER_GENERATION_METRICS,
        *RSA_METRICS,
        *FURTHER_RSA_METRICS,
        *LABEL_SET_METRICS,
        *CLUSTER_METRICS,
        *FURTHER_CLUSTER_METRICS,
        *BOUNDARY_METRICS,
        *SEGMENT_METRICS,
        *DEPENDENCY_METRICS,
        *ENHANCED_METRICS,
        *COREFERENCE_METRICS,
        *FURTHER_COREFERENCE_METRICS,
    )


@cache
def _named() -> dict[str, Metric]:
    return {metric.name: metric for metric in built_in()}


def __getattr__(name: str) -> Any:
    if name == "METRICS":
        return _named()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def by_name(name: str) -> Metric:
    """A metric by its name."""
    found: Metric = find("metrics", name, _named())
    return found
