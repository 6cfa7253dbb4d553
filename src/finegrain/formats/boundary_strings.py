r"""`boundaries`: a 0 or 1 for each place where a segment can end, a text in each line.

    0100010
    0001000

1 is a boundary. Where all lines end in 1, the last digit is the end of the text, which is no
boundary that has to be found; else every digit is one place between two elements. Elements are
numbered by their last digit.

>>> from finegrain.formats.source import source_of
>>> corpus = read(source_of("memory", b"01001\n0001\n"))
>>> corpus.sentence(0), list(zip(corpus.spans.begin.tolist(), corpus.spans.end.tolist()))
(['1', '2', '3', '4', '5'], [(0, 2), (2, 5), (0, 4)])
>>> read(source_of("memory", b"010\n")).sentence(0)
['1', '2', '3', '4']
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from finegrain.corpus import Corpus, Spans, Texts
from finegrain.corpus.items import LINE
from finegrain.corpus.notes import Information
from finegrain.corpus.tag_schemes import UNTYPED
from finegrain.errors import Collector, UsageError
from finegrain.formats.source import Source

_HEAD = 50  # lines that are looked at
_DIGITS = re.compile(r"[01]+\Z")
_LEAST = 3  # digits: fewer are cells of a table


def looks_like(source: Source) -> bool:
    """True for lines of 0 and 1 alone."""
    if source.folder or source.tokens is not None:
        return False
    lines = [line.strip() for line in source.head(_HEAD) if line.strip()]
    return bool(lines) and all(map(_DIGITS.match, lines)) and max(map(len, lines)) >= _LEAST


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read strings; up to ``limit`` problems are gathered before giving up."""
    problems = Collector(source.name, limit=limit)
    strings: list[str] = []
    numbers: list[int] = []
    for number, line in enumerate(source.lines(), 1):
        text = line.strip()
        if text and not _DIGITS.match(text):
            at = next(place for place, char in enumerate(text) if char not in "01")
            what = f"{text[at]!r} in place of 0 or 1 (column {at + 1})"
            problems.add(number, what, "Write 1 where a segment ends, 0 elsewhere.")
        elif text:
            strings.append(text)
            numbers.append(number)
    problems.raise_any()
    closed = all(one.endswith("1") for one in strings)
    if not closed:
        strings = [one + "1" for one in strings]
    sizes = np.array([len(one) for one in strings])
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    marks = np.frombuffer("".join(strings).encode(), np.uint8) == ord("1")
    ends = np.flatnonzero(marks) + 1
    sentence = np.searchsorted(offsets, ends, "left") - 1
    begins = np.append(0, ends[:-1])
    spans = Spans.contiguous(
        sentence.astype(np.int32), (begins - offsets[sentence]).astype(np.int32),
        (ends - offsets[sentence]).astype(np.int32), np.zeros(len(ends), np.uint8), (UNTYPED,),
    )  # fmt: skip
    places = np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)
    digits = bytearray((((places + 1) % 10) + ord("0")).astype(np.uint8).tobytes())
    tokens = Texts.of(())
    tokens = Texts(digits + tokens.buffer, np.arange(len(digits)), np.ones(len(digits), np.int32))
    said = "the last digit of every line is 1: the end of the text, which is not a boundary"
    return Corpus(
        source.name, offsets, tokens, spans=spans,
        documents=np.arange(len(sizes), dtype=np.int32),
        notes=(Information(said),) if closed else (), fields={LINE: np.array(numbers)},
    )  # fmt: skip


def write(corpus: Corpus) -> str:
    """A line of digits for each text, the last one 1; read back, they are the same."""
    if corpus.tokens is None or corpus.spans is None:
        raise UsageError("boundaries need segments as spans")
    spans = corpus.spans
    marks = np.zeros(corpus.n_tokens, np.uint8) + ord("0")
    marks[corpus.offsets[spans.sentence] + spans.end - 1] = ord("1")
    text = marks.tobytes().decode()
    bounds = corpus.offsets.tolist()
    return "".join(text[one:two] + "\n" for one, two in pairwise(bounds))
