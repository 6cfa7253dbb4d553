"""Words of an annotated corpus are edited, and its annotation goes where its words go.

>>> from dataclasses import replace
>>> from finegrain.corpus import Corpus, Spans
>>> corpus = replace(Corpus.of([["visit", "New", "York"]]), spans=Spans.of([(0, 1, 3, "LOC")]))
>>> found = rewritten(corpus, [[Edit(1, 2, ("N", "ew"))]], Bounds.of(corpus))
>>> found.corpus.sentence(0), [found.corpus.spans.tokens(row) for row in range(1)]
(['visit', 'N', 'ew', 'York'], [(1, 2, 3)])
>>> found.changes
(Change(sentence=0, begin=1, old=('New',), new=('N', 'ew'), field=''),)

A place before a token of the old text is a place of the new one (``Places.moved``), and that is all
that spans, mentions and heads need. An edit that would cut through an annotation is left out and
counted: words are joined only where nothing begins or ends between them, a text is cut off only
where nothing goes on, a word within which a span begins keeps the characters around that place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import LAYER, Clusters, Coded, Corpus, IntArray, Spans, Texts
from finegrain.corpus.clusters import WORD
from finegrain.corpus.tag_schemes import levels, looks_like_spans
from finegrain.errors import UsageError
from finegrain.perturbations.bounds import Bounds, mention_ends
from finegrain.perturbations.perturbation import Edit

_FIRST = {"S": "B", "U": "B", "W": "B", "E": "I", "L": "I"}  # prefix of the first part of a word
_LAST_OF_SINGLE = {"S": "E", "U": "L", "W": "E"}


class Change(NamedTuple):
    """What was changed: words from ``begin`` on, both counted from 0; ``field`` of an item."""

    sentence: int
    begin: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    field: str = ""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A corpus with other words; ``refused`` edits would have cut through annotation."""

    corpus: Corpus
    changes: tuple[Change, ...]
    refused: int


def rewritten(corpus: Corpus, edits: Sequence[Sequence[Edit]], bounds: Bounds) -> Rewritten:
    """The corpus after the edits of each of its sentences."""
    if corpus.tokens is None:
        raise UsageError(f"{corpus.source} has no text, so there are no words to change")
    counts = np.ones(corpus.n_tokens, np.int64)
    new: dict[int, tuple[str, ...]] = {}
    changes, refused = [], 0
    offsets = corpus.offsets.tolist()
    for sentence, own in enumerate(edits):
        base, size = offsets[sentence], offsets[sentence + 1] - offsets[sentence]
        for edit in own:
            old = tuple(corpus.tokens.slice(base + edit.begin, base + edit.end))
            if old == edit.new:
                continue
            if not _fits(edit, old, base, size, bounds):
                refused += 1
                continue
            counts[base + edit.begin : base + edit.end] = 0
            _put(counts, new, base, edit)
            changes.append(Change(sentence, edit.begin, old, edit.new))
    words = [corpus.tokens[token] for token in range(corpus.n_tokens)]
    made = Texts.of(
        one
        for token, count in enumerate(counts.tolist())
        for one in (new.get(token, (words[token],)) if count else ())
    )
    return Rewritten(_moved(corpus, counts, made, bounds, new), tuple(changes), refused)


def _put(counts: NDArray[np.int64], new: dict[int, tuple[str, ...]], base: int, edit: Edit) -> None:
    """Word by word where there are as many as before, else all in place of the first."""
    if len(edit.new) == edit.end - edit.begin:
        for at, word in enumerate(edit.new, base + edit.begin):
            counts[at], new[at] = 1, (word,)
    elif edit.new:
        counts[base + edit.begin] = len(edit.new)
        new[base + edit.begin] = edit.new


def _fits(edit: Edit, old: tuple[str, ...], base: int, size: int, bounds: Bounds) -> bool:
    """Whether annotation stays exact; what has no meaning for annotated text is an error."""
    begin, end = base + edit.begin, base + edit.end
    if not edit.new and edit.end == size:
        return bool(bounds.cuttable[begin])
    if bounds.fixed[begin:end].any():
        return False
    if len(edit.new) == len(old):
        return all(
            moved_within(was, now, bounds.within.get(token, frozenset())) is not None
            for token, (was, now) in enumerate(zip(old, edit.new, strict=True), begin)
        )
    if 1 not in (len(edit.new), len(old)) or not edit.new or not old:
        raise UsageError(
            f"{len(old)} words cannot become {len(edit.new)} in annotated text: one word can be "
            "split, several can be joined to one, and the end can be cut off"
        )
    if bounds.tagged or any(token in bounds.within for token in range(begin, end)):
        return False
    return len(old) == 1 or not bounds.edges[begin + 1 : end].any()


def moved_within(old: str, new: str, places: frozenset[int]) -> dict[int, int] | None:
    """Where places inside of a word are in the new one; ``None`` if that is not certain.

    They are in what both words begin or end with, or no character is added or taken away.

    >>> moved_within("Rome,", "rome,", frozenset([4]))
    {4: 4}
    >>> moved_within("Rome,", "Rom,", frozenset([4]))
    {4: 3}
    >>> moved_within("Rome's", "Rom'es", frozenset([4])) is None     # swapped across the place
    True
    """
    head = next((at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]),
                min(len(old), len(new)))  # fmt: skip
    room = min(len(old), len(new)) - head
    tail = next((at for at in range(room) if old[-1 - at] != new[-1 - at]), room)
    found = {}
    for place in places:
        if place <= head:
            found[place] = place
        elif place >= len(old) - tail:
            found[place] = place + len(new) - len(old)
        elif (
            len(old) == len(new) and old[place - 1 : place + 1] != new[place - 1 : place + 1][::-1]
        ):
            found[place] = place
        else:
            return None
    return found


def _moved(
    corpus: Corpus,
    counts: NDArray[np.int64],
    tokens: Texts,
    bounds: Bounds,
    new: dict[int, tuple[str, ...]],
) -> Corpus:
    """The corpus with these tokens, and all annotation at its new place."""
    place = np.concatenate([[0], np.cumsum(counts)])
    offsets = place[corpus.offsets]
    same = bool((counts == 1).all())
    origin = np.repeat(np.arange(corpus.n_tokens), counts)
    move = _Move(corpus, place, offsets, bounds, new)
    return replace(
        corpus,
        tokens=tokens,
        offsets=corpus.offsets if same else offsets,
        layers=corpus.layers if same else _layers(corpus, counts, origin),
        spans=None if corpus.spans is None else move.spans(corpus.spans),
        multiword=None if corpus.multiword is None else move.spans(corpus.multiword),
        clusters=None if corpus.clusters is None else move.clusters(corpus.clusters),
        further=corpus.further if same or corpus.further is None else corpus.further.take(origin),
    )


class _Move(NamedTuple):
    """``place`` ``[token + 1]`` where the places before old tokens are in the new text."""

    corpus: Corpus
    place: NDArray[np.int64]
    offsets: IntArray
    bounds: Bounds
    new: dict[int, tuple[str, ...]]

    def spans(self, spans: Spans) -> Spans:
        """Spans whose words are still there."""
        old = np.asarray(self.corpus.offsets, np.int64)[spans.sentence]
        base = self.offsets[spans.sentence]
        begin = (self.place[old + spans.begin] - base).astype(np.int32)
        end = (self.place[old + spans.end] - base).astype(np.int32)
        sets = np.zeros(len(spans), np.int32)
        known: dict[tuple[int, ...], int] = {}
        for row in np.flatnonzero(spans.token_set).tolist():
            tokens = tuple(
                token - int(base[row])
                for one in spans.tokens(row)
                for token in range(*self.place[old[row] + one : old[row] + one + 2].tolist())
            )
            if tokens and tokens != tuple(range(tokens[0], tokens[-1] + 1)):
                sets[row] = known.setdefault(tokens, len(known) + 1)
        cuts = self._cuts(spans, old)
        moved = Spans(
            spans.sentence, begin, end, spans.label, spans.labels, sets, tuple(known), *cuts
        )
        gone = (spans.end > spans.begin) & (begin == end)
        return moved if not gone.any() else moved.take(np.flatnonzero(~gone))

    def _cuts(self, spans: Spans, old: IntArray) -> tuple[IntArray | None, IntArray | None]:
        """What spans leave out of words that may be shorter or longer than before."""
        if spans.begin_cut is None or spans.end_cut is None or self.corpus.tokens is None:
            return spans.begin_cut, spans.end_cut
        begin_cut, end_cut = spans.begin_cut.copy(), spans.end_cut.copy()
        for row in np.flatnonzero((begin_cut > 0) | (end_cut > 0)).tolist():
            first, last = int(old[row] + spans.begin[row]), int(old[row] + spans.end[row]) - 1
            if first in self.new and begin_cut[row]:
                was, (now,) = self.corpus.tokens[first], self.new[first]
                places = moved_within(was, now, frozenset([int(begin_cut[row])]))
                begin_cut[row] = next(iter((places or {}).values()))
            if last in self.new and end_cut[row]:
                was, (now,) = self.corpus.tokens[last], self.new[last]
                places = moved_within(was, now, frozenset([len(was) - int(end_cut[row])]))
                end_cut[row] = len(now) - next(iter((places or {}).values()))
        return begin_cut, end_cut

    def clusters(self, clusters: Clusters) -> Clusters:
        """Mentions whose words and empty nodes are still there."""
        if not (np.diff(self.place) != 1).any():
            return clusters
        lengths = np.diff(self.offsets)[clusters.spans.sentence]
        kept = [
            row
            for row, size in enumerate(lengths.tolist())
            if len(clusters.spans.tokens(row)) == 0 or self._stays(clusters.spans, row)
            if clusters.empty_set[row] == 0 or mention_ends(clusters.nodes(row)) <= size
        ]
        rows = np.array(kept, np.int64)
        left = clusters.take(rows)
        old = np.asarray(self.corpus.offsets, np.int64)[left.spans.sentence]
        head = left.head.copy()
        some = np.flatnonzero((head > 0) & (head % WORD == 0))
        word = (
            self.place[old[some] + head[some] // WORD - 1] - self.offsets[left.spans.sentence[some]]
        )
        head[some] = (word + 1) * WORD
        return replace(left, spans=self.spans(left.spans), head=head)

    def _stays(self, spans: Spans, row: int) -> bool:
        old = int(self.corpus.offsets[spans.sentence[row]])
        return bool(self.place[old + spans.begin[row]] < self.place[old + spans.end[row]])


def _layers(
    corpus: Corpus, counts: NDArray[np.int64], origin: NDArray[np.int64]
) -> dict[str, Coded]:
    """Parts of a word have what the word has; a span that begins with it goes on in its parts."""
    found = {}
    parts = np.flatnonzero(counts > 1)
    first = np.cumsum(counts) - counts
    for name, column in corpus.layers.items():
        moved = Coded(column.codes[origin], column.names)
        if name == LAYER and len(parts) and looks_like_spans(column.names):
            tags = list(moved)
            middle = any(level.startswith("M") for tag in column.names for level in levels(tag))
            for token in parts.tolist():
                size, tag = int(counts[token]), column[token]
                tags[first[token] : first[token] + size] = _parts(tag, size, middle=middle)
            moved = Coded.of(tags)
        found[name] = moved
    return found


def _parts(tag: str, size: int, *, middle: bool) -> list[str]:
    """The tags of the parts of a word.

    >>> _parts("B-PER", 2, middle=False), _parts("S-PER", 3, middle=True)
    (['B-PER', 'I-PER'], ['B-PER', 'M-PER', 'E-PER'])
    """
    within = "M" if middle else "I"

    def named(place: int) -> str:
        return "|".join(_part(level, place, size, within) for level in levels(tag))

    return [named(place) for place in range(size)]


def _part(tag: str, place: int, size: int, within: str) -> str:
    prefix, rest = tag[:1], tag[1:]
    if tag in ("O", "_", ""):
        return tag
    if place == 0:
        first = _FIRST.get(prefix, prefix)
        return (within if first == "I" and prefix in "EL" else first) + rest
    if place == size - 1 and prefix in "SUWEL":
        return _LAST_OF_SINGLE.get(prefix, prefix) + rest
    return within + rest
