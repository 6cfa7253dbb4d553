"""What a crowd says: each worker against the others and gold, and one label for every item.

>>> from finegrain.formats.crowd_labels import read_labels
>>> from finegrain.formats.source import source_of
>>> rows = [("ann", "xxyy"), ("ben", "xxyy"), ("cat", "yxyx")]
>>> lines = [f"{who},q{at},{label}" for who, own in rows for at, label in enumerate(own)]
>>> given = read_labels(source_of("crowd.csv", "\\n".join(["worker,item,label", *lines]).encode()))
>>> found = crowd(given)
>>> [found.labels[code] for code in found.label.tolist()]
['x', 'x', 'y', 'y']
>>> {one.name: float(one.rest.value) for one in found.workers}
{'ann': 1.0, 'ben': 1.0, 'cat': 0.5}

Labels are aggregated by majority vote and by Dawid and Skene's model (``metrics.dawid_skene``). Of
tied labels that which is used most in the whole file is taken, then the first in order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.listing import Listing
from finegrain.analyses.result import Printed
from finegrain.analyses.trust import crowd_listings
from finegrain.errors import UsageError
from finegrain.formats.crowd_labels import CrowdLabels
from finegrain.metrics import dawid_skene as aggregation
from finegrain.metrics.agreement import cohen_kappa, sums_of
from finegrain.metrics.dawid_skene import Aggregated, Labels
from finegrain.metrics.metric import ratio
from finegrain.resampling.intervals import Drawing, check, interval_of
from finegrain.sizes import sized
from finegrain.table.scale import PROPORTION
from finegrain.version import __version__

Method = Literal["dawid-skene", "vote"]
Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


class Against(NamedTuple):
    """How often labels are those of others: items, share, its interval, Cohen's kappa."""

    items: int
    value: float
    low: float
    high: float
    kappa: float


class Worker(NamedTuple):
    """A worker: labels, against the vote of the rest, against gold, and as the model has it."""

    name: str
    labels: int
    rest: Against
    gold: Against
    estimated: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Crowd(Printed):
    """Aggregated labels of all items, and workers in the order of the file.

    ``label`` and ``vote`` ``[item]``: codes into ``labels``, by ``method`` and by vote;
    ``chances`` ``[item, label]``; ``gold`` ``[item]``, -1 for none; ``accuracy``: of vote and model
    against gold.
    """

    source: str
    method: Method
    items: tuple[str, ...]
    labels: tuple[str, ...]
    label: Codes
    vote: Codes
    chances: Floats
    counts: Floats
    gold: Codes
    workers: tuple[Worker, ...]
    accuracy: dict[str, Against]
    model: Aggregated
    confidence_level: float
    signature: str
    notes: tuple[str, ...]

    @property
    def task(self) -> str:
        return "labels"

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.workers)

    @property
    def confidence(self) -> Floats:
        """``[item]`` the probability of its label."""
        found: Floats = self.chances[np.arange(len(self.label)), self.label]
        return found

    @property
    def disagreement(self) -> Floats:
        """``[item]`` the share of workers who do not give its most frequent label."""
        return 1 - ratio(self.counts.max(axis=1), self.counts.sum(axis=1))

    @property
    def entropy(self) -> Floats:
        """``[item]`` of the labels that workers gave, in bits."""
        share = self.counts / np.maximum(self.counts.sum(axis=1, keepdims=True), 1)
        found: Floats = -(share * np.log2(np.where(share > 0, share, 1))).sum(axis=1)
        return np.maximum(found, 0.0)

    def to_json(self) -> dict[str, Any]:
        return crowd_listings.to_json(self)

    def listings(self) -> tuple[Listing, ...]:
        return crowd_listings.listings(self)

    def records(self) -> Listing:
        return crowd_listings.records(self)


def crowd(
    given: CrowdLabels,
    *,
    method: Method = "dawid-skene",
    intervals: int = 1000,
    confidence: float = 0.95,
    seed: int = 1,
) -> Crowd:
    """Judge the workers of a crowd, and aggregate their labels.

    Parameters
    ----------
    given: labels from ``fg.read_crowd``
    method: ``dawid-skene`` or ``vote``, by which labels and probabilities are
    intervals: resamples for intervals; 0 for none
    confidence: of the intervals
    seed: the same seed, files and version of numpy give the same intervals
    """
    if method not in get_args(Method):
        raise UsageError.unknown("method", method, get_args(Method))
    if intervals:
        check(intervals, confidence)
    drawing = Drawing(intervals, confidence, seed)
    size = (len(given.items), len(given.workers), len(given.labels))
    labels = Labels(given.item, given.worker, given.label, size)
    counts = aggregation.counts_of(labels)
    uses = counts.sum(axis=0)
    shares, model = aggregation.vote(labels), aggregation.dawid_skene(labels)
    labelled = counts.sum(axis=1) > 0
    by_vote = aggregation.winner(np.nan_to_num(shares.chances), uses)
    by_model = aggregation.winner(model.chances, uses)
    chosen = model.chances if method == "dawid-skene" else np.nan_to_num(shares.chances)
    accuracy = {}
    if (given.gold >= 0).any():
        known = (given.gold >= 0) & labelled
        for name, own in (("vote", by_vote), ("dawid-skene", by_model)):
            accuracy[name] = _against(own[known], given.gold[known], size[2], drawing)
    return Crowd(
        given.source, method, given.items, given.labels,
        by_model if method == "dawid-skene" else by_vote, by_vote, chosen, counts, given.gold,
        _workers(given, labels, counts, model, drawing), accuracy, model, confidence,
        _signature(given, method, drawing),
        (*given.notes, *_notes(model, shares, labelled)),
    )  # fmt: skip


def _workers(
    given: CrowdLabels, labels: Labels, counts: Floats, model: Aggregated, drawing: Drawing
) -> tuple[Worker, ...]:
    """Every worker against the vote of the others, where that is not tied, and against gold."""
    kinds = len(given.labels)
    others = counts[labels.item]
    others[np.arange(len(others)), labels.label] -= 1
    top = others.max(axis=1)
    clear = (top > 0) & ((others == top[:, None]).sum(axis=1) == 1)
    rest = np.where(clear, others.argmax(axis=1), -1)
    gold = given.gold[labels.item]
    order = np.argsort(labels.worker, kind="stable")
    ends = np.searchsorted(labels.worker[order], np.arange(len(given.workers) + 1)).tolist()
    found = []
    for place, name in enumerate(given.workers):
        own = order[ends[place] : ends[place + 1]]
        said = labels.label[own]
        as_rest, as_gold = (
            _against(said[truth >= 0], truth[truth >= 0], kinds, drawing)
            for truth in (rest[own], gold[own])
        )
        found.append(Worker(name, len(own), as_rest, as_gold, float(model.accuracy[place])))
    return tuple(found)


def _against(said: Codes, truth: Codes, kinds: int, drawing: Drawing) -> Against:
    if not len(said):
        return Against(0, np.nan, np.nan, np.nan, np.nan)
    right = (said == truth).astype(float)
    low = high = np.array(np.nan)
    if drawing.resamples:
        low, high = interval_of(
            np.stack([right, np.ones(len(right))], axis=1),
            lambda sums: ratio(sums[..., 0], sums[..., 1]),
            resamples=drawing.resamples, level=drawing.level, seed=drawing.seed,
            scale=PROPORTION,
        )  # fmt: skip
    confusion = np.bincount(said * kinds + truth, minlength=kinds * kinds).reshape(kinds, kinds)
    kappa = float(cohen_kappa(sums_of(confusion)))
    return Against(len(said), float(right.mean()), float(low), float(high), kappa)


def _signature(given: CrowdLabels, method: Method, drawing: Drawing) -> str:
    parts = {"task": "labels", "method": method, "smoothing": f"{aggregation.SMOOTHING:g}"}
    parts |= {"sample": "item"} | drawing.said() if drawing.resamples else {}
    parts |= {"labels": str(len(given.label)), "units": str(len(given.items))}
    parts |= {"workers": str(len(given.workers)), "v": __version__}
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def _notes(model: Aggregated, shares: Aggregated, labelled: NDArray[np.bool_]) -> list[str]:
    notes = []
    tied = aggregation.ties(np.nan_to_num(shares.chances)[labelled])
    if tied:
        notes.append(
            f"the vote is tied for {sized(tied, 'item')}: of tied labels that which is used most "
            "in the file is taken, then the first in order"
        )
    notes.append(
        f"Dawid and Skene: from shares of votes, {aggregation.SMOOTHING:g} added to every count, "
        f"{sized(model.rounds, 'round')}, "
        + ("converged" if model.converged else "NOT converged")
        + f" (no probability changes by {aggregation.CLOSE:g})"
    )
    if not labelled.all():
        notes.append(
            f"{sized(int((~labelled).sum()), 'item')} without any label, left to the model"
        )
    return notes
