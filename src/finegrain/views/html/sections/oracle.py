"""Oracle: what systems reach together, the order in which they help, what each adds by label."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.compare.oracle import Oracle
from finegrain.analyses.reports.report import Report
from finegrain.table.verdicts import right
from finegrain.views.html.sections.section import Context
from finegrain.views.html.wording import a, gold_unit


def context(report: Report) -> Context | None:
    """Nothing for a single system, or where no unit is right or wrong."""
    found = report.results.get("oracle")
    if not isinstance(found, Oracle) or not found.units.sum() or not found.judged:
        return None
    total = int(found.units.sum())
    added = np.diff(found.greedy.solved, prepend=0).tolist()
    steps = [
        {
            "system": found.systems[place],
            "place": place,
            "new": new,
            "covered": solved / total,
            "unsolved": int(total - solved),
            "width": 100 * new / max(1, *added[1:]) if at else 100,
            "before": list(found.greedy.order[:at]),
            "unique": int(found.contributions.unique[place]),
        }
        for at, (place, solved, new) in enumerate(
            zip(found.greedy.order, found.greedy.solved, added, strict=True)
        )
    ]
    bound, correct = found.bound(), right(report.table)
    labels = [
        (label, int(units), found.bound(label=label), _lost(report, found, label, correct))
        for label, units in zip(found.labels, found.units.tolist(), strict=True)
        if units
    ]
    labels.sort(key=lambda one: -one[2].gain_over_leader * one[1])
    return {
        "steps": steps,
        "total": total,
        "bound": bound,
        "measure": found.measures[0],
        "labels": labels[:12] if len(labels) > 1 else [],
        "unsolved": total - int(found.greedy.solved[-1]),
        "unit": report.task.words.units,
        "one": a(gold_unit(report.task.words)),
    }


def _lost(report: Report, found: Oracle, label: str, solved: NDArray[np.bool_]) -> Context:
    """Gold units of a label that the best system, all systems, and only the best, are wrong about.

    Each with the conditions that select them; ``solved`` ``[row, system]`` by all.
    """
    table, bound = report.table, found.bound(label=label)
    gold: dict[str, str | int] = {"unit": "gold", "label": label}
    correct = solved[table.is_gold & (table.label == table.labels.index(label))]
    some = correct.any(axis=1)
    lost: Context = {"all": (int((~some).sum()), {**gold, "bin": 0})}
    if bound.best_system is not None:
        best = found.systems.index(bound.best_system)
        wrong = {**gold, f"verdict.{best}": "wrong"}
        lost["best"] = (int((~correct[:, best]).sum()), wrong)
        gained = int((some & ~correct[:, best]).sum())
        lost["gain"] = (gained, {**wrong, "bin": f"1-{len(found.systems)}"})
    return lost
