"""Metrics: one file per family, one line in ``_FAMILIES``.

>>> from finegrain.metrics import METRICS
>>> METRICS["fair_f1"].reference
'Ortmann (2022)'
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from finegrain.metrics.metric import Metric
from finegrain.plugins import find

if TYPE_CHECKING:
    METRICS: dict[str, Metric]


_FAMILIES = (
    "span_scores:SPAN_METRICS",
    "match_schemes:SCHEME_METRICS",
    "tag_scores:TAG_METRICS",
    "class_scores:CLASS_METRICS",
    "probability_scores:PROBABILITY_METRICS",
    "repeated_answers:REPEAT_METRICS",
    "soft_labels:SOFT_METRICS",
    "regression:REGRESSION_METRICS",
    "qa:QA_METRICS",
    "ratings:RATING_METRICS",
    "perplexity:PERPLEXITY_METRICS",
    "ranking:RANKING_METRICS",
    "ranking:FURTHER_RANKING_METRICS",
    "generation:GENERATION_METRICS",
    "generation:FURTHER_GENERATION_METRICS",
    "rsa:RSA_METRICS",
    "rsa:FURTHER_RSA_METRICS",
    "multilabel:LABEL_SET_METRICS",
    "clustering:CLUSTER_METRICS",
    "clustering:FURTHER_CLUSTER_METRICS",
    "minimal_pairs:PAIR_METRICS",
    "segmentation:BOUNDARY_METRICS",
    "segmentation:SEGMENT_METRICS",
    "dependency_scores:DEPENDENCY_METRICS",
    "enhanced_scores:ENHANCED_METRICS",
    "coreference:COREFERENCE_METRICS",
    "coreference:FURTHER_COREFERENCE_METRICS",
)
"""Where they are: module and name."""


@cache
def built_in() -> tuple[Metric, ...]:
    """All metrics; their families are loaded only now, as few are needed at a time."""
    found: list[Metric] = []
    for family in _FAMILIES:
        module, _, name = family.partition(":")
        found += getattr(import_module(f"finegrain.metrics.{module}"), name)
    of_answers = import_module("finegrain.metrics.qa").QA_METRICS
    return tuple(one for one in found if one.name != "f1" or one not in of_answers)


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
