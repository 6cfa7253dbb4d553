"""`items`: one JSON object for each item that is judged as a whole, in lines or in an array.

    {"id": "q1", "text": "a fine film", "label": "pos", "domain": "films"}
    {"id": "q1", "answer": "pos", "probabilities": {"neg": 0.1, "pos": 0.9}}
    {"id": "q2", "query": "film", "documents": [{"id": "d7", "grade": 2}, {"id": "d9", "grade": 0}]}

Every key becomes a column of the items (``corpus.fields``): numbers as they are, with true and
false as 1 and 0, but columns with integers above 2 ** 53, which no float holds, as texts; strings,
or nothing for null; an object as one column for each of its keys (``probabilities.pos``). A list
becomes rows of its own (``corpus.parts``), of which each belongs to its item. The words of ``text``
are the tokens of the item; ``document`` says which items are sampled together. What a key means is
the task's business. An array of such objects may also stand under the only key of an object that
holds one (``{"predictions": [...]}``).

>>> from finegrain.formats.source import source_of
>>> first = b'{"id": "a", "text": "so it is", "label": "pos"}\\n'
>>> corpus = read(source_of("memory", first + b'{"id": "b", "text": "no", "label": null}'))
>>> corpus.sentence(0), corpus.fields["label"].tolist()
(['so', 'it', 'is'], ['pos', None])
>>> print(write(corpus), end="")
{"id": "a", "text": "so it is", "label": "pos"}
{"id": "b", "text": "no", "label": null}
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus
from finegrain.corpus.columns import Rows, cell
from finegrain.corpus.items import WITHOUT, of_fields, written
from finegrain.errors import Collector, InputError
from finegrain.formats.chosen_columns import renamed
from finegrain.formats.json_records import first_records, records
from finegrain.formats.source import Source
from finegrain.formats.tool_exports import recognised

_OF_TEXTS = {
    "spans", "tokens", "sentences", "clusters", "entities", "tags", "ner_tags", "pos_tags",
    "chunk_tags", "upos", "xpos", "feats", "lemma",
}  # fmt: skip
_BARE = {"id", "text"}
_ANSWERS = {
    "label", "labels", "gold", "answer", "answers", "prediction", "predicted_label", "true_label",
    "predicted_answers", "score", "output", "rating", "winner",
}  # fmt: skip
_EXACT = 1 << 53  # up to here floats have all integers
_MEND = "All records of a file have the same keys with values of the same kind."
_ONE_WAY = 'Write {"a": {"b": 1}} or {"a.b": 1}.'
Record = dict[str, Any]


def looks_like(source: Source) -> bool:
    """True if the first object has an id and more, or an answer, none of it about tokens."""
    first = first_records(source, wrapped=True)
    record = first[0] if first else None
    return (
        isinstance(record, dict)
        and bool("id" in record or _ANSWERS.intersection(record))
        and not _OF_TEXTS.intersection(record)
        and not _BARE.issuperset(record)
        and not any(_is_nested(value) for value in record.values())
        and recognised(first) is None
    )


def _is_nested(value: object) -> bool:
    """Lists of lists: spans as ``[begin, end, label]``, say."""
    return isinstance(value, list) and any(isinstance(one, list) for one in value)


def read(
    source: Source, *, columns: Mapping[str, int | str] | None = None, limit: int = 20
) -> Corpus:
    """Read JSON lines or an array; up to ``limit`` problems are gathered before giving up.

    columns: name -> key: ``{"id": "guid", "label": "answers.option_index"}``
    """
    problems = Collector(source.name, limit=limit)
    lines: list[int] = []
    items = _Columns()
    parts: dict[str, _Columns] = {}
    having: dict[str, set[int]] = {}
    for record, number in records(source, problems, wrapped=True):
        try:
            for key in _add(_required(record), items, parts, len(lines)):
                having.setdefault(key, set()).add(len(lines))
        except _Fault as fault:
            problems.add(number, *fault.args)
            items.drop(len(lines))
            continue
        lines.append(number)
    problems.raise_any()
    if not lines:
        raise InputError.at(source.name, 0, "the file has no records")
    listed, single = _sorted_out(columns, parts)
    arrays = items.arrays()
    for key, own in having.items():
        arrays |= _lacking(source.name, key, own, lines, arrays.pop(key, None))
    fields = renamed(source.name, arrays, single)
    fields = {_renamed_list(name, listed): column for name, column in fields.items()}
    return of_fields(
        source.name,
        fields,
        lines=np.array(lines, np.int64),
        parts={
            listed.get(key, key): Rows(np.array(part.parent, np.int64), part.arrays())
            for key, part in parts.items()
        },
        format="items",
    )


def _sorted_out(
    columns: Mapping[str, int | str] | None, parts: Mapping[str, object]
) -> tuple[dict[str, str], dict[str, int | str]]:
    """Of the columns that are given names, those with lists, as key -> name, and the others."""
    given = columns or {}
    listed = {key: name for name, key in given.items() if isinstance(key, str) and key in parts}
    return listed, {name: key for name, key in given.items() if key not in listed}


def _renamed_list(name: str, listed: Mapping[str, str]) -> str:
    key = name.removeprefix(WITHOUT)
    return WITHOUT + listed.get(key, key) if name.startswith(WITHOUT) else name


def _lacking(
    source: str, key: str, having: set[int], lines: list[int], single: NDArray[Any] | None
) -> dict[str, NDArray[Any]]:
    """Which items have no list where others have one; what is not a list there is refused."""
    size = len(lines)
    if single is not None:
        for item in range(size):
            if cell(single, item) is not None:
                what = f"{key!r} is {_kind(cell(single, item))} here and a list elsewhere"
                raise InputError.at(source, lines[item], what, _MEND)
    if len(having) == size:
        return {}
    lacks = np.ones(size)
    lacks[list(having)] = 0
    return {WITHOUT + key: lacks}


class _Fault(ValueError):
    """What is wrong with a record, and how to fix it."""


class _Columns:
    """Columns that grow row by row; what a row does not have is missing there."""

    def __init__(self) -> None:
        self.parent: list[int] = []
        self.cells: dict[str, list[Any]] = {}
        self.kinds: dict[str, type] = {}

    def add(self, record: Mapping[str, Any], parent: int) -> None:
        size = len(self.parent)
        for key, value in record.items():
            kind = str if isinstance(value, str) else float
            if value is not None and self.kinds.setdefault(key, kind) is not kind:
                raise _Fault(f"{key!r} is {_kind(value)} here and not elsewhere", _MEND)
            column = self.cells.setdefault(key, [])
            column += [None] * (size - len(column))
            column.append(value)
        self.parent.append(parent)

    def drop(self, size: int) -> None:
        """Forget what a bad record left behind."""
        del self.parent[size:]
        for column in self.cells.values():
            del column[size:]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Numbers with nan, or strings with ``None``, where there is nothing."""
        found: dict[str, NDArray[Any]] = {}
        for key, cells in self.cells.items():
            whole = cells + [None] * (len(self.parent) - len(cells))
            if self.kinds.get(key, str) is float and any(map(_is_long, whole)):
                whole = [None if one is None else _digits(one) for one in whole]
                self.kinds[key] = str
            if self.kinds.get(key, str) is float:
                found[key] = np.array([np.nan if one is None else one for one in whole], np.float64)
            else:
                found[key] = np.empty(len(whole), object)
                found[key][:] = whole
        return found


def _is_long(value: Any) -> bool:
    """Whether it is an integer that a float may change: the id of a document, say."""
    return isinstance(value, int) and abs(value) > _EXACT


def _digits(value: float) -> str:
    return str(value) if _is_long(value) else written(value)


def _required(record: Any) -> Record:
    if not isinstance(record, dict):
        raise _Fault(f"{_kind(record)} in place of an object", "One object for each item.")
    return record


def _add(record: Record, items: _Columns, parts: dict[str, _Columns], item: int) -> Collection[str]:
    """Add a record to the columns; the keys that hold lists."""
    for key in ("id", "document"):
        if isinstance(record.get(key), int) and not isinstance(record[key], bool):
            record[key] = str(record[key])
        if key in record and (not isinstance(record[key], str) or not record[key]):
            raise _Fault(f"the {key} is {_kind(record[key])}", f'Write "{key}": "a1".')
    flat = _flattened(record)
    lists = {key: value for key, value in flat.items() if isinstance(value, list)}
    items.add({key: value for key, value in flat.items() if key not in lists}, item)
    for key, rows in lists.items():
        columns = parts.setdefault(key, _Columns())
        for row in rows:
            if isinstance(row, list):
                raise _Fault(f"a list in the list {key!r}", "Lists hold values or objects.")
            flat_row = _flattened(row if isinstance(row, dict) else {"value": row})
            if any(isinstance(value, list) for value in flat_row.values()):
                raise _Fault(f"a list in an object of {key!r}", "Lists hold values or objects.")
            columns.add(flat_row, item)
    return lists


def _flattened(record: Mapping[str, Any]) -> Record:
    """The values by the keys that lead to them, of which each is one way only."""
    found: Record = {}
    for key, value in _flat(record):
        if key in found:
            raise _Fault(f"{key!r} is a key, and there is the same inside of an object", _ONE_WAY)
        found[key] = value
    return found


def _flat(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Keys and values; those of objects with the keys that lead to them."""
    for key, value in record.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        elif isinstance(value, list):
            yield prefix + key, value
        else:
            yield prefix + key, value


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "a string", bool: "true or false",
             int: "a number", float: "a number", type(None): "missing"}  # fmt: skip
    return kinds.get(type(value), "something else")


def write(corpus: Corpus) -> str:
    """One object per item; read back, it is the same."""
    names = [name for name in corpus.fields if not name.startswith("@")]
    records: list[Record] = []
    for row in range(corpus.n_sentences):
        record: Record = {}
        for name in names:
            _put(record, name, cell(corpus.fields[name], row))
        records.append(record)
    for key, rows in corpus.parts.items():
        lacks = corpus.fields.get(WITHOUT + key, np.zeros(len(records)))
        for place, record in enumerate(records):
            record[key] = None if cell(lacks, place) else []
        for place, parent in enumerate(rows.parent.tolist()):
            made: Record = {}
            for name, column in rows.fields.items():
                _put(made, name, cell(column, place))
            records[parent][key].append(made["value"] if list(made) == ["value"] else made)
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _put(record: Record, name: str, value: Any) -> None:
    """Under the keys that lead to it; whole numbers as such."""
    *inner, last = name.split(".")
    for key in inner:
        record = record.setdefault(key, {})
    whole = isinstance(value, float) and value.is_integer()
    record[last] = int(value) if whole else value
