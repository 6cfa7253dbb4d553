"""Words of running text in any script, and how many of them segments have.

>>> words("The naïve fox -- 3.5 km!"), words("我们 爱北京"), words("Привет, мир")
(['the', 'naïve', 'fox', '3', '5', 'km'], ['我', '们', '爱', '北', '京'], ['привет', 'мир'])

Words are letters, marks and digits in a row, in lower case; in scripts that are written without
blanks every character is one. On ASCII text they are those of rouge-score, whose own tokenizer
takes all other letters for blanks and so scores texts of other scripts as 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
import regex  # type: ignore[import-untyped]
from numpy.typing import NDArray

from finegrain.alignment.segment_texts import SegmentTexts

_UNSPACED = "".join(
    rf"\p{{{script}}}" for script in ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer",
                                      "Myanmar", "Tibetan")
)  # fmt: skip
_WORD = regex.compile(
    rf"[{_UNSPACED}]\p{{M}}*|(?:(?![{_UNSPACED}])[\p{{L}}\p{{M}}\p{{N}}])+", regex.VERSION1
)
_ASCII = regex.compile("[a-z0-9]+")
_REMEMBERED = 1 << 16  # texts


@lru_cache(_REMEMBERED)
def split(text: str) -> tuple[str, ...]:
    """The words of a text."""
    lower = text.lower()
    return tuple((_ASCII if lower.isascii() else _WORD).findall(lower))


def words(text: str) -> list[str]:
    """The same as a list."""
    return list(split(text))


def lengths(texts: SegmentTexts, settings: Mapping[str, str]) -> NDArray[np.float64]:
    """``[segment, system, (words of the output, of the nearest reference)]``."""
    del settings
    found = np.zeros((texts.n_segments, texts.n_systems, 2))
    for at, references in enumerate(texts.references):
        sizes = [len(split(one)) for one in references]
        for system in range(texts.n_systems):
            own = len(split(texts.outputs[system][at]))
            _, nearest = min((abs(size - own), size) for size in sizes)
            found[at, system] = own, nearest
    return found
