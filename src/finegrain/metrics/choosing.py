"""Which metric is meant: by name or as a value, of the task or of another package.

>>> from finegrain.tasks import TASKS
>>> chosen(TASKS["spans"], "fair_f1").family
'fair'
>>> chosen(TASKS["spans"], "f1")
Traceback (most recent call last):
finegrain.errors.UsageError: which 'f1': traditional_f1, fair_f1, weighted_f1, ...?
"""

from __future__ import annotations

from finegrain import metrics
from finegrain.errors import UsageError
from finegrain.metrics.chosen_units import cut, fitting, left_out, of_chosen
from finegrain.metrics.metric import Metric
from finegrain.metrics.options import MetricOptions
from finegrain.plugins import everything
from finegrain.table import OutcomeTable, Task


def chosen(task: Task, wanted: str | Metric, options: MetricOptions | None = None) -> Metric:
    """A metric of the task by its name, or by its short name where only one has it."""
    if isinstance(wanted, Metric):
        return wanted
    of_task: dict[str, Metric] = task.all_metrics(options)
    if wanted in of_task:
        return of_task[wanted]
    short = [one for one in of_task.values() if one.short == wanted]
    if len(short) > 1:
        raise UsageError(f"which {wanted!r}: {', '.join(one.name for one in short)}?")
    if short:
        return short[0]
    parsed: Metric | None = task.parse(wanted)
    if parsed is not None:
        return parsed
    if wanted not in everything("metrics", metrics.METRICS):
        raise UsageError.unknown("metric", wanted, of_task)
    return metrics.by_name(wanted)


def compared(table: OutcomeTable, wanted: str | Metric | None) -> Metric | None:
    """The metric that systems are compared by; ``None`` where that is accuracy, unless asked.

    In a restricted table it is that of the units that count, and ``None`` where they are only a
    part of what it scores.
    """
    if wanted is not None:
        return fitting(table, chosen(table.task, wanted))
    found: Metric | None = table.task.main_metric(table)
    return None if found is None or cut(table, found) else of_chosen(found, table)


def not_compared(table: OutcomeTable, wanted: str | Metric | None) -> tuple[str, ...]:
    """Notes on the metric that ``compared`` leaves out."""
    found: Metric | None = None if wanted is not None else table.task.main_metric(table)
    if found is None or not cut(table, found):
        return ()
    return (f"where: {left_out([found.name], cut(table, found))}",)


def ranked(table: OutcomeTable, wanted: str | Metric | None) -> Metric:
    """The same; the first one of the task where that is accuracy."""
    return compared(table, wanted) or fitting(
        table, table.task.main_metric(table) or table.task.metrics(None)[0]
    )
