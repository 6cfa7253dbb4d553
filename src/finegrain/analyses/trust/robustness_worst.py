"""The worst case: what units are worth under the worst of all conditions.

>>> import finegrain as fg
>>> gold = fg.Corpus.of([["Ada", "slept"]] * 8, tags=[["B-PER", "O"]] * 8)
>>> copy = fg.perturb(gold, "upper")
>>> lost = fg.Corpus.of([["ADA", "SLEPT"]] * 8, tags=[["B-PER", "O"], ["O", "O"]] * 4)
>>> table = fg.align_perturbed(gold, {"crf": gold}, {"upper": (copy, {"crf": lost})})
>>> found, = fg.robustness(table, resamples=100, intervals=100).worst
>>> found.original, found.value
(1.0, 0.5)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from finegrain.resampling.intervals import interval_of
from finegrain.resampling.pairs import Settings
from finegrain.resampling.sampling import Sampling
from finegrain.table import OutcomeTable
from finegrain.table.conditions import PRESENT
from finegrain.table.restriction import others
from finegrain.table.scale import PROPORTION, Scale
from finegrain.table.verdicts import value


class Worst(NamedTuple):
    """What gold units are worth on the original, and under the worst of all conditions each.

    The share that is right, or the mean of the value that units are graded by (``measure``).
    """

    system: str
    original: float
    value: float
    low: float
    high: float
    n: int
    measure: str = "right"
    scale: Scale = PROPORTION


def worst_case(
    table: OutcomeTable,
    base: int,
    pairs: Sequence[tuple[int, int]],
    settings: Settings,
    sampling: Sampling,
) -> Worst:
    """The mean over gold units of what they are worth under the worst of all conditions."""
    columns = [base, *(at for one, at in pairs if one == base)]
    found = value(table)
    read = (table.task.value or "right", found.scale if table.task.value else PROPORTION)
    worth = found.scale.quality(found.matrix[:, columns])
    present = table.details.get(PRESENT)
    if present is not None:
        worth = np.where(present[:, columns], worth, np.inf)
    rest = others(table)
    rows = table.is_gold & ~np.isnan(worth).any(axis=1)
    rows = rows if rest is None else rows & ~rest
    low = found.scale.quality(worth[rows].min(axis=1, initial=np.inf))
    samples = sampling.samples.codes[rows]
    if samples.ndim > 1 or not rows.any():
        return Worst(
            table.systems[base], math.nan, math.nan, math.nan, math.nan, int(rows.sum()), *read
        )
    _, place = np.unique(samples, return_inverse=True)
    sums = np.stack([np.bincount(place, low), np.bincount(place)], axis=1).astype(float)
    ends = interval_of(
        sums, lambda both: both[..., 0] / both[..., 1],
        resamples=settings.intervals, level=settings.level, seed=settings.seed,
    )  # fmt: skip
    return Worst(
        table.systems[base],
        float(found.matrix[rows, base].mean()),
        float(low.mean()),
        float(ends.low),
        float(ends.high),
        int(rows.sum()),
        *read,
    )
