"""The scores of one data set among many: by system, by run of a system, and by bucket.

A system may have several runs, such as restarts with other seeds. Its scores are the means of its
runs; tests go by runs.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> table.systems
('short', 'mixed')
>>> found = fg.buckets(table, "entity_length")
>>> both = data_set_scores("news", table, found, {"one": ["short", "mixed"]}, ["one", "two"])
>>> both.by_run.systems.tolist(), np.isnan(both.overall).tolist()       # nothing of system two
([0, 0], [False, True])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.explain.bucket_scores import BucketScores
from finegrain.analyses.explain.buckets import Buckets
from finegrain.analyses.explain.data_set_estimates import NO_ESTIMATES, Estimates, estimates
from finegrain.analyses.scores.answer_costs import mean_costs
from finegrain.analyses.scores.breakdown import sample_scores
from finegrain.errors import UsageError
from finegrain.metrics.metric import Metric
from finegrain.resampling.intervals import NO_INTERVALS, Drawing
from finegrain.table import OutcomeTable
from finegrain.table.samples import whole


class Runs(NamedTuple):
    """``systems`` ``[run]``: the place of its system; ``scores[attribute]`` ``[bucket, run]``."""

    systems: NDArray[np.int64]
    scores: Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True, slots=True, eq=False)
class DataSetScores:
    """One data set; columns are the systems of the suite, nan for those that are not in it.

    ``costs`` by kind are ``[system]``, means of answers, where answers say what they took.
    ``overall`` is ``[system]``; ``attributes`` have one column per system, the mean of its runs.
    """

    name: str
    task: str
    metric: Metric
    units: int
    sentences: int
    overall: NDArray[np.float64]
    attributes: Mapping[str, BucketScores]
    by_run: Runs
    notes: tuple[str, ...]
    estimates: Estimates = NO_ESTIMATES
    costs: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    def of_runs(self, attribute: str, bucket: str, system: int) -> NDArray[np.float64]:
        """``[run]`` the scores of a system's runs in a bucket; empty where there are none."""
        found = self.attributes.get(attribute)
        if found is None or bucket not in found.names:
            return np.zeros(0)
        row = self.by_run.scores[attribute][found.names.index(bucket)]
        runs: NDArray[np.float64] = row[self.by_run.systems == system]
        return runs

    def score(self, attribute: str, bucket: str, system: int) -> float:
        """The mean score of a system's runs in a bucket; nan where there are none."""
        found = self.attributes.get(attribute)
        if found is None or bucket not in found.names:
            return float("nan")
        return float(found.main()[found.names.index(bucket), system])


def data_set_scores(
    name: str,
    table: OutcomeTable,
    found: Buckets,
    runs: Mapping[str, Sequence[str]],
    systems: Sequence[str],
    *,
    drawing: Drawing = NO_INTERVALS,
) -> DataSetScores:
    """Gather the scores of a table, whose systems are ``runs[system]``."""
    if not found.attributes:
        raise UsageError(f"data set {name!r}: at least one attribute is needed")
    metric = found.attributes[0].metrics[0]
    places = [(system, table.system(run)) for system in runs for run in runs[system]]
    of_run = np.array([systems.index(system) for system, _ in places], np.int64)
    columns = np.array([column for _, column in places], np.int64)
    by_run = Runs(of_run, {one.name: one.main()[:, columns] for one in found.attributes})
    scores = sample_scores(table, whole(table), [metric])[metric.name][:, columns]
    costs = {
        kind: _means(values[None, columns], of_run, len(systems))[0]
        for kind, values in mean_costs(table).items()
    }
    sure = estimates(table, metric, runs, systems, drawing)
    return DataSetScores(
        name,
        table.task.name,
        metric,
        table.n_gold,
        table.corpus.n_sentences,
        _means(scores, of_run, len(systems))[0],
        {one.name: _by_system(one, by_run, columns, len(systems)) for one in found.attributes},
        by_run,
        (*found.notes, *sure.notes),
        sure,
        costs,
    )


def _by_system(
    found: BucketScores, by_run: Runs, columns: NDArray[np.int64], size: int
) -> BucketScores:
    """The buckets with one column per system; counts are those of all its runs."""
    member = (by_run.systems[:, None] == np.arange(size)).astype(np.int64)
    main = found.metrics[0]
    return replace(
        found,
        predicted=found.predicted[:, columns] @ member,
        correct=found.correct[:, columns] @ member,
        errors=found.errors[:, columns] @ member,
        metrics=(main,),
        scores={main.name: _means(by_run.scores[found.name], by_run.systems, size)},
    )


def _means(
    values: NDArray[np.float64], of_run: NDArray[np.int64], size: int
) -> NDArray[np.float64]:
    """``[row, system]`` means over runs that have a value; nan where none has."""
    known = ~np.isnan(values)
    member = (of_run[:, None] == np.arange(size)).astype(np.float64)
    sums, counts = np.where(known, values, 0.0) @ member, known @ member
    means = np.full(sums.shape, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means
