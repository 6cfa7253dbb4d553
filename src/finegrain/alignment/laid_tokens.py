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
>>> places = placed(text.begin, len(text.ink), laid)
>>> summed(places, found.number, found.factor).tolist(), places.tokens.round(2).tolist()
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
from finegrain.corpus import IntArray, Texts
from finegrain.corpus.notes import Information
from finegrain.errors import AlignmentError, Problem

_BLOCK = 1 << 14  # tokens handled at once: temporaries stay in the processor's cache
_WIDEST = 64 * _BLOCK  # bytes of so many tokens
_LEADING = {"byte-level": "Ġ", "sentencepiece": "▁", "wordpiece": "##"}
_UNKNOWN = frozenset(("<unk>", "[UNK]", "<UNK>", "<|unk|>"))
_AROUND = 24  # bytes that are quoted
Floats = NDArray[np.float64]


class Laid(NamedTuple):
    """``begin``, ``end`` ``[token]``: the stretch of the ink of a text; ``marks`` of tokens.

    A token without ink has the byte behind it, the last ones of a document that before them;
    ``tiled``: there is none.
    """

    begin: IntArray
    end: IntArray
    marks: Marks
    tiled: bool
    notes: tuple[str, ...] = ()

    def same(self, other: Laid) -> bool:
        """Whether tokens divide the text alike."""
        return len(self.begin) == len(other.begin) and bool(
            (self.begin == other.begin).all() and (self.end == other.end).all()
        )


def lay(text: Text, found: Scored, marks: str) -> Laid:
    """Where the tokens of a system stand in a text, which must be theirs to the letter."""
    known = marks_of(marks, found.tokens)
    sizes = _plain_sizes(text, found.tokens, known)
    if sizes is None:
        ink = inked(found.tokens, known)
        _require_same(text, found, ink)
        sizes = ink.sizes
    end: IntArray = np.cumsum(sizes, dtype=np.int32 if len(text.ink) < 1 << 31 else np.int64)
    begin = end - sizes
    bare = np.flatnonzero(sizes == 0)
    if len(bare):
        stop = np.append(np.flatnonzero(np.diff(found.parent)), len(end) - 1)  # last tokens
        last = end[stop[np.searchsorted(stop, bare)]]
        begin[bare] = np.maximum(np.minimum(begin[bare], last - 1), 0)
        end[bare] = begin[bare] + 1
    notes: tuple[str, ...] = ()
    if marks == "auto" and known.shown:
        notes = (Information(f"marks of tokens: {known.name} ({known.shown})"),)
    return Laid(begin, end, known, not len(bare), notes)


def _plain_sizes(text: Text, tokens: Texts, marks: Marks) -> IntArray | None:
    """``[token]`` bytes of ink, if all tokens are those of the text behind one mark or blank.

    Most blocks of most files are, which is cheap to see; others are read byte by byte.
    """
    data = np.frombuffer(tokens.buffer, np.uint8)
    ink = text.buffer
    sizes = np.empty(len(tokens), np.int32)
    place = 0
    for at in range(0, len(tokens), _BLOCK):
        starts, lengths = tokens.starts[at : at + _BLOCK], tokens.lengths[at : at + _BLOCK]
        skip = _leading(data, starts, lengths, marks.name)
        own: IntArray = lengths - skip
        ends = np.cumsum(own, dtype=np.int64) + place
        if ends[-1] > len(text.ink):
            return None
        mine = Texts(tokens.buffer, starts + skip, own)
        if mine.differ(Texts(ink, ends - own, own)).any():
            block = inked(tokens.take(np.arange(at, at + len(starts))), marks)
            own, size = block.sizes, len(block.data)
            if not np.array_equal(block.data, text.ink[place : place + size]):
                return None
            ends = ends[-1:] * 0 + place + size
        sizes[at : at + _BLOCK] = own
        place = int(ends[-1])
    return sizes if place == len(text.ink) else None


def _leading(
    data: NDArray[np.uint8], starts: IntArray, lengths: IntArray, marks: str
) -> NDArray[np.int32]:
    """How many bytes of each token are a mark at its beginning, or a blank."""
    first = data.take(starts)
    found: NDArray[np.int32] = ((first == ord(" ")) & (lengths > 0)).astype(np.int32)
    if marks in _LEADING:
        mark = _LEADING[marks].encode()
        rows = np.flatnonzero((first == mark[0]) & (lengths >= len(mark)))
        for place in range(1, len(mark)):
            rows = rows[data.take(starts.take(rows) + place) == mark[place]]
        if marks == "wordpiece":
            rows = rows[lengths.take(rows) > len(mark)]
        found[rows] = len(mark)
    return found


class Placed(NamedTuple):
    """Tokens in units: the unit of each, and of those in several units what part each has.

    ``tokens`` ``[unit]``: how many tokens a unit has.
    """

    unit: IntArray
    shared: Shares | None
    tokens: Floats | NDArray[np.int32]


class Shares(NamedTuple):
    """What part of a token a unit has."""

    unit: IntArray
    token: IntArray
    share: Floats


def placed(units: IntArray, size: int, laid: Laid) -> Placed:
    """The tokens of units that begin at some places of an ink of ``size`` bytes."""
    opened = _opened(units, laid.begin) if laid.tiled else None
    if opened is not None:
        return Placed(opened, None, _counted(opened, len(units)))
    first = within(units, laid.begin)
    stops = np.append(units[1:], size)
    whole = np.empty(len(first), bool)  # in one unit
    for at in range(0, len(first), _BLOCK):
        block = slice(at, at + _BLOCK)
        np.less_equal(laid.end[block], stops.take(first[block]), out=whole[block])
    if whole.all():
        return Placed(first, None, _counted(first, len(units)))
    tokens = _added(first, whole, 1.0, len(units))
    shared = _shared(units, stops, laid, first, np.flatnonzero(~whole))
    tokens += np.bincount(shared.unit, shared.share, minlength=len(units))
    return Placed(first, shared, tokens)


def _opened(units: IntArray, begin: IntArray) -> NDArray[np.int32] | None:
    """``[token]`` its unit, where every unit begins with a token; ``None`` where one does not.

    Tokens that stand side by side then are in one unit each.

    >>> _opened(np.array([0, 3]), np.array([0, 2, 3, 5])).tolist()
    [0, 0, 1, 1]
    >>> _opened(np.array([0, 3]), np.array([0, 2, 5])) is None
    True
    """
    found, low = np.empty(len(begin), np.int32), 0
    for at in range(0, len(begin), _BLOCK):
        block = begin[at : at + _BLOCK]
        base, last = int(block[0]), int(block[-1])
        high = low + int(np.searchsorted(units[low : low + len(block) + 1], last, "right"))
        if last - base > _WIDEST or (high > low and units[low] < base):
            return None
        opens = np.zeros(last - base + 1, np.uint8)
        opens[units[low:high] - base] = 1
        number = np.cumsum(opens.take(block - base), dtype=np.int32)
        if number[-1] != high - low:
            return None
        np.add(number, low - 1, out=found[at : at + _BLOCK])
        low = high
    return found if low == len(units) else None


def summed(places: Placed, numbers: Floats, factor: float = 1.0) -> Floats:
    """``[unit]`` the sums of what its tokens have, times a factor."""
    size = len(places.tokens)
    if places.shared is None:
        return _added(places.unit, numbers, factor, size)
    unit, token, share = places.shared
    whole = numbers * factor
    whole[token] = 0.0
    found = _added(places.unit, whole, 1.0, size)
    found += np.bincount(unit, share * (numbers[token] * factor), minlength=size)
    return found


def _counted(units: IntArray, size: int) -> NDArray[np.int32]:
    """``[unit]`` how many tokens it has; units ascend."""
    found = np.zeros(size, np.int32)
    for at in range(0, len(units), _BLOCK):
        own = units[at : at + _BLOCK]
        low = int(own[0])
        counts = np.bincount(own - low)
        found[low : low + len(counts)] += counts
    return found


def _added(units: IntArray, values: Floats | NDArray[np.bool_], factor: float, size: int) -> Floats:
    """``[unit]`` the sums of values whose units ascend, added one by one as bincount does.

    >>> _added(np.array([0, 0, 2]), np.array([0.5, 1.0, 2.0]), 2.0, 4).tolist()
    [3.0, 0.0, 4.0, 0.0]
    """
    found = np.zeros(size)
    for at in range(0, len(units), _BLOCK):
        own, weights = units[at : at + _BLOCK], values[at : at + _BLOCK] * factor
        low = int(own[0])
        weights[0] += found[low]  # what the block before has of this unit
        sums = np.bincount(own - low, weights)
        found[low : low + len(sums)] = sums
    return found


def _shared(
    units: IntArray, stops: IntArray, laid: Laid, first: IntArray, crossing: IntArray
) -> Shares:
    begin, end = laid.begin[crossing], laid.end[crossing]
    last = np.searchsorted(units, end - 1, "right") - 1
    number = last - first[crossing] + 1
    token = np.repeat(np.arange(len(crossing)), number)
    inner = np.arange(len(token)) - np.repeat(np.cumsum(number) - number, number)
    unit = first[crossing][token] + inner
    covered = np.minimum(end[token], stops[unit]) - np.maximum(begin[token], units[unit])
    return Shares(unit, crossing[token], covered / (end - begin)[token])


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
        what = f"the tokens end where the text continues with {ours} ({where})"
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
