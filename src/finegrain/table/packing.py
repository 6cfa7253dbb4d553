"""A value as bytes and back: what finegrain restores from a file, without unpickling.

Only the classes in ``CLASSES``, numbers, strings, tuples, mappings and arrays of plain types can be
packed or come out again; nothing in the bytes is ever called, imported or evaluated.

>>> from finegrain.corpus import Coded
>>> unpack(pack(Coded.of(["PER", "LOC", "PER"]))).names
('LOC', 'PER')

A block is the compressed arrays, then their description as compressed JSON, then the two sizes of
that JSON (compressed and not) as 64-bit integers. In the description an array is
``{"array": number}``, a mapping ``{"mapping": [[key, value], ...]}``, a class
``{"Coded": {field: value}}``; a list is a tuple.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from finegrain import strict_json
from finegrain.corpus import Clusters, Coded, Corpus, Spans, Texts
from finegrain.corpus.columns import Rows
from finegrain.corpus.notes import Information
from finegrain.errors import UsageError
from finegrain.files_read import InputFile
from finegrain.table.exchange import pyarrow
from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.scale import Scale, Value
from finegrain.table.task import OF_DATA, Task, Words

CLASSES: dict[str, type] = {
    one.__name__: one
    for one in (
        Clusters, Coded, Corpus, InputFile, Outcome, OutcomeTable, Outcomes, Rows, Scale, Spans,
        Task, Texts, Value, Words,
    )
}  # fmt: skip
PLAIN_KINDS = "biufU"  # kinds of numpy types that are written as they are
_SIZES = struct.Struct("<QQ")


def pack(value: Any) -> bytes:
    """A value of the known classes as one block of bytes."""
    packer = _Packer()
    described = packer.describe(value)
    text = json.dumps({"value": described, "arrays": packer.arrays}).encode()
    tail: bytes = packer.codec.compress(text, asbytes=True)
    return b"".join((*packer.chunks, tail, _SIZES.pack(len(tail), len(text))))


def unpack(block: bytes) -> Any:
    """The value that was packed.

    Raises ``ValueError`` (or another error of a bad value: ``KeyError``, ``TypeError``) for a block
    that ``pack`` did not write.
    """
    body = memoryview(block)[: -_SIZES.size]
    size, text_size = _SIZES.unpack(memoryview(block)[-_SIZES.size :])
    codec = pyarrow().Codec("zstd")
    text = codec.decompress(body[len(body) - size :], decompressed_size=text_size, asbytes=True)
    described = strict_json.parse(text.decode(), any_name=True)
    return _restore(described["value"], _Chunks(body, described["arrays"]))


class _Packer:
    """Turns a value into its description and gathers the arrays in it."""

    def __init__(self) -> None:
        self.codec = pyarrow().Codec("zstd")
        self.chunks: list[bytes] = []
        self.arrays: list[dict[str, Any]] = []
        self._end = 0

    def describe(self, value: Any) -> Any:
        if isinstance(value, Information):
            return {"information": str(value)}
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, np.generic):
            return value.item()
        if isinstance(value, tuple | list):
            return [self.describe(one) for one in value]
        if isinstance(value, Mapping):
            return {"mapping": [[key, self.describe(one)] for key, one in value.items()]}
        return self._columns(value)

    def _columns(self, value: Any) -> dict[str, Any]:
        if isinstance(value, bytearray):
            return {"bytes": self._add(np.frombuffer(value, np.uint8))}
        if isinstance(value, np.ndarray):
            return self._array(value)
        if is_dataclass(value) and CLASSES.get(type(value).__name__) is type(value):
            names = OF_DATA if isinstance(value, Task) else [one.name for one in fields(value)]
            inner = {name: self.describe(getattr(value, name)) for name in names}
            return {type(value).__name__: inner}
        raise UsageError(f"a {type(value).__name__} cannot be saved in a table")

    def _array(self, values: np.ndarray[Any, Any]) -> dict[str, Any]:
        if values.dtype.kind in PLAIN_KINDS:
            return {"array": self._add(values)}
        listed = values.tolist()
        if values.ndim == 1 and all(one is None or isinstance(one, str) for one in listed):
            return {"strings": listed}
        flat = values.reshape(-1).tolist()
        if values.ndim > 1 and all(one is None or isinstance(one, str) for one in flat):
            return {"strings": [list(values.shape), flat]}
        raise UsageError(
            f"a column of {values.dtype} cannot be saved in a table; make it numbers or strings"
        )

    def _add(self, values: np.ndarray[Any, Any]) -> int:
        plain = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
        chunk: bytes = self.codec.compress(plain.reshape(-1).view(np.uint8), asbytes=True)
        place = {"at": self._end, "size": len(chunk)}
        self.arrays.append({"type": plain.dtype.str, "shape": list(values.shape), **place})
        self.chunks.append(chunk)
        self._end += len(chunk)
        return len(self.arrays) - 1


class _Chunks:
    """The arrays of a block by number."""

    def __init__(self, body: memoryview, arrays: list[dict[str, Any]]) -> None:
        self.codec = pyarrow().Codec("zstd")
        self.body = body
        self.arrays = arrays

    def array(self, number: int) -> np.ndarray[Any, Any]:
        one = self.arrays[number]
        kind, shape = np.dtype(one["type"]), tuple(one["shape"])
        if kind.kind not in PLAIN_KINDS:
            raise ValueError(f"an array of {kind}")
        chunk = self.body[one["at"] : one["at"] + one["size"]]
        size = kind.itemsize * int(np.prod(shape, dtype=object))
        if not size:
            return np.empty(shape, kind)
        return np.frombuffer(self.codec.decompress(chunk, decompressed_size=size), kind).reshape(
            shape
        )


def _restore(described: Any, chunks: _Chunks) -> Any:
    if isinstance(described, list):
        return tuple(_restore(one, chunks) for one in described)
    if not isinstance(described, dict):
        return described
    ((kind, inner),) = described.items()
    if kind == "information":
        return Information(inner)
    if kind == "mapping":
        return {key: _restore(one, chunks) for key, one in inner}
    if kind == "OutcomeTable" and "inventory" in inner:
        inner = _of_schema_1(inner)
    if kind in CLASSES:
        return CLASSES[kind](**{name: _restore(one, chunks) for name, one in inner.items()})
    return _restore_column(kind, inner, chunks)


def _of_schema_1(inner: dict[str, Any]) -> dict[str, Any]:
    """The fields of a table whose task was a name, beside the names of its outcomes."""
    described = inner["inventory"]["Inventory"]
    pairs = zip(described["names"], described["meanings"], strict=True)
    outcomes = [
        {"Outcome": {"name": name, "wording": name, "meaning": meaning,
                     "right": name == described["correct"]}}
        for name, meaning in pairs
    ]  # fmt: skip
    task = {
        "name": inner["task"],
        "summary": "",
        "unit": "",
        "outcomes": {"Outcomes": {"every": outcomes}},
    }
    kept = {name: value for name, value in inner.items() if name != "inventory"}
    return {**kept, "task": {"Task": task}}


def _restore_column(kind: str, inner: Any, chunks: _Chunks) -> Any:
    if kind == "array":
        return chunks.array(inner)
    if kind == "bytes":
        return bytearray(chunks.array(inner).tobytes())
    if kind == "strings":
        shape, cells = inner if inner and isinstance(inner[0], list) else ([len(inner)], inner)
        restored = np.empty(len(cells), object)
        restored[:] = cells
        return restored.reshape(shape)
    raise ValueError(f"an unknown kind of value: {kind}")
