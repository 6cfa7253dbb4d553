"""Two versions of the gold standard: how the scores move, and which units moved.

>>> from finegrain.corpus import Corpus
>>> from finegrain.analyses.scores.score import score
>>> from finegrain.metrics.span_scores import SPAN_METRICS
>>> from finegrain.tasks.spans import align
>>> text = [["in", "New", "York"]]
>>> old = Corpus.of(text, tags=[["O", "O", "B-LOC"]])
>>> new = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC"]])
>>> tables = align(old, {"s": new}), align(new, {"s": new}), align(old, {"second": new})
>>> scores = score(tables[0], SPAN_METRICS), score(tables[1], SPAN_METRICS)
>>> change = gold_change(*tables, scores)
>>> change.first.value("fair_f1", "s"), change.second.value("fair_f1", "s")
(0.0, 1.0)
>>> [(unit.change, unit.first, unit.second) for unit in change.units]
[('BEL', 'York LOC', 'New York LOC')]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import Printed, number
from finegrain.analyses.scores.score import Scores
from finegrain.corpus import IntArray
from finegrain.metrics.metric import Metric
from finegrain.table import OutcomeTable, Task
from finegrain.table.verdicts import charged

SHOWN = 20  # moved units in the printed table; all of them are in JSON and CSV


class MovedUnit(NamedTuple):
    """A unit that differs between the versions.

    ``change`` is the outcome of the second gold measured against the first; ``first`` and
    ``second`` are the unit with its label in each, empty where it has none; ``outcomes`` holds
    for each system what it was and what it is.
    """

    sentence: int
    change: str
    first: str
    second: str
    outcomes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GoldChange(Printed):
    """Scores against both versions and the units that moved; ``shown``: names of metrics."""

    task: Task
    systems: tuple[str, ...]
    first: Scores
    second: Scores
    shown: tuple[str, ...]
    units: tuple[MovedUnit, ...]
    signature: str
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        one, two = self.first.to_json(), self.second.to_json()
        return {
            name: {
                "first": one[name]["overall"],
                "second": two[name]["overall"],
                "change": {
                    metric.name: number(self._change(metric, place)) for metric in self._shown()
                },
                "moved": [
                    {
                        "sentence": unit.sentence + 1,
                        "change": unit.change,
                        "first": unit.first or None,
                        "second": unit.second or None,
                        "outcome_first": unit.outcomes[place][0] or None,
                        "outcome_second": unit.outcomes[place][1] or None,
                    }
                    for unit in self.units
                ],
            }
            for place, name in enumerate(self.systems)
        }

    def listings(self) -> tuple[Listing, ...]:
        columns = [Column("system")]
        for metric in self._shown():
            columns += (
                Column("first", "score", group=metric.name),
                Column("second", "score", "max", group=metric.name),
                Column("change", "change", group=metric.name),
            )
        rows: list[tuple[Cell, ...]] = []
        for place, name in enumerate(self.systems):
            row: list[Cell] = [name]
            for metric in self._shown():
                row += (
                    float(self.first.overall[metric.name][place]),
                    float(self.second.overall[metric.name][place]),
                    self._change(metric, place),
                )
            rows.append(tuple(row))
        scores = Listing("Scores against both versions of the gold", tuple(columns), tuple(rows))
        return scores, self._units_listing()

    def _units_listing(self) -> Listing:
        columns = (
            Column("sentence", "count"), Column("change"), Column("first"), Column("second"),
            *(Column(name) for name in self.systems),
        )  # fmt: skip
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                unit.sentence + 1, unit.change, unit.first or "-", unit.second or "-",
                *(f"{one or '-'} > {two or '-'}" for one, two in unit.outcomes),
            )
            for unit in self.units[:SHOWN]
        )  # fmt: skip
        shown = f", the first {SHOWN}" if len(self.units) > SHOWN else ""
        return Listing(f"{len(self.units):,} units moved{shown}", columns, rows)

    def records(self) -> Listing:
        """Scores, which have a metric, and moved units, which have a sentence."""
        columns = (
            Column("system"), Column("metric"), Column("sentence", "count"), Column("change"),
            Column("first"), Column("second"), Column("outcome_first"), Column("outcome_second"),
        )  # fmt: skip
        rows: list[tuple[Cell, ...]] = []
        for place, name in enumerate(self.systems):
            for metric in self._shown():
                both = (float(one.overall[metric.name][place]) for one in (self.first, self.second))
                rows.append((name, metric.name, None, self._change(metric, place), *both, "", ""))
            for unit in self.units:
                moved = (unit.sentence + 1, unit.change, unit.first, unit.second)
                rows.append((name, "", *moved, *unit.outcomes[place]))
        return Listing("scores and moved units", columns, tuple(rows))

    def _shown(self) -> list[Metric]:
        return [metric for metric in self.first.metrics if metric.name in self.shown]

    def _change(self, metric: Metric, place: int) -> float:
        one, two = self.first.overall[metric.name], self.second.overall[metric.name]
        return float(two[place] - one[place])


def gold_change(
    first: OutcomeTable,
    second: OutcomeTable,
    between: OutcomeTable,
    scores: tuple[Scores, Scores],
    *,
    also: tuple[str, ...] = (),
) -> GoldChange:
    """Compare scores of the same systems against two versions of the gold.

    ``between`` aligns the first version with the second as its only system.
    ``also``: names of metrics to show beside the main ones.
    """
    one, two = scores
    shown = (*_main(one), *also)
    return GoldChange(
        first.task,
        first.systems,
        one,
        two,
        shown,
        tuple(_moved(first, second, between)),
        f"{one.signature}|also-gold:{second.n_gold}",
        tuple(dict.fromkeys((*one.notes, *two.notes))),
    )


def _main(scores: Scores) -> list[str]:
    """What was asked for; else the metrics that systems are compared by, and F-beta beside them."""
    if scores.asked:
        return [one.name for one in scores.metrics]
    families = {one.family for one in scores.metrics if one.listed.detail == 0}
    return [
        one.name
        for one in scores.overall_metrics()
        if one.family in families
        and (one.listed.detail <= 1 or one.short.endswith("f_beta"))
        and one.short not in ("precision", "recall")
    ]


def _moved(first: OutcomeTable, second: OutcomeTable, between: OutcomeTable) -> list[MovedUnit]:
    moved = np.flatnonzero(charged(between)[:, 0])
    sentences = np.unique(between.sentence[moved])
    rows = [_row_of(table, sentences) for table in (first, second)]
    units = []
    for row in moved.tolist():
        old, new = _both(between, row)
        outcomes = tuple(
            (_outcome(first, rows[0].get(old), system), _outcome(second, rows[1].get(new), system))
            for system in range(first.n_systems)
        )
        change = between.outcomes.names[between.outcome[row, 0]]
        before, after = _named(between, row, old), _named(between, row, new)
        units.append(MovedUnit(int(between.sentence[row]), change, before, after, outcomes))
    return units


Key = tuple[int, tuple[int, ...], str] | None


def _row_of(table: OutcomeTable, sentences: IntArray) -> dict[Key, int]:
    """The row of every gold unit of some sentences, by sentence, tokens and label."""
    rows = np.flatnonzero(np.isin(table.sentence, sentences) & table.is_gold)
    return {_key(table, row): row for row in rows.tolist()}


def _key(table: OutcomeTable, row: int) -> Key:
    return int(table.sentence[row]), table.tokens(row), table.labels[table.label[row]]


def _both(between: OutcomeTable, row: int) -> tuple[Key, Key]:
    """The unit in the first version and in the second."""
    unit = _key(between, row)
    answer = int(between.answer[row, 0])
    if unit is not None and not between.answers_are_rows:
        return unit, (*unit[:2], between.labels[answer]) if answer >= 0 else None
    other = _key(between, answer) if answer >= 0 else None
    return (unit, other) if between.is_gold[row] else (other, unit)


def _outcome(table: OutcomeTable, row: int | None, system: int) -> str:
    return "" if row is None else table.outcomes.names[table.outcome[row, system]]


def _named(between: OutcomeTable, row: int, key: Key) -> str:
    if key is None:
        return ""
    words = between.corpus.sentence(int(between.sentence[row]))
    text = " ".join(words[token] for token in key[1] if token < len(words))
    return f"{text} {key[2]}".strip()
