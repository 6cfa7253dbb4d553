"""One row per item of a bare 0/1 table of who solved what (units x systems).

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.items import ITEMS
>>> table = of_matrix(ITEMS, [[1, 0], [1, 1], [0, 0]], systems=["crf", "neural"])
>>> table.task, table.systems, [table.outcomes.names[code] for code in table.outcome[0]]
(<Task items>, ('crf', 'neural'), ['CORRECT', 'WRONG'])

Nothing is known of an answer but whether it is right, so two wrong answers count as the same. A
table that was read with the format `matrix` is aligned without further systems:

>>> items = Corpus.of([["q1"], ["q2"]], crf=[["1"], ["0"]], neural=[["1"], ["1"]])
>>> align(ITEMS, items, {}).outcome.tolist()
[[1, 1], [0, 1]]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.same_text import Systems, named
from finegrain.corpus import Coded, Corpus, IntArray, Texts
from finegrain.corpus.document import CELLS
from finegrain.errors import InputError, UsageError
from finegrain.table import OutcomeTable, Task

LABELS = ("wrong", "right")  # by the cell; every item is to be right


def holds_items(gold: Corpus, layer: str) -> bool:  # noqa: ARG001 - as all tasks are asked
    """Whether it is a 0/1 table."""
    return gold.holds_items


def align(task: Task, gold: Corpus, systems: Systems) -> OutcomeTable:
    """One row per item; the systems are the columns of the 0/1 table, and there are no others."""
    if next(named(systems), None) is not None:
        raise UsageError("a 0/1 table holds its systems itself: align(table, {})")
    if not gold.holds_items:
        raise InputError.at(gold.source, 0, "no 0/1 table", "Read it with the format matrix.")
    if gold.n_tokens != gold.n_sentences:
        raise InputError.at(gold.source, 0, "not one item per sentence")
    return _table(task, _columns(list(gold.layers.values())), tuple(gold.layers), gold)


def of_matrix(
    task: Task,
    matrix: Any,
    *,
    systems: Sequence[str] | None = None,
    units: Sequence[str] | None = None,
) -> OutcomeTable:
    """A table from nested lists or an array ``[unit, system]`` of 0 and 1."""
    try:
        given = np.asarray(matrix)
    except ValueError:
        raise UsageError("the rows of the matrix have different lengths") from None
    if given.ndim != 2 or not given.shape[1]:
        raise UsageError(f"a matrix of units and systems has two dimensions, not {given.shape}")
    if not np.isin(given, (0, 1)).all():
        raise UsageError("a matrix of items holds 0 and 1 only")
    names = tuple(systems or (f"s{place + 1}" for place in range(given.shape[1])))
    if len(names) != given.shape[1] or len(set(names)) != len(names):
        raise UsageError(f"{given.shape[1]} systems need as many different names")
    if units is not None and len(units) != len(given):
        raise UsageError(f"{len(units)} names for {len(given)} units")
    cells = np.ascontiguousarray(given, np.uint8)
    layers = {name: Coded(cells[:, place], CELLS) for place, name in enumerate(names)}
    texts = None if units is None else Texts.of(units)
    offsets = np.arange(len(cells) + 1, dtype=np.int32)
    return _table(task, cells, names, Corpus("matrix", offsets, texts, layers, format="matrix"))


def _table(
    task: Task, cells: NDArray[np.uint8], systems: tuple[str, ...], corpus: Corpus
) -> OutcomeTable:
    """The table; whatever is the same for all items takes no memory."""

    def every(value: int, kind: type = np.int8) -> NDArray[Any]:
        return np.broadcast_to(np.array(value, kind), (len(cells),))

    return OutcomeTable(
        task=task,
        systems=systems,
        labels=LABELS,
        sentence=corpus.offsets[:-1],
        begin=every(0),
        end=every(1),
        label=every(LABELS.index("right")),
        is_gold=every(1, np.bool_),
        outcome=cells,
        answer=cast("NDArray[np.int32]", cells.view(np.int8)),  # the same codes, of another type
        corpus=corpus,
        token_set=every(0),
        notes=corpus.notes,
    )


def _columns(layers: Sequence[Coded]) -> NDArray[np.uint8]:
    """``[unit, system]``; without copying, where layers are columns of one array already."""
    first = layers[0]
    if any(layer.names != CELLS for layer in layers):  # one that is always right, say
        codes = [np.array([CELLS.index(name) for name in one.names])[one.codes] for one in layers]
        return np.column_stack(codes).astype(np.uint8)
    base = first.codes.base
    cells = len(first) * len(layers)
    if isinstance(base, np.ndarray) and base.flags.c_contiguous and base.size >= cells > 0:
        whole = base.reshape(-1)[:cells].reshape(-1, len(layers))
        if all(_same_cells(one.codes, whole[:, at]) for at, one in enumerate(layers)):
            return whole
    return np.column_stack([layer.codes for layer in layers]).astype(np.uint8)


def _same_cells(one: IntArray, two: IntArray) -> bool:
    """Whether two arrays are the same place in memory."""
    mine, other = one.__array_interface__, two.__array_interface__
    return one.dtype == two.dtype == np.uint8 and all(
        mine[key] == other[key] for key in ("data", "strides", "shape")
    )
