"""Stems of English words: Porter's algorithm with the extensions that nltk gives it.

>>> [stem(word) for word in ("relational", "hopping", "skies", "dying", "happily", "sky")]
['relat', 'hop', 'sky', 'die', 'happili', 'sky']

After Porter (1980) and his own later corrections; the extensions are some irregular words, short
words in -ies, -ied and -y, -fulli and -alli. Words of one or two letters stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

_IRREGULAR = {
    "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing",
    "cannings": "canning", "canning": "canning", "howe": "howe", "proceed": "proceed",
    "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip
_SECOND = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"),
    ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"),
    ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
    ("fulli", "ful"),
)  # fmt: skip
_THIRD = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""),
    ("ness", ""),
)  # fmt: skip
_FOURTH = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip


@lru_cache(1 << 16)
def stem(word: str) -> str:
    """The stem of a word, in lower case."""
    word = word.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    for step in (_plural, _past, _final_y, _second, _third, _fourth, _final_e, _final_l):
        word = step(word)
    return word


def _consonants(word: str) -> list[bool]:
    """Whether each letter is a consonant; y is one at the beginning and behind a vowel."""
    found: list[bool] = []
    for place, letter in enumerate(word):
        if letter in "aeiou":
            found.append(False)
        elif letter == "y" and place:
            found.append(not found[-1])
        else:
            found.append(True)
    return found


def _measure(word: str) -> int:
    """How often a consonant follows a vowel."""
    kinds = _consonants(word)
    return sum(one < other for one, other in pairwise(kinds))


def _has_vowel(word: str) -> bool:
    return not all(_consonants(word))


def _short(word: str) -> bool:
    """Whether it ends as hop does, or is like at."""
    kinds = _consonants(word)
    if len(word) == 2:
        return not kinds[0] and kinds[1]
    return kinds[-3:] == [True, False, True] and word[-1] not in "wxy"


def _replaced(word: str, rules: Sequence[tuple[str, str]], condition: Callable[[str], bool]) -> str:
    """The word by the first rule whose suffix it has."""
    for suffix, other in rules:
        if word.endswith(suffix):
            start = word[: len(word) - len(suffix)]
            return start + other if condition(start) else word
    return word


def _positive(word: str) -> bool:
    return _measure(word) > 0


def _plural(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    rules = (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", ""))
    return _replaced(word, rules, lambda _: True)


def _past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _positive(word[:-3]) else word
    start = next((word[: -len(one)] for one in ("ed", "ing") if word.endswith(one)), "")
    if not start or not _has_vowel(start):
        return word
    if start.endswith(("at", "bl", "iz")):
        return start + "e"
    if len(start) > 1 and start[-1] == start[-2] and _consonants(start)[-1]:
        return start if start[-1] in "lsz" else start[:-1]
    return start + "e" if _measure(start) == 1 and _short(start) else start


def _final_y(word: str) -> str:
    start = word[:-1]
    turned = word.endswith("y") and len(start) > 1 and _consonants(start)[-1]
    return start + "i" if turned else word


def _second(word: str) -> str:
    if word.endswith("alli") and _positive(word[:-4]):
        return _second(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if _positive(word[:-3]) else word
    return _replaced(word, _SECOND, _positive)


def _third(word: str) -> str:
    return _replaced(word, _THIRD, _positive)


def _fourth(word: str) -> str:
    for suffix in _FOURTH:
        if word.endswith(suffix):
            start = word[: -len(suffix)]
            fits = suffix != "ion" or start.endswith(("s", "t"))
            return start if fits and _measure(start) > 1 else word
    return word


def _final_e(word: str) -> str:
    if not word.endswith("e"):
        return word
    start = word[:-1]
    measure = _measure(start)
    return start if measure > 1 or (measure == 1 and not _short(start)) else word


def _final_l(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
