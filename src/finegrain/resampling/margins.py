"""Is a difference smaller than a margin? One-sided tests of a pair that was compared.

Exchanges can only test that there is no difference at all, so a margin is tested by Student's t of
what samples add to the difference, and by the same without its skewness (``skewed_t``): the larger
of the two p is told. Two systems are *equivalent* if both one-sided tests reject: the second is
neither lower nor higher by the margin or more (Schuirmann 1987).

>>> from finegrain.resampling.skewed_t import Added
>>> found = Added(difference=0.001, error=0.002, skewness=0.0, samples=50, effective=50.0)
>>> round(not_lower(found, 0.005), 4), round(not_higher(found, 0.005), 4)     # t = 3, t = 2
(0.0021, 0.0255)
"""

from __future__ import annotations

import math

from finegrain.resampling.pairs import Comparison
from finegrain.resampling.skewed_t import Added


def not_lower(found: Added, margin: float) -> float:
    """p of the hypothesis that the second score is lower by the margin or more."""
    return _larger(found.above(-margin), found.plainly_above(-margin))


def not_higher(found: Added, margin: float) -> float:
    """p of the hypothesis that the second score is higher by the margin or more."""
    return not_lower(found.mirrored(), margin)


def lower(found: Added, margin: float) -> float:
    """p of the hypothesis that the second score is lower by the margin at most."""
    return _larger(found.below(-margin), 1 - found.plainly_above(-margin))


def equivalence(found: Comparison, margin: float) -> float:
    """p of the hypothesis that two scores differ by the margin or more; nan where undefined.

    Of samples that have no sums, by the standard error of resamples.
    """
    if math.isnan(margin) or math.isnan(found.difference):
        return math.nan
    tested = adding(found)
    return _larger(not_lower(tested, margin), not_higher(tested, margin))


def adding(found: Comparison) -> Added:
    """What samples add to the difference of a pair."""
    spread = found.spread
    return found.tested or Added(found.difference, spread.error, 0.0, spread.defined, spread.size)


def _larger(one: float, other: float) -> float:
    return math.nan if math.isnan(one) or math.isnan(other) else max(one, other)
