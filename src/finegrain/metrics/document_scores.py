r"""The mean over documents: every document counts the same, however long it is.

.. math:: \frac{1}{|D|} \sum_{d \in D} s(d)

where s is F1 (spans) or accuracy (tags) of one document, all labels together, and D are the
documents with gold units or with predictions of the system. Undefined (nan) for a corpus without
documents.

>>> from finegrain.corpus import Corpus
>>> from finegrain.table.samples import whole
>>> from finegrain.tasks.tags import align
>>> text = [["a"], ["b", "c", "d"]]
>>> gold = Corpus.of(text, documents=[0, 1], tags=[["N"], ["V", "N", "N"]])
>>> system = Corpus.of(text, documents=[0, 1], tags=[["V"], ["V", "N", "N"]])
>>> table = align(gold, {"s": system})
>>> document_mean(document_accuracies(table, whole(table)))       # (0 / 1 + 3 / 3) / 2
array([[0.5]])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.metric import Score, Statistics, ratio
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples, documents


def document_mean(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Mean over documents that have gold units or predictions of the system.

    .. math:: \frac{1}{|D|} \sum_{d \in D} s(d)

    where s(d) is the score of document d. From 0 to 1; undefined (nan) without documents.

    >>> document_mean(np.array([1.5, 2.0]))            # two documents: 1 and 0.5
    array(0.75)
    """
    return ratio(sums[..., 0], sums[..., 1])


def document_mean_of(place: int) -> Score:
    """``document_mean`` of one of several scores that were summed together."""
    score: Score = document_mean

    def mean(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return score(sums[..., place, :])

    return mean


def unlabelled(table: OutcomeTable) -> OutcomeTable:
    """Spans without their labels, for counts in which labels do not matter: it saves memory."""
    return replace(table, labels=("",), label=np.zeros_like(table.label))


def document_sums(counts: Statistics, scores: Sequence[Score]) -> Statistics:
    """Statistics ``[sample, system, score, (sum over documents, documents)]``.

    ``counts`` have a label axis last but one, which does not matter within a document.
    """

    def statistics(table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
        by_document = counts(unlabelled(table), documents(table))[..., 0, :]
        return _summed(table, samples, np.stack([score(by_document) for score in scores], axis=-1))

    return statistics


def document_accuracies(table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
    """Statistics ``[sample, system, (sum of accuracies, documents)]`` of tags."""
    codes, size = documents(table)
    units = np.bincount(codes, minlength=size)
    right = table.is_outcome(table.outcomes.correct.name)
    hits = [np.bincount(codes, weights=column, minlength=size) for column in right.T]
    return _summed(table, samples, ratio(np.array(hits).T.reshape(size, -1), units[:, None]))


def _summed(
    table: OutcomeTable, samples: Samples, values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """``[document, system, ...]`` summed; a document belongs to the sample of its first unit."""
    sums = np.zeros((samples.size, *values.shape[1:], 2))
    if table.corpus.documents is None:
        return sums
    document, first = np.unique(documents(table).codes, return_index=True)
    values, sample = values[document], samples.codes[first]
    np.add.at(sums[..., 0], sample, np.nan_to_num(values))
    np.add.at(sums[..., 1], sample, ~np.isnan(values))
    return sums
