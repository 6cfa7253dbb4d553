"""A gate: may the new version of a system take the place of the old one?

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> found = fg.gate(table, ["new_errors[PER] > 0", "fair.f1 drops 0.3"])
>>> found.passed
False
>>> [check.reason for check in found.checks]
['1 new error of PER, 0 allowed', 'fair_f1 falls by 26.92 points']

Rules are read by ``gate_rules``. What broke is shown: the units behind every rule that fails.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.interval_cells import interval_notes
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.p_values import told_p
from finegrain.analyses.result import Printed, number
from finegrain.analyses.selection.expressions import And, Comparison, Field, written
from finegrain.analyses.selection.expressions import Literal as Word
from finegrain.analyses.signature import signature
from finegrain.analyses.trust.gate_rules import (
    POINTS,
    CountRule,
    DropRule,
    Rule,
    beyond,
    misplaced,
    parse_rule,
)
from finegrain.analyses.trust.significance import significance
from finegrain.analyses.units.show import Unit, show
from finegrain.errors import UsageError
from finegrain.metrics.choosing import chosen
from finegrain.metrics.metric import Metric, require_applicable
from finegrain.resampling.pairs import Comparison as Compared
from finegrain.resampling.sampling import sampling_of
from finegrain.table import OutcomeTable, Task
from finegrain.table.task import Words
from finegrain.table.verdicts import CHANGES, change, gains, right_or_wrong, stances, value

Compare = Callable[[Metric], Compared]
Result = Literal["passes", "FAILS", "undecided"]


@dataclass(frozen=True, slots=True)
class Check:
    """A rule and what came of it.

    ``value`` is a number of changes, or the change of a score (new less old); ``found`` of the
    units behind it are selected by ``where``, the first of which are ``units``.
    """

    rule: Rule
    result: Result
    reason: str
    value: float
    p: float
    where: str
    found: int
    units: tuple[Unit, ...]

    @property
    def failed(self) -> bool:
        return self.result == "FAILS"

    @property
    def decided(self) -> bool:
        return self.result != "undecided"

    def to_json(self) -> dict[str, Any]:
        return {
            "rule": self.rule.text,
            "failed": self.failed,
            "decided": self.decided,
            "reason": self.reason,
            "value": number(self.value),
            "p": number(self.p),
            "where": self.where,
            "found": self.found,
            "units": [unit.to_json() for unit in self.units],
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Gate(Printed):
    """All rules, in the order they were given; ``systems`` are the old and the new one."""

    task: Task
    systems: tuple[str, ...]
    checks: tuple[Check, ...]
    signature: str
    notes: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return not self.failures and not self.undecided

    @property
    def failures(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.failed)

    @property
    def undecided(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if not check.decided)

    def headline(self) -> str:
        """``new does not pass: 2 of 3 rules fail``."""
        new = self.systems[1]
        if self.passed:
            return f"{new} passes: no rule of {len(self.checks)} fails"
        counts = {"fail": len(self.failures), "cannot be decided": len(self.undecided)}
        what = " and ".join(
            f"{count} of {len(self.checks)} rules {how}" for how, count in counts.items() if count
        )
        return f"{new} does not pass: {what}"

    def to_json(self) -> dict[str, Any]:
        return {"passed": self.passed, "checks": [check.to_json() for check in self.checks]}

    def listings(self) -> tuple[Listing, ...]:
        columns = (Column("rule"), Column("result"), Column("why"))
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (check.rule.text, check.result, check.reason) for check in self.checks
        )
        shown = Listing(self.headline(), columns, rows)
        return (shown, *(self._broken(check) for check in self.failures if check.units))

    def _broken(self, check: Check) -> Listing:
        """The units behind a rule that fails."""
        (old, new), words = self.systems, self.task.words
        context = () if "texts" in self.task.has else (words.place,)  # items are their own
        columns = tuple(
            map(Column, ("place", "text", "gold", f"{old} (old)", f"{new} (new)", *context))
        )
        rows = tuple(
            (
                place_of(unit, words),
                unit.text,
                unit.mark.told if unit.is_gold else "nothing",
                *(answer.told for answer in unit.answers),
                *([" ".join(unit.words)] if context else []),
            )
            for unit in check.units
        )
        first = f", the first {len(rows)}" if len(rows) < check.found else ""
        units = "unit" if check.found == 1 else "units"
        title = f"{check.rule.text}: {check.found:,} {units}{first}"
        return Listing(title, columns, rows, f"show --where {shlex.quote(check.where)}")

    def records(self) -> Listing:
        columns = (
            Column("rule"), Column("result"), Column("reason"), Column("value"), Column("p"),
            Column("found", "count"), Column("where"),
        )  # fmt: skip
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                check.rule.text, check.result, check.reason,
                check.value, check.p, check.found, check.where,
            )
            for check in self.checks
        )  # fmt: skip
        return Listing("gate", columns, rows)


def place_of(unit: Unit, words: Words) -> str:
    """Where a unit stands: its line, or its sentence."""
    return f"line {unit.line}" if unit.line else f"{words.place} {unit.sentence + 1}"


def gate(
    table: OutcomeTable,
    rules: Sequence[str],
    *,
    systems: Sequence[str] | None = None,
    examples: int = 10,
    resamples: int = 10_000,
    seed: int = 1,
    assume_independent: bool = False,
) -> Gate:
    """Whether the second of two systems may take the place of the first.

    Parameters
    ----------
    rules: when it may not: ``new_errors[PER] > 5`` or ``fair.f1 drops 0.3 at p < .05``
    systems: the old and the new one, of more; default: the two of the table
    examples: number of units shown of every rule that fails
    resamples, seed: of the randomisation test
    assume_independent: sentences of a document do not depend on each other
    """
    if isinstance(rules, str):
        raise UsageError(f"rules is a list: [{rules!r}]")
    table = _pair(table, systems)
    if not rules:
        raise UsageError("a gate needs a rule: --fail-if 'new_errors > 5'")
    parsed = [parse_rule(rule) for rule in rules]

    @cache
    def compare(metric: Metric) -> Compared:
        tested = significance(
            table, metric, resamples=resamples, seed=seed, assume_independent=assume_independent
        )
        return tested.pair(*table.systems)

    checks = tuple(
        _count(table, rule, examples)
        if isinstance(rule, CountRule)
        else _drop(table, rule, compare, examples)
        for rule in parsed
    )
    tests = sum(isinstance(rule, DropRule) and rule.p is not None for rule in parsed)
    notes = [f"{tests} tests, p not corrected for their number"] if tests > 1 else []
    notes += interval_notes(sampling_of(table).kind, missing=False) if tests else []
    said = {"rules": str(len(rules)), "resamples": str(resamples), "seed": str(seed)}
    return Gate(table.task, table.systems, checks, signature(table, **said), (*table.notes, *notes))


def _pair(table: OutcomeTable, systems: Sequence[str] | None) -> OutcomeTable:
    """The table with the old and the new system."""
    names = list(table.systems if systems is None else systems)
    places = [table.system(name) for name in names]
    if len(places) != 2 or places[0] == places[1]:
        told = ", ".join(names)
        what = f"a gate compares two systems, the old and the new one; here are {len(names)}"
        raise UsageError(f"{what} ({told}): name two with --systems OLD,NEW (systems=)")
    return table if systems is None else table.only(places)


def _count(table: OutcomeTable, rule: CountRule, examples: int) -> Check:
    if rule.kind in CHANGES and not right_or_wrong(table):
        what = f"{table.task.words.units} are graded, not right or wrong: count worse, or write "
        raise misplaced(rule, 0, UsageError(f"{what}METRIC drops POINTS"))
    rows = _broken(table, rule.kind)
    if rule.label is not None:
        if rule.label not in table.labels:
            raise misplaced(
                rule, rule.label_at, UsageError.unknown("label", rule.label, table.labels)
            )
        rows = rows & (table.label == table.labels.index(rule.label))
    count = int(np.count_nonzero(rows))
    failed = count > rule.limit if rule.operator == ">" else count >= rule.limit
    of = "" if rule.label is None else f" of {rule.label}"
    allowed = rule.limit if rule.operator == ">" else rule.limit - 1
    kind = rule.kind.replace("_", " ") + ("" if count == 1 else "s")
    worse = f"{table.task.words.of(count)}{of} worse"
    reason = f"{count:,} {worse if rule.kind == 'worse' else kind + of}, "
    reason += f"{max(allowed, 0):,} allowed"
    where, units = _behind(table, rule.kind, rule.label, examples if failed else 0)
    result: Result = "FAILS" if failed else "passes"
    return Check(rule, result, reason, count, math.nan, where, count, units)


def _broken(table: OutcomeTable, kind: str) -> NDArray[np.bool_]:
    """``[unit]`` where the new system has this change, or is worse by more than a tie."""
    if kind == "worse":
        lost: NDArray[np.bool_] = gains(table, 0, 1) < -value(table).scale.tie
        return lost
    found: NDArray[np.bool_] = change(*stances(table, [0, 1])) == CHANGES.index(kind)
    return found


def _condition(table: OutcomeTable, kind: str) -> Comparison:
    """The same as a selection."""
    old, new = table.systems
    if kind == "worse":
        tie = value(table).scale.tie
        return Comparison(Field("gain", old, other=new), "<", Word(f"{-tie:g}" if tie else "0"))
    return Comparison(Field("change", old, other=new), "=", Word(kind))


def _behind(
    table: OutcomeTable, kind: str, label: str | None, examples: int
) -> tuple[str, tuple[Unit, ...]]:
    """The selection of changed units, and the first of them."""
    parts = [_condition(table, kind)]
    if label is not None:
        parts.insert(0, Comparison(Field("label"), "=", Word(label)))
    where = written(And(tuple(parts)) if len(parts) > 1 else parts[0])
    return where, tuple(show(table, where, limit=examples).units()) if examples else ()


def _drop(
    table: OutcomeTable,
    rule: DropRule,
    compare: Compare,
    examples: int,
) -> Check:
    try:
        metric = _metric_named(table.task, rule.metric)
        require_applicable(table, [metric])
    except UsageError as error:
        raise misplaced(rule, rule.metric_at, error) from None
    if metric.scale.shown == "percent" and rule.points > POINTS:
        raise misplaced(rule, rule.points_at, UsageError(beyond(POINTS)))
    found = compare(metric)
    kind = "new_error" if right_or_wrong(table) else "worse"
    where, _ = _behind(table, kind, None, 0)
    count = int(np.count_nonzero(_broken(table, kind)))
    p = found.p if rule.p is not None else math.nan
    lost = -float(metric.scale.quality(np.array(found.difference))) * metric.scale.points
    far = lost >= rule.points - 1e-9
    reason, why = _moved(metric, found.difference), ""
    if math.isnan(found.difference):
        why = f"{metric.name} is undefined"
    elif far and rule.p is not None and math.isnan(found.p):
        why = f"{reason}, on too little text for a test"
    if why:
        return Check(rule, "undecided", why, found.difference, p, where, count, ())
    failed = far and (rule.p is None or found.p < rule.p)
    reason += f", {told_p(found.p)}" if rule.p is not None and not math.isnan(found.p) else ""
    where, units = _behind(table, kind, None, examples if failed else 0)
    result: Result = "FAILS" if failed else "passes"
    return Check(rule, result, reason, found.difference, p, where, count, units)


def _moved(metric: Metric, difference: float) -> str:
    """``f1 falls by 0.30 points``, ``mse (less is better) rises by 0.300``."""
    moved = "falls" if difference < 0 else "rises" if difference > 0 else "stays"
    name = metric.name if metric.scale.higher else f"{metric.name} (less is better)"
    points = " points" if metric.scale.shown == "percent" else ""
    far = metric.scale.written(abs(difference))
    return f"{name} {moved}" + (f" by {far}{points}" if difference else "")


def _metric_named(task: Task, name: str) -> Metric:
    """``fair.f1`` is the F1 of the family fair; everything else goes by its name."""
    family, dot, short = name.partition(".")
    if not dot:
        return chosen(task, name)
    known: dict[str, Metric] = task.all_metrics()
    for one in known.values():
        if one.family == family and one.short == short:
            return one
    named = [f"{one.family}.{one.short}" for one in known.values() if one.family and one.short]
    plain = [one.name for one in known.values() if not (one.family and one.short)]
    raise UsageError.unknown("metric", name, dict.fromkeys([*named, *plain]))
