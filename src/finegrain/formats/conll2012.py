"""`conll2012`: coreference as in the CoNLL 2012 shared task, chains in brackets in the last column.

    #begin document (wb/a2e/0001); part 000
    wb/a2e/0001   0   0   Ada      NNP   (0
    wb/a2e/0001   0   1   King     NNP   0)
    wb/a2e/0001   0   2   saw      VBD   -
    wb/a2e/0001   0   3   her      PRP$  (1|(0)
    wb/a2e/0001   0   4   mother   NN    1)

    #end document

Columns are document, part, number of the word, word, part of speech and whatever follows; lemmas
are in the seventh column where there are ten or more. Files without words (document and chains
only) are read, too. A closing bracket closes the mention of its chain that was opened last. Parts
of a document are documents of their own, called ``name:part`` unless it is part 0; they are written
as they were read, in six columns.

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

from finegrain.corpus import Clusters, Coded, Corpus, IntArray, Texts
from finegrain.corpus.clusters import WORD, ClustersBuilder
from finegrain.errors import Collector, InputError
from finegrain.formats.brackets import Bracket, brackets
from finegrain.formats.chain_limits import chains_of, require, require_plain
from finegrain.formats.fields import Fields, split
from finegrain.formats.source import Source

_BEGIN = re.compile(r"#begin document\s*\(?(.*?)\)?\s*(?:;\s*(?:part\s+(\d+))?\s*)?$")
_END = b"#end document"
_NUMBERED = re.compile(r".+:[1-9][0-9]{0,8}(?::0)*")  # what the name of a part may look like
_LAYERS = {"xpos": 4, "lemma": 6}  # column from 0; the last column is never one of them
_WORD_COLUMN = 3
_NOTHING = {"-", "_", "*"}
_WRITTEN = 6
_WIDE = 10  # so many columns have a lemma in the seventh


def looks_like(source: Source) -> bool:
    """True if the first line with anything in it begins a document."""
    return next((line for line in source.head(400) if line.strip()), "").startswith(
        "#begin document"
    )


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read a CoNLL 2012 file; up to ``limit`` problems are gathered before giving up."""
    data = np.frombuffer(source.buffer, np.uint8)[source.begin : source.end]
    reader = _Reader(source, split(data, "space"), data, Collector(source.name, limit=limit))
    corpus = reader.corpus()
    reader.problems.raise_any()
    return corpus


class _Reader:
    """The lines of a file: what they are, and the mentions on them."""

    def __init__(
        self, source: Source, fields: Fields, data: NDArray[np.uint8], problems: Collector
    ) -> None:
        self.source, self.fields, self.data, self.problems = source, fields, data, problems
        begins = fields.newlines - fields.lengths
        self.counts = np.diff(fields.first)
        self.comment = (data.take(begins, mode="clip") == ord("#")) & (fields.lengths > 0)
        self.is_word = ~self.comment & (self.counts > 0) & ~self._blank()
        self.words = np.flatnonzero(self.is_word)
        if not len(self.words):
            raise InputError.at(source.name, 0, "no words in the file")
        self.documents: list[int] = []  # lines that begin one
        self.names: list[str] = []
        self._find_documents()

    def _blank(self) -> NDArray[np.bool_]:
        """Lines with one field of no length."""
        field = self.fields.first[:-1]
        last = np.minimum(field, max(len(self.fields.ends) - 1, 0))
        empty: NDArray[np.bool_] = (self.counts == 1) & (
            self.fields.end(last) == self.fields.start(last)
        )
        return empty

    def _line(self, line: int) -> str:
        end = int(self.fields.newlines[line])
        return self.data[end - int(self.fields.lengths[line]) : end].tobytes().decode()

    def _find_documents(self) -> None:
        seen: dict[str, int] = {}
        for line in np.flatnonzero(self.comment).tolist():
            match = _BEGIN.match(self._line(line).rstrip())
            if match is None:
                continue
            name = _id(match[1], int(match[2] or 0))
            if seen.setdefault(name, line) != line:
                what = f"document {name!r} begins on line {seen[name] + 1}, too"
                self.problems.add(line + 1, what, "Number its parts: part 000, part 001.")
            self.documents.append(line)
            self.names.append(name)
        first = int(self.words[0])
        if not self.documents or first < self.documents[0]:
            what = "a word stands before the first document"
            self.problems.add(first + 1, what, "Begin with #begin document (name); part 000.")
        self.problems.raise_any()

    def corpus(self) -> Corpus:
        """All that was read."""
        document = np.searchsorted(self.documents, self.words) - 1  # of each word
        breaks = np.cumsum(~self.is_word).take(self.words)
        begins = np.append(True, np.diff(breaks) > 0)
        offsets = np.append(np.flatnonzero(begins), len(self.words))
        builder = ClustersBuilder()
        self._mentions(builder, np.cumsum(begins) - 1, offsets, document)
        clusters = builder.clusters()
        kept = np.unique(document)  # documents without words are none
        number = np.searchsorted(kept, document[offsets[:-1]])
        return Corpus(
            self.source.name,
            offsets.astype(np.int64),
            self._texts(),
            self._layers(),
            documents=number.astype(np.int32),
            document_ids=tuple(self.names[at] for at in kept.tolist()),
            clusters=clusters,
            notes=tuple(self._notes()),
        )

    def _notes(self) -> Iterator[str]:
        begun = len(self.documents)
        ended = sum(
            self._line(at).startswith(_END.decode()) for at in np.flatnonzero(self.comment).tolist()
        )
        if begun != ended:
            yield f"{begun} documents begin, {ended} end: is the file complete?"

    def _column(self, column: int) -> tuple[IntArray, IntArray] | None:
        """Where a column begins and how long it is; ``None`` if some line does not have it."""
        if (self.counts[self.words] <= column + 1).any():  # the last column has the chains
            return None
        field = self.fields.first.take(self.words) + column
        starts = self.fields.start(field)
        return starts + self.source.begin, self.fields.end(field) - starts

    def _texts(self) -> Texts | None:
        found = self._column(_WORD_COLUMN)
        if found is None:
            return None
        starts, lengths = found
        return Texts(self.source.buffer, starts, lengths)

    def _layers(self) -> dict[str, Coded]:
        layers = {}
        for name, column in _LAYERS.items():
            found = self._column(max(column, _WIDE - 2 if name == "lemma" else column))
            if found is None:
                continue
            texts = Texts(self.source.buffer, *(self._column(column) or found))
            coded = Coded.of(texts[at] for at in range(len(self.words)))
            if not _NOTHING.issuperset(coded.names):
                layers[name] = coded
        return layers

    def _mentions(
        self, builder: ClustersBuilder, sentence: IntArray, offsets: IntArray, document: IntArray
    ) -> None:
        """Read the brackets in the last column; nearly all of its cells are empty."""
        field = self.fields.first.take(self.words + 1) - 1
        starts, ends = self.fields.start(field), self.fields.end(field)
        plain = (ends - starts == 1) & np.isin(self.data.take(starts), [ord("-"), ord("_")])
        open_at: dict[str, list[_Open]] = {}
        opened: list[_Open] = []
        now = -1
        for word in np.flatnonzero(~plain).tolist():
            if int(sentence[word]) != now:
                self._close(opened, open_at, builder)
                opened, open_at, now = [], {}, int(sentence[word])
            line = int(self.words[word])
            cell = self.data[starts[word] : ends[word]].tobytes().decode()
            place = word - int(offsets[now])
            for bracket in self._brackets(cell, line):
                if bracket.opens:
                    mention = _Open(now, place, (int(document[word]), bracket.name), line + 1)
                    opened.append(mention)
                    open_at.setdefault(bracket.name, []).append(mention)
                if bracket.closes:
                    waiting = open_at.get(bracket.name)
                    if not waiting:
                        what = f"{bracket.name}) closes a mention that was not opened here"
                        self.problems.add(line + 1, what, "A mention ends in its own sentence.")
                        continue
                    waiting.pop().end = place
        self._close(opened, open_at, builder)

    def _brackets(self, cell: str, line: int) -> list[Bracket]:
        found = [] if cell in _NOTHING else brackets(cell)
        if found is None:
            what = f"{cell[:40]!r} in the last column opens or closes nothing"
            self.problems.add(line + 1, what, "Write (3, 3), (3) or - for no mention.")
        return found or []

    def _close(
        self, opened: list[_Open], open_at: dict[str, list[_Open]], builder: ClustersBuilder
    ) -> None:
        """The end of a sentence: take in its mentions in the order in which they were opened."""
        for mention in (one for waiting in open_at.values() for one in waiting):
            what = f"({mention.chain[1]} opens a mention that its sentence does not close"
            self.problems.add(mention.line, what, f"Write {mention.chain[1]}) at its last word.")
        for one in opened:
            words = range((one.begin + 1) * WORD, (one.end + 2) * WORD, WORD)
            if words:
                builder.add(one.sentence, tuple(words), one.chain, line=one.line)


class _Open:
    """A mention whose end is not known yet."""

    __slots__ = ("begin", "chain", "end", "line", "sentence")

    def __init__(self, sentence: int, begin: int, chain: tuple[int, str], line: int) -> None:
        self.sentence, self.begin, self.chain, self.line = sentence, begin, chain, line
        self.end = begin - 1  # nothing, until it is closed


def has_more_columns(corpus: Corpus) -> bool:
    """Whether the line of its first word has more than the six columns that ``write`` writes."""
    if corpus.tokens is None:
        return False
    buffer, at = corpus.tokens.buffer, int(corpus.tokens.starts[0])
    line = buffer[buffer.rfind(b"\n", 0, at) + 1 : max(buffer.find(b"\n", at), at)]
    return len(line.split()) > _WRITTEN


def _id(name: str, part: int) -> str:
    """A part of a document by one name; those of part 0 are called as the document is.

    >>> _id("a", 0), _id("a", 1), _id("a:1", 0)
    ('a', 'a:1', 'a:1:0')
    """
    return f"{name}:{part}" if part or _NUMBERED.fullmatch(name) else name


def _name_and_part(identifier: str) -> tuple[str, int]:
    """The document and its part, of which ``_id`` makes one name.

    >>> _name_and_part("a"), _name_and_part("a:1"), _name_and_part("a:1:0"), _name_and_part("a:0")
    (('a', 0), ('a', 1), ('a:1', 0), ('a:0', 0))
    """
    name, _, part = identifier.rpartition(":")
    return (name, int(part)) if _NUMBERED.fullmatch(identifier) else (identifier, 0)


def write(corpus: Corpus) -> str:
    """The corpus in six columns: document, part, number, word, part of speech, chains."""
    cells = _cells(corpus, chains_of(corpus, "conll2012"))
    words = corpus.tokens.slice(0, corpus.n_tokens) if corpus.tokens is not None else []
    tags = list(corpus.layers["xpos"]) if "xpos" in corpus.layers else ["-"] * len(words)
    lines: list[str] = []
    last = None
    offsets = corpus.offsets.tolist()
    for sentence in range(corpus.n_sentences):
        document = str(corpus.document_of(sentence) or "document")
        name, part = _name_and_part(document)
        if document != last:
            lines += [] if last is None else [_END.decode()]
            lines.append(f"#begin document ({name}); part {part:03d}")
            last = document
        begin, end = offsets[sentence], offsets[sentence + 1]
        lines += (
            f"{name}\t{part}\t{at - begin}\t{words[at]}\t{tags[at]}\t{'|'.join(cells[at]) or '-'}"
            for at in range(begin, end)
        )
        lines.append("")
    return "\n".join([*lines, _END.decode()]) + "\n"


def _cells(corpus: Corpus, clusters: Clusters) -> list[list[str]]:
    """The brackets of every word: longer mentions open first and close last."""
    spans = clusters.spans
    require_plain(corpus, clusters, "conll2012")
    opening: list[list[str]] = [[] for _ in range(corpus.n_tokens)]
    closing: list[list[str]] = [[] for _ in range(corpus.n_tokens)]
    start = corpus.offsets[spans.sentence]
    first, last = start + spans.begin, start + spans.end - 1
    names = [clusters.names[code] for code in clusters.chain.tolist()]
    for row in np.lexsort((spans.end, -spans.begin, -spans.sentence)).tolist():
        begin, end = int(first[row]), int(last[row])
        if begin == end:
            opening[begin].append(f"({names[row]})")
            continue
        opening[begin].insert(0, f"({names[row]}")
        closing[end].append(f"{names[row]})")
    require(
        corpus, _nested(clusters.chain, first, last),
        "conll2012 cannot hold mentions of one chain that cross each other",
        "Write clusters: --to clusters.",
    )  # fmt: skip
    return [[*closed, *opened] for opened, closed in zip(opening, closing, strict=True)]


def _nested(chain: IntArray, first: IntArray, last: IntArray) -> NDArray[np.bool_]:
    """``[mention]`` none for one that crosses another of its chain: which bracket ends first?"""
    fits = np.ones(len(chain), bool)
    order = np.lexsort((-last, first, chain))
    open_ends: list[int] = []
    before = -1
    for row in order.tolist():
        if chain[row] != before:
            before, open_ends = int(chain[row]), []
        while open_ends and open_ends[-1] < first[row]:
            open_ends.pop()
        fits[row] = not (open_ends and open_ends[-1] < last[row])
        open_ends.append(int(last[row]))
    return fits
