"""Scores of items that a system answers several times: epochs, samples of a language model.

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> from finegrain.table.samples import whole
>>> from finegrain.tasks.classification import align
>>> gold = read(source_of("gold", b"id,label\\nq1,pos\\nq2,neg\\n"))
>>> runs = b"id,run,answer\\nq1,1,pos\\nq1,2,pos\\nq1,3,neg\\nq2,1,pos\\nq2,2,neg\\nq2,3,pos\\n"
>>> table = align(gold, {"mine": read(source_of("mine", runs))})
>>> {metric.name: metric.score(metric.statistics(table, whole(table)))[0].round(3).tolist()
...  for metric in (*REPEAT_METRICS, pass_at(2))}
{'mean_accuracy': [0.5], 'majority': [0.5], 'consistency': [0.333], 'pass@2': [0.833]}

All are means over items, so that the item with all its runs stays what is sampled.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.repeated_answers import CONSISTENCY, MEAN, RUNS, SHARE
from finegrain.errors import UsageError
from finegrain.metrics.metric import Listed, Metric
from finegrain.metrics.unit_scores import solved_counts, solved_share
from finegrain.metrics.values import mean, mean_of
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples

Floats = NDArray[np.float64]
_PASS = re.compile(r"pass@([1-9]\d{0,3})\Z")
_TABLE = "Repeated answers"
_MILLER = "Miller (2024)"


def mean_accuracy(sums: Floats) -> Floats:
    r"""Mean over items of the share of their runs that are right: the accuracy of a single run.

    .. math:: \frac{1}{|I|} \sum_{i \in I} \frac{c_i}{n_i}

    where :math:`c_i` of the :math:`n_i` runs of item i are right (Miller 2024).

    >>> mean_accuracy(np.array([2 / 3 + 1 / 3, 2.0])).round(3)
    np.float64(0.5)
    """
    return mean(sums)


def majority(counts: Floats) -> Floats:
    r"""Share of items whose most frequent answer is right.

    .. math:: \frac{|\{i : \hat{a}_i = g_i\}|}{|I|}

    where :math:`\hat{a}_i` is the answer that most runs of item i give (self-consistency, Wang et
    al. 2023). It is what ``accuracy`` is, too.

    >>> majority(np.array([3.0, 4.0]))
    array(0.75)
    """
    return solved_share(counts)


def consistency(sums: Floats) -> Floats:
    r"""Mean over items of the share of pairs of runs that give the same answer, right or wrong.

    .. math:: \frac{1}{|I|} \sum_{i \in I} \frac{\sum_a n_{ia} (n_{ia} - 1)}{n_i (n_i - 1)}

    where :math:`n_{ia}` runs of item i give the answer a. Over items with two runs or more. Of
    three runs, two of which agree, 1 of 3 pairs:

    >>> consistency(np.array([1 / 3 + 1, 2.0])).round(3)
    np.float64(0.667)
    """
    return mean(sums)


def pass_estimate(runs: NDArray[np.integer], right: NDArray[np.integer], k: int) -> Floats:
    r"""``[...]`` the probability that one of k runs is right at least, without bias.

    .. math:: 1 - \binom{n - c}{k} / \binom{n}{k}

    where c of n runs are right (Chen et al. 2021). Of 3 runs with 1 right, two of the three pairs
    have it:

    >>> pass_estimate(np.array([3, 3, 3]), np.array([1, 2, 0]), 2).round(4).tolist()
    [0.6667, 1.0, 0.0]
    """
    wrong = (runs - right).astype(np.float64)
    failed = np.ones(np.broadcast(runs, right).shape)
    for step in range(k):
        failed *= np.maximum(wrong - step, 0) / np.maximum(runs - step, 1)
    found: Floats = 1 - failed
    return found


def passed(sums: Floats) -> Floats:
    r"""Mean over items of the probability that one of k runs at least is right (Chen et al. 2021).

    .. math:: \frac{1}{|I|} \sum_{i \in I} \left(1 - \binom{n_i - c_i}{k} / \binom{n_i}{k}\right)

    where :math:`c_i` of the :math:`n_i` runs of item i are right.

    >>> passed(np.array([2 / 3 + 1, 2.0])).round(4)
    np.float64(0.8333)
    """
    return mean(sums)


def _passed_sums(table: OutcomeTable, samples: Samples, *, k: int) -> Floats:
    """``[sample, system, (sum, number)]`` over items with a score; with too few runs, an error."""
    runs, share = table.details[RUNS], table.values[MEAN].matrix
    known = ~np.isnan(share)
    short = known & (runs > 0) & (runs < k)
    if short.any():
        system = int(np.flatnonzero(short.any(axis=0))[0])
        fewest = int(runs[known & (runs > 0)].min())
        raise UsageError(
            f"pass@{k} needs {k} runs of every item, but {table.systems[system]} has fewer of "
            f"{int(short[:, system].sum()):,} (at most pass@{fewest})"
        )
    right = np.rint(np.nan_to_num(share) * runs).astype(np.int64)
    found = np.empty((samples.size, table.n_systems, 2))
    for system in range(table.n_systems):
        has = known[:, system]
        codes = samples.codes[has]
        values = pass_estimate(runs[has, system], right[has, system], k)
        values = np.where(runs[has, system] > 0, values, 0.0)  # not answered: wrong
        found[:, system, 0] = np.bincount(codes, values, minlength=samples.size)
        found[:, system, 1] = np.bincount(codes, minlength=samples.size)
    return found


def pass_at(k: int) -> Metric:
    """The metric ``pass@k``."""
    return Metric(
        f"pass@{k}",
        partial(_passed_sums, k=k),
        passed,
        f"probability that one of {k} runs is right at least",
        "Chen et al. (2021)",
        short=f"pass@{k}",
        needs=(MEAN, RUNS, CONSISTENCY),
        listed=Listed(2, _TABLE),
        optional=True,
        undefined="items have no runs",
    )


def pass_metric(name: str) -> Metric | None:
    """``pass@5`` as a metric; ``None`` for any other name.

    >>> pass_metric("pass@5").summary, pass_metric("accuracy")
    ('probability that one of 5 runs is right at least', None)
    """
    match = _PASS.match(name)
    return None if match is None else pass_at(int(match[1]))


def compared_by(table: OutcomeTable) -> str:
    """The metric that repeated answers are compared by."""
    return "mean_accuracy" if CONSISTENCY in table.values else ""


_NEEDS = (MEAN, CONSISTENCY)
REPEAT_METRICS: tuple[Metric, ...] = (
    replace(
        mean_of(MEAN, SHARE, name="mean_accuracy"),
        summary="mean share of an item's runs that are right",
        definition=mean_accuracy, reference=_MILLER, needs=_NEEDS, optional=True,
        heading="mean accuracy", undefined="items have no runs", listed=Listed(2, _TABLE),
    ),
    Metric(
        "majority", solved_counts, majority, "share of items whose most frequent answer is right",
        "Wang et al. (2023)", short="majority", needs=_NEEDS, optional=True,
        listed=Listed(2, _TABLE),
    ),
    replace(
        mean_of(CONSISTENCY, SHARE, summary="mean share of pairs of an item's runs that agree"),
        definition=consistency, reference=_MILLER, needs=_NEEDS, optional=True,
        undefined="no item has two runs", listed=Listed(2, _TABLE),
    ),
)  # fmt: skip
