"""Accuracy and label scores of tags.

>>> from finegrain.corpus import Corpus
>>> from finegrain.table.samples import whole
>>> from finegrain.tasks.tags import align
>>> text = [["a", "b", "c"], ["d"]]
>>> gold = Corpus.of(text, documents=[0, 1], tags=[["N", "V", "N"], ["N"]])
>>> system = Corpus.of(text, documents=[0, 1], tags=[["N", "N", "N"], ["N"]])
>>> table = align(gold, {"s": system})
>>> {metric.name: round(float(metric.score(metric.statistics(table, whole(table)))[0, 0]), 3)
...  for metric in TAG_METRICS if metric.label_score is None}
{'accuracy': 0.75, 'sentence_accuracy': 0.5, 'micro_f1': 0.75, 'macro_f1': 0.429,
 'support_weighted_f1': 0.643, 'document_macro_accuracy': 0.833}
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.document_scores import document_accuracies, document_mean
from finegrain.metrics.label_counts import (
    SIZE,
    accuracy,
    f1,
    f_beta,
    macro,
    micro,
    of_pooled,
    pooled,
    precision,
    recall,
    weighted,
)
from finegrain.metrics.label_statistics import Groups, LabelStatistics
from finegrain.metrics.metric import Listed, Metric, Score, Statistics, ratio
from finegrain.metrics.options import DEFAULTS, MetricOptions
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples
from finegrain.table.verdicts import solved


def _tag_labels(table: OutcomeTable, system: int) -> Groups:
    return [table.label, table.answer[:, system]]


def _tag_count(table: OutcomeTable, system: int, groups: Groups, size: int) -> NDArray[np.float64]:
    """A unit that is not answered is missed for its gold label, and predicted for none."""
    of_gold, of_answer = groups
    right = table.outcome[:, system] == np.uint8(table.outcomes.correct_code)
    gold = np.bincount(of_gold, minlength=size)
    hits = np.bincount(of_gold[right], minlength=size)
    if of_answer.min(initial=0) < 0:
        of_answer = of_answer[of_answer >= 0]
    predicted = np.bincount(of_answer, minlength=size)
    return np.stack([hits, predicted - hits, gold - hits, gold, predicted], axis=-1).astype(float)


tag_counts = LabelStatistics(_tag_labels, _tag_count, (SIZE,))
"""``[sample, system, label, (TP, FP, FN, gold, predicted)]``."""


def sentence_counts(table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
    """``[sample, system, (right, all)]`` sentences; a sentence is right if every token is."""
    n_sentences = table.corpus.n_sentences
    first = np.full(n_sentences, -1, np.int64)
    first[table.sentence[::-1]] = np.arange(len(table))[::-1]
    present = first >= 0
    sample = samples.codes[first[present]]
    counts = np.zeros((samples.size, table.n_systems, 2))
    missed = ~solved(table)
    for system in range(table.n_systems):
        wrong = np.bincount(table.sentence[missed[:, system]], minlength=n_sentences)
        right = (wrong == 0)[present]
        counts[:, system, 0] = np.bincount(sample, weights=right, minlength=samples.size)
        counts[:, system, 1] = np.bincount(sample, minlength=samples.size)
    return counts


def sentence_accuracy(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Share of sentences without an error.

    .. math:: \frac{|\{s : \text{every token of } s \text{ is right}\}|}{|\{s\}|}

    >>> sentence_accuracy(np.array([1.0, 2.0]))
    array(0.5)
    """
    return ratio(counts[..., 0], counts[..., 1])


def _metric(
    name: str,
    summary: str,
    score: Score,
    label_score: Score | None = None,
    *,
    short: str = "",
    heading: str = "",
    detail: Literal[0, 1, 2, 3] = 2,
    statistics: Statistics = tag_counts,
    narrow: Score | None = None,
) -> Metric:
    return Metric(
        name=name,
        statistics=statistics,
        score=score,
        label_score=label_score,
        summary=summary,
        reference="Manning, Raghavan and Schütze (2008), chapters 8 and 13",
        short=short or name,
        whole_documents=statistics is document_accuracies,
        whole_sentences=statistics is sentence_counts,
        narrow=narrow,
        needs=("tags",),
        heading=heading,
        listed=Listed(detail),
    )


TAG_METRICS: tuple[Metric, ...] = (
    _metric(
        "accuracy",
        "share of tokens whose tag is right",
        of_pooled(accuracy),
        detail=0,
        narrow=pooled,
    ),
    _metric(
        "sentence_accuracy",
        "share of sentences without an error",
        sentence_accuracy,
        heading="sentences",
        statistics=sentence_counts,
    ),
    _metric("micro_f1", "F1 of the counts summed over labels", micro(f1), detail=3, narrow=pooled),
    _metric("macro_f1", "mean F1 over labels", macro(f1), detail=1),
    _metric(
        "support_weighted_f1",
        "mean F1 over labels, weighted by gold frequency",
        weighted(f1),
        short="weighted_f1",
    ),
    _metric(
        "document_macro_accuracy",
        "mean accuracy over documents",
        document_mean,
        heading="documents",
        statistics=document_accuracies,
    ),
    _metric(
        "precision",
        "share of tokens given a label that have it",
        micro(precision),
        precision,
        heading="P",
        detail=1,
    ),
    _metric(
        "recall",
        "share of tokens of a label that are given it",
        micro(recall),
        recall,
        heading="R",
        detail=1,
    ),
    _metric("f1", "harmonic mean of precision and recall", micro(f1), f1, detail=0),
)
ITEM_METRICS = TAG_METRICS[:1]  # nothing is known but who is right: accuracy


def tag_metrics(*, beta: float | None = None) -> tuple[Metric, ...]:
    """``TAG_METRICS``, with F-beta per label and as the mean over labels if beta is given."""
    if beta is None:
        return TAG_METRICS
    score = f_beta(beta)
    return (
        *TAG_METRICS,
        _metric(
            "macro_f_beta",
            f"mean over labels of F with beta {beta:g}",
            macro(score),
            heading="macro F-beta",
        ),
        _metric("f_beta", f"F with beta {beta:g}", micro(score), score, heading="F-beta", detail=1),
    )


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:
    """The metrics of tags under the given choices."""
    return tag_metrics(beta=(options or DEFAULTS).beta)


def item_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """The metrics of items, about which nothing can be chosen."""
    return ITEM_METRICS
