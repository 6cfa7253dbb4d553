"""Checks that every format, task, metric and attribute must pass: built-ins and plug-ins alike.

>>> from finegrain.metrics import METRICS
>>> from finegrain.testing import check_metric, small_corpora
>>> gold, systems = small_corpora("spans")
>>> check_metric(METRICS["fair_f1"], gold, systems)

Each check raises an ``AssertionError`` that says which promise is broken.
"""

from finegrain.testing.analyses import check_analyses
from finegrain.testing.contracts import (
    check_attribute,
    check_format,
    check_metric,
    check_task,
    reordered,
    same_corpus,
    small_corpora,
)

__all__ = [
    "check_analyses",
    "check_attribute",
    "check_format",
    "check_metric",
    "check_task",
    "reordered",
    "same_corpus",
    "small_corpora",
]
