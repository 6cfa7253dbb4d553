r"""`vectors`: rows of numbers for words or stimuli, as models and experiments save them.

=============  ===================================================================================
npy            one array ``[item, dimension]``, or several of the same items in one
               ``[layer, item, dimension]``; no ids, so that items are matched by their order
npz            arrays by name, with the strings ``id`` (or ``ids``, ``words``) beside them; other
               strings and numbers of the same length are fields of items
safetensors    arrays by name, no ids
text           a word and its numbers per line, with the line of sizes (word2vec) or not (GloVe)
JSON lines     ``{"id": "cat", "vector": [0.1, 0.2]}`` with any other fields; every list of numbers
               is a column of vectors. So are the rows of a Parquet file with columns of lists
=============  ===================================================================================

>>> from finegrain.formats.source import source_of
>>> corpus = read(source_of("words.txt", b"2 3\ncat 1 0 0.5\ndog 0 1 0.5\n"))
>>> list(corpus.fields["id"]), corpus.fields["vector"].tolist()
(['cat', 'dog'], [[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]])
>>> print(write(corpus), end="")
2 3
cat 1.0 0.0 0.5
dog 0.0 1.0 0.5

Every number must be finite. Nothing is unpickled.
"""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain import strict_json
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, cell
from finegrain.corpus.items import LINE
from finegrain.corpus.vectors import VECTOR, Vectors, of_vectors, vectors_of
from finegrain.errors import Collector, InputError, Problem, UsageError
from finegrain.formats.number_arrays import ALONE, arrays_of
from finegrain.formats.source import Source

ID_NAMES = ("id", "ids", "word", "words", "token", "stimulus", "stimuli", "item", "items")
"""Arrays and keys that name items, the first that there is."""
_NAMES = (VECTOR, "embedding", "layer", "person", "subject")
"""How columns of vectors of JSON lines begin, where nobody says what the file holds."""
_MIN_NUMBERS = 10  # of a line without a header; other tables have fewer, or no decimals
_PEEK = 20  # lines that are looked at
_SHOWN = 20  # problems that are reported at once
_MEND = "Write a word and its numbers, separated by single blanks: as many in all lines."


def looks_like(source: Source) -> bool:
    """Binary arrays, JSON lines with a list of numbers called vector, words with their numbers.

    Text without the header of word2vec has many numbers in a line, some with decimals: tables of
    0 and 1, judgements of documents and numeric tags are other formats.
    """
    if source.folder:
        return False
    if source.binary:
        return True
    lines = [line for line in source.head(_PEEK) if line.strip()]
    if not lines:
        return False
    if lines[0].lstrip().startswith("{"):
        record = _parsed(lines[0])
        return isinstance(record, dict) and bool(_lists(record)) and _is_named(record)
    sizes = _sizes(lines[0])
    rows = [line.rstrip().split(" ") for line in (lines[1:] if sizes else lines)]
    width = sizes[1] + 1 if sizes else len(rows[0])
    if not rows or not all(_is_row(row, width) for row in rows):
        return False
    return width > 2 if sizes else width > _MIN_NUMBERS and all(map(_has_decimals, lines))


def _parsed(line: str) -> Any:
    """The value of a line of JSON, or what is wrong with it."""
    try:
        return strict_json.parse(line)
    except strict_json.BadJson as error:
        return str(error)


def _lists(record: dict[str, Any]) -> list[str]:
    """The keys that hold lists of numbers, of more than one: a vector has several."""
    return [
        key for key, value in record.items()
        if isinstance(value, list) and len(value) > 1 and _are_numbers(value)
    ]  # fmt: skip


def _is_named(record: dict[str, Any]) -> bool:
    """Whether one of the columns is called as vectors are; other items have lists, too."""
    return any(key.startswith(_NAMES) for key in _lists(record))


def _sizes(line: str) -> tuple[int, int] | None:
    """The numbers of words and dimensions in the first line of word2vec."""
    parts = line.split()
    if len(parts) == 2 and all(part.isdecimal() for part in parts):
        return int(parts[0]), int(parts[1])
    return None


def _has_decimals(line: str) -> bool:
    """Whether some number of a row of text is no whole number."""
    return any("." in part or "e-" in part for part in line.split(" ")[1:])


def _is_row(parts: list[str], width: int) -> bool:
    if len(parts) < width:
        return False
    try:
        return bool(np.isfinite(np.array(parts[1 - width :], np.float64)).all())
    except ValueError:
        return False


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read vectors of any of these kinds."""
    if source.binary:
        return _of_arrays(source.name, arrays_of(source.name, source.buffer[: source.end]))
    lines = source.lines()
    if next((line for line in lines if line.strip()), "").lstrip().startswith("{"):
        return _of_json(source.name, lines, limit)
    return _of_text(source.name, lines, limit)


def _of_arrays(name: str, arrays: dict[str, NDArray[Any]]) -> Corpus:
    """Arrays of numbers with two axes are vectors, with three several of the same items."""
    columns: dict[str, Vectors] = {}
    for key, array in arrays.items():
        if array.ndim in (2, 3) and array.dtype.kind in "fiu":
            columns |= _columns(key, array)
    if not columns:
        have = ", ".join(f"{key or 'array'} {list(one.shape)}" for key, one in arrays.items())
        what = f"no array has the shape [item, dimension] (it has: {have[:200]})"
        raise InputError.at(name, 0, what, "Save one row of numbers for each item.")
    if len(columns) == 1:
        columns = {VECTOR: next(iter(columns.values()))}
    first, *others = columns.items()
    for key, column in others:
        if len(column) != len(first[1]):
            what = f"{first[0]} has {len(first[1]):,} rows and {key} has {len(column):,}"
            raise InputError.at(name, 0, what, "All arrays of a file are of the same items.")
    fields = _fields(name, arrays, len(first[1]))
    return _checked(name, columns, fields)


def _columns(key: str, array: NDArray[Any]) -> dict[str, Vectors]:
    values = array if array.dtype.kind == "f" else array.astype(np.float64)
    if values.ndim == 2:
        return {key or VECTOR: values}
    prefix = f"{key}." if key != ALONE else ""
    return {f"{prefix}{place}": part for place, part in enumerate(values)}


def _fields(name: str, arrays: dict[str, NDArray[Any]], size: int) -> dict[str, Column]:
    """What is known of items: strings and numbers, as many as there are vectors."""
    called = next((key for key in ID_NAMES if key in arrays and arrays[key].ndim == 1), None)
    found: dict[str, Column] = {}
    for key, array in arrays.items():
        if array.ndim != 1:
            continue
        if len(array) != size:
            what = f"the array {key[:40]!r} has {len(array):,} values for {size:,} vectors"
            raise InputError.at(name, 0, what, "Give one value for each vector.")
        if array.dtype.kind in "US" or key == called:
            found["id" if key == called else key] = Texts.of(map(str, array.tolist()))
        elif array.dtype.kind in "fiub":
            found[key] = array.astype(np.float64)
    return dict(sorted(found.items(), key=lambda pair: pair[0] != "id"))


def _of_json(name: str, lines: list[str], limit: int) -> Corpus:
    problems = Collector(name, limit=limit)
    records: list[dict[str, Any]] = []
    numbers: list[int] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        record = _parsed(line)
        if isinstance(record, str):
            problems.add(number, record)
        elif not isinstance(record, dict):
            problems.add(number, "no JSON object", "Write one for every item.")
        else:
            records.append(record)
            numbers.append(number)
    problems.raise_any()
    keys = _lists(records[0]) if records else []
    if not keys:
        mend = f'Write {{"id": "cat", "{VECTOR}": [0.1, 0.2]}} for every item.'
        raise InputError.at(name, numbers[0] if numbers else 0, "no list of numbers", mend)
    for number, record in zip(numbers, records, strict=True):
        for key in keys:
            what = _unfit(key, record.get(key), len(records[0][key]))
            if what:
                problems.add(number, what, "Every line has the same vectors.")
    problems.raise_any()
    fields = _json_fields(records, keys)
    columns: dict[str, Vectors] = {
        key: np.array([one[key] for one in records], np.float64) for key in keys
    }
    return _checked(name, columns, {**fields, LINE: np.array(numbers)})


def _unfit(key: str, value: Any, width: int) -> str:
    """Why a value is not a vector like the first one; empty if it is."""
    if not isinstance(value, list):
        return f"no list of numbers {key[:40]!r}"
    if len(value) != width:
        return f"{len(value):,} numbers in {key[:40]!r} where the first one has {width:,}"
    return "" if _are_numbers(value) else f"{key[:40]!r} holds values that are not numbers"


def _are_numbers(values: list[Any]) -> bool:
    return all(isinstance(one, int | float) and not isinstance(one, bool) for one in values)


def _json_fields(records: list[dict[str, Any]], vectors: list[str]) -> dict[str, Column]:
    keys = [key for key in records[0] if key not in vectors]
    called = next((key for key in ID_NAMES if key in keys), None)
    found: dict[str, Column] = {}
    for key in sorted(keys, key=lambda one: one != called):
        values = [record.get(key) for record in records]
        if any(isinstance(one, list | dict) for one in values):
            continue
        if key != called and all(one is None or _are_numbers([one]) for one in values):
            found[key] = np.array([np.nan if one is None else one for one in values], np.float64)
        else:
            texts = ("" if one is None else str(one) for one in values)
            found["id" if key == called else key] = Texts.of(texts)
    return found


def _of_text(name: str, lines: list[str], limit: int) -> Corpus:
    first = next(at for at, line in enumerate(lines) if line.strip())
    sizes = _sizes(lines[first])
    rows = [(at, line.rstrip()) for at, line in enumerate(lines, 1) if line.strip()]
    rows = rows[1:] if sizes else rows
    if not rows:
        raise InputError.at(name, first + 1, "there are no vectors", _MEND)
    width = sizes[1] if sizes else rows[0][1].count(" ")
    if sizes and len(rows) != sizes[0]:
        what = f"{len(rows):,} vectors where the first line says {sizes[0]:,}"
        raise InputError.at(name, first + 1, what, "Check that the file is complete.")
    parts = [_word(line, width) for _, line in rows]
    problems = Collector(name, limit=limit)
    for (number, line), (_, numbers) in zip(rows, parts, strict=True):
        if numbers.count(" ") != width - 1 or width < 1:
            have = max(0, line.count(" "))
            problems.add(number, f"{have:,} numbers where {width:,} are expected", _MEND)
    problems.raise_any()
    vectors = _numbers([numbers for _, numbers in parts], width)
    if vectors is None:
        for (number, _), (word, numbers) in zip(rows, parts, strict=True):
            if _numbers([numbers], width) is None:
                problems.add(number, f"{word[:40]!r} has values that are not numbers", _MEND)
        problems.raise_any()
        raise InputError.at(name, 0, "some vectors hold values that are not numbers", _MEND)
    fields: dict[str, Column] = {"id": Texts.of(word for word, _ in parts)}
    return _checked(name, {VECTOR: vectors}, {**fields, LINE: np.array([at for at, _ in rows])})


def _word(line: str, width: int) -> tuple[str, str]:
    """A word, which may hold blanks, and its numbers."""
    if line.count(" ") == width:
        word, _, numbers = line.partition(" ")
    else:
        word, *rest = line.rsplit(" ", width)
        numbers = " ".join(rest)
    return word, numbers


def _numbers(texts: list[str], width: int) -> Vectors | None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what is not a number ends the text, which numpy warns of
        try:
            found = np.fromstring(" ".join(texts), np.float64, sep=" ")
        except (DeprecationWarning, ValueError):
            return None
    return found.reshape(len(texts), width) if len(found) == len(texts) * width else None


def _checked(name: str, columns: dict[str, Vectors], fields: dict[str, Column]) -> Corpus:
    """Every vector has numbers, all of them finite."""
    lines = fields.get(LINE)
    problems = []
    for key, column in columns.items():
        if not column.size:
            raise InputError.at(name, 0, f"{key} is empty: {list(column.shape)}")
        bad = np.flatnonzero(~np.isfinite(column).all(axis=1))
        for row in bad[:_SHOWN].tolist():
            line = 0 if lines is None else int(np.asarray(lines)[row])
            whose = f"vector {row + 1}" + (f" of {key}" if len(columns) > 1 else "")
            if "id" in fields:
                whose += f" ({fields['id'][row][:40]!r})"
            what = f"{whose} holds nan or infinity"
            problems.append(Problem(name, line, what, "Every number must be finite."))
    if problems:
        raise InputError(problems[:_SHOWN], unlisted=max(0, len(problems) - _SHOWN))
    return of_vectors(name, columns, fields)


def write(corpus: Corpus) -> str:
    """The text of word2vec; JSON lines where there are other fields, or several columns."""
    columns = vectors_of(corpus)
    others = [name for name in corpus.fields if name not in columns and name != LINE]
    if not columns:
        raise UsageError("the format vectors writes vectors, and there are none")
    if others != ["id"] or set(columns) != {VECTOR}:
        return _as_json(corpus, columns, others)
    vectors = columns[VECTOR]
    ids = [str(corpus.fields["id"][row]) for row in range(len(vectors))]
    if any(not one or one.split() != [one] for one in ids):
        return _as_json(corpus, columns, others)
    rows = (
        " ".join([word, *map(repr, row)])
        for word, row in zip(ids, vectors.astype(float).tolist(), strict=True)
    )
    return f"{vectors.shape[0]} {vectors.shape[1]}\n" + "".join(f"{row}\n" for row in rows)


def _as_json(corpus: Corpus, columns: dict[str, Vectors], others: list[str]) -> str:
    lists = {name: column.astype(float).tolist() for name, column in columns.items()}
    rows = (
        {**{name: cell(corpus.fields[name], row) for name in others},
         **{name: column[row] for name, column in lists.items()}}
        for row in range(corpus.n_sentences)
    )  # fmt: skip
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
