"""Special tokens at the ends of documents, which stand for no characters of the text.

>>> from finegrain.formats.log_probabilities import read
>>> from finegrain.formats.source import source_of
>>> corpus = read(source_of("a.tsv", b"<s>\\tnull\\nSo\\t-1\\n</s>\\t-0.5\\n"))
>>> found = tokens_of(corpus)
>>> found.special.tolist(), found.notes[0]
([True, False, True], '2 special tokens (<s>, </s>) are no part of the text and left out')
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.corpus.items import coded
from finegrain.corpus.notes import Information
from finegrain.errors import InputError, UsageError
from finegrain.formats.log_probabilities import TOKEN, TOKENS
from finegrain.sizes import sized

Special = Literal["skip", "count", "text"]
SPECIAL = frozenset((
    "<s>", "</s>", "<bos>", "<eos>", "<pad>", "[CLS]", "[SEP]", "[PAD]", "[BOS]", "[EOS]",
    "<|endoftext|>", "<|begin_of_text|>", "<|end_of_text|>", "<|startoftext|>", "<|im_end|>",
    "<|begin▁of▁sentence|>", "<|end▁of▁sentence|>", "<｜begin▁of▁sentence｜>",
    "<｜end▁of▁sentence｜>",
))  # fmt: skip
"""Tokens that stand for no characters, at the beginning or end of a document."""
_LONGEST = max(len(name.encode()) for name in SPECIAL)
_HOW = {
    "skip": "no part of the text and left out",
    "count": "counted with the last word of the document",
}


class Tokens(NamedTuple):
    """The tokens of a corpus: ``rows`` with their documents, ``special`` which of them are."""

    rows: Rows
    texts: Texts
    special: NDArray[np.bool_]
    notes: tuple[str, ...] = ()


def tokens_of(corpus: Corpus, special: Special = "skip") -> Tokens:
    """The tokens of a corpus; ``special``: ``skip``, ``count``, or ``text`` if none are special."""
    if special not in get_args(Special):
        raise UsageError.unknown("special", special, get_args(Special))
    rows = corpus.parts.get(TOKENS)
    if rows is None or not rows.size or TOKEN not in rows.fields:
        mend = "Write token<tab>log-probability in lines, or JSON lines with tokens and logprobs."
        raise InputError.at(corpus.source, 1, "there are no tokens with log-probabilities", mend)
    texts = texts_of(rows.fields[TOKEN])
    found = np.zeros(rows.size, bool)
    if special == "text":
        return Tokens(rows, texts, found)
    documents = np.arange(corpus.n_sentences + 1, dtype=rows.parent.dtype)
    bounds = np.searchsorted(rows.parent, documents)
    first, past = bounds[:-1].copy(), bounds[1:].copy()
    names: dict[str, None] = {}
    for edge, step in ((first, 1), (past, -1)):
        open_ = np.flatnonzero(first < past)
        while len(open_):
            at = edge[open_] - (step < 0)
            hits, told = _special(texts.take(at))
            names |= dict.fromkeys(told)
            found[at[hits]] = True
            edge[open_[hits]] += step
            open_ = open_[hits]
            open_ = open_[first[open_] < past[open_]]
    count = int(found.sum())
    if not count:
        return Tokens(rows, texts, found)
    verb = "is" if count == 1 else "are"
    said = f"{sized(count, 'special token')} ({', '.join(names)}) {verb} {_HOW[special]}"
    return Tokens(rows, texts, found, (Information(said),))


def _special(texts: Texts) -> tuple[NDArray[np.int64], list[str]]:
    """Which of some tokens are special, and their names."""
    short = np.flatnonzero(texts.lengths <= _LONGEST)
    column = texts.take(short).coded()
    known = np.array([name in SPECIAL for name in column.names] or [False])
    hits = known[column.codes] if len(short) else np.zeros(0, bool)
    used = np.unique(column.codes[hits]).tolist()
    return short[hits], [column.names[code] for code in used]


def texts_of(column: Column) -> Texts:
    """A column as texts, nothing being an empty one."""
    return column if isinstance(column, Texts) else Texts.of(coded(column, missing=""))
