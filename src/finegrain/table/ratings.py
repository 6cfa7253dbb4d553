"""Labels that annotators gave to the same units: ``[unit, annotator]``, with missing ones.

>>> found = ratings([["a", "a"], ["a", None], ["b", "a"]], annotators=["ann", "ben"])
>>> found.labels, found.codes.tolist()
(('a', 'b'), [[0, 0], [0, -1], [1, 0]])

This is all that agreement needs; where annotators are corpora, the outcome table holds it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.errors import UsageError

NO_LABEL = -1
MOST_COUNTED = 10_000_000  # items that a table of counts may stand for


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ratings:
    """Codes into ``labels``, -1 for none; ``sample``: ``[unit]`` what is resampled as a whole.

    ``unit`` and ``sample_kind`` say in one word what units and samples are; ``outside`` is the code
    that says "nothing here" (O), -1 without such a label; ``settings`` go into the signature.
    """

    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    codes: NDArray[np.int32]
    sample: IntArray
    n_samples: int
    unit: str = "item"
    sample_kind: str = "item"
    outside: int = -1
    settings: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        return f"<Ratings: {len(self)} {self.unit}s, annotators: {', '.join(self.annotators)}>"

    @property
    def n_labels(self) -> int:
        return len(self.labels)


def ratings(
    given: Mapping[str, Sequence[Any]] | Sequence[Sequence[Any]],
    *,
    annotators: Sequence[str] | None = None,
    counts: bool | None = None,
    labels: Sequence[str] | None = None,
) -> Ratings:
    """Labels from lists, for ``fg.agreement``.

    Parameters
    ----------
    given: annotator -> labels of all units, or one row of labels per unit; ``None``, nan and empty
        strings are missing
    annotators: names of the columns of rows; a1, a2 and so on if not given
    counts: rows are not labels but a square of counts: how often the first annotator says i (rows)
        where the second one says j (columns). Rows of whole numbers that are a square are refused
        until this, or who the ``annotators`` are, is said
    labels: of counts, in their order; 1, 2 and so on if not given
    """
    if counts:
        return from_counts(given, labels=labels, annotators=annotators or COUNTED)
    if labels is not None:
        raise UsageError("labels name the rows of counts: counts=True")
    if counts is None and annotators is None and _may_be_counts(given):
        raise UsageError(
            "a square of whole numbers: are they labels, or counts of how often one annotator says "
            "i where the other says j? Say which: counts=True or counts=False"
        )
    if isinstance(given, Mapping):
        if annotators is not None:
            raise UsageError("the mapping names the annotators already")
        names, columns = tuple(map(str, given)), [list(column) for column in given.values()]
    else:
        rows = [list(row) for row in given]
        width = len(rows[0]) if rows else 0
        if any(len(row) != width for row in rows):
            raise UsageError(
                "the rows have different lengths: one cell per annotator, None if missing"
            )
        names = tuple(annotators or (f"a{place + 1}" for place in range(width)))
        columns = [[row[place] for row in rows] for place in range(width)]
    if len({len(column) for column in columns}) > 1:
        raise UsageError(
            "annotators have different numbers of units: give None where one is missing"
        )
    if len(names) != len(columns) or len(set(names)) != len(names):
        raise UsageError(f"{len(columns)} annotators need as many different names")
    return coded(names, [[_written(value) for value in column] for column in columns])


COUNTED = ("rows", "columns")  # the annotators of a table of counts that names none


def from_counts(
    given: Any, *, labels: Sequence[str] | None = None, annotators: Sequence[str] = COUNTED
) -> Ratings:
    """The labels of two annotators from how often the first says i where the second says j.

    >>> found = from_counts([[300, 20], [10, 70]], labels=["yes", "no"])
    >>> found.labels, found.codes[[0, 300, 320, 399]].tolist()
    (('no', 'yes'), [[1, 1], [1, 0], [0, 1], [0, 0]])
    """
    square = np.array(given, object)
    size = len(square)
    if square.shape != (size, size) or size < 2:
        raise UsageError("counts are a square: a row and a column for every label")
    if not all(_is_whole(cell) and cell >= 0 for cell in square.ravel()):
        raise UsageError("counts are whole numbers from 0")
    total = sum(square.ravel().tolist())
    if not 0 < total <= MOST_COUNTED:
        raise UsageError(f"the counts add up to {total:,}: from 1 to {MOST_COUNTED:,} can be taken")
    names = [str(one) for one in labels or range(1, size + 1)]
    if len(names) != size or len(set(names)) != size or len(set(annotators)) != 2:
        raise UsageError(f"counts of {size} labels need as many names, and two of annotators")
    ordered = in_order(set(names))
    code = np.array([ordered.index(name) for name in names], np.int32)
    pairs = np.stack(np.meshgrid(code, code, indexing="ij"), axis=-1).reshape(-1, 2)
    codes = np.repeat(pairs, square.ravel().astype(np.int64), axis=0)
    units = len(codes)
    return Ratings(tuple(annotators), ordered, codes, np.arange(units), units)


def _may_be_counts(given: Any) -> bool:
    if isinstance(given, Mapping):
        return False
    rows = [list(row) for row in given]
    square = len(rows) > 1 and all(len(row) == len(rows) for row in rows)
    return square and all(_is_whole(cell) and cell >= 0 for row in rows for cell in row)


def _is_whole(cell: Any) -> bool:
    return isinstance(cell, Integral) and not isinstance(cell, bool | np.bool_)


def coded(annotators: tuple[str, ...], columns: Sequence[Sequence[str | None]]) -> Ratings:
    """Ratings from columns of strings, ``None`` for missing; labels come out in order."""
    labels = in_order({value for column in columns for value in column if value is not None})
    number: dict[str | None, int] = {label: code for code, label in enumerate(labels)}
    number[None] = NO_LABEL
    units = len(columns[0]) if columns else 0
    codes = np.empty((units, len(columns)), np.int32)
    for place, column in enumerate(columns):
        codes[:, place] = [number[value] for value in column]
    return Ratings(annotators, labels, codes, np.arange(units), units)


def in_order(labels: set[str]) -> tuple[str, ...]:
    """Labels sorted as numbers, if all of them are, else as text.

    >>> in_order({"10", "9", "1"}), in_order({"10", "9", "b"})
    (('1', '9', '10'), ('10', '9', 'b'))
    """
    try:
        return tuple(sorted(labels, key=lambda label: (float(label), label)))
    except ValueError:
        return tuple(sorted(labels))


def _written(value: Any) -> str | None:
    if value is None or value == "" or value != value:  # noqa: PLR0124 - nan
        return None
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))  # 3.0 and 3 are one label
    return str(value)
