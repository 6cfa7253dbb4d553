"""Everything about a table at once: findings, all results, and units to look at.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=3_000, seed=1)
>>> report = fg.report(fg.align(play.gold, play.systems))
>>> list(report.results)[:4]
['score', 'significance', 'errors', 'confusion']
>>> 5 <= len(report.findings) <= 10
True

``report.save("report.html")`` writes one page that opens from disk and needs nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from finegrain.analyses.listing import Column, Listing
from finegrain.analyses.reports.embedded_units import EmbeddedUnits
from finegrain.analyses.reports.facts import Facts
from finegrain.analyses.reports.finding import Finding
from finegrain.analyses.reports.findings import findings
from finegrain.analyses.result import Printed, Result
from finegrain.analyses.signature import signature
from finegrain.analyses.trust.slices import Slices
from finegrain.corpus import IntArray
from finegrain.metrics.metric import Metric
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable, Task


def brackets(findings: tuple[Finding, ...]) -> str:
    """What stands in brackets, if anything does."""
    some = any(part.style == "interval" for one in findings for part in one.parts)
    return "In brackets: 95 % intervals." if some else ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Report(Printed):
    """Results by the name of their command, and what they come to.

    ``order``: systems by place from the best to the worst by ``metric``, the first name first among
    equals. ``units`` are those that a page holds.
    """

    table: OutcomeTable
    title: str
    metric: Metric
    order: tuple[int, ...]
    results: Mapping[str, Result]
    findings: tuple[Finding, ...]
    units: EmbeddedUnits
    signature: str
    notes: tuple[str, ...]

    @property
    def task(self) -> Task:
        return self.table.task

    @property
    def systems(self) -> tuple[str, ...]:
        return self.table.systems

    def to_json(self) -> dict[str, Any]:
        """Findings, and every result as its own command prints it."""
        return {
            "title": self.title,
            "metric": self.metric.name,
            "findings": [finding.to_json() for finding in self.findings],
            "results": {
                name: {"signature": result.signature, "result": result.to_json()}
                for name, result in self.results.items()
            },
        }

    def listings(self) -> tuple[Listing, ...]:
        columns = (Column("#", "count"), Column("finding"))
        rows = tuple((place, finding.text) for place, finding in enumerate(self.findings, 1))
        scores = self.results["score"].listings()[:1]
        return (Listing(self.title, columns, rows, brackets(self.findings)), *scores)

    def records(self) -> Listing:
        columns = (
            Column("rule"), Column("section"), Column("n", "count"), Column("low", "score"),
            Column("high", "score"), Column("finding"),
        )  # fmt: skip
        none = (None, None)
        rows = tuple(
            (one.rule, one.section, one.n, *(one.interval or none), one.text)
            for one in self.findings
        )
        return Listing("findings", columns, rows)


def report(
    table: OutcomeTable,
    results: Mapping[str, Result],
    metric: Metric,
    *,
    title: str,
    units: EmbeddedUnits,
    codes: Mapping[str, IntArray],
    drawing: Drawing,
) -> Report:
    """Put results together; ``results`` has at least ``score``, with the metric in it.

    ``codes`` by attribute are ``[unit]`` the buckets of results; ``drawing`` is that of intervals.
    """
    order = ranked(table.systems, results["score"].overall[metric.name])  # type: ignore[attr-defined]  # it is Scores
    facts = Facts(table, results, metric, order, codes, drawing, units.lowered)
    told = (one for one in results.values() if not isinstance(one, Slices))  # these tell their own
    notes = dict.fromkeys(note for result in told for note in result.notes)
    return Report(
        table,
        title,
        metric,
        order,
        results,
        findings(facts),
        units,
        signature(table, metric=metric.name),
        tuple(notes),
    )


def ranked(names: tuple[str, ...], values: np.ndarray[Any, Any]) -> tuple[int, ...]:
    """Places from the highest value to the lowest; undefined ones last, equals by name.

    >>> ranked(("a", "b", "c"), np.array([0.5, np.nan, 0.9]))
    (2, 0, 1)
    """
    known = np.nan_to_num(values, nan=-np.inf).tolist()
    return tuple(sorted(range(len(names)), key=lambda place: (-known[place], names[place])))
