"""Precision, recall and F1 of many metrics as a table for people.

Metrics are rows as long as there are few systems, whose scores stand side by side; else systems are
rows, with one F1 for every metric.

>>> from types import SimpleNamespace
>>> from finegrain.metrics.coreference import COREFERENCE_METRICS
>>> overall = {metric.name: np.array([0.5]) for metric in COREFERENCE_METRICS}
>>> listing = by_family(SimpleNamespace(
...     metrics=COREFERENCE_METRICS, systems=("s",), overall=overall, size=(3, 2)
... ), "mention", "with an antecedent")
>>> listing.title, listing.rows[:2]
('3 mentions with an antecedent in 2 sentences',
 (('conll', None, None, 0.5), ('mention', 0.5, 0.5, 0.5)))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.metrics.metric import Metric
from finegrain.sizes import sized

if TYPE_CHECKING:
    from finegrain.analyses.scores.score import Scores

_SHORT = {"precision": "P", "recall": "R", "f1": "F1"}
_ABREAST = 3  # systems whose three scores fit side by side


def by_family(scores: Scores, unit: str, which: str = "") -> Listing:
    """The scores of all families of metrics; of P, R and F1 those that were computed."""
    known: dict[str, dict[str, Metric]] = {}
    for metric in scores.metrics:
        known.setdefault(metric.family or metric.name, {})[metric.short] = metric
    families = {name: found for name, found in known.items() if _SHORT.keys() & found.keys()}
    shorts = [short for short in _SHORT if any(short in found for found in families.values())]
    title = f"{sized(scores.size[0], unit, which)} in {sized(scores.size[1], 'sentence')}"
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
    only_f1 = shorts == {"f1"} or not _by_name(scores)
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


def _by_name(scores: Scores) -> bool:
    """Whether metrics were asked for: not all of the task are there."""
    from finegrain.metrics.coreference import COREFERENCE_METRICS  # noqa: PLC0415 - for chains

    return not {one.name for one in COREFERENCE_METRICS} <= scores.overall.keys()


def _value(scores: Scores, metric: Metric | None, system: int) -> Cell:
    return None if metric is None else float(np.asarray(scores.overall[metric.name])[system])
