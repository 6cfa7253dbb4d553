"""How tokenisers mark white space in their tokens, which is then no part of the text.

>>> detected(Texts.of(["The", "Ġcat", "Ġsat"])).name
'byte-level'
>>> detected(Texts.of(["▁The", "▁cat", "s"])).name, detected(Texts.of(["un", "##able"])).name
('sentencepiece', 'wordpiece')
>>> detected(Texts.of(["The", " cat"])).name
'none'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from finegrain.corpus import Texts
from finegrain.errors import UsageError

_LOOKED_AT = 5_000  # tokens that tell which marks there are
_LEAST = 0.005  # of these that have them


@dataclass(frozen=True, slots=True)
class Marks:
    """A way to mark white space; ``shown`` as people know it."""

    name: str
    shown: str
    has: Callable[[str], bool]


NONE = Marks("none", "", lambda _: False)
MARKS = {
    marks.name: marks
    for marks in (
        Marks("byte-level", "Ġ for a blank", lambda token: token.startswith(("Ġ", "Ċ"))),
        Marks("sentencepiece", "▁ for a blank", lambda token: "▁" in token),
        Marks("wordpiece", "## within a word", lambda token: token[:2] == "##" and token[2:] != ""),
        Marks("subword-nmt", "@@ within a word", lambda token: token.endswith("@@")),
        NONE,
    )
}


def marks_of(name: str, tokens: Texts) -> Marks:
    """The marks that are named, or for ``auto`` those that tokens have."""
    if name == "auto":
        return detected(tokens)
    if name not in MARKS:
        raise UsageError.unknown("marks", name, ("auto", *MARKS))
    return MARKS[name]


def detected(tokens: Texts) -> Marks:
    """The marks that tokens have, some of which are looked at all over the file."""
    rows = np.unique(np.linspace(0, max(len(tokens) - 1, 0), min(len(tokens), _LOOKED_AT)))
    some = [tokens[row] for row in rows.astype(np.int64).tolist()]
    counts = {name: sum(map(marks.has, some)) for name, marks in MARKS.items()}
    name = max(counts, key=lambda name: counts[name], default="none")
    return MARKS[name] if counts and counts[name] > _LEAST * len(some) else NONE
