"""Names of people, organisations, places and works.

Which entity has which name depends on a seed and the entity's number only, so that gold and
training data speak of the same world:

>>> names = Names(seed=1)
>>> [" ".join(mention.words) for mention in names.entity("SOCIETY", 1).mentions]
['the International Union of Beekeepers', 'the IUB']
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from finegrain.simulation.coinage import coined_company, names_available, surname, town
from finegrain.simulation.dates import DATE_TYPES, date_words
from finegrain.simulation.sections import sections, words
from finegrain.simulation.zipf import zipf_rank

LABELS = ("PER", "LOC", "ORG", "DATE", "WORK")
_FUNCTION_WORDS = {
    "of": "ADP", "for": "ADP", "on": "ADP", "from": "ADP", "to": "ADP", "in": "ADP", "about": "ADP",
    "the": "DET", "The": "DET", "a": "DET", "A": "DET", "and": "CCONJ", "&": "CCONJ", ",": "PUNCT",
    '"': "PUNCT", "In": "ADP", "When": "ADV", "What": "PRON", "Who": "PRON", "That": "PRON",
    "early": "ADJ", "late": "ADJ",
}  # fmt: skip
_PART = re.compile(r"\{([a-z_]+)\d?\}")
_MASK = (1 << 64) - 1
_NAMESAKES = {"surname": 62, "town": 63}  # dice that all types of entities share
_FLATNESS = 30.0  # how little the best known names stand out


class Mention(NamedTuple):
    """One way to write an entity; the name itself is ``words[begin:end]``."""

    words: tuple[str, ...]
    pos: tuple[str, ...]
    begin: int
    end: int


class Entity(NamedTuple):
    """The ways to write an entity, the full one first; ``female`` matters for people."""

    label: str
    mentions: tuple[Mention, ...]
    female: bool


class _Dice:
    """Uniform numbers from one integer (SplitMix64, Steele et al. 2014): cheap for one entity."""

    def __init__(self, state: int) -> None:
        self._state = state & _MASK

    def uniform(self) -> float:
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return (mixed ^ (mixed >> 31)) / (_MASK + 1)

    def rank(self, size: int, shift: float) -> int:
        return zipf_rank(self.uniform(), size=size, shift=shift)


class Names:
    """The world of a seed: what its entities are called.

    Entities of one number are namesakes: person 7 and company 7 share a surname if they have one,
    city 7 and club 7 share a town.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def entity(self, type_: str, number: int) -> Entity:
        """The n-th entity of a type; for dates, what ``dates.codes`` gives."""
        if type_ in DATE_TYPES:
            written = date_words(type_, number)
            pos = tuple(map(_part_of_speech, written))
            return Entity("DATE", (Mention(written, pos, 0, len(written)),), female=False)
        kind = entity_types()[type_]
        dice = self._dice(number, kind.place)
        place = number if kind.listed else dice.rank(len(kind.patterns), shift=4.0)
        pattern = kind.patterns[place]
        drawn: dict[str, str] = {}
        for part in pattern.parts:
            shared = _NAMESAKES.get(part)
            drawn[part] = _draw(part, self._dice(number, shared) if shared else dice)
            while drawn[part] == drawn.get(part[:-1]):  # Nurses and Nurses
                drawn[part] = _draw(part, dice)
        mentions: list[Mention] = []
        for form in pattern.forms:
            if "{acronym}" in form:
                full = mentions[0]
                drawn["acronym"] = "".join(
                    word[0] for word in full.words[full.begin : full.end] if word[0].isupper()
                )
            mentions.append(_mention(form, drawn))
        return Entity(kind.label, tuple(mentions), "female" in drawn)

    def _dice(self, number: int, purpose: int) -> _Dice:
        return _Dice((self._seed * 0x632BE59BD9B4E019) ^ (number << 6 | purpose))


@dataclass(frozen=True, slots=True)
class Pattern:
    """A line of entities.txt: the forms as words with holes, and the parts that fill them."""

    forms: tuple[tuple[str, ...], ...]
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntityType:
    """A section of entities.txt.

    Parameters
    ----------
    place: tells types apart in the dice
    population: how many entities there are
    flatness: how little the best known of them stand out
    cast: how many of them a document is about
    listed: true if there is one entity per line
    """

    place: int
    label: str
    population: int
    flatness: float
    cast: int
    listed: bool
    patterns: tuple[Pattern, ...]


@cache
def entity_types() -> dict[str, EntityType]:
    """The types of entities.txt by name, in the order of the file."""
    types: dict[str, EntityType] = {}
    for place, (heading, lines) in enumerate(sections("entities.txt").items()):
        name, label, population, flatness, cast = heading.split()
        listed = population == "listed"
        types[name] = EntityType(
            place, label, len(lines) if listed else int(population), float(flatness), int(cast),
            listed, tuple(map(_pattern, lines)),
        )  # fmt: skip
    return types


def _pattern(line: str) -> Pattern:
    forms = tuple(tuple(form.split()) for form in line.split("=>"))
    parts = dict.fromkeys(part[1:-1] for part in re.findall(r"\{[a-z_]+\d?\}", line))
    parts.pop("acronym", None)
    return Pattern(forms, tuple(parts))


@cache
def _inventory(part: str) -> tuple[str, ...]:
    return tuple(word.replace("_", " ") for word in words(sections("names.txt")[part]))


def _draw(part: str, dice: _Dice) -> str:
    """A value for one hole of a pattern."""
    part = part.rstrip("0123456789")
    if part == "initial":
        return "ABCDEFGHJKLMNPRSTVW"[dice.rank(19, shift=100.0)] + "."
    if part == "coined":
        return coined_company(dice.rank(names_available(), shift=900.0))
    if part in {"surname", "town"}:
        name = surname if part == "surname" else town
        return name(dice.rank(names_available(), _FLATNESS))
    known = _inventory(part)
    return known[dice.rank(len(known), shift=8.0)]


def _mention(form: tuple[str, ...], drawn: dict[str, str]) -> Mention:
    """Fill the holes of a form; words in round brackets stay outside of the name."""
    inner: list[str] = []
    before: list[str] = []
    after: list[str] = []
    for word in form:
        if word.startswith("("):
            (after if inner else before).append(word[1:-1])
        else:
            inner += _PART.sub(lambda hole: drawn[hole[0][1:-1]], word).split()
    written = (*before, *inner, *after)
    pos = tuple(map(_part_of_speech, written))
    return Mention(written, pos, len(before), len(before) + len(inner))


def _part_of_speech(word: str) -> str:
    return _FUNCTION_WORDS.get(word) or ("NUM" if word[0].isdigit() else "PROPN")
