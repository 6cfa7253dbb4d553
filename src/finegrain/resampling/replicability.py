r"""What several data sets say together: on how many an effect is shown, and how it varies.

``replicated`` is the number of data sets on which a system is better, so that the chance to tell
too many is below the level (Dror et al. 2017): the largest u such that, with p ascending,

.. math:: (n - v + 1) \, p_{(v)} \le \alpha \quad \text{for all } v \le u

which needs no independence of data sets (Bonferroni's partial conjunction).

>>> replicated([0.001, 0.004, 0.2, 0.01])                  # 4 x .001, 3 x .004, 2 x .01, 1 x .2
3

``random_effects`` takes data sets for a sample of others: the mean effect and the interval of it
after Hartung and Knapp, and a *prediction interval*, where the effect on one more data set is to be
expected (Higgins, Thompson and Spiegelhalter 2009),

.. math:: \hat\mu \pm t_{n-2} \sqrt{\hat\tau^2 + SE(\hat\mu)^2}

with the variance of effects :math:`\tau^2` after DerSimonian and Laird (1986).

>>> found = random_effects([0.02, 0.03, 0.05, 0.01], [0.01, 0.01, 0.01, 0.01])
>>> round(found.mean, 4), round(found.deviation, 4)                  # var .000292 - .0001
(0.0275, 0.0138)
>>> round(found.low, 3), round(found.high, 3), round(found.least, 3), round(found.most, 3)
(0.0, 0.055, -0.042, 0.097)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from finegrain.resampling.jackknife import LEVEL
from finegrain.resampling.quantiles import student_quantile

FEWEST = 3  # data sets: fewer say nothing of others


def replicated(p: Sequence[float], *, level: float = LEVEL) -> int:
    """On how many data sets an effect is shown, from the one-sided p of each."""
    known = sorted(1.0 if math.isnan(one) else one for one in p)
    for place, one in enumerate(known):
        if (len(known) - place) * one > 1 - level + 1e-12:
            return place
    return len(known)


class RandomEffects(NamedTuple):
    """The mean effect, its interval, the deviation of effects, and the prediction interval."""

    mean: float
    low: float
    high: float
    deviation: float
    least: float
    most: float


def random_effects(
    effects: Sequence[float], errors: Sequence[float], *, level: float = LEVEL
) -> RandomEffects | None:
    """From the effect on each data set and its standard error; ``None`` for fewer than three."""
    values, variances = np.array(effects), np.array(errors) ** 2
    n = len(values)
    if n < FEWEST or np.isnan(values).any() or not (variances > 0).all():
        return None
    weights = 1 / variances
    fixed = float((weights * values).sum() / weights.sum())
    spread = float((weights * (values - fixed) ** 2).sum())
    size = float(weights.sum() - (weights**2).sum() / weights.sum())
    between = max(0.0, (spread - (n - 1)) / size)
    weights = 1 / (variances + between)
    mean = float((weights * values).sum() / weights.sum())
    error = math.sqrt(float((weights * (values - mean) ** 2).sum()) / (n - 1) / weights.sum())
    half = student_quantile((1 + level) / 2, n - 1) * error
    far = student_quantile((1 + level) / 2, n - 2) * math.sqrt(between + 1 / weights.sum())
    ends = (mean - half, mean + half)
    return RandomEffects(mean, *ends, math.sqrt(between), mean - far, mean + far)
