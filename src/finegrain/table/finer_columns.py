"""Columns that are finer than a unit: a value for every system, or for every part of a unit.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("ranking"))
>>> list(by_system(table)), list(of_parts(table))[:2]
(['retrieved', 'nDCG@10'], ['documents.document', 'documents.grade'])
>>> summary(table, "max", "documents.grade").tolist()
[2.0, 1.0, 3.0, 1.0, 0.0, 2.0]

Of a unit with several parts there is one number: how many they are, or the mean, the smallest or
the largest of a column. Undefined values of parts are left out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.corpus.columns import Column
from finegrain.corpus.items import plain
from finegrain.errors import UsageError
from finegrain.table.outcome_table import OutcomeTable

COUNT = "count"
_NUMBERS, _TEXTS = "f", "O"


class OfParts(NamedTuple):
    """``column`` ``[part]``, or ``[part, system]``; ``parent`` ``[part]`` the unit of each."""

    parent: IntArray
    column: Column

    @property
    def values(self) -> NDArray[Any]:
        """Numbers, or texts with ``None`` for nothing."""
        return plain(self.column)

    @property
    def numbers(self) -> bool:
        return isinstance(self.column, np.ndarray) and self.column.dtype.kind in "iuf"

    @property
    def differs(self) -> bool:
        """Whether systems differ in it."""
        return isinstance(self.column, np.ndarray) and self.column.ndim > 1


def by_system(table: OutcomeTable) -> dict[str, NDArray[Any]]:
    """``[unit, system]`` numbers and texts by name: confidence, and what units are graded by."""
    details = {
        name: column
        for name, column in table.details.items()
        if column.ndim == 2 and column.dtype.kind in (_NUMBERS, _TEXTS)
    }
    return {**details, **{name: one.matrix for name, one in table.values.items()}}


def of_parts(table: OutcomeTable) -> dict[str, OfParts]:
    """Columns of parts by name: ``documents.grade``, and by system ``documents.score``."""
    found = {}
    for key, rows in table.parts.items():
        for name, column in rows.fields.items():
            found[f"{key}.{name}"] = OfParts(rows.parent, column)
        for name, matrix in rows.by_system.items():
            if matrix.ndim == 2:
                found[f"{key}.{name}"] = OfParts(rows.parent, matrix)
    return found


def summary(table: OutcomeTable, how: str, what: str) -> NDArray[np.float64]:
    """``[unit]``, or ``[unit, system]`` where systems differ: what the parts of a unit come to.

    ``how``: ``count`` of parts (``documents``); ``mean``, ``min``, ``max`` of one of their columns
    (``documents.grade``), nan for units without any

    >>> import finegrain as fg
    >>> from finegrain.testing import small_corpora
    >>> table = fg.align(*small_corpora("qa"))
    >>> summary(table, "count", "references").tolist()
    [2.0, 2.0, 2.0, 1.0, 2.0, 1.0, 0.0, 0.0]
    """
    if how == COUNT:
        if what not in table.parts:
            raise UsageError.unknown("parts", what, table.parts)
        parent = table.parts[what].parent
        return np.bincount(parent, minlength=len(table)).astype(np.float64)
    columns = {name: one for name, one in of_parts(table).items() if one.numbers}
    if what not in columns:
        raise UsageError.unknown("number of parts", what, columns)
    chosen = columns[what]
    return _SUMMARIES[how](chosen.parent, chosen.values.astype(np.float64), len(table))


def _mean(parent: IntArray, values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    known = ~np.isnan(values)
    sums, counts = np.zeros((2, size, *values.shape[1:]))
    np.add.at(sums, parent, np.where(known, values, 0.0))
    np.add.at(counts, parent, known)
    mean: NDArray[np.float64] = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    return mean


def _end(ufunc: np.ufunc) -> Callable[..., NDArray[np.float64]]:
    """The smallest or largest; ``fmin`` and ``fmax`` pass over nan."""

    def found(parent: IntArray, values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
        ends = np.full((size, *values.shape[1:]), np.nan)
        ufunc.at(ends, parent, values)
        return ends

    return found


_SUMMARIES = {"mean": _mean, "min": _end(np.fmin), "max": _end(np.fmax)}
SUMMARIES = (COUNT, *_SUMMARIES)


def summaries(table: OutcomeTable) -> Iterator[tuple[str, str, bool]]:
    """What ``summary`` can be asked, ``count`` of ``documents``; and whether systems differ."""
    for key in table.parts:
        yield COUNT, key, False
    for name, one in of_parts(table).items():
        if one.numbers:
            for how in _SUMMARIES:
                yield how, name, one.differs
