"""Word classes and their forms, read from ``data/lexicon.txt``.

>>> lexicon = read_lexicon()
>>> lexicon.entry("policy.pl").words[:4], lexicon.entry("own.past").words[:3]
(('reforms', 'budgets', 'laws', 'treaties'), ('bought', 'sold', 'acquired'))
>>> lexicon.part_of_speech("despite")
'ADP'
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from finegrain.simulation.sections import sections, words

_HEADING = re.compile(
    r"(?:(?P<name>[a-z_]+) )?(?P<pos>[A-Z]+)(?P<topical> topical)?"
    r"(?: tail=(?P<tail>[a-z]+):(?P<share>[\d.]+))?"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One form of a word class.

    Parameters
    ----------
    topical: a document keeps to one word of the class
    share: of the draws are coined words of the kind ``tail``, brought into form by ``inflect``
    """

    pos: str
    words: tuple[str, ...]
    topical: bool = False
    tail: str = ""
    share: float = 0.0
    inflect: Callable[[str], str] = str


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All word classes, and the parts of speech of function words."""

    classes: dict[str, Entry]
    function_words: dict[str, str]

    def entry(self, name: str) -> Entry:
        """A class such as ``policy``, or a form of it such as ``policy.pl``."""
        name, _, form = name.partition(".")
        entry = self.classes[name]
        inflect = FORMS[form or ("base" if entry.pos == "VERB" else "sg")]
        return replace(entry, words=tuple(map(inflect, entry.words)), inflect=inflect)

    def part_of_speech(self, word: str) -> str:
        """The part of speech of a function word."""
        return self.function_words[word]


@cache
def read_lexicon() -> Lexicon:
    """The lexicon of the package."""
    classes: dict[str, Entry] = {}
    function_words: dict[str, str] = {}
    for heading, lines in sections("lexicon.txt").items():
        match = _HEADING.fullmatch(heading)
        if match is None:
            raise ValueError(
                f"lexicon.txt: heading {heading!r} is not 'name POS [topical] [tail=KIND:SHARE]'"
            )
        if match["name"]:
            classes[match["name"]] = Entry(
                match["pos"], words(lines), match["topical"] is not None,
                match["tail"] or "", float(match["share"] or 0),
            )  # fmt: skip
        else:
            for word in words(lines):
                function_words.setdefault(word, match["pos"])
    return Lexicon(classes, function_words)


def _add_s(word: str) -> str:
    if re.search(r"[^aeiou]y\Z", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(s|x|z|ch|sh)\Z", word) else "s")


def _singular(entry: str) -> str:
    return entry.partition("/")[0]


def _plural(entry: str) -> str:
    singular, _, plural = entry.partition("/")
    return plural or _add_s(singular)


def _third(entry: str) -> str:
    return _add_s(entry.partition("/")[0])


def _past(entry: str) -> str:
    base, *irregular = entry.split("/")
    if irregular:
        return irregular[0]
    if re.search(r"[^aeiou]y\Z", base):
        return base[:-1] + "ied"
    return base + ("d" if base.endswith("e") else "ed")


def _participle(entry: str) -> str:
    forms = entry.split("/")
    return forms[2] if len(forms) > 2 else _past(entry)


def _gerund(entry: str) -> str:
    base, *irregular = entry.split("/")
    if irregular and irregular[0].endswith("ed") and not base.endswith("y"):
        return irregular[0].removesuffix("ed") + "ing"  # planned: planning
    return base.removesuffix("e") + "ing"


FORMS: dict[str, Callable[[str], str]] = {
    "sg": _singular,
    "pl": _plural,
    "base": _singular,
    "s": _third,
    "past": _past,
    "part": _participle,
    "ing": _gerund,
}
