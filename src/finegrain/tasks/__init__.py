"""Tasks turn gold and systems into an outcome table: one file per task, one line in ``TASKS``.

>>> sorted(TASKS)
['coreference', 'dependencies', 'items', 'spans', 'tags']
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus
from finegrain.errors import InputError
from finegrain.plugins import Late, find
from finegrain.table import (
    COREFERENCE_OUTCOMES,
    DEPENDENCY_OUTCOMES,
    ITEM_OUTCOMES,
    SPAN_OUTCOMES,
    TAG_OUTCOMES,
    Inventory,
    OutcomeTable,
)
from finegrain.tasks import items, spans, tags
from finegrain.tasks.kind_of_tags import kind_of_tags
from finegrain.tasks.same_text import Systems
from finegrain.tasks.side_by_side import require_decided

__all__ = ["TASKS", "Systems", "Task", "by_name", "guess"]


def every_unit(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[unit, system]`` true throughout: every system answers every unit."""
    return np.ones(table.outcome.shape, bool)


@dataclass(frozen=True, slots=True)
class Task:
    """What is decided (the unit), what can happen to it, and how gold and systems are aligned.

    ``require_own`` raises ``ValueError`` for a table that lacks what the task adds to it.
    ``predicted``: ``[unit, system]`` which units of a table are a system's own.
    """

    name: str
    summary: str
    unit: str
    inventory: Inventory
    align: Callable[..., OutcomeTable]
    require_own: Callable[[OutcomeTable], None] | None = None
    predicted: Callable[[OutcomeTable], NDArray[np.bool_]] = every_unit


TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        Task(
            "spans",
            "labelled spans, flat or nested: entities, chunks, fields",
            "every distinct gold or predicted span",
            SPAN_OUTCOMES,
            spans.align,
            predicted=spans.predicted,
        ),
        Task(
            "tags",
            "one label per token: parts of speech, morphology",
            "every token",
            TAG_OUTCOMES,
            tags.align,
        ),
        Task(
            "dependencies",
            "a head and a relation for each word: dependency trees",
            "every gold word",
            DEPENDENCY_OUTCOMES,
            Late("finegrain.tasks.dependencies:align"),
            require_own=Late("finegrain.tasks.own_columns:require_trees"),
        ),
        Task(
            "coreference",
            "mentions in chains: who or what is the same in a document",
            "every gold mention with an antecedent, and every other mention given one",
            COREFERENCE_OUTCOMES,
            Late("finegrain.tasks.coreference:align"),
            require_own=Late("finegrain.tasks.own_columns:require_chains"),
            predicted=Late("finegrain.tasks.coreference:predicted"),
        ),
        Task(
            "items",
            "right or wrong and nothing more: a 0/1 table of units and systems",
            "every item",
            ITEM_OUTCOMES,
            items.align,
        ),
    )
}


def by_name(name: str) -> Task:
    """A task by its name."""
    found: Task = find("tasks", name, TASKS)
    return found


def guess(gold: Corpus, *, layer: str = "tags") -> Task:
    """The task of a corpus, when its content leaves no doubt.

    Spans, if the file holds spans or every tag is O or has a prefix (B-PER); tags, if no tag
    but O has one and they are no numbers; items, if it holds 0 and 1 for every system;
    dependencies, if its columns are named as heads and relations; coreference, if it holds chains
    of mentions. CoNLL-U holds parts of speech and trees: it counts as tags.
    """
    require_decided(gold, layer)
    if gold.holds_items:
        return TASKS["items"]
    if gold.spans is not None:
        return TASKS["spans"]
    if layer not in gold.layers and {"head", "deprel"}.issubset(gold.layers):
        return TASKS["dependencies"]
    if gold.clusters is not None:
        if layer in gold.layers and set(gold.layers[layer].names) != {"_"}:
            raise InputError.at(
                gold.source, 0, "the task is not certain: there are tags and chains of mentions",
                "Say --task coreference, --task tags or, for trees, --task dependencies.",
            )  # fmt: skip
        return TASKS["coreference"]
    return TASKS[kind_of_tags(gold, layer)]
