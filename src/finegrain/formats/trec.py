"""`trec`: judged documents of queries (qrels) and ranked ones (runs), one per line.

    301 0 CR93E-10279 1                    301 Q0 FR940202-2-00150 1 2.129133 bm25

Fields are separated by blanks or tabs. Lines of four fields are judgements: query, 0, document,
grade. Lines of six are a run: query, Q0, document, rank, score, tag; what follows is ignored, as
trec_eval does, and so are the second field and the rank. Each query is an item with an ``id``; its
documents are rows of ``corpus.parts["documents"]`` in the order of lines.

>>> from finegrain.formats.source import source_of
>>> qrels = read(source_of("qrels", b"1 0 d7 2\\n1 0 d9 0\\n2 0 d7 1\\n"))
>>> list(qrels.fields["id"]), qrels.parts["documents"].fields["grade"].tolist()
(['1', '2'], [2, 0, 1])
>>> run = read(source_of("run", b"1 Q0 d9 1 0.5 mine\\n"))
>>> list(run.parts["documents"].fields["id"]), run.parts["documents"].fields["score"].tolist()
(['d9'], [0.5])
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus, IntArray, Texts
from finegrain.corpus.columns import Column, Rows, chosen
from finegrain.corpus.items import LINE, numbers, of_fields
from finegrain.errors import Collector, InputError, UsageError
from finegrain.formats.fields import blocks, split
from finegrain.formats.source import Source

DOCUMENTS, GRADE, SCORE = "documents", "grade", "score"
_HEAD = 50  # lines that are looked at
_BLOCK = 1 << 14  # numbers read at once
_QRELS, _RUN = 4, 6  # fields of a line
_DIGITS = 9  # of a grade
_LAYOUT = (
    "Write judgements as 'query 0 document grade', ranked documents as "
    "'query Q0 document rank score tag'."
)
_OF_GRADE = "Grades are integers: 0 for not relevant, 1 and more for relevant."
_OF_SCORE = "Scores are finite numbers: they rank the documents."


class _Lines(NamedTuple):
    """Fields of lines: query, document, and grade or score."""

    query: Texts
    document: Texts
    number: Texts


def looks_like(source: Source) -> bool:
    """True if all lines are judgements with ``0``, or ranked documents with ``Q0``, as usual."""
    if source.folder:
        return False
    rows = [row for row in map(_fields, source.head(_HEAD)) if row]
    if not rows:
        return False
    if all(len(row) == _QRELS for row in rows):
        return all(row[1].upper() in ("0", "Q0") and _is_integer(row[3]) for row in rows)
    return all(
        len(row) >= _RUN and row[1].upper() in ("0", "Q0") and _is_number(row[4]) for row in rows
    )


def _fields(line: str) -> list[str]:
    """What stands between blanks and tabs; other white space belongs to a name."""
    return [field for field in line.replace("\t", " ").split(" ") if field]


def _is_integer(text: str) -> bool:
    return text.isascii() and text.lstrip("+-").isdigit()


def _is_number(text: str) -> bool:
    try:
        return float(text) is not None
    except ValueError:
        return False


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read judgements or a run; up to ``limit`` problems are gathered before giving up."""
    first = next((row for row in map(_fields, source.head(_HEAD)) if row), [])
    judged = len(first) == _QRELS
    if not judged and len(first) < _RUN:
        found = f"expected {_QRELS} fields (judgements) or {_RUN} (a run), found {len(first)}"
        raise InputError.at(source.name, 1, found, _LAYOUT)
    problems = Collector(source.name, limit=limit)
    lines = _split(source, problems, judged=judged)
    problems.raise_any()
    number: NDArray[np.int64] | NDArray[np.float64]
    number = _grades(lines.number, problems) if judged else _scores(lines.number, problems)
    problems.raise_any()
    ids, parent, order = _grouped(lines.query)
    line = np.arange(1, len(parent) + 1)
    fields: dict[str, Column] = {
        "id": lines.document, (GRADE if judged else SCORE): number, LINE: line
    }  # fmt: skip
    if order is not None:
        fields = {name: chosen(column, order) for name, column in fields.items()}
        parent, line = parent[order], line[order]
    opening = line[np.searchsorted(parent, np.arange(len(ids)))]
    return of_fields(
        source.name, {"id": ids}, lines=opening, parts={DOCUMENTS: Rows(parent, fields)},
        format="trec",
    )  # fmt: skip


def _split(source: Source, problems: Collector, *, judged: bool) -> _Lines:
    """The fields that count, found without making strings."""
    places = (0, 2, 3) if judged else (0, 2, 4)
    starts: list[list[IntArray]] = [[] for _ in places]
    lengths: list[list[IntArray]] = [[] for _ in places]
    line = 0
    for data, at in blocks(source):
        fields = split(data, "space")
        first, count = fields.first[:-1], np.diff(fields.first)
        blank = fields.lengths == 0
        last = at + len(data) == source.end
        while last and len(blank) > 1 and blank[-1]:  # at the end of the file
            first, count, blank = first[:-1], count[:-1], blank[:-1]
        good = ~blank & ((count == _QRELS) if judged else (count >= _RUN))
        for row in np.flatnonzero(~good).tolist():
            _uneven(problems, line + row + 1, 0 if blank[row] else int(count[row]), judged=judged)
        for place, column, sizes in zip(places, starts, lengths, strict=True):
            begin = fields.start(first[good] + place)
            column.append(begin + at)
            sizes.append((fields.end(first[good] + place) - begin).astype(np.int32))
        line += len(first)
    columns = [
        Texts(source.buffer, np.concatenate(column), np.concatenate(sizes))
        for column, sizes in zip(starts, lengths, strict=True)
    ]
    return _Lines(*columns)


def _uneven(problems: Collector, line: int, found: int, *, judged: bool) -> None:
    wanted = f"{_QRELS} fields (query 0 document grade)" if judged else f"{_RUN} fields or more"
    said = "a blank line" if not found else f"expected {wanted}, found {found}"
    problems.add(line, said, "Delete it." if not found else _LAYOUT)


def _grades(column: Texts, problems: Collector) -> NDArray[np.int64]:
    """Integers with or without a sign."""
    data = np.frombuffer(column.buffer, np.uint8)
    opening = data[column.starts]
    signed = (opening == ord("-")) | (opening == ord("+"))
    bare = Texts(column.buffer, column.starts + signed, column.lengths - signed)
    found = bare.numbers(digits=_DIGITS).astype(np.int64)
    for row in np.flatnonzero(found < 0).tolist():
        problems.add(row + 1, f"the grade {column[row][:40]!r} is not an integer", _OF_GRADE)
    return np.where(opening == ord("-"), -found, found)


def _scores(column: Texts, problems: Collector) -> NDArray[np.float64]:
    """Finite numbers."""
    found = np.empty(len(column))
    for at in range(0, len(column), _BLOCK):
        some = chosen(column, slice(at, at + _BLOCK))
        known = numbers(some)
        if known is None:
            for row in range(at, min(at + _BLOCK, len(column))):
                if numbers(Texts.of([column[row]])) is None:
                    problems.add(
                        row + 1, f"the score {column[row][:40]!r} is not a number", _OF_SCORE
                    )
        else:
            found[at : at + _BLOCK] = known
    return found


def _grouped(query: Texts) -> tuple[Texts, IntArray, IntArray | None]:
    """Queries as they come, ``[line]`` the query of each, and the lines query by query.

    No order is given where the lines of every query stand together already.
    """
    before = Texts(query.buffer, query.starts[:-1], query.lengths[:-1])
    after = Texts(query.buffer, query.starts[1:], query.lengths[1:])
    heads = np.append(0, np.flatnonzero(before.differ(after)) + 1)
    named = query.take(heads).coded()
    _, first, codes = np.unique(named.codes, return_index=True, return_inverse=True)
    place = np.argsort(np.argsort(first, kind="stable"), kind="stable")
    of_head = place[codes.ravel()]
    parent = np.repeat(of_head, np.diff(np.append(heads, len(query))))
    ids = query.take(heads[np.sort(first)])
    if len(ids) == len(heads):
        return ids, parent, None
    return ids, parent, np.argsort(parent, kind="stable")


def write(corpus: Corpus) -> str:
    """Judgements, or a run with ranks by the order of documents; read back, it is the same."""
    if DOCUMENTS not in corpus.parts or "id" not in corpus.fields:
        raise UsageError("only queries with documents can be written as trec")
    rows, ids = corpus.parts[DOCUMENTS], corpus.fields["id"]
    names, parents = rows.fields["id"], rows.parent.tolist()
    judged = GRADE in rows.fields
    number = rows.fields[GRADE if judged else SCORE]
    lines, rank, before = [], 0, -1
    for row, parent in enumerate(parents):
        rank, before = (rank + 1 if parent == before else 1), parent
        if judged:
            lines.append(f"{ids[parent]} 0 {names[row]} {int(float(number[row]))}\n")
        else:
            lines.append(f"{ids[parent]} Q0 {names[row]} {rank} {float(number[row])!r} run\n")
    return "".join(lines)
