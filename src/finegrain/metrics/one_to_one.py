"""Which gold span and which predicted span belong together: each at most once, the nearest first.

All pairs of spans that share a token are gone through in one order, and a pair is taken if both
of its spans are still free:

1. larger token overlap first, ``|A ∩ B| / |A ∪ B|`` (1 for the same tokens, so exact matches lead);
2. among equals, the same label before another;
3. then by row of the gold span and by row of the predicted span (sentence, begin, end, label).

The order in which a file lists its spans plays no part. If some spans begin or end inside a token,
overlap is counted in characters instead of tokens.

>>> from finegrain.corpus import Corpus, Spans
>>> from finegrain.tasks.spans import align
>>> def spans(*rows): return Corpus("made", np.array([0, 9]), spans=Spans.of(rows))
>>> table = align(spans((0, 2, 6, "A")), {"s": spans((0, 0, 3, "A"), (0, 3, 7, "B"))})
>>> table.begin.tolist()                                     # the rows: s, gold, s
[0, 2, 3]
>>> pairs = pair_up(table, np.array([1]), np.array([0, 2]))
>>> pairs.system.tolist(), pairs.overlap.tolist()            # 3 of 5 tokens beat 1 of 6
([2], [0.6])
>>> pair_up(table, np.array([1]), np.array([0, 2]), labels="same").system.tolist()
[0]

The time is that of sorting the spans and the pairs that are looked at. In crowded text (spans
nested hundreds deep) pairs are looked at level by level, the most similar first, so that most
spans are settled before their many weak overlaps are ever listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.corpus.characters import token_characters
from finegrain.table import OutcomeTable

LEVELS = (1.0, 0.998, 0.99, 0.95, 0.8, 0.5, 0.0)  # of overlap, for crowded text
_CROWDED = 16  # overlapping pairs per span, from which on levels pay
_NO_PLACES = np.empty(0, np.int64)


class Pairs(NamedTuple):
    """Rows of the table that belong together, ``[pair]``, and their token overlap."""

    gold: IntArray
    system: IntArray
    overlap: NDArray[np.float64]

    def take(self, places: IntArray | NDArray[np.bool_]) -> Pairs:
        """Some of the pairs."""
        return Pairs(self.gold[places], self.system[places], self.overlap[places])


class _Side(NamedTuple):
    """Free spans of one side: their rows, and where they lie on one line for all sentences."""

    row: IntArray
    begin: NDArray[np.int64]
    end: NDArray[np.int64]

    def take(self, places: IntArray | NDArray[np.bool_]) -> _Side:
        return _Side(self.row[places], self.begin[places], self.end[places])

    def mirrored(self) -> _Side:
        return _Side(self.row, -self.end, -self.begin)


class _Window(NamedTuple):
    """For each gold span, the ``members[first:last]`` that may be near enough."""

    members: IntArray
    first: IntArray
    last: IntArray


def pair_up(
    table: OutcomeTable,
    gold: IntArray,
    system: IntArray,
    *,
    labels: Literal["any", "same"] = "any",
    listed: Pairs | None = None,
) -> Pairs:
    """Pair rows of gold spans with rows of predicted spans, see above.

    ``labels="same"`` pairs spans of one label only. ``listed`` may hold what ``pairs_in_order``
    found for these rows and more, so that it is not sought again.
    """
    if listed is not None:
        kept = _among(table, gold)[listed.gold] & _among(table, system)[listed.system]
        if labels == "same":
            kept &= table.label[listed.gold] == table.label[listed.system]
        return _free_pairs(table, listed.take(kept))
    ours, theirs = _side(table, gold, labels), _side(table, system, labels)
    found = [Pairs(gold[:0], system[:0], np.empty(0))]
    for least in LEVELS if _crowded(table, ours, theirs) else LEVELS[-1:]:
        if not (len(ours.row) and len(theirs.row)):
            break
        pairs = _free_pairs(
            table, _in_order(table, ours, theirs, _near(ours, theirs, least), least)
        )
        found.append(pairs)
        ours = ours.take(~np.isin(ours.row, pairs.gold, assume_unique=True))
        theirs = theirs.take(~np.isin(theirs.row, pairs.system, assume_unique=True))
    return Pairs(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def pairs_in_order(table: OutcomeTable, gold: IntArray, system: IntArray) -> Pairs | None:
    """All pairs that share a token, in the order in which they are gone through.

    ``None`` in crowded text, where they would be too many to list.
    """
    ours, theirs = _side(table, gold, "any"), _side(table, system, "any")
    windows = list(_windows(ours, theirs, LEVELS[-1]))
    if _crowded(table, ours, theirs, windows):
        return None
    return _in_order(table, ours, theirs, _all_listed(windows), LEVELS[-1])


def _free_pairs(table: OutcomeTable, pairs: Pairs) -> Pairs:
    """Those of some pairs, gone through in order, of which both spans are still free."""
    used, used2 = bytearray(len(table)), bytearray(len(table))
    taken = []
    for place, (left, right) in enumerate(
        zip(pairs.gold.tolist(), pairs.system.tolist(), strict=True)
    ):
        if not (used[left] or used2[right]):
            used[left] = used2[right] = 1
            taken.append(place)
    return pairs.take(np.array(taken, np.int64))


def _among(table: OutcomeTable, rows: IntArray) -> NDArray[np.bool_]:
    """``[unit]`` whether it is one of some rows."""
    found = np.zeros(len(table), bool)
    found[rows] = True
    return found


def _in_order(
    table: OutcomeTable, ours: _Side, theirs: _Side, near: tuple[IntArray, IntArray], least: float
) -> Pairs:
    """Of some pairs those with a token in common and so much overlap, the nearest first."""
    one, two = near
    overlap = _overlaps(table, ours.take(one), theirs.take(two))
    kept = (overlap > 0) & (overlap >= least)
    one, two, overlap = ours.row[one[kept]], theirs.row[two[kept]], overlap[kept]
    other_label = table.label[one] != table.label[two]
    order = np.lexsort((two, one, other_label, -overlap))
    return Pairs(one[order], two[order], overlap[order])


def _side(table: OutcomeTable, rows: IntArray, labels: Literal["any", "same"]) -> _Side:
    """Sentences, and labels if they must be the same, lie apart on the line."""
    if "begin_cut" in table.columns:
        bounds = token_characters(table.corpus)
        start = table.corpus.offsets[table.sentence[rows]].astype(np.int64)
        begin = bounds[start + table.begin[rows]] + table.columns["begin_cut"][rows]
        end = bounds[start + table.end[rows]] - table.columns["end_cut"][rows]
        whole = int(bounds[-1]) + 1
    else:
        width = int(table.end.max(initial=0)) + 1
        start = table.sentence[rows].astype(np.int64) * width
        begin, end = start + table.begin[rows], start + table.end[rows]
        whole = table.corpus.n_sentences * width
    if labels == "same":
        shift = table.label[rows].astype(np.int64) * whole
        begin, end = begin + shift, end + shift
    return _Side(rows, begin, end)


def _crowded(
    table: OutcomeTable, ours: _Side, theirs: _Side, windows: Sequence[_Window] | None = None
) -> bool:
    """Whether there are many pairs per span. Gaps have no levels: their ends say little."""
    if table.token_set[ours.row].any() or table.token_set[theirs.row].any():
        return False
    pairs = _size(windows or list(_windows(ours, theirs, LEVELS[-1])))
    return pairs > _CROWDED * (len(ours.row) + len(theirs.row))


def _size(windows: Sequence[_Window]) -> int:
    return sum(int((one.last - one.first).sum()) for one in windows)


def _near(ours: _Side, theirs: _Side, least: float) -> tuple[IntArray, IntArray]:
    """Places of all pairs that may overlap so much, from near begins or from near ends."""
    by_begin = list(_windows(ours, theirs, least))
    by_end = list(_windows(ours.mirrored(), theirs.mirrored(), least))
    return _all_listed(min((by_begin, by_end), key=_size))


def _all_listed(windows: Sequence[_Window]) -> tuple[IntArray, IntArray]:
    one, two = zip((_NO_PLACES, _NO_PLACES), *map(_listed, windows), strict=True)
    return np.concatenate(one), np.concatenate(two)


def _windows(ours: _Side, theirs: _Side, least: float) -> Iterator[_Window]:
    """Predicted spans by length (1, 2-3, 4-7, ...) whose begin is not too far from a gold begin.

    With overlap t, a span that begins d before a gold span of length n has n / (n + d) >= t, and
    one that begins d after it has (n - d) / n >= t. A span too many does no harm here.
    """
    length = ours.end - ours.begin
    before = np.full(len(length), np.inf) if least == 0 else length * (1 - least) / least + 1
    after = np.minimum(length - 1, np.ceil(length * (1 - least)))
    magnitude = np.frexp(np.maximum(theirs.end - theirs.begin, 1))[1]
    for size in np.flatnonzero(np.bincount(magnitude)).tolist():
        members = np.flatnonzero(magnitude == size)
        members = members[np.argsort(theirs.begin[members], kind="stable")]
        begins = theirs.begin[members]
        reach = np.minimum(before, 2.0**size).astype(np.int64)
        first = np.searchsorted(begins, ours.begin - reach, side="left")
        last = np.searchsorted(begins, ours.begin + after.astype(np.int64), side="right")
        yield _Window(members, first, np.maximum(first, last))


def _listed(window: _Window) -> tuple[IntArray, IntArray]:
    counts = window.last - window.first
    one = np.repeat(np.arange(len(counts)), counts)
    skipped = np.cumsum(counts) - counts
    return one, window.members[np.arange(len(one)) + np.repeat(window.first - skipped, counts)]


def _overlaps(table: OutcomeTable, ours: _Side, theirs: _Side) -> NDArray[np.float64]:
    """Token overlap of pairs; equal fractions give equal floats."""
    shared = np.minimum(ours.end, theirs.end) - np.maximum(ours.begin, theirs.begin)
    shared = np.maximum(shared, 0)
    together = (ours.end - ours.begin) + (theirs.end - theirs.begin) - shared
    overlap: NDArray[np.float64] = shared / np.maximum(together, 1)
    gaps = (table.token_set[ours.row] > 0) | (table.token_set[theirs.row] > 0)
    for place in np.flatnonzero(gaps & (shared > 0)).tolist():
        one = set(table.tokens(int(ours.row[place])))
        two = set(table.tokens(int(theirs.row[place])))
        overlap[place] = len(one & two) / len(one | two)
        if shared[place] < together[place]:  # the same tokens, but not all of their characters
            overlap[place] = min(overlap[place], np.nextafter(1, 0))
    return overlap
