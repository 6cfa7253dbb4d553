"""How close the probabilities of a system come to gold labels that are probabilities themselves.

Where workers disagree, the share of each label says more than the label of most of them. These
metrics are there for gold files with a probability for each label (``alignment.soft_labels``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from finegrain.alignment.soft_labels import ENTROPY, soft_labels
from finegrain.metrics.metric import Listed, Metric
from finegrain.metrics.probability_scores import PROBABILITY
from finegrain.metrics.values import mean
from finegrain.metrics.weighing import Floats
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples
from finegrain.table.scale import Scale

LOSS = Scale(higher=False, best=None, worst=None, shown="number")
SQUARED = Scale(higher=False, best=0.0, worst=2.0, shown="number")


def cross_entropies(chances: Floats, gold: Floats) -> Floats:
    r"""``[item]`` the cross-entropy of each: what a label of the crowd costs on average.

    .. math:: -\sum_l q_{il} \ln p_{il}

    where q are gold probabilities and p those of the system; a probability of 0 counts as 2.2e-16.
    With q of one label alone this is log loss. The least is the entropy of q, not 0.

    >>> cross_entropies(np.array([[0.5, 0.5]]), np.array([[0.8, 0.2]])).round(4).tolist()   # ln 2
    [0.6931]
    """
    logs = np.log(np.clip(chances, np.finfo(float).eps, 1.0))
    found: Floats = -(gold * logs).sum(axis=-1)
    return found


def soft_squares(chances: Floats, gold: Floats) -> Floats:
    r"""``[item]`` the squared distance of two distributions, summed over labels.

    .. math:: \sum_l (p_{il} - q_{il})^2

    where q are gold probabilities and p those of the system. From 0 to 2.

    >>> soft_squares(np.array([[0.5, 0.5]]), np.array([[0.8, 0.2]])).round(2).tolist()
    [0.18]
    """
    found: Floats = ((chances - gold) ** 2).sum(axis=-1)
    return found


def _sums(table: OutcomeTable, samples: Samples, *, of: Callable[..., Floats]) -> Floats:
    """``[sample, system, (sum, number)]`` over items with both distributions."""
    chances, gold = table.details[PROBABILITY], soft_labels(table)
    found = np.zeros((samples.size, table.n_systems, 2))
    for system in range(table.n_systems):
        both = np.isnan(chances[:, system]).any(axis=-1) | np.isnan(gold).any(axis=-1)
        known = np.flatnonzero(~both)
        codes = samples.codes[known]
        values = of(chances[known, system], gold[known])
        found[:, system, 0] = np.bincount(codes, values, minlength=samples.size)
        found[:, system, 1] = np.bincount(codes, minlength=samples.size)
    return found


def _metric(
    name: str, summary: str, heading: str, of: Callable[..., Floats], scale: Scale
) -> Metric:
    return Metric(
        name, partial(_sums, of=of), mean, summary, "Peterson et al. (2019)", short=name,
        definition=of, needs=(PROBABILITY, ENTROPY), scale=scale, heading=heading, optional=True,
        undefined="there are no probabilities", listed=Listed(2, "Probabilities"),
    )  # fmt: skip


SOFT_METRICS: tuple[Metric, ...] = (
    _metric("soft_log_loss", "cross-entropy of gold probabilities and those of the system",
            "soft log loss", cross_entropies, LOSS),
    _metric("soft_brier", "squared difference of gold probabilities and those of the system",
            "soft Brier", soft_squares, SQUARED),
)  # fmt: skip
