"""Typing errors by neighbours on the keyboard: a wrong key, one too many, one missed, two swapped.

>>> from finegrain.perturbations.perturbation import Draw, Text
>>> text = Text(("typing", "errors", "are", "everywhere"))
>>> [edit.new[0] for edit in TYPOS["typos"].words(text, Draw(1.0, 3, "typos", "x"))]
['typ9ng', 'errorrs', 'arre', 'everywbere']
>>> neighbours("qwertz")["t"], neighbours("azerty")["a"]
('r5z6fg', '1z2q')

One error a word; words of one letter, numbers and marks stay as they are. The kinds of errors are
equally frequent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from finegrain.perturbations.perturbation import Draw, Edit, Perturbation, Text, in_case_of

LAYOUTS = {
    "qwerty": ("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "qwertz": ("1234567890ß", "qwertzuiopü", "asdfghjklöä", "yxcvbnm"),
    "azerty": ("1234567890", "azertyuiop", "qsdfghjklm", "wxcvbn"),
}
_SHORTEST = 2  # letters of a word that can be misspelt and still be told


@cache
def neighbours(layout: str) -> dict[str, str]:
    """Key -> the keys beside, above and below it; rows are set off to the right by half a key."""
    rows = LAYOUTS[layout]
    found: dict[str, str] = {}
    for number, row in enumerate(rows):
        for at, key in enumerate(row):
            near = [(number, at - 1), (number - 1, at), (number, at + 1), (number - 1, at + 1)]
            near += [(number + 1, at - 1), (number + 1, at)]
            found[key] = "".join(
                rows[line][place]
                for line, place in near
                if 0 <= line < len(rows) and 0 <= place < len(rows[line])
            )
    return found


def _letters(word: str) -> list[int]:
    return [at for at, char in enumerate(word) if char.isalpha()]


def misspelt(word: str, draw: Draw, layout: str) -> str:
    """A word with one typing error, or as it is if it is too short for one."""
    letters = _letters(word)
    if len(letters) < _SHORTEST:
        return word
    at = letters[draw.below(len(letters))]
    kind = draw.below(4)
    if kind == 0:
        near = neighbours(layout).get(word[at].lower())
        return word[:at] + in_case_of(word[at], draw.pick(near)) + word[at + 1 :] if near else word
    if kind == 1:
        return word[:at] + word[at] + word[at:]
    if kind == 2:
        return word[:at] + word[at + 1 :]
    other = at + 1 if at + 1 in letters else at - 1
    if other not in letters:
        return word
    first, last = sorted((at, other))
    return word[:first] + word[last] + word[first] + word[last + 1 :]


def _typos(layout: str) -> Callable[[Text, Draw], Iterator[Edit]]:
    def rewrite(text: Text, draw: Draw) -> Iterator[Edit]:
        plain = [at for at, word in enumerate(text.words) if len(_letters(word)) >= _SHORTEST]
        for at in draw.hits(plain):
            yield Edit.word(at, misspelt(text.words[at], draw, layout))

    return rewrite


TYPOS = {
    one.name: one
    for one in (
        Perturbation("typos", "typing errors of an American or British keyboard", _typos("qwerty")),
        Perturbation("typos-qwertz", "typing errors of a German keyboard", _typos("qwertz")),
        Perturbation("typos-azerty", "typing errors of a French keyboard", _typos("azerty")),
    )
}
