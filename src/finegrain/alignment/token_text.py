"""The text that tokens make when they are put together, or that items have.

>>> from finegrain.formats.log_probabilities import read
>>> from finegrain.formats.source import source_of
>>> text = text_of(read(source_of("a.tsv", "It\\t-1\\nĠis\\t-2\\nn\\t-1.5\\n".encode())))
>>> text.corpus.sentence(0), text.blanks.tolist()
(['It', 'isn'], [0, 1])

Where neither marks nor white space stand in any token, every token is a word.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.inked_bytes import Ink, inked
from finegrain.alignment.scored_text import Text, of_words, padded, shown, within
from finegrain.alignment.special_tokens import Special, texts_of, tokens_of
from finegrain.alignment.token_marks import NONE, Marks, marks_of
from finegrain.corpus import Corpus, IntArray, Texts
from finegrain.corpus.columns import Rows, chosen
from finegrain.corpus.items import LINE, text_field
from finegrain.errors import InputError
from finegrain.formats.log_probabilities import TOKEN, TOKENS

_MEND = "Give plain text, items with a text, or tokens with log-probabilities."


def text_of(gold: Corpus, *, special: Special = "skip", marks: str = "auto") -> Text:
    """The text of a corpus with words, of items with texts, or of tokens put together."""
    name = text_field(gold.fields)
    if name is not None:
        texts = texts_of(gold.fields[name])
        whole = Rows(np.arange(len(texts)), {TOKEN: texts})
        return _put_together(gold, whole, NONE, whole_texts=True)
    if TOKENS in gold.parts:
        known = tokens_of(gold, special)
        kept = np.flatnonzero(~known.special)
        own = known.texts.take(kept) if len(kept) < known.rows.size else known.texts
        rows = Rows(known.rows.parent[kept], {TOKEN: own})
        return _put_together(gold, rows, marks_of(marks, own))
    if gold.tokens is None or not gold.n_tokens:
        raise InputError.at(gold.source, 0, "there is no text", _MEND)
    return of_words(gold, gold.tokens)


class _Blanks(NamedTuple):
    """For each byte of white space its place in the ink, and its document."""

    place: IntArray
    document: IntArray


def _put_together(gold: Corpus, rows: Rows, marks: Marks, *, whole_texts: bool = False) -> Text:
    """Words of the text that tokens make, documents being sentences."""
    tokens = texts_of(rows.fields[TOKEN])
    ink = inked(tokens, marks)
    size = len(ink.data)
    places = np.concatenate([[0], np.cumsum(ink.sizes, dtype=np.int64)])
    bounds = places[np.searchsorted(rows.parent, np.arange(gold.n_sentences + 1))]
    blanks = _Blanks(ink.blanks, rows.parent[ink.of_blanks])
    if not whole_texts:
        blanks = _with_implied(blanks, rows, tokens, ink, places, marks, bounds)
    full = np.flatnonzero(np.diff(bounds))
    if not len(full):
        raise InputError.at(gold.source, 0, "there is no text", _MEND)
    opening = bounds[full]
    inner = (blanks.place > bounds[blanks.document]) & (blanks.place < bounds[blanks.document + 1])
    begin = np.unique(np.concatenate([opening, blanks.place[inner]]))
    # white space at the end of a document belongs to its last word, and none to empty ones
    known = bounds[blanks.document] < bounds[blanks.document + 1]
    last = np.minimum(blanks.place, bounds[blanks.document + 1] - 1)[known]
    number = np.bincount(within(begin, np.sort(last)), minlength=len(begin)).astype(np.int32)
    buffer = padded(ink.data)
    words = Texts(buffer, begin, np.diff(np.append(begin, size)).astype(np.int32))
    offsets = np.append(np.searchsorted(begin, opening), len(begin))
    return Text(shown(_documents(gold, words, offsets, full)), ink.data, begin, number, buffer)


def _with_implied(
    blanks: _Blanks, rows: Rows, tokens: Texts, ink: Ink, places: IntArray, marks: Marks,
    bounds: IntArray,
) -> _Blanks:  # fmt: skip
    """Also the blanks that tokens imply, which do not have them as characters."""
    if marks.name == "sentencepiece":  # the first token has a blank that is none of the text
        real = blanks.place > bounds[blanks.document]
        return _Blanks(blanks.place[real], blanks.document[real])
    parts = np.zeros(len(tokens), bool)
    if marks.name == "wordpiece":
        parts = _are(tokens, tokens.starts, "##")
    elif marks.name == "subword-nmt":
        parts[1:] = _are(tokens, tokens.starts + tokens.lengths - 2, "@@")[:-1]
    elif marks.name != "none" or len(blanks.place):
        return blanks
    opens = np.flatnonzero(~parts & (ink.sizes > 0))
    place, document = places[opens], rows.parent[opens]
    inner = place > bounds[document]
    order = np.argsort(np.concatenate([blanks.place, place[inner]]), kind="stable")
    return _Blanks(
        np.concatenate([blanks.place, place[inner]])[order],
        np.concatenate([blanks.document, document[inner]])[order],
    )


def _are(tokens: Texts, at: IntArray, mark: str) -> NDArray[np.bool_]:
    """Whether two characters stand at a place of a token that has more than these."""
    data = np.frombuffer(tokens.buffer, np.uint8)
    at = np.maximum(at, 0)
    code = ord(mark[0])
    found: NDArray[np.bool_] = (tokens.lengths > 2) & (data[at] == code) & (data[at + 1] == code)
    return found


def _documents(gold: Corpus, words: Texts, offsets: IntArray, full: IntArray) -> Corpus:
    """A corpus of the documents that are not empty."""
    names = None
    if "id" in gold.fields:
        ids = texts_of(gold.fields["id"])
        names = tuple(ids[row] for row in full.tolist())
    kept = {LINE: chosen(gold.fields[LINE], full)} if LINE in gold.fields else {}
    return Corpus(
        gold.source, offsets, words, documents=np.arange(len(full), dtype=np.int32),
        document_ids=names, notes=gold.notes, format=gold.format, fields=kept,
    )  # fmt: skip
