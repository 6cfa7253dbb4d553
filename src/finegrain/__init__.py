"""finegrain: where, how and why NLP systems differ.

>>> import finegrain as fg
>>> "score" in fg.__all__
True

Names are loaded when they are first used, so that the command line starts without numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.version import __version__

if TYPE_CHECKING:
    from finegrain.analyses.confusion import confusion
    from finegrain.analyses.error_types import error_types
    from finegrain.analyses.selection import select
    from finegrain.analyses.show import show
    from finegrain.api import align, read, score
    from finegrain.corpus import Corpus
    from finegrain.errors import AlignmentError, FinegrainError, InputError, UsageError
    from finegrain.lists import classification_report, from_lists
    from finegrain.metrics.metric import Metric
    from finegrain.simulation import simulate
    from finegrain.table import OutcomeTable
    from finegrain.table.storage import load

_HOMES = {
    "AlignmentError": "finegrain.errors",
    "Corpus": "finegrain.corpus",
    "FinegrainError": "finegrain.errors",
    "InputError": "finegrain.errors",
    "Metric": "finegrain.metrics.metric",
    "OutcomeTable": "finegrain.table",
    "UsageError": "finegrain.errors",
    "align": "finegrain.api",
    "classification_report": "finegrain.lists",
    "confusion": "finegrain.analyses.confusion",
    "error_types": "finegrain.analyses.error_types",
    "from_lists": "finegrain.lists",
    "load": "finegrain.table.storage",
    "read": "finegrain.api",
    "score": "finegrain.api",
    "select": "finegrain.analyses.selection",
    "show": "finegrain.analyses.show",
    "simulate": "finegrain.simulation",
}

__all__ = [
    "AlignmentError",
    "Corpus",
    "FinegrainError",
    "InputError",
    "Metric",
    "OutcomeTable",
    "UsageError",
    "__version__",
    "align",
    "classification_report",
    "confusion",
    "error_types",
    "from_lists",
    "load",
    "read",
    "score",
    "select",
    "show",
    "simulate",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'finegrain' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
