r"""Text without what writers of the same words differ in, with the way back to its characters.

Folded are case, compatibility forms and composition of characters (NFKD), quotation marks and
hyphens; white space is one blank, and characters without width are left out. Accents stay.

>>> folded = fold("“New\u00a0 York”, Zu\u0308rich")
>>> folded.text
'"new york", zu\u0308rich'
>>> folded.span(1, 9)          # characters of the original
(1, 10)
>>> fold("Zürich").text == fold("Zu\u0308rich").text
True
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_DOUBLE = "“”„‟«»″〝〞＂"
_SINGLE = "‘’‚‛‹›′`´＇ʼ"
_HYPHENS = "‐‑‒–—―−﹣－⁃"
_WITHOUT_WIDTH = "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f"
_TABLE = str.maketrans(
    dict.fromkeys(_DOUBLE, '"')
    | dict.fromkeys(_SINGLE, "'")
    | dict.fromkeys(_HYPHENS, "-")
    | dict.fromkeys(_WITHOUT_WIDTH, "")
)
_SPACES = re.compile(r"\s{2,}|[^\S ]")
_CLUSTER = re.compile(r"(\s+)|[^\s][\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]*")


class Folded(NamedTuple):
    """Folded text; ``starts`` says of each of its characters where the original one begins.

    One more entry is the end of the text; ``None`` where both have the same characters.
    """

    text: str
    starts: list[int] | None

    def span(self, begin: int, end: int) -> tuple[int, int]:
        """The characters of the original behind ``begin .. end - 1`` of the folded text."""
        if self.starts is None:
            return begin, end
        last = self.starts[end - 1]
        past = end
        while self.starts[past] == last:  # several folded characters can stand for one
            past += 1
        return self.starts[begin], self.starts[past]


def fold(text: str) -> Folded:
    """A text as it is compared."""
    if text.isascii() and not _SPACES.search(text):
        return Folded(text.lower().replace("`", "'"), None)
    pieces: list[str] = []
    starts: list[int] = []
    for match in _CLUSTER.finditer(text):
        piece = " " if match[1] else _folded(match[0])
        pieces.append(piece)
        starts += [match.start()] * len(piece)
    return Folded("".join(pieces), [*starts, len(text)])


@lru_cache(maxsize=1 << 16)
def _folded(cluster: str) -> str:
    """A character with its marks."""
    plain = unicodedata.normalize("NFKD", cluster.translate(_TABLE))
    folded = "i" if cluster == "İ" else plain.casefold()  # casefold leaves its dot behind
    return unicodedata.normalize("NFKD", folded).translate(_TABLE)


def words_only(text: str) -> str:
    """Folded text without white space and punctuation at its ends."""
    return fold(text).text.strip(" \t\n.,;:!?\"'()[]{}*_")
