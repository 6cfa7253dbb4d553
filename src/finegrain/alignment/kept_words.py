"""Numbers and names of references, or of sources, that outputs keep or lose.

>>> numbers("In 1843, 1,233 km; ٣ times 3.50"), names("He met Ada in New York. It rained, I think.")
(['1843', '1233', '3', '350'], ['Ada', 'New', 'York'])
>>> texts = SegmentTexts((("Ada has 2 cats",),), (("Since 1843 Ada owns 2 cats",),), None)
>>> counts(texts, {})[0, 0].tolist()                   # numbers: kept, all; names: kept, all
[1.0, 2.0, 1.0, 1.0]

Numbers are digits of any script; points and commas inside are left out, so that 1,233 is 1.233.
Names are capitalised words that do not begin a sentence, so all nouns in German; texts in scripts
without capitals have none. Of several references the one counts of which least is lost. Names of
sources are kept where they are written alike, which is asked for languages that do not inflect or
transcribe them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from unicodedata import decimal

import numpy as np
import regex  # type: ignore[import-untyped]
from numpy.typing import NDArray

from finegrain.alignment.segment_texts import SegmentTexts

_NUMBER = regex.compile(r"\p{Nd}+(?:[.,:'’٫٬\u00a0\u202f]\p{Nd}+)*")
_NAME = regex.compile(
    r"(?<![\p{L}\p{M}\p{N}])\p{Lu}"
    r"(?:[\p{L}\p{M}\p{N}]+(?:['’-]\p{L}+)*|(?:['’-]\p{Lu}[\p{L}\p{M}]+)+)"
)
_OPENING = regex.compile(r"(?:^|[.!?:…。！？])[\s\p{P}\p{S}]*$")


@lru_cache(1 << 15)
def _numbers(text: str) -> tuple[str, ...]:
    return tuple(
        "".join(str(decimal(one)) for one in match[0] if one.isdecimal())
        for match in _NUMBER.finditer(text)
    )


@lru_cache(1 << 15)
def _names(text: str) -> tuple[str, ...]:
    return tuple(
        match[0] for match in _NAME.finditer(text) if not _OPENING.search(text[: match.start()])
    )


def numbers(text: str) -> list[str]:
    """The numbers of a text, as digits."""
    return list(_numbers(text))


def names(text: str) -> list[str]:
    """The capitalised words of a text that do not begin a sentence."""
    return list(_names(text))


def counts(texts: SegmentTexts, settings: Mapping[str, str]) -> NDArray[np.float64]:
    """``[segment, system, (numbers kept, numbers, names kept, names)]``."""
    del settings
    return _counted(texts, texts.references)


def source_counts(texts: SegmentTexts, settings: Mapping[str, str]) -> NDArray[np.float64]:
    """The same of sources; a segment without a source has none.

    >>> source_counts(SegmentTexts((("Ada, 3",),), ((),), ("Von 2 bis 3 las Ada",)), {}).tolist()
    [[[1.0, 2.0, 1.0, 1.0]]]
    """
    del settings
    return _counted(texts, [(text or "",) for text in texts.sources or ("",) * texts.n_segments])


def _counted(texts: SegmentTexts, beside: Iterable[Sequence[str]]) -> NDArray[np.float64]:
    found = np.zeros((texts.n_segments, texts.n_systems, 4))
    for at, given in enumerate(beside):
        wanted = [Counter(_numbers(one)) for one in given]
        called = [Counter(one.casefold() for one in _names(text)) for text in given]
        for system in range(texts.n_systems):
            own = texts.outputs[system][at]
            there = Counter(_numbers(own))
            words = Counter(one.casefold() for one in _WORD.findall(own)) if any(called) else there
            found[at, system] = (*_kept(wanted, there), *_kept(called, words))
    return found


_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’-]\p{L}+)*")


def _kept(wanted: list[Counter[str]], own: Counter[str]) -> tuple[int, int]:
    """Of the text of which least is lost, how much is kept, and how much there is."""
    pairs = [((one & own).total(), one.total()) for one in wanted]
    return max(pairs, key=lambda pair: (pair[0] - pair[1], pair[1]))
