"""Every geometry against every other one: which layers and models are alike.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = fg.study(fg.align(*small_corpora("representations"), task="representations"), "layers")
>>> found.data["names"], round(found.data["rsa"][1][2], 3) == round(found.data["rsa"][2][1], 3)
(['gold', 'near', 'other'], True)

With several layers of a model (``model@layer``) a curve follows them.
"""

from __future__ import annotations

import numpy as np

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Floats, Plot, Series, Study
from finegrain.analyses.studies.matrices import Matrices, of_table
from finegrain.metrics.geometry import debiased_cka
from finegrain.metrics.ranked import CORRELATION
from finegrain.resampling.intervals import Drawing
from finegrain.resampling.stimuli import correlated, drawn_interval, standardised
from finegrain.table import OutcomeTable, Task

_MOST = 40  # geometries that are compared with each other
GOLD = "gold"


def layers(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """The study of a table of pairs; ``None`` if it holds not all of them, or no system."""
    matrices = of_table(table)
    if matrices is None or not 1 <= table.n_systems < _MOST:
        return None
    return study_of(matrices, table.task, signature(table, **drawing.said()), drawing)


def study_of(matrices: Matrices, task: Task, told: str, drawing: Drawing) -> Study:
    """The study of matrices of distances."""
    names = (GOLD, *matrices.systems)
    rsa, cka = alignment_of(matrices)
    plots = [_heat("RSA", names, rsa)]
    tables = [_listing("RSA of every two geometries", names, rsa)]
    if not np.isnan(cka).all():
        known = slice(int(np.isnan(cka[0]).all()), None)  # gold of several people has none
        plots.append(_heat("Debiased CKA", names[known], cka[known, known]))
        title = "Debiased CKA of every two geometries"
        tables.append(_listing(title, names[known], cka[known, known]))
    curves = _curves(matrices, rsa, drawing)
    return Study(
        "layers", "Alignment", "Which layers and models are alike?", task, matrices.systems,
        tuple(tables),
        {"names": list(names), "rsa": _rows(rsa), "cka_debiased": _rows(cka)},
        told, (*curves, *plots), tuple(_notes(matrices)),
    )  # fmt: skip


def alignment_of(matrices: Matrices) -> tuple[Floats, Floats]:
    """``[geometry, geometry]`` RSA and debiased CKA; gold first."""
    ranked = [standardised(one) for one in (matrices.gold, *matrices.given)]
    one_person = matrices.people_spaces if len(matrices.people_spaces) == 1 else (None,)
    spaces = (*one_person, *matrices.spaces)
    size = len(ranked)
    rsa, cka = np.ones((size, size)), np.full((size, size), np.nan)
    for row in range(size):
        for column in range(row, size):
            rsa[row, column] = rsa[column, row] = correlated(ranked[row], ranked[column])
            first, second = spaces[row], spaces[column]
            if first is not None and second is not None:
                cka[row, column] = cka[column, row] = debiased_cka(first, second)
    return rsa, cka


def _rows(matrix: Floats) -> list[list[float | None]]:
    return [[number(one) for one in row] for row in matrix.tolist()]


def _heat(title: str, names: tuple[str, ...], matrix: Floats) -> Plot:
    size = len(names)
    rows, columns = (one.ravel() for one in np.indices((size, size)))
    kept = ~np.isnan(matrix.ravel())
    cells = Series(
        title, columns[kept].astype(float), rows[kept].astype(float), "cells",
        value=matrix.ravel()[kept],
    )  # fmt: skip
    return Plot(title, Axis("", names=names), Axis("", names=names), (cells,))


def _listing(title: str, names: tuple[str, ...], matrix: Floats) -> Listing:
    columns = (Column("geometry"), *(Column(name, "score", scale=CORRELATION) for name in names))
    rows: list[tuple[Cell, ...]] = [
        (name, *row) for name, row in zip(names, matrix.tolist(), strict=True)
    ]
    return Listing(title, columns, tuple(rows))


def _curves(matrices: Matrices, rsa: Floats, drawing: Drawing) -> list[Plot]:
    """RSA with gold by layer, a line for each model that has several."""
    found = []
    models = [model for model, _ in matrices.layers]
    for model in dict.fromkeys(models):
        places = [at for at, one in enumerate(models) if one == model]
        if len(places) < 2:
            continue
        ends = np.full((len(places), 2), np.nan)
        if drawing.resamples:
            drawn = [drawn_interval(matrices.gold, matrices.given[at], drawing) for at in places]
            ends = np.array(drawn)
        text = [f"{matrices.systems[at]}: {rsa[0, at + 1]:.3f}" for at in places]
        found.append(
            Series(model, np.arange(len(places), dtype=float), rsa[0, 1:][places], "line",
                   ends[:, 0], ends[:, 1], tuple(text))
        )  # fmt: skip
    if not found:
        return []
    axis = Axis("layer, in the order of the file")
    return [Plot("RSA with gold by layer", axis, Axis("RSA"), tuple(found), "horizontal")]


def _notes(matrices: Matrices) -> list[str]:
    if len(matrices.people_spaces) > 1:
        return ["CKA compares two geometries: gold is several people here, and has none"]
    return []
