"""Items: what is judged as a whole, with an id, texts and metadata as columns (``corpus.fields``).

>>> fields = {"id": Texts.of(["a", "b"]), "text": Texts.of(["so it is", "no"])}
>>> corpus = of_fields("memory", fields)
>>> corpus.sentence(0), corpus.n_sentences
(['so', 'it', 'is'], 2)
>>> plain(Texts.of(["1", "", "2.5"])).tolist(), plain(Texts.of(["a", ""])).tolist()
([1.0, nan, 2.5], ['a', None])

Readers keep cells as they stand (``Texts``) or as values of JSON; what a column means is the
task's business, and so is whether ``1`` is a number or a name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.columns import Column, Rows, cell, chosen
from finegrain.corpus.document import Corpus
from finegrain.corpus.texts import Coded, IntArray, Texts
from finegrain.errors import UsageError

LINE = "@line"  # the column that holds the lines of items in their file
WITHOUT = "@without "  # and the name of a list: the column that is 1 for items that do not have it
TEXT = (
    "text", "sentence", "premise", "question", "query", "review", "sentence1", "text1", "content",
)  # fmt: skip
"""Names of the column whose words are the tokens of an item, the first that has any."""
_ELSE = "context"  # beside a question it is what the question is about
GROUP = "document"  # items with the same value are sampled together
BLANKS = np.zeros(256, bool)
BLANKS[[9, 10, 11, 12, 13, 32]] = True
"""``[byte]`` white space: blanks, tabs and line ends."""


def of_fields(
    source: str,
    fields: Mapping[str, Column],
    *,
    lines: IntArray | None = None,
    parts: Mapping[str, Rows] | None = None,
    notes: tuple[str, ...] = (),
    format: str = "",  # noqa: A002 - the corpus calls it so
) -> Corpus:
    """A corpus of items with these columns, all of one length.

    lines: where each item stands in its file
    """
    columns = [*fields.values(), *([] if lines is None else [lines])]  # items may have lists only
    size = len(columns[0])
    text = text_field(fields)
    lengths, words = _words(fields[text]) if text else (np.zeros(size, np.int64), Texts.of(()))
    documents = ids = None
    if GROUP in fields:
        named = coded(fields[GROUP], missing="")
        documents, ids = _in_order(named)
    return Corpus(
        source,
        np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]),
        words,
        documents=documents,
        document_ids=ids,
        notes=notes,
        format=format,
        fields=dict(fields) if lines is None else {**fields, LINE: lines},
        parts=parts or {},
    )


def text_field(fields: Mapping[str, Column]) -> str | None:
    """The column whose words are the tokens of items; one that is empty throughout only if alone.

    >>> text_field({"question": Texts.of(["", ""]), "context": Texts.of(["so it is", "no"])})
    'context'
    >>> text_field({"question": Texts.of([""])}), text_field({})
    ('question', None)
    """
    named = [name for name in (*TEXT, _ELSE) if name in fields]
    return next((name for name in named if _has_text(fields[name])), named[0] if named else None)


def _has_text(column: Column) -> bool:
    if isinstance(column, Texts):
        return bool(column.lengths.any())
    return any(cell(column, row) not in (None, "") for row in range(len(column)))


def of_rows(corpus: Corpus, rows: IntArray, *, without: Sequence[str] = ()) -> Corpus:
    """Some items of a corpus, in the given order, without some columns.

    >>> corpus = of_fields("memory", {"id": Texts.of(["a", "b"]), "text": Texts.of(["so", "no"])})
    >>> of_rows(corpus, np.array([1])).sentence(0)
    ['no']
    """
    kept = of_fields(
        corpus.source,
        {name: chosen(one, rows) for name, one in corpus.fields.items() if name not in without},
        parts={name: one.of(rows) for name, one in corpus.parts.items()},
        notes=corpus.notes,
        format=corpus.format,
    )
    if corpus.documents is None or GROUP in corpus.fields:
        return kept
    codes, ids = corpus.documents[rows], corpus.document_ids
    used, places = np.unique(codes, return_inverse=True)
    names = None if ids is None else tuple(ids[code] for code in used.tolist())
    return replace(kept, documents=places.ravel().astype(np.int32), document_ids=names)


def clustered(corpus: Corpus, name: str) -> Corpus:
    """The same items, of which those with one value in a column are sampled together.

    >>> fields = {"id": Texts.of(["a", "b"]), "passage": Texts.of(["p", "p"])}
    >>> clustered(of_fields("memory", fields), "passage").n_documents
    1
    """
    if not corpus.fields:
        raise UsageError("cluster: only items have columns; texts are sampled by document")
    if name not in corpus.fields:
        have = [one for one in corpus.fields if not one.startswith("@")]
        raise UsageError.unknown("column to cluster by", name, have)
    documents, ids = _in_order(coded(corpus.fields[name], missing=""))
    return replace(corpus, documents=documents, document_ids=ids)


def line_of(corpus: Corpus, item: int) -> int:
    """The line of an item in its file; 0 if that is not known."""
    return int(cell(corpus.fields[LINE], item)) if LINE in corpus.fields else 0


def _words(column: Column) -> tuple[NDArray[np.int64], Texts]:
    """How many words every text has, and all of them; blanks separate words."""
    if not isinstance(column, Texts):
        words = [str(text or "").split() for text in column]
        lengths = np.array([len(text) for text in words], np.int64)
        return lengths, Texts.of(word for text in words for word in text)
    starts, ends = column.starts.astype(np.int64), column.starts.astype(np.int64) + column.lengths
    size = len(column.buffer)
    depth = np.bincount(starts, minlength=size + 1) - np.bincount(ends, minlength=size + 1)
    inside = np.cumsum(depth)[:size] > 0
    inside &= ~BLANKS[np.frombuffer(column.buffer, np.uint8)]
    opens = inside.copy()
    opens[1:] &= ~inside[:-1]
    opens[starts[starts < size]] = inside[starts[starts < size]]
    begin = np.flatnonzero(opens)
    closes = inside.copy()
    closes[:-1] &= ~inside[1:] | opens[1:]
    stop = np.flatnonzero(closes) + 1
    order = np.argsort(starts, kind="stable")
    number = np.searchsorted(begin, ends[order]) - np.searchsorted(begin, starts[order])
    lengths = np.empty(len(column), np.int64)
    lengths[order] = number
    if (order == np.arange(len(order))).all():
        return lengths, Texts(column.buffer, begin, (stop - begin).astype(np.int32))
    first = np.searchsorted(begin, starts)
    rows = np.repeat(first - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
    return lengths, Texts(column.buffer, begin[rows], (stop - begin)[rows].astype(np.int32))


def _in_order(column: Coded) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Codes in the order in which names occur first."""
    used, first = np.unique(column.codes, return_index=True)
    order = np.argsort(first, kind="stable")
    place = np.zeros(len(column.names), np.int32)
    place[used[order]] = np.arange(len(used))
    return place[column.codes], tuple(column.names[int(code)] for code in used[order])


def coded(column: Column, *, missing: str) -> Coded:
    """A column of names; numbers are told as they are written, and what is missing as given.

    >>> list(coded(np.array([1.0, np.nan, 2.5]), missing="-"))
    ['1', '-', '2.5']
    """
    if isinstance(column, Coded):
        return column
    if isinstance(column, Texts):
        found = column.coded()
        if missing and "" in found.names:
            return Coded.of(name or missing for name in found)
        return found
    if column.dtype.kind == "O":
        return Coded.of(missing if value is None else str(value) for value in column)
    return Coded.of(missing if np.isnan(value) else written(value) for value in column.tolist())


def written(value: float) -> str:
    """A number as a name: whole ones without a point.

    >>> written(1.0), written(0.25)
    ('1', '0.25')
    """
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def numbers(column: Column) -> NDArray[np.float64] | None:
    """A column as numbers, nan where there is nothing; ``None`` if some cell is not a number.

    >>> numbers(Texts.of(["1", "", "-2.5e3"])).tolist(), numbers(Texts.of(["1_000"]))
    ([1.0, nan, -2500.0], None)
    """
    if isinstance(column, np.ndarray):
        if column.dtype.kind == "O":
            column = Texts.of("" if value is None else str(value) for value in column)
        else:
            return column.astype(np.float64)
    if isinstance(column, Coded):
        of_names = numbers(Texts.of(column.names))
        return None if of_names is None else of_names[column.codes]
    found = np.full(len(column), np.nan)
    given = np.flatnonzero(column.lengths > 0)
    if not len(given) or column.lengths.max() > _LONGEST_NUMBER:
        return found if not len(given) else None
    try:
        _fixed(column, given[:_GLANCE]).astype(np.float64)  # most columns of names end here
        found[given] = _fixed(column, given).astype(np.float64)
    except ValueError:
        return None
    return found if np.isfinite(found[given]).all() else None


_LONGEST_NUMBER = 40  # bytes
_GLANCE = 100  # cells
_OF_NUMBERS = np.zeros(256, bool)
_OF_NUMBERS[[*b"0123456789+-.eE \t\n\v\f\r"]] = True


def _fixed(column: Texts, rows: IntArray) -> NDArray[np.bytes_]:
    """Cells as bytes of one length, filled up with blanks; raises ``ValueError`` unless numbers.

    Python would also take ``1_000`` for a number, and numpy does not see zero bytes at an end.
    """
    width = int(column.lengths[rows].max())
    data = np.frombuffer(column.buffer, np.uint8)
    place = np.arange(width)
    at = np.minimum(column.starts[rows][:, None] + place, len(data) - 1)
    blank = np.uint8(ord(" "))
    cells = np.where(place < column.lengths[rows][:, None], data[at], blank).astype(np.uint8)
    if not _OF_NUMBERS[cells].all():
        raise ValueError("other characters than those of numbers")
    return np.ascontiguousarray(cells).view(f"S{width}")[:, 0]


def plain(column: Column) -> NDArray[Any]:
    """A column as numbers, where all of it are, or as strings with ``None`` for nothing."""
    if isinstance(column, np.ndarray):
        return column
    as_numbers = numbers(column)
    if as_numbers is not None:
        return as_numbers
    found = np.empty(len(column), object)
    cells = column if isinstance(column, Coded) else column.slice(0, len(column))
    found[:] = [text or None for text in cells]
    return found
