"""Sentence templates, drawn from the grammar in ``data/grammar.txt``.

The grammar has alternatives, options and phrases within phrases; a *template* is one way through
it: a flat sequence of symbols such as ``the``, ``{policy.pl}`` or ``<PER>``. Some thousand
templates are drawn once, so that making text needs no grammar, only arrays.

>>> bank = template_bank()
>>> len(bank.starts) - 1
5880
>>> " ".join(bank.template(100))
'<PER> {say.past} last/ADJ week/NOUN that/SCONJ {people.pl} could not wait/VERB another
 {time_unit} .'
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from finegrain.simulation.entities import entity_types
from finegrain.simulation.sections import sections

KINDS = ("politics", "business", "culture", "science", "sport", "place", "life")
PRONOUNS = {"{he}": ("he", "she"), "{his}": ("his", "her"), "{him}": ("him", "her")}
_VARIANTS = 24  # templates drawn from each line of the grammar
_LONGEST = 44  # symbols
_SHARED_WEIGHT = 0.12  # of a line that fits any kind of document, where the others have 1


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives of a grammar line."""

    options: tuple[tuple[str | Choice, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Bank:
    """All templates as columns.

    Parameters
    ----------
    symbols: the distinct symbols
    starts: ``[template + 1]`` where each template begins in ``slots``
    slots: the symbol of each slot
    nth: ``[slot]`` how many slots of the same class or type stand before it in its template
    back: ``[slot]`` how many slots back the first one of its class or type is
    leaning: ``[template]`` true if a pronoun refers to a person of the sentence before
    variants: how many templates each line has; those of a line stand together
    opening, later: ``[kind, line]`` how often a line opens documents of a kind, or stands in them
    """

    symbols: tuple[str, ...]
    starts: NDArray[np.int64]
    slots: NDArray[np.int32]
    nth: NDArray[np.int32]
    back: NDArray[np.int32]
    leaning: NDArray[np.bool_]
    variants: int
    opening: NDArray[np.float64]
    later: NDArray[np.float64]

    def template(self, number: int) -> list[str]:
        """The symbols of a template."""
        begin, end = self.starts[number : number + 2]
        return [self.symbols[slot] for slot in self.slots[begin:end]]


def family(symbol: str) -> str:
    """What slots with different words share: ``{policy}`` and ``{policy.pl}`` are ``policy``."""
    return symbol.strip("{}<>").partition(".")[0] if symbol[0] in "{<" else symbol


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the grammar, the kinds of documents that have it, and where it may stand."""

    kind: str
    opens: bool
    follows: bool
    nodes: tuple[str | Choice, ...]


class Grammar:
    """The lines of grammar.txt, parsed."""

    def __init__(self, lines: dict[str, list[str]]) -> None:
        self.phrases: dict[str, Choice] = {}
        self.lines: list[Line] = []
        for heading, texts in lines.items():
            if heading.startswith("phrase "):
                name = "{" + heading.removeprefix("phrase ") + "}"
                self.phrases[name] = Choice(tuple(map(_parse, texts)))
            else:
                self.lines += [
                    Line(heading, text[0] in "!+", text[0] != "!", _parse(text.lstrip("!+")))
                    for text in texts
                ]

    def draw(self, nodes: tuple[str | Choice, ...], rng: random.Random) -> Iterator[str]:
        """One way through a sequence of nodes, phrases included."""
        for node in nodes:
            choice = node if isinstance(node, Choice) else self.phrases.get(node)
            if choice is None:
                yield str(node)
            else:
                # not rng.choice: only random() is promised to be the same in every Python
                place = int(rng.random() * len(choice.options))
                yield from self.draw(choice.options[place], rng)


def _parse(line: str) -> tuple[str | Choice, ...]:
    """A line of the grammar as nodes."""
    stack: list[list[list[str | Choice]]] = [[[]]]
    for word in line.split():
        if word in "([":
            stack.append([[]])
        elif word == "|":
            stack[-1].append([])
        elif word in ")]":
            options = stack.pop()
            if word == "]":
                options.append([])
            stack[-1][-1].append(Choice(tuple(map(tuple, options))))
        else:
            stack[-1][-1].append(re.sub(r"\A\\", "", word))
    if len(stack) != 1:
        raise ValueError(f"grammar.txt: brackets do not match in {line!r}")
    return tuple(stack[0][0])


def _usable(template: list[str]) -> bool:
    """Not too long, and no more entities of a type than a document has."""
    types = [symbol[1:-1] for symbol in template if symbol[0] == "<"]
    types += ["PER"] * _leans_on_person(template)
    fits = all(types.count(name) <= kind.cast for name, kind in entity_types().items())
    return fits and len(template) <= _LONGEST


@cache
def template_bank() -> Bank:
    """The templates of the package; the same in every run."""
    grammar = Grammar(sections("grammar.txt"))
    rng = random.Random(20_000)
    templates: list[list[str]] = []
    for line in grammar.lines:
        drawn = (list(grammar.draw(line.nodes, rng)) for _ in range(20 * _VARIANTS))
        usable = list(islice(filter(_usable, drawn), _VARIANTS))
        if len(usable) < _VARIANTS:
            raise ValueError(f"grammar.txt: a line of {line.kind!r} is too long: {line.nodes}")
        templates += usable
    opening = np.zeros((len(KINDS), len(grammar.lines)))
    later = np.zeros_like(opening)
    for number, line in enumerate(grammar.lines):
        for kind, name in enumerate(KINDS):
            weight = {name: 1.0, "any": _SHARED_WEIGHT}.get(line.kind, 0.0)
            opening[kind, number] = weight * line.opens
            later[kind, number] = weight * line.follows
    return _columns(templates, opening, later)


def _columns(
    templates: list[list[str]], opening: NDArray[np.float64], later: NDArray[np.float64]
) -> Bank:
    """Templates as one column of slots."""
    symbols = sorted({symbol for template in templates for symbol in template})
    code = {symbol: number for number, symbol in enumerate(symbols)}
    slots, nth, back = [], [], []
    for template in templates:
        # a person that a pronoun refers to counts as the first person of the sentence
        places = {"PER": [0]} if _leans_on_person(template) else {}
        for place, symbol in enumerate(template):
            seen = places.setdefault(family(symbol), [])
            slots.append(code[symbol])
            nth.append(len(seen))
            seen.append(place)
            back.append(place - seen[0])
    lengths = [len(template) for template in templates]
    return Bank(
        tuple(symbols),
        np.concatenate([[0], np.cumsum(lengths)]),
        np.array(slots, np.int32), np.array(nth, np.int32), np.array(back, np.int32),
        np.array([_leans_on_person(template) for template in templates]),
        _VARIANTS, opening, later,
    )  # fmt: skip


def _leans_on_person(template: list[str]) -> bool:
    """True if a pronoun comes before any person, so that it refers to the sentence before."""
    named = next((at for at, symbol in enumerate(template) if symbol == "<PER>"), len(template))
    return any(symbol in PRONOUNS for symbol in template[:named])
