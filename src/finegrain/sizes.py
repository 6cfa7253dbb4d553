"""How many there are, in words: ``1 sentence``, ``2,077 sentences``.

>>> sized(1, "sentence"), sized(2077, "sentence"), sized(0, "mention")
('1 sentence', '2,077 sentences', '0 mentions')
>>> sized(2, "query"), sized(3, "day"), sized(2, "stimulus")
('2 queries', '3 days', '2 stimuli')
>>> sized(1, "mention", "with an antecedent")
'1 mention with an antecedent'
"""

from __future__ import annotations


def sized(count: int, noun: str, which: str = "") -> str:
    """A count and its noun, in the plural unless there is one; ``which`` comes behind it."""
    return f"{count:,} {noun if count == 1 else plural(noun)} {which}".strip()


def plural(noun: str) -> str:
    """More than one of them."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    if noun.endswith("ulus"):
        return noun[:-2] + "i"
    return noun + "s"
