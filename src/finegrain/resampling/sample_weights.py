r"""Comparisons that count documents by how much they say, not by how long they are.

Units of a document are alike, so a document of n units says less than n documents of one unit. Sums
are added up with the weight of a mean of n units any two of which are correlated by
:math:`\rho = 0.1`:

.. math:: w_n = \frac{1}{1 + \rho \, (n - 1)}

which makes tests of documents more powerful, and keeps a few long ones, in which one system may err
in bunches, from deciding alone. The difference that is told is that of the corpus, without weights.

>>> document_weights(np.array([1, 11, 91])).tolist()
[1.0, 0.5, 0.1]
"""

from __future__ import annotations

from dataclasses import replace
from typing import overload

import numpy as np
from numpy.typing import NDArray

from finegrain.resampling.distinct import Distinct
from finegrain.resampling.labelled import Labelled

ALIKE = 0.1  # correlation of two units of a document
Floats = NDArray[np.float64]


def document_weights(units: NDArray[np.int64]) -> Floats:
    """``[sample]`` weights, from how many units each has."""
    found: Floats = 1 / (1 + ALIKE * (np.maximum(units, 1) - 1))
    return found


@overload
def weighed(given: Distinct, weights: Floats) -> Distinct: ...
@overload
def weighed(given: Labelled, weights: Floats) -> Labelled: ...
def weighed(given: Distinct | Labelled, weights: Floats) -> Distinct | Labelled:
    """The same samples, what is counted in each times its weight."""
    kinds, kind = np.unique(weights, return_inverse=True)
    if len(kinds) == 1:
        return given
    both = given.codes.astype(np.int64) * len(kinds) + kind
    held, codes, counts = np.unique(both, return_inverse=True, return_counts=True)
    vector, weight = held // len(kinds), kinds[held % len(kinds)]
    if isinstance(given, Labelled):
        found = given.at(vector, counts)
        times = weight[found.vector].reshape(-1, *(1 for _ in found.values.shape[1:]))
        return replace(found, values=found.values * times, codes=codes)
    times = weight.reshape(-1, *(1 for _ in given.vectors.shape[1:]))
    return Distinct.of(given.vectors[vector] * times, codes.astype(np.int32))
