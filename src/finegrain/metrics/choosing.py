"""Which metric is meant: by name or as a value, of the task or of another package.

>>> from finegrain.tasks import TASKS
>>> chosen(TASKS["spans"], "fair_f1").family
'fair'
>>> chosen(TASKS["spans"], "f1").name
'traditional_f1'
"""

from __future__ import annotations

from collections.abc import Iterable

from finegrain import metrics
from finegrain.errors import UsageError
from finegrain.metrics.chosen_units import cut, fitting, left_out, of_chosen
from finegrain.metrics.given_scores import given_metrics
from finegrain.metrics.metric import Metric
from finegrain.metrics.options import MetricOptions
from finegrain.plugins import everything
from finegrain.table import OutcomeTable, Task


def chosen_for(
    table: OutcomeTable, wanted: str | Metric, options: MetricOptions | None = None
) -> Metric:
    """The same for a table, which may have scores that were given to its units."""
    of_units = {one.name: one for one in given_metrics(table)}
    if isinstance(wanted, str) and wanted in of_units:
        return of_units[wanted]
    return chosen(table.task, wanted, options)


def chosen(task: Task, wanted: str | Metric, options: MetricOptions | None = None) -> Metric:
    """A metric of the task by its name, or by a short name.

    Of several metrics with one short name (``f1``) it is that of the family by which systems are
    compared.
    """
    if isinstance(wanted, Metric):
        return wanted
    of_task: dict[str, Metric] = task.all_metrics(options)
    if wanted in of_task:
        return of_task[wanted]
    short = of_short_name(task, wanted, of_task.values())
    if short is not None:
        return short
    parsed: Metric | None = task.parse(wanted)
    if parsed is not None:
        return parsed
    if wanted not in everything("metrics", metrics.METRICS):
        raise UsageError.unknown("metric", wanted, of_task)
    return metrics.by_name(wanted)


def of_short_name(task: Task, short: str, among: Iterable[Metric]) -> Metric | None:
    """The metric with a short name; of several, that of the family of the task's main metric."""
    having = [metric for metric in among if metric.short == short]
    if len(having) < 2:
        return having[0] if having else None
    main = task.all_metrics().get(task.main)
    family = [metric for metric in having if main is not None and metric.family == main.family]
    if len(family) != 1:
        raise UsageError(f"which {short!r}: {', '.join(metric.name for metric in having)}?")
    return family[0]


def compared(table: OutcomeTable, wanted: str | Metric | None) -> Metric | None:
    """The metric that systems are compared by; ``None`` where that is accuracy, unless asked.

    In a restricted table it is that of the units that count, and ``None`` where they are only a
    part of what it scores.
    """
    if wanted is not None:
        return fitting(table, chosen_for(table, wanted))
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
