"""``--level``: whole units, or spans token by token as in Gianola et al. (2021).

For ``--level token`` gold and systems are aligned as the task says (``Task.word_level``): spans as
tags. ``units_at`` then leaves out the tokens outside of gold spans; what is invented there is found
without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable, Task


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
