"""The buckets of one attribute, or of two that are crossed: sizes, scores and what sums them up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.evidence import GOLD, Evidence, hurts, in_bucket
from finegrain.analyses.explain.bucket_extremes import Extremes, extremes
from finegrain.analyses.explain.bucket_intervals import BucketIntervals
from finegrain.analyses.explain.bucket_units import BucketUnits
from finegrain.analyses.trend import size_without_trend, trend
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.bucketing import Division
from finegrain.metrics.metric import Metric, ratio
from finegrain.table.scale import Scale

FEW = 30  # a bucket with fewer gold units is flagged: a score of it says little


@dataclass(frozen=True, slots=True, eq=False)
class BucketScores:
    """One attribute, or two that are crossed: sizes and scores of its buckets.

    ``gold`` ``[bucket]``; ``predicted``, ``correct`` and ``errors`` (gold units that are not right
    and answers that are not gold) ``[bucket, system]``; ``scores[metric]`` ``[bucket, system]``,
    the first metric being the one that ``spearman`` and ``std`` are of, and ``overall``
    ``[system]`` of all units; ``zeta``,
    the mean of the gold units' values. For crossed attributes buckets run over the second one
    first. ``intervals`` are those of the first metric, if they were asked for. ``units`` are those
    of the table behind buckets, which may hold their tokens; ``None`` for crossed attributes.
    ``tokens_of``: ``spans``, where buckets hold their tokens.
    """

    attributes: tuple[Attribute, ...]
    divisions: tuple[Division, ...]
    gold: NDArray[np.int64]
    predicted: NDArray[np.int64]
    correct: NDArray[np.int64]
    errors: NDArray[np.int64]
    metrics: tuple[Metric, ...]
    scores: Mapping[str, NDArray[np.float64]]
    zeta: float
    overall: NDArray[np.float64]
    intervals: BucketIntervals | None = None
    units: BucketUnits | None = None
    tokens_of: str = ""

    @property
    def name(self) -> str:
        return "+".join(one.name for one in self.attributes)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of every bucket."""
        found = [""]
        for division in self.divisions:
            found = [
                f"{before} / {bucket.name}" if before else bucket.name
                for before in found
                for bucket in division.buckets
            ]
        return tuple(found)

    @property
    def scale(self) -> Scale:
        """How scores of the first metric are read."""
        return self.metrics[0].scale

    @property
    def few(self) -> NDArray[np.bool_]:
        """``[bucket]`` too few gold units for a judgement."""
        return self.gold < FEW

    @property
    def of_tokens(self) -> bool:
        """Whether its buckets hold tokens of units, not units: a unit may be in several."""
        return self.units is not None and self.units.masks is not None

    def held(self, bucket: int) -> Evidence | None:
        """The gold units in a bucket, or with a token there; ``None`` for crossed attributes."""
        if self.units is None:
            return None
        count = int(self.units.gold[bucket])
        return Evidence.of(count, GOLD, in_bucket(self.name, bucket))

    def behind(self, bucket: int, system: int) -> Evidence | None:
        """What keeps a system from 100 there: gold units it lacks, answers that are not gold.

        Of units that are only graded: all that are there.
        """
        if self.units is None:
            return None
        if self.units.graded:
            return self.held(bucket)
        count = int(self.units.wrong[bucket, system])
        return Evidence.of(count, hurts(self.units.systems[system]), in_bucket(self.name, bucket))

    def main(self) -> NDArray[np.float64]:
        """``[bucket, system]`` the score of the first metric."""
        return self.scores[self.metrics[0].name]

    def best_and_worst(self, values: NDArray[np.float64]) -> Extremes:
        """The buckets with the best and the worst of the scores ``[bucket]``."""
        return extremes(self.scale.quality(values), self.judged)

    def recall(self) -> NDArray[np.float64]:
        """``[bucket, system]`` the share of gold units that a system is right about."""
        return ratio(self.correct, self.gold[:, None])

    def overall_recall(self) -> NDArray[np.float64]:
        """``[system]`` the same for all buckets together."""
        return ratio(self.correct.sum(axis=0), self.gold.sum())

    def spearman(self) -> NDArray[np.float64]:
        """``[system]`` rank correlation of score and bucket, S_rho of the paper.

        nan without an order of buckets, for one bucket, and where all have the same score.
        """
        if len(self.divisions) > 1 or not self.divisions[0].ordered:
            return np.full(self.main().shape[1], np.nan)
        values = self._ranked()
        rank = np.arange(len(values))
        return np.array([trend(rank, column).spearman for column in values.T])

    def std(self) -> NDArray[np.float64]:
        """``[system]`` standard deviation of the buckets' scores (ddof 0), S_sigma of the paper."""
        columns = [column[~np.isnan(column)] for column in self._ranked().T]
        return np.array([column.std() if len(column) else np.nan for column in columns])

    def rho(self) -> float:
        """Mean size of ``spearman`` over systems; nan if none has one."""
        sizes = np.abs(self.spearman())
        sizes = sizes[~np.isnan(sizes)]
        return float(sizes.mean()) if len(sizes) else float("nan")

    def rho_without_trend(self) -> float:
        """What ``rho`` is on average if scores do not go with the attribute."""
        return size_without_trend(int((~np.isnan(self._ranked()).all(axis=1)).sum()))

    @property
    def judged(self) -> NDArray[np.bool_]:
        """``[bucket]`` whether its units have a value, so that it is compared with others."""
        undefined = [[one.kind == "undefined" for one in each.buckets] for each in self.divisions]
        left_out = np.array(undefined[0], bool)
        for further in undefined[1:]:
            left_out = (left_out[:, None] | np.array(further, bool)).ravel()
        return ~left_out

    def _ranked(self) -> NDArray[np.float64]:
        """The main score of buckets, without those of units that have no value."""
        ranked: NDArray[np.float64] = self.main()[self.judged]
        return ranked
