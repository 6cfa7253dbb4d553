"""What the rules for findings look at: results by name, and systems from the best to the worst.

>>> from finegrain.metrics import METRICS
>>> metric_words(METRICS["traditional_f1"]), metric_words(METRICS["accuracy"])
('traditional F1', 'accuracy')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from finegrain.analyses.compare.difference import Difference
from finegrain.analyses.compare.difference_matrix import Pair
from finegrain.analyses.evidence import GOLD, Evidence, changes, is_wrong, lowers
from finegrain.analyses.reports.claims import NO_CLAIMS, Claims
from finegrain.analyses.reports.finding import (
    Ends,
    Finding,
    Part,
    interval,
    leading,
    told_apart,
)
from finegrain.analyses.reports.graded_units import below_mean, gained
from finegrain.analyses.reports.share_intervals import Counts, Mask, share_interval
from finegrain.analyses.selection.expressions import Expression
from finegrain.analyses.selection.lowered_scores import LoweredScores
from finegrain.corpus import IntArray
from finegrain.metrics.metric import Metric
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import changed, right

ENOUGH = 50  # gold units, for a sentence about them
SLICED = 200_000  # gold units, up to which a page searches slices: of more it would take minutes


def metric_words(metric: Metric) -> str:
    """A metric as a sentence names it: in words, names and abbreviations as tables write them."""
    if metric.name == metric.family:
        return metric.family_words
    if len(metric.heading) > 1 and metric.heading != metric.heading.lower() and not metric.family:
        return metric.heading
    short = metric.short or metric.name
    said = short.replace("_", " ").replace("f1", "F1")
    return f"{metric.family_words} {said}".strip()


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What rules look at: results by name, and systems by place from the best to the worst.

    ``codes`` by attribute are ``[unit]`` the buckets; ``drawing`` is that of intervals;
    ``lowered`` tells, of trees, which words lower which score; ``claims`` is what was tested.
    """

    table: OutcomeTable
    results: Mapping[str, Any]
    metric: Metric
    order: tuple[int, ...]
    codes: Mapping[str, IntArray] = field(default_factory=dict)
    drawing: Drawing = field(default_factory=Drawing)
    lowered: LoweredScores | None = None
    claims: Claims = NO_CLAIMS

    @property
    def units(self) -> str:
        return self.table.task.words.units

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

    def all_systems(self) -> str:
        return "Both systems" if len(self.order) == 2 else "All systems"

    def score(self, system: int) -> float:
        return float(self.results["score"].overall[self.metric.name][system])

    def told(self, score: float) -> str:
        """A score, or a difference of two, as the metric writes it."""
        return self.metric.scale.written(score)

    def ahead(self, one: int, other: int) -> float:
        """By how much the first of two systems is better."""
        first, second = self.score(one), self.score(other)
        return first - second if self.metric.scale.higher else second - first

    @property
    def beyond(self) -> str:
        """Where the score of a better system lies."""
        return "above" if self.metric.scale.higher else "below"

    def interval(self, ends: Ends | None) -> list[Part]:
        """The interval of a score, or of a difference of two."""
        return interval(ends, scale=self.metric.scale)

    def units_of(self, number: int) -> str:
        """What so many units are called."""
        return self.table.task.words.of(number)

    def gold_units(self) -> str:
        """What the gold units are called; of mentions, those with an antecedent are units."""
        return self.table.task.words.gold_of(self.table.n_gold)

    def gold(self) -> Evidence:
        """The gold units."""
        return Evidence.of(self.table.n_gold, GOLD)

    def behind(self, rows: Mask, first: Expression, *others: Expression) -> Evidence:
        """Units ``[unit]`` that all of these select."""
        return Evidence.of(int(np.count_nonzero(rows)), first, *others)

    def errors(self, system: int) -> Evidence:
        """The errors of a system; of graded units, those that are worse than its mean."""
        if self.table.task.value:
            return below_mean(self.table, system)
        return self.behind(~right(self.table)[:, system], is_wrong(self.name(system)))

    def lowering(self, system: int) -> Evidence:
        """What keeps a system's score from 100: its errors; of trees, the words that lower it."""
        name = self.metric.name
        if self.lowered is None or name not in self.lowered.names:
            return self.errors(system)
        return Evidence.of(self.lowered.count(name, system), lowers(self.name(system), name))

    def wrong(self, system: int) -> Evidence:
        """The gold units that a system is wrong about."""
        rows = self.table.is_gold & ~right(self.table)[:, system]
        return self.behind(rows, GOLD, is_wrong(self.name(system)))

    def differing(self, one: int, other: int) -> Evidence:
        """The units that two systems answer differently; graded ones on which one is better."""
        if self.table.task.value:
            return gained(self.table, one, other, "any")
        rows = changed(self.table, one, other)
        return self.behind(rows, changes(self.name(one), self.name(other)))

    def reached(self, system: int, ends: Ends | None = None) -> list[Part]:
        """The score of a system, with its interval, which leads to what keeps it from 100."""
        told = Part(self.told(self.score(system)))
        return leading(self.lowering(system), told, *self.interval(ends))

    def share(self, part: Counts, whole: Counts) -> Ends | None:
        """The interval of a share of units."""
        return share_interval(self.table, part, whole, self.drawing)

    def pair(self, one: int, other: int) -> Difference:
        """How two systems differ, whichever of them stands first."""
        pairs: Mapping[Pair, Difference] = self.results["differences"].pairs
        names = Pair(self.name(one), self.name(other))
        return pairs[names] if names in pairs else pairs[Pair(names[1], names[0])]


Rule = Callable[[Facts], Iterator[Finding]]
