"""What a metric is: additive statistics per sample, and a score of their sum.

Corpus score = ``score(statistics(table, samples).sum(axis=0))``. Because statistics add up,
the same two functions give corpus scores, scores of any subset, and resampling. What does not add
up has weighed rows in place of sums (``weighing``), and everything else stays the same.

A metric belongs to the tasks that list it; any other one can be used where its needs are met.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import UsageError
from finegrain.metrics.label_statistics import LabelStatistics
from finegrain.metrics.weighing import Observing
from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.samples import Samples
from finegrain.table.scale import PROPORTION, Scale

LABEL = "label"  # an axis of statistics that goes by the labels of the table
Statistics = Callable[[OutcomeTable, Samples], NDArray[np.float64]]
Score = Callable[[NDArray[np.float64]], NDArray[np.float64]]


class Lowering(Protocol):
    """Which units keep a score from its best."""

    def lowered_by(self, table: OutcomeTable) -> NDArray[np.bool_]:
        """``[unit, system]`` whether gold or system have something there that is not right."""

    def blank(self, table: OutcomeTable) -> NDArray[np.bool_]:
        """``[system]`` whether it, or the gold, has nothing that the score is about."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Where tables of scores have a metric.

    Parameters
    ----------
    detail: which tables have room for it: 0 all of them, also those with a metric of several
        systems by label; 1 those of one system by label or part; 2 the overview; 3 none. What was
        asked for by name is in the overview in any case
    table: the title of the table of the overview that it stands in, if not in the first one
    family: the name of its family in its heading, ``LAS``; else the family stands above headings
    note: what the heading means, below that table
    several_labels: whether it says something only where there are several labels
    """

    detail: Literal[0, 1, 2, 3] = 0
    table: str = ""
    family: str = ""
    note: str = ""
    several_labels: bool = False


EVERYWHERE = Listed()


@dataclass(frozen=True, slots=True)
class Metric:
    """A named number.

    Parameters
    ----------
    name: unique, as on the command line
    statistics: table and samples -> ``[sample, system, ...]``, additive over samples; or
        ``Observing`` what does not add up
    score: sums ``[..., *statistics' own axes]`` -> ``[...]``; nan where undefined; or ``Weighing``
    label_score: sums -> ``[..., label]``, for metrics that exist per label
    family: groups metrics that belong together, such as ``fair``
    short: the name inside its family, such as ``f1``
    needs: what tables must have, as ``Task.has`` names it (``trees``), the kind of answers
        (``label``), or columns
    heading: as tables head it; the short name in words if it is not given
    listed: where tables of scores have it
    whole_documents: documents are what it averages over, so samples must not cut them
    whole_sentences: the same of sentences
    whole_corpus: what of the whole corpus its statistics go by, besides labels, so that those of
        shards cannot be put together
    undefined: why it may be undefined, where that is not for want of units or predictions
    narrow: a linear map of sums that keeps what ``score`` needs, ``score(narrow(s)) == score(s)``;
        samples that differ in nothing else are then alike, which makes resampling fast
    scale: which end is good, and how it is printed
    value: of ``table.values``, the one that it aggregates, if it aggregates one
    definition: the function whose docstring says what it is, if that is not its score
    exchangeable: whether the outputs of two systems for one sample can be exchanged; the clusters
        of two clusterings cannot, so that such scores are tested by bootstrap
    optional: not all tables of its task have what it needs: those without it go without the metric
    lacking: why it cannot be computed there, as a predicate
    signed: table -> how the field's own scorer signs such a score
    written: its family as papers write it, where words do not say it: ``B³``
    lowering: which units keep it from its best, if outcomes do not say so; a report links them
    """

    name: str
    statistics: Statistics
    score: Score
    summary: str
    reference: str
    label_score: Score | None = None
    family: str = ""
    short: str = ""
    whole_documents: bool = False
    narrow: Score | None = None
    whole_sentences: bool = False
    undefined: str = ""
    needs: tuple[str, ...] = ()
    heading: str = ""
    scale: Scale = PROPORTION
    value: str = ""
    listed: Listed = EVERYWHERE
    definition: Callable[..., Any] | None = None
    optional: bool = False
    lacking: str = ""
    exchangeable: bool = True
    signed: Callable[[OutcomeTable], str] | None = None
    whole_corpus: str = ""
    written: str = ""
    lowering: Lowering | None = None

    def __str__(self) -> str:
        return self.name

    @property
    def head(self) -> str:
        """What stands above its column, below its family."""
        return self.heading or (self.short or self.name).replace("_", " ").replace("f1", "F1")

    @property
    def family_words(self) -> str:
        """Its family in a sentence."""
        return self.written or self.listed.family or self.family.replace("_", " ")

    @property
    def silent(self) -> float | None:
        """What a system scores that answers nothing where there is nothing to find: the best.

        ``None``: undefined. Of units with values, those without one were skipped or not graded.
        """
        return None if self.value or not self.additive else self.scale.best

    @property
    def axes(self) -> tuple[str, ...]:
        """What the statistics' own axes go by, as far as that is names: labels of the table.

        So shards of a corpus, each with its own labels, are put together (``shards``).
        """
        by_label = self.label_score is not None or isinstance(self.statistics, LabelStatistics)
        return (LABEL,) if by_label else ()

    @property
    def additive(self) -> bool:
        """Whether it is a score of sums; others are scores of weighed rows (``weighing``)."""
        return not isinstance(self.statistics, Observing)

    def defined(self, table: OutcomeTable) -> NDArray[np.bool_] | None:
        """``[unit, system]`` whether the unit has a value; ``None`` if all have one."""
        if isinstance(self.statistics, Observing):
            known = self.statistics.defined(table)
        elif self.value:
            known = ~np.isnan(table.values[self.value].matrix)
        else:
            return None
        return None if known.all() else known


def require_applicable(table: OutcomeTable, metrics: Sequence[Metric]) -> None:
    """Refuse metrics that need what a table does not have."""
    for metric in metrics:
        missing = _missing(table, metric)
        if missing and metric.lacking:
            raise UsageError(f"metric {metric.name!r} {metric.lacking}")
        if missing:
            needed = f"needs {' and '.join(missing)}"
            has_it = (
                "this table"
                if metric.name in table.task.all_metrics()
                else (f"the task {table.task}")
            )
            raise UsageError(f"metric {metric.name!r} {needed}, which {has_it} does not have")


def applicable(table: OutcomeTable, metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """Those of a task's metrics that the table has what they need for, such as probabilities."""
    return tuple(metric for metric in metrics if not _missing(table, metric))


def _missing(table: OutcomeTable, metric: Metric) -> list[str]:
    """What a metric needs and a table does not have; a task has what its metrics ask of it."""
    has = {*table.task.has, table.task.answers, *table.columns, *table.details, *table.values}
    missing = [name for name in metric.needs if name not in has]
    of_task = missing and not metric.optional and metric.name in table.task.all_metrics()
    return [] if of_task else missing


def ratio(numerator: NDArray[Any], denominator: NDArray[Any]) -> NDArray[np.float64]:
    """Quotient, nan where the denominator is 0.

    >>> ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    array([0.5, nan])
    """
    undefined = denominator == 0
    result = numerator / np.where(undefined, 1, denominator)
    return np.where(undefined, np.nan, result)
