"""Words as numbers while a text is made.

>>> vocabulary = Vocabulary()
>>> codes = vocabulary.codes(["an", "old", "mill"])
>>> vocabulary.strings(vocabulary.capitalised(codes[:1]))
['An']
>>> list(vocabulary.texts(codes).slice(0, 3))
['an', 'old', 'mill']
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray, Texts
from finegrain.corpus.texts import PADDING

# "an" before a vowel that does not sound like "you" or "one"; silent h; 8, 11, 18; letters as F, M
_TAKES_AN = re.compile(
    r"(?!uni|use|usu|ut[io]|eu|one\b|once|UN\b|Uni|Eu|U[A-Z])[aeiouAEIOUáéíóöüÁÉÍÓÖÜØÅ]"
    r"|hour|honest|honour|heir|8|11\b|18\b|[FHLMNRSX][A-Z]"
)


class Vocabulary:
    """Gives every distinct word a number, in order of appearance."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._code: dict[str, int] = {}
        self._takes_an = bytearray()

    def __len__(self) -> int:
        return len(self._words)

    def code(self, word: str) -> int:
        """The number of a word, new or known."""
        code = self._code.get(word)
        if code is None:
            code = self._code[word] = len(self._words)
            self._words.append(word)
            self._takes_an.append(_TAKES_AN.match(word) is not None)
        return code

    def codes(self, words: Iterable[str]) -> NDArray[np.int32]:
        """The numbers of some words."""
        return np.array([self.code(word) for word in words], np.int32)

    def strings(self, codes: IntArray) -> list[str]:
        """The words of some numbers."""
        return [self._words[code] for code in codes.tolist()]

    def capitalised(self, codes: IntArray) -> NDArray[np.int32]:
        """The same words as they begin a sentence."""
        distinct, place = np.unique(codes, return_inverse=True)
        return self.codes(word[:1].upper() + word[1:] for word in self.strings(distinct))[place]

    def takes_an(self, codes: IntArray) -> NDArray[np.bool_]:
        """Which words are written after "an" and not after "a"."""
        return np.frombuffer(bytes(self._takes_an), np.bool_)[codes]

    def capital(self) -> NDArray[np.bool_]:
        """``[word]`` which words begin with a capital letter."""
        return np.fromiter((word[:1].isupper() for word in self._words), np.bool_, len(self))

    def texts(self, codes: IntArray) -> Texts:
        """The words as a column; each distinct word is kept in the buffer once."""
        encoded = [word.encode() for word in self._words]
        lengths = np.fromiter(map(len, encoded), np.int32, len(encoded))
        starts = np.cumsum(lengths, dtype=np.int64) - lengths
        return Texts(bytearray(b"".join(encoded) + bytes(PADDING)), starts[codes], lengths[codes])
