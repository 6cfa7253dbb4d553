"""Who is strict and who is generous: each rater against the others who rated the same.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = fg.study(fg.align(small_corpora("ratings")[0], {}, task="ratings"), "raters")
>>> {name: one["severity"] for name, one in found.data["raters"].items()}
{'ben': 0.1875, 'ann': -0.1875}

The severity of a rater is how much less they give than the mean of the other raters of the same
system on the same item; intervals draw items.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.ratings import PARTS, RATING, rater_codes
from finegrain.analyses.listing import Column, Listing
from finegrain.analyses.result import number
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Plot, Series, Study
from finegrain.metrics.metric import ratio
from finegrain.metrics.regression import pearson
from finegrain.resampling.intervals import Drawing, interval_of
from finegrain.resampling.sampling import sampling_of
from finegrain.table import OutcomeTable

Floats = NDArray[np.float64]
_SHOWN = 40  # raters that a plot has room for


class _Rater(NamedTuple):
    """Ratings in all, and those that somebody else gave as well; severity with its interval."""

    name: str
    ratings: int
    shared: int
    mean: float
    severity: float
    low: float
    high: float
    correlation: float


def raters(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """Severity of every rater; ``None`` for one rater alone."""
    names = rater_codes(table).names
    if len(names) < 2:
        return None
    found = sorted(
        _raters(table, drawing), key=lambda one: (-np.nan_to_num(one.severity), one.name)
    )
    told = {"sample": sampling_of(table).kind} | drawing.said() if drawing.resamples else {}
    alone = sum(one.shared == 0 for one in found)
    notes = [
        "severity: how much less than the other raters of the same; negative: generous",
        "correlation: with the mean of the other raters",
    ]
    if alone:
        notes.append(f"severity n/a: nobody else rated what these rated: {alone:,}")
    columns = (
        Column("rater"), Column("ratings", "count"), Column("mean", "number"),
        Column("severity", "number"), Column("interval", "number"),
        Column("correlation", "number"),
    )  # fmt: skip
    rows = tuple(
        (one.name, one.ratings, _number(one.mean), _number(one.severity, "+"), _ends(one),
         _number(one.correlation))
        for one in found
    )  # fmt: skip
    return Study(
        "raters", "Raters", "Who is strict, who is generous?", table.task, table.systems,
        (Listing("Severity of raters", columns, rows),), {"raters": {
            one.name: {
                "ratings": one.ratings, "shared": one.shared, "mean": number(one.mean),
                "severity": number(one.severity), "interval": [number(one.low), number(one.high)],
                "correlation": number(one.correlation),
            } for one in found
        }}, signature(table, **told), _plots(found), tuple(notes),
    )  # fmt: skip


def _raters(table: OutcomeTable, drawing: Drawing) -> list[_Rater]:
    part, who = table.parts[PARTS], rater_codes(table)
    scores = part.by_system[RATING]
    rows, systems = np.nonzero(~np.isnan(scores))
    given = scores[rows, systems]
    unit = part.parent[rows] * table.n_systems + systems
    size = len(table) * table.n_systems
    total, count = np.bincount(unit, given, size), np.bincount(unit, minlength=size)
    others = ratio(total[unit] - given, (count[unit] - 1).astype(float))
    sampling = sampling_of(table).samples
    sample, rater = sampling.codes[part.parent[rows]], who.codes[rows]
    found = []
    for code, name in enumerate(who.names):
        own = np.flatnonzero(rater == code)
        shared = own[~np.isnan(others[own])]
        less = others[shared] - given[shared]
        counts = np.stack(
            [
                1.0 * np.bincount(sample[shared], one, sampling.size)
                for one in (less, np.ones(len(less)))
            ],
            axis=1,
        )
        low = high = np.array(np.nan)
        if drawing.resamples and len(shared):
            low, high = interval_of(
                counts, lambda sums: ratio(sums[..., 0], sums[..., 1]), resamples=drawing.resamples,
                level=drawing.level, seed=drawing.seed,
            )  # fmt: skip
        pairs = np.stack([given[shared], others[shared]], axis=1)
        goes = pearson(pairs, np.ones((1, len(pairs))))[0] if len(pairs) > 1 else np.nan
        found.append(_Rater(
            name, len(own), len(shared), float(given[own].mean()) if len(own) else np.nan,
            float(less.mean()) if len(less) else np.nan, float(low), float(high), float(goes),
        ))  # fmt: skip
    return found


def _number(value: float, sign: str = "") -> str:
    return "n/a" if np.isnan(value) else f"{value:{sign}.3f}"


def _ends(one: _Rater) -> str:
    return "" if np.isnan(one.low) or np.isnan(one.high) else f"[{one.low:.3f}, {one.high:.3f}]"


def _plots(found: list[_Rater]) -> tuple[Plot, ...]:
    shown = [one for one in found if not np.isnan(one.severity)]
    if not 1 < len(shown) <= _SHOWN:
        return ()
    series = Series(
        "raters", np.array([one.severity for one in shown]), np.arange(len(shown), dtype=float),
        "dots", np.array([one.low for one in shown]), np.array([one.high for one in shown]),
        tuple(f"{one.name}: {one.severity:+.3f}" for one in shown),
    )  # fmt: skip
    names = tuple(one.name for one in shown)
    return (Plot("Severity", Axis("severity"), Axis("", names=names), (series,), "vertical"),)
