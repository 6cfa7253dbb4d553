"""`items`: one JSON object per line for each item that is judged as a whole.

    {"id": "q1", "text": "a fine film", "label": "pos", "domain": "films"}
    {"id": "q1", "answer": "pos", "probabilities": {"neg": 0.1, "pos": 0.9}}
    {"id": "q2", "query": "film", "documents": [{"id": "d7", "grade": 2}, {"id": "d9", "grade": 0}]}

Every key becomes a column of the items (``corpus.fields``): numbers as they are, with true and
false as 1 and 0; strings, or nothing for null; an object as one column for each of its keys
(``probabilities.pos``). A list becomes rows of its own (``corpus.parts``), of which each belongs to
its item. The words of ``text`` are the tokens of the item; ``document`` says which items are
sampled together. What a key means is the task's business.

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
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain import strict_json
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Rows, cell
from finegrain.errors import Collector, InputError
from finegrain.formats.source import Source

LINE = "@line"  # the column that holds the lines of items in their file
_OF_TEXTS = {
    "spans", "tokens", "sentences", "clusters", "entities", "tags", "ner_tags", "pos_tags",
    "chunk_tags", "upos", "xpos", "feats", "lemma",
}  # fmt: skip
_BARE = {"id", "text"}
_MEND = "All records of a file have the same keys with values of the same kind."
Record = dict[str, Any]


def looks_like(source: Source) -> bool:
    """True if the first line is an object with an id and more, none of it about tokens."""
    first = next((line for line in source.head(50) if line.strip()), "")
    try:
        record = strict_json.parse(first)
    except strict_json.BadJson:
        return False
    return (
        isinstance(record, dict)
        and "id" in record
        and not _OF_TEXTS.intersection(record)
        and not _BARE.issuperset(record)
        and not any(_is_nested(value) for value in record.values())
    )


def _is_nested(value: object) -> bool:
    """Lists of lists: spans as ``[begin, end, label]``, say."""
    return isinstance(value, list) and any(isinstance(one, list) for one in value)


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read JSON lines; up to ``limit`` problems are gathered before giving up."""
    problems = Collector(source.name, limit=limit)
    lines: list[int] = []
    items = _Columns()
    parts: dict[str, _Columns] = {}
    seen: dict[str, int] = {}
    for number, line in enumerate(source.lines(), 1):
        if not line.strip():
            continue
        try:
            _add(_parsed(line), items, parts, len(lines))
            _require_new(items, seen, number)
        except _Fault as fault:
            problems.add(number, *fault.args)
            items.drop(len(lines))
            continue
        lines.append(number)
    problems.raise_any()
    if not lines:
        raise InputError.at(source.name, 0, "the file has no records")
    return _corpus(source.name, lines, items, parts)


class _Fault(ValueError):
    """What is wrong with a record, and how to mend it."""


class _Columns:
    """Columns that grow row by row; what a row does not have is missing there."""

    def __init__(self) -> None:
        self.parent: list[int] = []
        self.cells: dict[str, list[Any]] = {}
        self.kinds: dict[str, type] = {}

    def add(self, record: Mapping[str, Any], parent: int) -> None:
        size = len(self.parent)
        for key, value in _flat(record):
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
            if self.kinds.get(key, str) is float:
                found[key] = np.array([np.nan if one is None else one for one in whole], np.float64)
            else:
                found[key] = np.empty(len(whole), object)
                found[key][:] = whole
        return found


def _parsed(line: str) -> Record:
    try:
        record = strict_json.parse(line)
    except strict_json.BadJson as fault:
        raise _Fault(str(fault), "One object per line, without repeated keys.") from None
    if not isinstance(record, dict):
        raise _Fault(f"a line with {_kind(record)}, not an object", "One object per line.")
    return record


def _add(record: Record, items: _Columns, parts: dict[str, _Columns], item: int) -> None:
    for key in ("id", "document"):
        if isinstance(record.get(key), int) and not isinstance(record[key], bool):
            record[key] = str(record[key])
        if key in record and (not isinstance(record[key], str) or not record[key]):
            raise _Fault(f"the {key} is {_kind(record[key])}", f'Write "{key}": "a1".')
    lists = {key: value for key, value in record.items() if isinstance(value, list)}
    items.add({key: value for key, value in record.items() if key not in lists}, item)
    for key, rows in lists.items():
        columns = parts.setdefault(key, _Columns())
        for row in rows:
            if isinstance(row, list):
                raise _Fault(f"a list in the list {key!r}", "Lists hold values or objects.")
            columns.add(row if isinstance(row, dict) else {"value": row}, item)


def _require_new(items: _Columns, seen: dict[str, int], number: int) -> None:
    names = items.cells.get("id", [])
    if len(names) < len(items.parent) or names[-1] is None:
        raise _Fault("this record has no id", "Name every item: gold and systems meet by ids.")
    other = seen.setdefault(names[-1], number)
    if other != number:
        raise _Fault(f"the id {names[-1][:40]!r} stands on line {other}, too", "Ids are unique.")


def _flat(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Keys and values; those of objects with the keys that lead to them."""
    for key, value in record.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        elif isinstance(value, list):
            raise _Fault(f"a list in the object {prefix + key!r}", "Lists stand at the top.")
        else:
            number = isinstance(value, int | float)
            yield prefix + key, float(value) if number else value


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "a string", bool: "true or false",
             int: "a number", float: "a number", type(None): "missing"}  # fmt: skip
    return kinds.get(type(value), "something else")


def _corpus(source: str, lines: list[int], items: _Columns, parts: dict[str, _Columns]) -> Corpus:
    fields = items.arrays()
    words = [(text or "").split() for text in fields.get("text", np.array([""] * len(lines)))]
    documents = ids = None
    if "document" in fields:
        names = ["" if one is None else one for one in fields["document"]]
        number = {name: place for place, name in enumerate(dict.fromkeys(names))}
        documents = np.array([number[name] for name in names], np.int32)
        ids = tuple(number)
    return Corpus(
        source,
        np.concatenate([[0], np.cumsum([len(one) for one in words], dtype=np.int64)]),
        Texts.of(word for one in words for word in one),
        documents=documents,
        document_ids=ids,
        format="items",
        fields={**fields, LINE: np.array(lines, np.int64)},
        parts={
            key: Rows(np.array(one.parent, np.int64), one.arrays()) for key, one in parts.items()
        },
    )


def write(corpus: Corpus) -> str:
    """One object per item; read back, it is the same."""
    names = [name for name in corpus.fields if name != LINE]
    records: list[Record] = []
    for row in range(corpus.n_sentences):
        record: Record = {}
        for name in names:
            _put(record, name, cell(corpus.fields[name], row))
        records.append(record)
    for key, rows in corpus.parts.items():
        for record in records:
            record[key] = []
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
