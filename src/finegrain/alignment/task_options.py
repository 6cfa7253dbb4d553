"""Which of the options that are given a task takes (``Task.options``).

>>> from finegrain.tasks import by_name
>>> own_options(by_name("dependencies"))
['subtypes', 'punctuation', 'case']
>>> fitting(by_name("dependencies"), {"layer": "tags", "policy": "error", "subtypes": "keep"})
{'subtypes': 'keep'}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from finegrain.errors import UsageError
from finegrain.table import Task

SHARED = (
    "layer",
    "rules",
    "scheme",
    "policy",
    "text",
    "first",
    "missing",
    "repeats",
    "label_schema",
)  # have options of their own


def own_options(task: Task) -> list[str]:
    """Options that only this task has, such as ``match`` of coreference."""
    return [name for name in task.options if name not in SHARED]


def require_own(task: Task, name: str) -> None:
    """Raise unless it is an option that only this task has."""
    known = own_options(task)
    if not known:
        raise UsageError(f"the task {task.name} has no options of its own, such as {name!r}")
    if name not in known:
        raise UsageError.unknown(f"option of the task {task.name}", name, known)


def fitting(task: Task, given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the given options that the task has; rules for labels it lacks are refused.

    >>> from finegrain.corpus.label_rules import LabelRules
    >>> from finegrain.tasks import by_name
    >>> fitting(by_name("coreference"), {"rules": LabelRules(exclude=frozenset(["PER"]))})
    Traceback (most recent call last):
    finegrain.errors.UsageError: labels of the task coreference cannot be renamed or left out \
(map, labels, exclude)
    """
    if given.get("rules") and "rules" not in task.options:
        what = f"labels of the task {task.name} cannot be renamed or left out"
        raise UsageError(f"{what} (map, labels, exclude)")
    return {name: value for name, value in given.items() if name in task.options}
