"""What answers to items took, and how they were read: columns of systems that any task keeps.

``latency`` (seconds), ``input_tokens``, ``output_tokens`` and ``cost``, by themselves or in
``usage``, are columns of the system; so is ``grounding``, the class that ``finegrain ground`` gave
the answer. Of several answers to an item they are means, and there is no class.

>>> from finegrain.alignment.item_tables import meet
>>> from finegrain.formats.items import read
>>> from finegrain.formats.source import source_of
>>> gold = read(source_of("gold", b'{"id": "a", "label": "pos"}'))
>>> record = b'{"id": "a", "answer": "pos", "usage": {"latency": 0.5}, "grounding": "verbose"}'
>>> met = meet(gold, {"model": read(source_of("model", record))})
>>> used = usage_columns(met.names, met.corpora, met.rows, met.runs)
>>> {name: column.tolist() for name, column in used.details.items()}
{'latency': [[0.5]], 'grounding': [['verbose']]}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.repeated_answers import averaged_columns
from finegrain.corpus import Corpus, IntArray
from finegrain.corpus.items import coded, numbers
from finegrain.corpus.notes import Information
from finegrain.formats.grounded_items import GROUNDING, MEASURED, USAGE


class Used(NamedTuple):
    """``details``: by name ``[item, system]``, nan or ``None`` where nothing is known."""

    details: dict[str, NDArray[Any]]
    notes: tuple[str, ...] = ()


def usage_columns(
    names: Sequence[str],
    corpora: Sequence[Corpus],
    rows: NDArray[np.int64],
    runs: Sequence[IntArray | None],
) -> Used:
    """What the files of systems say of their answers; parameters are those of items that met."""
    runs = runs or (None,) * len(corpora)
    details: dict[str, NDArray[Any]] = {}
    notes: list[str] = []
    for kind in MEASURED:
        for place, corpus in enumerate(corpora):
            column = next((one for one in (kind, f"{USAGE}.{kind}") if one in corpus.fields), None)
            if column is None:
                continue
            values = numbers(corpus.fields[column])
            if values is None or (values < 0).any():
                what = f"the column {column} is not what answers took: numbers from 0 on"
                notes.append(Information(f"{names[place]}: {what}"))
                continue
            found = details.setdefault(kind, np.full(rows.shape, np.nan))
            found[:, place] = _by_item(values, rows[:, place], runs[place])
    single = [
        GROUNDING in one.fields and run is None for one, run in zip(corpora, runs, strict=True)
    ]
    if any(single):
        details[GROUNDING] = _kinds(corpora, rows, single)
    return Used(details, tuple(notes))


def _by_item(
    values: NDArray[np.float64], rows: NDArray[np.int64], runs: IntArray | None
) -> NDArray[np.float64]:
    """``[item]`` a column of a system; the mean of several answers."""
    if runs is not None:
        return averaged_columns(runs, {"": values}, len(rows))[""]
    of_item: NDArray[np.float64] = np.append(values, np.nan)[rows]
    return of_item


def _kinds(
    corpora: Sequence[Corpus], rows: NDArray[np.int64], single: Sequence[bool]
) -> NDArray[np.object_]:
    """``[item, system]`` how answers were read, of systems with one answer to an item."""
    found = np.full(rows.shape, None, object)
    for place, corpus in enumerate(corpora):
        if single[place]:
            column = coded(corpus.fields[GROUNDING], missing="")
            listed = np.array([*(name or None for name in column.names), None], object)
            found[:, place] = listed[np.append(column.codes, -1)[rows[:, place]]]
    return found
