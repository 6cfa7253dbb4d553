"""Columns of rows that are not tokens: what is known of an item, of a document, of a rating.

A column holds numbers (nan where there is none), categories or texts, one for each row:

>>> import numpy as np
>>> rows = Rows(np.array([0, 0, 1]), {"grade": np.array([2.0, 0.0, 1.0])})
>>> rows.size, rows.of(np.array([1])).fields["grade"].tolist()
(3, [1.0])

``Rows`` are the parts of something larger (the documents of a query, the references of a text):
``parent`` says of which, in ascending order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.texts import Coded, IntArray, Texts

Column = Texts | Coded | NDArray[Any]


def chosen(column: Column, rows: IntArray | NDArray[np.bool_] | slice) -> Column:
    """The given rows of a column, in the given order.

    >>> list(chosen(Coded.of(["a", "b"]), np.array([1, 0])))
    ['b', 'a']
    """
    if isinstance(column, Coded):
        return Coded(column.codes[rows], column.names)
    if isinstance(column, Texts):
        return Texts(column.buffer, column.starts[rows], column.lengths[rows])
    return column[rows]


def cell(column: Column, row: int) -> Any:
    """The value of a row as a plain value: a string, a number, or ``None`` for nan.

    >>> cell(np.array([1.0, np.nan]), 1), cell(Coded.of(["news"]), 0)
    (None, 'news')
    """
    if not isinstance(column, np.ndarray):
        return column[row]
    value = column[row]
    value = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
    return None if isinstance(value, float) and np.isnan(value) else value


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Parts: ``parent`` ``[part]`` the row they belong to; columns for all, and by system.

    ``by_system`` ``[part, system, ...]``: where a system ranks a document, say.
    """

    parent: IntArray
    fields: Mapping[str, Column] = field(default_factory=dict)
    by_system: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return len(self.parent)

    def of(self, parents: IntArray) -> Rows:
        """The parts of some rows, which are counted from 0 as they come."""
        place = np.full(int(self.parent.max(initial=-1)) + 2, -1, np.int64)
        known = parents[parents < len(place) - 1]
        place[known] = np.arange(len(parents))[parents < len(place) - 1]
        to = place[self.parent]
        rows = np.flatnonzero(to >= 0)
        rows = rows[np.argsort(to[rows], kind="stable")]
        return Rows(
            to[rows],
            {name: chosen(one, rows) for name, one in self.fields.items()},
            {name: one[rows] for name, one in self.by_system.items()},
        )

    def only(self, systems: list[int]) -> Rows:
        """The same with some systems."""
        kept = {name: one[:, systems] for name, one in self.by_system.items()}
        return Rows(self.parent, self.fields, kept)
