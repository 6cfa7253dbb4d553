"""Scores of representational similarity: correlations of the distances of pairs.

>>> from finegrain.tasks.item_examples import representations
>>> from finegrain.tasks.representations import align
>>> from finegrain.table.samples import whole
>>> table = align(*representations())
>>> {metric.name: metric.score(metric.statistics(table, whole(table)))[0].round(3).tolist()
...  for metric in RSA_METRICS}
{'rsa': [0.699, 0.049], 'rsa_pearson': [0.651, 0.016], 'rank_error': [0.16, 0.324]}

A system whose vectors are those of gold, turned and made longer, has the same geometry:

>>> from finegrain.corpus.vectors import of_vectors
>>> vectors = np.array([[1.0, 0.0], [3.0, 1.0], [0.0, 2.0], [1.0, 5.0]])
>>> gold = of_vectors("gold", {"vector": vectors})
>>> turned = of_vectors("model", {"vector": 7 * vectors @ [[0.6, -0.8], [0.8, 0.6]]})
>>> same = align(gold, {"turned": turned})
>>> float(RSA_METRICS[0].score(RSA_METRICS[0].statistics(same, whole(same)))[0, 0])
1.0

Outputs for single pairs cannot be exchanged between systems, as every stimulus stands in many of
them: systems are compared by drawing stimuli (``bootstrap``).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from finegrain.alignment.stimulus_pairs import DISTANCE, ERROR, GOLD, SHARE
from finegrain.metrics.influence import of_numbers, of_ranks
from finegrain.metrics.kendall import kendall
from finegrain.metrics.metric import Listed, Metric
from finegrain.metrics.options import MetricOptions
from finegrain.metrics.ranked import CORRELATION, correlation, scores_and_gold, spearman
from finegrain.metrics.regression import pearson
from finegrain.metrics.values import mean, mean_of
from finegrain.metrics.weighing import Floats, Observing, Weighing
from finegrain.table import OutcomeTable

_EQUAL = "all pairs have the same distance, or there are too few"
_CITED = "Kriegeskorte, Mur and Bandettini (2008)"


def standardised(table: OutcomeTable) -> Floats:
    """``[pair, system, (distance, gold)]``, both with mean 0 and standard deviation 1.

    Correlations stay what they are, and so do they under any scale of a system's distances.
    """
    rows = scores_and_gold(table, scores=DISTANCE, gold=GOLD)
    spread = rows.std(axis=0)
    found: Floats = (rows - rows.mean(axis=0)) / np.where(spread > 0, spread, 1)
    return found


def distance_correlation(rows: Floats, weights: Floats) -> Floats:
    r"""Pearson's correlation of the distances of pairs, by weights.

    .. math:: r = \frac{\sum_{i<j} w_i w_j (d_{ij} - \bar d)(g_{ij} - \bar g)}
       {\sqrt{\sum_{i<j} w_i w_j (d_{ij} - \bar d)^2 \sum_{i<j} w_i w_j (g_{ij} - \bar g)^2}}

    where d and g are distances of the stimuli i and j for a system and for gold, and w is how often
    a stimulus counts (1 for each of the data). From -1 to 1; undefined (nan) where all distances of
    one side are equal.

    >>> rows = np.array([[1.0, 1.0], [3.0, 2.0], [2.0, 3.0]])
    >>> distance_correlation(rows, np.ones((1, 3))).tolist()
    [0.5]
    """
    return pearson(rows, weights)


def rank_error(sums: Floats) -> Floats:
    r"""Mean rank error of pairs.

    .. math:: \frac{1}{N} \sum_{i<j} \frac{|r_{ij} - q_{ij}|}{N - 1}

    where r and q are the ranks of the pair of stimuli i and j among all N pairs, by the distances
    of a system and of gold, tied pairs sharing the mean of theirs. 0 if all ranks are equal; about
    1/3 for ranks that have nothing to do with each other.

    >>> rank_error(np.array([1.5, 3.0]))                          # errors 1, 0.5 and 0
    array(0.5)
    """
    return mean(sums)


RANKED = Weighing(correlation, of_ranks)
LINEAR = Weighing(distance_correlation, of_numbers)
"""Correlations of distances, by ranks and as they are."""
RSA_METRICS: tuple[Metric, ...] = (
    replace(
        spearman(DISTANCE, GOLD, name="rsa"), score=RANKED, needs=(DISTANCE, GOLD), heading="RSA",
        summary="rank correlation of distances of pairs of stimuli with those of gold",
        reference=_CITED, undefined=_EQUAL, exchangeable=False,
    ),
    Metric(
        "rsa_pearson", Observing(standardised), LINEAR,
        "linear correlation of distances of pairs with those of gold", _CITED,
        short="rsa_pearson", needs=(DISTANCE, GOLD), heading="Pearson", scale=CORRELATION,
        definition=distance_correlation,
        undefined=_EQUAL, exchangeable=False,
    ),
    replace(
        mean_of(ERROR, SHARE, name="rank_error", summary="mean rank error of pairs"),
        definition=rank_error, heading="rank error", reference=_CITED, exchangeable=False,
        whole_corpus="the ranks of all pairs",
    ),
)  # fmt: skip
FURTHER_RSA_METRICS: tuple[Metric, ...] = (
    replace(
        kendall(DISTANCE, GOLD, name="rsa_kendall"), needs=(DISTANCE, GOLD), heading="Kendall",
        summary="Kendall's tau-b of distances of pairs with those of gold",
        reference="Nili et al. (2014)", undefined=_EQUAL, exchangeable=False, listed=Listed(2),
    ),
)  # fmt: skip


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """The scores of representational similarity."""
    return RSA_METRICS


def further_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """Those that take long: computed when they are named."""
    return FURTHER_RSA_METRICS
