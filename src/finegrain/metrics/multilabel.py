"""Scores of label sets: over all labels, label by label, and item by item.

>>> from finegrain.tasks.item_examples import multilabel
>>> from finegrain.tasks.multilabel import align
>>> from finegrain.table.samples import whole
>>> table = align(*multilabel())
>>> {metric.name: metric.score(metric.statistics(table, whole(table)))[0].round(3).tolist()
...  for metric in LABEL_SET_METRICS if metric.name != "lrap"}
{'samples_f1': [0.833, 0.5], 'jaccard': [0.75, 0.438], 'subset_accuracy': [0.5, 0.25],
 'hamming': [0.098, 0.175], 'micro_precision': [0.769, 0.833], 'micro_recall': [0.909, 0.455],
 'macro_precision': [0.694, 0.6], 'macro_recall': [0.75, 0.367]}

What is undefined for an item or a label counts as 0 in means, as ``zero_division=0`` does in
scikit-learn: F1 and Jaccard of an item that has no label, gold or predicted, are 0.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.label_ranking import LRAP, ranking_precision
from finegrain.alignment.multilabel import FN, FP, TP
from finegrain.metrics.class_scores import ERROR
from finegrain.metrics.label_counts import macro, micro, pooled, precision, recall
from finegrain.metrics.metric import Listed, Metric, Score, ratio
from finegrain.metrics.options import MetricOptions
from finegrain.metrics.span_scores import traditional_counts
from finegrain.metrics.tag_scores import tag_metrics
from finegrain.metrics.values import mean
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples

Floats = NDArray[np.float64]
ITEMS, F1, JACCARD, EXACT, ERRORS, DECISIONS = range(6)
_OF_TAGS = ("accuracy", "sentence_accuracy", "document_macro_accuracy")
_NO_LABELS = "no item has labels, or the scores of none are known"


def item_sums(table: OutcomeTable, samples: Samples) -> Floats:
    """``[sample, system, (items, F1, Jaccard, exact, errors, decisions)]``, summed over items.

    Decisions are the labels of the schema, and those outside of it that the system has.
    """
    first, item = _items(table)
    sample, size = samples.codes[first], len(first)
    schema = int(table.settings.get("schema", table.n_labels))
    foreign = table.label >= schema
    found = np.zeros((samples.size, table.n_systems, 6))
    for system in range(table.n_systems):
        outcome = table.outcome[:, system]
        tp, fn, fp = (np.bincount(item[outcome == code], minlength=size) for code in (TP, FN, FP))
        more = np.bincount(item[(outcome == FP) & foreign], minlength=size)
        wrong = fn + fp
        columns = (
            np.ones(size), _or_zero(2 * tp, 2 * tp + wrong), _or_zero(tp, tp + wrong), wrong == 0,
            wrong, schema + more,
        )  # fmt: skip
        for place, column in enumerate(columns):
            found[:, system, place] = np.bincount(sample, column, minlength=samples.size)
    return found


def _or_zero(numerator: NDArray[Any], denominator: NDArray[Any]) -> Floats:
    return np.nan_to_num(ratio(numerator, denominator))


def _items(table: OutcomeTable) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first row of every item that has rows, and ``[unit]`` the number of its item."""
    opens = np.diff(table.sentence, prepend=-1) != 0
    return np.flatnonzero(opens), np.cumsum(opens) - 1


def ranking_sums(table: OutcomeTable, samples: Samples) -> Floats:
    """``[sample, system, (sum, number)]`` of ranking precision over items."""
    first, _ = _items(table)
    matrix = table.values[LRAP].matrix[first]
    found = np.zeros((samples.size, table.n_systems, 2))
    for system in range(table.n_systems):
        known = np.flatnonzero(~np.isnan(matrix[:, system]))
        codes = samples.codes[first[known]]
        found[:, system, 0] = np.bincount(codes, matrix[known, system], minlength=samples.size)
        found[:, system, 1] = np.bincount(codes, minlength=samples.size)
    return found


def samples_f1(sums: Floats) -> Floats:
    r"""Mean F1 of items.

    .. math:: \frac{1}{n} \sum_i \frac{2 |G_i \cap P_i|}{|G_i| + |P_i|}

    where G are the gold and P the predicted labels of an item; 0 for an item that has neither.

    >>> samples_f1(np.array([4.0, 3.0, 2.5, 2, 3, 20]))
    array(0.75)
    """
    return ratio(sums[..., F1], sums[..., ITEMS])


def jaccard(sums: Floats) -> Floats:
    r"""Mean Jaccard index of items.

    .. math:: \frac{1}{n} \sum_i \frac{|G_i \cap P_i|}{|G_i \cup P_i|}

    where G are the gold and P the predicted labels of an item; 0 for an item that has neither.

    >>> jaccard(np.array([4.0, 3.0, 2.5, 2, 3, 20]))
    array(0.625)
    """
    return ratio(sums[..., JACCARD], sums[..., ITEMS])


def subset_accuracy(sums: Floats) -> Floats:
    r"""Share of items whose labels are exactly the gold labels.

    .. math:: \frac{|\{i : G_i = P_i\}|}{n}

    where G are the gold and P the predicted labels of an item, which may both be none.

    >>> subset_accuracy(np.array([4.0, 3.0, 2.5, 2, 3, 20]))
    array(0.5)
    """
    return ratio(sums[..., EXACT], sums[..., ITEMS])


def hamming(sums: Floats) -> Floats:
    r"""Hamming loss: the share of decisions that are wrong; less is better.

    .. math:: \frac{\sum_i |G_i \triangle P_i|}{n |L| + \sum_i |P_i \setminus L|}

    where G are the gold and P the predicted labels of an item, and L is the schema: all labels of
    the gold file. A predicted label outside of it is one more decision, and wrong. So systems
    are compared over the same labels, whatever labels other systems invent.

    >>> hamming(np.array([4.0, 3.0, 2.5, 2, 3, 20]))
    array(0.15)
    """
    return ratio(sums[..., ERRORS], sums[..., DECISIONS])


def _of_items(name: str, summary: str, reference: str, score: Score, **more: Any) -> Metric:
    return Metric(
        name, item_sums, score, summary, reference, short=name, needs=("label_sets",),
        whole_sentences=True, **more,
    )  # fmt: skip


def _of_labels(name: str, summary: str, score: Score, **more: Any) -> Metric:
    return Metric(
        name, traditional_counts, score, summary,
        "Manning, Raghavan and Schütze (2008), chapters 8 and 13", short=name,
        needs=("label_sets",), listed=Listed(3), **more,
    )  # fmt: skip


LABEL_SET_METRICS: tuple[Metric, ...] = (
    _of_items(
        "samples_f1", "mean F1 of items", "Godbole and Sarawagi (2004)", samples_f1,
        heading="items F1", listed=Listed(2),
    ),
    _of_items(
        "jaccard", "mean Jaccard index of items", "Godbole and Sarawagi (2004)", jaccard,
        heading="Jaccard", listed=Listed(2),
    ),
    _of_items(
        "subset_accuracy", "share of items with exactly the gold labels",
        "Tsoumakas and Katakis (2007)", subset_accuracy, heading="exact", listed=Listed(2),
    ),
    _of_items(
        "hamming", "share of decisions, items times labels, that are wrong",
        "Schapire and Singer (2000)", hamming, heading="Hamming", scale=ERROR, listed=Listed(2),
        whole_corpus="the labels of the gold file",
    ),
    Metric(
        "lrap", ranking_sums, mean, "how well scores rank gold labels, mean over items",
        "Tsoumakas et al. (2010)", short="lrap", needs=(LRAP,), optional=True,
        whole_sentences=True, heading="LRAP", undefined=_NO_LABELS, definition=ranking_precision,
        listed=Listed(2),
    ),
    _of_labels(
        "micro_precision", "share of predicted labels that are right", micro(precision),
        narrow=pooled,
    ),
    _of_labels(
        "micro_recall", "share of gold labels that are found", micro(recall), narrow=pooled
    ),
    _of_labels("macro_precision", "mean precision over labels", macro(precision)),
    _of_labels("macro_recall", "mean recall over labels", macro(recall)),
)  # fmt: skip


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:
    """The metrics of label sets under the given choices."""
    of_tags = tag_metrics(beta=None if options is None else options.beta)
    shared = tuple(_counted(one) for one in of_tags if one.name not in _OF_TAGS)
    labels = tuple(one for one in shared if one.label_score is not None)
    first = tuple(one for one in shared if one.label_score is None)
    return (*first, *LABEL_SET_METRICS, *labels)


def _counted(metric: Metric) -> Metric:
    summary = metric.summary.replace("tokens of a label that are given it", "gold labels found")
    summary = summary.replace(
        "tokens given a label that have it", "predicted labels that are right"
    )
    listed = Listed(2) if metric.name == "micro_f1" else metric.listed
    return replace(
        metric, statistics=traditional_counts, summary=summary, needs=("label_sets",), listed=listed
    )
