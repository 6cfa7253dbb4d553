"""What the rules for findings look at: results by name, and systems from the best to the worst."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from finegrain.analyses.difference import Difference
from finegrain.analyses.difference_matrix import Pair
from finegrain.analyses.finding import Finding
from finegrain.metrics.metric import Metric
from finegrain.table import OutcomeTable

_UNITS = {"spans": "spans", "tags": "tokens", "items": "items", "dependencies": "words"}


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What rules look at: results by name, and systems by place from the best to the worst."""

    table: OutcomeTable
    results: Mapping[str, Any]
    metric: Metric
    order: tuple[int, ...]

    @property
    def units(self) -> str:
        return _UNITS.get(self.table.task, "units")

    @property
    def scored(self) -> str:
        """The metric as a sentence names it."""
        return {"f1": "F1"}.get(self.metric.short or "", self.metric.name.replace("_", " "))

    def name(self, system: int) -> str:
        return self.table.systems[system]

    def score(self, system: int) -> float:
        return float(self.results["score"].overall[self.metric.name][system])

    def pair(self, one: int, other: int) -> Difference:
        """How two systems differ, whichever of them stands first."""
        pairs: Mapping[Pair, Difference] = self.results["differences"].pairs
        names = Pair(self.name(one), self.name(other))
        return pairs[names] if names in pairs else pairs[Pair(names[1], names[0])]


Rule = Callable[[Facts], Iterator[Finding]]
