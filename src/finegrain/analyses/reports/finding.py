"""A finding: one sentence written by a rule from results, with its numbers tied to their units.

>>> told = Finding("oracle", (Part("All systems find "), Part("12", evidence=Evidence.of(
...     12, {"bin": 2})), Part(" units.")), "difficulty", 40)
>>> told.text
'All systems find 12 units.'
"""

from __future__ import annotations

import os.path
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from finegrain.analyses.interval_cells import bracketed
from finegrain.analyses.units.evidence import Evidence

Ends = tuple[float, float]


class Part(NamedTuple):
    """A piece of a sentence.

    ``style``: ``strong`` for names of systems, ``quoted`` for words of the text, ``interval``.
    """

    text: str
    style: str = ""
    evidence: Evidence | None = None


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
    """The small figure beside a finding: bars, or the values of systems on one axis.

    ``points`` are values of systems, ``subject`` the places of those that the finding is about.
    """

    caption: str
    bars: tuple[Bar, ...] = ()
    points: tuple[float, ...] = ()
    subject: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found: the sentence, the section with its evidence, and the units it is about.

    ``interval`` is that of the number the sentence is about, where there is one; ``about`` names
    a system and a group of units, so that they are not told of twice.
    """

    rule: str
    parts: tuple[Part, ...]
    section: str
    n: int
    strip: Strip | None = None
    interval: Ends | None = None
    about: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The sentence without its links."""
        return "".join(part.text for part in self.parts)

    def to_json(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "text": self.text,
            "section": self.section,
            "n": self.n,
            "interval": None if self.interval is None else list(self.interval),
            "evidence": [part.evidence.to_json() for part in self.parts if part.evidence],
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


def counted(count: int, conditions: dict[str, str | int]) -> Part:
    """A number of units that leads to them."""
    return Part(f"{count:,}", evidence=Evidence.of(count, conditions))


def told_apart(names: list[str], most: int = 31) -> list[str]:
    """Names as a narrow column has them: without what all begin with, long ones cut in the middle.

    >>> told_apart(["system-nltk-perceptron", "system-nltk-hmm", "system-udpipe"], most=11)
    ['nltk-…ptron', 'nltk-hmm', 'udpipe']
    """
    start = os.path.commonprefix(names) if len(set(names)) > 1 else ""  # noqa: RUF071 - no paths
    while start and start[-1].isalnum():
        start = start[:-1]
    half = most // 2
    kept = [name[len(start) :] or name for name in names]
    return [name if len(name) <= most else f"{name[:half]}…{name[-half:]}" for name in kept]


def points(value: float) -> str:
    """A proportion in points of 100, with two decimals."""
    return f"{100 * value:.2f}"


def interval(ends: Ends | None, *, signed: Literal["+", ""] = "") -> list[Part]:
    """What stands behind a number in points: its interval, if it has one.

    >>> interval((0.9062, 0.918))[0].text, interval(None)
    (' [90.62, 91.80]', [])
    """
    return [] if ends is None else [Part(f" {bracketed(*ends, signed=signed)}", "interval")]


def share(part: float, whole: float, ends: Ends | None) -> list[Part]:
    """A share with its interval, if it has one, in the digits of the share.

    >>> "".join(piece.text for piece in share(1, 3, (0.284, 0.391)))
    '33 % [28, 39]'
    >>> "".join(piece.text for piece in share(1, 30, (0.0, 0.091)))
    '3.3 % [0.0, 9.1]'
    """
    told = percent(part, whole)
    if ends is None:
        return [Part(told)]
    digits = 1 if "." in told else 0
    low, high = (f"{100 * end:.{digits}f}" for end in ends)
    return [Part(told), Part(f" [{low}, {high}]", "interval")]


def percent(part: float, whole: float) -> str:
    """A share as it stands in a sentence: a decimal below ten, and where 100 would not be true.

    >>> percent(1, 3), percent(1, 30), percent(999, 1000)
    ('33 %', '3.3 %', '99.9 %')
    """
    share = 100 * part / whole if whole else float("nan")
    return f"{share:.0f} %" if 10 <= share < 99.5 or share == 100 else f"{share:.1f} %"
