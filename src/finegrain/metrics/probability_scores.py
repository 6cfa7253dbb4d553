r"""How good the probabilities are that systems give to labels.

All but the areas under curves are means over items, and add up; probabilities are
``table.details["probability"]`` ``[unit, system, label]``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.metric import Listed, Metric, ratio
from finegrain.metrics.ranked import area, ordered_runs, precision_area
from finegrain.metrics.values import mean
from finegrain.metrics.weighing import Floats, Observing, Weighing
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples
from finegrain.table.scale import Scale

PROBABILITY = "probability"
BINS = 15  # of the expected calibration error
LOSS = Scale(higher=False, best=0.0, worst=None, shown="number")
GAP = Scale(higher=False, best=0.0, worst=1.0)
AREA = Scale(shown="number")
_NEEDS = (PROBABILITY,)
_NO_PROBABILITY = "there are no probabilities, or only one label"
_NO_BIN = "there are no probabilities, or not two items in any bin of them"


def losses(chances: Floats, gold: NDArray[np.integer]) -> Floats:
    r"""``[item]`` the log loss of each: minus the logarithm of the gold label's probability.

    .. math:: -\ln p_{i, g_i}

    A probability of 0 counts as 2.2e-16, as scikit-learn has it.

    >>> losses(np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([0, 0])).round(4).tolist()
    [0.3567, 0.9163]
    """
    given = chances[np.arange(len(gold)), gold]
    found: Floats = -np.log(np.clip(given, np.finfo(float).eps, 1.0))
    return found


def squares(chances: Floats, gold: NDArray[np.integer]) -> Floats:
    r"""``[item]`` the Brier score of each, summed over labels (Brier 1950).

    .. math:: \sum_l (p_{il} - [g_i = l])^2

    From 0 to 2. Of the first item here, 0.3 ** 2 + 0.3 ** 2:

    >>> squares(np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([0, 0])).round(2).tolist()
    [0.18, 0.72]
    """
    expected = np.zeros_like(chances)
    expected[np.arange(len(gold)), gold] = 1
    found: Floats = ((chances - expected) ** 2).sum(axis=-1)
    return found


def _sums(
    table: OutcomeTable, samples: Samples, *, of: Callable[..., Floats]
) -> NDArray[np.float64]:
    """``[sample, system, (sum, number)]`` over items that have probabilities."""
    chances = table.details[PROBABILITY]
    found = np.zeros((samples.size, table.n_systems, 2))
    for system in range(table.n_systems):
        known = np.flatnonzero(~np.isnan(chances[:, system]).any(axis=-1))
        values = of(chances[known, system], table.label[known])
        codes = samples.codes[known]
        found[:, system, 0] = np.bincount(codes, values, minlength=samples.size)
        found[:, system, 1] = np.bincount(codes, minlength=samples.size)
    return found


def reliability(table: OutcomeTable, samples: Samples, *, bins: int = BINS) -> NDArray[np.float64]:
    """``[sample, system, bin, (items, right, sum of probabilities)]`` by the top probability.

    Bins have equal widths and are open below: the first of 15 is (0, 0.0667].
    """
    chances = table.details[PROBABILITY]
    found = np.zeros((samples.size, table.n_systems, bins, 3))
    for system in range(table.n_systems):
        known = np.flatnonzero(~np.isnan(chances[:, system]).any(axis=-1))
        top = chances[known, system].max(axis=-1)
        right = chances[known, system].argmax(axis=-1) == table.label[known]
        place = np.clip(np.ceil(top * bins).astype(np.int64) - 1, 0, bins - 1)
        group = samples.codes[known] * bins + place
        for at, weights in enumerate((None, right, top)):
            sums = np.bincount(group, weights, minlength=samples.size * bins)
            found[:, system, :, at] = sums.reshape(samples.size, bins)
    return found


def ece(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Expected calibration error (Naeini et al. 2015; Guo et al. 2017).

    .. math:: \sum_b \frac{n_b}{n}
       \left| \frac{right_b}{n_b} - \frac{\sum_{i \in b} p_i}{n_b} \right|

    where p is the probability of the most probable label and b are 15 bins of equal width. From 0
    to 1; it grows with the number of bins and shrinks with the number of items.

    >>> ece(np.array([[10.0, 9, 8.0], [10, 5, 6.5]])).round(3)     # |9 - 8| + |5 - 6.5| of 20 items
    np.float64(0.125)
    """
    gaps = np.abs(sums[..., 1] - sums[..., 2]).sum(axis=-1)
    return ratio(gaps, sums[..., 0].sum(axis=-1))


def debiased_ece(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Root of the debiased squared calibration error (Kumar, Liang and Ma 2019).

    .. math:: \sqrt{\max\left(0, \sum_b \frac{n_b}{n}
       \left[(a_b - c_b)^2 - \frac{a_b (1 - a_b)}{n_b - 1}\right]\right)}

    where a is the accuracy and c the mean probability of a bin: what the squared gap would be by
    chance is taken away. Bins of one item are left out.

    >>> debiased_ece(np.array([[11.0, 11, 8.8]])).round(3)             # all right at 0.8
    np.float64(0.2)
    """
    items, right, chance = np.moveaxis(sums, -1, 0)
    several = items > 1
    size = np.where(several, items, 2)
    accuracy, confidence = right / size, chance / size
    square = (accuracy - confidence) ** 2 - accuracy * (1 - accuracy) / (size - 1)
    total = np.where(several, items * square, 0).sum(axis=-1)
    return np.sqrt(np.maximum(ratio(total, np.where(several, items, 0).sum(axis=-1)), 0))


def _observed(table: OutcomeTable) -> Floats:
    """``[unit, system, (label, probability of every label)]``."""
    chances = table.details[PROBABILITY]
    label = np.broadcast_to(table.label[:, None, None].astype(float), (*chances.shape[:2], 1))
    return np.concatenate([label, chances], axis=-1)


def _sureness(table: OutcomeTable) -> Floats:
    """``[unit, system, (probability of the most probable label, whether that is wrong)]``."""
    chances = table.details[PROBABILITY]
    wrong = (chances.argmax(axis=-1) != table.label[:, None]).astype(float)
    return np.stack([chances.max(axis=-1), wrong], axis=-1)


def aurc(rows: Floats, weights: Floats) -> Floats:
    r"""Area under the curve of risk by coverage, by weights (Geifman and El-Yaniv 2017).

    .. math:: \frac1n \sum_{k=1}^n \frac{\text{errors among the surest } k \text{ items}}{k}

    Items are answered from the surest on, by the probability of the most probable label; those that
    are equally sure together. From 0 to 1; a system that is right more often where it is surer has
    a smaller area than its error rate.

    >>> rows = np.array([[0.9, 0.0], [0.8, 0.0], [0.7, 0.0], [0.6, 1.0]])    # sure, wrong
    >>> aurc(rows, np.ones((1, 4))).tolist()                               # (0 + 0 + 0 + 1/4) / 4
    [0.0625]
    """
    order = ordered_runs(-rows[:, 0])
    taken = order.sums(weights)
    wrong = np.cumsum(order.sums(weights * rows[:, 1]), axis=1)
    risk = ratio(wrong, np.cumsum(taken, axis=1))
    return ratio((taken * np.nan_to_num(risk)).sum(axis=1), taken.sum(axis=1))


def top_hits(table: OutcomeTable, samples: Samples, *, k: int) -> NDArray[np.float64]:
    r"""Top-k accuracy: the share of items whose gold label is among the k most probable ones.

    .. math:: \frac1n \sum_i [\operatorname{rank}(p_{i, g_i}) \le k]

    Of equally probable labels the first in the alphabet ranks higher, as it is the one answered.
    """
    chances = table.details[PROBABILITY]
    found = np.zeros((samples.size, table.n_systems, 2))
    for system in range(table.n_systems):
        known = np.flatnonzero(~np.isnan(chances[:, system]).any(axis=-1))
        given, gold = chances[known, system], table.label[known]
        own = given[np.arange(len(known)), gold][:, None]
        before = np.arange(given.shape[1]) < gold[:, None]
        rank = ((given > own) | ((given == own) & before)).sum(axis=1)
        codes = samples.codes[known]
        found[:, system, 0] = np.bincount(codes, rank < k, minlength=samples.size)
        found[:, system, 1] = np.bincount(codes, minlength=samples.size)
    return found


_TOP = re.compile(r"top@([1-9]\d{0,5})\Z")


def top_accuracy(name: str) -> Metric | None:
    """The metric of a name such as ``top@3``: accuracy of the three most probable labels.

    >>> top_accuracy("top@3").name, top_accuracy("macro_f1")
    ('top@3', None)
    """
    match = _TOP.match(name)
    if match is None:
        return None
    return Metric(
        name, partial(top_hits, k=int(match[1])), mean,
        f"share of items whose gold label is among the {match[1]} most probable", "",
        definition=top_hits, short=name, needs=_NEEDS, heading=name, undefined=_NO_PROBABILITY,
        optional=True,
    )  # fmt: skip


def over_labels(rows: Floats, weights: Floats, *, of: Callable[[Floats, Floats], Floats]) -> Floats:
    r"""The mean over gold labels of the area for that label against all others.

    .. math:: \frac{1}{|L|} \sum_{l \in L} A_l

    where A is the area under the curve of the scores of label l, and L are the labels that some
    items have and others do not.
    """
    labels = np.unique(rows[:, 0]).astype(int)
    areas = [
        of(np.stack([rows[:, 1 + label], rows[:, 0] == label], axis=-1), weights)
        for label in labels
    ]
    known = ~np.isnan(areas)
    return ratio(np.where(known, areas, 0).sum(axis=0), known.sum(axis=0))


def _additive(
    name: str, summary: str, reference: str, of: Callable[..., Floats], heading: str
) -> Metric:
    return Metric(
        name, partial(_sums, of=of), mean, summary, reference, short=name, definition=of,
        needs=_NEEDS,
        scale=LOSS, heading=heading, undefined=_NO_PROBABILITY,
        optional=True,
        listed=Listed(2, "Probabilities"),
    )  # fmt: skip


def _calibration(
    name: str, summary: str, reference: str, score: Callable[..., Floats], detail: int,
    undefined: str = _NO_PROBABILITY,
) -> Metric:  # fmt: skip
    return Metric(
        name, reliability, score, summary, reference, short=name, needs=_NEEDS, scale=GAP,
        heading=name.replace("_", " ").replace("ece", "ECE"), undefined=undefined,
        optional=True,
        listed=Listed(detail, "Probabilities"),  # type: ignore[arg-type]  # 2 or 3
    )  # fmt: skip


def _area(
    name: str, summary: str, reference: str, of: Callable[[Floats, Floats], Floats], heading: str
) -> Metric:
    return Metric(
        name, Observing(_observed), Weighing(partial(over_labels, of=of)), summary, reference,
        definition=of, short=name, needs=_NEEDS, scale=AREA, heading=heading,
        undefined=_NO_PROBABILITY,
        optional=True,
        listed=Listed(2, "Probabilities"),
    )  # fmt: skip


PROBABILITY_METRICS: tuple[Metric, ...] = (
    _additive("log_loss", "mean of minus the logarithm of the gold label's probability",
              "Good (1952)", losses, "log loss"),
    _additive("brier", "mean squared difference of probabilities from the truth, over labels",
              "Brier (1950)", squares, "Brier"),
    _calibration("ece", "gap between probability and accuracy, in 15 bins",
                 "Guo et al. (2017)", ece, 2),
    _calibration("debiased_ece", "root of the debiased squared gap, in 15 bins",
                 "Kumar et al. (2019)", debiased_ece, 3, _NO_BIN),
    _area("auc", "area under the ROC curve of a label against the others, mean over labels",
          "Hanley and McNeil (1982)", area, "AUC"),
    _area("average_precision", "area under the precision-recall curve, mean over labels",
          "Davis and Goadrich (2006)", precision_area, "AP"),
    Metric("aurc", Observing(_sureness), Weighing(aurc),
           "mean risk over all coverages, the surest items first", "Geifman and El-Yaniv (2017)",
           definition=aurc, short="aurc", needs=_NEEDS, heading="AURC", undefined=_NO_PROBABILITY,
           scale=Scale(higher=False, best=0.0, worst=1.0, shown="number"), optional=True,
           listed=Listed(3, "Probabilities")),
)  # fmt: skip
