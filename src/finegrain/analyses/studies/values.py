"""How the values of graded units are distributed, system by system.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = fg.study(fg.align(*small_corpora("regression"), task="regression"), "values")
>>> found.tables[0].title
'absolute error of items: lower is better'
>>> [series.name for series in found.plots[0].series]
['bold', 'flat']

The curve of a system rises at every value by the share of units that have it: where one curve is
above another all along, that system has more of the low values.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from finegrain.analyses.evidence import Evidence, in_bucket
from finegrain.analyses.scores.distribution import Distribution, distribution
from finegrain.analyses.studies.content import Axis, Plot, Series, Study
from finegrain.analyses.trust.slice_listings import in_words
from finegrain.corpus import IntArray
from finegrain.resampling.intervals import Drawing
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import value as value_of

_STEPS = 200  # points of a curve at most


def values(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """The distribution of the value that units are graded by; ``None`` if no unit has one."""
    del drawing  # a description
    found = distribution(table)
    if not found.count.any():
        return None
    columns = {
        _column(found, name): _bars(table, found, at) for at, name in enumerate(table.systems)
    }
    series = tuple(_curve(table, found, at) for at in range(table.n_systems) if found.count[at])
    shown = found.scale.shown
    plot = Plot(
        f"Share of {table.task.words.units} with at most this {_words(found)}",
        Axis(_words(found), shown=shown),
        Axis(f"share of {table.task.words.units}", (0.0, 1.0), "percent"),
        series,
    )
    return Study(
        "values", "Values", f"How is {_words(found)} distributed?", table.task, table.systems,
        found.listings(), found.to_json(), found.signature, (plot,), found.notes, found.records(),
        columns, dict.fromkeys(columns, _ranges(found)),
    )  # fmt: skip


def _words(found: Distribution) -> str:
    return in_words(found.value)


def _column(found: Distribution, system: str) -> str:
    return f"{_words(found)} of {system}"


def _ranges(found: Distribution) -> tuple[str, ...]:
    """What every bar of the histogram holds."""
    written = [found.scale.written(float(edge)) for edge in found.edges]
    return tuple(f"{low} to {high}" for low, high in pairwise(written))


def _bars(table: OutcomeTable, found: Distribution, system: int) -> IntArray:
    """``[unit]`` the bar of every unit; -1 without a value."""
    numbers = value_of(table).matrix[:, system]
    known = ~np.isnan(numbers) & table.is_gold
    bars = np.clip(np.searchsorted(found.edges, numbers, side="right") - 1, 0, len(found.edges) - 2)
    return np.where(known, bars, -1)


def _curve(table: OutcomeTable, found: Distribution, system: int) -> Series:
    """The empirical distribution: at every value, the share of units up to it."""
    numbers = value_of(table).matrix[table.is_gold, system]
    ordered = np.sort(numbers[~np.isnan(numbers)])
    places = np.unique(np.linspace(0, len(ordered) - 1, _STEPS).round().astype(int))
    x = ordered[places]
    share = np.searchsorted(ordered, x, side="right") / len(ordered)
    bars = np.clip(np.searchsorted(found.edges, x, side="right") - 1, 0, len(found.edges) - 2)
    name = table.systems[system]
    text = tuple(
        f"{name}: {at:.1%} up to {found.scale.written(float(value))}"
        for value, at in zip(x, share, strict=True)
    )
    behind = tuple(
        Evidence.of(int(found.histogram[system, bar]), in_bucket(_column(found, name), int(bar)))
        for bar in bars
    )
    return Series(name, x, share, "step", text=text, behind=behind)
