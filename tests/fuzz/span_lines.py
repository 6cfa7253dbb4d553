"""Span lines: label, first token, last token, tokens; a blank line between sentences.

>>> read(["PER\\t2\\t4\\t2, 4", "", "NONE\\t1\\t1\\t1"]).spans
[Span(sentence=0, label='PER', begin=1, end=4, some=frozenset({1, 3}), cuts=(0, 0))]
"""

from __future__ import annotations

import re
from random import Random

from tests.fuzz.corpora import Corpus, Invalid, Span, with_gaps


def write(rng: Random, corpus: Corpus) -> bytes:
    """Label, first token, last token, tokens."""
    listed = rng.random() < 0.8
    blocks: list[list[str]] = [[] for _ in corpus.words]
    for span in corpus.spans:
        sentence, label, begin, end, *_ = span
        cells = [label, str(begin + 1), str(end)]
        if listed:
            cells.append(", ".join(str(one + 1) for one in sorted(span.tokens)))
        blocks[sentence].append("\t".join(cells))
    empty = "NONE\t1\t1" + ("\t1" if listed else "")
    return "\n\n".join("\n".join(block or [empty]) for block in blocks).encode() + b"\n"


def read(lines: list[str]) -> Corpus:
    """Spans with gaps or without, a blank line between sentences."""
    corpus = Corpus([], text=False, exact=False)
    sizes: list[int] = []
    width, inside = 0, False
    for line in lines:
        if not line.strip(" \t"):
            inside = False
            continue
        if not inside:
            sizes.append(0)
        inside = True
        cells = [cell.strip() for cell in line.split("\t")]
        width = width or (3 if len(cells) == 3 else 4)
        if len(cells) != width or not cells[0]:
            raise Invalid(f"not {width} columns: {line[:40]!r}")
        begin, end = (_number(cell) for cell in cells[1:3])
        listed = sorted(map(_number, cells[3].split(","))) if width == 4 else [begin, end]
        if end < begin or (listed[0], listed[-1]) != (begin, end):
            raise Invalid("tokens that do not fit")
        if width == 4 and len(set(listed)) < len(listed):
            raise Invalid("a token twice")
        if cells[0] in ("NONE", "EMPTY"):
            continue
        sentence = len(sizes) - 1
        span = Span(sentence, cells[0], begin - 1, end)
        if width == 4:
            span = with_gaps(sentence, cells[0], [one - 1 for one in listed])
        corpus.spans.append(span)
        sizes[-1] = max(sizes[-1], end)
    if not sizes:
        raise Invalid("no sentences")
    corpus.words = [range(size) for size in sizes]  # numbers, which may be huge
    return corpus


def _number(cell: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", cell.strip()) or not int(cell.strip()):
        raise Invalid(f"no number from 1 on: {cell[:20]!r}")
    return int(cell.strip())
