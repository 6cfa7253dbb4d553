"""Two systems compared: the difference, its interval, its p, its size.

>>> from finegrain.resampling.distinct import distinct
>>> one = distinct(np.array([[1.0, 2.0]] * 30 + [[2.0, 2.0]] * 30))          # right, all
>>> two = distinct(np.array([[2.0, 2.0]] * 50 + [[1.0, 2.0]] * 10))
>>> def accuracy(sums): return sums[..., 0] / sums[..., 1]
>>> found = compare(one, two, accuracy, Settings(test="randomisation"))
>>> round(found.difference, 3), round(found.low, 3), round(found.high, 3), round(found.p, 4)
(0.167, 0.067, 0.267, 0.0024)
>>> found.better, found.worse, found.equal
(30, 10, 20)

Differences are of the numbers; better and worse go by the scale.

>>> fast = compare(one, two, accuracy, Settings(test="t"), scale=Scale(higher=False))
>>> round(fast.difference, 3), fast.better, fast.worse
(0.167, 10, 30)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.metric import Score
from finegrain.resampling import tests
from finegrain.resampling.distinct import Distinct
from finegrain.resampling.intervals import (
    LEVEL,
    RESAMPLES,
    SEED,
    Drawing,
    Interval,
    interval,
    too_few,
)
from finegrain.resampling.labelled import Labelled
from finegrain.resampling.labelled_pairs import labelled_pair
from finegrain.resampling.paired import Paired, paired
from finegrain.resampling.power import Spread
from finegrain.resampling.sample_weights import weighed
from finegrain.resampling.skewed_t import Added, added
from finegrain.resampling.weighted import Observed
from finegrain.resampling.weighted_pairs import observed_pair
from finegrain.table.scale import PROPORTION, Scale

System = Distinct | Labelled
Test = Literal["randomisation", "bootstrap", "mcnemar", "sign", "wilcoxon", "t"]
TESTS: dict[Test, str] = {
    "randomisation": "approximate randomisation",
    "bootstrap": "paired bootstrap",
    "mcnemar": "exact McNemar test",
    "sign": "exact sign test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "t": "paired t test",
}
SILENT = 1.0  # the score of a system that answers nothing where there is nothing to find
EXACT_TESTS: tuple[Test, ...] = ("mcnemar", "sign")  # of counts: nothing is resampled


@dataclass(frozen=True, slots=True)
class Settings:
    """How pairs are compared; ``resamples`` are those of p, intervals have their own number."""

    test: Test
    resamples: int = tests.RESAMPLES
    intervals: int = RESAMPLES
    level: float = LEVEL
    seed: int = SEED

    @property
    def resampled(self) -> bool:
        """Whether p comes from resamples, which bound it from below."""
        return self.test in ("randomisation", "bootstrap")


class Comparison(NamedTuple):
    """The second system against the first; nan where undefined.

    ``better``, ``worse``, ``equal``: samples in which the second scores so, by the scale.
    ``differing``: samples in which what is counted differs; ``half_scored``: those in which only
    one of the two has a score. ``mid_p``: of exact tests only. ``pooled``: blocks of samples were
    drawn. ``tested``: what samples add to what the test compares, ``None`` where they have no sums;
    ``lower``, ``higher``: one-sided p of the randomisation test, nan of others.
    """

    difference: float
    low: float
    high: float
    p: float
    mid_p: float
    spread: Spread
    better: int
    worse: int
    equal: int
    differing: int
    half_scored: int
    pooled: bool = False
    tested: Added | None = None
    lower: float = math.nan
    higher: float = math.nan

    @property
    def effect(self) -> float:
        """The difference in standard deviations of one sample's share in it."""
        wide = self.spread.error * math.sqrt(self.spread.samples)
        return self.difference / wide if wide > 0 else math.nan


class Shift(NamedTuple):
    """The difference of a pair with its interval, the resamples behind it, and ``samples``.

    ``scores``: ``[sample]`` of either system, see ``sample_scores``; ``samples``: in how many of
    them one has a score; ``effective``: as many of equal size; ``added``: what each adds.
    """

    pair: Paired
    scores: tuple[NDArray[np.float64], NDArray[np.float64]]
    difference: float
    interval: Interval
    resampled: NDArray[np.float64]
    samples: int
    effective: float
    added: Added | None

    @property
    def spread(self) -> float:
        """The standard error of the difference."""
        if self.added is None:
            return _standard_error(self.resampled, self.samples)
        return self.added.error


def shift(
    one: System, other: System, score: Score, drawing: Drawing, *, silent: float | None = SILENT
) -> Shift:
    """The score of the second system minus that of the first, on the same samples."""
    pair = _paired(one, other)
    first, second = sample_scores(one, other, score, silent=silent)
    telling = ~np.isnan(first) | ~np.isnan(second)
    if isinstance(one, Observed) and isinstance(other, Observed):
        telling = one.telling(score) | other.telling(score)
    known = int(np.count_nonzero(telling))
    difference = pair.difference(score)
    resampled = pair.bootstrapped(score, resamples=drawing.resamples, seed=drawing.seed)
    adds = added(pair, score)
    effective = float(known) if adds is None else min(adds.effective, known)
    bounds = interval(
        np.array(difference), resampled, np.array(known),
        effective=np.array(effective), level=drawing.level,
    )  # fmt: skip
    return Shift(pair, (first, second), difference, bounds, resampled, known, effective, adds)


def _paired(one: System, other: System) -> Paired:
    if isinstance(one, Observed) and isinstance(other, Observed):
        return observed_pair(one, other)
    if isinstance(one, Distinct) and isinstance(other, Distinct):
        return paired(one, other)
    if isinstance(one, Labelled) and isinstance(other, Labelled):
        return labelled_pair(one, other)
    raise TypeError("two systems are counted in the same way")


def sample_scores(
    one: System, other: System, score: Score, *, silent: float | None = SILENT
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """``[sample]`` the scores of two systems; nan where a system has none.

    Where there is nothing to find, to answer nothing is right: it counts as the best score,
    ``silent``, beside a system that answers something. F1 has no value there, and what the other
    one invents would not count. ``None``: what was not counted is undefined (``Metric.silent``).

    >>> from finegrain.metrics.label_counts import f1          # of TP, FP, FN, gold, predicted
    >>> from finegrain.resampling.distinct import distinct
    >>> silent = distinct(np.array([[1.0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]))
    >>> inventive = distinct(np.array([[1.0, 0, 0, 1, 1], [0, 2, 0, 0, 2]]))
    >>> [scores.tolist() for scores in sample_scores(silent, inventive, f1)]
    [[1.0, 1.0], [1.0, 0.0]]
    """
    found = [system.scores(score)[system.codes] for system in (one, other)]
    known = [~np.isnan(values) for values in found]
    if silent is None:
        return found[0], found[1]
    for place, system in enumerate((one, other)):
        nothing = system.empty()[system.codes]
        found[place] = np.where(nothing & ~known[place] & known[1 - place], silent, found[place])
    return found[0], found[1]


def compare(
    one: System,
    other: System,
    score: Score,
    settings: Settings,
    *,
    scale: Scale = PROPORTION,
    silent: float | None = SILENT,
    counts: tuple[int, int] | None = None,
    weights: NDArray[np.float64] | None = None,
) -> Comparison:
    """Compare two systems on the same samples.

    scale: which end of the score is good
    silent: as in ``sample_scores``
    counts: what only the first and only the second system is right about, for the exact tests
    weights: ``[sample]``, of documents: the randomisation test then exchanges what they weigh
    """
    drawing = Drawing(settings.intervals, settings.level, settings.seed)
    found = shift(one, other, score, drawing, silent=silent)
    scores, difference, known = found.scores, found.difference, found.samples
    bounds, pair, tested = found.interval, found.pair, found.added
    exact = tests.binomial(*counts) if counts is not None else None
    lower = higher = math.nan
    if exact is not None:
        p = exact.p
    elif math.isnan(difference) or too_few(known, level=settings.level):
        p = math.nan
    elif settings.test == "randomisation":
        if weights is not None:
            pair = _paired(weighed(one, weights), weighed(other, weights))
            tested = added(pair, score)
        _, p, lower, higher = _exchanged(pair, score, settings, None if weights is None else tested)
        if tested is not None and tested.difference * difference < 0:
            p = 1.0  # documents by their weight and the corpus disagree who is ahead
    elif settings.test == "bootstrap":
        p = tests.bootstrap_test(
            pair, score, samples=found.effective, resamples=settings.resamples, seed=settings.seed
        ).p
    else:
        p = (tests.wilcoxon if settings.test == "wilcoxon" else tests.paired_t)(*scores)
    better, worse = moved(scores, scale)
    return Comparison(
        difference,
        float(bounds.low),
        float(bounds.high),
        p,
        math.nan if exact is None else exact.mid_p,
        Spread(found.spread, one.n_samples, known, found.effective),
        better,
        worse,
        one.n_samples - better - worse,
        found.pair.differing,
        int(np.count_nonzero(np.isnan(scores[0]) != np.isnan(scores[1]))),
        pair.pooled,
        tested,
        lower,
        higher,
    )


def _exchanged(
    pair: Paired, score: Score, settings: Settings, documents: Added | None
) -> tests.Evidence:
    """The randomisation test; of documents the larger p of it and of the skewed t test.

    Exchanges are right where outputs could be exchanged. Of systems that only score the same, one
    may err in bunches and the other not, which exchanges take for a difference.
    """
    found = tests.randomisation(pair, score, resamples=settings.resamples, seed=settings.seed)
    if documents is None or not documents.error > 0:
        return found
    lower, higher = documents.below(0.0), documents.above(0.0)
    return found._replace(
        p=max(found.p, min(1.0, 2 * min(lower, higher))),
        lower=max(found.lower, lower),
        higher=max(found.higher, higher),
    )


class Moved(NamedTuple):
    """In how many samples the second system scores better, and worse."""

    better: int
    worse: int


def moved(scores: tuple[NDArray[np.float64], NDArray[np.float64]], scale: Scale) -> Moved:
    """From the scores ``[sample]`` of two systems; differences up to a tie count as none."""
    gain = np.round(scale.gain(*scores), 12)
    return Moved(int((gain > scale.tie).sum()), int((gain < -scale.tie).sum()))


def _standard_error(drawn: NDArray[np.float64], samples: int) -> float:
    """Of resampled differences, as wide as n - 1 makes it."""
    known = drawn[~np.isnan(drawn)]
    if len(known) < 2 or samples < 2:
        return math.nan
    return float(known.std(ddof=1)) * math.sqrt(samples / (samples - 1))
