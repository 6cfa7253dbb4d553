"""``--level``: whole units, or spans token by token as in Gianola et al. (2021).

A command that declares ``level: LevelOption = "unit"`` gets, for ``--level token``, gold and
systems aligned as the task says (``Task.word_level``): spans as tags. ``units_at`` then leaves out
the tokens outside of gold spans; what is invented there is found without it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable, Task

LEVELS = ("unit", "token")
LevelOption = Annotated[
    str,
    typer.Option(
        "--level",
        metavar="unit|token",
        help="Whole units, or the tokens of gold spans, right if the tag is the same (for spans "
        "that are given as tags).",
    ),
]


def aligned_for(inputs: Inputs, level: str) -> Inputs:
    """The inputs as a level wants them aligned."""
    if level not in LEVELS:
        raise UsageError.unknown("level", level, LEVELS)
    return replace(inputs, level=level)


def task_at(task: Task, level: str) -> Task:
    """The task as which units of a task are aligned at a level."""
    from finegrain.tasks import by_name

    if level != "token":
        return task
    if not task.word_level:
        raise UsageError(f"--level token is for spans that are given as tags, not {task}")
    return by_name(task.word_level)


def units_at(table: OutcomeTable, level: str) -> OutcomeTable:
    """The units of a level."""
    from finegrain.table.outside import within_spans

    return within_spans(table) if level == "token" else table
