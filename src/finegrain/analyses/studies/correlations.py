r"""Correlations of two systems with the same gold numbers: which is higher, beyond chance?

>>> found = williams(0.5, 0.4, 0.3, 100)
>>> round(found.t, 3), round(found.p, 3)                             # two-sided, 97 degrees
(0.982, 0.329)

The correlations of two systems with gold depend on each other, as both share the gold numbers and
as systems agree with one another. The test of Williams (1959), which Steiger (1980) recommends and
Graham and Baldwin (2014) brought to metrics of translation, asks

.. math:: t_{n-3} = (r_{1g} - r_{2g}) \sqrt{\frac{(n - 1)(1 + r_{12})}
   {2 \frac{n - 1}{n - 3} |R| + \left(\frac{r_{1g} + r_{2g}}{2}\right)^2 (1 - r_{12})^3}}
   \qquad |R| = 1 - r_{12}^2 - r_{1g}^2 - r_{2g}^2 + 2\, r_{12} r_{1g} r_{2g}

It takes numbers as jointly normal and items as independent. The paired test by resampling, which
``significance`` makes, does without: both stand side by side, Holm-corrected.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import NamedTuple

import numpy as np

from finegrain.alignment.regression import GOLD, PREDICTION
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Floats, Study
from finegrain.analyses.studies.drawn_ends import written
from finegrain.analyses.trust.significance import significance
from finegrain.metrics.ranked import CORRELATION
from finegrain.resampling.intervals import Drawing
from finegrain.resampling.many import holm
from finegrain.resampling.sampling import sampling_of
from finegrain.table import OutcomeTable


class Williams(NamedTuple):
    """The statistic, its degrees of freedom, and p of both sides."""

    t: float
    df: int
    p: float


def williams(first: float, second: float, between: float, n: int) -> Williams:
    """Whether two correlations with the same third variable differ.

    first, second: of each system with gold; between: of the two systems
    """
    determinant = 1 - between**2 - first**2 - second**2 + 2 * between * first * second
    middle = ((first + second) / 2) ** 2 * (1 - between) ** 3
    below = 2 * (n - 1) / (n - 3) * determinant + middle if n > 3 else 0.0
    if below <= 1e-15 or math.isnan(below):  # the same numbers, or too few
        return Williams(math.nan, max(0, n - 3), math.nan)
    from scipy.special import stdtr  # type: ignore[import-untyped]  # noqa: PLC0415 - slow to import

    value = (first - second) * math.sqrt((n - 1) * (1 + between) / below)
    return Williams(value, n - 3, float(2 * stdtr(n - 3, -abs(value))))


def correlations(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """Pearson's r of all pairs of systems, compared; ``None`` for a single system."""
    if table.n_systems < 2:
        return None
    given, gold = table.details[PREDICTION], table.columns[GOLD].astype(float)
    pairs = list(combinations(range(table.n_systems), 2))
    tested = significance(table, "pearson", seed=drawing.seed, confidence=drawing.level)
    adjusted = {frozenset((one.first, one.second)): one.adjusted for one in tested.pairs}
    made = [_of_pair(gold, given[:, one], given[:, other]) for one, other in pairs]
    corrected = holm([found.test.p for found in made])
    rows: list[tuple[Cell, ...]] = []
    data = []
    for (one, other), found, p in zip(pairs, made, corrected, strict=True):
        names = table.systems[one], table.systems[other]
        pair, of_pair = tested.pair(*names), adjusted[frozenset((one, other))]
        rows.append((
            *names, found.n, found.first, found.second, found.second - found.first, found.between,
            f"{found.test.t:.3f}", p, written(pair.low, pair.high, percent=False), of_pair,
        ))  # fmt: skip
        data.append({
            "a": names[0], "b": names[1], "n": found.n, "r_a": number(found.first),
            "r_b": number(found.second), "r_ab": number(found.between),
            "t": number(found.test.t), "df": found.test.df, "p": number(found.test.p),
            "p_holm": number(p), "interval": [number(pair.low), number(pair.high)],
            "p_resampling": number(pair.p), "p_resampling_holm": number(of_pair),
        })  # fmt: skip
    columns = (
        Column("first"), Column("second"), Column("n", "count"),
        Column("r first", "score", scale=CORRELATION),
        Column("r second", "score", scale=CORRELATION),
        Column("difference", "change", scale=CORRELATION),
        Column("r of both", "score", scale=CORRELATION), Column("t", "number", group="Williams"),
        Column("p", "p", group="Williams"), Column("interval", "number", group="resampling"),
        Column("p ", "p", group="resampling"),
    )  # fmt: skip
    note = (
        "Difference: second less first. Williams: t of two dependent correlations, n - 3 degrees "
        "of freedom; resampling: paired test and interval of the difference. p is Holm-corrected."
    )
    return Study(
        "correlations", "Correlations compared", "Which system correlates better with gold?",
        table.task, table.systems,
        (Listing("Pearson's r of two systems", columns, tuple(rows), note),), {"pairs": data},
        signature(table, metric="pearson", **sampling_of(table).said(), **drawing.said()),
    )  # fmt: skip


class _Pair(NamedTuple):
    n: int
    first: float
    second: float
    between: float
    test: Williams


def _of_pair(gold: Floats, one: Floats, other: Floats) -> _Pair:
    """On the items that both have numbers for; t is positive where the second is higher."""
    known = ~np.isnan(one) & ~np.isnan(other)
    rows = np.stack([gold[known], one[known], other[known]])
    n = int(known.sum())
    if n < 2 or (rows.std(axis=1) == 0).any():
        return _Pair(n, math.nan, math.nan, math.nan, Williams(math.nan, max(0, n - 3), math.nan))
    matrix = np.asarray(np.corrcoef(rows))
    first, second, between = float(matrix[0, 1]), float(matrix[0, 2]), float(matrix[1, 2])
    return _Pair(n, first, second, between, williams(second, first, between, n))
