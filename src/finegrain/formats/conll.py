"""`conll`: one token per line, columns, blank lines between sentences.

    New      B-LOC
    York     I-LOC
    sleeps   O

Columns are separated by tabs or, in files without tabs, by runs of spaces; they are counted from
1 or named by a header line. By default the token stands first and the annotation last. Accepted
as they come: a header, comment lines before a sentence, ``-DOCSTART-`` lines (document
boundaries), blank lines with white space in them, CRLF, a byte order mark, a missing last newline,
blanks around annotation in files with tabs (they are taken away and counted).
Quotation marks are ordinary characters.

>>> from finegrain.formats.source import source_of
>>> corpus = read(source_of("memory", b"New B-LOC\\nYork I-LOC\\n"))
>>> corpus.sentence(0), list(corpus.layers["tags"])
(['New', 'York'], ['B-LOC', 'I-LOC'])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Coded, Corpus, IntArray, Texts
from finegrain.corpus.notes import Information
from finegrain.corpus.texts import Coder, Stack
from finegrain.errors import Collector, InputError, UsageError
from finegrain.formats.column_layout import (
    DOCUMENT_START,
    Header,
    Layout,
    cells,
    rivals,
    settle,
    two_annotations,
)
from finegrain.formats.fields import Fields, differences, recycle_memory, split
from finegrain.formats.source import Source
from finegrain.sizes import sized

_BLOCK = 1 << 17  # bytes split at once: the temporaries stay in the processor's cache
_TOKEN, _BREAK, _SKIP, _DOCUMENT = range(4)
_NO_ANNOTATION = "Write O or _ for no annotation."


def looks_like(source: Source) -> bool:
    """Any file whose lines have two or more columns."""
    return any(len(line.split()) > 1 for line in source.head(50))


def read(
    source: Source,
    *,
    columns: Mapping[str, int | str] | None = None,
    header: Header = "auto",
    comment: str | None = None,
    limit: int = 20,
) -> Corpus:
    """Read a column file.

    Parameters
    ----------
    columns: layer name -> column, counted from 1 or named as in the header; ``token`` names the
        words, every other name becomes a layer. Default: token first, layer ``tags`` last.
    header: whether the first line names the columns; ``auto`` recognises usual names
    comment: lines that begin so are comments; by default lines in front of a sentence that
        begin with ``#`` and do not have the expected number of columns; "" means no comments at all
    limit: how many problems to gather before giving up
    """
    layout = settle(source, columns, header, comment)
    if layout.rivals:
        return _side_by_side(source, layout, limit)
    return _read(source, layout, limit)


def _read(source: Source, layout: Layout, limit: int) -> Corpus:
    problems = Collector(source.name, limit=limit)
    reader = _Reader(source, layout, problems)
    data = np.frombuffer(source.buffer, np.uint8)
    recycle_memory()
    at = _skip_header(source, layout)
    while at < source.end:
        stop = source.buffer.find(b"\n", min(at + _BLOCK, source.end - 1)) + 1
        reader.block(data[at:stop], at)
        at = stop
    problems.raise_any()
    return reader.corpus()


def _side_by_side(source: Source, layout: Layout, limit: int) -> Corpus:
    """A file in which other columns than the last look like its tags.

    If the whole of the file says that it is so, the last two are the layers ``gold`` and
    ``answer``, and the corpus has no ``tags`` until somebody decides.
    """
    last = layout.columns["tags"]
    named = {f"column {column + 1}": column for column in layout.rivals} | {"tags": last}
    corpus = _read(source, layout._replace(columns={"token": 0, **named}), limit)
    counted = {column: _counts(corpus.layers[name]) for name, column in named.items()}
    found = rivals(counted, whole=True)
    if not found:
        return replace(corpus, layers={"tags": corpus.layers["tags"]})
    problem = two_annotations(source, (*found, last))
    if found != (last - 1,):
        raise InputError([problem])
    layers = {"gold": corpus.layers[f"column {last}"], "answer": corpus.layers["tags"]}
    return replace(corpus, layers=layers, undecided=problem)


def _counts(column: Coded) -> Counter[str]:
    return Counter(dict(zip(column.names, column.counts().tolist(), strict=True)))


def write(corpus: Corpus, *, layers: Sequence[str] = ("tags",)) -> str:
    """The corpus as tab-separated columns: token, then the layers; read back, it is the same."""
    if corpus.tokens is None:
        raise UsageError("this corpus has no text, so it cannot be written as columns")
    starts = set(corpus.offsets[:-1].tolist())
    documents = _first_sentences(corpus)
    rows = zip(
        corpus.tokens.slice(0, corpus.n_tokens),
        *(corpus.layers[name] for name in layers),
        strict=True,
    )
    lines: list[str] = []
    for token, row in enumerate(rows):
        if token in starts:
            if token:
                lines.append("")
            if token in documents:
                lines += ["\t".join(["-DOCSTART-", *["O"] * len(layers)]), ""]
        lines.append("\t".join(row))
    return "\n".join(lines) + "\n"


def _first_sentences(corpus: Corpus) -> set[int]:
    """Tokens with which a document begins."""
    if corpus.documents is None:
        return set()
    changes = np.flatnonzero(np.diff(corpus.documents, prepend=-1))
    return set(corpus.offsets[changes].tolist())


def _skip_header(source: Source, layout: Layout) -> int:
    """Where the first line of data begins."""
    if layout.header is None:
        return source.begin
    at = source.begin
    while True:  # comments and blank lines may stand before the header
        stop = source.buffer.find(b"\n", at) + 1
        line = source.buffer[at : stop - 1].decode()
        if cells(line, layout.separator) == layout.header:
            return stop
        at = stop


def _padded(value: str) -> bool:
    return value[0] == " " or value[-1] == " "


class _Reader:
    """Gathers the columns of a file block by block."""

    def __init__(self, source: Source, layout: Layout, problems: Collector) -> None:
        self.source = source
        self.layout = layout
        self.problems = problems
        capacity = (source.end - source.begin) // 4 + 1  # two columns take four bytes or more
        self.starts = Stack(capacity, np.int32)
        self.lengths = Stack(capacity)
        self.layers = {
            name: Coder(source.buffer, capacity=capacity)
            for name in layout.columns
            if name != "token"
        }
        self.first: list[IntArray] = []  # tokens that begin a sentence
        self.marks: list[IntArray] = []  # how many document starts stand before each of them
        self.tokens = 0  # so far
        self.documents = 0
        self.broken = True  # a sentence has ended since the last token
        self.comments = 0
        # its first byte is a common token: looking for the second is faster
        self.has_documents = source.buffer.find(DOCUMENT_START[1:]) > 0
        self.between = True  # the last line was no token, so a comment may follow
        self.counted = (0, 0)  # bytes, and the lines in them

    def block(self, data: NDArray[np.uint8], base: int) -> None:
        """Take in some whole lines that begin at byte ``base``."""
        fields = split(data, self.layout.separator)
        counts = np.diff(fields.first)
        kind = np.full(len(counts), _TOKEN, np.int8)
        odd = counts != self.layout.width
        length = fields.lengths
        kind[length == 0] = _BREAK
        odd[length == 0] = False
        if self.layout.comment:
            odd |= self._begin_with(fields, counts, data, self.layout.comment)
        if self.has_documents or self.layout.separator == "tab":
            starts = fields.newlines - fields.lengths
            byte = data.take(starts)
            if self.layout.separator == "tab":  # white space may have the right number of tabs
                odd |= ((byte == 9) | (byte == 32)) & (length > 0)
            if self.has_documents:
                documents = self._documents(np.flatnonzero(byte == DOCUMENT_START[0]), starts, data)
                kind[documents] = _DOCUMENT
                odd[documents] = False
        self._odd_lines(np.flatnonzero(odd), kind, fields, data, base)
        self._tokens(np.flatnonzero(kind == _TOKEN), kind, fields, base)

    def corpus(self) -> Corpus:
        """All that was read."""
        if not self.tokens:
            raise InputError.at(self.source.name, 0, "the file has no tokens")
        layers = {name: coder.finish() for name, coder in self.layers.items()}
        corpus = Corpus(
            self.source.name,
            np.append(np.concatenate(self.first), self.tokens),
            Texts(self.source.buffer, self.starts.array(), self.lengths.array()),
            layers,
            documents=self._document_numbers(),
            notes=self._notes(),
        )
        padded = [name for name, layer in layers.items() if any(map(_padded, layer.names))]
        return self._stripped(corpus, padded) if padded else corpus

    def _stripped(self, corpus: Corpus, padded: list[str]) -> Corpus:
        """The same corpus without blanks around the values of some layers."""
        layers, notes = dict(corpus.layers), list(corpus.notes)
        for name in padded:
            layer = corpus.layers[name]
            found = np.array([_padded(value) for value in layer.names], bool)[layer.codes]
            new = Coded.of(value.strip(" ") for value in layer.names)
            if "" in new.names:
                token = int(np.argmax(new.codes[layer.codes] == new.names.index("")))
                what = f"column {self.layout.columns[name] + 1} ({name}) is blank"
                raise InputError.at(corpus.source, corpus.line(token), what, _NO_ANNOTATION)
            layers[name] = Coded(new.codes[layer.codes], new.names)
            count = sized(int(np.count_nonzero(found)), "value")
            notes.append(f"blanks around {count} of the layer {name!r} taken away")
        return replace(corpus, layers=layers, notes=tuple(notes))

    def _document_numbers(self) -> IntArray | None:
        if not self.documents:
            return None
        _, numbers = np.unique(np.concatenate(self.marks), return_inverse=True)
        return np.asarray(numbers, np.int32)

    def _notes(self) -> tuple[str, ...]:
        notes = []
        if self.layout.header is not None:
            notes.append(Information("header line: " + ", ".join(self.layout.header)))
        if self.comments:
            notes.append(Information(f"{self.comments} comment lines passed over"))
        return tuple(notes)

    def _line_number(self, base: int, line: int) -> int:
        at, lines = self.counted
        if at < base:
            self.counted = base, lines + self.source.buffer.count(b"\n", at, base)
        return self.counted[1] + line + 1

    def _line(self, fields: Fields, data: NDArray[np.uint8], line: int) -> str:
        begin = int(fields.newlines[line - 1]) + 1 if line else 0
        return data[begin : int(fields.newlines[line])].tobytes().decode()

    def _odd_lines(
        self, lines: IntArray, kind: IntArray, fields: Fields, data: NDArray[np.uint8], base: int
    ) -> None:
        """Lines that may be no tokens: white space, comments, or faults."""
        for line in lines.tolist():
            text = self._line(fields, data, line)
            found = len(cells(text, self.layout.separator))
            between = kind[line - 1] != _TOKEN if line else self.between
            if not text.strip(" \t"):
                kind[line] = _BREAK
            elif self._is_comment(text, between=between):
                kind[line] = _SKIP
                self.comments += 1
            elif found == self.layout.width:
                continue  # a token that begins with white space
            else:
                kind[line] = _SKIP
                what = f"expected {self.layout.width} {self.layout.separator}-separated columns"
                self.problems.add(
                    self._line_number(base, line),
                    f"{what}, found {found}",
                    "Columns must not be empty; a blank line ends a sentence.",
                )
        self.between = bool(len(kind) and kind[-1] != _TOKEN)

    def _is_comment(self, text: str, *, between: bool) -> bool:
        prefix = self.layout.comment
        if prefix is None:
            return between and text.startswith("#")
        return bool(prefix) and text.startswith(prefix)

    def _begin_with(
        self, fields: Fields, counts: IntArray, data: NDArray[np.uint8], prefix: str
    ) -> NDArray[np.bool_]:
        """Lines that begin with the comment prefix the user gave."""
        wanted = np.frombuffer(prefix.encode(), np.uint8)
        begins = np.concatenate([[0], fields.newlines[:-1] + 1])
        found = np.ones(len(counts), bool)
        for place, byte in enumerate(wanted):
            found &= data[np.minimum(begins + place, len(data) - 1)] == byte
        return found

    def _documents(self, lines: IntArray, starts: IntArray, data: NDArray[np.uint8]) -> list[int]:
        """Which of some lines begin a document."""
        size = len(DOCUMENT_START)
        return [
            line
            for line, at in zip(lines.tolist(), starts[lines].tolist(), strict=True)
            if data[at : at + size].tobytes() == DOCUMENT_START
        ]

    def _tokens(self, lines: IntArray, kind: IntArray, fields: Fields, base: int) -> None:
        """Keep the tokens and code the layers of a block's token lines."""
        first = fields.first.take(lines)
        for name, column in self.layout.columns.items():
            field = first + column
            starts = fields.start(field)
            lengths = fields.end(field) - starts
            starts += base
            if not lengths.all():
                self._empty_fields(name, lines[lengths == 0], base)
            if name == "token":
                self.starts.add(starts, largest=self.source.end)
                self.lengths.add(lengths, largest=int(lengths.max(initial=0)))
            elif len(lines):
                self.layers[name].add(starts, lengths)
        self._sentences(lines, kind)

    def _empty_fields(self, name: str, lines: IntArray, base: int) -> None:
        column = self.layout.columns[name] + 1
        what = "the token" if name == "token" else f"column {column} ({name})"
        for line in lines.tolist():
            self.problems.add(self._line_number(base, line), f"{what} is empty", _NO_ANNOTATION)

    def _sentences(self, lines: IntArray, kind: IntArray) -> None:
        """Find the tokens of a block that begin a sentence: those behind a break."""
        marks = np.flatnonzero(kind == _DOCUMENT) if self.has_documents else lines[:0]
        if len(lines):
            behind = np.flatnonzero(differences(lines, -1) > 1)  # some line stands between
            if self.broken and (not len(behind) or behind[0]):
                behind = np.append(0, behind)
            first = self._behind_breaks(behind, lines, kind)
            self.first.append(first + self.tokens)
            if self.has_documents:
                self.marks.append(np.searchsorted(marks, lines[first]) + self.documents)
        last = int(lines[-1]) if len(lines) else -1
        left = kind[last + 1 :]
        ended = bool(((left == _BREAK) | (left == _DOCUMENT)).any())
        self.broken = ended or (self.broken and not len(lines))
        self.tokens += len(lines)
        self.documents += len(marks)

    def _behind_breaks(self, behind: IntArray, lines: IntArray, kind: IntArray) -> IntArray:
        """Those of some tokens that a sentence break, not only comments, parts from the last."""
        if not (kind == _SKIP).any():
            return behind
        breaks = np.flatnonzero((kind == _BREAK) | (kind == _DOCUMENT))
        last = np.where(behind > 0, lines[behind - 1], -1)
        ended = np.searchsorted(breaks, lines[behind]) > np.searchsorted(breaks, last)
        kept: IntArray = behind[ended | ((behind == 0) & self.broken)]
        return kept
