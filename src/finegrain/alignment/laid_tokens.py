"""Tokens laid on a text: which stretch of it each covers, and what that is for units.

>>> from finegrain.alignment.scored_tokens import scored
>>> from finegrain.alignment.token_text import text_of
>>> from finegrain.formats.log_probabilities import read
>>> from finegrain.formats.source import source_of
>>> text = text_of(read(source_of("a.tsv", b"so\\t-1\\nis\\t-2\\n")))
>>> lines = b'{"tokens": ["so i", "s", "\\\\n"], "logprobs": [-3, -1, -0.5]}'
>>> found = scored(read(source_of("b.jsonl", lines)), base="2")
>>> laid = lay(text, found, "auto")
>>> laid.begin.tolist(), laid.end.tolist()
([0, 3, 3], [3, 4, 4])
>>> sums = summed(text.begin, len(text.ink), laid, found.bits)
>>> sums.bits.tolist(), sums.tokens.round(2).tolist()
([2.0, 2.5], [0.67, 2.33])
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.inked_bytes import Ink, inked
from finegrain.alignment.scored_text import Text, within
from finegrain.alignment.scored_tokens import Scored
from finegrain.alignment.token_marks import Marks, marks_of
from finegrain.corpus import IntArray
from finegrain.corpus.notes import Information
from finegrain.errors import AlignmentError, Problem

_UNKNOWN = frozenset(("<unk>", "[UNK]", "<UNK>", "<|unk|>"))
_AROUND = 24  # bytes that are quoted
Floats = NDArray[np.float64]


class Laid(NamedTuple):
    """``begin``, ``end`` ``[token]``: the stretch of the ink of a text; ``marks`` of tokens.

    A token without ink has the byte behind it, the last ones of a document that before them.
    """

    begin: IntArray
    end: IntArray
    marks: Marks
    notes: tuple[str, ...] = ()

    def same(self, other: Laid) -> bool:
        """Whether tokens divide the text alike."""
        return len(self.begin) == len(other.begin) and bool(
            (self.begin == other.begin).all() and (self.end == other.end).all()
        )


class Sums(NamedTuple):
    """``[unit]`` surprisals of the tokens of a unit, and how many tokens it has."""

    bits: Floats
    tokens: Floats


def lay(text: Text, found: Scored, marks: str) -> Laid:
    """Where the tokens of a system stand in a text, which must be theirs to the letter."""
    known = marks_of(marks, found.tokens)
    ink = inked(found.tokens, known)
    _require_same(text, found, ink)
    end = np.cumsum(ink.sizes, dtype=np.int64)
    begin = end - ink.sizes
    bare = np.flatnonzero(ink.sizes == 0)
    if len(bare):
        stop = np.append(np.flatnonzero(np.diff(found.parent)), len(end) - 1)  # last tokens
        last = end[stop[np.searchsorted(stop, bare)]]
        begin[bare] = np.maximum(np.minimum(begin[bare], last - 1), 0)
        end[bare] = begin[bare] + 1
    notes: tuple[str, ...] = ()
    if marks == "auto" and known.shown:
        notes = (Information(f"marks of tokens: {known.name} ({known.shown})"),)
    return Laid(begin, end, known, notes)


def summed(units: IntArray, size: int, laid: Laid, bits: Floats) -> Sums:
    """Sums over units that begin at some places of an ink of ``size`` bytes."""
    first = within(units, np.minimum(laid.begin, size - 1))
    stops = np.append(units[1:], size)
    crossing = np.flatnonzero(laid.end > stops[first])
    weight = bits
    number: Floats | None = None
    if len(crossing):
        number = np.ones(len(bits))
        number[crossing] = 0.0
        weight = np.where(number > 0, bits, 0.0)
    total: Floats = np.bincount(first, weight, minlength=len(units)).astype(np.float64)
    tokens = np.bincount(first, number, minlength=len(units)).astype(np.float64)
    if len(crossing):
        unit, token, share = _shared(units, stops, laid, first, crossing)
        total += np.bincount(unit, share * bits[token], minlength=len(units))
        tokens += np.bincount(unit, share, minlength=len(units))
    return Sums(total, tokens)


class _Shares(NamedTuple):
    unit: IntArray
    token: IntArray
    share: Floats


def _shared(
    units: IntArray, stops: IntArray, laid: Laid, first: IntArray, crossing: IntArray
) -> _Shares:
    """What part of a token each of the units has that it covers."""
    begin, end = laid.begin[crossing], laid.end[crossing]
    last = (
        within(units, end - 1)
        if (np.diff(end) >= 0).all()
        else (np.searchsorted(units, end - 1, "right") - 1)
    )
    number = last - first[crossing] + 1
    token = np.repeat(np.arange(len(crossing)), number)
    unit = (
        first[crossing][token]
        + np.arange(len(token))
        - np.repeat(np.cumsum(number) - number, number)
    )
    covered = np.minimum(end[token], stops[unit]) - np.maximum(begin[token], units[unit])
    return _Shares(unit, crossing[token], covered / (end - begin)[token])


def _require_same(text: Text, found: Scored, ink: Ink) -> None:
    """Refuse tokens that do not make the text."""
    size = min(len(ink.data), len(text.ink))
    if len(ink.data) == len(text.ink) and np.array_equal(ink.data, text.ink):
        return
    differ = ink.data[:size] != text.ink[:size]
    at = int(np.argmax(differ)) if differ.any() else size
    ends = np.cumsum(ink.sizes, dtype=np.int64)
    token = min(int(np.searchsorted(ends, at, "right")), len(ends) - 1)
    word = min(int(np.searchsorted(text.begin, at, "right")) - 1, len(text.begin) - 1)
    corpus, source = text.corpus, text.corpus.source
    where = f"{source}:{corpus.line(word)}" if corpus.line(word) else source
    ours = _quoted(text.ink[int(text.begin[word]) :])
    theirs = _quoted(ink.data[int(ends[token] - ink.sizes[token]) :])
    if at == len(ink.data):
        what = f"the tokens end where the text goes on with {ours} ({where})"
    elif at == len(text.ink):
        what = f"the tokens go on with {theirs} behind the end of {source}"
    else:
        what = f"the tokens go on with {theirs} where the text has {ours} ({where})"
    mend = (
        "Tokens put together must be the text, white space aside; --set marks=NAME says how they "
        "mark white space."
    )
    unknown = found.tokens[token].strip(" Ġ▁")
    if unknown in _UNKNOWN:
        mend = (
            f"{unknown} stands for any unknown word, so that its probability is none "
            "of the text: use a model without unknown words, or write it into the text."
        )
    raise AlignmentError([Problem(found.corpus.source, found.line(token), what, mend)])


def _quoted(data: NDArray[np.uint8]) -> str:
    text = data[:_AROUND].tobytes().decode(errors="ignore")
    return repr(text + ("..." if len(data) > _AROUND else ""))
