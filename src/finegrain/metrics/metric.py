"""What a metric is: additive statistics per sample, and a score of their sum.

Corpus score = ``score(statistics(table, samples).sum(axis=0))``. Because statistics add up,
the same two functions give corpus scores, scores of any subset, and resampling.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.samples import Samples
from finegrain.table.scale import PROPORTION, Scale

Statistics = Callable[[OutcomeTable, Samples], NDArray[np.float64]]
Score = Callable[[NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Metric:
    """A named number.

    Parameters
    ----------
    name: unique, as on the command line
    tasks: names of the tasks it makes sense for
    statistics: table and samples -> ``[sample, system, ...]``, additive over samples
    score: sums ``[..., *statistics' own axes]`` -> ``[...]``; nan where undefined
    label_score: sums -> ``[..., label]``, for metrics that exist per label
    family: groups metrics that belong together, such as ``fair``
    short: the name inside its family, such as ``f1``
    whole_documents: documents are what it averages over, so samples must not cut them
    whole_sentences: the same of sentences
    undefined: why it may be undefined, where that is not for want of units or predictions
    narrow: a linear map of sums that keeps what ``score`` needs, ``score(narrow(s)) == score(s)``;
        samples that differ in nothing else are then alike, which makes resampling fast
    scale: which end is good, and how it is printed
    value: of ``table.values``, the one that it aggregates, if it aggregates one
    """

    name: str
    tasks: tuple[str, ...]
    statistics: Statistics
    score: Score
    summary: str
    reference: str
    label_score: Score | None = None
    family: str = ""
    short: str = ""
    whole_documents: bool = False
    narrow: Score | None = None
    whole_sentences: bool = False
    undefined: str = ""
    scale: Scale = PROPORTION
    value: str = ""

    def __str__(self) -> str:
        return self.name


def ratio(numerator: NDArray[Any], denominator: NDArray[Any]) -> NDArray[np.float64]:
    """Quotient, nan where the denominator is 0.

    >>> ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    array([0.5, nan])
    """
    undefined = denominator == 0
    result = numerator / np.where(undefined, 1, denominator)
    return np.where(undefined, np.nan, result)
