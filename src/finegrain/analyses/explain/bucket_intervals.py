"""How far the scores of buckets could be off.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=20_000, seed=1)
>>> found = fg.buckets(fg.align(play.gold, play.systems), "entity_length", intervals=1000)
>>> of_bucket = found["entity_length"]
>>> low, high = of_bucket.intervals.ends[0, 0]                   # first bucket, first system
>>> bool(low < of_bucket.main()[0, 0] < high)
True

Documents are drawn, or sentences where there are none; every bucket and system by itself, so that
neither other buckets nor other systems change a digit. A bucket without a unit in a document says
nothing about it, so n are the documents that have units of the bucket.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.metrics.label_counts import over_labels
from finegrain.metrics.metric import Metric
from finegrain.resampling.intervals import Drawing, drawn
from finegrain.resampling.label_intervals import ends_of
from finegrain.resampling.sampling import by_label, counted_apart, labelled_apart, sampling_of
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples


@dataclass(frozen=True, slots=True, eq=False)
class BucketIntervals:
    """``ends`` ``[bucket, system, (low, high)]``; nan where there is none."""

    confidence: float
    ends: NDArray[np.float64]


def bucket_intervals(
    table: OutcomeTable, buckets: Samples, metric: Metric, drawing: Drawing
) -> BucketIntervals | None:
    """Intervals of the metric in every bucket; ``None`` without resamples or systems."""
    if not (drawing.resamples and table.n_systems):
        return None
    sampling, shape = sampling_of(table), (buckets.size, table.n_systems, 2)
    if by_label(metric, sampling):
        ends = [
            ends_of(given, drawing.level, [(over_labels(metric.score), metric.scale)], []).overall[
                0
            ]
            for bucket in labelled_apart(table, metric, sampling, buckets)
            for given in bucket
        ]
        return BucketIntervals(drawing.level, np.array(ends).reshape(shape))
    found = counted_apart(table, metric.statistics, sampling, buckets, narrow=metric.narrow)
    ends = [
        drawn(given, drawing).ends(metric.score, metric.scale)
        for bucket in found
        for given in bucket
    ]
    return BucketIntervals(drawing.level, np.array(ends).reshape(shape))
