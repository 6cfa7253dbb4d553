"""Which predicted span answers which gold span (Ortmann 2022, steps 2 to 6).

Every error is counted once. In each sentence:

1. TP: equal spans (label, boundaries, tokens), copy by copy.
2. LE: a gold span takes the first free predicted span with its boundaries and another label.
3. What is left is sorted by length, shortest first. For boundary errors (same label), and then
   again for labelling-boundary errors (different label):
   a. each free gold span takes the most similar free predicted span that overlaps it; the tokens
      they share are used up;
   b. a gold span still free is answered by a predicted span already taken, if tokens are left
      that both have;
   c. a predicted span still free is charged to a gold span already taken, likewise.
   The boundaries of the two spans must differ: spans with gaps can have the same boundaries and
   label, but other tokens.
4. What is left is FN or FP.

Most similar: most shared tokens, then fewest extra tokens, then shortest, then first.
Spans that overlap nothing, and pairs that overlap only each other, are settled for the whole
corpus at once; only the tangled rest is walked through span by span, comparing all that overlap:
thousands of spans inside of each other are refused (``MOST_PAIRS``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.span_sides import Neighbours, Side, Span, most_similar
from finegrain.corpus import IntArray
from finegrain.errors import FinegrainError

TP, LE, BES, BEL, BEO, LBE, FN, FP, USED, ABSENT = range(10)  # as in the outcomes of the task

# gold and predicted spans that overlap, where more than two do; so many more for each span
MOST_PAIRS, MOST_PAIRS_EACH = 16_000_000, 500


class TooManyOverlaps(FinegrainError):
    """Too many pairs of overlapping spans to compare; ``row`` is the gold span with most of them.

    ``pairs``: how many it has
    """

    def __init__(self, row: int, pairs: int) -> None:
        self.row = row
        self.pairs = pairs
        super().__init__(f"a span overlaps {pairs:,} others: there are too many to compare")


class Matching(NamedTuple):
    """Outcome and partner of every span of both sides; a partner is a row of the other side.

    The predicted side has TP, FP, USED, or the error of step 3c.
    """

    gold: NDArray[np.uint8]
    gold_partner: IntArray
    system: NDArray[np.uint8]
    system_partner: IntArray


def match(gold: Side, system: Side) -> Matching:
    """Match the spans of one system with the gold spans."""
    found = Matching(
        np.full(len(gold.begin), FN, np.uint8),
        np.full(len(gold.begin), -1, np.int64),
        np.full(len(system.begin), FP, np.uint8),
        np.full(len(system.begin), -1, np.int64),
    )
    free_gold, free_system = _true_positives(gold, system, found)
    group = _components(gold, system, free_gold, free_system)
    of_gold, of_system = group[: len(free_gold)], group[len(free_gold) :]
    size = int(group.max(initial=-1)) + 1
    golds = np.bincount(of_gold, minlength=size)
    systems = np.bincount(of_system, minlength=size)
    simple = (golds == 1) & (systems == 1)
    _pairs(gold, system, found, free_gold[simple[of_gold]], free_system[simple[of_system]])
    tangled = (golds > 0) & (systems > 0) & ~simple
    _require_few_pairs(gold, system, free_gold[tangled[of_gold]], free_system[tangled[of_system]])
    _walk(gold, system, found, free_gold, of_gold, free_system, of_system, tangled)
    return found


def _true_positives(gold: Side, system: Side, found: Matching) -> tuple[IntArray, IntArray]:
    """Settle equal spans; return the rows of both sides that are left."""
    order = np.argsort(system.identity, kind="stable")
    place = np.searchsorted(system.identity, gold.identity, sorter=order)
    place = np.minimum(place, max(len(order) - 1, 0))
    if len(order):
        partner = order[place]
        equal = system.identity[partner] == gold.identity
    else:
        partner, equal = place, np.zeros(len(gold.begin), bool)
    rows = np.flatnonzero(equal)
    found.gold[rows] = TP
    found.gold_partner[rows] = partner[rows]
    found.system[partner[rows]] = TP
    found.system_partner[partner[rows]] = rows
    return np.flatnonzero(found.gold != TP), np.flatnonzero(found.system != TP)


def _components(gold: Side, system: Side, rows: IntArray, rows2: IntArray) -> IntArray:
    """Number the groups of spans that hang together by overlap, for both sides in one array."""
    begin = np.concatenate([gold.begin[rows], system.begin[rows2]])
    end = np.concatenate([gold.end[rows], system.end[rows2]])
    order = np.argsort(begin, kind="stable")
    reach = np.maximum.accumulate(end[order])
    apart = np.ones(len(order), bool)
    apart[1:] = begin[order][1:] >= reach[:-1]
    group = np.empty(len(order), np.int64)
    group[order] = np.cumsum(apart) - 1
    return group


def _require_few_pairs(gold: Side, system: Side, rows: IntArray, rows2: IntArray) -> None:
    """Refuse what would take hours: comparing all pairs is quadratic in spans that nest."""
    begun = np.searchsorted(np.sort(system.begin[rows2]), gold.end[rows])
    ended = np.searchsorted(np.sort(system.end[rows2]), gold.begin[rows], side="right")
    pairs = begun - ended
    if pairs.sum() > MOST_PAIRS + MOST_PAIRS_EACH * (len(rows) + len(rows2)):
        most = int(np.argmax(pairs))
        raise TooManyOverlaps(int(rows[most]), int(pairs[most]))


def _pairs(gold: Side, system: Side, found: Matching, rows: IntArray, rows2: IntArray) -> None:
    """Settle groups of one gold and one predicted span; rows of both sides pair up by position."""
    order = (
        np.argsort(gold.begin[rows], kind="stable"),
        np.argsort(system.begin[rows2], kind="stable"),
    )
    rows, rows2 = rows[order[0]], rows2[order[1]]
    begin, end, begin2, end2 = (
        gold.begin[rows],
        gold.end[rows],
        system.begin[rows2],
        system.end[rows2],
    )
    same_bounds = (begin == begin2) & (end == end2)
    same_label = gold.label[rows] == system.label[rows2]
    boundary = _boundary_type(begin, end, begin2, end2)
    outcome = np.where(same_label, boundary, np.where(same_bounds, LE, LBE)).astype(np.uint8)
    # equal label and boundaries but other tokens: neither a match nor a boundary error
    real = ~(same_bounds & same_label)
    rows, rows2, outcome = rows[real], rows2[real], outcome[real]
    found.gold[rows] = outcome
    found.gold_partner[rows] = rows2
    found.system[rows2] = USED
    found.system_partner[rows2] = rows


def _boundary_type(begin: IntArray, end: IntArray, begin2: IntArray, end2: IntArray) -> IntArray:
    """Too short, too long or crossing, as seen from the gold span."""
    inside = (begin2 >= begin) & (end2 <= end)
    around = (begin2 <= begin) & (end2 >= end)
    return np.where(inside, BES, np.where(around, BEL, BEO))


def _walk(
    gold: Side,
    system: Side,
    found: Matching,
    rows: IntArray,
    of_gold: IntArray,
    rows2: IntArray,
    of_system: IntArray,
    tangled: NDArray[np.bool_],
) -> None:
    """Settle the groups of more than two spans one by one."""
    groups: dict[int, tuple[list[Span], list[Span]]] = {
        int(number): ([], []) for number in np.flatnonzero(tangled)
    }
    for side, members, of_member, place in (
        (gold, rows, of_gold, 0),
        (system, rows2, of_system, 1),
    ):
        chosen = tangled[of_member]
        for row, number in zip(members[chosen].tolist(), of_member[chosen].tolist(), strict=True):
            groups[number][place].append(Span(side, row))
    for golds, systems in groups.values():
        for event in _Tangle(golds, systems).events():
            _record(found, event)


class _Event(NamedTuple):
    """One decision: which spans, what outcome, and whether the gold or the predicted row has it."""

    gold: int
    system: int
    outcome: int
    on_gold: bool


def _record(found: Matching, event: _Event) -> None:
    if event.on_gold:
        found.gold[event.gold] = event.outcome
        found.gold_partner[event.gold] = event.system
        if found.system[event.system] == FP:
            found.system[event.system] = USED
            found.system_partner[event.system] = event.gold
    else:
        found.system[event.system] = event.outcome
        found.system_partner[event.system] = event.gold


class _Tangle:
    """Steps 2 to 4 for one group of overlapping spans in file order."""

    def __init__(self, gold: list[Span], system: list[Span]) -> None:
        self.gold = gold
        self.system = system
        self.used = 0
        self.found: list[_Event] = []

    def events(self) -> list[_Event]:
        self._labelling_errors()
        for side in (self.gold, self.system):
            side.sort(key=lambda span: span.length)
            for turn, span in enumerate(side):
                span.turn = turn
        self.near_gold, self.near_system = Neighbours(self.gold), Neighbours(self.system)
        for same_label in (True, False):
            self._boundary_errors(same_label=same_label)
        return self.found

    def _labelling_errors(self) -> None:
        waiting: dict[tuple[int, int], list[Span]] = {}
        for system in self.system:
            waiting.setdefault((system.begin, system.end), []).append(system)
        taken: set[int] = set()
        left = []
        for gold in self.gold:
            free = waiting.get((gold.begin, gold.end), [])
            place = next((at for at, one in enumerate(free) if one.label != gold.label), None)
            if place is None:
                left.append(gold)
                continue
            system = free.pop(place)
            taken.add(system.row)
            self.found.append(_Event(gold.row, system.row, LE, on_gold=True))
        self.gold = left
        self.system = [one for one in self.system if one.row not in taken]

    def _boundary_errors(self, *, same_label: bool) -> None:
        def fits(one: Span, two: Span) -> bool:
            return (one.label == two.label) == same_label and not one.same_bounds(two)

        for gold in self.gold:  # 3a
            if gold.free:
                near = (
                    one
                    for one in self.near_system.of(gold)
                    if one.free and fits(gold, one) and gold.overlaps(one)
                )
                self._settle(gold, most_similar(gold, near), on_gold=True)
        for gold in self.gold:  # 3b
            if gold.free:
                near = (
                    one
                    for one in self.near_system.of(gold)
                    if not one.free and fits(gold, one) and gold.shared(one)
                )
                self._settle(gold, most_similar(gold, near), on_gold=True)
        for system in self.system:  # 3c
            if system.free:
                near = (
                    one
                    for one in self.near_gold.of(system)
                    if not one.free and fits(system, one) and system.shared(one)
                )
                answered = most_similar(system, near)
                if answered is not None:
                    self._settle(answered, system, on_gold=False)

    def _settle(self, gold: Span, system: Span | None, *, on_gold: bool) -> None:
        if system is None:
            return
        outcome = _boundary_type_of(gold, system) if gold.label == system.label else LBE
        self.found.append(_Event(gold.row, system.row, outcome, on_gold=on_gold))
        for span in (gold, system):
            if span.free:
                self.used += 1
                span.free, span.turn = False, self.used
        shared, start = gold.shared(system), max(gold.start, system.start)
        gold.use_up(shared, start)
        system.use_up(shared, start)


def _boundary_type_of(gold: Span, system: Span) -> int:
    if system.begin >= gold.begin and system.end <= gold.end:
        return BES
    return BEL if system.begin <= gold.begin and system.end >= gold.end else BEO
