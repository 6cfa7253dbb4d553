"""Word lists, written for this project: names of many origins, places, professions, adjectives.

>>> names()[("first", "chen")][0]
Name(text='Chen', kind='first', gender='m', origin='China')
>>> len(listed("professions")) > 40, listed("positive")[:2], synonyms()["movie"]
(True, ('good', 'great'), ('film',))
>>> sorted(LEXICONS)[:4]
['country', 'female_name', 'first_name', 'last_name']

Lists are lines of text in ``lexicons/``. Columns are separated by tabs, lines that begin with #
are comments. Those of a user are read in the same way, and what is wrong with a line is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NamedTuple

from finegrain.errors import Collector, UsageError
from finegrain.formats.source import Source, open_source, source_of

KINDS = ("first", "last", "place")
GENDERS = ("f", "m", "-")


class Name(NamedTuple):
    """A name; ``gender`` is - where it agrees with everything."""

    text: str
    kind: str
    gender: str = "-"
    origin: str = "-"


Names = Mapping[tuple[str, str], tuple[Name, ...]]  # kind and lower-cased name -> its readings


def _shipped(name: str) -> Source:
    data = files("finegrain.perturbations").joinpath("lexicons", f"{name}.tsv").read_bytes()
    return source_of(f"{name}.tsv", data)


def _rows(source: Source) -> Iterable[tuple[int, list[str]]]:
    for number, line in enumerate(source.lines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, [cell.strip() for cell in line.split("\t")]


def names_of(source: Source) -> Names:
    """Names of a file: name, first or last or place, gender, origin; the last two can be left out.

    >>> found = names_of(source_of("mine", b"Ada\\tfirst\\tf\\nLovelace\\tlast\\n"))
    >>> found[("last", "lovelace")]
    (Name(text='Lovelace', kind='last', gender='-', origin='-'),)
    """
    problems = Collector(source.name)
    found: dict[tuple[str, str], list[Name]] = {}
    for number, cells in _rows(source):
        if len(cells) < 2 or cells[1] not in KINDS or not cells[0]:
            problems.add(number, "expected a name and its kind, separated by a tab",
                         f"The kind is {' or '.join(KINDS)}.")  # fmt: skip
            continue
        if len(cells) > 2 and cells[2] not in GENDERS:
            problems.add(number, f"unknown gender {cells[2]!r}", "Write f, m or -.")
            continue
        name = Name(*cells[:4])
        found.setdefault((name.kind, name.text.lower()), []).append(name)
    problems.raise_any()
    if not found:
        raise UsageError(f"{source.name}: there is no name in it")
    return {key: tuple(readings) for key, readings in found.items()}


def synonyms_of(source: Source) -> Mapping[str, tuple[str, ...]]:
    """Synonyms of a file: words of one meaning in a line, each may stand for the others.

    >>> synonyms_of(source_of("mine", b"big\\tlarge\\n"))["large"]
    ('big',)
    """
    problems = Collector(source.name)
    found: dict[str, list[str]] = {}
    for number, cells in _rows(source):
        words = [cell for cell in cells if cell]
        if len(words) < 2 or any(len(word.split()) > 1 for word in words):
            problems.add(number, "expected two or more single words, separated by tabs",
                         "A synonym is one word: annotation stays where it is.")  # fmt: skip
            continue
        for word in words:
            others = [one for one in words if one.lower() != word.lower()]
            found.setdefault(word.lower(), []).extend(others)
    problems.raise_any()
    if not found:
        raise UsageError(f"{source.name}: there is no synonym in it")
    return {word: tuple(dict.fromkeys(others)) for word, others in found.items()}


def lines_of(source: Source) -> tuple[str, ...]:
    """The lines of a file, without comments and empty ones."""
    found = tuple(cells[0] for _, cells in _rows(source) if cells[0])
    if not found:
        raise UsageError(f"{source.name}: there is no line in it")
    return found


@cache
def names() -> Names:
    return names_of(_shipped("names"))


@cache
def synonyms() -> Mapping[str, tuple[str, ...]]:
    return synonyms_of(_shipped("synonyms"))


@cache
def listed(name: str) -> tuple[str, ...]:
    """A list of words or sentences that is shipped."""
    return lines_of(_shipped(name))


def given(kind: str, path: str) -> Mapping[Any, Any]:
    """A list of the user: ``names``, ``synonyms`` or ``sentences``."""
    source = open_source(path)
    if kind == "names":
        return names_of(source)
    return synonyms_of(source) if kind == "synonyms" else dict.fromkeys(lines_of(source))


def _of(kind: str, gender: str = "") -> Callable[[], Mapping[str, str]]:
    """Names by their text, with their origin."""

    def chosen() -> Mapping[str, str]:
        return {
            name.text: name.origin
            for readings in names().values()
            for name in readings
            if name.kind == kind and gender in ("", name.gender)
        }

    return chosen


def _list(name: str) -> Callable[[], Mapping[str, str]]:
    return lambda: dict.fromkeys(listed(name), "")


LEXICONS: Mapping[str, Callable[[], Mapping[str, str]]] = MappingProxyType({
    "first_name": _of("first"), "female_name": _of("first", "f"), "male_name": _of("first", "m"),
    "last_name": _of("last"), "place": _of("place"),
    "country": _list("countries"), "profession": _list("professions"),
    **{name: _list(name) for name in ("positive", "negative", "neutral")},
})  # fmt: skip
"""Lexicon -> word -> the group it belongs to, empty without one."""


@cache
def groups_of(lexicon: str) -> Mapping[str, tuple[str, ...]]:
    """Word -> the groups it belongs to: where a name is common, and its gender.

    >>> groups_of("first_name")["Ngozi"], groups_of("last_name")["Tanaka"], groups_of("positive")
    (('Nigeria', 'female'), ('Japan',), {})
    """
    kinds = {"first_name": "first", "female_name": "first", "male_name": "first"}
    kind = kinds.get(lexicon, "last" if lexicon == "last_name" else "")
    genders = {"f": ("female",), "m": ("male",)}
    return {
        name.text: (name.origin, *genders.get(name.gender, ()))
        for readings in names().values()
        for name in readings
        if kind and name.kind == kind
    }
