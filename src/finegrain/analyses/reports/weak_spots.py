"""Where a system loses more than it should: by label and by bucket, compared with the others.

The *deficit* of a system at a group of units is how far it falls behind the mean of the others
there, less how far it falls behind them overall:

>>> own, others = np.array([0.6, 0.9]), np.array([0.8, 0.9])         # at the group, overall
>>> round(float(deficit(own[0], own[1], others[0], others[1])), 2)   # 0.2 behind there, 0 overall
0.2
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.evidence import has_label, in_bucket
from finegrain.analyses.explain.bucket_scores import BucketScores
from finegrain.analyses.explain.buckets import Buckets
from finegrain.analyses.scores.score import Scores
from finegrain.analyses.selection.expressions import Expression
from finegrain.metrics.metric import Metric

LEAST = 0.05  # a deficit worth a sentence: five points
CLEAR = 2.0  # standard errors
LOWER = 0.02  # and it is weaker there than it is overall
PER_SYSTEM = 3  # sentences on one system
HARDER = 0.1  # than the mean: a bucket that is hard for all
ENOUGH = 50  # gold units, for a sentence about them


@dataclass(frozen=True, slots=True)
class WeakSpot:
    """A system and a group of ``n`` gold units, ``wrong`` of which it is wrong about.

    ``where`` selects the group, gold or not; ``untrue``: answers of the group that are not in the
    gold standard, where systems find units. ``kind``: ``label`` or the attribute, ``bucket`` its
    bucket; ``own`` (with its interval) and ``others`` are scores at the group.
    """

    system: int
    kind: str
    what: str
    section: str
    n: int
    wrong: int
    own: float
    others: float
    deficit: float
    where: Expression
    bucket: int | None = None
    untrue: int = 0
    interval: tuple[float, float] | None = None

    @property
    def topic(self) -> tuple[int, str]:
        """The system and what kind of thing it is weak at."""
        return self.system, self.kind

    def repeats(self, other: WeakSpot) -> bool:
        """Whether it says what another does: of the same group, on the same topic, or in numbers.

        Unknown words and words that never occur in the training data are the same units.
        """
        numbers = self.system, self.n, self.wrong
        return (
            self.what == other.what
            or self.topic == other.topic
            or numbers == (other.system, other.n, other.wrong)
        )


def worth_telling(spots: list[WeakSpot], *, most: int) -> list[WeakSpot]:
    """The largest deficits, one for a group of units and one for a topic; every system's first."""
    told: list[WeakSpot] = []
    for spot in sorted(spots, key=lambda one: -one.deficit):
        if not any(spot.repeats(one) for one in told):
            told.append(spot)
    turn = {id(spot): [one.system for one in told[:at]].count(spot.system)
            for at, spot in enumerate(told)}  # fmt: skip
    first = sorted(told, key=lambda one: turn[id(one)])[:most]
    first = [one for one in first if turn[id(one)] < PER_SYSTEM]
    return sorted(first, key=lambda one: -one.deficit)


class HardBucket(NamedTuple):
    """A bucket of an attribute, its gold units, and the mean recall of all systems."""

    attribute: str
    place: int
    what: str
    n: int
    mean: float
    overall: float


def hardest_bucket(found: Buckets, *, without: Collection[str] = ()) -> HardBucket | None:
    """The bucket with enough gold units whose recall is lowest, ten points below the mean.

    Recall, because only gold units are in a bucket for what they are. An answer that is not gold
    is there for what it is itself: wrong boundaries make names that training data do not have, so
    precision is low among unknown names whatever the systems are like. The first among equals;
    ``without``: attributes that are left out.
    """
    hard = [
        HardBucket(one.name, place, _told(one, place), int(one.gold[place]),
                   float(values.mean()), float(one.overall_recall().mean()))
        for one in found.attributes
        if _of_units(one) and one.name not in without
        for place, values in enumerate(one.recall())
        if one.gold[place] >= ENOUGH
    ]  # fmt: skip
    least = min(hard, key=lambda one: one.mean, default=None)
    return least if least is not None and least.overall - least.mean >= HARDER else None


def _of_units(one: BucketScores) -> bool:
    """Whether its buckets hold units, by something else than their label."""
    return len(one.divisions) == 1 and one.attributes[0].level == "unit" and one.name != "label"


def deficit(own: float, own_overall: float, others: float, others_overall: float) -> float:
    """How much more than overall a system is behind the others."""
    return (others - own) - (others_overall - own_overall)


def noise(own: float, others: float, n: int, systems: int) -> float:
    """About how much a difference of scores on ``n`` units varies by chance.

    Scores are taken for shares of the units, and the others for ``systems`` independent ones.

    >>> round(noise(0.5, 0.5, 100, 1), 3)            # sqrt(0.25 / 100 + 0.25 / 100)
    0.071
    """
    return math.sqrt((own * (1 - own) + others * (1 - others) / max(1, systems)) / n)


def weak_labels(scores: Scores, metric: Metric) -> list[WeakSpot]:
    """Labels with enough gold units at which a system has a deficit."""
    if metric.name not in scores.by_label or scores.errors is None or scores.task.errs_by_answer:
        return []
    found, correct = [], scores.errors.types.index(scores.task.outcomes.correct.name)
    for code, label in enumerate(scores.labels):
        n = int(scores.support[code])
        right = scores.errors.counts[code, :, correct]
        answers = scores.predicted[code] if scores.task.detects else right
        where = has_label(label)
        ends = None
        if scores.intervals is not None:
            ends = scores.intervals.by_label[metric.name][code]
        group = _Group("label", label, "scores", n, right, answers, where, ends)
        found += group.spots(scores.by_label[metric.name][code], scores.overall[metric.name])
    return found


def weak_buckets(found: Buckets) -> list[WeakSpot]:
    """Buckets with enough gold units at which a system has a deficit."""
    spots = []
    for one in filter(_of_units, found.attributes):
        for place, values in enumerate(one.main()):
            group = _Group(
                one.name,
                _told(one, place),
                "attributes",
                int(one.gold[place]),
                one.correct[place],
                one.predicted[place] if found.task.detects else one.correct[place],
                in_bucket(one.name, place),
                None if one.intervals is None else one.intervals.ends[place],
                place,
            )
            spots += group.spots(values, one.overall)
    return spots


class _Group(NamedTuple):
    """Gold units that are alike; ``right`` ``[system]`` of them; ``answers`` like them.

    ``ends`` ``[system, (low, high)]`` of the score, if intervals were drawn.
    """

    kind: str
    what: str
    section: str
    n: int
    right: NDArray[np.int64]
    answers: NDArray[np.int64]
    where: Expression
    ends: NDArray[np.float64] | None = None
    bucket: int | None = None

    def interval(self, system: int) -> tuple[float, float] | None:
        """That of a system's score, if it has one."""
        if self.ends is None or np.isnan(self.ends[system]).any():
            return None
        low, high = self.ends[system].tolist()
        return low, high

    def spots(self, values: NDArray[np.float64], overall: NDArray[np.float64]) -> list[WeakSpot]:
        if self.n < ENOUGH:
            return []
        return [
            WeakSpot(
                system,
                self.kind,
                self.what,
                self.section,
                self.n,
                self.n - int(self.right[system]),
                own,
                others,
                behind,
                self.where,
                self.bucket,
                int(self.answers[system] - self.right[system]),
                self.interval(system),
            )
            for system, own, others, behind in _behind(values, overall, self.n)
        ]


def _told(one: BucketScores, place: int) -> str:
    """``entity length 4 to 9``."""
    return f"{one.name.replace('_', ' ')} {one.divisions[0].buckets[place].range()}"


def _behind(
    values: NDArray[np.float64], overall: NDArray[np.float64], n: int
) -> list[tuple[int, float, float, float]]:
    """Systems with a deficit worth a sentence: place, own score, that of others, deficit.

    None by scores that are no shares of units: it is not known what is much of them.
    """
    found: list[tuple[int, float, float, float]] = []
    if np.nanmin(values, initial=0) < 0 or np.nanmax(values, initial=1) > 1:
        return found
    for system, own in enumerate(values.tolist()):
        rest = np.arange(len(values)) != system
        if np.isnan(values[rest]).all() or np.isnan(own) or np.isnan(overall[system]):
            continue
        others, others_overall = float(np.nanmean(values[rest])), float(np.nanmean(overall[rest]))
        behind = deficit(own, float(overall[system]), others, others_overall)
        least = max(LEAST, CLEAR * noise(own, others, n, int(rest.sum())))
        if behind >= least and own < others and own <= overall[system] - LOWER:
            found.append((system, own, others, behind))
    return found
