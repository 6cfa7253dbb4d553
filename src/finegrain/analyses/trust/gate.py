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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.interval_cells import interval_notes
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import Printed, number
from finegrain.analyses.selection.expressions import And, Comparison, Field, written
from finegrain.analyses.selection.expressions import Literal as Word
from finegrain.analyses.signature import signature
from finegrain.analyses.trust.gate_rules import (
    CountRule,
    DropRule,
    MarginRule,
    Rule,
    misplaced,
    parse_rule,
)
from finegrain.analyses.trust.gate_scores import Decision, Result, ScoreRule, decided, metric_of
from finegrain.analyses.trust.significance import significance
from finegrain.analyses.units.show import Unit, show
from finegrain.errors import UsageError
from finegrain.metrics.metric import Metric
from finegrain.resampling.pairs import Comparison as Compared
from finegrain.resampling.sampling import effective_number, sampling_of
from finegrain.table import OutcomeTable, Task
from finegrain.table.task import Words
from finegrain.table.verdicts import CHANGES, change, gains, right_or_wrong, stances, value

Policy = Literal["stop", "pass", "fail"]
POLICIES: tuple[Policy, ...] = get_args(Policy)


@dataclass(frozen=True, slots=True)
class Check:
    """A rule and what came of it.

    ``value`` is a number of changes, or the change of a score (new less old); ``found`` of the
    units behind it are selected by ``where``, the first of which are ``units``. ``since``: the
    version that the new one was compared with, where that is not the old one.
    """

    rule: Rule
    result: Result
    reason: str
    value: float
    p: float
    where: str
    found: int
    units: tuple[Unit, ...]
    since: str = ""

    @property
    def name(self) -> str:
        """The rule, and the system that the new one is compared with if it is not the old one."""
        return self.rule.text + (f" (since {self.since})" if self.since else "")

    @property
    def failed(self) -> bool:
        return self.result == "FAILS"

    @property
    def decided(self) -> bool:
        return self.result != "undecided"

    def to_json(self) -> dict[str, Any]:
        return {
            "rule": self.rule.text,
            "since": self.since or None,
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
    """All rules, in the order they were given; ``systems`` are the old and the new one.

    ``policy``: what an undecided rule does.
    """

    task: Task
    systems: tuple[str, ...]
    checks: tuple[Check, ...]
    policy: Policy
    signature: str
    notes: tuple[str, ...]

    @property
    def passed(self) -> bool:
        if self.failures:
            return False
        return self.policy == "pass" or not self.undecided

    @property
    def exit_code(self) -> int:
        """0 if it passes, 1 if it does not, 2 if that cannot be decided."""
        if self.failures or (self.undecided and self.policy == "fail"):
            return 1
        return 2 if self.undecided and self.policy == "stop" else 0

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
            open_ = f", {len(self.undecided)} undecided" if self.undecided else ""
            return f"{new} passes: no rule of {len(self.checks)} fails{open_}"
        counts = {"fail": len(self.failures), "cannot be decided": len(self.undecided)}
        what = " and ".join(
            f"{count} of {len(self.checks)} rules {how}" for how, count in counts.items() if count
        )
        return f"{new} does not pass: {what}"

    def to_json(self) -> dict[str, Any]:
        return {
            "passed": self.passed,
            "undecided": self.policy,
            "checks": [check.to_json() for check in self.checks],
        }

    def listings(self) -> tuple[Listing, ...]:
        columns = (Column("rule"), Column("result"), Column("why"))
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (check.name, check.result, check.reason) for check in self.checks
        )
        shown = Listing(self.headline(), columns, rows)
        return (shown, *(self._broken(check) for check in self.failures if check.units))

    def _broken(self, check: Check) -> Listing:
        """The units behind a rule that fails."""
        (old, new), words = self.systems, self.task.words
        old = check.since or old
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
        title = f"{check.name}: {check.found:,} {units}{first}"
        return Listing(title, columns, rows, f"show --where {shlex.quote(check.where)}")

    def records(self) -> Listing:
        columns = (
            Column("rule"), Column("result"), Column("reason"), Column("value"), Column("p"),
            Column("found", "count"), Column("where"),
        )  # fmt: skip
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                check.name, check.result, check.reason,
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
    since: str | None = None,
    pushes: int = 1,
    undecided: Policy = "stop",
    resamples: int = 10_000,
    seed: int = 1,
    assume_independent: bool = False,
) -> Gate:
    """Whether the second of two systems may take the place of the first.

    Parameters
    ----------
    rules: when it may not: ``new_errors[PER] > 5`` or ``fair.f1 drops 0.3 at p < .05``; or what it
        must show: ``fair.f1 not worse than 0.5``
    systems: the old and the new one, of more; default: the two of the table
    examples: number of units shown of every rule that fails
    since: another system of the table, such as the first release: rules about scores must hold
        since then, too, so that small losses do not add up
    pushes: how many times the gate will be asked on this test set; they share the p of a rule
    undecided: what a rule does that cannot be decided: ``stop`` (no pass, no failure), ``pass`` or
        ``fail``
    resamples, seed: of the randomisation test
    assume_independent: sentences of a document do not depend on each other
    """
    parsed = _parsed(rules, pushes, undecided)
    every, table = table, _pair(table, systems)
    pairs = {"": table} | ({since: _pair(every, [since, table.systems[1]])} if since else {})
    kind = sampling_of(table, kind="sentence" if assume_independent else None).kind

    @cache
    def compare(version: str, metric: Metric) -> Compared:
        tested = significance(
            pairs[version], metric, resamples=resamples, seed=seed,
            assume_independent=assume_independent,
        )  # fmt: skip
        return tested.pair(*pairs[version].systems)

    def of_rule(rule: Rule) -> Iterator[Check]:
        if isinstance(rule, CountRule):
            yield _count(table, rule, examples)
            return
        metric = metric_of(table, rule)
        for version, pair in pairs.items():
            found = compare(version, metric)
            decision = decided(rule, metric, found, sample=kind, pushes=pushes)
            yield _scored(pair, rule, decision, examples, version)

    checks = tuple(check for rule in parsed for check in of_rule(rule))
    tests = sum(_tests(check.rule) for check in checks)
    notes = _notes(table, tests, pushes, assume_independent=assume_independent)
    said = {"rules": str(len(rules)), "resamples": str(resamples), "seed": str(seed)}
    said |= {"pushes": str(pushes)} if pushes > 1 else {}
    told = (*table.notes, *notes)
    return Gate(table.task, table.systems, checks, undecided, signature(table, **said), told)


def _parsed(rules: Sequence[str], pushes: int, undecided: Policy) -> list[Rule]:
    """The rules, if all that is said of them makes sense."""
    if isinstance(rules, str):
        raise UsageError(f"rules is a list: [{rules!r}]")
    if not rules:
        raise UsageError("a gate needs a rule: --fail-if 'new_errors > 5'")
    if pushes < 1:
        raise UsageError(f"pushes is how often the gate is asked, 1 or more, not {pushes}")
    if undecided not in POLICIES:
        raise UsageError.unknown("policy", undecided, POLICIES)
    return [parse_rule(rule) for rule in rules]


def _tests(rule: Rule) -> bool:
    return isinstance(rule, MarginRule) or (isinstance(rule, DropRule) and rule.p is not None)


def _notes(
    table: OutcomeTable, tests: int, pushes: int, *, assume_independent: bool
) -> Iterator[str]:
    """What must be known of the tests, if there are any."""
    if not tests:
        return
    if tests > 1:
        yield f"{tests} tests, p not corrected for their number"
    if pushes > 1:
        yield (
            f"{pushes:,} pushes share the p of each rule: one of them alone is held against a p "
            f"that is {pushes:,} times smaller"
        )
    sampling = sampling_of(table)
    effective = effective_number(table, sampling) if sampling.kind == "document" else math.inf
    yield from interval_notes(
        sampling.kind, missing=False, independent=assume_independent, effective=effective
    )


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


def _scored(
    table: OutcomeTable, rule: ScoreRule, decision: Decision, examples: int, since: str
) -> Check:
    """A rule about a score, with the units that got worse."""
    kind = "new_error" if right_or_wrong(table) else "worse"
    count = int(np.count_nonzero(_broken(table, kind)))
    failed = decision.result == "FAILS"
    where, units = _behind(table, kind, None, examples if failed else 0)
    return Check(rule, *decision, where, count, units, since)
