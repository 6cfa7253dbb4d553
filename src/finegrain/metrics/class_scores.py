"""Scores of labelled items: agreement with gold, and how good probabilities are.

>>> from finegrain.tasks.item_examples import classification
>>> from finegrain.tasks.classification import align
>>> from finegrain.table.samples import whole
>>> table = align(*classification())
>>> metric = next(one for one in CLASS_METRICS if one.name == "balanced_accuracy")
>>> metric.score(metric.statistics(table, whole(table)))[0].round(3).tolist()
[0.722, 0.611]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.label_counts import (
    GOLD,
    PREDICTED,
    TP,
    OverLabels,
    accuracy,
    of_pooled,
    pooled,
    side_by_side,
)
from finegrain.metrics.metric import Listed, Metric, ratio
from finegrain.metrics.options import MetricOptions
from finegrain.metrics.probability_scores import PROBABILITY_METRICS, top_accuracy
from finegrain.metrics.repeated_answers import REPEAT_METRICS, pass_metric
from finegrain.metrics.soft_labels import SOFT_METRICS
from finegrain.metrics.tag_scores import tag_counts, tag_metrics
from finegrain.table.scale import Scale

Counts = NDArray[np.float64]
ERROR = Scale(higher=False, best=0.0, worst=1.0)
CORRELATION = Scale(best=1.0, worst=-1.0, shown="number")
_OF_TAGS = ("sentence_accuracy", "document_macro_accuracy")  # there are no sentences


def error_rate(counts: Counts) -> NDArray[np.float64]:
    r"""Share of items that are not right.

    .. math:: E = 1 - \frac{\sum_l TP_l}{\sum_l gold_l}

    System I of the classic example finds 30 of 40 relevant documents among 100 and nothing else
    (TP 30, FN 10, TN 60):

    >>> error_rate(np.array([[30.0, 0, 10, 40, 30], [60, 10, 0, 60, 70]])).round(3)
    np.float64(0.1)
    """
    return 1 - accuracy(counts)


def _of_gold(counts: Counts) -> Counts:
    present = counts[..., GOLD] > 0
    recall = ratio(counts[..., TP], counts[..., GOLD])
    return side_by_side(np.where(present, np.nan_to_num(recall), 0), present.astype(float))


def _mean_recall(sums: Counts) -> NDArray[np.float64]:
    r"""Mean recall of the labels that occur in the gold standard.

    .. math:: \frac{1}{|G|} \sum_{l \in G} \frac{TP_l}{gold_l}

    where G are those labels: 1 / \|G\| for a system that always says the same.

    >>> balanced_accuracy(np.array([[30.0, 0, 10, 40, 30], [60, 10, 0, 60, 70]]))
    array(0.875)
    """
    return ratio(sums[..., 0], sums[..., 1])


balanced_accuracy = OverLabels(_of_gold, _mean_recall)


def _products(counts: Counts) -> Counts:
    gold, predicted = counts[..., GOLD], counts[..., PREDICTED]
    terms = (counts[..., TP], gold, predicted, gold * predicted, gold**2, predicted**2)
    return side_by_side(*terms)


def _matthews(sums: Counts) -> NDArray[np.float64]:
    r"""Matthews' correlation coefficient for any number of labels (Gorodkin 2004).

    .. math:: \frac{n \sum_l TP_l - \sum_l gold_l\, predicted_l}
       {\sqrt{n^2 - \sum_l gold_l^2} \sqrt{n^2 - \sum_l predicted_l^2}}

    where n is the number of items. From -1 to 1; 0 where gold or system has one label only, as
    scikit-learn has it. Items without an answer count as answered by a label of their own.

    >>> mcc(np.array([[30.0, 0, 10, 40, 30], [60, 10, 0, 60, 70]])).round(4)
    np.float64(0.8018)
    """
    right, size, predicted, both, gold_squared, predicted_squared = np.moveaxis(sums, -1, 0)
    unanswered = (size - predicted) ** 2
    spread = (size**2 - gold_squared) * (size**2 - predicted_squared - unanswered)
    found = (size * right - both) / np.sqrt(np.where(spread > 0, spread, 1))
    return np.where(size == 0, np.nan, np.where(spread > 0, found, 0.0))


mcc = OverLabels(_products, _matthews)


def _cohen(sums: Counts) -> NDArray[np.float64]:
    r"""Cohen's kappa of gold labels and answers.

    .. math:: \kappa = \frac{P(A) - P(E)}{1 - P(E)}, \quad
       P(A) = \frac{\sum_l TP_l}{n}, \quad P(E) = \sum_l \frac{gold_l}{n} \frac{predicted_l}{n}

    Undefined where gold and system have one and the same label only.

    >>> kappa(np.array([[300.0, 10, 20, 320, 310], [70, 20, 10, 80, 90]])).round(4)
    np.float64(0.7761)
    """
    right, size, _, both, _, _ = np.moveaxis(sums, -1, 0)
    agreed, chance = ratio(right, size), ratio(both, size**2)
    return ratio(agreed - chance, 1 - chance)


kappa = OverLabels(_products, _cohen)


def _metric(
    name: str,
    summary: str,
    reference: str,
    score: OverLabels,
    definition: Callable[..., Any] | None = None,
    **more: Any,
) -> Metric:
    return Metric(
        name,
        tag_counts,
        score,
        summary,
        reference,
        short=name,
        definition=definition or score.finish,
        needs=("label",),
        **more,
    )


CLASS_METRICS: tuple[Metric, ...] = (
    _metric(
        "error_rate", "share of items that are not right",
        "Manning, Raghavan and Schütze (2008), chapter 8",
        of_pooled(error_rate), error_rate, narrow=pooled, scale=ERROR, listed=Listed(3),
        heading="error rate",
    ),
    _metric(
        "balanced_accuracy", "mean recall of the labels in the gold standard",
        "Brodersen et al. (2010)", balanced_accuracy, heading="balanced", listed=Listed(2),
    ),
    _metric(
        "mcc", "Matthews' correlation of gold labels and answers", "Gorodkin (2004)", mcc,
        scale=CORRELATION, heading="MCC", listed=Listed(2),
    ),
    _metric(
        "kappa", "Cohen's kappa of gold labels and answers", "Cohen (1960)", kappa,
        scale=CORRELATION, listed=Listed(2), undefined="there is one label only",
    ),
)  # fmt: skip


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:
    """The metrics of classification under the given choices."""
    of_tags = tag_metrics(beta=None if options is None else options.beta)
    shared = tuple(_of_items(metric) for metric in of_tags if metric.name not in _OF_TAGS)
    labels = tuple(metric for metric in shared if metric.label_score is not None)
    first = tuple(metric for metric in shared if metric.label_score is None)
    of_chances = (*PROBABILITY_METRICS, *SOFT_METRICS, *REPEAT_METRICS)
    return (*first, *CLASS_METRICS, *of_chances, *labels)


def _of_items(metric: Metric) -> Metric:
    summary = metric.summary.replace("tokens", "items").replace("whose tag", "whose label")
    return replace(metric, summary=summary, needs=("label",))


def parsed(name: str) -> Metric | None:
    """``top3_accuracy`` or ``pass@5`` as a metric; ``None`` for any other name."""
    return pass_metric(name) or top_accuracy(name)
