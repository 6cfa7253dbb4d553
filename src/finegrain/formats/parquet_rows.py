"""Parquet files of items: every row becomes the JSON object that a line would hold.

Columns are keys, lists and structs are those of JSON, so that whatever reads JSON lines reads such
a file, too: items, or tokens with tags. Lines in messages are the numbers of rows.

>>> from finegrain.table.exchange import pyarrow
>>> import pyarrow.parquet as parquet, io
>>> file = io.BytesIO()
>>> parquet.write_table(pyarrow().table({"id": ["a", "b"], "label": ["pos", None]}), file)
>>> as_lines("items.parquet", file.getvalue()).decode().splitlines()
['{"id": "a", "label": "pos"}', '{"id": "b", "label": null}']
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from importlib import import_module
from typing import Any

from finegrain import strict_json
from finegrain.errors import InputError
from finegrain.table.exchange import pyarrow

MAGIC = b"PAR1"  # its first and last bytes
_TABLE = (b"finegrain", b'{"schema": ')  # in the footer of a saved table
_MOST_ROWS = 50_000_000
_MOST_BYTES = 1 << 34  # of all columns, as the footer tells them
_BLOCK = 1 << 16  # rows handled at once
_MEND = "Check how it was written."


def is_parquet(data: bytes | bytearray, size: int) -> bool:
    """Whether bytes begin and end as a Parquet file does."""
    return data.startswith(MAGIC) and data.endswith(MAGIC, 0, size) and size > 2 * len(MAGIC)


def is_table(data: bytes | bytearray, size: int) -> bool:
    """Whether a Parquet file is a table that finegrain saved."""
    length = int.from_bytes(data[size - 8 : size - 4], "little")
    footer = bytes(data[max(0, size - 8 - length) : size - 8])
    return all(mark in footer for mark in _TABLE)


def as_lines(name: str, data: bytes) -> bytes:
    """The rows of a Parquet file as JSON lines."""
    pa = pyarrow()
    try:
        file = import_module("pyarrow.parquet").ParquetFile(pa.BufferReader(data))
        _require_sensible(name, file)
        rows = (row for batch in file.iter_batches(_BLOCK) for row in batch.to_pylist())
        classes = _classes(file.schema_arrow.metadata)
        lines = []
        for number, row in enumerate(rows, 1):
            try:
                for column, names in classes.items():
                    row[column] = _named(row[column], column, names)
                lines.append(json.dumps(_plain(row), ensure_ascii=False))
            except _Unfit as unfit:
                mend = "Columns hold texts, numbers, dates, and lists or structs of them."
                raise InputError.at(name, number, f"a cell holds {unfit}", mend) from None
    except InputError:
        raise
    except (pa.ArrowException, ArithmeticError, LookupError, MemoryError, OSError, RecursionError,
            TypeError, ValueError) as error:  # fmt: skip
        what = f"the Parquet file is damaged or incomplete ({type(error).__name__})"
        raise InputError.at(name, 0, what, _MEND) from None
    return "".join(f"{line}\n" for line in lines).encode()


def _classes(metadata: Mapping[bytes, bytes] | None) -> dict[str, list[str]]:
    """Column -> what its numbers stand for, as data sets of Hugging Face say in the footer.

    >>> features = {"ner": {"feature": {"names": ["O", "B-PER"], "_type": "ClassLabel"}}}
    >>> _classes({b"huggingface": json.dumps({"info": {"features": features}}).encode()})
    {'ner': ['O', 'B-PER']}
    """
    try:
        footer = strict_json.parse((metadata or {})[b"huggingface"].decode())
        features = footer["info"]["features"]
        found = {column: feature.get("feature", feature) for column, feature in features.items()}
    except (AttributeError, KeyError, TypeError, ValueError):  # BadJson is one
        return {}
    return {
        column: [str(name) for name in feature["names"]]
        for column, feature in found.items()
        if isinstance(feature, dict)
        and feature.get("_type") == "ClassLabel"
        and isinstance(feature.get("names"), list)
    }


def _named(value: Any, column: str, names: Sequence[str]) -> Any:
    """The names of numbers; -1 is what has no label."""
    if isinstance(value, list):
        return [_named(number, column, names) for number in value]
    if value is None or value == -1:
        return None
    if type(value) is not int or not 0 <= value < len(names):
        raise _Unfit(f"{value!r}, which is none of the {len(names)} classes of {column!r}")
    return names[value]


def _require_sensible(name: str, file: Any) -> None:
    """Refuse what no file of items has: columns of one name, more rows than anybody can hold."""
    twice = [column for column, count in Counter(file.schema_arrow.names).items() if count > 1]
    if twice:
        what = f"two columns are called {twice[0][:40]!r}"
        raise InputError.at(name, 0, what, "Names of columns are unique.")
    groups = (file.metadata.row_group(at) for at in range(file.metadata.num_row_groups))
    size = sum(group.total_byte_size for group in groups)
    if not 0 <= file.metadata.num_rows <= _MOST_ROWS or not 0 <= size <= _MOST_BYTES:
        what = f"{file.metadata.num_rows:,} rows of {size:,} bytes, which are too many"
        raise InputError.at(name, 0, what, _MEND)


def _plain(value: Any) -> Any:
    """A value that JSON has; what is not a number is nothing."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Decimal):
        return float(value)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise _Unfit(type(value).__name__)


class _Unfit(Exception):
    """A value that no item has."""
