"""Tasks: one file each, one line in ``TASKS``; what is special about a task stands in its file.

>>> sorted(TASKS)
['classification', 'clustering', 'coreference', 'dependencies', 'extraction', 'generation',
 'items', 'minimal_pairs', 'multilabel', 'perplexity', 'qa', 'ranking', 'ratings', 'regression',
 'representations', 'segmentation', 'spans', 'tags']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from finegrain.alignment.same_text import Systems
from finegrain.alignment.side_by_side import require_decided
from finegrain.corpus import LAYER, Corpus
from finegrain.corpus.items import clustered
from finegrain.errors import InputError
from finegrain.plugins import everything, find
from finegrain.table import OutcomeTable
from finegrain.table.doubts import require_no_doubt
from finegrain.table.task import Task
from finegrain.tasks.classification import CLASSIFICATION
from finegrain.tasks.clustering import CLUSTERING
from finegrain.tasks.coreference import COREFERENCE
from finegrain.tasks.dependencies import DEPENDENCIES
from finegrain.tasks.generation import GENERATION
from finegrain.tasks.items import ITEMS
from finegrain.tasks.minimal_pairs import MINIMAL_PAIRS
from finegrain.tasks.multilabel import MULTILABEL
from finegrain.tasks.perplexity import PERPLEXITY
from finegrain.tasks.qa import QA
from finegrain.tasks.ranking import RANKING
from finegrain.tasks.ratings import RATINGS
from finegrain.tasks.regression import REGRESSION
from finegrain.tasks.representations import REPRESENTATIONS
from finegrain.tasks.segmentation import SEGMENTATION
from finegrain.tasks.spans import EXTRACTION, SPANS
from finegrain.tasks.tags import TAGS

__all__ = ["TASKS", "Task", "align", "by_name", "guess", "known"]

TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        *(SPANS, TAGS, DEPENDENCIES, COREFERENCE),
        *(ITEMS, QA, RATINGS, MULTILABEL, CLASSIFICATION, REGRESSION, RANKING, CLUSTERING),
        PERPLEXITY,
        GENERATION,
        REPRESENTATIONS,
        EXTRACTION,
        SEGMENTATION,
        MINIMAL_PAIRS,
    )
}


def known() -> dict[str, Task]:
    """All tasks by name, plug-ins behind the built-in ones."""
    return everything("tasks", TASKS)


def by_name(name: str) -> Task:
    """A task by its name."""
    found: Task = find("tasks", name, TASKS)
    return found


def guess(gold: Corpus, *, layer: str = LAYER) -> Task:
    """The task of a corpus, when its content leaves no doubt; built-in tasks are asked first.

    Spans, if the file holds spans or every tag is O or has a prefix (B-PER); tags, if no tag
    but O has one and they are not numbers; items, if it holds 0 and 1 for every system;
    dependencies, if its columns are named as heads and relations; coreference, if it holds chains
    of mentions. CoNLL-U holds parts of speech and trees: it counts as tags.
    """
    require_decided(gold, layer)
    for task in TASKS.values():
        if task.recognise(gold, layer):
            return task
    every = known()
    for task in every.values():
        if task.recognise(gold, layer):
            return task
    of_format = [name for name, task in every.items() if gold.format in task.formats]
    others = [name for name, task in every.items() if not task.formats]
    mend = f"Say --task {_either(of_format or others)} (in Python: task=)."
    names = [name for name in gold.fields if not name.startswith("@")]
    if of_format and len(names) > 1:
        columns = ", ".join(names)
        mend += f" The columns are {columns}: --columns label=NAME says which is the label."
    raise InputError.at(gold.source, 0, "the task is not certain", mend)


def _either(names: Sequence[str]) -> str:
    """Names to choose from.

    >>> _either(["spans"]), _either(["spans", "tags", "items"])
    ('spans', 'spans, tags or items')
    """
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


def align(
    gold: Corpus,
    systems: Systems,
    *,
    task: str | Task | None = None,
    strict: bool = False,
    cluster: str = "",
    **options: Any,
) -> OutcomeTable:
    """Align gold and systems into one outcome table.

    Parameters
    ----------
    systems: name -> corpus, or pairs of them; pairs are consumed one at a time, so that a
        generator keeps only one system's file in memory
    task: its name, or the task itself; found out from the gold annotation if not given
    strict: refuse data that had to be repaired, skipped or guessed
    cluster: a column of the gold items, such as ``passage``: those with one value are resampled
        together; by default those of one ``document``
    options: of the task, e.g. ``scheme="iob2"``, ``policy="discard"`` for spans
    """
    if task is None:
        task = guess(gold, layer=options.get("layer", LAYER))
    chosen = by_name(task) if isinstance(task, str) else task
    if cluster:
        gold = clustered(gold, cluster)
    table: OutcomeTable = chosen.align(gold, systems, **options)
    if strict:
        require_no_doubt(table)
    return table
