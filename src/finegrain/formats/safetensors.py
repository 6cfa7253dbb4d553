r"""Safetensors: a length, a header in JSON, and the raw numbers of all arrays.

Eight bytes say how long the header is; for every array it has the type, the shape and where its
bytes are. Nothing of a file is run, and what a header says is compared with the file's size.

>>> numbers = np.arange(6, dtype="<f4").reshape(3, 2)
>>> list(read_arrays("model.safetensors", written({"layer": numbers}))["layer"][1])
[np.float32(2.0), np.float32(3.0)]
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain import strict_json
from finegrain.errors import InputError

_LENGTH = 8  # bytes that say how long the header is
_LONGEST = 100_000_000  # bytes of a header, as the format has it
_MOST_AXES = 32
_MEND = "Check how it was written."
_TYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "I32": "<i4",
    "I16": "<i2", "I8": "i1", "U8": "u1", "BOOL": "?",
}  # fmt: skip


class _Array(NamedTuple):
    """What the header says of an array: its type, its shape, and its bytes behind the header."""

    type: str
    shape: tuple[int, ...]
    begin: int
    end: int


def begins_as(data: bytes | bytearray) -> bool:
    """Whether bytes begin with the length of a header and its opening brace."""
    if len(data) <= _LENGTH or data[_LENGTH : _LENGTH + 1] != b"{":
        return False
    return 2 <= int.from_bytes(data[:_LENGTH], "little") <= _LONGEST


def read_arrays(name: str, data: bytes | bytearray) -> dict[str, NDArray[Any]]:
    """All arrays of a file by name, in the order of names."""
    length = int.from_bytes(data[:_LENGTH], "little")
    start = _LENGTH + length
    if not 2 <= length <= _LONGEST or start > len(data):
        what = f"a header of {length:,} bytes in a file of {len(data):,}"
        raise InputError.at(name, 0, what, f"The file is damaged or incomplete. {_MEND}")
    try:
        header = strict_json.parse(bytes(data[_LENGTH:start]).decode())
    except (UnicodeDecodeError, strict_json.BadJson) as error:
        raise InputError.at(name, 0, f"the header is damaged ({error})", _MEND) from None
    if not isinstance(header, dict):
        raise InputError.at(name, 0, "the header is no JSON object", _MEND)
    found = {}
    for key in sorted(header):
        if key != "__metadata__":
            array = _described(name, key, header[key], len(data) - start)
            found[key] = _numbers(data, start, array)
    return found


def _described(name: str, key: str, told: Any, size: int) -> _Array:
    """What the header says of an array, if the file can hold it."""
    shown = repr(key[:40])
    if not isinstance(told, dict) or not {"dtype", "shape", "data_offsets"} <= told.keys():
        raise InputError.at(name, 0, f"the header says nothing of the array {shown}", _MEND)
    shape, offsets, kind = told["shape"], told["data_offsets"], told["dtype"]
    if not isinstance(kind, str) or kind not in _TYPES:
        what = f"the array {shown} has the type {str(kind)[:20]!r}"
        raise InputError.at(name, 0, what, f"Known types: {', '.join(_TYPES)}.")
    if not _are_sizes(shape) or len(shape) > _MOST_AXES:
        raise InputError.at(name, 0, f"the array {shown} has no shape", _MEND)
    if not _are_sizes(offsets) or len(offsets) != 2:
        raise InputError.at(name, 0, f"the array {shown} has no place in the file", _MEND)
    begin, end = offsets
    needed = math.prod(shape) * np.dtype(_TYPES[kind]).itemsize
    if not begin <= end <= size or end - begin != needed:
        what = f"the array {shown} needs {needed:,} bytes, and {max(0, end - begin):,} are said"
        if end > size:
            what = f"the array {shown} ends behind the end of the file"
        raise InputError.at(name, 0, what, f"The file is damaged or incomplete. {_MEND}")
    return _Array(kind, tuple(shape), begin, end)


def _are_sizes(values: object) -> bool:
    return isinstance(values, list) and all(type(one) is int and one >= 0 for one in values)


def _numbers(data: bytes | bytearray, start: int, array: _Array) -> NDArray[Any]:
    flat = np.frombuffer(data, np.uint8, array.end - array.begin, start + array.begin)
    values = flat.view(_TYPES[array.type]) if len(flat) else np.zeros(0, _TYPES[array.type])
    if array.type == "BF16":  # the upper half of a 32-bit number
        values = (values.astype(np.uint32) << 16).view(np.float32)
    return values.reshape(array.shape)


def written(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The bytes of a file with these arrays of 32- or 64-bit numbers."""
    header: dict[str, Any] = {}
    parts = []
    begin = 0
    for key, array in arrays.items():
        kind = {"f4": "F32", "f8": "F64", "i8": "I64"}[array.dtype.str[1:]]
        part = np.ascontiguousarray(array, _TYPES[kind]).tobytes()
        end = begin + len(part)
        header[key] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [begin, end]}
        parts.append(part)
        begin = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(_LENGTH, "little") + text + b"".join(parts)
