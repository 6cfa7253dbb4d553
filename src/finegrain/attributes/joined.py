r"""Attributes of one's own: a file joined to the table, a column of the input, an array.

The file has one line per unit, sentence or document; which of them is told by its columns:

======================================  ====================================================
columns                                 one line per
======================================  ====================================================
``unit``                                unit: its row in the table from 0, as in saved tables
``sentence``, ``tokens`` [, ``label``]  unit: numbers from 1, as ``finegrain show -f tsv`` has them
``sentence``                            sentence: its number from 1
``document``                            document: its id or, without ids, its number from 1
======================================  ====================================================

>>> from finegrain.corpus import Corpus
>>> from finegrain.formats.metadata import read_cells
>>> from finegrain.formats.source import source_of
>>> from finegrain.tasks.tags import align
>>> gold = Corpus.of([["a", "b"], ["c"]], tags=[["X", "Y"], ["X"]])
>>> table = align(gold, {"same": gold})
>>> meta = read_cells(source_of("meta.tsv", b"sentence\tdomain\n1\tnews\n2\tchat\n"))
>>> list(from_metadata("domain", meta).values(table))
['news', 'news', 'chat']
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.attributes.attribute import Attribute, Values
from finegrain.attributes.units import Units
from finegrain.corpus import Coded
from finegrain.errors import Collector, InputError, UsageError
from finegrain.formats.metadata import Metadata
from finegrain.table import OutcomeTable

KEYS = ("unit", "document", "sentence", "tokens", "label")
Places = dict[tuple[Any, ...], NDArray[np.int64]]


def from_array(name: str, values: Any, summary: str = "given as an array") -> Attribute:
    """An attribute from one value per unit: numbers, truth values or text."""
    given = np.asarray(values)

    def compute(units: Units) -> Values:
        if given.shape != (len(units),):
            size = " x ".join(map(str, given.shape)) or "a single"
            raise UsageError(f"{name}: one value per unit is needed, {len(units)}, not {size}")
        return as_values(given)

    kind = "number" if given.dtype.kind in "biuf" else "category"
    return Attribute(name, kind, compute, summary, "as given")  # type: ignore[arg-type]


def from_layer(name: str, table: OutcomeTable) -> Attribute:
    """The value that a unit's first token has in a column of the gold file."""

    def compute(units: Units) -> Values:
        return units.table.of_layer(name)

    summary = f"column {name!r} of {table.corpus.source}, at the first token of the unit"
    return Attribute(name, "category", compute, summary, "as given")


def from_documents() -> Attribute:
    """The document that a unit stands in."""

    def compute(units: Units) -> Values:
        corpus = units.table.corpus
        if corpus.documents is None:
            raise UsageError(f"{corpus.source} has no document boundaries")
        names = corpus.document_ids or tuple(str(one + 1) for one in range(corpus.n_documents))
        return Coded(corpus.documents[units.table.sentence].astype(np.int64), names)

    return Attribute("document", "category", compute, "the document it is in", "document of x")


def as_values(given: NDArray[Any]) -> Values:
    """A column as values of an attribute: numbers stay, all else is a category; None is nothing."""
    if given.dtype.kind in "biuf":
        return given.astype(np.float64)
    told = [None if value is None else str(value) for value in given.tolist()]
    names = Coded.of(value for value in told if value is not None)
    codes = np.full(len(told), -1, np.int64)
    codes[[value is not None for value in told]] = names.codes
    return Coded(codes, names.names)


def from_metadata(name: str, metadata: Metadata) -> Attribute:
    """An attribute whose values stand in a file; units that it does not tell have none."""
    cells = _values(name, metadata)
    if not cells:
        what = "there is nothing below the names of the columns"
        raise InputError.at(metadata.source, 1, what, "Check how the file was written.")
    told = [cell for cell in cells if cell != ""]
    numbers = bool(told) and all(map(_is_number, told))

    def compute(units: Units) -> Values:
        places = _places(units.table, metadata)
        row = np.full(len(units), -1, np.int64)
        problems = Collector(metadata.source)
        for number, (key, what) in enumerate(_keys(metadata)):
            line = metadata.lines[number]
            found = places.get(key)
            if found is None:
                problems.add(line, f"there is no {what}", "Mend it, or leave the line out.")
            elif (row[found] >= 0).any():
                problems.add(line, f"{what} is there twice", "Keep one of the lines.")
            else:
                row[found] = number
        problems.raise_any()
        if numbers:
            values = np.array([*(float(cell or "nan") for cell in cells), np.nan])
            taken: NDArray[np.float64] = values[row]
            return taken
        return as_values(np.array([*(cell or None for cell in cells), None], object)[row])

    kind = "number" if numbers else "category"
    return Attribute(name, kind, compute, f"from {metadata.source}", "as given")  # type: ignore[arg-type]


def _is_number(cell: str) -> bool:
    try:
        return not math.isinf(float(cell))
    except ValueError:
        return False


def _values(name: str, metadata: Metadata) -> tuple[str, ...]:
    """The column with the values: that of this name, or the only one that is not a key."""
    if name in metadata.columns and name not in KEYS:
        return metadata.columns[name]
    others = [column for column in metadata.columns if column not in KEYS]
    if len(others) == 1:
        return metadata.columns[others[0]]
    have = ", ".join(metadata.columns)
    raise InputError.at(
        metadata.source, 1, f"there is no column {name!r} (columns: {have})",
        f"Call the column with the values {name!r}.",
    )  # fmt: skip


class _Key(NamedTuple):
    """What a line is about, as a look-up key and in words."""

    key: tuple[Any, ...]
    what: str


def _key_columns(metadata: Metadata) -> tuple[str, ...]:
    """The columns that say what a line is about."""
    have = metadata.columns
    if "unit" in have:
        return ("unit",)
    if "sentence" in have and "tokens" in have:
        return ("sentence", "tokens", "label") if "label" in have else ("sentence", "tokens")
    for key in ("sentence", "document"):
        if key in have:
            return (key,)
    raise InputError.at(
        metadata.source, 1, f"no column says what a line is about (columns: {', '.join(have)})",
        "Name a column unit, sentence or document; tokens beside sentence for single units.",
    )  # fmt: skip


def _keys(metadata: Metadata) -> Iterable[_Key]:
    names = _key_columns(metadata)
    for cells in zip(*(metadata.columns[name] for name in names), strict=True):
        shown = ", ".join(f"{name} {cell}" for name, cell in zip(names, cells, strict=True))
        yield _Key(tuple(cell.strip() for cell in cells), shown)


def _places(table: OutcomeTable, metadata: Metadata) -> Places:
    """The units that a key stands for; sentences and documents without units have none."""
    names = _key_columns(metadata)
    corpus = table.corpus
    if names == ("unit",):
        return {(str(row),): np.array([row]) for row in range(len(table))}
    if names == ("sentence",):
        return _grouped(table.sentence, [str(one + 1) for one in range(corpus.n_sentences)])
    if names == ("document",):
        if corpus.documents is None:
            raise UsageError(f"{metadata.source} is about documents, {corpus.source} has none")
        ids = corpus.document_ids or tuple(str(one + 1) for one in range(corpus.n_documents))
        return _grouped(corpus.documents[table.sentence], ids)
    found: dict[tuple[Any, ...], list[int]] = {}
    for row in range(len(table)):
        tokens = " ".join(str(token + 1) for token in table.tokens(row))
        key = (str(int(table.sentence[row]) + 1), tokens, table.labels[table.label[row]])
        found.setdefault(key[: len(names)], []).append(row)
    return {key: np.array(rows) for key, rows in found.items()}


def _grouped(codes: NDArray[Any], names: Iterable[str]) -> Places:
    order = np.argsort(codes, kind="stable")
    ends = np.searchsorted(codes[order], np.arange(len(names := list(names))), side="right")
    parts = np.split(order, ends)[: len(names)]
    return {(name,): part for name, part in zip(names, parts, strict=True)}
