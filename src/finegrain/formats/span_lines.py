"""`spans`: one labelled span per line, blank lines between sentences (Ortmann 2022).

    ORG    3    5    3, 4, 5
    PER    8    10   8, 10

Tab-separated: label, first token, last token (both from 1, both included) and the tokens, which
may leave gaps. In a file without the fourth column spans cover all their tokens. A sentence
without spans is one dummy line, ``NONE`` or ``EMPTY``. Spans may nest, cross and have gaps; there
is not text.

>>> from finegrain.formats.source import source_of
>>> corpus = read(source_of("memory", b"ORG\\t3\\t5\\t3, 4, 5\\n\\nNONE\\t1\\t1\\t1\\n"))
>>> corpus.n_sentences, len(corpus.spans), corpus.spans.tokens(0)
(2, 1, (2, 3, 4))
"""

from __future__ import annotations

import numpy as np

from finegrain.corpus import Corpus, Spans
from finegrain.corpus.spans import Row
from finegrain.errors import Collector, InputError, UsageError
from finegrain.formats.source import Source

DUMMIES = ("NONE", "EMPTY")


def looks_like(source: Source) -> bool:
    """True if the first lines have a label, two numbers and a list of numbers."""
    rows = [line.split("\t") for line in source.head(50) if line.strip()]
    return bool(rows) and all(
        len(row) in (3, 4) and row[1].strip().isdecimal() and row[2].strip().isdecimal()
        for row in rows[:5]
    )


def read(source: Source, *, dummies: tuple[str, ...] = DUMMIES, limit: int = 20) -> Corpus:
    """Read span lines; labels in ``dummies`` stand for sentences without spans."""
    problems = Collector(source.name, limit=limit)
    rows: list[Row] = []
    lengths: list[int] = []
    lines = source.lines()
    width = _width(lines)
    inside = False
    for number, line in enumerate(lines, 1):
        if not line.strip(" \t"):
            inside = False
            continue
        if not inside:
            lengths.append(0)
            inside = True
        try:
            row = _row(line, len(lengths) - 1, width)
        except _Fault as fault:
            problems.add(number, *fault.args)
            continue
        if row[3] not in dummies:
            rows.append(row)
            lengths[-1] = max(lengths[-1], row[2])
    problems.raise_any()
    if not lengths:
        raise InputError.at(source.name, 0, "the file has no sentences")
    offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return Corpus(source.name, offsets, spans=Spans.of(rows))


def write(corpus: Corpus) -> str:
    """The spans of a corpus as lines; read back, they are the same."""
    if corpus.spans is None:
        raise UsageError("this corpus has no spans; decode its tags first")
    spans = corpus.spans
    blocks: list[list[str]] = [[] for _ in range(corpus.n_sentences)]
    for row, sentence in enumerate(spans.sentence.tolist()):
        tokens = ", ".join(str(token + 1) for token in spans.tokens(row))
        label = spans.labels[int(spans.label[row])]
        blocks[sentence].append(f"{label}\t{spans.begin[row] + 1}\t{spans.end[row]}\t{tokens}\n")
    return "\n".join("".join(block) or f"{DUMMIES[0]}\t1\t1\t1\n" for block in blocks)


class _Fault(ValueError):
    """What is wrong with a line, and how to fix it."""


def _width(lines: list[str]) -> int:
    """3 if the first span has no token list, else 4: all lines of a file have the same columns."""
    first = next((line for line in lines if line.strip(" \t")), "")
    return 3 if first.count("\t") == 2 else 4


def _row(line: str, sentence: int, width: int) -> Row:
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) != width:
        raise _Fault(
            f"expected {width} tab-separated columns, found {len(cells)}",
            "Write: label, first token, last token, token list.",
        )
    label, begin, end = cells[0], _number(cells[1], "first token"), _number(cells[2], "last token")
    if not label:
        raise _Fault("the label is empty", "Every span has a label.")
    if end < begin:
        raise _Fault(f"the span ends ({end}) before it begins ({begin})", "Swap the two columns?")
    if len(cells) == 3:
        return sentence, begin - 1, end, label
    tokens = sorted(_number(token.strip(), "token") for token in cells[3].split(","))
    if len(set(tokens)) < len(tokens):
        raise _Fault("the token list names a token twice", "List each token once.")
    if tokens[0] != begin or tokens[-1] != end:
        raise _Fault(
            f"the token list goes from {tokens[0]} to {tokens[-1]}, the span from {begin} to {end}",
            "List the span's first and last token and what it covers between them.",
        )
    return sentence, begin - 1, end, label, tuple(token - 1 for token in tokens)


def _number(cell: str, what: str) -> int:
    if not (cell.isascii() and cell.isdecimal() and cell.strip("0")):
        raise _Fault(f"the {what} is {cell!r}, not a number from 1 on", "Tokens count from 1.")
    if len(cell) > 9:  # numbers are kept in 32 bits
        raise _Fault(
            f"the {what} is {cell[:12]!r}: no sentence is that long", "Tokens count by sentence."
        )
    return int(cell)
