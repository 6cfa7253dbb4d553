"""Templates with fill-ins: combinations are counted and sampled, never written out.

>>> from finegrain.behaviour.templates import Template
>>> one = Template.of("{first_name1} and {first_name2} liked the {thing}.", {"thing": ["film"]})
>>> one.slots, one.size > 60_000
(('first_name1', 'first_name2', 'thing'), True)
>>> [filled.text for filled in one.sample(2, seed=1)]
['Lakisha and Hans liked the film.', 'Andriy and Otieno liked the film.']

``{thing}`` takes a value of the lexicon ``thing``, ``{thing1}`` and ``{thing2}`` different ones;
``{a:profession}`` puts an article before it. ``[{first_name}](PER)`` marks a span that is expected.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from finegrain.errors import UsageError
from finegrain.perturbations.lexicons import LEXICONS

_SLOT = re.compile(r"\{(?:(?P<article>a):)?(?P<name>[A-Za-z_]+?)(?P<number>\d*)\}")
_MARKED = re.compile(r"\[(?P<text>[^\[\]]*)\]\((?P<label>[^()\s]+)\)")
_VOWELS = "aeiouAEIOU"
_TRIES = 50  # draws of a combination in which two slots have one value


class Marked(NamedTuple):
    """A stretch of a text, in characters, and its label."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Filled:
    """A text made from a template, the values of its slots, and the spans that it marks."""

    text: str
    fills: Mapping[str, str]
    spans: tuple[Marked, ...] = ()


@dataclass(frozen=True, slots=True)
class Template:
    """A pattern, its slots in the order of their first use, and the values of each."""

    pattern: str
    slots: tuple[str, ...]
    values: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, pattern: str, lexicons: Mapping[str, Sequence[str]]) -> Template:
        """A template with the lexicons of a suite, and those that are shipped."""
        values: dict[str, tuple[str, ...]] = {}
        for found in _SLOT.finditer(pattern):
            slot, name = found["name"] + found["number"], found["name"]
            if name in lexicons:
                values[slot] = tuple(lexicons[name])
            elif name in LEXICONS:
                values[slot] = tuple(LEXICONS[name]())
            else:
                raise UsageError.unknown("lexicon", name, [*lexicons, *LEXICONS])
            if not values[slot]:
                raise UsageError(f"the lexicon {name!r} is empty")
        return cls(pattern, tuple(values), values)

    @property
    def size(self) -> int:
        """How many combinations of values there are."""
        return math.prod(len(self.values[slot]) for slot in self.slots)

    def filled(self, fills: Mapping[str, str]) -> Filled:
        """The text with these values."""
        plain = _SLOT.sub(lambda found: _value(found, fills), self.pattern)
        spans: list[Marked] = []
        text, at = "", 0
        for found in _MARKED.finditer(plain):
            text += plain[at : found.start()]
            spans.append(Marked(len(text), len(text) + len(found["text"]), found["label"]))
            text += found["text"]
            at = found.end()
        return Filled(text + plain[at:], dict(fills), tuple(spans))

    def sample(self, number: int, *, seed: int) -> Iterator[Filled]:
        """Different combinations, drawn; all of them where there are no more."""
        draw = random.Random(f"{seed}\x00{self.pattern}")
        seen: set[tuple[str, ...]] = set()
        for code in _codes(draw, self.size, number):
            fills = self.decoded(code)
            for _ in range(_TRIES):
                if not self.repeats(fills) and tuple(fills.values()) not in seen:
                    seen.add(tuple(fills.values()))
                    yield self.filled(fills)
                    break
                fills = self.decoded(draw.randrange(self.size))

    def decoded(self, code: int) -> dict[str, str]:
        """The combination with a number, by mixed radix."""
        fills = {}
        for slot in reversed(self.slots):
            code, place = divmod(code, len(self.values[slot]))
            fills[slot] = self.values[slot][place]
        return {slot: fills[slot] for slot in self.slots}

    def repeats(self, fills: Mapping[str, str]) -> bool:
        """Whether two slots of one lexicon have one value."""
        seen = [(lexicon_of(slot), value) for slot, value in fills.items()]
        return len(set(seen)) < len(seen)


def lexicon_of(slot: str) -> str:
    """The lexicon of a slot: ``first_name`` of ``first_name2``."""
    return slot.rstrip("0123456789")


def _value(found: re.Match[str], fills: Mapping[str, str]) -> str:
    value = fills[found["name"] + found["number"]]
    if found["article"]:
        return f"{'an' if value[:1] in _VOWELS else 'a'} {value}"
    return value


def _codes(draw: random.Random, size: int, number: int) -> list[int]:
    """So many different numbers below ``size``."""
    if size <= number:
        return list(range(size))
    found: dict[int, None] = {}
    while len(found) < number:
        found.setdefault(draw.randrange(size))
    return list(found)
