"""The verbs that need more than the table: read, align, score.

>>> import finegrain as fg
>>> simulated = fg.simulate(tokens=2_000, seed=1)
>>> table = fg.align(simulated.gold, simulated.systems)
>>> table.task, table.systems == tuple(simulated.systems)
('spans', True)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from finegrain import formats, metrics, recipes, tasks
from finegrain.analyses.score import Scores
from finegrain.analyses.score import score as _score
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.metrics.match_schemes import OVERLAP
from finegrain.metrics.metric import Metric
from finegrain.metrics.span_scores import Focus, Weights, weights_by
from finegrain.table import OutcomeTable
from finegrain.tasks import Systems, Task


def read(path: str, *, input: str | formats.Format | None = None, **options: Any) -> Corpus:  # noqa: A002 - as on the command line
    """Read a file into a corpus; the format is recognised by content unless ``input`` names it."""
    return formats.read(path, input=input, **options)


def align(
    gold: Corpus, systems: Systems, *, task: str | Task | None = None, **options: Any
) -> OutcomeTable:
    """Align gold and systems into one outcome table.

    Parameters
    ----------
    systems: name -> corpus, or pairs of them; pairs are consumed one at a time, so that a
        generator keeps only one system's file in memory
    task: ``spans`` or ``tags``; found out from the gold annotation if not given
    options: of the task, e.g. ``scheme="iob2"``, ``policy="discard"`` for spans
    """
    if not isinstance(gold, Corpus):
        raise UsageError("align takes corpora: read files with fg.read(path) first")
    if task is None:
        task = tasks.guess(gold, layer=options.get("layer", "tags"))
    chosen = tasks.by_name(task) if isinstance(task, str) else task
    return chosen.align(gold, systems, **options)


def score(
    table: OutcomeTable,
    metric: str | Metric | Sequence[str | Metric] | None = None,
    *,
    weights: str | Weights = recipes.DEFAULT_WEIGHTS,
    focus: Focus = "target",
    beta: float | None = None,
    schemes: Sequence[str] = (),
    overlap: float = OVERLAP,
    by: str | None = None,
) -> Scores:
    """Score all systems, overall and per label.

    Parameters
    ----------
    metric: one or several metrics, by name or as values; default: all of the task
    weights: of the family ``weighted``, by name or as a formula (spans)
    focus: the label that an error in the label is charged to: ``target`` or ``system`` (spans)
    beta: adds F-beta, in which recall counts beta times as much as precision
    schemes: match schemes to count too, e.g. ``["strict", "type"]`` or ``["all"]`` (spans)
    overlap: the least overlap, common tokens / all tokens, of the scheme ``overlap``
    by: ``document`` or a layer of the gold corpus; scores for each of its values
    """
    if not isinstance(table, OutcomeTable):
        raise UsageError(
            "score takes an outcome table: fg.align(gold, systems), or fg.from_lists(gold, answers)"
        )
    chosen = weights if isinstance(weights, Weights) else weights_by(weights)
    known = recipes.metrics_for(table.task, weights=chosen, focus=focus, beta=beta)
    if metric is None:
        wanted: Sequence[Metric] = known
    else:
        given = [metric] if isinstance(metric, str | Metric) else metric
        further = recipes.further_metrics(table.task, overlap=overlap)
        of_task = {one.name: one for one in (*known, *further)}
        wanted = [one if isinstance(one, Metric) else _metric(one, of_task) for one in given]
    return _score(
        table,
        wanted,
        focus=focus,
        weights=chosen.name if chosen.name != "given" else chosen.formula,
        beta=beta,
        schemes=schemes,
        overlap=overlap,
        by=by,
    )


def _metric(name: str, of_task: dict[str, Metric]) -> Metric:
    """A metric of the task by its name, or by its short name where only one has it."""
    if name in of_task:
        return of_task[name]
    short = [one for one in of_task.values() if one.short == name]
    if len(short) > 1:
        raise UsageError(f"which {name!r}: {', '.join(one.name for one in short)}?")
    return short[0] if short else metrics.by_name(name)
