"""Mentions in brackets: ``(3`` opens a mention of chain 3, ``3)`` closes it, ``(3)`` does both.

A closing bracket closes the mention of its chain that was opened last, so that nested mentions of
one chain get their right ends.

>>> [tuple(bracket) for bracket in brackets("(5|(1)")]
[('5', True, False), ('1', True, True)]
>>> [tuple(bracket) for bracket in brackets("1)1)")]
[('1', False, True), ('1', False, True)]
>>> brackets("5") is None             # neither opens nor closes
True
"""

from __future__ import annotations

import re
from typing import NamedTuple

_BRACKET = re.compile(r"\|?(?:\(([^()|]+)(\)?)|([^()|]+)\))")


class Bracket(NamedTuple):
    """A chain, and whether a mention of it is opened and closed here."""

    name: str
    opens: bool
    closes: bool


def brackets(cell: str) -> list[Bracket] | None:
    """The brackets of a cell in order; ``None`` if it holds anything else.

    They may be set apart by ``|`` or stand side by side.
    """
    found: list[Bracket] = []
    at = 0
    while at < len(cell):
        match = _BRACKET.match(cell, at)
        if match is None or (at == 0 and cell[0] == "|"):
            return None
        opened, closed, bare = match.groups()
        found.append(
            Bracket(opened, opens=True, closes=bool(closed))
            if opened
            else Bracket(bare, opens=False, closes=True)
        )
        at = match.end()
    return found
