"""What people gave by each criterion, and how far they agree about it.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = fg.study(fg.align(small_corpora("ratings")[0], {}, task="ratings"), "criteria")
>>> found.data["criteria"]["rating"]["systems"]["bright"]["mean"]
3.5

Agreement is Krippendorff's alpha on the interval scale over all pairs of an item and a system;
intervals of it draw items.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.ratings import OPEN, PARTS, RATING, criteria_of
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Plot, Series, Study
from finegrain.metrics import agreement as measures
from finegrain.metrics.ratings import of_criterion
from finegrain.resampling.distinct import distinct
from finegrain.resampling.intervals import Drawing, Interval, drawn
from finegrain.resampling.sampling import counted_by, sampling_of
from finegrain.table import OutcomeTable

Floats = NDArray[np.float64]
_MOST = 100  # different ratings up to which the ordinal scale is looked at
_NONE = Interval(np.array(np.nan), np.array(np.nan))


class _Agreement(NamedTuple):
    """Of a criterion: alpha with its interval, on the ordinal scale, and pairs that were rated."""

    interval: float
    ends: Interval
    ordinal: float
    rated_twice: int


class _Criterion(NamedTuple):
    name: str
    means: Floats
    ends: tuple[Interval, ...]
    agreement: _Agreement


def criteria(table: OutcomeTable, drawing: Drawing) -> Study:
    """Means by criterion and system, and agreement by criterion."""
    sampling = sampling_of(table)
    found = [_criterion(table, name, drawing) for name in criteria_of(table)]
    told = sampling.said() | drawing.said() if drawing.resamples else {}
    notes = ["alpha: Krippendorff's; 1 is perfect agreement, 0 what chance would give"]
    if all(np.isnan(one.agreement.interval) for one in found):
        notes.append("alpha n/a: no system was rated by two people on one item, or all are alike")
    return Study(
        "criteria", "Ratings by criterion", "What do people think, and do they agree?", table.task,
        table.systems, (_means_listing(table, found), _agreement_listing(found)),
        {"criteria": {one.name: _data(table, one) for one in found}},
        signature(table, **told), tuple(_plot(table, one) for one in found), tuple(notes),
        _records(table, found),
    )  # fmt: skip


def _criterion(table: OutcomeTable, name: str, drawing: Drawing) -> _Criterion:
    metric = of_criterion(name, name)
    sampling = sampling_of(table)
    means, ends = np.full(table.n_systems, np.nan), []
    for system, counts in enumerate(counted_by(table, metric, sampling)):
        means[system] = metric.score(np.asarray(counts.total())).item()
        ends.append(
            drawn(counts, drawing).interval(metric.score, metric.scale)
            if drawing.resamples
            else _NONE
        )
    return _Criterion(name, means, tuple(ends), _agreement(table, name, drawing))


def _agreement(table: OutcomeTable, name: str, drawing: Drawing) -> _Agreement:
    """Units of agreement are pairs of an item and a system, samples are items or documents."""
    part = table.parts[PARTS]
    rows, systems = np.nonzero(~np.isnan(part.by_system[name]))
    worth, codes = np.unique(part.by_system[name][rows, systems], return_inverse=True)
    unit = part.parent[rows] * table.n_systems + systems
    counts = np.zeros((len(table) * table.n_systems, len(worth)))
    np.add.at(counts, (unit, codes.ravel()), 1)
    twice = counts.sum(axis=1) > 1
    sample = np.repeat(sampling_of(table).samples.codes, table.n_systems)[twice]
    if not twice.any():
        return _Agreement(np.nan, _NONE, np.nan, 0)
    sums = measures.many_sums(counts[twice], scale="interval", values=worth)

    def alpha(given: Floats) -> Floats:
        return measures.alpha(given, len(worth), scale="interval", values=worth)

    by_sample = np.zeros((sampling_of(table).samples.size, sums.shape[1]))
    np.add.at(by_sample, sample, sums)
    ends = drawn(distinct(by_sample), drawing).interval(alpha) if drawing.resamples else _NONE
    ordinal = np.nan
    if len(worth) <= _MOST:
        total = measures.many_sums(counts[twice], scale="ordinal").sum(axis=0)
        ordinal = float(measures.alpha(total, len(worth), scale="ordinal"))
    return _Agreement(float(alpha(by_sample.sum(axis=0))), ends, ordinal, int(twice.sum()))


def _means_listing(table: OutcomeTable, found: list[_Criterion]) -> Listing:
    """A row for each system, a column and its intervals for each criterion."""
    columns = [Column("system")]
    for one in found:
        columns += [Column(one.name, "score", best="max", scale=OPEN), Column("interval", "number")]
    rows = []
    for place, name in enumerate(table.systems):
        row: list[Cell] = [name]
        for one in found:
            row += [float(one.means[place]), _written(one.ends[place])]
        rows.append(tuple(row))
    return Listing("Mean ratings", tuple(columns), tuple(rows))


def _records(table: OutcomeTable, found: list[_Criterion]) -> Listing:
    """All means as one tidy table."""
    columns = (Column("criterion"), Column("system"), Column("mean", "score", scale=OPEN),
               Column("low", "score", scale=OPEN), Column("high", "score", scale=OPEN))  # fmt: skip
    rows = tuple(
        (one.name, name, float(mean), float(ends.low), float(ends.high))
        for one in found
        for name, mean, ends in zip(table.systems, one.means, one.ends, strict=True)
    )
    return Listing("Mean ratings", columns, rows)


def _agreement_listing(found: list[_Criterion]) -> Listing:
    columns = (
        Column("criterion"), Column("alpha (interval)", "number"), Column("interval", "number"),
        Column("alpha (ordinal)", "number"), Column("rated by two or more", "count"),
    )  # fmt: skip
    rows = tuple(
        (
            one.name, _number(one.agreement.interval), _written(one.agreement.ends),
            _number(one.agreement.ordinal), one.agreement.rated_twice,
        )
        for one in found
    )  # fmt: skip
    return Listing("Agreement of raters", columns, rows)


def _number(value: float) -> str:
    return "n/a" if np.isnan(value) else f"{value:.3f}"


def _written(ends: Interval) -> str:
    low, high = float(ends.low), float(ends.high)
    return "" if np.isnan(low) or np.isnan(high) else f"[{low:.3f}, {high:.3f}]"


def _data(table: OutcomeTable, one: _Criterion) -> dict[str, object]:
    return {
        "systems": {
            name: {"mean": number(mean), "interval": [number(float(end)) for end in ends]}
            for name, mean, ends in zip(table.systems, one.means.tolist(), one.ends, strict=True)
        },
        "alpha_interval": number(one.agreement.interval),
        "alpha_interval_interval": [number(float(end)) for end in one.agreement.ends],
        "alpha_ordinal": number(one.agreement.ordinal),
        "rated_twice": one.agreement.rated_twice,
    }


def _plot(table: OutcomeTable, one: _Criterion) -> Plot:
    order = OPEN.order(one.means)
    names = tuple(table.systems[place] for place in order)
    series = tuple(
        Series(
            table.systems[place], one.means[[place]], np.array([float(row)]), "dots",
            np.array([float(one.ends[place].low)]), np.array([float(one.ends[place].high)]),
            (f"{table.systems[place]}: {one.means[place]:.3f}",),
        )
        for row, place in enumerate(order)
        if not np.isnan(one.means[place])
    )  # fmt: skip
    title = "Mean rating" if one.name == RATING else f"Mean rating: {one.name}"
    return Plot(title, Axis("mean rating"), Axis("", names=names), series)
