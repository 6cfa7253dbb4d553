"""How alike geometries are: RSA with chance and intervals, kernel alignment, neighbours, a ceiling.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("representations"), task="representations")
>>> found = fg.study(table, "geometry")
>>> {name: round(one["rsa"], 3) for name, one in found.data["systems"].items()}
{'near': 0.699, 'other': 0.049}

Chance is that of permutations: the stimuli of gold change places. Intervals draw stimuli. Where the
gold file holds several people, the *noise ceiling* says what the true geometry would reach: on
average over people, the correlation with the mean of the others (lower end) and with the mean of
all, themselves included (upper end; Nili et al. 2014).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.distances import ranks
from finegrain.alignment.stimulus_pairs import rank_errors
from finegrain.analyses.evidence import Evidence, of_row
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.result import number
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Floats, Plot, Series, Study
from finegrain.analyses.studies.drawn_ends import written
from finegrain.analyses.studies.matrices import Matrices, mean_ranks, of_table
from finegrain.metrics import geometry as alike
from finegrain.metrics.ranked import CORRELATION
from finegrain.resampling.intervals import Drawing, too_few
from finegrain.resampling.many import holm
from finegrain.resampling.stimuli import correlated, drawn_interval, permuted, standardised
from finegrain.table import OutcomeTable, Task

_WORST, _LISTED = 5, 20  # pairs that deviate, of a system and of all
_CELLS = 30  # rows of a picture of a matrix, at most
_PICTURES = 5  # systems whose matrix is drawn


class Ceiling(NamedTuple):
    """What the true geometry would reach on average over people."""

    lower: float
    upper: float


class Found(NamedTuple):
    """What a system has; ``people``: its mean correlation with each of several people."""

    rsa: float
    interval: tuple[float, float]
    p: float
    people: float
    cka: float
    debiased: float
    overlap: float


def geometry(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """The study of a table of pairs; ``None`` if it holds not all of them, or no system."""
    matrices = of_table(table)
    if matrices is None or not table.n_systems:
        return None
    told = signature(table, **said_of(drawing))
    return study_of(matrices, table.task, told, drawing, in_table=True)


def said_of(drawing: Drawing) -> dict[str, str]:
    """What the signature says of permutations and resamples."""
    if not drawing.resamples:
        return {}
    return {"sample": "stimulus", "permutations": str(drawing.resamples), **drawing.said()}


def study_of(
    matrices: Matrices,
    task: Task,
    told: str,
    drawing: Drawing,
    *,
    ranked: bool = True,
    in_table: bool = False,
    notes: tuple[str, ...] = (),
) -> Study:
    """The study of matrices of distances.

    ranked: by ranks (Spearman), or by the distances themselves (Pearson)
    in_table: whether pairs are the rows of a table, so that numbers can lead to them
    notes: what must be known of the data
    """
    found = compared(matrices, drawing, ranked=ranked)
    ceiling = noise_ceiling(matrices, ranked=ranked)
    return Study(
        "geometry", "Geometry", "Is what is near for gold near for a system, too?", task,
        matrices.systems,
        (_scores(matrices, found, ceiling), _deviating(matrices, in_table=in_table)),
        _data(matrices, found, ceiling), told,
        (_dots(matrices, found), *_pictures(matrices, found)),
        (*notes, *_notes(matrices, drawing)),
    )  # fmt: skip


def compared(matrices: Matrices, drawing: Drawing, *, ranked: bool = True) -> list[Found]:
    """``[system]`` the scores of all systems."""
    gold = standardised(matrices.gold, ranked=ranked)
    own = [standardised(one, ranked=ranked) for one in matrices.given]
    people = [standardised(one, ranked=ranked) for one in matrices.people]
    observed = [correlated(gold, one) for one in own]
    p = [math.nan] * len(own)
    ends = [(math.nan, math.nan)] * len(own)
    if drawing.resamples:
        null = permuted(gold, own, permutations=drawing.resamples, seed=drawing.seed)
        p = holm(null.p(observed))
        ends = [
            drawn_interval(matrices.gold, one, drawing, ranked=ranked) for one in matrices.given
        ]
    neighbours = alike.neighbours_of(matrices.size)
    return [
        Found(
            observed[at], ends[at], p[at],
            float(np.mean([correlated(one, own[at]) for one in people])),
            *_kernels(matrices, at),
            alike.neighbour_overlap(matrices.gold, matrices.given[at], neighbours),
        )
        for at in range(len(own))
    ]  # fmt: skip


def _kernels(matrices: Matrices, system: int) -> tuple[float, float]:
    """Kernel alignment with gold; the mean over people."""
    if not matrices.people_spaces:
        return math.nan, math.nan
    own = matrices.spaces[system]
    plain = [alike.cka(one, own) for one in matrices.people_spaces]
    debiased = [alike.debiased_cka(one, own) for one in matrices.people_spaces]
    return float(np.mean(plain)), float(np.mean(debiased))


def noise_ceiling(matrices: Matrices, *, ranked: bool = True) -> Ceiling | None:
    r"""What the true geometry would reach on average over people; ``None`` for fewer than two.

    .. math:: \left[\frac1k \sum_s r(D_s, \bar D_{-s}),\; \frac1k \sum_s r(D_s, \bar D)\right]

    where :math:`\bar D` is the mean of the ranks of all k people and :math:`\bar D_{-s}` that
    without person s.
    """
    people = matrices.people
    if len(people) < 2:
        return None
    own = [standardised(one, ranked=ranked) for one in people]
    every = standardised(mean_ranks(people), ranked=ranked)
    upper = [correlated(one, every) for one in own]
    lower = []
    for at, one in enumerate(own):
        others = mean_ranks((*people[:at], *people[at + 1 :]))
        lower.append(correlated(one, standardised(others, ranked=ranked)))
    return Ceiling(float(np.mean(lower)), float(np.mean(upper)))


def _scores(matrices: Matrices, found: list[Found], ceiling: Ceiling | None) -> Listing:
    several = len(matrices.people) > 1
    order = CORRELATION.order(np.array([one.rsa for one in found]))
    rows: list[tuple[Cell, ...]] = []
    for at in order:
        one = found[at]
        rows.append((
            matrices.systems[at], one.rsa, written(*one.interval, percent=False), one.p,
            *((one.people,) if several else ()), one.cka, one.debiased, one.overlap,
        ))  # fmt: skip
    columns = (
        Column("system"), Column("RSA", "score", best="max", scale=CORRELATION),
        Column("interval", "number"), Column("p", "p"),
        *((Column("by person", "score", best="max", scale=CORRELATION),) if several else ()),
        Column("CKA", "score", best="max", scale=CORRELATION),
        Column("debiased", "score", best="max", scale=CORRELATION, group=""),
        Column("neighbours", "score", best="max"),
    )  # fmt: skip
    neighbours = alike.neighbours_of(matrices.size)
    chance = neighbours / (matrices.size - 1)
    note = (
        "RSA: correlation of distances of all pairs with those of gold; p: of permuted stimuli, "
        "one-sided, Holm-corrected. CKA: linear kernel alignment, and its unbiased estimate. "
        f"neighbours: share of the {neighbours} nearest ones in common; {chance:.0%} by chance."
    )
    if ceiling is not None:
        note += (
            f" by person: mean RSA over {len(matrices.people)} people; noise ceiling "
            f"[{ceiling.lower:.3f}, {ceiling.upper:.3f}]."
        )
    return Listing("Similarity to the geometry of gold", columns, tuple(rows), note)


def _deviating(matrices: Matrices, *, in_table: bool) -> Listing:
    """The pairs whose ranks are farthest from those in gold."""
    first, second = np.triu_indices(matrices.size, 1)
    gold = matrices.gold[first, second]
    given = np.stack([one[first, second] for one in matrices.given], axis=1)
    error = rank_errors(given, gold)
    shares = (_share(gold), [_share(one) for one in given.T])
    rows: list[tuple[Cell, ...]] = []
    most = max(1, min(_WORST, _LISTED // len(matrices.systems)))
    for system, name in enumerate(matrices.systems):
        for row in np.argsort(-error[:, system], kind="stable")[:most].tolist():
            own = Evidence.of(1, of_row(row)) if in_table else None
            pair = f"{matrices.names[first[row]]} – {matrices.names[second[row]]}"
            nearer = shares[1][system][row] < shares[0][row]
            rows.append((
                name, Linked(pair, own), "too near" if nearer else "too far",
                float(shares[0][row]), float(shares[1][system][row]),
            ))  # fmt: skip
    columns = (Column("system"), Column("pair"), Column("it is"), Column("gold", "percent"),
               Column("given", "percent"))  # fmt: skip
    note = "gold, given: the share of pairs that are nearer, for gold and for the system."
    return Listing("Pairs that deviate most", columns, tuple(rows), note)


def _share(values: Floats) -> Floats:
    """The share of other pairs that are nearer, ties counting half."""
    found: Floats = (ranks(values) - 1) / max(1, len(values) - 1)
    return found


def _data(matrices: Matrices, found: list[Found], ceiling: Ceiling | None) -> dict[str, Any]:
    several = len(matrices.people) > 1
    systems = {
        name: {
            "rsa": number(one.rsa),
            "interval": [number(end) for end in one.interval],
            "p": number(one.p),
            **({"by_person": number(one.people)} if several else {}),
            "cka": number(one.cka),
            "cka_debiased": number(one.debiased),
            "neighbour_overlap": number(one.overlap),
        }
        for name, one in zip(matrices.systems, found, strict=True)
    }
    ends = None if ceiling is None else {"lower": ceiling.lower, "upper": ceiling.upper}
    return {
        "stimuli": matrices.size,
        "pairs": matrices.size * (matrices.size - 1) // 2,
        "people": len(matrices.people),
        "neighbours": alike.neighbours_of(matrices.size),
        "noise_ceiling": ends,
        "systems": systems,
    }


def _dots(matrices: Matrices, found: list[Found]) -> Plot:
    order = CORRELATION.order(np.array([one.rsa for one in found]))
    series = tuple(
        Series(
            matrices.systems[at], np.array([found[at].rsa]), np.array([float(row)]), "dots",
            np.array([found[at].interval[0]]), np.array([found[at].interval[1]]),
            (f"{matrices.systems[at]}: {found[at].rsa:.3f}",),
        )
        for row, at in enumerate(order)
    )  # fmt: skip
    names = tuple(matrices.systems[at] for at in order)
    return Plot("RSA with gold", Axis("correlation of distances"), Axis("", names=names), series,
                "vertical")  # fmt: skip


def _pictures(matrices: Matrices, found: list[Found]) -> list[Plot]:
    """Ranks of the distances of gold and of the best systems, in one order of stimuli."""
    order = seriated(matrices.gold)
    best = CORRELATION.order(np.array([one.rsa for one in found]))[:_PICTURES]
    every = [("gold", matrices.gold)]
    every += [(matrices.systems[at], matrices.given[at]) for at in best]
    return [_picture(name, matrix, order, matrices) for name, matrix in every]


def seriated(matrix: Floats) -> NDArray[np.int64]:
    """An order in which near stimuli stand near each other: by the first axis of their geometry."""
    _, axes = np.linalg.eigh(alike.gram(matrix))
    axis = axes[:, -1]
    return np.argsort(axis if axis[np.abs(axis).argmax()] > 0 else -axis, kind="stable")


def _picture(name: str, matrix: Floats, order: NDArray[np.int64], matrices: Matrices) -> Plot:
    """A matrix as a heat map, of blocks of stimuli where there are many."""
    size = matrices.size
    upper = np.triu_indices(size, 1)
    shares = np.full((size, size), np.nan)
    shares[upper] = _share(matrix[upper])
    shares.T[upper] = shares[upper]
    shares = shares[np.ix_(order, order)]
    cut = np.array_split(np.arange(size), min(size, _CELLS))
    names = tuple(_block(matrices, order[block]) for block in cut)
    x, y, values, text = [], [], [], []
    for row, one in enumerate(cut):
        for column, other in enumerate(cut):
            cells = shares[np.ix_(one, other)]
            if np.isnan(cells).all():
                continue
            mean = float(np.nanmean(cells))
            x.append(float(column))
            y.append(float(row))
            values.append(mean)
            text.append(f"{name}: {names[row]}, {names[column]}: {mean:.0%} of pairs are nearer")
    cells_of = Series(name, np.array(x), np.array(y), "cells", text=tuple(text),
                      value=np.array(values))  # fmt: skip
    return Plot(f"Distances: {name}", Axis("", names=names), Axis("", names=names), (cells_of,))


def _block(matrices: Matrices, rows: NDArray[np.int64]) -> str:
    first = matrices.names[rows[0]]
    return first if len(rows) == 1 else f"{first} and {len(rows) - 1} more"


def _notes(matrices: Matrices, drawing: Drawing) -> list[str]:
    found = []
    if drawing.resamples and too_few(matrices.size, level=drawing.level):
        found.append(f"{matrices.size} stimuli are too few for intervals")
    if matrices.size < 4:
        found.append("the unbiased estimate of CKA needs 4 stimuli")
    if not matrices.people_spaces:
        found.append("the gold file holds distances, so there is no CKA")
    if matrices.size > _CELLS:
        found.append(f"pictures of distances show {_CELLS} blocks of stimuli, each by its mean")
    return found
