"""Units as columns for a page that holds at most so many of them.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> units = embedded_units(table, most=3)
>>> len(units.chosen), units.found
(3, 15)

A *cell* is something that a reader can ask for: the units with one label, outcome and answer of one
system, the units of one bin that a system solves, those that one system of a pair corrects. Every
unit has a place in each of its cells, spread evenly over the corpus; those with the smallest places
are taken. So no cell that holds a unit is left empty as long as there are at most ``most`` cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.compare.difficulty import bins
from finegrain.analyses.selection.lowered_scores import LoweredScores, lowered_scores
from finegrain.corpus import IntArray
from finegrain.table import OutcomeTable
from finegrain.table.outside import agreeing
from finegrain.table.verdicts import answered, change, costs, listed, right, stances, value

MOST = 5_000
_NONE = np.zeros(0, np.int64)
_PAIRS = 16  # systems of which every pair has its cells


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedUnits:
    """Rows of a table with what is needed to draw them.

    ``rows`` are those in the sentences of the ``chosen`` ones, for tasks with spans; else the
    chosen ones. ``found`` counts the units there are, as ``show`` does: gold ones and those that
    some system has. ``columns`` are further codes ``[row]``; ``masks`` too, where a unit can have
    several codes: bit c for code c.
    """

    table: OutcomeTable
    rows: IntArray
    chosen: IntArray
    found: int
    bins: IntArray
    agree: IntArray
    columns: Mapping[str, IntArray]
    masks: Mapping[str, IntArray]
    lowered: LoweredScores


def embedded_units(
    table: OutcomeTable,
    *,
    most: int = MOST,
    columns: Mapping[str, IntArray] | None = None,
    masks: Mapping[str, IntArray] | None = None,
    asked: IntArray = _NONE,
) -> EmbeddedUnits:
    """Choose units that cover every cell; ``columns`` are codes ``[unit]`` with cells of their own.

    ``masks`` ``[unit]`` too: every set of codes is a cell. ``asked`` are rows that are taken before
    others.

    ``bins`` is -1 for what is not gold, ``agree`` (systems that have the unit) for what is gold.
    """
    own, several = columns or {}, masks or {}
    solved = np.where(table.is_gold, bins(table), -1)
    having = agreeing(table)
    every, chosen = np.arange(len(table)), np.flatnonzero(listed(table))
    lowered = lowered_scores(table)
    units = EmbeddedUnits(table, every, chosen, len(chosen), solved, having, own, several, lowered)
    if len(chosen) <= most:
        return units
    every_cell = chain(cells(table, solved, {**own, **several}), [having], lowered.bits.T)
    asked_for = (codes[chosen] for codes in every_cell)
    first = np.flatnonzero(np.isin(chosen, asked))
    return of_rows(units, chosen[covering(asked_for, len(chosen), most, first=first)])


def of_rows(units: EmbeddedUnits, chosen: IntArray) -> EmbeddedUnits:
    """Some of the units of a whole table, with what is drawn around them."""
    table = units.table
    rows = np.sort(chosen) if not table.task.open else _with_sentences(table, chosen)
    return EmbeddedUnits(
        table,
        rows,
        chosen,
        units.found,
        units.bins[rows],
        units.agree[rows],
        {name: codes[rows] for name, codes in units.columns.items()},
        {name: codes[rows] for name, codes in units.masks.items()},
        replace(units.lowered, bits=units.lowered.bits[rows]),
    )


def cells(
    table: OutcomeTable, solved: IntArray, columns: Mapping[str, IntArray]
) -> Iterator[NDArray[np.int64]]:
    """Cells ``[unit]``, once for each thing that can be asked for."""
    labels, outcomes = table.n_labels + 1, len(table.outcomes)
    label = table.label.astype(np.int64) * 2 + table.is_gold
    verdict, lost, given = right(table), costs(table), _beside(table)
    yield label
    for system in range(table.n_systems):
        answer = given[:, system].astype(np.int64) + 1
        yield (label * labels + answer) * outcomes + table.outcome[:, system]
        yield (solved.astype(np.int64) + 1) * 2 + verdict[:, system]
        for codes in columns.values():
            yield ((codes.astype(np.int64) + 1) * 2 + verdict[:, system]) * 2 + lost[:, system]
    some = list(range(min(table.n_systems, _PAIRS)))
    held = stances(table, some)
    for one, other in combinations(some, 2):
        yield change(held[one], held[other]).astype(np.int64) + 1
        if table.task.value:
            matrix, scale = value(table).matrix, value(table).scale
            yield scale.change(matrix[:, one], matrix[:, other]).astype(np.int64) + 1
    yield solved.astype(np.int64)


def _beside(table: OutcomeTable) -> IntArray:
    """``[unit, system]`` the label that a system gives the unit; -1 for none.

    Spans that are not gold have that of the gold span they are charged to, as in ``confusion``.
    """
    if not table.task.detects:
        return answered(table)
    beside: IntArray = np.append(table.label, -1)[table.answer]  # the last place serves -1
    return beside


def covering(
    asked: Iterator[NDArray[np.int64]], units: int, most: int, *, first: IntArray = _NONE
) -> NDArray[np.int64]:
    """The ``most`` units with the smallest place in any of their cells, in the order of the table.

    ``first`` are taken before all others.

    >>> covering(iter([np.array([0, 0, 0, 0, 0, 1])]), 6, 2).tolist()    # one of each of two cells
    [0, 5]
    """
    if units <= most:
        return np.arange(units)
    # neighbours in the corpus are alike: places go round it in steps, not from its beginning
    scattered = np.argsort(np.arange(units) * 0.6180339887498949 % 1, kind="stable")
    best = np.full(units, units, np.int64)
    for codes in asked:
        inverse = codes[scattered]
        order = np.argsort(inverse, kind="stable")
        ranked = inverse[order]
        starts = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
        sizes = np.diff(np.append(starts, units))
        place = np.empty(units, np.int64)
        place[scattered[order]] = np.arange(units) - np.repeat(starts, sizes)
        np.minimum(best, place, out=best)
    best[first] = -1
    taken = scattered[np.argsort(best[scattered], kind="stable")[:most]]
    return np.sort(taken)


def _with_sentences(table: OutcomeTable, chosen: IntArray) -> IntArray:
    """All rows in the sentences of some rows: they are drawn together."""
    wanted = np.zeros(table.corpus.n_sentences + 1, bool)
    wanted[table.sentence[chosen]] = True
    return np.flatnonzero(wanted[table.sentence])
