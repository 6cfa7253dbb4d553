"""The tokens of a language model with their log-probabilities, ready to be laid on a text.

>>> from finegrain.formats.log_probabilities import read
>>> from finegrain.formats.source import source_of
>>> corpus = read(source_of("a.tsv", b"<s>\\tnull\\nSo\\t-1\\nit\\t-2\\n</s>\\t-0.5\\n"))
>>> found = scored(corpus, base="2")
>>> found.bits.tolist(), found.notes
([1.0, 2.0], ('2 special tokens (<s>, </s>) are no part of the text and left out',))

Numbers become surprisals in bits. Positive log-probabilities are refused, and so are tokens without
one, unless they are the first of their document, which no model predicts without a token before.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.same_text import places_of
from finegrain.alignment.special_tokens import Special, texts_of, tokens_of
from finegrain.corpus import Corpus, IntArray, Texts
from finegrain.corpus.items import line_of, numbers, of_rows
from finegrain.errors import InputError, Problem, UsageError
from finegrain.formats.log_probabilities import LOGPROB

Base = Literal["e", "2", "10"]
Missing = Literal["error", "skip"]
BITS = {"e": 1 / math.log(2), "2": 1.0, "10": math.log(10) / math.log(2)}
_SHOWN = 20  # problems that are told at once
_NEGLIGIBLE = 1e-4  # above 0: a rounding error of a probability of 1
Floats = NDArray[np.float64]


class Scored(NamedTuple):
    """``tokens``: of the text, in documents (``parent``), with their log-probabilities.

    ``number``, times ``factor``, are bits, nan for none: a copy of as many numbers as there are
    tokens is not made. ``notes``: what is left out.
    """

    corpus: Corpus
    tokens: Texts
    parent: IntArray
    number: Floats
    factor: float
    notes: tuple[str, ...]

    @property
    def bits(self) -> Floats:
        """``[token]`` surprisals."""
        return self.number * self.factor

    def line(self, token: int) -> int:
        """The line of a token in its file; the line of its document where tokens share one."""
        buffer, start = self.tokens.buffer, int(self.tokens.starts[token])
        if buffer[start + int(self.tokens.lengths[token])] == ord("\t"):  # a table
            return buffer.count(b"\n", 0, start) + 1
        return line_of(self.corpus, int(self.parent[token]))


def scored(
    corpus: Corpus, *, base: Base = "e", missing: Missing = "error", special: Special = "skip"
) -> Scored:
    """The tokens of a system's file.

    base: of the logarithm; missing: what becomes of tokens without a finite log-probability that
    are not the first of their document; special: what becomes of tokens such as ``</s>``
    """
    if base not in BITS:
        raise UsageError.unknown("base", base, BITS)
    if missing not in get_args(Missing):
        raise UsageError.unknown("missing", missing, get_args(Missing))
    known = tokens_of(corpus, special)
    rows, tokens, marked = known.rows, known.texts, known.special
    number = numbers(rows.fields[LOGPROB]) if LOGPROB in rows.fields else None
    if number is None:
        raise InputError.at(corpus.source, 0, "tokens have no log-probabilities")
    parent = rows.parent
    if marked.any():
        if special == "count":  # what has to be predicted stands for no characters
            tokens = Texts(tokens.buffer, tokens.starts, np.where(marked, 0, tokens.lengths))
            marked &= np.isnan(number)
        kept = np.flatnonzero(~marked)
        tokens, parent, number = tokens.take(kept), parent[kept], number[kept]
    if not len(number):
        raise InputError.at(corpus.source, 0, "there are no tokens of the text")
    found = Scored(corpus, tokens, parent, number, -BITS[base], known.notes)
    if number.max() <= 0 and number.min() > -np.inf:  # false where there is a nan
        return found
    _require_negative(found, number, base)
    first = np.diff(parent, prepend=-1) != 0
    lacking = ~np.isfinite(number)
    if missing == "error" and (lacking & ~(first & np.isnan(number))).any():
        _refuse(found, number, lacking & ~(first & np.isnan(number)))
    bits = found.bits
    bits[lacking] = np.nan
    return found._replace(number=np.maximum(bits, 0.0), factor=1.0)


def in_order(text: Corpus, corpus: Corpus) -> Corpus:
    """A system's documents in the order of the text's, where both have ids."""
    if text.document_ids is None or "id" not in corpus.fields:
        return corpus
    own = texts_of(corpus.fields["id"])
    names = tuple(own.slice(0, len(own)))
    if names == text.document_ids:
        return corpus
    return of_rows(corpus, np.array(places_of(text, corpus.source, names, "text")))


def _require_negative(found: Scored, number: Floats, base: Base) -> None:
    above = np.flatnonzero(number > _NEGLIGIBLE)
    if not len(above):
        return
    mend = "Log-probabilities are 0 or less."
    given = number[~np.isnan(number)]
    if (given >= 0).all():
        mend += " These look like losses (negative log-probabilities): change their sign."
    elif base == "e" and (given > 0).mean() > 0.5:
        mend += " Are these logits, or probabilities?"
    raise InputError(
        [
            Problem(found.corpus.source, found.line(token),
                    f"the log-probability {number[token]:g} of {found.tokens[token][:40]!r} is "
                    "positive", mend)
            for token in above[:_SHOWN].tolist()
        ],
        unlisted=max(0, len(above) - _SHOWN),
    )  # fmt: skip


def _refuse(found: Scored, number: Floats, lacking: NDArray[np.bool_]) -> None:
    rows = np.flatnonzero(lacking)
    problems = []
    for token in rows[:_SHOWN].tolist():
        text = found.tokens[token][:40]
        if np.isnan(number[token]):
            what = f"no log-probability for {text!r}, which is not the first token"
        else:
            what = f"the log-probability of {text!r} is -inf: perplexity would be infinite"
        mend = "Write one, or leave such words out for all systems: --missing skip."
        problems.append(Problem(found.corpus.source, found.line(token), what, mend))
    raise InputError(problems, unlisted=max(0, len(rows) - _SHOWN))
