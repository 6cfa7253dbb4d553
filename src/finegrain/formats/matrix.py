r"""`matrix`: a bare 0/1 table of units and systems, 1 where the system is right.

    item    crf  neural
    q1      1    0
    q2      1    1

One line per unit, one column per system, separated by tabs, commas or blanks. A first column that
holds anything but 0 and 1 names the units; a first line that does names the systems, which are s1,
s2 and so on without it. Any cell but 0 and 1, a blank line or a line with more or fewer cells is an
error.

>>> from finegrain.formats.source import source_of
>>> corpus = read(source_of("memory", b"item\tcrf\tneural\nq1\t1\t0\nq2\t1\t1\n"))
>>> {name: list(column) for name, column in corpus.layers.items()}
{'crf': ['1', '1'], 'neural': ['0', '1']}
>>> corpus.sentence(1)
['q2']

Every unit is a sentence with its name as the only token, and every system a layer. Files are read
in blocks (``read_file``), so that a table of ten million units and twenty systems takes its 200
megabytes, one byte per cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Coded, Corpus, IntArray, Texts
from finegrain.corpus.texts import PADDING
from finegrain.errors import Collector, InputError, UsageError
from finegrain.formats import matrix_layout
from finegrain.formats.matrix_layout import DIGITS, Layout, looks_right, settle
from finegrain.formats.source import Source
from finegrain.formats.standard_input import STANDARD_INPUT
from finegrain.formats.stream import BLOCK, whole_lines

SIMILAR = ("conll", "csv", "spans")  # formats for which a damaged table is taken
_HEAD = 400  # lines that settle the layout
_STORE = 1 << 20  # bytes of cells to begin with
_ZERO = ord("0")


def looks_like(source: Source) -> bool:
    """True if the first lines are 0 and 1 behind their names, and can hardly be anything else."""
    return not source.folder and looks_right(source.head(_HEAD))


def looks_intended(source: Source) -> bool:
    """True if the first lines may be meant for a 0/1 table, whatever is wrong with them."""
    return not source.folder and matrix_layout.looks_intended(source.head(_HEAD))


def looks_faulty(source: Source) -> bool:
    """True if the first lines are hardly meant for anything else, but something is wrong."""
    lines = [] if source.folder else source.head(_HEAD)
    return not looks_right(lines) and matrix_layout.looks_faulty(lines)


def read(source: Source, *, names: Sequence[str] | None = None, limit: int = 20) -> Corpus:
    """Read a 0/1 table; ``names`` are those of the systems, in place of a header."""
    return _read(source.name, _slices(source), names, limit)


def read_file(path: str, *, names: Sequence[str] | None = None, limit: int = 20) -> Corpus:
    """Read a 0/1 table block by block, without holding the file."""
    name = STANDARD_INPUT if path == "-" else path
    return _read(name, whole_lines(path), names, limit)


def write(corpus: Corpus) -> str:
    """The corpus as a tab-separated table with a header."""
    columns = [list(layer) for layer in corpus.layers.values()]
    if not columns or any(not DIGITS.issuperset(column) for column in columns):
        raise UsageError("only a 0/1 table can be written as one: layers of 0 and 1")
    heads = list(corpus.layers)
    if corpus.tokens is not None:
        columns.insert(0, corpus.tokens.slice(0, corpus.n_tokens))
        heads.insert(0, "item")
    if any("\t" in cell or "\n" in cell for cell in (*heads, *columns[0])):
        raise UsageError("names with tabs or line ends cannot be written in a table")
    rows = zip(*columns, strict=True)
    return "".join("\t".join(row) + "\n" for row in (heads, *rows))


def annotated_lines(path: str, numbers: IntArray) -> Iterator[bytes]:
    """The lines of a table as they are, with one more cell: the number of each unit, called bin."""
    left, separator = iter(numbers.tolist()), b""
    for block in _with_head(whole_lines(path)):
        lines = block.split(b"\n")[:-1]
        added: Iterator[bytes] = (b"%d" % number for number in left)
        if not separator:
            layout = _layout(path, block.replace(b"\r\n", b"\n"), None)
            lone = len(layout.systems) + layout.named == 1
            separator = b"\t" if lone else layout.separator.encode()
            added = chain([b"bin"], added) if layout.header else added
        ends = (line[len(line.rstrip(b"\r")) :] + b"\n" for line in lines)
        yield b"".join(
            line.rstrip(b"\r") + separator + cell + end
            for line, cell, end in zip(lines, added, ends, strict=False)
        )
    if next(left, None) is not None:
        raise InputError.at(path, 0, "the file cannot be read twice, or has changed")


def _slices(source: Source) -> Iterator[bytes]:
    at = source.begin
    while at < source.end:
        stop = source.buffer.find(b"\n", min(at + BLOCK, source.end - 1)) + 1
        yield bytes(source.buffer[at:stop])
        at = stop


def _read(name: str, blocks: Iterable[bytes], names: Sequence[str] | None, limit: int) -> Corpus:
    reader: _Reader | None = None
    for given in _with_head(iter(blocks)):
        block = _with_newlines(name, given, 1 if reader is None else reader.lines + 1)
        if reader is None:
            layout = _layout(name, block, names)
            reader = _Reader(name, layout, limit)
            block = block[block.index(b"\n") + 1 :] if layout.header else block
        reader.block(block)
    if reader is None:
        raise InputError.at(name, 0, "the file is empty", "Check how it was written.")
    return reader.corpus()


def _with_head(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes; all lines that settle the layout are in the first block, if not huge."""
    first = b""
    for block in blocks:
        first += block
        if first.count(b"\n") > _HEAD or len(first) > 4 * BLOCK:
            break
    if first:
        yield first
    yield from blocks


def _with_newlines(name: str, block: bytes, line: int) -> bytes:
    r"""Lines that may end in CRLF, or all in CR; any other carriage return is refused.

    >>> _with_newlines("memory", b"1 0\r0 1\r\n", 1)
    b'1 0\n0 1\n'
    """
    if b"\r" not in block:
        return block
    block = re.sub(rb"\r+\n", b"\n", block)
    if block.find(b"\n") == len(block) - 1:
        block = block.replace(b"\r", b"\n")
    at = block.find(b"\r")
    if at >= 0:
        what = "a carriage return (CR) inside of a line, where a line end may be lost"
        mend = "Write line ends as LF or CRLF, e.g. tr '\\r' '\\n'."
        raise InputError.at(name, line + block.count(b"\n", 0, at), what, mend)
    return block


def _layout(name: str, block: bytes, names: Sequence[str] | None) -> Layout:
    """The layout, by the first lines of the first block."""
    head = _decoded(name, block, 1).split("\n", _HEAD)[:_HEAD]
    return settle(name, head[:-1] if head[-1] == "" else head, names)


def _decoded(name: str, block: bytes, line: int) -> str:
    try:
        return block.decode()
    except UnicodeDecodeError as error:
        at = line + block.count(b"\n", 0, error.start)
        raise InputError.at(
            name, at, f"not UTF-8: byte {block[error.start]:#04x}",
            "Convert the file, e.g. iconv -f latin1 -t utf-8.",
        ) from None  # fmt: skip


class _Reader:
    """Gathers the cells of a table, and the names of its units, block by block."""

    def __init__(self, name: str, layout: Layout, limit: int) -> None:
        self.name = name
        self.layout = layout
        self.width = len(layout.systems)
        self.problems = Collector(name, limit=limit)
        self.cells = _Cells(self.width)
        self.names = bytearray(b"\n" if layout.header else b"")  # a line each, as in the file
        self.lines = int(layout.header)  # read so far
        separator = ord(layout.separator)
        tail = np.full((self.width, 2), (_ZERO, separator), np.uint8)
        tail[-1, 1] = ord("\n")
        self.line = tail.reshape(-1).view("<u2")  # a unit without name, all of whose cells are 0
        self.pattern = np.tile(self.line, BLOCK // (2 * self.width) + 1)

    def block(self, block: bytes) -> None:
        """Take in some whole lines."""
        if not (self._even(block) or self._named(block)):
            self._one_by_one(block)

    def corpus(self) -> Corpus:
        """All that was read."""
        self.problems.raise_any()
        matrix = self.cells.array()
        if not len(matrix):
            raise InputError.at(self.name, 0, "the table has no units")
        layers = {
            system: Coded(matrix[:, place], ("0", "1"))
            for place, system in enumerate(self.layout.systems)
        }
        offsets = np.arange(len(matrix) + 1, dtype=np.int32)
        return Corpus(self.name, offsets, self._texts(), layers, format="matrix")

    def _texts(self) -> Texts | None:
        if not self.layout.named:
            return None
        ends = np.flatnonzero(np.frombuffer(self.names, np.uint8) == ord("\n"))
        ends = ends if self.layout.header else np.append(-1, ends)
        self.names.extend(bytes(PADDING))
        lengths = np.diff(ends) - 1
        return Texts(self.names, ends[:-1] + 1, lengths.astype(np.int32))

    def _even(self, block: bytes) -> bool:
        """Take in lines without names, if they all have the right length and content."""
        if self.layout.named or len(block) % (2 * self.width):
            return False
        digits = np.frombuffer(block, "<u2")
        pattern = self.pattern
        if len(digits) > len(pattern):  # the block of a source ends behind its line
            pattern = np.tile(self.line, len(digits) // self.width)
        cells = digits ^ pattern[: len(digits)]
        if cells.max(initial=0) > 1:  # what is no 0 or 1 in its place differs in other bits
            return False
        self._add(cells.astype(np.uint8), len(digits) // self.width)
        return True

    def _named(self, block: bytes) -> bool:
        """Take in lines with names, if all of them end in cells with one separator before each."""
        if not self.layout.named or (self.layout.separator == " " and b"\t" in block):
            return False
        if not block.isascii():
            _decoded(self.name, block, self.lines + 1)
        data = np.frombuffer(block, np.uint8)
        newlines = np.flatnonzero(data == ord("\n"))
        separators = np.flatnonzero(data == ord(self.layout.separator))
        before = np.searchsorted(separators, newlines)
        begins = np.append(0, newlines[:-1] + 1)
        size = 2 * self.width
        if (np.diff(before, prepend=0) != self.width).any() or (newlines - begins < size).any():
            return False
        if self.layout.separator == " " and (data[begins] == ord(" ")).any():
            return False
        places = newlines[:, None] + np.arange(-size, 0)
        tails = data[places]
        cells = tails[:, 1::2] ^ np.uint8(_ZERO)
        if cells.max(initial=0) > 1 or (tails[:, ::2] != ord(self.layout.separator)).any():
            return False
        kept = np.ones(len(data), bool)
        kept[places] = False
        self.names.extend(data[kept].data)
        self._add(np.ascontiguousarray(cells), len(newlines))
        return True

    def _one_by_one(self, block: bytes) -> None:
        """Take in lines that differ from each other, and note what is wrong with them."""
        lines = _decoded(self.name, block, self.lines + 1).split("\n")[:-1]
        cells = np.zeros((len(lines), self.width), np.uint8)
        names = []
        for row, line in enumerate(lines):
            found = self.layout.cells(line)
            answers = found[1:] if self.layout.named else found
            fault = self._fault(line, found, answers)
            if fault is not None:
                self.problems.add(self.lines + row + 1, *fault)
                continue
            cells[row] = [answer == "1" for answer in answers]
            names.append(found[0])
        if self.layout.named:
            self.names.extend("".join(f"{name}\n" for name in names).encode())
        self._add(cells, len(lines))

    def _fault(self, line: str, found: list[str], answers: list[str]) -> tuple[str, str] | None:
        if not line.strip():
            return "a blank line", "Every line is a unit: delete it."
        if len(answers) != self.width:
            cells = self.width + self.layout.named
            mend = "Every line has the cells of the first one."
            return f"expected {cells} cells, found {len(found)}", mend
        wrong = next((place for place, one in enumerate(answers) if one not in DIGITS), None)
        if wrong is None:
            return None
        place = wrong + 1 + self.layout.named
        mend = "Write 1 where the system is right, 0 where it is wrong."
        if wrong == 0 and not self.layout.named:
            mend += " Names of units are in the first column, with a header such as item."
        return f"cell {place} is {answers[wrong]!r}", mend

    def _add(self, cells: NDArray[np.uint8], lines: int) -> None:
        self.cells.add(cells.reshape(-1, self.width))
        self.lines += lines


class _Cells:
    """Rows of cells, one byte each, in an array that grows.

    Large arrays cost their pages when they are written, and large pages where the system has them.
    """

    def __init__(self, width: int) -> None:
        np.empty(1 << 22, np.uint8)  # freed at once: the C library now keeps smaller blocks
        self._store = np.empty((_STORE // width + 1, width), np.uint8)
        self._size = 0

    def add(self, rows: NDArray[np.uint8]) -> None:
        """Put rows below the others."""
        end = self._size + len(rows)
        if end > len(self._store):
            grown = np.empty((2 * end, self._store.shape[1]), np.uint8)
            grown[: self._size] = self._store[: self._size]
            self._store = grown
        self._store[self._size : end] = rows
        self._size = end

    def array(self) -> NDArray[np.uint8]:
        """``[unit, system]``"""
        return self._store[: self._size]
