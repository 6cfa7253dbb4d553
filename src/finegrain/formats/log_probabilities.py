r"""`logprobs`: tokens with their log-probabilities, as language models give them.

    The<tab>-2.31                  {"id": "d1", "tokens": ["The", " cat"], "logprobs": [null, -4.0]}
     cat<tab>-4.02                 {"id": "d2", "text": "So it is.", "logprob": -17.25}

A token and its number in each line, with a blank line between documents, or JSON lines: lists of
tokens and numbers (also as the APIs of models give them, ``{"logprobs": {"tokens": [...],
"token_logprobs": [...]}}``), or a text with one number. Parquet files have the same columns, as
lists or with one row for each token. Every document is an item, its tokens are
``corpus.parts["tokens"]``. An empty cell, ``null`` and ``nan`` are no number; a header line
(``token``, ``logprob``) is recognised. Which logarithm it is and what the marks of tokenisers mean
is the task's business.

>>> from finegrain.formats.source import source_of
>>> corpus = read(source_of("memory", b"So\t-1.5\nit\t-0.25\n\nYes\tnull\n"))
>>> rows = corpus.parts[TOKENS]
>>> list(rows.fields[TOKEN]), rows.fields[LOGPROB].tolist(), rows.parent.tolist()
(['So', 'it', 'Yes'], [-1.5, -0.25, nan], [0, 0, 1])
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain import strict_json
from finegrain.corpus import Corpus, IntArray, Texts
from finegrain.corpus.columns import Column, Rows, cell
from finegrain.corpus.items import LINE, of_fields
from finegrain.errors import Collector, InputError, UsageError
from finegrain.formats.decimals import decimals, is_nothing
from finegrain.formats.fields import blocks
from finegrain.formats.source import Source
from finegrain.formats.token_records import NUMBERS, Document, documents_of, holds_log_probabilities
from finegrain.sizes import sized

if TYPE_CHECKING:
    from finegrain.formats.parquet_tokens import TokenColumns

TOKENS, TOKEN, LOGPROB = "tokens", "token", "logprob"
"""The parts of documents, and their columns."""
_HEAD = 50  # lines that are looked at
_TOKEN_NAMES = ("token", "word", "piece", "subword")
_MEND = "Write token<tab>log-probability, with a blank line between documents."
_ENOUGH = 2  # lines of a table


def looks_like(source: Source) -> bool:
    """True for lines of a text and a number that is not above 0, or objects with both."""
    if source.folder:
        return False
    if source.tokens is not None:
        return True
    lines = [line for line in source.head(_HEAD) if line.strip()]
    if lines and _is_json(lines[0]):
        try:
            record = strict_json.parse(lines[0])
        except strict_json.BadJson:
            return False
        return isinstance(record, dict) and holds_log_probabilities(record)
    rows = [line.split("\t") for line in lines]
    headed = bool(rows) and _is_header(rows[0])
    rows = rows[headed:]
    if len(rows) < _ENOUGH - headed or any(len(row) != 2 for row in rows):
        return False
    numbers = [row[1] for row in rows if not is_nothing(row[1])]
    return bool(numbers) and all(map(_is_log, numbers)) and any("." in one for one in numbers)


def _is_json(line: str) -> bool:
    """Whether it is an object, and not a bracket with its number."""
    return line.lstrip().startswith("{") and not _is_log(line.rpartition("\t")[2])


def _is_log(text: str) -> bool:
    try:
        return float(text) <= 0
    except ValueError:
        return False


def _is_header(row: list[str]) -> bool:
    names = [name.strip().casefold() for name in row]
    return len(names) == 2 and names[0] in _TOKEN_NAMES and names[1] in NUMBERS


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read tokens and numbers; up to ``limit`` problems are gathered before giving up."""
    if source.tokens is not None:
        return _of_columns(source.name, source.tokens)
    problems = Collector(source.name, limit=limit)
    first = next((line for line in source.head(_HEAD) if line.strip()), "")
    if _is_json(first):
        return _of_documents(source, documents_of(source, problems))
    return _of_lines(source, problems, headed=_is_header(first.split("\t")))


def _of_lines(source: Source, problems: Collector, *, headed: bool) -> Corpus:
    most = sum(int(np.count_nonzero(part == ord("\n"))) for part, _ in blocks(source))
    starts: IntArray = np.empty(most, np.int32 if source.end < 1 << 31 else np.int64)
    lengths, numbers = np.empty(most, np.int32), np.empty(most)
    blanks: list[IntArray] = []  # tokens in front of every blank line
    tokens: list[IntArray] = []  # those behind a blank line or at the head of a block
    lines: list[IntArray] = []  # theirs
    data = np.frombuffer(source.buffer, np.uint8)
    line = size = 0
    for part, at in blocks(source):
        rows = _rows(part, problems, line, headed=headed and not line)
        begin = rows.tab + (at + 1)
        found = decimals(data, begin, rows.end + at - begin)
        _require_numbers(source, problems, found, (begin, rows.end + at), rows.line)
        new = slice(size, size + len(found))
        starts[new], lengths[new], numbers[new] = rows.start + at, rows.tab - rows.start, found
        behind = np.searchsorted(rows.line, rows.blank)
        blanks.append(behind + size)
        heads = np.append(0, behind)
        heads = heads[heads < len(found)]
        tokens.append(heads + size)
        lines.append(rows.line[heads])
        line += rows.n_lines
        size += len(found)
    problems.raise_any()
    if not size:
        raise InputError.at(source.name, 0, "the file has no tokens", _MEND)
    ends = np.unique(np.concatenate([*blanks, [0, size]]))
    parent = np.repeat(np.arange(len(ends) - 1, dtype=np.int32), np.diff(ends))
    texts = Texts(source.buffer, starts[:size], lengths[:size])
    opening = np.searchsorted(np.concatenate(tokens), ends[:-1])
    fields: dict[str, Column] = {LINE: np.concatenate(lines)[opening]}
    return _corpus(source.name, parent, texts, numbers[:size], fields)


class _Rows(NamedTuple):
    """Lines of a token and a number: where the token begins, the tab, the end; their numbers.

    ``blank``: the lines without anything.
    """

    start: IntArray
    tab: IntArray
    end: IntArray
    line: IntArray
    blank: IntArray
    n_lines: int


def _rows(part: NDArray[np.uint8], problems: Collector, line: int, *, headed: bool) -> _Rows:
    """The rows of some whole lines, of which ``line`` are before them."""
    gaps = np.flatnonzero(part - np.uint8(9) <= 1)  # tabs and newlines; smaller bytes wrap around
    newline = part.take(gaps) == ord("\n")
    before = np.empty_like(gaps)  # where the field in front of a gap begins
    before[0] = 0
    np.add(gaps[:-1], 1, out=before[1:])
    empty = newline & (gaps == before)
    empty[1:] &= newline[:-1]
    number = np.cumsum(newline) + line  # of the line, for its newline
    blank = number[empty]
    n_lines = int(number[-1]) - line
    if len(blank):
        full = ~empty
        gaps, newline, before, number = gaps[full], newline[full], before[full], number[full]
    if not len(gaps) % 2 and not newline[::2].any() and newline[1::2].all():
        rows = _Rows(before[::2], gaps[::2], gaps[1::2], number[1::2], blank, n_lines)
    else:
        rows = _uneven(gaps, newline, before, number, problems)._replace(
            blank=blank, n_lines=n_lines
        )
    if headed and len(rows.start):
        return rows._replace(**{name: getattr(rows, name)[1:] for name in _Rows._fields[:4]})
    return rows


def _uneven(
    gaps: IntArray, newline: NDArray[np.bool_], before: IntArray, number: IntArray,
    problems: Collector,
) -> _Rows:  # fmt: skip
    """The rows among lines of which some have more or fewer fields than two."""
    ends = np.flatnonzero(newline)
    count = np.diff(ends, prepend=-1)  # fields
    _odd(problems, number[ends[count != 2]], count[count != 2])
    good = ends[count == 2]
    none = number[:0]
    return _Rows(before[good - 1], gaps[good - 1], gaps[good], number[good], none, 0)


def _odd(problems: Collector, lines: IntArray, fields: IntArray) -> None:
    for line, count in zip(lines.tolist(), fields.tolist(), strict=True):
        what = f"expected a token and a number, found {sized(count, 'field')}"
        problems.add(line, what, _MEND)


def _require_numbers(
    source: Source, problems: Collector, found: NDArray[np.float64],
    place: tuple[IntArray, IntArray], line: IntArray,
) -> None:  # fmt: skip
    """Tell of cells that are not numbers and do not say that there is none."""
    for row in np.flatnonzero(np.isnan(found)).tolist():
        text = source.buffer[int(place[0][row]) : int(place[1][row])].decode()
        if not is_nothing(text):
            what = f"the log-probability {text[:40]!r} is not a number"
            problems.add(int(line[row]), what, "Write -2.5, or nothing where there is none.")


def _of_documents(source: Source, documents: list[Document]) -> Corpus:
    sizes = [len(one.tokens) for one in documents]
    fields: dict[str, Column] = {LINE: np.array([one.line for one in documents], np.int64)}
    if any(one.id is not None for one in documents):
        fields["id"] = Texts.of(one.id or "" for one in documents)
    if any(one.text is not None for one in documents):
        fields["text"] = Texts.of(one.text or "" for one in documents)
    tokens = Texts.of(token for one in documents for token in one.tokens)
    numbers = np.array([number for one in documents for number in one.numbers], np.float64)
    parent = np.repeat(np.arange(len(documents), dtype=np.int32), sizes)
    return _corpus(source.name, parent, tokens, numbers, fields)


def _of_columns(name: str, columns: TokenColumns) -> Corpus:
    size = columns.n_documents
    fields: dict[str, Column] = {LINE: np.arange(1, size + 1)}
    fields |= {} if columns.ids is None else {"id": Texts.of(columns.ids)}
    return _corpus(name, columns.parent, columns.tokens, columns.numbers, fields)


def _corpus(
    name: str, parent: IntArray, tokens: Texts, numbers: NDArray[np.float64],
    fields: dict[str, Column],
) -> Corpus:  # fmt: skip
    if np.isnan(numbers).all():  # such as a text with a tab at the end of its lines
        mend = f"{_MEND} A text with tabs: --input text."
        raise InputError.at(name, 0, "no token has a log-probability", mend)
    rows = Rows(parent, {TOKEN: tokens, LOGPROB: numbers})
    lines = np.asarray(fields.pop(LINE), np.int64)
    return of_fields(
        name, fields or {"number": np.arange(1.0, len(lines) + 1)}, lines=lines,
        parts={TOKENS: rows}, format="logprobs",
    )  # fmt: skip


def write(corpus: Corpus) -> str:
    """JSON lines with lists, which hold any token; read back, they are the same."""
    if TOKENS not in corpus.parts or LOGPROB not in corpus.parts[TOKENS].fields:
        raise UsageError(
            "logprobs are tokens with log-probabilities, which this corpus does not have"
        )
    rows = corpus.parts[TOKENS]
    ends = np.searchsorted(rows.parent, np.arange(corpus.n_sentences + 1))
    lines = []
    for document in range(corpus.n_sentences):
        known = range(int(ends[document]), int(ends[document + 1]))
        record: dict[str, Any] = {
            key: cell(corpus.fields[key], document)
            for key in ("id", "text")
            if key in corpus.fields
        }
        record[TOKENS] = [cell(rows.fields[TOKEN], row) for row in known]
        record["logprobs"] = [cell(rows.fields[LOGPROB], row) for row in known]
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines)
