"""What must be known to read the p of all pairs: samples, corrections, what tests compare."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from finegrain.analyses.p_values import written_level
from finegrain.metrics.metric import Metric
from finegrain.resampling.intervals import too_few
from finegrain.resampling.pairs import EXACT_TESTS, Settings
from finegrain.resampling.sampling import Sampling
from finegrain.sizes import plural, sized
from finegrain.table import OutcomeTable

if TYPE_CHECKING:
    from finegrain.analyses.trust.significance import Compared


def notes(
    pairs: Sequence[Compared],
    metric: Metric,
    settings: Settings,
    sampling: Sampling,
    correction: str,
) -> Iterator[str]:
    """What must be known to read the numbers."""
    kind, alpha = sampling.kind, 1 - settings.level
    if settings.test not in EXACT_TESTS:
        yield from _too_few(pairs, settings, kind)
        yield from _out_of_reach(pairs, settings, correction, kind)
    if len(pairs) > 1:
        how = {
            "holm": "Holm-corrected: the chance of any false difference among them is below",
            "benjamini-hochberg": "Benjamini-Hochberg-corrected: the expected share of "
            "false ones among the differences found is below",
            "none": "not corrected: of equal systems each pair differs with a chance of",
        }[correction]
        yield f"{len(pairs)} tests, {how} {written_level(alpha)}; intervals are for one pair each"
    if settings.test == "bootstrap" and not metric.exchangeable:
        yield (
            f"tested by bootstrap: outputs cannot be exchanged {kind} by {kind} where "
            f"{metric.name} is about all of them together"
        )
    if settings.test == "mcnemar":
        yield f"McNemar's test compares units that are right and wrong, not {metric.name}"
    if settings.test in ("sign", "wilcoxon", "t"):
        yield f"the test compares {metric.name} of single {plural(kind)}, not of the corpus"
        left_out = sum(one.comparison.half_scored for one in pairs)
        if left_out:
            why = "because only one of a pair has a score in them"
            yield f"{plural(kind)} left out {why}: {left_out:,}"
    if any(math.isnan(one.comparison.difference) for one in pairs):
        yield f"{metric.name} is undefined for some systems"


def without_value(table: OutcomeTable, metric: Metric) -> Iterator[str]:
    """How many units pairs leave out."""
    known = metric.defined(table)
    if known is not None:
        units = int(np.count_nonzero(~known.all(axis=1)))
        yield (
            f"{sized(units, table.task.words.unit)} without {metric.name} of some system: pairs "
            "are compared on what both have, scores are those of a system's own"
        )


def _too_few(pairs: Sequence[Compared], settings: Settings, kind: str) -> Iterator[str]:
    """What cannot be found, however different two systems are."""
    alpha = 1 - settings.level + 1e-12
    sizes = [one.comparison.spread.defined for one in pairs]
    few = [size for size in sizes if too_few(size, level=settings.level)]
    if few:
        size = max(few)
        which = "no p is given" if len(few) == len(pairs) else f"no p is given for {len(few)} pairs"
        yield (
            f"{which}: with {sized(size, kind)} that have a score no test of {plural(kind)} can "
            f"reach {written_level(alpha)} (the smallest p possible is 2^-({size}-1) = "
            f"{written_level(2.0 ** (1 - size))})"
        )
    tested = [one.comparison.differing for one in pairs if not math.isnan(one.comparison.p)]
    close = [number for number in tested if number and too_few(number, level=settings.level)]
    if close:
        reach = f"that p cannot reach {written_level(alpha)}"
        yield f"pairs that differ in so few {plural(kind)} {reach}: {len(close)}"


def _out_of_reach(
    pairs: Sequence[Compared], settings: Settings, correction: str, kind: str
) -> Iterator[str]:
    """Whether not even the smallest p that there can be is small enough."""
    tested = [one.comparison for one in pairs if not math.isnan(one.comparison.p)]
    if not tested:
        return
    alpha = 1 - settings.level + 1e-12
    several = len(tested) if correction == "holm" else 1
    drawn = 1 / (1 + settings.resamples) if settings.resampled else 0.0
    signs = 2.0 ** (1 - max(one.spread.defined for one in tested))
    least = max(drawn, signs if settings.test in ("randomisation", "wilcoxon") else 0.0)
    if least * several > alpha:
        mend = f"compare fewer systems, or on more {plural(kind)}"
        if least == drawn:
            mend = f"use --resamples {10 ** math.ceil(math.log10(10 * several / alpha))}"
        of = f" (times {several} tests)" if several != 1 else ""
        smallest = f"the smallest possible is {written_level(least)}{of}"
        yield f"no p can reach {written_level(alpha)}: {smallest}; {mend}"
