"""Precision, recall and F1 of many metrics as a table for people.

Metrics are rows as long as there are few systems, whose scores stand side by side; else systems are
rows, with one F1 for every metric.

>>> from types import SimpleNamespace
>>> from finegrain.metrics.coreference import COREFERENCE_METRICS
>>> overall = {metric.name: np.array([0.5]) for metric in COREFERENCE_METRICS}
>>> listing = by_family(SimpleNamespace(
...     metrics=COREFERENCE_METRICS, systems=("s",), overall=overall, size=(3, 2)
... ), "mentions with an antecedent")
>>> listing.title, listing.rows[:2]
('3 mentions with an antecedent in 2 sentences',
 (('conll', None, None, 0.5), ('mention', 0.5, 0.5, 0.5)))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.metrics.metric import Metric

if TYPE_CHECKING:
    from finegrain.analyses.score import Scores

_SHORT = {"precision": "P", "recall": "R", "f1": "F1"}
_ABREAST = 3  # systems whose three scores fit side by side


def by_family(scores: Scores, units: str) -> Listing:
    """The scores of all families of metrics that have an F1."""
    known: dict[str, dict[str, Metric]] = {}
    for metric in scores.metrics:
        known.setdefault(metric.family or metric.name, {})[metric.short] = metric
    families = {name: found for name, found in known.items() if _SHORT.keys() & found.keys()}
    title = f"{scores.size[0]:,} {units} in {scores.size[1]:,} sentences"
    if len(scores.systems) > _ABREAST:
        return _systems_down(scores, families, title)
    columns = [Column("metric")]
    columns += (
        Column(heading, "score", "row" if short == "f1" else None, name)
        for name in scores.systems
        for short, heading in _SHORT.items()
    )
    rows = tuple(
        (
            family,
            *(
                _value(scores, found.get(short), place)
                for place in range(len(scores.systems))
                for short in _SHORT
            ),
        )
        for family, found in families.items()
    )
    return Listing(title, tuple(columns), rows)


def _systems_down(scores: Scores, families: dict[str, dict[str, Metric]], title: str) -> Listing:
    shown = {name: found for name, found in families.items() if "f1" in found}
    columns = [Column("system"), *(Column(name, "score", "max") for name in shown)]
    rows = tuple(
        (name, *(_value(scores, found["f1"], place) for found in shown.values()))
        for place, name in enumerate(scores.systems)
    )
    return Listing(f"F1: {title}", tuple(columns), rows)


def _value(scores: Scores, metric: Metric | None, system: int) -> Cell:
    return None if metric is None else float(np.asarray(scores.overall[metric.name])[system])
