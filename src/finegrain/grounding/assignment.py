"""Which occurrence each mention of an answer stands for, decided over the whole answer.

An answer lists what it found in the order of the text. So the longest sequence of mentions that
stand in this order is taken as given, and a mention is *ambiguous* if it could stand at several
places of equally long sequences. Mentions with one label stand at different places; what has no
place left is listed once too often.

>>> ada, bob = [(0, 3), (12, 15), (30, 33)], [(20, 23)]
>>> in_order([Mention("Ada", "PER", ada), Mention("Bob", "PER", bob), Mention("Ada", "PER", ada)])
[Choice(span=(0, 3), ambiguous=True), Choice(span=(20, 23), ambiguous=False), \
Choice(span=(30, 33), ambiguous=False)]
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from finegrain.grounding.occurrences import Span

MOST = 200_000  # pairs of a mention and a place in one answer that are compared


class Mention(NamedTuple):
    """Words that an answer labels, and where the text has them, in order.

    ``group``: mentions of one list are in the order of the text; ``hint``: where the answer says
    that they stand, -1 for nowhere.
    """

    words: str
    label: str
    places: Sequence[Span]
    group: int = 0
    hint: int = -1


class Choice(NamedTuple):
    """The place of a mention; ``None`` where none is left."""

    span: Span | None
    ambiguous: bool = False


def in_order(mentions: Sequence[Mention]) -> list[Choice]:
    """The place of every mention, such that as many as possible are in the order of the text."""
    chosen: list[Choice | None] = [None] * len(mentions)
    taken: dict[str, set[Span]] = defaultdict(set)
    groups: dict[int, list[int]] = defaultdict(list)
    for number, mention in enumerate(mentions):
        groups[mention.group].append(number)
    for numbers in groups.values():
        fitting = _fitting([mentions[number] for number in numbers])
        for number, places in zip(numbers, fitting, strict=True):
            if places:
                own = taken[mentions[number].label]
                free = [place for place in places if place not in own]
                if free:
                    chosen[number] = Choice(free[0], len(places) > 1)
                    own.add(free[0])
    return [
        _left_over(mention, taken[mention.label]) if choice is None else choice
        for mention, choice in zip(mentions, chosen, strict=True)
    ]


def nearest(mentions: Sequence[Mention]) -> list[Choice]:
    """Every mention at the free place nearest to its hint, or to the mention before it."""
    taken: dict[str, set[Span]] = defaultdict(set)
    chosen: list[Choice] = []
    before = 0
    for mention in mentions:
        hint = mention.hint if mention.hint >= 0 else before
        own = taken[mention.label]
        free = [place for place in mention.places if place not in own]
        if not free:
            chosen.append(Choice(None))
            continue
        span = min(free, key=lambda place: (abs(place[0] - hint), place))
        own.add(span)
        before = span[1]
        chosen.append(Choice(span, mention.hint < 0 and len(free) > 1))
    return chosen


def first(mentions: Sequence[Mention]) -> list[Choice]:
    """Every mention at the first place of its words."""
    taken: set[tuple[Span, str]] = set()
    chosen: list[Choice] = []
    for mention in mentions:
        place = mention.places[0]
        again = (place, mention.label) in taken
        taken.add((place, mention.label))
        chosen.append(Choice(None) if again else Choice(place, len(mention.places) > 1))
    return chosen


def _key(mention: Mention) -> tuple[str, str]:
    return mention.words, mention.label


def _left_over(mention: Mention, taken: set[Span]) -> Choice:
    """A mention that is not in order: at its first free place."""
    free = [place for place in mention.places if place not in taken]
    if not free:
        return Choice(None)
    taken.add(free[0])
    return Choice(free[0], len(free) > 1)


def _fitting(mentions: Sequence[Mention]) -> list[list[Span]]:
    """For every mention, its places in some longest sequence in the order of the text."""
    if all(len(mention.places) == 1 for mention in mentions):
        return [list(mention.places) for mention in mentions]
    if sum(len(mention.places) for mention in mentions) > MOST:
        return _by_number(mentions)
    before = _longest(mentions)
    turned = [
        mention._replace(places=[(-begin, -end) for begin, end in mention.places[::-1]])
        for mention in mentions[::-1]
    ]
    after = [lengths[::-1] for lengths in _longest(turned)[::-1]]
    sums = [
        [one + two for one, two in zip(*both, strict=True)]
        for both in zip(before, after, strict=True)
    ]
    most = max((max(lengths, default=0) for lengths in sums), default=0)
    return [
        [place for place, length in zip(mention.places, lengths, strict=True) if length == most]
        for mention, lengths in zip(mentions, sums, strict=True)
    ]


def _by_number(mentions: Sequence[Mention]) -> list[list[Span]]:
    """The second mention of some words at their second place, and so on."""
    counts: Counter[tuple[str, str]] = Counter()
    found: list[list[Span]] = []
    for mention in mentions:
        number = counts[_key(mention)]
        counts[_key(mention)] += 1
        found.append(list(mention.places[number : number + 1]))
    return found


def _longest(mentions: Sequence[Mention]) -> list[list[int]]:
    """For every place of every mention, how long a sequence can be that ends with it.

    Starts do not go back, and no place is taken twice with one label: of places that begin
    together, only those with another end or label come before.
    """
    starts = sorted({begin for mention in mentions for begin, _ in mention.places})
    below = _Highest(len(starts))
    at_start: list[dict[tuple[int, str], int]] = [{} for _ in starts]
    found: list[list[int]] = []
    for mention in mentions:
        label = mention.label
        lengths: list[int] = []
        for begin, end in mention.places:
            rank = bisect_left(starts, begin)
            beside = (n for key, n in at_start[rank].items() if key != (end, label))
            lengths.append(1 + max(below.before(rank), max(beside, default=0)))
        for (begin, end), length in zip(mention.places, lengths, strict=True):
            rank = bisect_left(starts, begin)
            below.raise_to(rank, length)
            here = at_start[rank]
            here[end, label] = max(here.get((end, label), 0), length)
        found.append(lengths)
    return found


class _Highest:
    """The highest number at places before one (a Fenwick tree)."""

    def __init__(self, size: int) -> None:
        self._tree = [0] * (size + 1)

    def raise_to(self, place: int, number: int) -> None:
        place += 1
        while place < len(self._tree):
            self._tree[place] = max(self._tree[place], number)
            place += place & -place

    def before(self, place: int) -> int:
        highest = 0
        while place:
            highest = max(highest, self._tree[place])
            place &= place - 1
        return highest
