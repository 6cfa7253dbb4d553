"""Precision, recall and F1 of many metrics as a table for people.

Metrics are rows as long as there are few systems, whose scores stand side by side; else systems are
rows, with one F1 for every metric.

>>> from types import SimpleNamespace
>>> from finegrain.metrics.coreference import COREFERENCE_METRICS
>>> overall = {metric.name: np.array([0.5]) for metric in COREFERENCE_METRICS}
>>> scores = SimpleNamespace(systems=("s",), overall=overall)
>>> by_family(scores, COREFERENCE_METRICS, "3 mentions").rows[:2]
(('conll', None, None, 0.5), ('mention', 0.5, 0.5, 0.5))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.metrics.metric import Metric

if TYPE_CHECKING:
    from finegrain.analyses.scores.score import Scores

_SHORT = {"precision": "P", "recall": "R", "f1": "F1"}
_ABREAST = 3  # systems whose three scores fit side by side


def in_families(metric: Metric) -> bool:
    """Whether a metric is one of the three of a family."""
    return bool(metric.family) and metric.short in _SHORT


def by_family(scores: Scores, metrics: Sequence[Metric], title: str) -> Listing:
    """The scores of families of metrics; of P, R and F1 those that were computed."""
    families: dict[str, dict[str, Metric]] = {}
    for metric in metrics:
        families.setdefault(metric.family, {})[metric.short] = metric
    shorts = [short for short in _SHORT if any(short in found for found in families.values())]
    if len(scores.systems) > _ABREAST:
        return _systems_down(scores, families, title)
    columns = [Column("metric")]
    columns += (
        Column(_SHORT[short], "score", "row" if short == "f1" else None, name)
        for name in scores.systems
        for short in shorts
    )
    rows = tuple(
        (
            family,
            *(
                _value(scores, found.get(short), place)
                for place in range(len(scores.systems))
                for short in shorts
            ),
        )
        for family, found in families.items()
    )
    return Listing(title, tuple(columns), rows)


def _systems_down(scores: Scores, families: dict[str, dict[str, Metric]], title: str) -> Listing:
    """F1 of every family; every metric if some were asked for by name."""
    shorts = {short for found in families.values() for short in found}
    only_f1 = shorts == {"f1"} or not scores.asked
    shown = [
        (name, short, metric)
        for name, found in families.items()
        for short, metric in found.items()
        if short in (("f1",) if only_f1 else _SHORT)
    ]
    heads = [(name, "") if only_f1 else (_SHORT[short], name) for name, short, _ in shown]
    columns = [Column("system"), *(Column(head, "score", "max", group) for head, group in heads)]
    rows = tuple(
        (name, *(_value(scores, metric, place) for _, _, metric in shown))
        for place, name in enumerate(scores.systems)
    )
    return Listing(f"F1: {title}" if only_f1 else title, tuple(columns), rows)


def _value(scores: Scores, metric: Metric | None, system: int) -> Cell:
    return None if metric is None else float(np.asarray(scores.overall[metric.name])[system])
