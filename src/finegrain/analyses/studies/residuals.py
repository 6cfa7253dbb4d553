r"""Residuals: where do predictions lie beside gold numbers, and do they lean one way?

>>> import finegrain as fg
>>> table = fg.from_items([1.0, 2.0, 3.0, 4.0], {"mine": [2.0, 2.5, 4.0, 4.5]}, task="regression")
>>> found = fg.study(table, "residuals", intervals=0)
>>> mine = found.data["systems"]["mine"]
>>> mine["bias"], [round(end, 3) for end in mine["limits"]]
(0.75, [0.184, 1.316])

The residual is the prediction less the gold number; *bias* is the mean of all. The plot of Bland
and Altman (1986) has the residual over the mean of both numbers, and lines at the bias and the
limits between which 95 % of normally distributed residuals lie:

.. math:: \bar d \pm 1.96\, s_d \qquad s_d^2 = \frac{1}{n - 1} \sum_i (d_i - \bar d)^2
"""

from __future__ import annotations

from textwrap import shorten

import numpy as np

from finegrain.alignment.regression import GOLD, PREDICTION
from finegrain.analyses.evidence import Evidence, of_row
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.result import number
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Floats, Plot, Series, Study
from finegrain.analyses.studies.drawn_ends import ends, written
from finegrain.metrics.metric import ratio
from finegrain.resampling.intervals import Drawing
from finegrain.resampling.sampling import sampling_of
from finegrain.table import OutcomeTable
from finegrain.table.scale import Scale

LIMIT = 1.96
_POINTS = 1500  # items of a cloud
_WORST, _LISTED = 10, 15  # residuals that are listed, of every system and of all
_DRAWN = 6  # systems that have plots
_WIDE = 70  # characters of an item
_OPEN = Scale(best=None, worst=None, shown="number")


def residuals(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """Scatter plots, plots of Bland and Altman, bias with limits, and the worst residuals."""
    gold, given = table.columns[GOLD].astype(float), table.details[PREDICTION]
    every = {
        name: given[:, system] - gold
        for system, name in enumerate(table.systems)
        if (~np.isnan(given[:, system])).sum() > 1
    }
    if not every:
        return None
    bias = {name: _ends_of_bias(table, found, drawing) for name, found in every.items()}
    plots = [
        plot
        for name, found in list(every.items())[:_DRAWN]
        for plot in (_scatter(gold, found, name), _bland_altman(gold, found, name))
    ]
    notes: list[str] = []
    if len(gold) > _POINTS:
        notes.append(f"plots show {_POINTS:,} of {len(gold):,} items, evenly over the file")
    if len(every) > _DRAWN:
        notes.append(f"plots show the first {_DRAWN} of {len(every)} systems")
    return Study(
        "residuals", "Residuals", "Where are predictions off, and which way?", table.task,
        table.systems, (_overview(every, bias), _worst(table, gold, every)),
        {"systems": {name: _data(found, bias[name]) for name, found in every.items()}},
        signature(table, **sampling_of(table).said(), **drawing.said()), tuple(plots), tuple(notes),
    )  # fmt: skip


def _spread(found: Floats) -> tuple[float, float]:
    known = found[~np.isnan(found)]
    return float(known.mean()), float(known.std(ddof=1))


def _ends_of_bias(table: OutcomeTable, found: Floats, drawing: Drawing) -> Floats:
    known = ~np.isnan(found)
    counts = np.stack([np.where(known, found, 0.0), known.astype(float)], axis=-1)
    return ends(table, counts, lambda sums: ratio(sums[..., 0], sums[..., 1]), drawing)


def _overview(every: dict[str, Floats], bias: dict[str, Floats]) -> Listing:
    columns = (
        Column("system"), Column("bias", "change", scale=_OPEN), Column("interval", "number"),
        Column("sd", "score", scale=_OPEN), Column("low", "change", group="limits", scale=_OPEN),
        Column("high", "change", group="limits", scale=_OPEN),
        Column("too high", "count"), Column("too low", "count"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for name, found in every.items():
        mean, sd = _spread(found)
        rows.append((
            name, mean, written(*bias[name], percent=False), sd, mean - LIMIT * sd,
            mean + LIMIT * sd, int((found > 0).sum()), int((found < 0).sum()),
        ))  # fmt: skip
    note = (
        "Bias: mean of prediction less gold. Limits: 95 % of residuals lie between them if they "
        "are normally distributed (Bland and Altman 1986)."
    )
    return Listing("Bias and limits of agreement", columns, tuple(rows), note)


def _worst(table: OutcomeTable, gold: Floats, every: dict[str, Floats]) -> Listing:
    """The items that a system is farthest off on, the worst of all systems first."""
    columns = (
        Column("residual", "number"), Column("system"), Column("gold", "number"),
        Column("prediction", "number"), Column(table.task.words.unit),
    )  # fmt: skip
    found = [
        (-abs(float(residual[row])), row, name)
        for name, residual in every.items()
        for row in np.argsort(-np.nan_to_num(np.abs(residual)), kind="stable")[:_WORST].tolist()
    ]
    rows: list[tuple[Cell, ...]] = []
    for _, row, name in sorted(found)[:_LISTED]:
        off = float(every[name][row])
        residual = Linked(f"{off:+.3f}", Evidence.of(1, of_row(row)))
        cells = (residual, name, f"{gold[row]:.3f}", f"{gold[row] + off:.3f}")
        rows.append((*cells, shorten(table.text(row), _WIDE)))
    return Listing("Worst residuals", columns, tuple(rows))


def _data(found: Floats, bias: Floats) -> dict[str, object]:
    mean, sd = _spread(found)
    return {
        "n": int((~np.isnan(found)).sum()),
        "bias": mean,
        "interval": [number(float(end)) for end in bias],
        "sd": sd,
        "limits": [mean - LIMIT * sd, mean + LIMIT * sd],
    }


def _shown(found: Floats) -> list[int]:
    """Rows that are drawn: all, or so many evenly over the file."""
    known = np.flatnonzero(~np.isnan(found))
    places = np.linspace(0, len(known) - 1, min(len(known), _POINTS)).round().astype(int)
    rows: list[int] = known[places].tolist()
    return rows


def _cloud(name: str, x: Floats, y: Floats, rows: list[int]) -> Series:
    return Series(
        name, x[rows], y[rows], "points",
        text=tuple(f"{name}, item {row + 1}: {x[row]:.3g}, {y[row]:.3g}" for row in rows),
        behind=tuple(Evidence.of(1, of_row(row)) for row in rows),
    )  # fmt: skip


def _scatter(gold: Floats, found: Floats, name: str) -> Plot:
    cloud = _cloud(name, gold, gold + found, _shown(found))
    return Plot(f"{name}: predictions by gold number", Axis("gold"), Axis("prediction"), (cloud,),
                "diagonal")  # fmt: skip


def _bland_altman(gold: Floats, found: Floats, name: str) -> Plot:
    mean, sd = _spread(found)
    lines = (
        (mean, f"bias {mean:+.2f}"), (mean - LIMIT * sd, f"{mean - LIMIT * sd:+.2f}"),
        (mean + LIMIT * sd, f"{mean + LIMIT * sd:+.2f}"),
    )  # fmt: skip
    return Plot(
        f"{name}: residuals by mean of both numbers", Axis("mean of gold and prediction"),
        Axis("prediction - gold"), (_cloud(name, gold + found / 2, found, _shown(found)),),
        lines=lines,
    )  # fmt: skip
