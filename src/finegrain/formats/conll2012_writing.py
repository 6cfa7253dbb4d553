"""CoNLL 2012 as it is written: six columns, and the names of the parts of documents.

>>> part_id("a", 0), part_id("a", 1), part_id("a:1", 0)
('a', 'a:1', 'a:1:0')
>>> name_and_part("a"), name_and_part("a:1"), name_and_part("a:1:0"), name_and_part("a:0")
(('a', 0), ('a', 1), ('a:1', 0), ('a:0', 0))
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Clusters, Corpus, IntArray
from finegrain.formats.chain_limits import chains_of, require, require_plain

END = "#end document"
_NUMBERED = re.compile(r".+:[1-9][0-9]{0,8}(?::0)*")  # what the name of a part may look like
_WRITTEN = 6


def has_more_columns(corpus: Corpus) -> bool:
    """Whether the line of its first word has more than the six columns that ``write`` writes."""
    if corpus.tokens is None:
        return False
    buffer, at = corpus.tokens.buffer, int(corpus.tokens.starts[0])
    line = buffer[buffer.rfind(b"\n", 0, at) + 1 : max(buffer.find(b"\n", at), at)]
    return len(line.split()) > _WRITTEN


def part_id(name: str, part: int) -> str:
    """A part of a document by one name; those of part 0 are called as the document is."""
    return f"{name}:{part}" if part or _NUMBERED.fullmatch(name) else name


def name_and_part(identifier: str) -> tuple[str, int]:
    """The document and its part, of which ``part_id`` makes one name."""
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
        name, part = name_and_part(document)
        if document != last:
            lines += [] if last is None else [END]
            lines.append(f"#begin document ({name}); part {part:03d}")
            last = document
        begin, end = offsets[sentence], offsets[sentence + 1]
        lines += (
            f"{name}\t{part}\t{at - begin}\t{words[at]}\t{tags[at]}\t{'|'.join(cells[at]) or '-'}"
            for at in range(begin, end)
        )
        lines.append("")
    return "\n".join([*lines, END]) + "\n"


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
