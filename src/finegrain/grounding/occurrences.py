"""Where a text has some words: as they are, folded, or nearly so.

Words count where they begin and end at the boundary of a word: ``Ada`` is not in ``Adam``. Between
characters of scripts without blanks (Chinese, Japanese, Thai ...) every place is one.

>>> text = Place("Adam met Ada in Zürich, where ADA lives.")
>>> text.exact("Ada"), text.folded("Ada")
([(9, 12)], [(9, 12), (30, 33)])
>>> text.nearly("Zurich", 0.8), text.nearly("Berlin", 0.8)
([(16, 22)], [])
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property

from finegrain.errors import MissingExtra
from finegrain.grounding.folding import Folded, fold
from finegrain.grounding.meaning import same_meaning

Span = tuple[int, int]
_SCRIPTS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_CONTINUOUS = re.compile(f"[{_SCRIPTS}]")
_WORD = re.compile(f"[{_SCRIPTS}]|[^\\s{_SCRIPTS}]+")
_EDGES = " .,;:!?\"'()[]{}<>*_"
_SHORTEST = 4  # characters of what is compared by similarity
_LONGEST = 2000
_SLACK = 0.15  # by how much more or fewer words a similar stretch may have
_ROUNDING = 1e-9
_AROUND = 3  # words before and after the most similar stretch, where that is looked for first
_MANY = 9  # words from which on it is


class Place:
    """A text in which words are looked for; what is found is kept."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._exact: dict[str, list[Span]] = {}
        self._folded: dict[str, list[Span]] = {}
        self._nearly: dict[str, list[Span]] = {}

    def exact(self, words: str) -> list[Span]:
        """Where the text has exactly these words."""
        if words not in self._exact:
            self._exact[words] = _all(self.text, words)
        return self._exact[words]

    def folded(self, words: str) -> list[Span]:
        """Where it has them when both are folded."""
        if words not in self._folded:
            wanted = fold(words).text.strip()
            found = _all(self._fold.text, wanted)
            found = found or _all(self._fold.text, wanted.strip(_EDGES))
            self._folded[words] = [self._fold.span(*one) for one in found]
        return self._folded[words]

    def nearly(self, words: str, threshold: float) -> list[Span]:
        """Where it has the most similar words, if they are similar enough and mean the same."""
        if words not in self._nearly:
            self._nearly[words] = self._similar(words, threshold)
        return self._nearly[words]

    @cached_property
    def _fold(self) -> Folded:
        return fold(self.text)

    @cached_property
    def _words(self) -> list[Span]:
        """Words of the folded text without the punctuation around them."""
        found = []
        for match in _WORD.finditer(self._fold.text):
            begin, end = match.span()
            bare = match[0].strip(_EDGES)
            if bare:
                begin += match[0].index(bare)
                found.append((begin, begin + len(bare)))
            else:
                found.append((begin, end))
        return found

    def _similar(self, words: str, threshold: float) -> list[Span]:
        wanted = fold(words).text.strip(_EDGES)
        if not _SHORTEST <= len(wanted) <= _LONGEST:
            return []
        ratio = _ratio()
        best: list[Span] = []
        highest = threshold
        for begin, end in self._windows(wanted):
            stretch = self._fold.text[begin:end]
            found = ratio(wanted, stretch, score_cutoff=threshold)
            if found < highest - _ROUNDING or not same_meaning(wanted, stretch):
                continue
            if found > highest + _ROUNDING:
                highest, best = found, []
            best.append(self._fold.span(begin, end))
        return _apart(best)

    def _windows(self, wanted: str) -> list[Span]:
        """Stretches of about as many words."""
        size = sum(1 for _ in _WORD.finditer(wanted))
        slack = max(1, round(size * _SLACK))
        words = self._words
        first, past = 0, len(words)
        if size >= _MANY:
            first, past = self._around(wanted, slack)
        return [
            (words[at][0], words[at + n - 1][1])
            for n in range(max(size - slack, 1), size + slack + 1)
            for at in range(first, past - n + 1)
        ]

    def _around(self, wanted: str, slack: int) -> tuple[int, int]:
        """The words around the stretch that is most similar character by character."""
        from rapidfuzz import fuzz  # noqa: PLC0415 - an extra

        found = fuzz.partial_ratio_alignment(wanted, self._fold.text)
        if found is None:
            return 0, 0
        begin, end = found.dest_start, found.dest_end
        inside = [
            at for at, (left, right) in enumerate(self._words) if right > begin and left < end
        ]
        if not inside:
            return 0, 0
        margin = slack + _AROUND
        return max(inside[0] - margin, 0), min(inside[-1] + margin + 1, len(self._words))


def _ratio() -> Callable[..., float]:
    try:
        from rapidfuzz.distance import Indel  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtra("grounding by similarity (--fuzzy)", "ground") from None
    ratio: Callable[..., float] = Indel.normalized_similarity
    return ratio


def _all(text: str, words: str) -> list[Span]:
    """All places of some words; those of words that overlap themselves, too."""
    found: list[Span] = []
    at = text.find(words) if words else -1
    while at >= 0:
        end = at + len(words)
        if not (_joined(text, at) or _joined(text, end)):
            found.append((at, end))
        at = text.find(words, at + 1)
    return found


def _joined(text: str, at: int) -> bool:
    """Whether a place is inside of a word."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if "\u0300" <= after <= "\u036f":
        return True
    if not (before.isalnum() and (after.isalnum())):
        return False
    return not (_CONTINUOUS.match(before) or _CONTINUOUS.match(after))


def _apart(spans: list[Span]) -> list[Span]:
    """Of equally similar stretches that overlap, the first."""
    kept: list[Span] = []
    for begin, end in sorted(set(spans)):
        if not kept or begin >= kept[-1][1]:
            kept.append((begin, end))
    return kept
