"""The text whose probability language models give: its bytes, and what units it falls into.

>>> from finegrain.formats.plain_text import read
>>> from finegrain.formats.source import source_of
>>> gold = replace(read(source_of("text.txt", b"So it is.\\nYes, it  is.\\n")), format="text")
>>> text = of_words(gold, gold.tokens)
>>> text.ink.tobytes(), text.begin.tolist(), text.blanks.tolist()
(b'Soitis.Yes,itis.', [0, 2, 4, 7, 11, 13], [0, 1, 1, 0, 1, 2])
>>> units = text.units
>>> units.bytes.tolist(), units.words.tolist()
([2.0, 3.0, 4.0, 4.0, 3.0, 5.0], [1.0, 1.0, 1.0, 1.0, 1.0, 1.0])

``ink`` are the bytes that are no white space; a place in them is a place in the text. White space
belongs to the word behind it, as in the tokens of most models, at the end of a document to its last
word. So every byte of a document counts once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.inked_bytes import Bytes, inked
from finegrain.corpus import Corpus, IntArray, Texts
from finegrain.corpus.columns import chosen
from finegrain.corpus.items import BLANKS
from finegrain.corpus.texts import PADDING
from finegrain.errors import InputError

CONTEXT = 100
"""Words in a line of the table's text at most: longer lines are divided to be shown."""
_DENSE = 16  # bytes for each place
_BLOCK = 1 << 16  # bytes handled at once: temporaries stay in the processor's cache
Floats = NDArray[np.float64]


class Units(NamedTuple):
    """``begin`` ``[unit]`` where units begin in the ink; what is in each, as numbers.

    ``words``: words that begin in it; ``characters`` and ``bytes`` include white space.
    """

    begin: IntArray
    words: Floats
    characters: Floats
    bytes: Floats


class Text(NamedTuple):
    """``corpus``: words as tokens, lines as sentences, in documents; ``[word]`` the others.

    ``begin``: where words begin in the ink; ``blanks``: bytes of white space that belong to them;
    ``buffer``: the ink as ``Texts`` keep it.
    """

    corpus: Corpus
    ink: Bytes
    begin: IntArray
    blanks: IntArray
    buffer: bytearray

    @property
    def units(self) -> Units:
        """Words as units."""
        return self.divided(self.begin)

    def divided(self, begin: IntArray) -> Units:
        """Units that begin at the given places, of which the first is 0."""
        size = len(begin)
        total: Floats = np.diff(begin, append=len(self.ink)).astype(np.float64)
        words, blanks = np.broadcast_to(1.0, size), self.blanks
        if begin is not self.begin:
            of_word = within(begin, self.begin)
            words = np.bincount(of_word, minlength=size).astype(np.float64)
            blanks = np.bincount(of_word, self.blanks, minlength=size).astype(np.float64)
        total += blanks
        if self.buffer.isascii():
            return Units(begin, words, total, total)
        inner = (self.ink & 0xC0 == 0x80).view(np.uint8)  # bytes inside of characters
        return Units(begin, words, total - np.add.reduceat(inner, begin, dtype=np.int64), total)


def within(begin: IntArray, places: IntArray) -> IntArray:
    """Which of the stretches that begin at ``begin`` holds each place; both ascend.

    >>> within(np.array([0, 3, 5]), np.array([0, 2, 3, 7])).tolist()
    [0, 0, 1, 2]
    """
    found = np.empty(len(places), np.int32)
    step, low = 1 << 14, 0
    for at in range(0, len(places), step):
        block = places[at : at + step]
        high = int(np.searchsorted(begin, block[-1], "right"))
        span = int(block[-1] - block[0]) + 1
        if span > _DENSE * step:
            found[at : at + step] = np.searchsorted(begin[low:high], block, "right") + (low - 1)
        else:  # counting along the bytes is faster than searching
            first = int(np.searchsorted(begin, block[0], "right"))
            opened = np.bincount(begin[first:high] - block[0], minlength=span)
            opened[0] += first - 1
            found[at : at + step] = opened.cumsum(out=opened).take(block - block[0])
        low = max(high - 1, 0)
    return found


def of_words(gold: Corpus, words: Texts) -> Text:
    """The text of a corpus with words; without plain text, one blank stands between words."""
    running = gold.format == "text" and _ascend(words)
    sizes, buffer = _ink_of(words, split=running)
    size = len(buffer) - PADDING
    begin = np.cumsum(sizes, dtype=np.int64)
    begin -= sizes
    if sizes.min(initial=1) == 0:
        raise InputError.at(gold.source, 0, "a word of the text is empty")
    documents = np.arange(gold.n_sentences) if gold.documents is None else gold.documents
    full = np.flatnonzero(np.diff(gold.offsets))
    first = np.diff(documents[full], prepend=-1) != 0
    blanks = np.ones(len(words), np.int32)
    if running:
        np.subtract(words.starts[1:], words.starts[:-1], out=blanks[1:], casting="same_kind")
        blanks[1:] -= words.lengths[:-1]
    blanks[gold.offsets[full[first]]] = 0
    gold = replace(gold, documents=documents.astype(np.int32))
    return Text(shown(gold), np.frombuffer(buffer, np.uint8, size), begin, blanks, buffer)


def _ascend(words: Texts) -> bool:
    """Whether words stand one behind the other, as they do in a file."""
    return all(
        bool((words.starts[at + 1 : at + 1 + _BLOCK] > words.starts[at : at + _BLOCK][:last]).all())
        for at in range(0, len(words) - 1, _BLOCK)
        for last in (min(_BLOCK, len(words) - 1 - at),)
    )


def _ink_of(words: Texts, *, split: bool) -> tuple[IntArray, bytearray]:
    """How many bytes of ink words have, and these; ``split``: at white space, of running text."""
    if split and len(words):
        every = np.frombuffer(words.buffer, np.uint8)
        begin, end = int(words.starts[0]), int(words.starts[-1]) + int(words.lengths[-1])
        buffer, size = bytearray(end - begin + PADDING), 0
        kept = np.frombuffer(buffer, np.uint8)
        for at in range(begin, end, _BLOCK):
            part = every[at : min(at + _BLOCK, end)]
            part = part[~BLANKS.take(part)]
            kept[size : size + len(part)] = part
            size += len(part)
        del kept
        if size == int(words.lengths.sum(dtype=np.int64)):
            del buffer[size + PADDING :]
            buffer[size:] = bytes(PADDING)
            return words.lengths, buffer
    ink = inked(words)
    return ink.sizes, padded(ink.data)


def padded(ink: Bytes) -> bytearray:
    """Bytes as the buffer of ``Texts``."""
    buffer = bytearray(len(ink) + PADDING)
    np.frombuffer(buffer, np.uint8)[: len(ink)] = ink
    return buffer


def shown(gold: Corpus) -> Corpus:
    """The same words in sentences that are not too long to be shown."""
    sizes = np.diff(gold.offsets)
    if sizes.max(initial=0) <= CONTEXT or gold.documents is None:
        return gold
    parts = np.maximum(-(-sizes // CONTEXT), 1)
    of_part = np.repeat(np.arange(len(sizes)), parts)
    number = np.arange(len(of_part)) - np.repeat(np.cumsum(parts) - parts, parts)
    begin = gold.offsets[:-1][of_part] + number * CONTEXT
    return replace(
        gold,
        offsets=np.append(begin, gold.offsets[-1]),
        documents=gold.documents[of_part],
        fields={name: chosen(column, of_part) for name, column in gold.fields.items()},
        parts={},
    )
