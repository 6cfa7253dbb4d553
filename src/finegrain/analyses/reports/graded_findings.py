"""Rules for findings that describe graded units: what is far off for all, what choosing would give.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> report = fg.report(fg.align(*small_corpora("regression"), task="regression"))
>>> [one.rule for one in report.findings][:1]
['leaders']

What systems are weak at is told by the same rules as of other units (``weakness_findings``).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from finegrain.analyses.compare.oracle import Oracle
from finegrain.analyses.evidence import GOLD
from finegrain.analyses.reports.facts import ENOUGH, Facts
from finegrain.analyses.reports.finding import (
    Finding,
    Part,
    leading,
    listed,
    number,
    percent,
    strong,
)
from finegrain.analyses.reports.graded_units import beyond, worse_than, worse_than_limit
from finegrain.analyses.trust.slice_listings import in_words as measure_words
from finegrain.table.scale import Scale
from finegrain.table.verdicts import value

_QUARTER = 0.25


def value_words(facts: Facts) -> str:
    """``absolute error``."""
    return measure_words(facts.table.task.value)


def _scale(facts: Facts) -> Scale:
    return value(facts.table).scale


def far_off(facts: Facts) -> Iterator[Finding]:
    """Units that are in the quarter with the least good values of every system."""
    table, scale = facts.table, _scale(facts)
    matrix, gold = value(table).matrix, table.is_gold
    if len(facts.order) < 2 or table.n_gold < ENOUGH or np.isnan(matrix[gold]).all(axis=0).any():
        return
    share = _QUARTER if scale.higher else 1 - _QUARTER
    limits = {
        system: f"{np.nanquantile(matrix[gold, system], share):.4g}" for system in facts.order
    }
    rows = gold.copy()
    for system, limit in limits.items():
        rows &= worse_than(table, system, float(limit))
    beyond_limits = (
        worse_than_limit(table, facts.name(system), limit) for system, limit in limits.items()
    )
    all_of_them = facts.behind(rows, GOLD, *beyond_limits)
    if not all_of_them.count:
        return
    side, quarter = ("below", "lowest") if scale.higher else ("above", "highest")
    told = [
        Part(f"{scale.written(float(limits[system]))} of {facts.name(system)}")
        for system in facts.order
    ]
    many = f"all {len(facts.order)} systems" if len(facts.order) > 2 else "both systems"
    are = "is" if all_of_them.count == 1 else "are"
    parts = (
        number(all_of_them),
        Part(" of "),
        number(facts.gold()),
        Part(f" {facts.units_of(table.n_gold)} ("),
        *leading(all_of_them, Part(percent(all_of_them.count, table.n_gold))),
        Part(f") {are} in the {quarter} quarter of {many} ({value_words(facts)} {side} "),
        *listed(told),
        Part(")."),
    )
    yield Finding("far_off", parts, "difficulty", all_of_them.count)


def together(facts: Facts) -> Iterator[Finding]:
    """What choosing the best output for every unit would reach."""
    found = facts.results.get("oracle")
    graded = found.graded if isinstance(found, Oracle) else None
    if graded is None or not graded.units or not graded.gain > 0:
        return
    best = facts.table.system(graded.best_system)
    mean = graded.level(graded.greedy.sums[0])
    parts = (
        Part(f"Whoever chose the best system for every {facts.table.task.words.unit} would reach a "
             f"mean {value_words(facts)} of {graded.scale.written(graded.oracle)}, where "),
        strong(graded.best_system),
        Part(" alone reaches "),
        *leading(beyond(facts.table, best, mean), Part(graded.scale.written(mean))),
        Part("."),
    )  # fmt: skip
    yield Finding("oracle", parts, "oracle", graded.units)
