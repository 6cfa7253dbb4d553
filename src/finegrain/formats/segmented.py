"""`segmented`: words separated by blanks, one sentence per line (word segmentation).

    我们  爱  北京
    他  来  了

Characters are the tokens and every word is a span of them, so that the scores of spans are those
of word segmentation (Sproat and Emerson 2003): precision, recall and F1 of words that begin and end
right. With training data, recall is counted apart for words that these have as words and for those
they do not have (in and out of vocabulary). Blanks are spaces, tabs and the wide space (U+3000), as
many as there are; blank lines are passed over. Gold and system must have the same characters.

>>> from finegrain.formats.source import source_of
>>> corpus = read(source_of("memory", "我们  爱  北京\\n".encode()))
>>> corpus.sentence(0)
['我', '们', '爱', '北', '京']
>>> list(zip(corpus.spans.begin.tolist(), corpus.spans.end.tolist()))
[(0, 2), (2, 3), (3, 5)]

It is recognised where most letters are of scripts that are written without blanks and lines have
different numbers of words. For other scripts, and for single lines, it has to be named.
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from finegrain.corpus import Corpus, Spans, Texts
from finegrain.corpus.tag_schemes import UNTYPED
from finegrain.errors import UsageError
from finegrain.formats.source import Source

_BLANK = re.compile("[ \t\u3000]+")
_WIDE_BLANK, _BLANKS = "\u3000".encode(), b"   "  # of the same length
_HEAD = 400
# Thai, Lao, Tibetan; Burmese; Khmer; Chinese and Japanese
_UNSPACED = (  # compiled for a text that may need it: it takes longer than all else at start
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3005-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff]"
)
_LETTER = r"\w"


def looks_like(source: Source) -> bool:
    """True for lines of different lengths, without tabs, in scripts that have no blanks.

    Columns of which a line lacks some stay columns: most lines have one length, and a tag last.
    """
    lines = [line for line in source.head(_HEAD) if line.strip()]
    text = "".join(lines)
    if text.isascii() or "\t" in text:
        return False
    if 2 * len(re.findall(_UNSPACED, text)) < len(re.findall(_LETTER, text)):
        return False
    words = [_words(line) for line in lines]
    same = max(Counter(map(len, words)).values())
    plain = sum(line[-1].isascii() for line in words)  # as tags are
    return same < len(lines) and (2 * same <= len(lines) or 2 * plain < len(lines))


def read(source: Source, *, limit: int = 20) -> Corpus:  # noqa: ARG001 - nothing can be wrong
    """Read segmented text: characters as tokens, words as spans, a line as a sentence."""
    text = source.buffer[source.begin : source.end].replace(_WIDE_BLANK, _BLANKS)
    data = np.frombuffer(text, np.uint8)
    newline = data == ord("\n")
    blank = newline | (data == ord(" ")) | (data == ord("\t"))
    starts = np.flatnonzero(~blank & (data & 0xC0 != 0x80))  # not inside of a character
    lead = data[starts]
    lengths = 1 + (lead >= 0xC0).astype(np.int32) + (lead >= 0xE0) + (lead >= 0xF0)
    lines = np.cumsum(newline)[starts]  # how many line ends stand before
    _, first, sentence = np.unique(lines, return_index=True, return_inverse=True)
    offsets = np.append(first, len(starts))
    begins = np.flatnonzero(blank[starts - 1] | (starts == 0))
    ends = np.append(begins[1:], len(starts))
    base = offsets[sentence[begins]]
    spans = Spans.contiguous(
        sentence[begins].astype(np.int32),
        (begins - base).astype(np.int32),
        (ends - base).astype(np.int32),
        np.zeros(len(begins), np.uint8),
        (UNTYPED,),
    )
    tokens = Texts(source.buffer, starts + source.begin, lengths)
    return Corpus(source.name, offsets, tokens, spans=spans)


def write(corpus: Corpus) -> str:
    """The words of a corpus with blanks between them; read back, they are the same."""
    if corpus.tokens is None or corpus.spans is None:
        raise UsageError("segmented text needs words as spans of characters")
    spans = corpus.spans
    places = zip(
        (corpus.offsets[spans.sentence] + spans.begin).tolist(),
        (corpus.offsets[spans.sentence] + spans.end).tolist(),
        spans.sentence.tolist(),
        strict=True,
    )
    lines: list[list[str]] = [[] for _ in range(corpus.n_sentences)]
    at = 0
    for begin, end, sentence in places:
        if begin != at:
            raise UsageError(f"segmented text: token {at + 1} is in no word, or in two")
        lines[sentence].append("".join(corpus.tokens.slice(begin, end)))
        at = end
    if at != corpus.n_tokens:
        raise UsageError(f"segmented text: token {at + 1} is in no word, or in two")
    return "".join(" ".join(words) + "\n" for words in lines)


def _words(line: str) -> list[str]:
    return _BLANK.split(line.strip(" \t\u3000"))
