"""Changes of single characters: errors of OCR, lost and added diacritics, look-alikes.

>>> from finegrain.perturbations.perturbation import Draw, Text
>>> def shown(name: str, *words: str) -> list[str]:
...     edits = CHARACTERS[name].words(Text(words), Draw(1.0, 1, name, " ".join(words)))
...     return [edit.new[0] for edit in edits]
>>> shown("ocr", "modern", "old"), shown("no-diacritics", "Café", "naïve", "so")
(['modcrn', '0ld'], ['Cafe', 'naive'])
>>> [word.encode("unicode_escape").decode().count("u04") for word in shown("look-alikes", "price")]
[1]
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping

from finegrain.perturbations.perturbation import Draw, Edit, Perturbation, Text

CONFUSIONS: Mapping[str, tuple[str, ...]] = {  # what recognition of print takes for each other
    "rn": ("m",), "m": ("rn",), "cl": ("d",), "d": ("cl",), "li": ("h",), "vv": ("w",),
    "w": ("vv",), "fi": ("h",), "ri": ("n",), "in": ("m",), "nn": ("rm",), "l": ("1", "I"),
    "I": ("l", "1"), "i": ("l",), "1": ("l", "I"), "O": ("0",), "0": ("O",), "o": ("0",),
    "S": ("5",), "5": ("S",), "s": ("5",), "B": ("8",), "8": ("B",), "Z": ("2",), "2": ("Z",),
    "e": ("c",), "c": ("e",), "a": ("o",), "u": ("n",), "n": ("u",), "h": ("b",), "G": ("6",),
    "6": ("G",), "g": ("q",), "t": ("f",), "f": ("t",), ",": (".",), ".": (",",),
}  # fmt: skip
LOOK_ALIKES: Mapping[str, str] = {  # Latin -> Cyrillic and Greek letters with the same shape
    "a": "а", "c": "с", "e": "е", "i": "і", "j": "ј", "o": "о", "p": "р", "s": "ѕ", "x": "х",
    "y": "у", "A": "А", "B": "В", "C": "С", "E": "Е", "H": "Н", "I": "І", "J": "Ј", "K": "К",
    "M": "М", "N": "Ν", "O": "О", "P": "Р", "S": "Ѕ", "T": "Т", "X": "Х", "Y": "Υ", "Z": "Ζ",
}  # fmt: skip
_MARKS = {  # vowels and others -> with a diacritic, in one character
    letter: tuple(
        unicodedata.normalize("NFC", letter + mark)
        for mark in ("\u0301", "\u0300", "\u0308", "\u0302", "\u0303", "\u030c", "\u0327")
        if len(unicodedata.normalize("NFC", letter + mark)) == 1
    )
    for letter in "aceinosuyzACEINOSUYZ"
}


def _one(draw: Draw, word: str, known: Mapping[str, tuple[str, ...]]) -> str:
    """A word of which one confusable stretch, drawn, is another one."""
    longest = max(map(len, known))
    places = [
        (at, size)
        for at in range(len(word))
        for size in range(1, longest + 1)
        if word[at : at + size] in known and at + size <= len(word)
    ]
    if not places:
        return word
    at, size = draw.pick(places)
    return word[:at] + draw.pick(known[word[at : at + size]]) + word[at + size :]


def _confused(known: Mapping[str, tuple[str, ...]]) -> Callable[[Text, Draw], Iterator[Edit]]:
    def rewrite(text: Text, draw: Draw) -> Iterator[Edit]:
        for at in draw.hits(range(len(text.words))):
            word = text.words[at]
            changed = _one(draw, word, known)
            if changed != word:
                yield Edit.word(at, changed)

    return rewrite


def bare(word: str) -> str:
    """A word without its diacritics.

    >>> bare("Curaçao"), bare("Übermut")
    ('Curacao', 'Ubermut')
    """
    apart = unicodedata.normalize("NFD", word)
    kept = "".join(char for char in apart if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", kept)


def _without_diacritics(text: Text, draw: Draw) -> Iterator[Edit]:
    marked = [at for at, word in enumerate(text.words) if bare(word) != word]
    for at in draw.hits(marked):
        yield Edit.word(at, bare(text.words[at]))


CHARACTERS = {
    one.name: one
    for one in (
        Perturbation(
            "ocr", "errors of optical character recognition (rn for m, 0 for O)",
            _confused(CONFUSIONS),
        ),
        Perturbation(
            "no-diacritics", "takes diacritics away (cafe for café)", _without_diacritics, rate=1.0
        ),
        Perturbation(
            "diacritics", "adds a diacritic to a letter (wörd for word)", _confused(_MARKS)
        ),
        Perturbation(
            "look-alikes", "Cyrillic and Greek letters that look like Latin ones",
            _confused({latin: (other,) for latin, other in LOOK_ALIKES.items()}),
        ),
    )
}  # fmt: skip
