"""`conll2012`: coreference as in the CoNLL 2012 shared task, chains in brackets in the last column.

    #begin document (wb/a2e/0001); part 000
    wb/a2e/0001   0   0   Ada      NNP   (0
    wb/a2e/0001   0   1   King     NNP   0)
    wb/a2e/0001   0   2   saw      VBD   -
    wb/a2e/0001   0   3   her      PRP$  (1|(0)
    wb/a2e/0001   0   4   mother   NN    1)

    #end document

Columns are document, part, number of the word, word, part of speech and whatever follows; lemmas
are in the seventh column where there are ten or more. Files of SemEval 2010 (number of the word,
word, lemma, and so on) are recognised by their columns. Files without words (document and chains
only) are read, too: of these, only the lengths of sentences can be compared with the gold standard.
All lines have the same number of columns; only columns of predicates, which follow the fixed ones,
may differ between sentences.

A closing bracket closes the mention of its chain that was opened last. Parts of a document are
documents of their own, called ``name:part`` unless it is part 0; they are written as they were
read, in six columns.

>>> from finegrain.formats.source import source_of
>>> lines = "#begin document (a); part 000\\na 0 0 Ada NNP (0)\\na 0 1 saw VBD -\\n"
>>> lines += "a 0 2 her PRP$ (1|(0)\\na 0 3 mother NN 1)\\n\\n#end document\\n"
>>> corpus = read(source_of("memory", lines.encode()))
>>> [(corpus.clusters.spans.tokens(row), corpus.clusters.names[code])
...  for row, code in enumerate(corpus.clusters.chain.tolist())]
[((0,), '0'), ((2, 3), '1'), ((2,), '0')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Clusters, Corpus, IntArray, Texts
from finegrain.corpus.cells import Columns, Layers
from finegrain.corpus.texts import Stack
from finegrain.errors import Collector, InputError
from finegrain.formats.bracket_columns import mentions
from finegrain.formats.conll2012_layouts import Layout, layout_of
from finegrain.formats.conll2012_writing import END, has_more_columns, part_id, write
from finegrain.formats.fields import Fields, blocks, split
from finegrain.formats.source import Source

__all__ = ["has_more_columns", "looks_like", "read", "write"]

_BEGIN = re.compile(r"#begin document\s*\(?(.*?)\)?\s*(?:;\s*(?:part\s+(\d{1,18}))?\s*)?$")
_NO_WORDS = "the file has no words: only the lengths of sentences are compared with the gold"


def looks_like(source: Source) -> bool:
    """True if the first line with anything in it begins a document."""
    return next((line for line in source.head(400) if line.strip()), "").startswith(
        "#begin document"
    )


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read a CoNLL 2012 file; up to ``limit`` problems are gathered before giving up."""
    problems = Collector(source.name, limit=limit)
    reader = _Reader(source, layout_of(source), problems)
    for data, at in blocks(source):
        reader.block(data, at)
    corpus = reader.corpus()
    problems.raise_any()
    return corpus


class _Reader:
    """Gathers words, documents and cells of chains block by block."""

    def __init__(self, source: Source, layout: Layout, problems: Collector) -> None:
        self.source, self.layout, self.problems = source, layout, problems
        self.lines = 0  # before this block
        self.words = 0
        capacity = (source.end - source.begin) // 4 + 1
        self.line = Stack(capacity, np.int32)  # of each word
        self.width = Stack(capacity)  # of its line, in columns
        kinds = (np.int32, np.uint8)
        self.columns = {
            name: tuple(Stack(capacity, kind) for kind in kinds) for name in layout.columns
        }
        self.cells: list[tuple[IntArray, IntArray, IntArray]] = []  # word, begin and length
        self.documents: dict[str, int] = {}  # names, and lines that begin one
        self.ended = 0

    def block(self, data: NDArray[np.uint8], base: int) -> None:
        """Take in some whole lines that begin at byte ``base``."""
        fields = split(data, "space")
        width = np.diff(fields.first)
        begins = fields.newlines - fields.lengths
        comment = (data.take(begins) == ord("#")) & (fields.lengths > 0)
        words = np.flatnonzero(~comment & (fields.lengths > 0) & (width > 0))
        for line in np.flatnonzero(comment).tolist():
            begin = int(begins[line])
            text = data[begin : begin + int(fields.lengths[line])].tobytes().decode()
            self._comment(text.rstrip(), self.lines + line + 1)
        if len(words):
            self.line.add(words + (self.lines + 1), largest=self.lines + len(width))
            width = width.take(words)
            self.width.add(width, largest=int(width.max()))
            self._cells(fields, words, data, base)
            if int(width.min()) >= self.layout.least:
                self._columns(fields, words, data, base)
        self.words += len(words)
        self.lines += len(begins)

    def _comment(self, text: str, line: int) -> None:
        self.ended += text.startswith(END)
        match = _BEGIN.match(text)
        if match is None:
            return
        name = part_id(match[1], int(match[2] or 0))
        if self.documents.setdefault(name, line) != line:
            what = f"document {name!r} begins on line {self.documents[name]}, too"
            self.problems.add(line, what, "Number its parts: part 000, part 001.")

    def _cells(self, fields: Fields, words: IntArray, data: NDArray[np.uint8], base: int) -> None:
        """Keep the cells of the last column that hold something, which are few."""
        field = fields.first.take(words + 1) - 1
        starts = fields.start(field)
        lengths = fields.end(field) - starts
        filled = np.flatnonzero((lengths > 1) | ~_is_nothing(data.take(starts)))
        self.cells.append((filled + self.words, starts[filled] + base, lengths[filled]))

    def _columns(self, fields: Fields, words: IntArray, data: NDArray[np.uint8], base: int) -> None:
        """Keep where the words stand, and what the file says of them."""
        first = fields.first.take(words)
        for name, (begin, length) in self.columns.items():
            field = first + self.layout.columns[name]
            starts = fields.start(field)
            lengths = fields.end(field) - starts
            begin.add(starts + base, largest=self.source.end)
            length.add(lengths, largest=int(lengths.max()))
        if not self.layout.columns:
            return
        starts = fields.start(first + self.layout.number)
        digit = data.take(starts) - np.uint8(ord("0")) <= 9  # smaller bytes wrap around
        for at in np.flatnonzero(~digit).tolist():
            end = int(fields.ends[first[at] + self.layout.number])
            problem = self.layout.misnumbered(data[int(starts[at]) : end].tobytes().decode())
            self.problems.add(self.lines + int(words[at]) + 1, *problem)

    def corpus(self) -> Corpus:
        """All that was read."""
        if not self.words:
            raise InputError.at(self.source.name, 0, "no words in the file")
        line = self.line.array()
        begins = np.append(True, np.diff(line) > 1)
        offsets = np.append(np.flatnonzero(begins), self.words)
        self._require_documents(int(line[0]))
        self._require_even(offsets, line)
        self.problems.raise_any()
        document = np.searchsorted(list(self.documents.values()), line[offsets[:-1]]) - 1
        kept, number = np.unique(document, return_inverse=True)  # those that have words
        names = tuple(self.documents)
        columns = {name: self._texts(name) for name in self.columns}
        layers = {name: name for name in self.layout.layers if _holds_something(columns[name])}
        return Corpus(
            self.source.name,
            offsets.astype(np.int64),
            columns.get("word"),
            Layers(Columns(columns), layers),
            documents=number.ravel().astype(np.int32),
            document_ids=tuple(names[at] for at in kept.tolist()),
            clusters=self._clusters(offsets, number.ravel(), line),
            notes=tuple(self._notes()),
            lengths_known=True,
        )

    def _require_documents(self, first: int) -> None:
        if first < next(iter(self.documents.values()), first + 1):
            what = "a word precedes the first document"
            self.problems.add(first, what, "Begin with #begin document (name); part 000.")

    def _require_even(self, offsets: IntArray, line: IntArray) -> None:
        """Refuse lines with another number of columns than the others have."""
        width = self.width.array().astype(np.int64)
        if width.min() == width.max():
            return
        expected = np.repeat(width[offsets[:-1]], np.diff(offsets))  # that of the first word
        fixed = self.layout.fixed
        of_file = min(int(width[0]), fixed)
        expected[np.minimum(expected, fixed) != of_file] = width[0]
        for at in np.flatnonzero(width != expected).tolist():
            what = f"expected {expected[at]} columns, found {width[at]}"
            mend = "All lines need the same columns; write - in the last one for no mention."
            self.problems.add(int(line[at]), what, mend)

    def _texts(self, name: str) -> Texts:
        begin, length = self.columns[name]
        return Texts(self.source.buffer, begin.array(), length.array())

    def _clusters(self, offsets: IntArray, document: IntArray, line: IntArray) -> Clusters:
        word, starts, lengths = (np.concatenate(one) for one in zip(*self.cells, strict=True))
        sentence = np.searchsorted(offsets, word, side="right") - 1
        cells = Texts(self.source.buffer, starts, lengths)
        found = mentions(cells, word, sentence, line[word], self.problems)
        sentence = np.searchsorted(offsets, found.first, side="right") - 1
        begin = offsets[sentence]
        return Clusters.contiguous(
            sentence,
            found.first - begin,
            found.last + 1 - begin,
            found.chain,
            document=document[sentence],
            line=found.line,
        )

    def _notes(self) -> Iterator[str]:
        if len(self.documents) != self.ended:
            begun = len(self.documents)
            yield f"{begun} documents begin, {self.ended} end: is the file complete?"
        if not self.columns:
            yield _NO_WORDS


def _is_nothing(byte: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether a cell of one byte says that there is nothing in it."""
    found: NDArray[np.bool_] = (byte == ord("-")) | (byte == ord("_")) | (byte == ord("*"))
    return found


def _holds_something(cells: Texts) -> bool:
    if (cells.lengths > 1).any():
        return True
    data = np.frombuffer(cells.buffer, np.uint8)
    return not bool(_is_nothing(data.take(cells.starts)).all())
