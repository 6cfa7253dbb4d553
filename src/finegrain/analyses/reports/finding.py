"""A finding: one sentence written by a rule from results, with its numbers tied to their units.

>>> from finegrain.analyses.evidence import solved_by
>>> told = Finding("oracle", (Part("All systems find "), Part("12", evidence=Evidence.of(
...     12, solved_by(2))), Part(" units.")), "difficulty", 40)
>>> told.text
'All systems find 12 units.'
"""

from __future__ import annotations

import math
import os.path
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, NamedTuple

from finegrain.analyses.evidence import Evidence
from finegrain.analyses.interval_cells import bracketed
from finegrain.table.scale import PROPORTION, Scale

Ends = tuple[float, float]
_MOST_DIGITS = 3  # behind the point of a share


class Part(NamedTuple):
    """A piece of a sentence.

    ``style``: ``strong`` for names of systems, ``quoted`` for words of the text, ``interval``.
    """

    text: str
    style: str = ""
    evidence: Evidence | None = None


class Piece(NamedTuple):
    """Parts of a sentence, one after the other, that lead to the same units."""

    evidence: Evidence | None
    parts: tuple[Part, ...]


def pieces(parts: Iterable[Part]) -> tuple[Piece, ...]:
    """A number and the interval behind it are one link."""
    grouped = groupby(parts, key=lambda part: part.evidence)
    return tuple(Piece(evidence, tuple(some)) for evidence, some in grouped)


class Bar(NamedTuple):
    """A line of the small figure beside a finding: ``share`` 0..1 of the figure's width.

    ``subject``: the one that the finding is about; ``evidence``: the units behind it.
    """

    name: str
    share: float
    told: str
    subject: bool = False
    evidence: Evidence | None = None


class Strip(NamedTuple):
    """The small figure beside a finding: bars, or the scores of systems on one axis.

    ``scale`` is that of the scores on an axis.
    """

    caption: tuple[Part, ...]
    bars: tuple[Bar, ...]
    drawn: Literal["bars", "axis"] = "bars"
    scale: Scale = PROPORTION

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The caption by its links."""
        return pieces(self.caption)


class Subject(NamedTuple):
    """What a sentence is about: systems, and a group of units in words and as a selection."""

    systems: tuple[str, ...] = ()
    units: str = ""
    where: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"systems": list(self.systems), "units": self.units or None,
                "where": self.where or None}  # fmt: skip


NO_SUBJECT = Subject()


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found: the sentence, the section with its evidence, and the units it is about.

    A claim has ``p``, corrected for all that was searched for it; a description has none.
    ``interval`` is that of the number the sentence is about, where there is one, for a claim at the
    level of p.
    """

    rule: str
    parts: tuple[Part, ...]
    section: str
    n: int
    strip: Strip | None = None
    interval: Ends | None = None
    subject: Subject = NO_SUBJECT
    p: float | None = None

    @property
    def kind(self) -> Literal["tested", "description"]:
        """Whether a test stands behind it."""
        return "description" if self.p is None else "tested"

    @property
    def text(self) -> str:
        """The sentence without its links."""
        return "".join(part.text for part in self.parts)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The sentence by its links."""
        return pieces(self.parts)

    def to_json(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "kind": self.kind,
            "p": self.p,
            "subject": self.subject.to_json(),
            "text": self.text,
            "section": self.section,
            "n": self.n,
            "interval": None if self.interval is None else list(self.interval),
            "evidence": [one.evidence.to_json() for one in self.pieces if one.evidence],
        }


def strong(name: str) -> Part:
    """The name of a system."""
    return Part(name, "strong")


def listed(parts: Iterable[Part]) -> list[Part]:
    """``a, b and c``."""
    given = list(parts)
    found: list[Part] = []
    for place, part in enumerate(given):
        if place:
            found.append(Part(" and " if place == len(given) - 1 else ", "))
        found.append(part)
    return found


def leading(evidence: Evidence, *parts: Part) -> list[Part]:
    """Parts that all lead to the same units, if there are any."""
    return [part._replace(evidence=evidence if evidence.count else None) for part in parts]


def number(evidence: Evidence) -> Part:
    """How many units there are, which leads to them."""
    return leading(evidence, Part(f"{evidence.count:,}"))[0]


def captioned(words: str, whole: Evidence, then: str = "") -> tuple[Part, ...]:
    """What a small figure shows, and of how many units.

    >>> from finegrain.analyses.evidence import GOLD
    >>> "".join(part.text for part in captioned("F1", Evidence.of(1200, GOLD)))
    'F1; n = 1,200'
    """
    told = [Part(f"{words}; ")] if words else []
    return (*told, Part(f"n = {whole.count:,}", evidence=whole), *([Part(then)] if then else []))


def told_apart(names: list[str], most: int = 54) -> list[str]:
    """Names as a narrow column has them, in three lines at most: whole if all of them fit.

    Else without what all begin with, and cut in the middle, unless two would be the same.

    >>> told_apart(["system-crf", "system-udpipe"], most=15)
    ['system-crf', 'system-udpipe']
    >>> told_apart(["system-nltk-perceptron", "system-nltk-hmm", "system-udpipe"], most=11)
    ['nltk-…ptron', 'nltk-hmm', 'udpipe']
    >>> told_apart(["small-1-net", "small-2-net", "crf"], most=5)
    ['small-1-net', 'small-2-net', 'crf']
    """
    if all(len(name) <= most for name in names):
        return names
    start = os.path.commonprefix(names) if len(set(names)) > 1 else ""  # noqa: RUF071 - no paths
    while start and start[-1].isalnum():
        start = start[:-1]
    half = most // 2
    kept = [name[len(start) :] or name for name in names]
    cut = [name if len(name) <= most else f"{name[:half]}…{name[-half:]}" for name in kept]
    return cut if len(set(cut)) == len(set(names)) else kept


def label_words(label: str) -> str:
    """A label as a sentence names it: in quotes where it could be taken for a number or a mark.

    >>> label_words("PER"), label_words("0"), label_words("-")
    ('PER', '“0”', '“-”')
    """
    return label if any(map(str.isalpha, label)) else f"“{label}”"


def shortened(word: str, most: int = 40) -> str:
    """Words of the text as a sentence quotes them."""
    return word if len(word) <= most else f"{word[: most - 1]}…"


def points(value: float) -> str:
    """A proportion in points of 100, with two decimals.

    >>> points(0.5), points(float("nan"))
    ('50.00', 'n/a')
    """
    return f"{100 * value:z.2f}" if value == value else "n/a"  # noqa: PLR0124 - nan


def interval(
    ends: Ends | None, *, signed: Literal["+", ""] = "", scale: Scale = PROPORTION
) -> list[Part]:
    """What stands behind a number: its interval, if it has one.

    >>> interval((0.9062, 0.918))[0].text, interval(None)
    (' [90.62, 91.80]', [])
    """
    if ends is None:
        return []
    return [Part(f" {bracketed(*ends, signed=signed, scale=scale)}", "interval")]


def share(part: float, whole: float, ends: Ends | None) -> list[Part]:
    """A share with its interval, if it has one, in the digits of the share.

    >>> "".join(piece.text for piece in share(1, 3, (0.284, 0.391)))
    '33 % [28, 39]'
    >>> "".join(piece.text for piece in share(1, 30, (0.0, 0.091)))
    '3.3 % [0.0, 9.1]'
    >>> "".join(piece.text for piece in share(27, 100, (0.268, 0.273)))     # not [27, 27]
    '27.0 % [26.8, 27.3]'
    """
    told = percent(part, whole)
    if ends is None:
        return [Part(told)]
    digits = len(told.removesuffix(" %").partition(".")[2])
    low, high = (100 * end for end in ends)
    while f"{low:.{digits}f}" == f"{high:.{digits}f}" and low < high and digits < _MOST_DIGITS:
        digits += 1
    value = f"{100 * part / whole:.{digits}f} %" if whole else told
    return [Part(value), Part(f" [{low:.{digits}f}, {high:.{digits}f}]", "interval")]


def percent(part: float, whole: float) -> str:
    """A share as it stands in a sentence, with decimals below ten and where 100 would not be true.

    >>> percent(1, 3), percent(1, 30), percent(999, 1000), percent(1, 3000)
    ('33 %', '3.3 %', '99.9 %', '0.03 %')
    """
    share = 100 * part / whole if whole else float("nan")
    return f"{share:.{_decimals(share)}f} %"


def _decimals(share: float) -> int:
    """So many that a share, in percent, is neither 0 nor 100 unless it is."""
    if 10 <= share < 99.5 or share == 0 or share >= 100 or math.isnan(share):
        return 0
    return max(1, -math.floor(math.log10(round(min(share, 100 - share), 9))))


def proportion(part: Evidence, whole: Evidence, units: str, ends: Ends | None) -> list[Part]:
    """``12 of 40 spans (30 % [16, 44])``: the part, the whole and the share lead to their units."""
    return [
        number(part),
        Part(" of "),
        number(whole),
        Part(f" {units} (" if units else " ("),
        *leading(part, *share(part.count, whole.count, ends)),
        Part(")"),
    ]
