"""The units that selections hold for, of a whole table, in the order of a reader's list.

>>> import finegrain as fg
>>> from finegrain.analyses.reports.embedded_units import embedded_units
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> search = UnitSearch.of(embedded_units(table, most=len(table)))
>>> [table.text(row) for row in search.rows(["label=LOC and correct[short]=no"])]
['London Bridge']

Here ``bucket[NAME]`` is a field, too. Everything is decided on columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from finegrain.analyses.reports.embedded_units import EmbeddedUnits, of_rows
from finegrain.analyses.reports.graded_units import extent, hardness
from finegrain.analyses.selection.columns import ValueColumn, Words
from finegrain.analyses.selection.evaluation import Mask, unknown_labels
from finegrain.analyses.selection.expressions import Expression, all_of
from finegrain.analyses.selection.json_form import read
from finegrain.analyses.selection.selecting import selected
from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable


@dataclass(frozen=True, slots=True, eq=False)
class UnitSearch:
    """All units of a table, and what they are searched by.

    ``order``: those that are listed, hardest first, that is gold units by bin, then what is not
    gold, by how many systems agree on it; graded ones by their mean value. ``buckets``: by
    attribute, the numbers of buckets.
    """

    units: EmbeddedUnits
    order: IntArray
    buckets: Mapping[str, ValueColumn]

    @classmethod
    def of(cls, units: EmbeddedUnits) -> UnitSearch:
        """A search of units that are all those of their table."""
        if len(units.chosen) != units.found:
            raise ValueError("a search needs all units of the table")
        last = units.table.n_systems + 1
        hard = np.where(units.bins >= 0, units.bins, 2 * last - units.agree)
        if units.table.task.value:
            hard = hardness(units.table)
        order = units.chosen[np.argsort(hard[units.chosen], kind="stable")]
        return cls(units, order, _buckets(units))

    @property
    def table(self) -> OutcomeTable:
        return self.units.table

    def holding(self, where: Expression) -> Mask:
        """``[row]`` whether a selection holds, listed or not."""
        if unknown := unknown_labels(where, self.table):
            raise UsageError.unknown("label", unknown[0], self.table.labels)
        return selected(self.table, where, self.buckets)

    def rows(self, where: Iterable[str | Expression] = ()) -> IntArray:
        """The units that all selections hold for, hardest first."""
        every = [read(one) if isinstance(one, str) else one for one in where]
        if not every:
            return self.order
        held = np.logical_and.reduce([self.holding(one) for one in every])
        found: IntArray = self.order[held[self.order]]
        by = extent(self.table, all_of(*every))
        return found if by is None else found[np.argsort(by[found], kind="stable")]

    def some(self, rows: IntArray) -> EmbeddedUnits:
        """Some units, in the given order, with what is drawn around them."""
        return of_rows(self.units, rows)


def _buckets(units: EmbeddedUnits) -> dict[str, ValueColumn]:
    """By attribute, in which bucket units are; of attributes of tokens, in which of them."""
    found: dict[str, ValueColumn] = {}
    for name, codes in units.columns.items():
        found[name] = Words(codes, _numbers(int(codes.max(initial=-1)) + 1), closed=True)
    for name, masks in units.masks.items():
        size = int(masks.max(initial=0)).bit_length()
        unit, bucket = np.nonzero(masks[:, None] >> np.arange(size) & 1)
        found[name] = Words(bucket, _numbers(size), closed=True, parent=unit)
    return found


def _numbers(size: int) -> tuple[str, ...]:
    return tuple(map(str, range(size)))
