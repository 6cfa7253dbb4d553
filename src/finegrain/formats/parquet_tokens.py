"""Parquet files of tokens and log-probabilities, whose columns become arrays without objects.

Rows are read some at a time into arrays of the final size, so that only these are fresh memory, and
tokens that stand in a dictionary are slices of its bytes.

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
_BLOCK = 1 << 16  # tokens read at once: what Arrow makes of them stays in the processor's cache
_NARROW = 1 << 31  # bytes from which offsets need 64 bits
_MEND = "Write texts and numbers, as lists of one length or one in each row."


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
        metadata = file.metadata
        groups = [metadata.row_group(place) for place in range(metadata.num_row_groups)]
        paths = [file.schema.column(place).path for place in range(metadata.num_columns)]
        heads = [path.partition(".")[0] for path in paths]
        size = sum(one.column(heads.index(number)).num_values for one in groups)
        file = parquet.ParquetFile(
            pa.BufferReader(data), metadata=metadata,
            read_dictionary=[path for path, head in zip(paths, heads, strict=True)
                             if head == token],
        )  # fmt: skip
        wanted = [one for one in (token, number, group) if one is not None]
        rows = max(1, _BLOCK * metadata.num_rows // max(size, 1))
        reading = _Reading(name, size)
        for place in range(len(groups)):  # Arrow cannot read on with another dictionary
            batches = file.iter_batches(rows, row_groups=[place], columns=wanted, use_threads=False)
            for batch in batches:
                if batch.num_rows:
                    reading.add(*(batch.column(one) for one in wanted))
        return reading.finish()
    except (pa.ArrowException, ArithmeticError, LookupError, MemoryError, OSError,
            TypeError, ValueError) as error:  # fmt: skip
        what = f"tokens and log-probabilities cannot be read ({type(error).__name__})"
        raise InputError.at(name, 0, what, _MEND) from None


class _Reading:
    """The columns of so many tokens at most, as far as they are read."""

    def __init__(self, name: str, size: int) -> None:
        self.name = name
        self.rows = self.size = 0
        self.numbers = np.empty(size)
        self.starts: IntArray = np.empty(size, np.int32)
        self.lengths = np.empty(size, np.int32)
        self.parent = np.empty(size, np.int32)
        self.ids: list[str] | None = None
        self.listed = True
        self.bytes = bytearray()
        self.dictionary: Any = None  # the last one
        self.names: tuple[IntArray, IntArray] = (self.parent[:0], self.parent[:0])  # its slices

    def add(self, tokens: Any, numbers: Any, ids: Any = None) -> None:
        """The next rows."""
        types = pyarrow().types
        self.listed = types.is_list(tokens.type) or types.is_large_list(tokens.type)
        parent = self._parents(tokens, numbers, ids)
        self.rows += len(tokens)
        if self.listed:
            tokens, numbers = tokens.flatten(), numbers.flatten()
        new = slice(self.size, self.size + len(tokens))
        self.numbers[new] = numbers.cast("float64").to_numpy(zero_copy_only=False)
        starts, self.lengths[new] = self._slices(tokens)
        if len(self.bytes) >= _NARROW and self.starts.dtype == np.int32:
            self.starts = self.starts.astype(np.int64)
        self.starts[new] = starts
        self.parent[new] = parent
        self.size = new.stop

    def _parents(self, tokens: Any, numbers: Any, ids: Any) -> IntArray:
        """``[token]`` the document of each, whose names are kept."""
        named = None if ids is None else self._named(ids)
        if self.listed:
            sizes, others = _sizes(tokens), _sizes(numbers)
            uneven = np.flatnonzero(sizes != others)
            if len(uneven):
                row = int(uneven[0])
                what = f"{sizes[row]:,} tokens, but {others[row]:,} log-probabilities"
                mend = "Write a number, or null, for each token."
                raise InputError.at(self.name, self.rows + row + 1, what, mend)
            if named is not None:
                self.ids = [*(self.ids or ()), *named.to_pylist()]
            return np.repeat(np.arange(self.rows, self.rows + len(sizes), dtype=np.int32), sizes)
        if named is None:
            return np.zeros(len(tokens), np.int32)
        changes = import_module("pyarrow.compute").not_equal(named[1:], named[:-1])
        heads = np.append(True, changes.to_numpy(zero_copy_only=False).astype(bool))
        known = self.ids = self.ids or []
        heads[0] = not known or known[-1] != named[0].as_py()
        before = len(known) - 1
        known += named.take(pyarrow().array(np.flatnonzero(heads))).to_pylist()
        found: IntArray = np.cumsum(heads, dtype=np.int32) + np.int32(before)
        return found

    def _named(self, ids: Any) -> Any:
        if ids.null_count:
            row = self.rows + int(np.argmax(ids.is_null().to_numpy(zero_copy_only=False))) + 1
            raise InputError.at(self.name, row, "the document has no id", "Write one in each row.")
        return ids.cast(pyarrow().string())

    def _slices(self, tokens: Any) -> tuple[IntArray, IntArray]:
        """Where texts begin in the bytes that are kept, and how long they are."""
        if tokens.null_count:
            raise ValueError("a token is null")
        if not pyarrow().types.is_dictionary(tokens.type):
            return self._kept(tokens)
        dictionary, last = tokens.dictionary, self.dictionary
        if dictionary.null_count:
            raise ValueError("a token is null")
        if last is None or not dictionary.slice(0, len(last)).equals(last):
            self.names = self._kept(dictionary)
        elif len(dictionary) > len(last):
            more = self._kept(dictionary.slice(len(last)))
            self.names = np.append(self.names[0], more[0]), np.append(self.names[1], more[1])
        self.dictionary = dictionary
        codes = tokens.indices.to_numpy().astype(np.intp)
        return self.names[0].take(codes), self.names[1].take(codes)

    def _kept(self, column: Any) -> tuple[IntArray, IntArray]:
        """The slices of texts whose bytes are kept from here on."""
        wide = column.cast(pyarrow().large_string())
        _, places, content = wide.buffers()
        ends = np.frombuffer(places, np.int64)[wide.offset : wide.offset + len(wide) + 1]
        if not len(wide):
            return self.parent[:0], self.parent[:0]
        begin, size = int(ends[0]), len(self.bytes)
        if content is not None:
            self.bytes += memoryview(content)[begin : int(ends[-1])]
        return ends[:-1] + (size - begin), np.diff(ends)

    def finish(self) -> TokenColumns:
        """What was read."""
        size = self.size
        if not self.listed and self.ids is None:
            self.rows = min(size, 1)
        elif not self.listed:
            self.rows = len(self.ids or ())
        texts = Texts(self.bytes + bytes(PADDING), self.starts[:size], self.lengths[:size])
        return TokenColumns(texts, self.numbers[:size], self.parent[:size], self.rows, self.ids)


def _sizes(column: Any) -> NDArray[np.int64]:
    """How many values each list has; none where there is no list."""
    sizes: NDArray[np.int64] = np.asarray(column.value_lengths().fill_null(0), np.int64)
    return sizes
