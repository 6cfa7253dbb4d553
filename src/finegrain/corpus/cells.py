"""Columns of a file that are looked at only when somebody asks for them.

A word's line is kept as where its cells end; a layer is coded from its column when it is first
used, so that a file of ten columns costs no more than the columns that a question needs.

>>> import numpy as np
>>> line = b"1\\tdogs\\tdog\\tNOUN\\n"
>>> ends = [np.array([place]) for place in (4, 8, 13)]
>>> columns = ("form", "lemma", "upos")
>>> cells = Cells(bytearray(line + bytes(32)), np.array([2]), ends, columns)
>>> cells.texts("lemma")[0]
'dog'
>>> layers = Layers(cells, {"tags": "upos", "upos": "upos"})
>>> list(layers), layers["tags"].names, layers["tags"] is layers["upos"]
(['tags', 'upos'], ('NOUN',), True)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from finegrain.corpus.texts import Coded, IntArray, Texts

_BOM = "\ufeff"


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Cells of lines as slices of the bytes they were read from.

    Parameters
    ----------
    starts: ``[word]`` where the first of the cells begins in the buffer
    ends: ``[column][word]`` where each of them ends, from there; the next begins one later
    columns: their names
    """

    buffer: bytearray
    starts: IntArray
    ends: Sequence[IntArray]
    columns: tuple[str, ...]

    def texts(self, column: str, rows: IntArray | None = None) -> Texts:
        """One column; ``rows``: of these words only."""
        return self.stretch(column, column, rows)

    def stretch(self, first: str, last: str, rows: IntArray | None = None) -> Texts:
        """Columns that stand side by side, with the separators between them."""
        place, stop = self.columns.index(first), self.columns.index(last)
        starts, end = _taken(self.starts, rows), _taken(self.ends[stop], rows)
        if not place:
            return Texts(self.buffer, starts, end)
        begin = _taken(self.ends[place - 1], rows) + 1
        return Texts(self.buffer, starts + begin, end - begin)

    def take(self, rows: IntArray) -> Cells:
        """The given rows, in the given order."""
        ends = [column[rows] for column in self.ends]
        return Cells(self.buffer, self.starts[rows], ends, self.columns)


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Columns of strings by name, for formats whose cells are not separated by a single byte."""

    columns: Mapping[str, Texts]

    def texts(self, column: str, rows: IntArray | None = None) -> Texts:
        """One column; ``rows``: of these words only."""
        return self.columns[column] if rows is None else self.columns[column].take(rows)

    def take(self, rows: IntArray) -> Columns:
        """The given rows, in the given order."""
        return Columns({name: texts.take(rows) for name, texts in self.columns.items()})


def _taken(column: IntArray, rows: IntArray | None) -> IntArray:
    return column if rows is None else column.take(rows)


def sentence_lines(cells: Cells, begin: int, end: int) -> list[str]:
    """All lines of the sentence of some words, from one blank line to the next."""
    buffer, first, last = cells.buffer, int(cells.starts[begin]), int(cells.starts[end - 1])
    start = buffer.rfind(b"\n", 0, first) + 1
    while start:
        before = buffer.rfind(b"\n", 0, start - 1) + 1
        if not buffer[before : start - 1].strip():
            break
        start = before
    stop = buffer.find(b"\n", last)
    while (after := buffer.find(b"\n", stop + 1)) >= 0 and buffer[stop + 1 : after].strip():
        stop = after
    return buffer[start:stop].decode().removeprefix(_BOM).split("\n")


class Layers(Mapping[str, Coded]):
    """Layers by name, each coded from its column of the cells when it is first used."""

    def __init__(self, cells: Cells | Columns, columns: Mapping[str, str]) -> None:
        self.cells = cells
        self.columns = columns
        self._coded: dict[str, Coded] = {}

    def __getitem__(self, name: str) -> Coded:
        column = self.columns[name]
        if column not in self._coded:
            self._coded[column] = self.cells.texts(column).coded()
        return self._coded[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def texts(self, name: str, rows: IntArray | None = None) -> Texts:
        """A layer as it stands in the file; ``rows``: of these words only."""
        return self.cells.texts(self.columns[name], rows)

    def also(self, *columns: str) -> Layers:
        """With further columns of the cells as layers under their own names."""
        more = Layers(self.cells, {**self.columns, **{name: name for name in columns}})
        more._coded = self._coded  # by column, so that both may use what either has coded
        return more


def taken(layers: Mapping[str, Coded], rows: IntArray) -> Mapping[str, Coded]:
    """Layers of the given rows, in the given order.

    >>> import numpy as np
    >>> found = taken({"tags": Coded.of(["N", "V"])}, np.array([1, 1]))
    >>> list(found["tags"])
    ['V', 'V']
    """
    if isinstance(layers, Layers):
        return Layers(layers.cells.take(rows), layers.columns)
    return {name: Coded(one.codes[rows], one.names) for name, one in layers.items()}


def layer_rows(layers: Mapping[str, Coded], name: str, rows: IntArray) -> Coded:
    """Some rows of a layer; of a file's column nothing else is coded.

    >>> import numpy as np
    >>> list(layer_rows({"tags": Coded.of(["N", "V"])}, "tags", np.array([1])))
    ['V']
    """
    if isinstance(layers, Layers):
        return layers.texts(name, rows).coded()
    return Coded(layers[name].codes[rows], layers[name].names)
