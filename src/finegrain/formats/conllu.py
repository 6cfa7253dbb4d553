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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Coded, Corpus, IntArray, Spans
from finegrain.corpus.cells import Cells, Layers
from finegrain.corpus.notes import Information
from finegrain.corpus.texts import Stack
from finegrain.errors import Collector, InputError
from finegrain.formats.conllu_lines import CELLS, COLUMNS, NEW_DOCUMENT, WIDTH, with_cells_filled
from finegrain.formats.conllu_writing import write
from finegrain.formats.fields import Fields, blocks, differences, split
from finegrain.formats.source import Source

__all__ = ["COLUMNS", "looks_like", "read", "write"]

_FORM = 1
_DIGITS = 9  # no sentence is longer
_ZERO = np.uint8(ord("0"))
_RANGE = re.compile(rb"[1-9][0-9]{0,8}-[1-9][0-9]{0,8}\Z")
_EMPTY_NODE = re.compile(rb"[0-9]{1,9}\.[1-9][0-9]{0,8}\Z")
_SENTENCE = re.compile(r"^#\s*sent_id\s*=\s*(.{1,80})", re.MULTILINE)
_WORD, _BREAK, _COMMENT, _OTHER = range(4)
_WORDLESS = ("no word in this sentence, only other lines", "A blank line ends a sentence.")


def looks_like(source: Source) -> bool:
    """True if the first line that is no comment has ten columns and begins with a word's number.

    In a file that is called ``.conllu`` the number will do: what is missing is told when it is
    read.
    """
    plain = (line for line in source.head(400) if line.strip() and not line.startswith("#"))
    line = next(plain, "")
    first = (line.split() or [""])[0].encode()
    number = first.isdigit() or _RANGE.match(first) or _EMPTY_NODE.match(first)
    called = re.search(r"\.conllu(\.\w+)?\Z", source.name)
    return bool(number) and (line.count("\t") == WIDTH - 1 or called is not None)


def read(source: Source, *, limit: int = 20, gold: Corpus | None = None) -> Corpus:
    """Read a CoNLL-U file; up to ``limit`` problems are gathered before giving up.

    Beside ``gold`` it is a system's: its empty cells are read as ``_``, and a note counts them.
    """
    source, notes = (source, ()) if gold is None else with_cells_filled(source)
    reader = _Reader(source, Collector(source.name, limit=limit))
    for data, at in blocks(source):
        reader.block(data, at)
    reader.problems.raise_any()
    return reader.corpus(notes)


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
        self.starts = Stack(capacity, np.int32)  # of forms
        self.ends = [Stack(capacity) for _ in CELLS]  # of all cells, from there
        self.joined: list[_MultiWord] = []
        self.first: list[IntArray] = []  # words that begin a sentence
        self.marks: list[IntArray] = []  # how many document starts stand before each of them
        self.names: list[str] = []  # of documents, "" without one
        self.has_documents = source.buffer.find(b"newdoc") >= 0  # a search per block is quadratic
        self.words = 0  # so far
        self.number = 0  # of the last word in its sentence; 0 behind a blank line
        self.ranges: list[int] = []  # lines of multi-word tokens in this block
        self.others: list[int] = []  # lines of these and of empty nodes
        self.lonely = 0  # the line of one that has no words in its sentence so far
        self.empty_nodes = 0
        self.lines = 0  # before this block
        self.base = 0  # where it begins in the buffer
        self.begins = np.empty(0, np.int64)  # where its lines begin in it

    def block(self, data: NDArray[np.uint8], base: int) -> None:
        """Take in some whole lines that begin at byte ``base``."""
        fields = split(data, "tab")
        self.base = base
        self.begins = fields.newlines - fields.lengths
        kind = self._kinds(fields, data)
        numbers = self._numbers(kind, fields, data)
        words = np.flatnonzero(kind == _WORD)
        self._require_words(words, kind)
        self._multiword(words, fields, data)
        self._sentences(words, numbers, kind, self._documents(kind, fields, data))
        self._cells(words, fields)
        self.words += len(words)
        self.lines += len(kind)

    def _cells(self, words: IntArray, fields: Fields) -> None:
        """Keep where the cells of words begin and end."""
        field = fields.first.take(words)
        starts = fields.end(field)
        starts += 1
        begin: IntArray | int = 0
        for place, stack in enumerate(self.ends):
            field += 1
            end = fields.end(field)
            end -= starts
            if not (end > begin).all():
                self._empty(words[end == begin], place)
            # one more: where the next cell begins must have room, too
            stack.add(end, largest=int(end.max(initial=0)) + 1)
            begin = end + 1
        starts += self.base
        self.starts.add(starts, largest=self.source.end)

    def _empty(self, lines: IntArray, place: int) -> None:
        for line in lines.tolist():
            what = f"column {place + 2} ({CELLS[place]}) is empty"
            self._fault(line, what, "Write _ for nothing.")

    def _kinds(self, fields: Fields, data: NDArray[np.uint8]) -> NDArray[np.int8]:
        """What each line is; lines without ten columns are told and passed over."""
        counts = np.diff(fields.first)
        kind = np.full(len(counts), _WORD, np.int8)
        kind[fields.lengths == 0] = _BREAK
        kind[(data.take(self.begins) == ord("#")) & (fields.lengths > 0)] = _COMMENT
        for line in np.flatnonzero((kind == _WORD) & (counts != WIDTH)).tolist():
            if not _line(fields, data, line).strip():
                kind[line] = _BREAK
                continue
            kind[line] = _OTHER
            what = f"expected {WIDTH} tab-separated columns, found {counts[line]}"
            mend = "Write _ for an empty column, CoNLL-U has ten; a blank line ends a sentence."
            self._fault(line, what, mend)
        return kind

    def _numbers(
        self, kind: NDArray[np.int8], fields: Fields, data: NDArray[np.uint8]
    ) -> NDArray[np.int64]:
        """The numbers of words by their IDs; lines that are not words become ``_OTHER``."""
        lines = np.flatnonzero(kind == _WORD)
        begins = self.begins.take(lines)
        lengths = fields.end(fields.first.take(lines)) - begins
        digit = data.take(begins) - _ZERO  # above 9 for no digit
        numbers = digit.astype(np.int64)
        plain = (digit <= 9) & (lengths > 0) & (lengths <= _DIGITS)
        rows = np.flatnonzero(plain & (lengths > 1))
        plain[rows[numbers[rows] == 0]] = False  # 02
        for place in range(1, _DIGITS):
            if not len(rows):
                break
            digit = data.take(begins[rows] + place) - _ZERO
            numbers[rows] = numbers[rows] * 10 + digit
            plain[rows[digit > 9]] = False
            rows = rows[lengths[rows] > place + 1]
        kind[lines[~plain]] = _OTHER
        for row in np.flatnonzero(~plain).tolist():
            begin = int(begins[row])
            self._no_word(data[begin : begin + int(lengths[row])].tobytes(), int(lines[row]))
        return numbers[plain]

    def _no_word(self, identifier: bytes, line: int) -> None:
        """Count a line whose ID is not a number."""
        if _RANGE.match(identifier):
            self.ranges.append(line)
            self.others.append(line)
        elif _EMPTY_NODE.match(identifier):
            self.empty_nodes += 1
            self.others.append(line)
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
                self._fault(line, f"{identifier} is not a range of words", "A range is 1-2, say.")
            self.joined.append(_MultiWord(word, begin, end, form))
        self.ranges.clear()

    def _require_words(self, words: IntArray, kind: NDArray[np.int8]) -> None:
        """Tell of sentences with other lines and no words; of the last one, in the next block."""
        if not (self.others or self.lonely):
            return
        breaks = np.flatnonzero(kind == _BREAK)
        has_words = np.zeros(len(breaks) + 1, bool)  # of every sentence
        has_words[np.searchsorted(breaks, words)] = True
        has_words[0] |= self.number > 0
        lines = np.array([-1] * (self.lonely > 0) + self.others, np.int64)
        sentence = np.searchsorted(breaks, lines)
        for line in lines[~has_words[sentence] & (sentence < len(breaks))].tolist():
            self.problems.add(self.lonely if line < 0 else self.lines + line + 1, *_WORDLESS)
        left = lines[~has_words[sentence] & (sentence == len(breaks))].tolist()
        self.lonely = 0 if not left else self.lonely if left[0] < 0 else self.lines + left[0] + 1
        self.others.clear()

    def _documents(
        self, kind: NDArray[np.int8], fields: Fields, data: NDArray[np.uint8]
    ) -> IntArray:
        """Lines with which documents begin; their names are kept."""
        if not self.has_documents:
            return np.empty(0, np.int64)
        found = []
        for line in self._may_be_documents(kind, data).tolist():
            named = NEW_DOCUMENT.match(_line(fields, data, line))
            if not named:
                continue
            found.append(line)
            self.names.append((named[1] or "").strip())
            if self._inside(kind, line):
                what = "a document begins inside of a sentence"
                self._fault(line, what, "A blank line ends a sentence.")
        return np.array(found, np.int64)

    def _may_be_documents(self, kind: NDArray[np.int8], data: NDArray[np.uint8]) -> IntArray:
        """Comments but for those that, written as usual, are no ``# newdoc``."""
        lines = np.flatnonzero(kind == _COMMENT)
        begins = self.begins[lines]
        blank, first, fourth = (data.take(begins + at, mode="clip") for at in (1, 2, 5))
        other = (first != ord("n")) | (fourth != ord("d"))
        usual = (blank == ord(" ")) & (first > ord(" ")) & other
        found: IntArray = lines[~usual]
        return found

    def _inside(self, kind: NDArray[np.int8], line: int) -> bool:
        """Whether the last line before it that is no comment is not blank."""
        while line and kind[line - 1] == _COMMENT:
            line -= 1
        return bool(kind[line - 1] != _BREAK) if line else self.number > 0

    def _sentences(
        self, words: IntArray, numbers: IntArray, kind: NDArray[np.int8], documents: IntArray
    ) -> None:
        """Find the words that begin a sentence, and check how words are numbered."""
        first = self._first_words(words, kind)
        self.first.append(first + self.words)
        known = len(self.names) - len(documents)
        self.marks.append(np.searchsorted(documents, words[first]) + known)
        expected = np.empty(len(words), np.int64)  # what they must be less the one before
        expected.fill(1)
        expected[first] = 1 - numbers[first - 1]
        if len(words):
            expected[0] = 1 if len(first) and not first[0] else self.number + 1
        faults = np.flatnonzero(differences(numbers, 0) != expected)
        if len(faults):
            self._misnumbered(words, numbers, first)
        if len(words):
            self.number += len(words)
            if len(first):
                self.number = len(words) - int(first[-1])
        last = int(words[-1]) if len(words) else -1
        if (kind[last + 1 :] == _BREAK).any():
            self.number = 0

    def _first_words(self, words: IntArray, kind: NDArray[np.int8]) -> IntArray:
        """Words that begin a sentence: a blank line stands before them."""
        behind = np.flatnonzero(differences(words, -1) > 1)  # some line stands between
        last = np.where(behind > 0, words[behind - 1], -1)
        breaks = np.flatnonzero(kind == _BREAK)
        parted = np.searchsorted(breaks, words[behind]) > np.searchsorted(breaks, last)
        first = behind[parted]
        if len(words) and not self.number and not (len(first) and first[0] == 0):
            first = np.append(0, first)
        return first

    def _misnumbered(self, words: IntArray, numbers: IntArray, first: IntArray) -> None:
        """Tell of words whose ID does not follow the one before; one lost line is one problem."""
        begins = np.zeros(len(words), bool)
        begins[first] = True
        place = np.arange(1, len(words) + 1)  # in its sentence
        start = np.maximum.accumulate(np.where(begins, place - 1, -self.number))
        expected = place - start
        off = numbers - expected
        new = off != np.where(begins, 0, np.append(0, off[:-1]))
        for row in np.flatnonzero(new).tolist():
            self._fault(
                int(words[row]),
                f"the word's ID is {numbers[row]} where {expected[row]} comes next",
                "Words of a sentence count from 1; a blank line ends a sentence.",
            )

    def _fault(self, line: int, what: str, mend: str) -> None:
        name = self._sentence_name(self.base + int(self.begins[line]))
        place = f" (sentence {name})" if name else ""
        self.problems.add(self.lines + line + 1, what + place, mend)

    def _sentence_name(self, at: int) -> str:
        """The sent_id of the sentence at a byte, if it has one."""
        begin = self.source.buffer.rfind(b"\n\n", 0, at) + 1
        found = _SENTENCE.search(self.source.buffer[begin:at].decode())
        return found[1] if found else ""

    def corpus(self, notes: tuple[str, ...]) -> Corpus:
        """All that was read."""
        if self.lonely or not self.words:
            what = _WORDLESS if self.lonely else ("the file has no words",)
            raise InputError.at(self.source.name, self.lonely, *what)
        ends = [stack.array() for stack in self.ends]
        cells = Cells(self.source.buffer, self.starts.array(), ends, CELLS)
        marks, numbers = np.unique(np.concatenate(self.marks), return_inverse=True)
        known = ["", *self.names]  # some may have no sentence
        names = [known[mark] for mark in marks.tolist()]
        unique = all(names) and len(set(names)) == len(names)
        offsets = np.append(np.concatenate(self.first), self.words)
        return Corpus(
            self.source.name,
            offsets,
            cells.texts("form"),
            Layers(cells, {"tags": "upos", **{name: name for name in COLUMNS}}),
            documents=numbers.astype(np.int32) if self.names else None,
            document_ids=tuple(names) if self.names and unique else None,
            notes=(*notes, *self._notes(unnamed=any(names) and not unique)),
            further=cells,
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
                "It precedes its first word; ranges do not overlap.",
            )  # fmt: skip
        at, start, stop = (column.astype(np.int32) for column in (sentence, begin, end))
        return Spans.contiguous(at, start, stop, forms.codes, forms.names)

    def _notes(self, *, unnamed: bool) -> Iterator[str]:
        if self.joined:
            yield Information(f"{len(self.joined)} multi-word tokens: their words are what counts")
        if self.empty_nodes:
            yield Information(f"{self.empty_nodes} empty nodes passed over")
        if unnamed:
            yield "document ids are not used: some documents have none, or one id occurs twice"


def _quoted(data: bytes) -> str:
    return repr(data[:20].decode(errors="replace"))


def _line(fields: Fields, data: NDArray[np.uint8], line: int) -> str:
    end = int(fields.newlines[line])
    return data[end - int(fields.lengths[line]) : end].tobytes().decode()
