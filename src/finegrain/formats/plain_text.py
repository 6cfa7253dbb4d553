r"""`text`: plain text, a sentence or paragraph in each line, documents between blank lines.

    It was a bright cold day in April.
    The clocks were striking thirteen.

Words are what stands between white space. Where no line is blank, there are no
documents, and each task says what belongs together.

>>> from finegrain.formats.source import source_of
>>> corpus = read(source_of("memory", b"So it is.\nNo.\n\nYes.\n"))
>>> corpus.sentence(0), corpus.documents.tolist()
(['So', 'it', 'is.'], [0, 0, 1])
"""

from __future__ import annotations

import numpy as np

from finegrain.corpus import Corpus, IntArray, Texts
from finegrain.corpus.items import BLANKS
from finegrain.errors import InputError, UsageError
from finegrain.formats.fields import blocks
from finegrain.formats.source import Source

_HEAD = 50  # lines that are looked at


def looks_like(source: Source) -> bool:
    """True for lines of words without tabs, of which some have several words."""
    if source.folder or source.tokens is not None:
        return False
    lines = [line for line in source.head(_HEAD) if line.strip()]
    if not lines or lines[0].lstrip().startswith(("{", "[", "#")):
        return False
    return not any("\t" in line for line in lines) and any(" " in line.strip() for line in lines)


def read(source: Source, *, limit: int = 20) -> Corpus:  # noqa: ARG001 - nothing can be wrong
    """Read words in lines, and lines in documents."""
    kind = np.int32 if source.end < 1 << 31 else np.int64
    starts: list[IntArray] = []
    lengths: list[IntArray] = []
    sizes: list[IntArray] = []  # words of every line
    for data, at in blocks(source):
        edge = np.diff(~BLANKS[data], prepend=False)
        edges = np.flatnonzero(edge)  # the last byte is a newline, so every word ends
        begin, end = edges[::2], edges[1::2]
        newlines = np.flatnonzero(data == ord("\n"))
        sizes.append(np.diff(np.searchsorted(begin, newlines), prepend=0))
        starts.append((begin + at).astype(kind))
        lengths.append((end - begin).astype(np.int32))
    words = np.concatenate(sizes)
    if not words.any():
        raise InputError.at(source.name, 0, "the file has no words")
    lines = np.flatnonzero(words)
    gaps = np.diff(lines, prepend=lines[0]) > 1
    return Corpus(
        source.name,
        np.concatenate([[0], np.cumsum(words[lines])]),
        Texts(source.buffer, np.concatenate(starts), np.concatenate(lengths)),
        documents=np.cumsum(gaps).astype(np.int32) if gaps.any() else None,
        format="text",
    )


def write(corpus: Corpus) -> str:
    """Words with blanks between them; read back, they are the same."""
    if corpus.tokens is None:
        raise UsageError("plain text needs words")
    lines = []
    for sentence in range(corpus.n_sentences):
        documents = corpus.documents
        if documents is not None and sentence:
            lines += [""] * int(documents[sentence] != documents[sentence - 1])
        lines.append(" ".join(corpus.sentence(sentence)))
    return "".join(f"{line}\n" for line in lines)
