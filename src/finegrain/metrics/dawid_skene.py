r"""The label of every item from those of many workers: by vote, and by Dawid and Skene's model.

Dawid and Skene (1979): item i has the true label k with chance :math:`\pi_k`, and worker w then
says l with chance :math:`\theta_{wkl}`. Expectation maximisation goes from shares of votes to
probabilities of labels and back:

.. math:: T_{ik} \propto \pi_k \prod_{(w, l) \in i} \theta_{wkl}, \qquad
   \pi_k = \frac{1}{|I|} \sum_i T_{ik}, \qquad
   \theta_{wkl} = \frac{0.01 + \sum_{i: w \to l} T_{ik}}{\sum_{l'} 0.01 + \sum_{i: w \to l'} T_{ik}}

It begins with the share of each label among those of an item, adds 0.01 to every count (so that no
chance is 0), and ends when no probability changes by more than 1e-6, or after 1,000 rounds.

>>> ann, ben, cat = (np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]), np.array([1, 0, 1, 0]))
>>> given = Labels(np.tile(np.arange(4), 3), np.repeat(np.arange(3), 4),
...                np.concatenate([ann, ben, cat]), (4, 3, 2))
>>> found = dawid_skene(given)
>>> found.chances.argmax(axis=1).tolist(), found.accuracy.round(2).tolist()
([0, 0, 1, 1], [1.0, 1.0, 0.5])
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.metric import ratio

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
SMOOTHING, CLOSE, ROUNDS = 0.01, 1e-6, 1000


class Labels(NamedTuple):
    """``[label]`` its item, worker and what it is; ``size``: items, workers, kinds of labels."""

    item: Codes
    worker: Codes
    label: Codes
    size: tuple[int, int, int]


class Aggregated(NamedTuple):
    """``chances`` ``[item, label]``; of Dawid and Skene also what is told of workers.

    ``accuracy`` ``[worker]``: the chance that the worker says what is true, for items as they are;
    ``confusion`` ``[worker, true, said]``.
    """

    chances: Floats
    rounds: int = 0
    converged: bool = True
    accuracy: Floats = np.empty(0)
    confusion: Floats = np.empty((0, 0, 0))


def counts_of(given: Labels) -> Floats:
    """``[item, label]`` how many workers say so."""
    items, _, kinds = given.size
    flat = np.bincount(given.item * kinds + given.label, minlength=items * kinds)
    return flat.reshape(items, kinds).astype(np.float64)


def vote(given: Labels) -> Aggregated:
    """``[item, label]`` the share of each label; nan for an item without labels."""
    counts = counts_of(given)
    return Aggregated(ratio(counts, counts.sum(axis=1, keepdims=True)))


def winner(chances: Floats, uses: Floats) -> NDArray[np.int64]:
    """``[item]`` the most probable label; of tied ones that which is used most, then the first.

    >>> winner(np.array([[0.5, 0.5], [0.6, 0.4]]), np.array([3.0, 7.0])).tolist()
    [1, 0]
    """
    top = chances.max(axis=1, keepdims=True)
    tied = np.isclose(chances, top, rtol=0, atol=1e-9)
    best: NDArray[np.int64] = np.where(tied, uses, -1.0).argmax(axis=1)
    return best


def ties(chances: Floats) -> int:
    """How many items have several labels that are most probable."""
    top = chances.max(axis=1, keepdims=True)
    return int((np.isclose(chances, top, rtol=0, atol=1e-9).sum(axis=1) > 1).sum())


def dawid_skene(given: Labels, *, smoothing: float = SMOOTHING, rounds: int = ROUNDS) -> Aggregated:
    """Probabilities of labels by expectation maximisation, from the shares of votes on."""
    items, workers, kinds = given.size
    chances = np.nan_to_num(vote(given).chances)
    said = given.worker * kinds + given.label
    confusion, prior = np.empty((workers, kinds, kinds)), np.empty(kinds)
    converged, done = False, 0
    while done < rounds and not converged:
        done += 1
        for true in range(kinds):
            sums = np.bincount(said, chances[given.item, true], minlength=workers * kinds)
            confusion[:, true] = sums.reshape(workers, kinds) + smoothing
        confusion /= confusion.sum(axis=2, keepdims=True)
        prior = chances.mean(axis=0)
        logs = np.log(np.swapaxes(confusion, 1, 2)).reshape(-1, kinds)[said]
        with np.errstate(divide="ignore"):
            evidence = np.tile(np.log(prior), (items, 1))
        for true in range(kinds):
            evidence[:, true] += np.bincount(given.item, logs[:, true], minlength=items)
        after = np.exp(evidence - evidence.max(axis=1, keepdims=True))
        after /= after.sum(axis=1, keepdims=True)
        converged = bool(np.abs(after - chances).max(initial=0.0) < CLOSE)
        chances = after
    right = np.diagonal(confusion, axis1=1, axis2=2) @ prior
    return Aggregated(chances, done, converged, right, confusion)
