"""The interval of the share of graded units on which one of two systems is better.

>>> import finegrain as fg
>>> made = fg.simulate_ratings(tokens=400, systems={"large": ["quality=3"], "small": []}, seed=1)
>>> table = fg.align(made.gold, {}, task="ratings")
>>> found = fg.difference(table, "small", "large", intervals=1000)
>>> low, high = found.intervals.ends("diff")
>>> low < found.gains.changed / found.gains.units < high
True

Where what parts of units have is drawn as well, such as raters, the values of units are computed
anew from the parts that were drawn, and the share from those: other raters break other ties.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.compare.gains import changes_of_values
from finegrain.corpus import IntArray
from finegrain.corpus.items import coded
from finegrain.metrics.values import OfParts, mean
from finegrain.resampling.intervals import MANY, Drawing, check, drawn, interval
from finegrain.resampling.sampling import Sampling
from finegrain.table import OutcomeTable
from finegrain.table.scale import PROPORTION
from finegrain.table.verdicts import value as value_of

Floats = NDArray[np.float64]
_CELLS = 1 << 20  # units of draws in memory at once


class _Sums(NamedTuple):
    """``[unit, kind]`` sparse: the sum and the number of values of parts of a kind."""

    total: Any
    number: Any


def changed_share(
    table: OutcomeTable,
    systems: tuple[int, int],
    sampling: Sampling,
    drawing: Drawing,
    parts: OfParts | None = None,
) -> tuple[float, float]:
    """Lower and upper end; ``parts``: of what values of units are means, if those are drawn."""
    rows, change = changes_of_values(table, *systems)
    if parts is None or not sampling.inside or not len(rows):
        counts = np.stack([change != 0, np.ones(len(rows))], axis=1)
        low, high = drawn(sampling.summed(rows, counts), drawing).ends(mean, PROPORTION).tolist()
        return low, high
    check(drawing.resamples, drawing.level)
    shares = np.concatenate(list(_shares(table, systems, sampling, drawing, parts)))
    known = np.unique(sampling.samples.codes[rows]).size
    fewest = np.array(min(MANY, known, *sampling.inside.values()))
    ends = interval(np.mean(change != 0), shares, fewest, level=drawing.level)
    return float(ends.low), float(ends.high)


def _shares(
    table: OutcomeTable,
    systems: tuple[int, int],
    sampling: Sampling,
    drawing: Drawing,
    parts: OfParts,
) -> Iterator[NDArray[np.float64]]:
    """By draws of samples and of what parts have, some draws at a time."""
    held, random = table.parts[parts.part], np.random.default_rng(drawing.seed)
    factors = [coded(held.fields[name], missing="").codes for name in sampling.inside]
    sizes = list(sampling.inside.values())
    kinds, kind = np.unique(np.stack(factors, axis=1), axis=0, return_inverse=True)
    given = held.by_system[parts.value][:, list(systems)].T
    sums = [_by_unit(table, held.parent, kind.ravel(), column) for column in given]
    left = drawing.resamples
    while left:
        size = min(left, max(1, _CELLS // len(table)))
        left -= size
        drawn_kinds = np.ones((len(kinds), size))
        for codes, number in zip(kinds.T, sizes, strict=True):
            drawn_kinds *= _draws(random, number, size)[codes]
        change, known = _changes(table, sums, drawn_kinds)
        often = _draws(random, sampling.samples.size, size)[sampling.samples.codes]
        number = (often * known).sum(axis=0)
        yield np.where(number > 0, (often * change).sum(axis=0) / np.maximum(number, 1), np.nan)


def _draws(random: np.random.Generator, number: int, size: int) -> NDArray[np.int64]:
    """``[sample, draw]`` how often each was drawn, of as many as there are."""
    return random.multinomial(number, np.full(number, 1 / number), size=size).T


def _by_unit(table: OutcomeTable, unit: IntArray, kind: IntArray, values: Floats) -> _Sums:
    """Sums and numbers of the values of a system, sparse."""
    from scipy.sparse import csr_array  # type: ignore[import-untyped]  # noqa: PLC0415 - slow

    known = ~np.isnan(values)
    shape, at = (len(table), int(kind.max(initial=-1)) + 1), (unit[known], kind[known])
    total, number = (csr_array((one[known], at), shape) for one in (values, known.astype(float)))
    return _Sums(total, number)


def _changes(
    table: OutcomeTable, sums: Sequence[_Sums], drawn_kinds: Floats
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """``[unit, draw]`` whether one of the two is better, and whether both have a value."""
    numbers = [one.number @ drawn_kinds for one in sums]
    means = [
        (one.total @ drawn_kinds) / np.maximum(number, 1)
        for one, number in zip(sums, numbers, strict=True)
    ]
    known: NDArray[np.bool_] = (numbers[0] > 0) & (numbers[1] > 0)
    change: NDArray[np.bool_] = (value_of(table).scale.change(means[0], means[1]) != 0) & known
    return change, known
