"""The units behind the most frequent changes between two systems, each in its sentence."""

from __future__ import annotations

import shlex

from rich.console import Console
from rich.text import Text

from finegrain.analyses.compare.difference import Difference
from finegrain.analyses.compare.difference_listings import SHOWN
from finegrain.analyses.compare.gains import Gains
from finegrain.table import Task
from finegrain.table.verdicts import CHANGES
from finegrain.views.escape import visible
from finegrain.views.instances import print_unit


def print_change_examples(console: Console, found: Difference) -> None:
    """For every change in the printed tables its examples, and how to see all of them."""
    if found.gains is not None:
        for what in ("gains", "losses"):
            _print_largest(console, found.gains, what, found.task)
    for kind in CHANGES if found.judged else ():
        for change in found.changes(kind)[:SHOWN]:
            if not change.units:
                continue
            answers = f"{found.told(change.before)} -> {found.told(change.after)}"
            told = [kind.replace("_", " "), *([f"gold {change.gold}"] if change.gold else [])]
            head = f"{', '.join(told)}: {answers}, {len(change.units):,} of {change.count:,}"
            console.print(Text(visible(head), style="bold"))
            where = shlex.quote(found.selection(kind, change))
            console.print(Text(visible(f"show --where {where}"), style="dim"))
            for unit in change.units:
                print_unit(console, unit, found.task)


def _print_largest(console: Console, found: Gains, what: str, task: Task) -> None:
    """The units with the largest gains or losses that were asked for."""
    largest = found.largest_gains if what == "gains" else found.largest_losses
    for one in largest:
        if one.unit is not None:
            values = " -> ".join(found.scale.written(value) for value in (one.one, one.other))
            head = f"largest {what}: {found.value} {values}"
            console.print(Text(visible(head), style="bold"))
            print_unit(console, one.unit, task)
