"""The script that a unit is written in.

>>> [script_of(word) for word in ("Rome", "1,5", "Москва", "東京", "カナ", "...")]
['Latin', 'digits', 'Cyrillic', 'Han', 'Katakana', 'other']
"""

from __future__ import annotations

import unicodedata

import numpy as np

from finegrain.attributes.attribute import Attribute
from finegrain.attributes.surfaces import unit_words
from finegrain.attributes.units import Units
from finegrain.corpus import Coded

_DIGITS, _OTHER, _MIXED = "digits", "other", "mixed"
_NAMES = {"Cjk": "Han", "Fullwidth": "Latin", "Ideographic": "Han"}


def script(units: Units) -> Coded:
    """The script of the letters; digits or other for units without any, mixed for several."""
    found = unit_words(units.table, fold_case=False)
    if found is None:
        return Coded(np.full(len(units), -1, np.int64), ())
    of_words = Coded.of(map(script_of, found.vocabulary.words))
    rows = found.units
    single = rows.lengths == 1
    if single.all():
        return Coded(of_words.codes[rows.words[rows.starts]], of_words.names)
    words = of_words.codes[rows.words]
    told = []
    for start, length in zip(rows.starts.tolist(), rows.lengths.tolist(), strict=True):
        names = {of_words.names[code] for code in words[start : start + length].tolist()}
        told.append(_joint(names))
    return Coded.of(told)


def script_of(word: str) -> str:
    """The script of the letters of a word."""
    names = {_script(char) for char in word if char.isalpha()}
    if names:
        return _joint(names)
    return _DIGITS if any(char.isdigit() for char in word) else _OTHER


def _joint(names: set[str]) -> str:
    letters = names - {_DIGITS, _OTHER}
    if len(letters) > 1:
        return _MIXED
    return next(iter(letters), _DIGITS if _DIGITS in names else _OTHER)


def _script(char: str) -> str:
    """The first word of the character's name, which is its script."""
    name = unicodedata.name(char, _OTHER).split()[0].split("-")[0].capitalize()
    return _NAMES.get(name, name)


SCRIPT_ATTRIBUTES = (
    Attribute(
        "script", "category", script,
        "the script of its letters; digits or other without letters, mixed for several",
        "script of the characters of x, by their Unicode names", needs=("words",),
    ),
)  # fmt: skip
