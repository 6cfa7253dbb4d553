"""The outcome table for Arrow, pandas, polars and DuckDB: one row per unit, columns to read.

>>> from finegrain import align, Corpus
>>> text = [["in", "New", "York", "City"]]
>>> gold = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "I-LOC"]])
>>> short = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "O"]])
>>> table = align(gold, {"short": short}).to_arrow()
>>> table["text"].to_pylist(), table["outcome_short"].to_pylist(), table["answer_short"].to_pylist()
(['New York', 'New York City'], ['USED', 'BES'], [1, 0])

===================  ============  ===========================================================
column               type          meaning
===================  ============  ===========================================================
unit                 int32         number of the row, from 0
document             int32         its document, from 0; null without documents
document_id          string        the name of the document; null if it has none
sentence             int32         its sentence, from 0
begin, end           int32         first token, and one past the last, from 0 in the sentence
tokens               list<int32>   the tokens of a unit with gaps; null without gaps
text                 string        its words, joined by blanks; null without text
label                string        its label
is_gold              bool          whether it stands in the gold standard
(columns)            as given      columns added to the table
outcome_(system)     string        what the system did with it, e.g. TP, BES, FN
answer_(system)      string/int32  tags: the label answered; spans: the ``unit`` it was matched
                                   with, which is the unit itself for TP; null for none
(value)[(system)]    float/string  what the unit is graded by, and what else systems have beside
                                   their answers: ``absolute_error[ridge]``; null where undefined
===================  ============  ===========================================================

document_id, label, outcomes and answered labels are dictionary-encoded. In the name of a column,
characters of a system's name stand as they are, except that a backslash is doubled and control
characters are written as ``\\x0a``. A column added to the table that is called like one of the
above gets ``column_`` in front of its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.errors import MissingExtra, UsageError
from finegrain.table.finer_columns import by_system
from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.unit_text import unit_text

OWN_COLUMNS = (
    "unit", "document", "document_id", "sentence", "begin", "end", "tokens", "text", "label",
    "is_gold",
)  # fmt: skip
_PREFIXES = ("outcome_", "answer_", "column_")
_ESCAPED = re.compile(r"[\\\x00-\x1f\x7f\ud800-\udfff]")


def pyarrow() -> Any:
    """The package, or an error that says how to get it."""
    try:
        return import_module("pyarrow")
    except ModuleNotFoundError:
        raise MissingExtra("a table as Parquet or Arrow", "parquet") from None


def column_name(prefix: str, name: str) -> str:
    """Different names give different columns, whatever characters they are made of.

    >>> column_name("outcome", "run 7"), column_name("outcome", "a\\nb")
    ('outcome_run 7', 'outcome_a\\\\x0ab')
    """
    return f"{prefix}_{_escaped(name)}"


def added_column_name(name: str) -> str:
    """Under which name a column that was added to the table is written.

    >>> added_column_name("sentence_length"), added_column_name("begin")
    ('sentence_length', 'column_begin')
    """
    taken = name.lower() in OWN_COLUMNS or name.lower().startswith(_PREFIXES)
    taken = taken or name.endswith("]")  # as the values of systems
    return column_name("column", name) if taken or not name else _escaped(name)


def value_column_name(name: str, system: str) -> str:
    """Under which name a value of a system is written: as selections ask for it.

    >>> value_column_name("absolute_error", "ridge")
    'absolute_error[ridge]'
    """
    return f"{_escaped(name)}[{_escaped(system)}]"


def _escaped(name: str) -> str:
    def escape(match: re.Match[str]) -> str:
        code = ord(match[0])
        return r"\\" if match[0] == "\\" else f"\\x{code:02x}" if code < 128 else f"\\u{code:04x}"

    return _ESCAPED.sub(escape, name)


def to_arrow(table: OutcomeTable) -> Any:
    """The table of the module's description, as ``pyarrow.Table``."""
    pa = pyarrow()
    int32 = pa.int32()
    document = _documents(table)
    columns = {
        "unit": pa.array(np.arange(len(table)), int32),
        "document": _with_nulls(document, int32),
        "document_id": _names(document, table.corpus.document_ids or ()),
        "sentence": pa.array(table.sentence.astype(np.int32), int32),
        "begin": pa.array(table.begin.astype(np.int32), int32),
        "end": pa.array(table.end.astype(np.int32), int32),
        "tokens": _token_sets(table),
        "text": _text(table),
        "label": _names(table.label, table.labels),
        "is_gold": pa.array(table.is_gold),
    }
    for name, values in table.columns.items():
        columns[added_column_name(name)] = _added(name, values)
    for number, system in enumerate(table.systems):
        outcome = table.outcome[:, number]
        columns[column_name("outcome", system)] = _names(outcome, table.outcomes.names)
        columns[column_name("answer", system)] = _answer(table, number)
    for name, own in _values(table).items():
        for number, system in enumerate(table.systems):
            columns[value_column_name(name, system)] = _value(name, own[:, number])
    return pa.table(columns)


def _value(name: str, values: NDArray[Any]) -> Any:
    """Numbers with null for nan, so that means in SQL are of what is defined; or texts."""
    if values.dtype.kind != "f":
        return _added(name, values)
    return pyarrow().array(np.ascontiguousarray(values), from_pandas=True)


def _values(table: OutcomeTable) -> dict[str, NDArray[Any]]:
    """Numbers and texts of systems, but for what stands there as their answer."""
    answer = table.task.answer_column
    return {name: own for name, own in by_system(table).items() if name != answer}


def value_columns(table: OutcomeTable, system: str) -> dict[str, str]:
    """By name, in which columns the values and further numbers and texts of a system stand."""
    return {name: value_column_name(name, system) for name in _values(table)}


def _answer(table: OutcomeTable, system: int) -> Any:
    """What a system answered: a unit, a label, or what its task shows."""
    answer = table.answer[:, system]
    if table.task.answer_column:
        return _value("answer", table.details[table.task.answer_column][:, system])
    if table.answers_are_rows:
        return _with_nulls(answer, pyarrow().int32())
    return _names(answer, table.labels)


def to_pandas(table: OutcomeTable) -> Any:
    """The same as ``pandas.DataFrame``; names are categories, and units may be missing."""
    frame = to_arrow(table).to_pandas()
    if not table.answers_are_rows:
        return frame
    units = [column_name("answer", system) for system in table.systems]
    return frame.astype(dict.fromkeys(["document", *units], "Int32"))


def to_polars(table: OutcomeTable) -> Any:
    """The same as ``polars.DataFrame``."""
    return import_module("polars").from_arrow(to_arrow(table))


def _documents(table: OutcomeTable) -> IntArray:
    """``[unit]`` the document of each unit, -1 without documents."""
    if table.corpus.documents is None:
        return np.full(len(table), -1, np.int32)
    return table.corpus.documents[table.sentence]


def _with_nulls(values: IntArray, kind: Any) -> Any:
    return pyarrow().array(values.astype(np.int32), kind, mask=values < 0)


def _names(codes: IntArray, names: Iterable[str]) -> Any:
    """Codes as dictionary-encoded strings, null where the code is negative."""
    pa = pyarrow()
    shown = [name.encode("utf-8", "backslashreplace").decode() for name in names]
    codes = codes.astype(np.int32)
    absent = (codes < 0) | (codes >= len(shown))
    return pa.DictionaryArray.from_arrays(
        pa.array(codes, pa.int32(), mask=absent), pa.array(shown, pa.string())
    )


def _token_sets(table: OutcomeTable) -> Any:
    pa = pyarrow()
    sets = pa.array([list(tokens) for tokens in table.token_sets], pa.list_(pa.int32()))
    return sets.take(_with_nulls(table.token_set.astype(np.int32) - 1, pa.int32()))


def _text(table: OutcomeTable) -> Any:
    pa = pyarrow()
    joined = unit_text(table)
    if joined is None:
        return pa.nulls(len(table), pa.large_string())
    ends = np.concatenate([[0], joined.ends])
    text = pa.LargeStringArray.from_buffers(
        len(table), pa.py_buffer(ends.astype(np.int64)), pa.py_buffer(joined.data)
    )
    cut = table.wordless()
    for name in ("begin_cut", "end_cut"):
        if name in table.columns:
            cut |= table.columns[name] > 0
    if not cut.any():
        return text
    whole = [table.text(row) for row in np.flatnonzero(cut).tolist()]  # few: what fits no token
    replaced = import_module("pyarrow.compute").replace_with_mask
    return replaced(text, pa.array(cut), pa.array(whole, pa.large_string()))


def _added(name: str, values: NDArray[Any]) -> Any:
    """A column of the table, as numbers or strings; of several numbers per unit, as lists."""
    pa = pyarrow()
    try:
        if values.dtype.kind in "biuf" and values.ndim == 2:
            return pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), values.shape[1])
        if values.dtype.kind in "biuf":
            return pa.array(values)
        return pa.array(values.tolist(), pa.string())
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise UsageError(f"column {name!r} has no Arrow type: {error}") from None
