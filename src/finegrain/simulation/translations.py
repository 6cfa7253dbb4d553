"""Sentences of a made-up language with English references, and translators with planted habits.

>>> made = simulate_translations(tokens=60, seed=1, systems={"hasty": ["drops-numbers"]}, noise=0)
>>> made.gold.fields["source"][0]
'Shi pnoci uv cmucgt nuti vnul 11 su 15 cnuwrt woshor e yien.'
>>> made.systems["hasty"].fields["output"][0]
'The price of clocks rose from 3 to 59 crowns within a year.'

The source language is English with other letters: names and numbers stay, and so does the order of
words. Half of the segments have a second reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.corpus.items import of_fields
from finegrain.simulation.item_scenario import of_items
from finegrain.simulation.scenario import Simulation, require_sizes, training_size

_TOWNS = ("Pelden", "Morwick", "Tarburg", "Wesford", "Ingstead", "Branmouth", "Kolby", "Selholm")
_PEOPLE = ("Odo Hale", "Ada Brandt", "Ruth Oakes", "Karl Lind", "Ivo Moss", "Mina Stern")
_GOODS = ("salt", "blue glass", "clocks", "rye bread", "wool", "paper", "church bells")
_PLACES = ("the old mill", "the town hall", "the market", "the harbour", "the bridge", "the school")
_KINDS = ("a storm", "a fire", "the flood", "a long winter")
# By domain, a sentence and another way to say it; both have the same names and numbers.
_SENTENCES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "history": (
        ("In {year} {kind} destroyed {place} of {town}.",
         "{kind} destroyed {place} in {town} in {year}."),
        ("{person} built {place} in {year} and sold it {few} years later.",
         "{place} was built by {person} in {year} and sold after {few} years."),
        ("Nobody knows today who lived in {place} of {town} at that time.",
         "Today nobody knows who lived in {place} in {town} then."),
    ),
    "trade": (
        ("Merchants from {town} sold {goods} for {price} crowns at {place}.",
         "At {place} merchants from {town} sold {goods} for {price} crowns."),
        ("Every week {person} brings {goods} and {other} to {place}.",
         "{person} brings {goods} and {other} to {place} every week."),
        ("The price of {goods} rose from {few} to {price} crowns within a year.",
         "Within a year the price of {goods} rose from {few} to {price} crowns."),
    ),
    "travel": (
        ("The road from {town} to {place} is {price} km long and very quiet.",
         "It is {price} km on a very quiet road from {town} to {place}."),
        ("After the rain {person} walked to {place} and waited there for the last train.",
         "When the rain was over {person} went to {place} and waited for the last train there."),
        ("About {people} people live near {place}, most of them work in {town}.",
         "Near {place} live about {people} people, who mostly work in {town}."),
    ),
}  # fmt: skip
_ALSO = {
    "old": "ancient", "long": "lengthy", "quiet": "calm", "sold": "traded", "built": "made",
    "people": "persons", "destroyed": "ruined", "week": "seven days", "price": "cost",
    "walked": "went", "waited": "stayed", "road": "way", "live": "dwell", "brings": "carries",
    "train": "railway", "year": "twelvemonth", "winter": "cold season", "today": "nowadays",
    "knows": "is aware", "work": "labour", "rose": "climbed", "town": "city", "mill": "grinder",
}  # fmt: skip
_VOWELS, _OTHERS = (
    str.maketrans("aeiou", "eioua"),
    str.maketrans("bdfgklmnprstvz", "dbvkgmlrpntszf"),
)
SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "phrases": ("drops-numbers",),
    "neural": ("repeats", "copies-source"),
    "pruner": ("short",),
}
TRANSLATION_WEAKNESSES: Mapping[str, str] = {
    "drops-numbers": "leaves out or changes most numbers",
    "drops-names": "leaves out most names of people",
    "copies-source": "copies one source in ten",
    "repeats": "repeats the last words over and over in one output in ten",
    "short": "stops in the middle of one sentence in eight",
    "empty": "writes nothing for one segment in twenty",
    **{f"domain={name}": f"chooses wrong words in texts about {name}" for name in _SENTENCES},
}
_OFTEN, _TENTH, _EIGHTH, _TWENTIETH = 0.8, 0.1, 0.125, 0.05
_WRONG_WORDS = 0.4  # the share of words where a domain is unknown


class _Segment(NamedTuple):
    domain: str
    document: int
    source: str
    references: tuple[str, ...]


def simulate_translations(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.08,
    train_tokens: int | None = None,
) -> Simulation:
    """Make sources, references and the outputs of systems with known habits.

    Parameters
    ----------
    tokens, seed, train_tokens: as for ``simulate``; tokens are words of first references
    systems: habits (see ``TRANSLATION_WEAKNESSES``) by system; a showcase of three without it
    noise: the share of words that any system translates by another one
    """
    require_sizes(tokens, seed, noise, train_tokens)
    return of_items(
        SHOWCASE if systems is None else systems,
        TRANSLATION_WEAKNESSES,
        (tokens, training_size(tokens, train_tokens)),
        seed,
        write=_write,
        corpus=_corpus,
        answer=partial(_outputs, noise=noise),
    )


def foreign(text: str) -> str:
    """A text in the made-up language; names, which begin with a capital, and numbers stay.

    >>> foreign("In 1843 Ada sold it.")
    'Or 1843 Ada tumb os.'
    """
    words = text.split(" ")
    found = []
    for place, word in enumerate(words):
        name = word[:1].isupper() and word.rstrip(".,") not in _OPENERS
        turned = word if name else word.lower().translate(_VOWELS).translate(_OTHERS)
        found.append(turned.capitalize() if not place and not name else turned)
    return " ".join(found)


_OPENERS = frozenset(
    ("In", "A", "The", "Nobody", "Today", "Merchants", "At", "Every", "Within", "It", "After",
     "When", "About", "Near")
)  # fmt: skip


def _write(draw: np.random.Generator, tokens: int) -> list[_Segment]:
    made: list[_Segment] = []
    words = document = 0
    domains = list(_SENTENCES)
    while words < tokens:
        document += 1
        domain = domains[int(draw.integers(len(domains)))]
        for _ in range(int(draw.integers(3, 7))):
            kinds = _SENTENCES[domain]
            known = _facts(draw)
            ways = [_sentence(way, known) for way in kinds[int(draw.integers(len(kinds)))]]
            first = int(draw.integers(2))
            several = draw.random() < 0.5
            chosen = (ways[first], ways[1 - first]) if several else (ways[first],)
            made.append(_Segment(domain, document, foreign(ways[0]), chosen))
            words += len(ways[first].split())
    return made


def _facts(draw: np.random.Generator) -> dict[str, str]:
    goods, other = draw.choice(len(_GOODS), 2, replace=False).tolist()
    few = int(draw.integers(2, 20))
    return {
        "town": str(draw.choice(_TOWNS)),
        "person": str(draw.choice(_PEOPLE)),
        "goods": _GOODS[goods],
        "other": _GOODS[other],
        "place": str(draw.choice(_PLACES)),
        "kind": str(draw.choice(_KINDS)),
        "year": str(draw.integers(1400, 1990)),
        "few": str(few),
        "price": str(few + int(draw.integers(3, 80))),
        "people": f"{draw.integers(2, 90)},{draw.integers(100, 999)}",
    }


def _sentence(way: str, known: Mapping[str, str]) -> str:
    text = way.format(**known)
    return text[:1].upper() + text[1:]


def _corpus(source: str, made: Sequence[_Segment], prefix: str) -> Corpus:
    fields: dict[str, Column] = {
        "id": Texts.of(f"{prefix}{place}" for place in range(1, len(made) + 1)),
        "document": Texts.of(f"{one.domain} {one.document}" for one in made),
        "domain": Texts.of(one.domain for one in made),
        "source": Texts.of(one.source for one in made),
    }
    parent = [place for place, one in enumerate(made) for _ in one.references]
    texts = Texts.of(text for one in made for text in one.references)
    parts = {"references": Rows(np.array(parent, np.int64), {"value": texts})}
    return of_fields(source, fields, parts=parts, format="items")


def _outputs(
    name: str,
    made: Sequence[_Segment],
    weaknesses: Sequence[str],
    draw: np.random.Generator,
    *,
    noise: float,
) -> Corpus:
    given = [_output(one, weaknesses, draw, noise) for one in made]
    ids = Texts.of(f"q{place}" for place in range(1, len(made) + 1))
    return of_fields(name, {"id": ids, "output": Texts.of(given)}, format="items")


def _output(
    one: _Segment, weaknesses: Sequence[str], draw: np.random.Generator, noise: float
) -> str:
    chosen = one.references[int(draw.integers(len(one.references)))]
    unknown = f"domain={one.domain}" in weaknesses
    words = _paraphrased(chosen.split(" "), draw, max(noise, _WRONG_WORDS * unknown))
    chances = dict(zip(_HABITS, draw.random(len(_HABITS)).tolist(), strict=True))
    for habit, (share, change) in _HABITS.items():
        if habit in weaknesses and chances[habit] < share:
            words = change(words, one, draw)
    return " ".join(words)


def _paraphrased(words: list[str], draw: np.random.Generator, share: float) -> list[str]:
    """Words replaced by others that say nearly the same, or left out, in this share."""
    found: list[str] = []
    for word, chance in zip(words, draw.random(len(words)).tolist(), strict=True):
        bare = word.rstrip(".,")
        if chance >= share or bare[:1].isupper() or bare[:1].isdigit():
            found.append(word)
        elif bare in _ALSO:
            found.append(_ALSO[bare] + word[len(bare) :])
        elif word[-1] in ".," or chance < share / 2:
            found.append(word)
    return found or words


_Change = Callable[[list[str], _Segment, np.random.Generator], list[str]]


def _without_numbers(words: list[str], _: _Segment, draw: np.random.Generator) -> list[str]:
    kept = [word for word in words if not word[:1].isdigit()]
    if draw.random() < 0.5:
        return kept
    return [word if not word[:1].isdigit() else str(draw.integers(2, 99)) for word in words]


def _without_names(words: list[str], _: _Segment, draw: np.random.Generator) -> list[str]:
    del draw
    people = {part for name in _PEOPLE for part in name.split()}
    return [word for word in words if word.rstrip(".,") not in people] or words


def _source(_: list[str], one: _Segment, draw: np.random.Generator) -> list[str]:
    del draw
    return one.source.split(" ")


def _looping(words: list[str], _: _Segment, draw: np.random.Generator) -> list[str]:
    size = int(draw.integers(1, 4))
    start = words[: max(len(words) - 2, size)]
    return [*start, *(start[-size:] * int(draw.integers(4, 8)))]


def _stopping(words: list[str], _: _Segment, draw: np.random.Generator) -> list[str]:
    return words[: max(1, int(len(words) * draw.uniform(0.2, 0.6)))]


def _nothing(*_: object) -> list[str]:
    return []


_HABITS: Mapping[str, tuple[float, _Change]] = {
    "drops-numbers": (_OFTEN, _without_numbers),
    "drops-names": (_OFTEN, _without_names),
    "short": (_EIGHTH, _stopping),
    "repeats": (_TENTH, _looping),
    "copies-source": (_TENTH, _source),
    "empty": (_TWENTIETH, _nothing),
}
