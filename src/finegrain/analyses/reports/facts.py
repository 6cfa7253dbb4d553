"""What the rules for findings look at: results by name, and systems from the best to the worst.

>>> from finegrain.metrics import METRICS
>>> metric_words(METRICS["traditional_f1"]), metric_words(METRICS["accuracy"])
('traditional F1', 'accuracy')
>>> unit_word("coreference"), unit_word("a task of a plugin")
('mentions', 'units')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from finegrain.analyses.compare.difference import Difference
from finegrain.analyses.compare.difference_matrix import Pair
from finegrain.analyses.reports.finding import Ends, Finding, Part, counted, points, told_apart
from finegrain.analyses.reports.share_intervals import Mask, share_interval
from finegrain.analyses.units.evidence import Evidence
from finegrain.corpus import IntArray
from finegrain.metrics.metric import Metric
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import right

SLICED = 200_000  # gold units, up to which a page searches slices: of more it would take minutes
_UNITS = {
    "spans": "spans", "tags": "tokens", "items": "items", "dependencies": "words",
    "coreference": "mentions",
}  # fmt: skip
_FAMILIES = {
    "conll": "CoNLL", "b_cubed": "B³", "ceaf_m": "CEAF-m", "ceaf_e": "CEAF-e", "ufeats": "UFeats",
    "alltags": "AllTags", "mention_overlap": "mention overlap",
    **{name: name.upper() for name in (
        "muc", "blanc", "lea", "arcs", "las", "uas", "ls", "clas", "mlas", "blex", "upos", "xpos",
        "elas", "eulas",
    )},
}  # fmt: skip


def unit_word(task: str) -> str:
    """What the units of a task are called in sentences."""
    return _UNITS.get(task, "units")


def family_words(family: str) -> str:
    """A family of metrics as papers write it."""
    return _FAMILIES.get(family, family.replace("_", " "))


def metric_words(metric: Metric) -> str:
    """A metric as a sentence names it."""
    if metric.name == metric.family:
        return family_words(metric.family)
    short = metric.short or metric.name
    said = "F1" if short == "f1" else short.replace("_", " ")
    return f"{family_words(metric.family)} {said}".strip()


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What rules look at: results by name, and systems by place from the best to the worst.

    ``codes`` by attribute are ``[unit]`` the buckets; ``drawing`` is that of intervals.
    """

    table: OutcomeTable
    results: Mapping[str, Any]
    metric: Metric
    order: tuple[int, ...]
    codes: Mapping[str, IntArray] = field(default_factory=dict)
    drawing: Drawing = field(default_factory=Drawing)

    @property
    def units(self) -> str:
        return unit_word(self.table.task)

    @property
    def scored(self) -> str:
        """The metric as a sentence names it: F1 alone is the traditional one."""
        return metric_words(self.metric).removeprefix("traditional ")

    @property
    def scored_units(self) -> str:
        """The metric of parts of the units, where that of whole documents has none."""
        found = self.results.get("buckets")
        if found is None or not found.attributes:
            return self.scored
        return metric_words(found.attributes[0].metrics[0]).removeprefix("traditional ")

    def name(self, system: int) -> str:
        return self.table.systems[system]

    def brief(self, system: int) -> str:
        """The name of a system beside a bar of a small figure."""
        return told_apart(list(self.table.systems))[system]

    def score(self, system: int) -> float:
        return float(self.results["score"].overall[self.metric.name][system])

    def units_of(self, number: int) -> str:
        """What so many units are called."""
        return self.units.removesuffix("s") if number == 1 else self.units

    def gold(self) -> Part:
        """The number of gold units."""
        return counted(self.table.n_gold, {"unit": "gold"})

    def reached(self, system: int) -> Part:
        """The score of a system, which leads to its errors."""
        wrong = int(np.count_nonzero(~right(self.table)[:, system]))
        return Part(
            points(self.score(system)), evidence=Evidence.of(wrong, {f"verdict.{system}": "wrong"})
        )

    def share(self, part: Mask, whole: Mask) -> Ends | None:
        """The interval of a share of units."""
        return share_interval(self.table, part, whole, self.drawing)

    def pair(self, one: int, other: int) -> Difference:
        """How two systems differ, whichever of them stands first."""
        pairs: Mapping[Pair, Difference] = self.results["differences"].pairs
        names = Pair(self.name(one), self.name(other))
        return pairs[names] if names in pairs else pairs[Pair(names[1], names[0])]


Rule = Callable[[Facts], Iterator[Finding]]
