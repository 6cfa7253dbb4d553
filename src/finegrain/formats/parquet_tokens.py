"""Parquet files of tokens and log-probabilities, whose columns become arrays without objects.

>>> from finegrain.table.exchange import pyarrow
>>> import pyarrow.parquet as parquet, io
>>> file = io.BytesIO()
>>> columns = {"tokens": [["So", "it"], ["Yes"]], "logprobs": [[-1.5, -0.5], [None]]}
>>> parquet.write_table(pyarrow().table(columns), file)
>>> found = token_columns("scores.parquet", file.getvalue())
>>> list(found.tokens), found.numbers.tolist(), found.parent.tolist()
(['So', 'it', 'Yes'], [-1.5, -0.5, nan], [0, 0, 1])

Tokens stand in lists, one for each document (``tokens``, ``logprobs``), or one in each row
(``token``, ``logprob``), where a column ``document`` or ``id`` says which document it is.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray, Texts
from finegrain.corpus.texts import PADDING
from finegrain.errors import InputError
from finegrain.table.exchange import pyarrow

_NUMBERS = ("logprobs", "token_logprobs", "logprob", "log_probs", "log_prob")
_TOKENS = ("tokens", "token")
_NAMES = ("id", "document", "doc_id")
_BLOCK = 1 << 14  # tokens handled at once: temporaries stay in the processor's cache


class TokenColumns(NamedTuple):
    """``[token]`` texts and numbers, nan for none, and the document of each."""

    tokens: Texts
    numbers: NDArray[np.float64]
    parent: IntArray
    n_documents: int
    ids: list[str] | None


def token_columns(name: str, data: bytes | memoryview) -> TokenColumns | None:
    """The columns of a Parquet file that has tokens and numbers; ``None`` for any other file."""
    pa = pyarrow()
    usual = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())  # which takes memory that others gave back
    try:
        parquet = import_module("pyarrow.parquet")
        file = parquet.ParquetFile(pa.BufferReader(data))
        names = file.schema_arrow.names
        if len(set(names)) < len(names):
            return None
        token, number, group = (
            next((one for one in known if one in names), None)
            for known in (_TOKENS, _NUMBERS, _NAMES)
        )
        if token is None or number is None:
            return None
        wanted = [one for one in (token, number, group) if one is not None]
        paths = [file.schema.column(place).path for place in range(file.metadata.num_columns)]
        file = parquet.ParquetFile(
            pa.BufferReader(data), metadata=file.metadata,
            read_dictionary=[path for path in paths if path.partition(".")[0] == token],
        )  # fmt: skip
        table = file.read(columns=wanted, use_threads=False)
        columns = {one: table.column(one).unify_dictionaries().combine_chunks() for one in wanted}
        ids = None if group is None else columns[group].cast(pa.string()).to_pylist()
        listed = pa.types.is_list(columns[token].type) or pa.types.is_large_list(
            columns[token].type
        )
        if listed:
            return _of_lists(name, columns[token], columns[number], ids)
        return _of_rows(columns[token], columns[number], ids)
    except (pa.ArrowException, ArithmeticError, LookupError, MemoryError, OSError,
            TypeError, ValueError) as error:  # fmt: skip
        what = f"tokens and log-probabilities cannot be read ({type(error).__name__})"
        mend = "Write texts and numbers, as lists of one length or one in each row."
        raise InputError.at(name, 0, what, mend) from None
    finally:
        pa.set_memory_pool(usual)


def _of_lists(name: str, tokens: Any, numbers: Any, ids: list[Any] | None) -> TokenColumns:
    sizes = _sizes(tokens)
    uneven = np.flatnonzero(sizes != _sizes(numbers))
    if len(uneven):
        row = int(uneven[0])
        what = f"{sizes[row]:,} tokens, but {_sizes(numbers)[row]:,} log-probabilities"
        raise InputError.at(name, row + 1, what, "Write a number, or null, for each token.")
    parent = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    named = None if ids is None else [str(one) for one in ids]
    return TokenColumns(
        _texts(tokens.flatten()), _floats(numbers.flatten()), parent, len(sizes), named
    )


def _of_rows(tokens: Any, numbers: Any, ids: list[Any] | None) -> TokenColumns:
    size = len(tokens)
    if ids is None:
        return TokenColumns(
            _texts(tokens), _floats(numbers), np.zeros(size, np.int32), min(size, 1), None
        )
    named = [str(one) for one in ids]
    heads = np.array([place == 0 or one != named[place - 1] for place, one in enumerate(named)])
    parent = (np.cumsum(heads) - 1).astype(np.int32)
    own = [named[place] for place in np.flatnonzero(heads).tolist()]
    return TokenColumns(_texts(tokens), _floats(numbers), parent, len(own), own)


def _sizes(column: Any) -> NDArray[np.int64]:
    """How many values each list has; none where there is no list."""
    sizes: NDArray[np.int64] = np.asarray(column.value_lengths().fill_null(0), np.int64)
    return sizes


def _floats(column: Any) -> NDArray[np.float64]:
    found: NDArray[np.float64] = column.cast("float64").to_numpy(zero_copy_only=False)
    return found


def _texts(column: Any) -> Texts:
    """Slices of the column's own bytes."""
    pa = pyarrow()
    if column.null_count:
        raise ValueError("a token is null")
    if pa.types.is_dictionary(column.type):
        names, codes = _texts(column.dictionary), column.indices.to_numpy()
        starts, lengths = (np.empty(len(codes), one.dtype) for one in (names.starts, names.lengths))
        for at in range(0, len(codes), _BLOCK):
            block = codes[at : at + _BLOCK].astype(np.intp)
            starts[at : at + _BLOCK] = names.starts.take(block)
            lengths[at : at + _BLOCK] = names.lengths.take(block)
        return Texts(names.buffer, starts, lengths)
    wide = column.cast(pa.large_string())
    _, places, content = wide.buffers()
    ends = np.frombuffer(places, np.int64)[wide.offset : wide.offset + len(wide) + 1]
    begin, end = (int(ends[0]), int(ends[-1])) if len(ends) else (0, 0)
    data = b"" if content is None else memoryview(content)[begin:end]
    buffer = bytearray(end - begin + PADDING)
    buffer[: end - begin] = data
    kind = np.int32 if end - begin < 1 << 31 else np.int64
    return Texts(buffer, (ends[:-1] - begin).astype(kind), np.diff(ends).astype(np.int32))
