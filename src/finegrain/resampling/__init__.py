"""Uncertainty from additive statistics: intervals and paired tests for every metric.

A metric counts per sample and scores the sum (``finegrain.metrics``), so a resample is a weighted
sum of what was counted once. Nothing here knows what was counted.

=================  =================================================================
module             idea
=================  =================================================================
``sampling``       what is drawn: documents, or sentences where there are none
``distinct``       samples with equal statistics are interchangeable
``drawing``        bootstrap resamples of distinct vectors
``swapping``       random exchanges of the outputs of two systems
``weighted``       the same of rows, for metrics that do not add up; several factors at once
``intervals``      percentile intervals, right for few samples too
``tests``          is the difference of two systems more than chance?
``many``           many systems: corrections, groups, rank intervals
``power``          which differences this test set can show
``rank_tests``     rank tests over data sets: Friedman, Wilcoxon, Nemenyi
``subsets``        many overlapping subsets of the same items, cut by clusters
``sign_flips``     many tests at once, by turning the signs of whole samples
``against_rest``   which subsets of a system's items are worse than the rest
``swapped_...``    (``swapped_subsets``) in which subsets two systems differ
``max_t``          p of many tests at once, by the largest statistic
=================  =================================================================

>>> import numpy as np
>>> hits_of_100_documents = np.repeat([[9.0, 10.0], [7.0, 10.0]], 50, axis=0)
>>> found = interval_of(hits_of_100_documents, lambda sums: sums[..., 0] / sums[..., 1])
>>> found.low.round(2), found.high.round(2)
(np.float64(0.78), np.float64(0.82))
"""

from __future__ import annotations

from finegrain.resampling.intervals import Interval, interval_of
from finegrain.resampling.sampling import Sampling, sampling_of

__all__ = ["Interval", "Sampling", "interval_of", "sampling_of"]
