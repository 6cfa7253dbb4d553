"""`conllu`: Universal Dependencies, one word per line in ten tab-separated columns.

    # newdoc id = weblog-17
    # sent_id = weblog-17-1
    1-2   don't   _    _      _     _              _   _        _   _
    1     do      do   AUX    VBP   Tense=Pres     3   aux      _   _
    2     n't     not  PART   RB    Polarity=Neg   3   advmod   _   _
    3     know    know VERB   VB    VerbForm=Inf   0   root     _   _

The columns become the layers ``lemma``, ``upos``, ``xpos`` and ``feats``; ``tags`` is another name
of ``upos``. HEAD and DEPREL are not decoded before the task ``dependencies`` asks for them. Words
are what counts: lines of multi-word tokens (``1-2``, kept for the text they stand for) and empty
nodes (``8.1``, passed over) are counted in a note. Words of a sentence must be numbered 1, 2, 3 and
so on, so that a lost line or a lost blank line is noticed. Documents begin at ``# newdoc``.

>>> from finegrain.formats.source import source_of
>>> lines = b"1\\tdo\\tdo\\tAUX" + b"\\t_" * 6 + b"\\n2\\tn't\\tnot\\tPART" + b"\\t_" * 6 + b"\\n"
>>> corpus = read(source_of("memory", lines))
>>> corpus.sentence(0), list(corpus.layers["upos"]), list(corpus.layers["lemma"])
(['do', "n't"], ['AUX', 'PART'], ['do', 'not'])
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Coded, Corpus, IntArray, Spans, Texts
from finegrain.corpus.texts import Coder, Stack
from finegrain.errors import Collector, InputError, UsageError
from finegrain.formats.fields import Fields, split
from finegrain.formats.source import Source

WIDTH = 10
COLUMNS = {"lemma": 2, "upos": 3, "xpos": 4, "feats": 5}  # layer -> column, from 0
_FORM, _HEAD, _MISC = 1, 6, 9
_BLOCK = 1 << 17  # bytes split at once: the temporaries stay in the processor's cache
_DIGITS = 9  # no sentence is longer
_RANGE = re.compile(rb"[1-9][0-9]{0,8}-[1-9][0-9]{0,8}\Z")
_EMPTY_NODE = re.compile(rb"[0-9]{1,9}\.[1-9][0-9]{0,8}\Z")
_NEW_DOCUMENT = re.compile(r"#\s*newdoc\b(?:\s+id\s*=(.*))?", re.DOTALL)
_SENTENCE = re.compile(r"^#\s*sent_id\s*=\s*(.{1,80})", re.MULTILINE)
_WORD, _BREAK, _COMMENT, _OTHER = range(4)


def looks_like(source: Source) -> bool:
    """True if the first line that is no comment has ten columns and begins with a word's number."""
    plain = (line for line in source.head(400) if line.strip() and not line.startswith("#"))
    cells = next(plain, "").split("\t")
    first = cells[0].encode()
    number = first.isdigit() or _RANGE.match(first) or _EMPTY_NODE.match(first)
    return len(cells) == WIDTH and bool(number)


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read a CoNLL-U file; up to ``limit`` problems are gathered before giving up."""
    reader = _Reader(source, Collector(source.name, limit=limit))
    data = np.frombuffer(source.buffer, np.uint8)
    at = source.begin
    while at < source.end:
        stop = source.buffer.find(b"\n", min(at + _BLOCK, source.end - 1)) + 1
        reader.block(data[at:stop], at)
        at = stop
    reader.problems.raise_any()
    return reader.corpus()


class _MultiWord(NamedTuple):
    """A token of several words: its first word in the file, its range as written, its form."""

    first: int
    begin: int
    end: int
    form: str


class _Reader:
    """Gathers the words of a file block by block."""

    def __init__(self, source: Source, problems: Collector) -> None:
        self.source = source
        self.problems = problems
        capacity = (source.end - source.begin) // (2 * WIDTH) + 1
        self.starts = Stack(capacity, np.int32)
        self.lengths = Stack(capacity)
        self.layers = {name: Coder(source.buffer, capacity=capacity) for name in COLUMNS}
        self.further_starts = Stack(capacity, np.int32)  # of HEAD, DEPREL, DEPS and MISC in one
        self.further_lengths = Stack(capacity)
        self.joined: list[_MultiWord] = []
        self.first: list[IntArray] = []  # words that begin a sentence
        self.marks: list[IntArray] = []  # how many document starts stand before each of them
        self.names: list[str] = []  # of documents, "" without one
        self.has_documents = source.buffer.find(b"newdoc") >= 0  # a search per block is quadratic
        self.words = 0  # so far
        self.number = 0  # of the last word in its sentence; 0 behind a blank line
        self.ranges: list[int] = []  # lines of multi-word tokens in this block
        self.empty_nodes = 0
        self.lines = 0  # before this block
        self.begins = np.empty(0, np.int64)  # where its lines begin in the buffer

    def block(self, data: NDArray[np.uint8], base: int) -> None:
        """Take in some whole lines that begin at byte ``base``."""
        fields = split(data, "tab")
        self.begins = fields.newlines - fields.lengths + base
        kind = self._kinds(fields, data)
        numbers = self._numbers(kind, fields, data)
        words = np.flatnonzero(kind == _WORD)
        self._multiword(words, fields, data)
        self._sentences(words, numbers, kind, self._documents(kind, fields, data))
        first = fields.first.take(words)
        for name, column in ({"form": _FORM} | COLUMNS).items():
            starts = fields.start(first + column)
            lengths = fields.end(first + column) - starts
            starts += base
            for line in words[lengths == 0].tolist():
                self._fault(line, f"column {column + 1} ({name}) is empty", "Write _ for nothing.")
            if name == "form":
                self.starts.add(starts, largest=self.source.end)
                self.lengths.add(lengths, largest=int(lengths.max(initial=0)))
            elif len(words):
                self.layers[name].add(starts, lengths)
        starts = fields.start(first + _HEAD)
        lengths = fields.end(first + _MISC) - starts
        self.further_starts.add(starts + base, largest=self.source.end)
        self.further_lengths.add(lengths, largest=int(lengths.max(initial=0)))
        self.words += len(words)
        self.lines += len(kind)

    def _kinds(self, fields: Fields, data: NDArray[np.uint8]) -> NDArray[np.int8]:
        """What each line is; lines without ten columns are told and passed over."""
        begins = fields.newlines - fields.lengths
        counts = np.diff(fields.first)
        kind = np.full(len(counts), _WORD, np.int8)
        kind[fields.lengths == 0] = _BREAK
        kind[(data.take(begins) == ord("#")) & (fields.lengths > 0)] = _COMMENT
        for line in np.flatnonzero((kind == _WORD) & (counts != WIDTH)).tolist():
            if not _line(fields, data, line).strip():
                kind[line] = _BREAK
                continue
            kind[line] = _OTHER
            what = f"expected {WIDTH} tab-separated columns, found {counts[line]}"
            self._fault(line, what, "Write _ for an empty column; a blank line ends a sentence.")
        return kind

    def _numbers(
        self, kind: NDArray[np.int8], fields: Fields, data: NDArray[np.uint8]
    ) -> NDArray[np.int64]:
        """The numbers of words by their IDs; lines that are no words become ``_OTHER``."""
        lines = np.flatnonzero(kind == _WORD)
        field = fields.first.take(lines)
        begins, lengths = fields.start(field), fields.end(field) - fields.start(field)
        plain = (lengths > 0) & (lengths <= _DIGITS)
        numbers = np.zeros(len(lines), np.int64)
        for place in range(min(int(lengths.max(initial=0)), _DIGITS)):
            digit = data.take(begins + place, mode="clip").astype(np.int64) - ord("0")
            here = place < lengths
            plain &= ~here | ((digit >= 0) & (digit <= 9))
            numbers = np.where(here, numbers * 10 + digit, numbers)
        kind[lines[~plain]] = _OTHER
        for row in np.flatnonzero(~plain).tolist():
            begin = int(begins[row])
            self._no_word(data[begin : begin + int(lengths[row])].tobytes(), int(lines[row]))
        return numbers[plain]

    def _no_word(self, identifier: bytes, line: int) -> None:
        """Count a line whose ID is no number."""
        if _RANGE.match(identifier):
            self.ranges.append(line)
        elif _EMPTY_NODE.match(identifier):
            self.empty_nodes += 1
        else:
            self._fault(
                line, f"{_quoted(identifier)} is no ID of a word",
                "IDs are 1, 2, 3; 1-2 for a multi-word token; 1.1 for an empty node.",
            )  # fmt: skip

    def _multiword(self, words: IntArray, fields: Fields, data: NDArray[np.uint8]) -> None:
        """Keep the multi-word tokens of a block: they stand in front of their first word."""
        if not self.ranges:
            return
        before = (np.searchsorted(words, self.ranges) + self.words).tolist()
        field = fields.first.take(self.ranges)
        starts = fields.start(field).tolist()
        stops = fields.end(field + _FORM).tolist()
        text = data.tobytes()
        for line, word, start, stop in zip(self.ranges, before, starts, stops, strict=True):
            identifier, form = text[start:stop].decode().split("\t")
            begin, end = map(int, identifier.split("-"))
            if end < begin:
                self._fault(line, f"{identifier} is no range of words", "A range is 1-2, say.")
            self.joined.append(_MultiWord(word, begin, end, form))
        self.ranges.clear()

    def _documents(
        self, kind: NDArray[np.int8], fields: Fields, data: NDArray[np.uint8]
    ) -> IntArray:
        """Lines with which documents begin; their names are kept."""
        found = []
        if not self.has_documents:
            return np.empty(0, np.int64)
        for line in np.flatnonzero(kind == _COMMENT).tolist():
            match = _NEW_DOCUMENT.match(_line(fields, data, line))
            if not match:
                continue
            found.append(line)
            self.names.append((match[1] or "").strip())
            before = np.flatnonzero(kind[:line] <= _BREAK)  # words and blank lines
            inside = kind[before[-1]] == _WORD if len(before) else self.number > 0
            if inside:
                what = "a document begins inside of a sentence"
                self._fault(line, what, "A blank line ends a sentence.")
        return np.array(found, np.int64)

    def _sentences(
        self, words: IntArray, numbers: IntArray, kind: NDArray[np.int8], documents: IntArray
    ) -> None:
        """Find the words that begin a sentence, and check how words are numbered."""
        breaks = np.cumsum(kind == _BREAK)
        begins = np.diff(breaks.take(words), prepend=0) > 0
        if len(words) and not self.number:
            begins[0] = True
        first = np.flatnonzero(begins)
        self.first.append(first + self.words)
        known = len(self.names) - len(documents)
        self.marks.append(np.searchsorted(documents, words[first]) + known)
        place = np.arange(1, len(words) + 1)  # in its sentence
        start = np.maximum.accumulate(np.where(begins, place - 1, -self.number))
        expected = place - start
        off = numbers - expected
        new = off != np.where(begins, 0, np.append(0, off[:-1]))
        for row in np.flatnonzero(new).tolist():  # one lost line is one problem
            self._fault(
                int(words[row]),
                f"the word's ID is {numbers[row]} where {expected[row]} comes next",
                "Words of a sentence count from 1; a blank line ends a sentence.",
            )
        if len(words):
            self.number = int(expected[-1])
        last = int(words[-1]) if len(words) else -1
        if (kind[last + 1 :] == _BREAK).any():
            self.number = 0

    def _fault(self, line: int, what: str, mend: str) -> None:
        name = self._sentence_name(int(self.begins[line]))
        place = f" (sentence {name})" if name else ""
        self.problems.add(self.lines + line + 1, what + place, mend)

    def _sentence_name(self, at: int) -> str:
        """The sent_id of the sentence at a byte, if it has one."""
        begin = self.source.buffer.rfind(b"\n\n", 0, at) + 1
        found = _SENTENCE.search(self.source.buffer[begin:at].decode())
        return found[1] if found else ""

    def corpus(self) -> Corpus:
        """All that was read."""
        if not self.words:
            raise InputError.at(self.source.name, 0, "the file has no words")
        layers = {name: coder.finish() for name, coder in self.layers.items()}
        marks, numbers = np.unique(np.concatenate(self.marks), return_inverse=True)
        names = [["", *self.names][mark] for mark in marks.tolist()]  # some may have no sentence
        unique = all(names) and len(set(names)) == len(names)
        offsets = np.append(np.concatenate(self.first), self.words)
        further = Texts(
            self.source.buffer, self.further_starts.array(), self.further_lengths.array()
        )
        return Corpus(
            self.source.name,
            offsets,
            Texts(self.source.buffer, self.starts.array(), self.lengths.array()),
            {"tags": layers["upos"], **layers},
            documents=numbers.astype(np.int32) if self.names else None,
            document_ids=tuple(names) if self.names and unique else None,
            notes=tuple(self._notes(unnamed=any(names) and not unique)),
            further=further,
            multiword=self._joined(offsets),
        )

    def _joined(self, offsets: IntArray) -> Spans | None:
        """The multi-word tokens as spans; a range that leaves its sentence is a fault."""
        if not self.joined:
            return None
        forms = Coded.of(one.form for one in self.joined)
        first, begin, end = np.array([one[:3] for one in self.joined], np.int64).T
        begin -= 1
        sentence = np.searchsorted(offsets, first, side="right") - 1
        starts, ends = np.append(offsets, -1)[sentence], np.append(offsets[1:], -1)[sentence]
        overlap = np.append(first[1:] < (first - begin + end)[:-1], False)
        faults = (first - starts != begin) | (starts + end > ends) | overlap
        if faults.any():
            one = self.joined[int(np.argmax(faults))]
            raise InputError.at(
                self.source.name, 0,
                f"the multi-word token {one.begin}-{one.end} {one.form!r} does not fit the words "
                "behind it",
                "It stands in front of its first word; ranges do not overlap.",
            )  # fmt: skip
        at, start, stop = (column.astype(np.int32) for column in (sentence, begin, end))
        return Spans.contiguous(at, start, stop, forms.codes, forms.names)

    def _notes(self, *, unnamed: bool) -> Iterator[str]:
        if self.joined:
            yield f"{len(self.joined)} multi-word tokens: their words are what counts"
        if self.empty_nodes:
            yield f"{self.empty_nodes} empty nodes passed over"
        if unnamed:
            yield "document ids are not used: some documents have none, or one id stands twice"


def _quoted(data: bytes) -> str:
    return repr(data[:20].decode(errors="replace"))


def _line(fields: Fields, data: NDArray[np.uint8], line: int) -> str:
    end = int(fields.newlines[line])
    return data[end - int(fields.lengths[line]) : end].tobytes().decode()


def write(corpus: Corpus) -> str:
    """The corpus as CoNLL-U; without a layer ``upos`` the layer ``tags`` is written there."""
    if corpus.tokens is None:
        raise UsageError("this corpus has no text, so it cannot be written as conllu")
    columns = _columns(corpus)
    words = corpus.tokens.slice(0, corpus.n_tokens)
    offsets = corpus.offsets.tolist()
    lines: list[str] = []
    for sentence, (begin, end) in enumerate(pairwise(offsets)):
        lines += _document_line(corpus, sentence)
        for place, word in enumerate(range(begin, end), 1):
            cells = [column[word] for column in columns]
            lines.append("\t".join([str(place), words[word], *cells, "_", "_", "_", "_"]))
        lines.append("")
    return "\n".join(lines) + "\n"


def _columns(corpus: Corpus) -> list[list[str]]:
    """LEMMA, UPOS, XPOS and FEATS of every word."""
    layers: dict[str, Coded] = dict(corpus.layers)
    if "upos" not in layers and "tags" in layers:
        layers["upos"] = layers["tags"]
    nothing = ["_"] * corpus.n_tokens
    return [list(layers[name]) if name in layers else nothing for name in COLUMNS]


def _document_line(corpus: Corpus, sentence: int) -> list[str]:
    """The comment with which a document begins."""
    documents: IntArray | None = corpus.documents
    if documents is None or (sentence and documents[sentence] == documents[sentence - 1]):
        return []
    if corpus.document_ids is None:
        return ["# newdoc"]
    return [f"# newdoc id = {corpus.document_ids[int(documents[sentence])]}"]
